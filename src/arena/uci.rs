//! UCI with tafl's meaning, and its sister UGI, from the arena's side.

use std::fmt::Write;
use std::time::{Duration, Instant};

use super::dialect::{Dialect, Link};
use super::player::{Failure, FaultKind, Thought, Turn};
use super::process::Line;
use crate::game::rules::{Rules, Side};
use crate::game::variants::{aliases, variant};
use crate::notation::rules_string;
use crate::search::score::Score;

/// The longest distance of a proven result that a score can hold, in plies.
const MAX_MATE: u32 = 999;

/// The dialects UCI and UGI.
#[derive(Clone, Debug)]
pub struct Uci {
    ugi: bool,
    declared: Vec<Declared>,
}

/// An option that the engine declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    /// Its name.
    pub name: String,
    /// Has it no value?
    pub button: bool,
    /// The values of a combo.
    pub values: Vec<String>,
    /// Default, least and greatest value of a number.
    pub range: Option<[i64; 3]>,
}

impl Uci {
    /// UCI.
    pub const fn plain() -> Self {
        Self { ugi: false, declared: Vec::new() }
    }

    /// UGI: p1 and p2 on the clocks, distances of proven results in plies.
    pub const fn ugi() -> Self {
        Self { ugi: true, declared: Vec::new() }
    }

    /// The options that the engine declared.
    pub fn declared(&self) -> &[Declared] {
        &self.declared
    }

    const fn hello(&self) -> &'static str {
        if self.ugi { "ugi" } else { "uci" }
    }

    fn find(&self, name: &str) -> Option<&Declared> {
        self.declared.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Sets the rule set, if the engine has an option for it.
    fn set_variant(&self, link: &mut Link) -> Result<Option<String>, Failure> {
        let id = link.rules.id.clone();
        if variant(&id).is_none_or(|named| named != link.rules) {
            return self.set_rules(link).map(|()| None);
        }
        let option = self.find("UCI_Variant").or_else(|| self.find("Variant"));
        let Some(option) = option else {
            return Ok(Some(format!(
                "has no option UCI_Variant or Variant: it is taken to play {id}"
            )));
        };
        let Some(value) = own_name(&option.values, &link.rules) else {
            let sentence = format!(
                "it does not know the rule set {id}; its option {} offers {}",
                option.name,
                option.values.join(", ")
            );
            return Err(FaultKind::StartFailed.because(sentence).into());
        };
        link.process.send(&format!("setoption name {} value {value}", option.name));
        Ok(None)
    }

    /// Sends a rule set that no catalogue has as its rules string.
    fn set_rules(&self, link: &mut Link) -> Result<(), Failure> {
        let failed = |sentence: String| Failure::from(FaultKind::StartFailed.because(sentence));
        let Some(option) = self.find("Rules") else {
            let sentence = "it has no option Rules, so it cannot be told a rule set of one's own";
            return Err(failed(sentence.to_owned()));
        };
        let text = rules_string::write(&link.rules).map_err(failed)?;
        link.process.send(&format!("setoption name {} value {text}", option.name));
        Ok(())
    }

    fn ping(link: &mut Link, patience: Duration, after: &str) -> Result<(), Failure> {
        Self::ping_hearing(link, patience, after, |_| {})
    }

    /// Waits for `readyok`; what comes before it is heard.
    fn ping_hearing(
        link: &mut Link,
        patience: Duration,
        after: &str,
        mut hear: impl FnMut(&str),
    ) -> Result<(), Failure> {
        link.process.send("isready");
        let ready = |line: &str| {
            hear(line);
            line == "readyok"
        };
        match link.process.wait_for(patience, ready)? {
            Some(_) => Ok(()),
            None => {
                let sentence = format!("no readyok within {} ms {after}", patience.as_millis());
                Err(FaultKind::NotReady.because(sentence).into())
            }
        }
    }

    /// The `go` line of a turn.
    fn go_line(&self, turn: &Turn<'_>) -> String {
        let mut line = "go".to_owned();
        // Writing to a string cannot fail.
        let mut add = |word: &str, value: u128| {
            let _ = write!(line, " {word} {value}");
        };
        let side = turn.game.side();
        let limits = turn.limits;
        if limits.clock.is_some() {
            let first = turn.game.rules().first;
            let [one, two] = if self.ugi { ["p1", "p2"] } else { ["w", "b"] };
            // In UCI w is the king's side, as in chess tools whose white has the king's men here.
            let sides = if self.ugi { first } else { Side::Defenders };
            let clocks = [(one, turn.clock(sides)), (two, turn.clock(sides.other()))];
            for (name, clock) in clocks {
                let left = clock.map_or(0, |clock| clock.left().as_millis());
                add(&format!("{name}time"), left);
            }
            for (name, clock) in clocks {
                let increment = clock.map_or(0, |clock| clock.increment().as_millis());
                add(&format!("{name}inc"), increment);
            }
            let moves_to_go = turn.clock(side).and_then(|clock| clock.moves_to_go());
            if let Some(moves) = moves_to_go {
                add("movestogo", moves.into());
            }
        }
        if let Some(time) = limits.movetime {
            add("movetime", time.as_millis());
        }
        if let Some(nodes) = limits.nodes {
            add("nodes", nodes.into());
        }
        if let Some(depth) = limits.depth {
            add("depth", depth.into());
        }
        line
    }

    /// Reads a line of an engine that thinks.
    fn hear(&self, heard: &mut Thought, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.first() != Some(&"info") || words.get(1) == Some(&"string") {
            return;
        }
        let after = |name: &str| {
            let at = words.iter().position(|word| *word == name)?;
            words.get(at + 1).copied()
        };
        if after("multipv").is_some_and(|line| line != "1") {
            return;
        }
        if let Some(depth) = after("depth").and_then(|word| word.parse().ok()) {
            heard.depth = Some(depth);
        }
        if let Some(nodes) = after("nodes").and_then(|word| word.parse().ok()) {
            heard.nodes = Some(nodes);
        }
        let cp = || after("cp").and_then(|word| word.parse().ok()).map(Score::centipawns);
        let mate = || after("mate").and_then(|word| word.parse().ok()).map(|n| self.mate(n));
        if let Some(score) = cp().or_else(mate) {
            heard.score = Some(score);
        }
    }

    /// A distance in this dialect's unit as a score.
    fn mate(&self, distance: i64) -> Score {
        let size = distance.unsigned_abs();
        let plies = match (self.ugi, distance > 0) {
            (true, _) => size,
            (false, true) => size.saturating_mul(2).saturating_sub(1),
            (false, false) => size.saturating_mul(2),
        };
        let plies = u32::try_from(plies).unwrap_or(MAX_MATE).min(MAX_MATE);
        if distance > 0 { Score::win_in(plies) } else { Score::loss_in(plies) }
    }
}

