//! [`EngineSpec`]: what to start as an engine and how it is to play, as one piece of text.
//!
//! `cmd=engines/other,name=Other,proto=ugi,option.Hash=64,tc=1+0.01`: items are divided at commas
//! outside double quotes (inside them `""` is one quote); a first item without a key is the `cmd`.

use std::fmt::{self, Display};
use std::path::PathBuf;
use std::time::Duration;

use super::clock::TimeControl;
use super::spec_text::{items, join_words, quoted, split_words};

/// An engine and how it is to play.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineSpec {
    /// The name in tables and records, unique in a match.
    pub name: String,
    /// What to start.
    pub program: Program,
    /// Arguments of a command.
    pub args: Vec<String>,
    /// The folder a command runs in.
    pub dir: Option<PathBuf>,
    /// The protocol.
    pub protocol: Protocol,
    /// Names and values of its options.
    pub options: Vec<(String, String)>,
    /// What bounds its thinking.
    pub limits: TurnLimits,
}

/// What to start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Program {
    /// A program, perhaps with arguments.
    Command(String),
    /// This very program.
    Konakis,
    /// A player that never changes.
    Yardstick(Yardstick),
}

/// The players inside the arena that never change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Yardstick {
    /// Plays any legal move.
    Random,
    /// Escapes, takes the king, takes men, else plays any move.
    Greedy,
    /// Searches so many plies and counts men.
    Material(u32),
}

/// The protocols an engine may speak.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// UCI with tafl's meaning.
    Uci,
    /// UGI.
    Ugi,
    /// OTEP, OpenTafl's engine protocol.
    Otep,
    /// HTP, hnefatafl.org's text protocol.
    Htp,
}

/// What bounds an engine's thinking; several may be given.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TurnLimits {
    /// Time for the game.
    pub clock: Option<TimeControl>,
    /// Time for each move.
    pub movetime: Option<Duration>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Plies for each move.
    pub depth: Option<u32>,
}

/// The deepest search of the material yardstick.
const MAX_MATERIAL_DEPTH: u32 = 12;

impl Yardstick {
    /// Its name behind `builtin:`.
    pub fn name(self) -> String {
        match self {
            Self::Random => "random".to_owned(),
            Self::Greedy => "greedy".to_owned(),
            Self::Material(depth) => format!("material-{depth}"),
        }
    }
}

impl Protocol {
    /// All protocols.
    const ALL: [Self; 4] = [Self::Uci, Self::Ugi, Self::Otep, Self::Htp];

    /// Such as `uci`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uci => "uci",
            Self::Ugi => "ugi",
            Self::Otep => "otep",
            Self::Htp => "htp",
        }
    }

    /// The protocol of this name.
    ///
    /// # Errors
    /// Names the protocols there are.
    pub fn parse(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|protocol| protocol.name() == text);
        found.ok_or_else(|| format!("proto={text}; expected uci, ugi, otep or htp"))
    }
}

impl EngineSpec {
    /// Reads one engine; `each` holds settings common to all, which its own override.
    ///
    /// # Errors
    /// Says which item is wrong and what would be right.
    pub fn parse(text: &str, each: &str) -> Result<Self, String> {
        let place = |error| format!("engine '{text}': {error}");
        let mut draft = Draft::default();
        for (key, value) in items(each, false).map_err(|error| format!("--each: {error}"))? {
            if matches!(key.as_str(), "cmd" | "name") {
                return Err(format!("--each: {key} differs from engine to engine"));
            }
            draft.set(&key, value).map_err(|error| format!("--each: {error}"))?;
        }
        let common = std::mem::take(&mut draft.limits);
        for (key, value) in items(text, true).map_err(place)? {
            draft.set(&key, value).map_err(place)?;
        }
        draft.finish(common).map_err(place)
    }

    /// A spec for a program that is asked but plays no match.
    pub fn plain(command: &str, protocol: Protocol) -> Self {
        Self {
            name: default_name(command),
            program: Program::Command(command.to_owned()),
            args: Vec::new(),
            dir: None,
            protocol,
            options: Vec::new(),
            limits: TurnLimits::default(),
        }
    }

