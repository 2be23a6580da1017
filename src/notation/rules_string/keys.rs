//! A rules string as keys and values, not yet understood.

use std::fmt;

use super::squares::shown;

/// Every key that may stand in a rules string.
const KEYS: [&str; 43] = [
    "dim",
    "name",
    "esc",
    "surf",
    "atkf",
    "tfr",
    "ka",
    "ks",
    "linc",
    "efe",
    "sw",
    "swf",
    "kj",
    "nj",
    "cj",
    "mj",
    "gj",
    "ber",
    "spd",
    "cor",
    "corh",
    "corp",
    "cors",
    "corre",
    "cen",
    "cenhe",
    "cenh",
    "cenp",
    "cens",
    "cenre",
    "afor",
    "aforh",
    "aforp",
    "afors",
    "aforre",
    "dfor",
    "dforh",
    "dforp",
    "dfors",
    "dforre",
    "start",
    "starti",
    "x-variant",
];

/// The longest rules string that is read, in bytes; the largest board with every square listed in
/// every list stays below it.
const LONGEST: usize = 64 << 10;

/// Why a rules string is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RulesStringError {
    /// The key that is to blame.
    pub key: String,
    /// What is wrong with it and what would be right.
    pub why: String,
}

impl fmt::Display for RulesStringError {
    /// `KEY: why`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.why)
    }
}

impl std::error::Error for RulesStringError {}

/// A refusal.
pub fn refuse<T>(key: &str, why: impl Into<String>) -> Result<T, RulesStringError> {
    Err(RulesStringError { key: key.to_owned(), why: why.into() })
}

/// The keys of a rules string with their values.
pub struct Keys<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Keys<'a> {
    /// Divides a rules string into its keys.
    pub fn read(text: &'a str) -> Result<Self, RulesStringError> {
        if text.len() > LONGEST {
            return refuse("dim", format!("the rules string is longer than {LONGEST} bytes"));
        }
        let mut keys: Vec<(&str, &str)> = Vec::new();
        for word in text.split_whitespace() {
            let Some((key, value)) = word.split_once(':').filter(|(key, _)| !key.is_empty()) else {
                return refuse(
                    &shown(word),
                    "no key and value; expected KEY:VALUE, divided by blanks",
                );
            };
            if !KEYS.contains(&key) {
                return refuse(&shown(key), "there is no such key");
            }
            if keys.iter().any(|(other, _)| *other == key) {
                return refuse(key, "it is given twice");
            }
            if keys.is_empty() && key != "dim" {
                return refuse("dim", format!("it must come first, not {key}"));
            }
            keys.push((key, value));
        }
        if keys.is_empty() {
            return refuse("dim", "it is missing; expected dim:9 first, starti:/…/ last");
        }
        Ok(Self(keys))
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&'a str> {
        self.0.iter().find(|(other, _)| *other == key).map(|(_, value)| *value)
    }

    /// The meaning of a key's value among those in `table`; the first one is the default.
    pub fn choice<T: Copy>(
        &self,
        key: &str,
        default: T,
        table: &[(&str, T)],
    ) -> Result<T, RulesStringError> {
        let Some(value) = self.get(key) else { return Ok(default) };
        match table.iter().find(|(word, _)| *word == value) {
            Some((_, meaning)) => Ok(*meaning),
            None => {
                let words: Vec<&str> = table.iter().map(|(word, _)| *word).collect();
                refuse(key, format!("'{}'; expected one of {}", shown(value), words.join(", ")))
            }
        }
    }

    /// Yes or no.
    pub fn flag(&self, key: &str, default: bool) -> Result<bool, RulesStringError> {
        self.choice(key, default, &[("y", true), ("n", false)])
    }
}