impl Dialect for Uci {
    fn start(&mut self, link: &mut Link) -> Result<Vec<String>, Failure> {
        let hello = self.hello();
        let ok = format!("{hello}ok");
        let declared = &mut self.declared;
        link.process.send(hello);
        let patience = link.patience.start;
        let answer = link.process.wait_for(patience, |line| {
            declared.extend(parse_option(line));
            line == ok
        })?;
        if answer.is_none() {
            let sentence = format!("no {ok} within {} ms", patience.as_millis());
            return Err(FaultKind::NotReady.because(sentence).into());
        }
        let mut notes: Vec<String> = self.set_variant(link)?.into_iter().collect();
        for (name, value) in link.spec.options.clone() {
            match self.find(&name) {
                Some(option) if option.button => {
                    link.process.send(&format!("setoption name {}", option.name));
                }
                Some(option) => {
                    link.process.send(&format!("setoption name {} value {value}", option.name));
                }
                None => notes.push(format!("has no option {name}: {name}={value} is left out")),
            }
        }
        Self::ping_hearing(link, link.patience.ping, "after the options", |line| {
            if line.starts_with("info string error") {
                notes.push(format!("says: {line}"));
            }
        })?;
        Ok(notes)
    }

    fn new_game(&mut self, link: &mut Link) -> Result<(), Failure> {
        link.process.send(if self.ugi { "uginewgame" } else { "ucinewgame" });
        Self::ping(link, link.patience.new_game, "after the new game")
    }

    fn think(&mut self, link: &mut Link, turn: &Turn<'_>) -> Result<Thought, Failure> {
        link.process.send(&position_line(turn));
        let asked = Instant::now();
        link.process.send(&self.go_line(turn));
        let mut heard = Thought {
            mv: String::new(),
            elapsed: Duration::ZERO,
            score: None,
            depth: None,
            nodes: None,
        };
        let mut listen = |line: &str| {
            self.hear(&mut heard, line);
            line.split_whitespace().next() == Some("bestmove")
        };
        let patience = turn.budget.unwrap_or(link.patience.untimed);
        let mut answer = link.process.wait_for(patience, &mut listen)?;
        if answer.is_none() && turn.budget.is_some() {
            // The game is lost; how late the answer is says more than that there is none.
            link.process.send("stop");
            answer = link.process.wait_for(link.patience.late, &mut listen)?;
        }
        let Some(Line { text, at }) = answer else {
            let waited = asked.elapsed().as_millis();
            return Err(FaultKind::Stall.because(format!("no bestmove after {waited} ms")).into());
        };
        heard.elapsed = at.saturating_duration_since(asked);
        text.split_whitespace().nth(1).unwrap_or("").clone_into(&mut heard.mv);
        Ok(heard)
    }
}

/// The `position` line of a turn.
fn position_line(turn: &Turn<'_>) -> String {
    let mut line = match turn.fen {
        Some(fen) => format!("position fen {fen}"),
        None => "position startpos".to_owned(),
    };
    let moves = turn.game.moves_made();
    if !moves.is_empty() {
        line.push_str(" moves");
    }
    for mv in moves {
        // Writing to a string cannot fail.
        let _ = write!(line, " {}", mv.on(turn.game.size()));
    }
    line
}