    /// The value of an option, its name in any case.
    pub fn option(&self, name: &str) -> Option<&str> {
        let mut options = self.options.iter().rev();
        options.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// How many threads the engine uses: its option `Threads`, or 1.
    pub fn threads(&self) -> usize {
        self.option("Threads").and_then(|value| value.parse().ok()).unwrap_or(1).max(1)
    }
}

/// Gives engines of the same default name numbers; names that were given must differ.
///
/// # Errors
/// Names what is there twice.
pub fn make_names_unique(engines: &mut [EngineSpec]) -> Result<(), String> {
    for i in 0..engines.len() {
        let (before, rest) = engines.split_at_mut(i);
        let [this, ..] = rest else { continue };
        let taken = |name: &str| before.iter().any(|other| other.name == name);
        if !taken(&this.name) {
            continue;
        }
        let default = match &this.program {
            Program::Command(command) => default_name(command),
            Program::Konakis => "konakis".to_owned(),
            Program::Yardstick(yardstick) => yardstick.name(),
        };
        if this.name != default {
            return Err(format!("two engines are called '{}'; give each a name=", this.name));
        }
        let free = (2..).map(|n| format!("{default}-{n}")).find(|name| !taken(name));
        this.name = free.unwrap_or(default);
    }
    Ok(())
}

impl Display for EngineSpec {
    /// The spec as [`EngineSpec::parse`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = match &self.program {
            Program::Command(command) => command.clone(),
            Program::Konakis => "builtin:konakis".to_owned(),
            Program::Yardstick(yardstick) => format!("builtin:{}", yardstick.name()),
        };
        write!(f, "cmd={},name={}", quoted(&program), quoted(&self.name))?;
        if !matches!(self.program, Program::Yardstick(_)) {
            write!(f, ",proto={}", self.protocol.name())?;
        }
        if !self.args.is_empty() {
            write!(f, ",args={}", quoted(&join_words(&self.args)))?;
        }
        if let Some(dir) = &self.dir {
            write!(f, ",dir={}", quoted(&dir.to_string_lossy()))?;
        }
        for (name, value) in &self.options {
            write!(f, ",{}", quoted(&format!("option.{name}={value}")))?;
        }
        self.limits.items().into_iter().try_for_each(|item| write!(f, ",{item}"))
    }
}

impl TurnLimits {
    fn items(&self) -> Vec<String> {
        let Self { clock, movetime, nodes, depth } = self;
        [
            clock.map(|clock| format!("tc={clock}")),
            movetime.map(|time| format!("movetime={}", time.as_millis())),
            nodes.map(|nodes| format!("nodes={nodes}")),
            depth.map(|depth| format!("depth={depth}")),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// These limits, and where they leave something open, `others`. One way to give time replaces
    /// the other.
    fn or(self, others: Self) -> Self {
        let timed = self.clock.is_some() || self.movetime.is_some();
        Self {
            clock: if timed { self.clock } else { others.clock },
            movetime: if timed { self.movetime } else { others.movetime },
            nodes: self.nodes.or(others.nodes),
            depth: self.depth.or(others.depth),
        }
    }
}

impl Display for TurnLimits {
    /// Such as `tc=1+0.01 depth=5`; `-` without limits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items = self.items();
        f.write_str(if items.is_empty() { "-" } else { "" })?;
        f.write_str(&items.join(" "))
    }
}

/// The items read so far.
#[derive(Default)]
struct Draft {
    command: Option<String>,
    name: Option<String>,
    args: Vec<String>,
    dir: Option<PathBuf>,
    protocol: Option<Protocol>,
    options: Vec<(String, String)>,
    limits: TurnLimits,
}

impl Draft {
    fn set(&mut self, key: &str, value: String) -> Result<(), String> {
        if let Some(option) = key.strip_prefix("option.") {
            self.options.retain(|(name, _)| !name.eq_ignore_ascii_case(option));
            self.options.push((option.to_owned(), value));
            return Ok(());
        }
        if value.is_empty() {
            return Err(format!("{key} has no value"));
        }
        match key {
            "cmd" => self.command = Some(value),
            "name" => self.name = Some(checked_name(value)?),
            "args" => self.args = split_words(&value)?,
            "dir" => self.dir = Some(PathBuf::from(value)),
            "proto" => self.protocol = Some(Protocol::parse(&value)?),
            "tc" => self.limits.clock = Some(TimeControl::parse(&value)?),
            "movetime" => {
                self.limits.movetime = Some(Duration::from_millis(positive(key, &value)?));
            }
            "nodes" => self.limits.nodes = Some(positive(key, &value)?),
            "depth" => {
                let plies = positive(key, &value)?;
                self.limits.depth =
                    Some(u32::try_from(plies).map_err(|_| format!("depth={value} is too deep"))?);
            }
            _ => {
                return Err(format!(
                    "'{key}'; expected cmd, name, proto, args, dir, option.NAME, tc, movetime, \
                     nodes or depth"
                ));
            }
        }
        Ok(())
    }

