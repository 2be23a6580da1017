//! [`Input`]: the games of a file or of standard input.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};

use crate::arena::settings::HEAD;
use crate::game::rules::Rules;
use crate::notation::format::{Format, decode};
use crate::notation::place::TextError;
use crate::notation::recorded::{Entry, RecordedGame, RuleBook};

/// The games of a file, played through one after another.
pub struct Input {
    /// The name of the file; `-` is standard input.
    pub source: String,
    entries: std::vec::IntoIter<Result<Entry, TextError>>,
    book: RuleBook,
    number: usize,
}

impl Input {
    /// Reads a file, or standard input if its name is `-`. Games are of the format and played by
    /// the rules that are given, or by what they say themselves.
    ///
    /// # Errors
    /// If it cannot be read or is no text.
    pub fn read(
        source: &str,
        format: Option<Format>,
        rules: Option<Arc<Rules>>,
    ) -> anyhow::Result<Self> {
        let text = decode(bytes_of(source)?)
            .map_err(|error| anyhow::anyhow!("{}: {error}", name_of(source)))?;
        let format = format.unwrap_or_else(|| Format::recognise(&text));
        let mut entries = format.read(&text);
        entries.retain(|entry| !entry.as_ref().is_ok_and(is_head_of_match));
        let book = RuleBook::new(rules).map_err(anyhow::Error::msg)?;
        Ok(Self { source: source.to_owned(), entries: entries.into_iter(), book, number: 0 })
    }

    /// About how many positions there are: broken games have fewer.
    pub fn positions(&self) -> usize {
        let positions = |entry: &Entry| entry.record.moves.len() + 1;
        self.entries.as_slice().iter().flatten().map(positions).sum()
    }

    /// How many games there are that have not been asked for, broken ones included.
    pub fn games(&self) -> usize {
        self.entries.len()
    }
}

impl Iterator for Input {
    /// The number of a game in the file, from 1, and the game, or what is wrong with it.
    type Item = (usize, Result<RecordedGame, TextError>);

    fn next(&mut self) -> Option<Self::Item> {
        let entry = self.entries.next()?;
        self.number += 1;
        Some((self.number, entry.and_then(|entry| self.book.play(&entry))))
    }
}

/// The name of an input as people are told it.
pub fn name_of(source: &str) -> &str {
    if source == "-" { "standard input" } else { source }
}

fn bytes_of(source: &str) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if source == "-" {
        std::io::stdin().lock().read_to_end(&mut bytes).context("standard input")?;
        return Ok(bytes);
    }
    if Path::new(source).is_dir() {
        bail!("{source}: a directory; expected a file of games");
    }
    std::fs::read(source).with_context(|| source.to_owned())
}

/// The file of a match begins with a record that holds its settings and no game.
fn is_head_of_match(entry: &Entry) -> bool {
    let comment = entry.record.tag("start-comment").unwrap_or("");
    entry.record.moves.is_empty() && comment.starts_with(HEAD)
}
