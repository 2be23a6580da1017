//! The options an engine declares, and their values.

use super::error::{ProtocolError, shown};
use super::rule_sets::RuleSets;
use crate::game::variants::DEFAULT_VARIANT;
use crate::search::Searcher;
use crate::search::strength::{FULL, Strength};

/// The name of the option that chooses the rule set.
const VARIANT: &str = "UCI_Variant";

/// The largest table that may be asked for, in MiB.
const MOST_HASH: u64 = 1 << 20;

/// The most lines that may be asked for: at most one man comes to a square of the largest board from
/// each of four directions.
const MOST_LINES: u64 = 4 * 19 * 19;

/// The most threads that may be asked for.
const MOST_THREADS: u64 = 512;

/// The values of the options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Size of the transposition table, MiB.
    pub hash: usize,
    /// On how many threads to search.
    pub threads: usize,
    /// How many lines to report.
    pub multi_pv: usize,
    /// The rule sets there are, and the one that counts.
    pub rule_sets: RuleSets,
    /// Does the front end mean to ponder? It changes nothing in how an own move is found.
    pub ponder: bool,
    /// Time kept back at each move, ms.
    pub move_overhead: u64,
    /// How strong to play, 0 to [`FULL`].
    pub skill_level: u32,
    /// Does `elo` count?
    pub limit_strength: bool,
    /// How strong to play at most if `limit_strength` says so, in Elo of our own ladder.
    pub elo: i32,
    /// Are the chances of winning, drawing and losing told with each score?
    pub show_wdl: bool,
    /// Where the conversation is written, if anywhere.
    pub debug_log_file: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hash: 64,
            threads: 1,
            multi_pv: 1,
            rule_sets: RuleSets::default(),
            ponder: false,
            move_overhead: 10,
            skill_level: FULL,
            limit_strength: false,
            elo: Strength::ELO.1,
            show_wdl: false,
            debug_log_file: None,
        }
    }
}

/// What a changed option asks of the session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// The new value is all there is to it.
    None,
    /// Give the table its new size.
    Hash,
    /// Search on the new number of threads.
    Threads,
    /// Empty the table.
    ClearHash,
    /// Set up the start position of the new rule set.
    Variant,
    /// Open the log, or close it.
    DebugLogFile,
}

impl Options {
    /// A searcher as the options want it.
    pub fn searcher(&self) -> Searcher {
        let mut searcher = Searcher::new(self.hash);
        searcher.set_threads(self.threads);
        searcher
    }

    /// How strong to play at most; `None` is as strong as can be. An Elo that is asked for counts
    /// more than a level.
    pub fn strength(&self) -> Option<Strength> {
        if self.limit_strength {
            Some(Strength::of_elo(self.elo))
        } else {
            Strength::of_level(self.skill_level)
        }
    }

    /// The lines that declare the options.
    pub fn declarations(&self) -> Vec<String> {
        let default = Self::default();
        let ids: Vec<String> = self.rule_sets.ids().map(|id| format!("var {id}")).collect();
        vec![
            format!("option name Hash type spin default {} min 1 max {MOST_HASH}", default.hash),
            format!(
                "option name Threads type spin default {} min 1 max {MOST_THREADS}",
                default.threads
            ),
            format!("option name MultiPV type spin default 1 min 1 max {MOST_LINES}"),
            format!("option name {VARIANT} type combo default {DEFAULT_VARIANT} {}", ids.join(" ")),
            "option name Rules type string default <empty>".to_owned(),
            "option name VariantPath type string default <empty>".to_owned(),
            "option name Ponder type check default false".to_owned(),
            format!(
                "option name Move Overhead type spin default {} min 0 max 10000",
                default.move_overhead
            ),
            format!("option name Skill Level type spin default {FULL} min 0 max {FULL}"),
            "option name UCI_LimitStrength type check default false".to_owned(),
            format!(
                "option name UCI_Elo type spin default {} min {} max {}",
                default.elo,
                Strength::ELO.0,
                Strength::ELO.1
            ),
            "option name UCI_ShowWDL type check default false".to_owned(),
            "option name Clear Hash type button".to_owned(),
            "option name Debug Log File type string default <empty>".to_owned(),
        ]
    }