    fn finish(self, common: TurnLimits) -> Result<EngineSpec, String> {
        if self.limits.clock.is_some() && self.limits.movetime.is_some() {
            return Err("both tc and movetime; expected one of them".to_owned());
        }
        let command = self.command.ok_or("no cmd; expected a program or builtin:NAME")?;
        let program = parse_program(&command)?;
        let limits = match program {
            // Yardsticks move at once, whatever the others get.
            Program::Yardstick(_) if self.limits == TurnLimits::default() => self.limits,
            Program::Yardstick(_) => {
                return Err("a yardstick moves at once and has no limits".to_owned());
            }
            _ => self.limits.or(common),
        };
        if !matches!(program, Program::Yardstick(_)) && limits == TurnLimits::default() {
            return Err(
                "no limit; expected tc=, movetime=, nodes= or depth=, here or in --each".to_owned()
            );
        }
        let name = match (self.name, &program) {
            (Some(name), _) => name,
            (None, Program::Command(command)) => checked_name(default_name(command))?,
            (None, Program::Konakis) => "konakis".to_owned(),
            (None, Program::Yardstick(yardstick)) => yardstick.name(),
        };
        let protocol = self.protocol.unwrap_or(Protocol::Uci);
        let Self { args, dir, options, .. } = self;
        Ok(EngineSpec { name, program, args, dir, protocol, options, limits })
    }
}

fn parse_program(command: &str) -> Result<Program, String> {
    let Some(builtin) = command.strip_prefix("builtin:") else {
        return Ok(Program::Command(command.to_owned()));
    };
    let depth = builtin.strip_prefix("material-").and_then(|depth| depth.parse().ok());
    match (builtin, depth) {
        ("konakis", _) => Ok(Program::Konakis),
        ("random", _) => Ok(Program::Yardstick(Yardstick::Random)),
        ("greedy", _) => Ok(Program::Yardstick(Yardstick::Greedy)),
        (_, Some(depth)) if (1..=MAX_MATERIAL_DEPTH).contains(&depth) => {
            Ok(Program::Yardstick(Yardstick::Material(depth)))
        }
        _ => Err(format!(
            "'{command}'; expected builtin:konakis, builtin:random, builtin:greedy or \
             builtin:material-D with D from 1 to {MAX_MATERIAL_DEPTH}"
        )),
    }
}

/// The file name of the program, or of the script behind an interpreter.
fn default_name(command: &str) -> String {
    let words = split_words(command).unwrap_or_default();
    let stem = |word: &String| {
        let path = PathBuf::from(word);
        path.file_stem().map(|stem| stem.to_string_lossy().into_owned())
    };
    let script = words.iter().skip(1).find(|word| word.contains('.') || word.contains('/'));
    script.or(words.first()).and_then(stem).unwrap_or_else(|| "engine".to_owned())
}

/// A name that a record can hold.
fn checked_name(name: String) -> Result<String, String> {
    match name.chars().find(|&c| c.is_control() || "[]|".contains(c)) {
        Some(c) => Err(format!("name '{name}': {} may not be in a name", c.escape_default())),
        None => Ok(name),
    }
}

fn positive(key: &str, value: &str) -> Result<u64, String> {
    match value.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!("{key}={value}; expected a whole number from 1 up")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_spec() {
        let text = "/opt/a=b/engine,name=Other,proto=ugi,\"args=--book my,file 'two words'\",\
                    dir=/tmp,option.Move Overhead=30,option.Book=\"a,\"\"b\",tc=40/60+0.6";
        let spec = EngineSpec::parse(text, "option.Hash=64,nodes=5000").unwrap();
        assert_eq!(spec.program, Program::Command("/opt/a=b/engine".to_owned()));
        assert_eq!(spec.name, "Other");
        assert_eq!(spec.protocol, Protocol::Ugi);
        assert_eq!(spec.args, ["--book", "my,file", "two words"]);
        assert_eq!(spec.option("hash"), Some("64"));
        assert_eq!(spec.option("Move Overhead"), Some("30"));
        assert_eq!(spec.option("Book"), Some("a,\"b"));
        assert_eq!(spec.limits.nodes, Some(5_000));
        assert_eq!(spec.limits.to_string(), "tc=40/60+0.6 nodes=5000");
        assert_eq!(EngineSpec::parse(&spec.to_string(), "").as_ref(), Ok(&spec));
    }

    #[test]
    fn common_settings_and_one_s_own() {
        let each = "tc=1+0.01,option.Hash=8,option.Threads=2";
        let own = EngineSpec::parse("x,movetime=50,option.hash=16", each).unwrap();
        assert_eq!(own.limits.to_string(), "movetime=50");
        assert_eq!((own.option("Hash"), own.threads()), (Some("16"), 2));
        let yardstick = EngineSpec::parse("builtin:material-3,name=M,option.Seed=7", each).unwrap();
        assert_eq!(yardstick.limits, TurnLimits::default());
        assert_eq!(yardstick.option("Seed"), Some("7"));
        assert_eq!(EngineSpec::parse(&yardstick.to_string(), "").as_ref(), Ok(&yardstick));
        let konakis = EngineSpec::parse("cmd=builtin:konakis", each).unwrap();
        assert_eq!(konakis.limits.to_string(), "tc=1+0.01");
    }

    #[test]
    fn names() {
        let name = |text| EngineSpec::parse(text, "nodes=1").unwrap().name;
        assert_eq!(name("/usr/bin/tafl-zero"), "tafl-zero");
        assert_eq!(name("python3 tests/engines/hang.py"), "hang");
        assert_eq!(name("builtin:material-2"), "material-2");
        let parse = |texts: &[&str]| {
            let mut specs: Vec<_> =
                texts.iter().map(|text| EngineSpec::parse(text, "nodes=1").unwrap()).collect();
            make_names_unique(&mut specs).map(|()| specs)
        };
        let specs = parse(&["builtin:konakis", "builtin:konakis", "builtin:konakis"]).unwrap();
        let names: Vec<_> = specs.iter().map(|spec| spec.name.as_str()).collect();
        assert_eq!(names, ["konakis", "konakis-2", "konakis-3"]);
        assert!(parse(&["a,name=x", "b,name=x"]).is_err());
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, each, hint) in [
            ("", "nodes=1", "no cmd"),
            ("x", "", "no limit"),
            ("x,depth=0", "", "from 1 up"),
            ("x,tc=1,movetime=5", "", "both"),
            ("x,colour=red,nodes=1", "", "'colour'"),
            ("x,nodes", "", "key=value"),
            ("x,name=\"y,nodes=1", "", "not closed"),
            ("x,name=a[b],nodes=1", "", "name"),
            ("x,proto=xboard,nodes=1", "", "uci, ugi, otep or htp"),
            ("x,args='a,nodes=1", "", "single quote"),
            ("builtin:material-0", "", "builtin:material-D"),
            ("builtin:magic", "", "builtin:random"),
            ("builtin:random,nodes=5", "", "no limits"),
            ("x,nodes=1", "name=y", "--each"),
            ("x,nodes=1", "y", "--each"),
        ] {
            let error = EngineSpec::parse(text, each).unwrap_err();
            assert!(error.contains(hint), "{text} / {each}: {error}");
        }
    }
}
