//! [`Settings`]: all that makes a match, as lines of text that a record can hold.

use std::str::FromStr;
use std::time::Duration;

use super::adjudication::{DrawRule, ResignRule};
use super::openings::Source;
use super::player::Patience;
use super::referee::Terms;
use super::schedule::{Schedule, Shard};
use super::spec::EngineSpec;
use super::sprt::Sprt;
use crate::game::any_size::Game;
use crate::notation::rules_string;

/// The settings of a match.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Id of the rule set.
    pub variant: String,
    /// The rules string of a rule set that the catalogue does not have.
    pub rules: Option<String>,
    /// The engines, with different names.
    pub engines: Vec<EngineSpec>,
    /// Only the first engine plays, against each of the others.
    pub gauntlet: bool,
    /// Pairs of games for each pairing.
    pub pairs: usize,
    /// Where games begin.
    pub openings: Source,
    /// What tells these openings from others; see [`super::openings::digest`].
    pub openings_digest: u64,
    /// How much a player may overrun its time, in milliseconds.
    pub margin: u64,
    /// A game of so many plies is drawn.
    pub max_plies: usize,
    /// When a game is given up.
    pub resign: Option<ResignRule>,
    /// When a game is given as drawn.
    pub draw: Option<DrawRule>,
    /// The test that may end the match.
    pub sprt: Option<Sprt>,
    /// The part of the match that is played here.
    pub shard: Option<Shard>,
    /// How long to wait for what.
    pub patience: Patience,
    /// Games at the same time, if that was asked for.
    pub concurrency: Option<usize>,
    /// Does a fault make the exit code non-zero?
    pub strict: bool,
}

/// The first line of settings in a record.
pub const HEAD: &str = "konakis match, settings:";

impl Settings {
    /// The plan of the match.
    pub fn schedule(&self) -> Schedule {
        Schedule { engines: self.engines.len(), gauntlet: self.gauntlet, pairs: self.pairs }
    }

    /// The start position.
    ///
    /// # Errors
    /// If there is no such rule set.
    pub fn start(&self) -> Result<Game, String> {
        let rules = rules_string::chosen(&self.variant, self.rules.as_deref())?;
        Game::start(rules).map_err(|error| error.to_string())
    }

    /// What the referee has to know.
    pub fn terms(&self) -> Terms {
        Terms {
            margin: Duration::from_millis(self.margin),
            max_plies: self.max_plies,
            resign: self.resign,
            draw: self.draw,
        }
    }

    /// The settings as text, without any of `[ ] |`.
    pub fn to_text(&self) -> String {
        let Patience { start, new_game, ping, untimed, late } = self.patience;
        let patience = [start, new_game, ping, untimed, late];
        let patience = patience.map(|time| time.as_millis().to_string()).join(" ");
        let mut lines = vec![HEAD.to_owned(), format!("variant {}", self.variant)];
        lines.extend(self.rules.as_ref().map(|rules| format!("rules {rules}")));
        lines.extend(self.engines.iter().map(|engine| format!("engine {engine}")));
        lines.extend([
            format!("gauntlet {}", self.gauntlet),
            format!("pairs {}", self.pairs),
            format!("openings {}", self.openings),
            format!("openings-digest {}", self.openings_digest),
            format!("margin {}", self.margin),
            format!("max-plies {}", self.max_plies),
            format!("patience {patience}"),
            format!("strict {}", self.strict),
        ]);
        lines.extend(self.resign.map(|rule| format!("resign {}", rule.spec())));
        lines.extend(self.draw.map(|rule| format!("draw {}", rule.spec())));
        lines.extend(self.sprt.map(|sprt| format!("sprt {}", sprt.spec())));
        lines.extend(self.concurrency.map(|games| format!("concurrency {games}")));
        lines.extend(self.shard.map(|shard| format!("shard {shard}")));
        lines.iter().map(|line| escape(line)).collect::<Vec<_>>().join("\n")
    }

