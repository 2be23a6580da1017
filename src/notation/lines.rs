//! A game or a position a line.
//!
//! A game is its moves divided by blanks, `e3a3 d1d4xd5,e4 …`, from the start of the rules, or a FEN
//! and its moves, `FEN moves …`; numbers such as `1.` are left out, and so is what follows a `#`. A
//! position is a FEN. A last word may say how the game ended (`timeout`).

use super::format::Format;
use super::move_text::soldiers_captured;
use super::place::{Place, TextError, words};
use super::recorded::{Entry, RecordedGame};

/// Reads all lines.
pub fn read(text: &str) -> Vec<Result<Entry, TextError>> {
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line));
    lines.filter_map(|(number, line)| entry(line, number)).map(Ok).collect()
}

/// Reads positions; a line with moves is none.
pub fn read_fens(text: &str) -> Vec<Result<Entry, TextError>> {
    let only_fens = |entry: Entry| {
        let what = |place, found: &str| {
            let what = format!("{found}; expected a FEN and nothing else");
            Err(TextError { place, what })
        };
        match (&entry.start, entry.places.first()) {
            (Some(_), None) => Ok(entry),
            (Some(_), Some(place)) => what(*place, "a move"),
            (None, _) => what(entry.place, "no FEN"),
        }
    };
    read(text).into_iter().map(|entry| entry.and_then(only_fens)).collect()
}

/// Does the line begin with a FEN, and are there moves behind it? `None` if nothing is on it.
pub fn kind(line: &str) -> Option<(bool, bool)> {
    entry(line, 1).map(|entry| (entry.start.is_some(), !entry.places.is_empty()))
}

fn entry(line: &str, number: usize) -> Option<Entry> {
    let line = line.split('#').next().unwrap_or("");
    let place = |column: usize| Place { line: number, column };
    let mut words = words(line).peekable();
    let mut entry = Entry::new(place(words.peek()?.0));
    while words.next_if(|(_, word)| matches!(*word, "position" | "fen" | "startpos")).is_some() {}
    if let Some((column, board)) = words.next_if(|(_, word)| is_board(word)) {
        let mut fen = board.to_owned();
        while let Some((_, field)) = words.next_if(|(_, word)| is_fen_field(word)) {
            fen.push(' ');
            fen.push_str(field);
        }
        entry.start = Some((fen, place(column)));
    }
    let _ = words.next_if(|(_, word)| *word == "moves");
    for (column, word) in words.filter(|(_, word)| !is_number(word)) {
        entry.push(word, place(column));
    }
    Some(entry)
}

/// Captures may be divided by slashes too, behind an `x`; a board has its first slash before any
/// `x`.
fn is_board(word: &str) -> bool {
    word.split(['x', 'X']).next().is_some_and(|first| first.contains('/'))
}

fn is_fen_field(word: &str) -> bool {
    matches!(word, "a" | "d" | "A" | "D" | "b" | "w" | "B" | "W" | "-")
        || word.bytes().all(|byte| byte.is_ascii_digit())
}

/// `12.`
fn is_number(word: &str) -> bool {
    let number = word.trim_end_matches('.');
    number.len() < word.len() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// The game as a line, in the format of [`Format::Lines`].
pub fn write(game: &RecordedGame) -> String {
    let size = game.first.size();
    let mut words = Vec::new();
    if !game.begins_at_start() {
        words.push(game.first.fen());
        words.extend((!game.moves.is_empty()).then(|| "moves".to_owned()));
    }
    let mut now = game.first.clone();
    for &mv in &game.moves {
        let captured: Vec<String> =
            soldiers_captured(&now, mv).iter().map(|square| square.on(size).to_string()).collect();
        let taken = if captured.is_empty() { "" } else { "x" };
        words.push(format!("{}{taken}{}", mv.on(size), captured.join(",")));
        now.play(mv);
    }
    if words.is_empty() { "startpos\n".to_owned() } else { words.join(" ") + "\n" }
}

/// The last position of a game as a line, in the format of [`Format::Fens`].
pub fn write_fen(game: &RecordedGame) -> String {
    game.last().fen() + "\n"
}

/// The format of a text of lines: positions if every line is one, else games.
pub fn recognise(text: &str) -> Format {
    let mut kinds = text.lines().filter_map(kind).peekable();
    let fens = kinds.peek().is_some() && kinds.all(|kind| kind == (true, false));
    if fens { Format::Fens } else { Format::Lines }
}
