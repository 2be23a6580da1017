//! Games from files, for commands that look at them.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use clap::Args;

use crate::game::rules::Rules;
use crate::game::variants::DEFAULT_VARIANT;
use crate::notation::format::{Format, decode};
use crate::notation::recorded::{RecordedGame, RuleBook};
use crate::notation::rules_string;

/// The rule set of games that may name their own.
#[derive(Args, Clone, Debug)]
pub struct RulesArgs {
    /// Id or alias of the rule set [default: what a record says, or else tablut]
    #[arg(long)]
    variant: Option<String>,
    /// The rule set written out, an OpenTafl rules string ('dim:9 …'), or @FILE with one in it
    #[arg(long, value_name = "STRING", conflicts_with = "variant")]
    rules: Option<String>,
}

impl RulesArgs {
    /// The rule set, if one was chosen.
    ///
    /// # Errors
    /// If there is none of this name, or says what is wrong with the rules string.
    pub fn chosen(&self) -> anyhow::Result<Option<Arc<Rules>>> {
        if self.variant.is_none() && self.rules.is_none() {
            return Ok(None);
        }
        self.or_default().map(Some)
    }

    /// The rule set that was chosen, or the usual one.
    ///
    /// # Errors
    /// As [`RulesArgs::chosen`].
    pub fn or_default(&self) -> anyhow::Result<Arc<Rules>> {
        let variant = self.variant.as_deref().unwrap_or(DEFAULT_VARIANT);
        rules_string::chosen(variant, self.rules.as_deref()).map_err(anyhow::Error::msg)
    }
}

/// The games of a file (`-` is standard input), the broken ones as what is wrong with them, with file
/// and line.
///
/// # Errors
/// If the file cannot be read, or is no text.
pub fn read_games(
    path: &Path,
    chosen: Option<Arc<Rules>>,
) -> anyhow::Result<Vec<Result<RecordedGame, String>>> {
    let name = path.display();
    let mut bytes = Vec::new();
    let read = match path.to_str() {
        Some("-") => io::stdin().read_to_end(&mut bytes).map(|_| ()),
        _ => std::fs::read(path).map(|content| bytes = content),
    };
    read.with_context(|| format!("{name} cannot be read"))?;
    let text = decode(bytes).map_err(|error| anyhow!("{name}: {error}"))?;
    let mut book = RuleBook::new(chosen).map_err(anyhow::Error::msg)?;
    let entries = Format::recognise(&text).read(&text);
    let games = entries.into_iter().map(|entry| entry.and_then(|entry| book.play(&entry)));
    Ok(games.map(|game| game.map_err(|error| format!("{name}: {error}"))).collect())
}
