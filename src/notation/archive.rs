//! The archive of games as CSV, four columns without a heading: the moves (`a1-b1xc1xc2`, divided by
//! blanks), the men that the attackers and that the defenders have captured, the result (`Black` the
//! attackers, `White` the defenders, `Draw`, `Ongoing`).
//!
//! A last word among the moves may say how the game ended (`timeout`).

use super::move_text::soldiers_captured;
use super::place::{Place, TextError, shown, words};
use super::recorded::{Entry, RecordedGame, is_remark};
use crate::game::rules::Side;

/// Results as they stand in the last column, and in the tag of a record.
const RESULTS: [(&str, &str); 4] =
    [("Black", "1"), ("White", "-1"), ("Draw", "0"), ("Ongoing", "?")];

/// Reads all lines; empty ones, those that begin with `#`, and a heading are left out.
pub fn read(text: &str) -> Vec<Result<Entry, TextError>> {
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line));
    let lines = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let names = |line: &str| !line.bytes().any(|byte| byte.is_ascii_digit());
    let is_heading = |line: &str| line.matches(',').count() == 3 && names(line);
    let lines = lines.enumerate().filter(|(i, (_, line))| *i > 0 || !is_heading(line));
    let lines = lines.map(|(_, line)| line);
    lines.map(|(number, line)| entry(line, number)).collect()
}

/// Is this a line of such an archive?
pub fn is_line(line: &str) -> bool {
    let mut fields = line.rsplitn(4, ',').map(str::trim);
    let result = fields.next().and_then(result);
    let mut number = || fields.next().is_some_and(|field| field.parse::<u32>().is_ok());
    result.is_some() && number() && number()
}

fn result(word: &str) -> Option<&'static str> {
    let same = |(name, _): &&(&str, &str)| name.eq_ignore_ascii_case(word);
    RESULTS.iter().find(same).map(|(_, result)| *result)
}

fn entry(line: &str, number: usize) -> Result<Entry, TextError> {
    let place = |part: &str| {
        let at = part.as_ptr() as usize - line.as_ptr() as usize;
        let before = line.get(..at).unwrap_or("");
        Place { line: number, column: before.chars().count() + 1 }
    };
    let wrong = |part: &str, what: String| Err(TextError { place: place(part), what });
    // From the end: captures could be divided by commas too.
    let fields: Vec<&str> = line.rsplitn(4, ',').map(str::trim).collect();
    let [last, defenders, attackers, moves] = fields.as_slice() else {
        let what = format!(
            "{} columns; expected moves, captures of both sides and the result, such as \
             'd6-c6 e4-e1,0,0,White'",
            fields.len()
        );
        return wrong(line, what);
    };
    for count in [attackers, defenders] {
        if count.parse::<u32>().is_err() {
            return wrong(count, format!("'{}'; expected a number of captures", shown(count)));
        }
    }
    let Some(result) = result(last) else {
        let names = RESULTS.map(|(name, _)| name).join(", ");
        return wrong(last, format!("result '{}'; expected one of {names}", shown(last)));
    };
    let moves = moves.strip_prefix('"').and_then(|m| m.strip_suffix('"')).unwrap_or(moves);
    let mut entry = Entry::new(place(moves));
    entry.record.set("result", result);
    let Place { column: first, .. } = entry.place;
    for (column, word) in words(moves) {
        entry.push(word, Place { line: number, column: first + column - 1 });
    }
    Ok(entry)
}

/// The game as a line of the archive.
///
/// # Errors
/// If it does not begin at the start position, which the archive cannot say.
pub fn write(game: &RecordedGame) -> Result<String, String> {
    if !game.begins_at_start() {
        return Err("it begins elsewhere than its rules do, which this format cannot say".into());
    }
    let size = game.first.size();
    let mut now = game.first.clone();
    let mut counts = [0; 2];
    let mut words = Vec::new();
    for &mv in &game.moves {
        let captured = soldiers_captured(&now, mv);
        counts[now.side() as usize] += captured.len();
        let taken = captured.iter().map(|square| format!("x{}", square.on(size)));
        let squares = format!("{}-{}", mv.from.on(size), mv.to.on(size));
        words.push(squares + &taken.collect::<String>());
        now.play(mv);
    }
    words.extend(game.tag("termination").filter(|word| is_remark(word)).map(str::to_owned));
    let result = match game.result() {
        Some(Some(Side::Attackers)) => "Black",
        Some(Some(Side::Defenders)) => "White",
        Some(None) => "Draw",
        None => "Ongoing",
    };
    Ok(format!("{},{},{},{result}\n", words.join(" "), counts[0], counts[1]))
}
