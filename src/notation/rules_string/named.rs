//! Where rule sets are named or written: on the command line and in files of named rules strings.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use super::read;
use super::squares::shown;
use crate::game::rules::Rules;
use crate::game::variants::{variant, variants};

/// The longest file of rules strings that is read, in bytes.
const LARGEST_FILE: u64 = 4 << 20;

/// The rule set that was chosen: `rules`, a rules string or `@FILE` with one in it, or else the
/// `variant` of this id or alias.
///
/// # Errors
/// If there is no such rule set, or says what is wrong with the string or the file.
pub fn chosen(variant_name: &str, rules: Option<&str>) -> Result<Arc<Rules>, String> {
    let Some(rules) = rules else {
        return variant(variant_name).ok_or_else(|| {
            let ids: Vec<&str> = variants().iter().map(|rules| rules.id.as_str()).collect();
            format!(
                "there is no rule set '{}'; expected one of {}",
                shown(variant_name),
                ids.join(", ")
            )
        });
    };
    let Some(path) = rules.strip_prefix('@') else {
        return read(rules).map(Arc::new).map_err(|error| format!("rules string: {error}"));
    };
    let text = text_of(Path::new(path))?;
    let mut lines = lines(&text);
    let Some((number, line)) = lines.next() else {
        return Err(format!("{path}: there is no rules string in it"));
    };
    if let Some((second, _)) = lines.next() {
        return Err(format!("{path}: line {second} is a second rules string; expected one"));
    }
    read(line).map(Arc::new).map_err(|error| format!("{path}, line {number}: {error}"))
}

/// Named rule sets: a rules string a line, each with its `name`, which becomes the id. Empty lines
/// and those that begin with `#` are left out.
///
/// # Errors
/// Names the line that is wrong, bears no name, or one that another rule set has.
pub fn read_file(path: &Path) -> Result<Vec<Arc<Rules>>, String> {
    let text = text_of(path)?;
    let mut all: Vec<Arc<Rules>> = Vec::new();
    for (number, line) in lines(&text) {
        let wrong = |what: String| format!("{}, line {number}: {what}", path.display());
        let rules = read(line).map_err(|error| wrong(error.to_string()))?;
        let name = line.split_whitespace().find_map(|word| word.strip_prefix("name:"));
        let Some(name) = name.filter(|name| !name.is_empty()) else {
            return Err(wrong("name: it is missing; expected name:ID to choose it by".to_owned()));
        };
        let taken = all.iter().any(|other| other.id.eq_ignore_ascii_case(name));
        let same = variant(name).is_some_and(|named| *named == rules);
        if taken || variant(name).is_some() && !same {
            return Err(wrong(format!("name: another rule set is called '{}'", shown(name))));
        }
        if !same {
            all.push(Arc::new(Rules { id: name.to_owned(), ..rules }));
        }
    }
    Ok(all)
}

fn text_of(path: &Path) -> Result<String, String> {
    let wrong = |what: String| format!("{}: {what}", path.display());
    let unreadable = |error| wrong(format!("cannot be read ({error})"));
    let mut text = String::new();
    let file = File::open(path).map_err(unreadable)?;
    // One byte more than is allowed shows that there are more.
    file.take(LARGEST_FILE + 1).read_to_string(&mut text).map_err(unreadable)?;
    if text.len() as u64 > LARGEST_FILE {
        return Err(wrong(format!("larger than {LARGEST_FILE} bytes")));
    }
    Ok(text)
}

/// The lines that say something, numbered from 1.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}
