//! The options an engine declares, and their values.

use super::error::{ProtocolError, shown};
use crate::game::variants::{DEFAULT_VARIANT, variant, variants};

/// The name of the option that chooses the rule set.
const VARIANT: &str = "UCI_Variant";

/// The largest table that may be asked for, in MiB.
const MOST_HASH: u64 = 1 << 20;

/// The values of the options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Size of the transposition table, MiB.
    pub hash: usize,
    /// How many lines to report.
    pub multi_pv: usize,
    /// The id of the rule set.
    pub variant: String,
    /// Does the front end mean to ponder? It changes nothing in how an own move is found.
    pub ponder: bool,
    /// Time kept back at each move, ms.
    pub move_overhead: u64,
    /// Where the conversation is written, if anywhere.
    pub debug_log_file: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hash: 64,
            multi_pv: 1,
            variant: DEFAULT_VARIANT.to_owned(),
            ponder: false,
            move_overhead: 10,
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
    /// Empty the table.
    ClearHash,
    /// Set up the start position of the new rule set.
    Variant,
    /// Open the log, or close it.
    DebugLogFile,
}

impl Options {
    /// The lines that declare the options.
    pub fn declarations() -> Vec<String> {
        let default = Self::default();
        let ids: Vec<String> = variants().iter().map(|rules| format!("var {}", rules.id)).collect();
        vec![
            format!("option name Hash type spin default {} min 1 max {MOST_HASH}", default.hash),
            "option name MultiPV type spin default 1 min 1 max 500".to_owned(),
            format!("option name {VARIANT} type combo default {DEFAULT_VARIANT} {}", ids.join(" ")),
            "option name Ponder type check default false".to_owned(),
            format!(
                "option name Move Overhead type spin default {} min 0 max 10000",
                default.move_overhead
            ),
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
            "multipv" => {
                self.multi_pv = number("MultiPV", value, 1, 500)? as usize;
                Ok(Change::None)
            }
            "uci_variant" | "variant" => self.set_variant(value),
            "ponder" => {
                self.ponder = match required("Ponder", value)?.to_ascii_lowercase().as_str() {
                    "true" => true,
                    "false" => false,
                    other => {
                        let what = format!("'{}' is neither true nor false", shown(other));
                        return Err(bad("Ponder", what));
                    }
                };
                Ok(Change::None)
            }
            "move overhead" => {
                self.move_overhead = number("Move Overhead", value, 0, 10_000)?;
                Ok(Change::None)
            }
            "clear hash" => Ok(Change::ClearHash),
            "debug log file" => {
                let path = value.filter(|path| !path.is_empty() && *path != "<empty>");
                self.debug_log_file = path.map(str::to_owned);
                Ok(Change::DebugLogFile)
            }
            _ => Err(ProtocolError::UnknownOption(shown(name))),
        }
    }

    fn set_variant(&mut self, value: Option<&str>) -> Result<Change, ProtocolError> {
        let value = required(VARIANT, value)?;
        let Some(rules) = variant(value) else {
            let ids: Vec<&str> = variants().iter().map(|rules| rules.id.as_str()).collect();
            let what =
                format!("'{}' is no rule set; expected one of {}", shown(value), ids.join(", "));
            return Err(bad(VARIANT, what));
        };
        if rules.id == self.variant {
            return Ok(Change::None);
        }
        self.variant.clone_from(&rules.id);
        Ok(Change::Variant)
    }
}

fn bad(name: &str, what: String) -> ProtocolError {
    ProtocolError::BadValue { name: name.to_owned(), what: format!("{what}; the old value stays") }
}

fn required<'a>(name: &str, value: Option<&'a str>) -> Result<&'a str, ProtocolError> {
    let value = value.filter(|value| !value.is_empty());
    value.ok_or_else(|| bad(name, "a value is missing; expected setoption name … value …".into()))
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
        let lines = Options::declarations();
        let has =
            |text: String| assert!(lines.iter().any(|line| line.starts_with(&text)), "{text}");
        has(format!("option name Hash type spin default {} ", options.hash));
        has(format!("option name MultiPV type spin default {} ", options.multi_pv));
        has(format!("option name UCI_Variant type combo default {} ", options.variant));
        has(format!("option name Ponder type check default {}", options.ponder));
        has(format!("option name Move Overhead type spin default {} ", options.move_overhead));
    }

    #[test]
    fn bad_values_keep_the_old_one() {
        let mut options = Options::default();
        for (name, value) in [
            ("Hash", Some("0")),
            ("Hash", Some("many")),
            ("Hash", None),
            ("MultiPV", Some("-1")),
            ("UCI_Variant", Some("chess")),
            ("Variant", Some("")),
            ("Ponder", Some("perhaps")),
            ("Move Overhead", Some("99999999999999999999")),
            ("Contempt", Some("3")),
        ] {
            assert!(options.set(name, value).is_err(), "{name} {value:?}");
            assert_eq!(options, Options::default());
        }
        assert_eq!(options.set("hAsH", Some("1")), Ok(Change::Hash));
        assert_eq!(options.set("variant", Some("TABLUT9x9")), Ok(Change::Variant));
        assert_eq!(options.variant, "tablut-saami");
        assert_eq!(options.set("UCI_Variant", Some("saami")), Ok(Change::None));
    }
}