    /// Sets an option; its name may be written in any case.
    ///
    /// # Errors
    /// If there is no such option, or the value is missing or not allowed; the old one stays.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Change, ProtocolError> {
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                self.hash = number("Hash", value, 1, MOST_HASH)? as usize;
                Ok(Change::Hash)
            }
            "threads" => {
                self.threads = number("Threads", value, 1, MOST_THREADS)? as usize;
                Ok(Change::Threads)
            }
            "multipv" => {
                self.multi_pv = number("MultiPV", value, 1, MOST_LINES)? as usize;
                Ok(Change::None)
            }
            "uci_variant" | "variant" => {
                let chosen = self.rule_sets.choose(required(VARIANT, value)?);
                chosen.map(variant_change).map_err(|what| bad(VARIANT, what))
            }
            "rules" => {
                let written = self.rule_sets.write(given(value));
                written.map(variant_change).map_err(|what| bad("Rules", what))
            }
            "variantpath" => {
                let added = self.rule_sets.add(given(value));
                added.map(|()| Change::None).map_err(|what| bad("VariantPath", what))
            }
            "ponder" => {
                self.ponder = truth("Ponder", value)?;
                Ok(Change::None)
            }
            "skill level" => {
                self.skill_level = number("Skill Level", value, 0, u64::from(FULL))? as u32;
                Ok(Change::None)
            }
            "uci_limitstrength" => {
                self.limit_strength = truth("UCI_LimitStrength", value)?;
                Ok(Change::None)
            }
            "uci_elo" => {
                let (least, most) = Strength::ELO;
                self.elo = number("UCI_Elo", value, least as u64, most as u64)? as i32;
                Ok(Change::None)
            }
            "uci_showwdl" => {
                self.show_wdl = truth("UCI_ShowWDL", value)?;
                Ok(Change::None)
            }
            "move overhead" => {
                self.move_overhead = number("Move Overhead", value, 0, 10_000)?;
                Ok(Change::None)
            }
            "clear hash" => Ok(Change::ClearHash),
            "debug log file" => {
                self.debug_log_file = given(value).map(str::to_owned);
                Ok(Change::DebugLogFile)
            }
            _ => Err(ProtocolError::UnknownOption(shown(name))),
        }
    }
}

fn variant_change(is_another: bool) -> Change {
    if is_another { Change::Variant } else { Change::None }
}

/// The value of an option that may be empty.
fn given(value: Option<&str>) -> Option<&str> {
    value.filter(|value| !value.is_empty() && *value != "<empty>")
}

fn bad(name: &str, what: String) -> ProtocolError {
    ProtocolError::BadValue { name: name.to_owned(), what: format!("{what}; the old value stays") }
}

fn required<'a>(name: &str, value: Option<&'a str>) -> Result<&'a str, ProtocolError> {
    let value = value.filter(|value| !value.is_empty());
    value.ok_or_else(|| bad(name, "a value is missing; expected setoption name … value …".into()))
}

fn truth(name: &str, value: Option<&str>) -> Result<bool, ProtocolError> {
    match required(name, value)?.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        other => Err(bad(name, format!("'{}' is neither true nor false", shown(other)))),
    }
}

fn number(name: &str, value: Option<&str>, least: u64, most: u64) -> Result<u64, ProtocolError> {
    let value = required(name, value)?;
    let read = value.parse().ok().filter(|number| (least..=most).contains(number));
    read.ok_or_else(|| {
        bad(name, format!("'{}' is no whole number from {least} to {most}", shown(value)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_defaults_are_the_real_ones() {
        let options = Options::default();
        let lines = options.declarations();
        let has =
            |text: String| assert!(lines.iter().any(|line| line.starts_with(&text)), "{text}");
        has(format!("option name Hash type spin default {} ", options.hash));
        has(format!("option name Threads type spin default {} ", options.threads));
        has(format!("option name MultiPV type spin default {} ", options.multi_pv));
        has(format!("option name UCI_Variant type combo default {DEFAULT_VARIANT} "));
        has(format!("option name Ponder type check default {}", options.ponder));
        has(format!("option name Skill Level type spin default {} ", options.skill_level));
        has(format!("option name UCI_LimitStrength type check default {}", options.limit_strength));
        has(format!("option name UCI_Elo type spin default {} ", options.elo));
        has(format!("option name UCI_ShowWDL type check default {}", options.show_wdl));
        has(format!("option name Move Overhead type spin default {} ", options.move_overhead));
    }

    #[test]
    fn bad_values_keep_the_old_one() {
        let mut options = Options::default();
        for (name, value) in [
            ("Hash", Some("0")),
            ("Hash", Some("many")),
            ("Hash", None),
            ("Skill Level", Some("21")),
            ("UCI_LimitStrength", Some("1")),
            ("UCI_Elo", Some("0")),
            ("UCI_ShowWDL", None),
            ("Threads", Some("0")),
            ("Threads", Some("513")),
            ("MultiPV", Some("-1")),
            ("UCI_Variant", Some("chess")),
            ("Variant", Some("")),
            ("Rules", Some("dim:9 kj:y")),
            ("VariantPath", Some("/no/such/file")),
            ("Ponder", Some("perhaps")),
            ("Move Overhead", Some("99999999999999999999")),
            ("Contempt", Some("3")),
        ] {
            assert!(options.set(name, value).is_err(), "{name} {value:?}");
            assert_eq!(options, Options::default());
        }
        assert_eq!(options.set("hAsH", Some("1")), Ok(Change::Hash));
        assert_eq!(options.set("variant", Some("TABLUT9x9")), Ok(Change::Variant));
        assert_eq!(options.rule_sets.current().unwrap().id, "tablut-saami");
        assert_eq!(options.set("UCI_Variant", Some("saami")), Ok(Change::None));
    }
}