    /// Reads what [`Settings::to_text`] wrote.
    ///
    /// # Errors
    /// Names what is missing or wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut lines = text.lines();
        if lines.next() != Some(HEAD) {
            return Err(format!("no settings; expected a comment that begins '{HEAD}'"));
        }
        let lines: Vec<(String, String)> = lines
            .map(|line| {
                let line = unescape(line);
                let (key, value) = line.split_once(' ').unwrap_or((&line, ""));
                (key.to_owned(), value.to_owned())
            })
            .collect();
        let find = |key: &str| {
            lines.iter().find(|(other, _)| other == key).map(|(_, value)| value.as_str())
        };
        let get = |key: &str| find(key).ok_or_else(|| format!("the settings lack '{key}'"));
        let engines = lines.iter().filter(|(key, _)| key == "engine");
        Ok(Self {
            variant: get("variant")?.to_owned(),
            rules: find("rules").map(str::to_owned),
            engines: engines
                .map(|(_, value)| EngineSpec::parse(value, ""))
                .collect::<Result<_, _>>()?,
            gauntlet: value("gauntlet", get("gauntlet")?)?,
            pairs: value("pairs", get("pairs")?)?,
            openings: Source::parse(get("openings")?, || 0)?,
            openings_digest: value("openings-digest", get("openings-digest")?)?,
            margin: value("margin", get("margin")?)?,
            max_plies: value("max-plies", get("max-plies")?)?,
            resign: find("resign").map(ResignRule::parse).transpose()?,
            draw: find("draw").map(DrawRule::parse).transpose()?,
            sprt: find("sprt").map(Sprt::parse).transpose()?,
            shard: find("shard").map(Shard::parse).transpose()?,
            patience: patience(get("patience")?)?,
            concurrency: find("concurrency").map(|text| value("concurrency", text)).transpose()?,
            strict: value("strict", get("strict")?)?,
        })
    }
}

fn value<T: FromStr>(key: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("the settings' '{key} {text}' makes no sense"))
}

fn patience(text: &str) -> Result<Patience, String> {
    let times: Vec<u64> =
        text.split_whitespace().map(|word| value("patience", word)).collect::<Result<_, _>>()?;
    let [start, new_game, ping, untimed, late] = times[..] else {
        return Err("the settings' 'patience' has not five numbers".to_owned());
    };
    let ms = Duration::from_millis;
    Ok(Patience {
        start: ms(start),
        new_game: ms(new_game),
        ping: ms(ping),
        untimed: ms(untimed),
        late: ms(late),
    })
}

/// The characters that a record's comment cannot hold, and the one that marks their stand-ins.
const ESCAPED: [(char, &str); 6] =
    [('%', "%25"), ('[', "%5B"), (']', "%5D"), ('|', "%7C"), ('\n', "%0A"), ('\r', "%0D")];

fn escape(text: &str) -> String {
    ESCAPED.iter().fold(text.to_owned(), |text, (c, code)| text.replace(*c, code))
}

fn unescape(text: &str) -> String {
    ESCAPED.iter().rev().fold(text.to_owned(), |text, (c, code)| text.replace(code, &c.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        let engine = |text| EngineSpec::parse(text, "tc=1+0.01").unwrap();
        Settings {
            variant: "custom".to_owned(),
            rules: Some("dim:9 esc:e cor: starti:/9/9/9/9/4K4/9/9/9/3t5/".to_owned()),
            engines: vec![
                engine("\"cmd=a b\",option.X=[1|2]%5D,args=-q"),
                engine("builtin:random,name=R"),
            ],
            gauntlet: true,
            pairs: 20,
            openings: Source::Random { plies: 6, seed: 9 },
            openings_digest: u64::MAX,
            margin: 10,
            max_plies: 400,
            resign: Some(ResignRule { score: 600, moves: 4, both: true }),
            draw: Some(DrawRule { score: 10, moves: 8 }),
            sprt: Some(Sprt::parse("elo1=2").unwrap()),
            shard: Some(Shard { part: 2, of: 3 }),
            patience: Patience { late: Duration::from_millis(1), ..Patience::default() },
            concurrency: Some(2),
            strict: false,
        }
    }

    #[test]
    fn settings_are_read_back() {
        let full = settings();
        let text = full.to_text();
        assert!(!text.contains(['[', ']', '|']), "{text}");
        assert_eq!(Settings::parse(&text), Ok(full.clone()));
        let bare =
            Settings { rules: None, resign: None, draw: None, sprt: None, shard: None, ..full };
        assert_eq!(Settings::parse(&bare.to_text()), Ok(bare));
    }

    #[test]
    fn what_is_missing_is_named() {
        let text = settings().to_text();
        let without = |key: &str| -> String {
            text.lines().filter(|line| !line.starts_with(key)).map(|l| format!("{l}\n")).collect()
        };
        for key in ["variant", "pairs", "openings-digest", "patience"] {
            assert!(Settings::parse(&without(key)).unwrap_err().contains(key));
        }
        assert!(Settings::parse("something else").unwrap_err().contains(HEAD));
    }
}
