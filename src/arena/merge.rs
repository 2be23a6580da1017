//! Parts of a match, or several matches of the same engines, put together.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::record::{MatchFile, read_file};
use super::report::Reporter;
use super::runner::reporter;
use super::schedule::Shard;
use super::settings::Settings;
use super::tally::Tally;

/// Adds up the files. Returns lines for people, the statistics last.
///
/// # Errors
/// If a file cannot be read, is of another match, or has a game that another one has, too.
pub fn merge(paths: &[PathBuf]) -> Result<Vec<String>, String> {
    let mut lines = Vec::new();
    let mut files: Vec<(&Path, MatchFile)> = Vec::new();
    for path in paths {
        let file = read_file(path)?;
        let torn = if file.torn { ", and one that was cut off is left out" } else { "" };
        let planned = file.settings.schedule().slots(file.settings.shard).len();
        let (played, part) = (file.results.len(), file.settings.shard);
        let part = part.map_or_else(String::new, |shard| format!(" (part {shard})"));
        lines.push(format!("{}: {played} of {planned} games{part}{torn}", path.display()));
        files.push((path, file));
    }
    let Some((first_path, first)) = files.first() else {
        return Err("no files to merge".to_owned());
    };
    let mut tally = Tally::new(first.settings.engines.len());
    let mut seen: HashMap<(usize, usize), &Path> = HashMap::new();
    let mut matches: Vec<Settings> = Vec::new();
    for (path, file) in &files {
        if let Some(difference) = differ(&first.settings, &file.settings) {
            return Err(format!(
                "{} and {} have different {difference}: they are not one match",
                first_path.display(),
                path.display()
            ));
        }
        // Parts of one plan have their numbers in common; another plan counts for itself.
        let whole = as_whole(&file.settings);
        let source = matches.iter().position(|other| *other == whole).unwrap_or_else(|| {
            matches.push(whole);
            matches.len() - 1
        });
        for result in &file.results {
            if let Some(other) = seen.insert((source, result.slot.number), path) {
                return Err(format!(
                    "game {} is in {} and in {}",
                    result.slot.number,
                    other.display(),
                    path.display()
                ));
            }
            tally.add_from(source, result);
        }
    }
    for whole in &matches {
        lines.extend(missing(whole, &files));
    }
    let in_parts = files.len() > 1 || first.settings.shard.is_some();
    let words = Reporter { merged: in_parts, ..reporter(&first.settings) };
    lines.extend(words.summary(&tally));
    Ok(lines)
}

/// The parts of a match of which there is no file, in words.
fn missing(whole: &Settings, files: &[(&Path, MatchFile)]) -> Option<String> {
    let of_match = files.iter().filter(|(_, file)| as_whole(&file.settings) == *whole);
    let shards: Vec<Shard> = of_match.filter_map(|(_, file)| file.settings.shard).collect();
    let of = shards.first()?.of;
    let absent: Vec<String> = (1..=of)
        .filter(|part| !shards.iter().any(|shard| shard.part == *part))
        .map(|part| format!("{part}/{of}"))
        .collect();
    (!absent.is_empty()).then(|| format!("missing parts: {}", absent.join(" ")))
}

/// The settings without what differs between the parts of one match.
fn as_whole(settings: &Settings) -> Settings {
    Settings { shard: None, concurrency: None, ..settings.clone() }
}

/// What two settings do not have in common, though games that are added up must.
fn differ(one: &Settings, other: &Settings) -> Option<&'static str> {
    if (&one.variant, &one.rules) != (&other.variant, &other.rules) {
        Some("rule sets")
    } else if one.engines != other.engines {
        Some("engines")
    } else if one.sprt != other.sprt {
        Some("tests (--sprt)")
    } else {
        None
    }
}