/// The name by which an engine knows a rule set: the id or an alias that its option offers. An
/// option without a list is given the id.
fn own_name(values: &[String], rules: &Rules) -> Option<String> {
    if values.is_empty() {
        return Some(rules.id.clone());
    }
    let offered = |name: &str| values.iter().find(|value| value.eq_ignore_ascii_case(name));
    offered(&rules.id).or_else(|| aliases(&rules.id).find_map(offered)).cloned()
}

/// Reads `option name NAME type TYPE … var VALUE …`.
fn parse_option(line: &str) -> Option<Declared> {
    let rest = line.strip_prefix("option")?.trim_start().strip_prefix("name ")?;
    let (name, kind) = rest.split_once(" type ")?;
    let mut words = kind.split_whitespace();
    let button = words.next() == Some("button");
    let values = kind.split(" var ").skip(1).map(|value| value.trim().to_owned()).collect();
    let words: Vec<&str> = words.collect();
    let number = |key: &str| {
        let at = words.iter().position(|word| *word == key)?;
        words.get(at + 1)?.parse().ok()
    };
    let range = number("default").zip(number("min")).zip(number("max"));
    let range = range.map(|((default, least), most)| [default, least, most]);
    Some(Declared { name: name.trim().to_owned(), button, values, range })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::clock::{PlayerClock, TimeControl};
    use crate::arena::spec::TurnLimits;
    use crate::game::any_size::Game;

    fn thought() -> Thought {
        Thought {
            mv: String::new(),
            elapsed: Duration::ZERO,
            score: None,
            depth: None,
            nodes: None,
        }
    }

    #[test]
    fn options_are_read() {
        let combo = "option name UCI_Variant type combo default a var tablut9x9 var two words";
        assert_eq!(
            parse_option(combo),
            Some(Declared {
                name: "UCI_Variant".to_owned(),
                button: false,
                values: vec!["tablut9x9".to_owned(), "two words".to_owned()],
                range: None,
            })
        );
        assert!(parse_option("option name Clear Hash type button").unwrap().button);
        let spin = "option name Hash type spin default 16 min 1 max 4096";
        assert_eq!(parse_option(spin).unwrap().range, Some([16, 1, 4096]));
        assert_eq!(parse_option("id name x"), None);
        let rules = variant("tablut-saami").unwrap();
        assert_eq!(own_name(&["TABLUT9x9".to_owned()], &rules).unwrap(), "TABLUT9x9");
        assert_eq!(own_name(&["copenhagen".to_owned()], &rules), None);
    }

    #[test]
    fn scores_are_read_in_each_unit() {
        let heard = |dialect: &Uci, lines: &[&str]| {
            let mut heard = thought();
            lines.iter().for_each(|line| dialect.hear(&mut heard, line));
            heard
        };
        let (uci, ugi) = (Uci::plain(), Uci::ugi());
        let lines = [
            "info depth 7 seldepth 9 multipv 1 score cp -35 nodes 1234 nps 5 pv e4e5",
            "info depth 7 multipv 2 score cp -99 nodes 9999",
            "info string depth 99 score cp 1",
            "info currmove e4e5",
        ];
        let last = heard(&uci, &lines);
        assert_eq!((last.depth, last.nodes), (Some(7), Some(1234)));
        assert_eq!(last.score, Some(Score::centipawns(-35)));
        for (dialect, text, score) in [
            (&uci, "1", Score::win_in(1)),
            (&uci, "3", Score::win_in(5)),
            (&uci, "-1", Score::loss_in(2)),
            (&uci, "0", Score::loss_in(0)),
            (&ugi, "3", Score::win_in(3)),
            (&ugi, "-2", Score::loss_in(2)),
            (&uci, "9223372036854775807", Score::win_in(MAX_MATE)),
        ] {
            let line = format!("info score mate {text}");
            assert_eq!(heard(dialect, &[&line]).score, Some(score), "{line}");
        }
        assert_eq!(heard(&uci, &["info depth x score mate", "info score cp"]), thought());
    }

    #[test]
    fn clocks_are_named_for_their_sides() {
        let game = Game::start(variant("copenhagen").unwrap()).unwrap();
        let limits = |text: &str| TurnLimits {
            clock: TimeControl::parse(text).ok(),
            ..TurnLimits::default()
        };
        let (attackers, defenders) = (limits("40/1+0.5"), limits("2+0"));
        let clocks = [PlayerClock::new(&attackers), PlayerClock::new(&defenders)];
        let turn = Turn { game: &game, fen: None, clocks, limits: &attackers, budget: None };
        assert_eq!(
            Uci::plain().go_line(&turn),
            "go wtime 2000 btime 1500 winc 0 binc 500 movestogo 40"
        );
        // Attackers begin in Copenhagen: they are p1.
        assert_eq!(
            Uci::ugi().go_line(&turn),
            "go p1time 1500 p2time 2000 p1inc 500 p2inc 0 movestogo 40"
        );
        let fixed = TurnLimits { nodes: Some(9), depth: Some(3), ..TurnLimits::default() };
        let turn = Turn { limits: &fixed, ..turn };
        assert_eq!(Uci::plain().go_line(&turn), "go nodes 9 depth 3");
        assert_eq!(position_line(&turn), "position startpos");
    }
}
