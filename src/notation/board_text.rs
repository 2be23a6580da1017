//! A position for people.

use std::fmt::Write;

use crate::game::any_size::Game;
use crate::game::explain::ending;
use crate::game::geometry::Square;
use crate::game::rules::Rules;

/// The board, top rank first, with coordinates; pieces are `a`, `d`, `k`.
pub fn board(game: &Game) -> Vec<String> {
    let rules = game.rules();
    let size = rules.size;
    let mut lines: Vec<String> = (0..size)
        .rev()
        .map(|rank| {
            let mut line = format!("{:<3}", rank + 1);
            for file in 0..size {
                let square = Square::at(file, rank, size);
                let mark = game.piece_at(square).map_or(empty(rules, square), |kind| kind.letter());
                // Writing to a string cannot fail.
                let _ = write!(line, " {mark}");
            }
            line
        })
        .collect();
    let files: Vec<String> =
        (0..size).map(|file| char::from(b'a' + file as u8).to_string()).collect();
    lines.push(format!("=   {}", files.join(" ")));
    lines
}

/// What the marks on empty squares mean, as far as this board has them.
pub fn legend(rules: &Rules) -> String {
    let marks = [
        (&rules.throne, "+ throne"),
        (&rules.corners, "x corner"),
        (&rules.attacker_camps, ": camp"),
        (&rules.defender_camps, "; defenders' camp"),
    ];
    let marks = marks.iter().filter(|(zone, _)| zone.squares().next().is_some());
    let mut text = "a attacker, d defender, k king".to_owned();
    for (_, mark) in marks {
        text.push_str(", ");
        text.push_str(mark);
    }
    text
}

fn empty(rules: &Rules, square: Square) -> char {
    if rules.throne.contains(square) {
        '+'
    } else if rules.corners.contains(square) {
        'x'
    } else if rules.attacker_camps.contains(square) {
        ':'
    } else if rules.defender_camps.contains(square) {
        ';'
    } else {
        '.'
    }
}

/// Everything there is to know about a position.
pub fn describe(game: &Game) -> Vec<String> {
    let mut lines = board(game);
    let limit = match game.rules().repetition.limit {
        0 => "none ends the game".to_owned(),
        limit => format!("number {limit} ends the game"),
    };
    lines.extend([
        legend(game.rules()),
        format!("variant {}", game.rules().id),
        format!("fen {}", game.fen()),
        format!("side {}", game.side().name()),
        format!("key {:016x}", game.key()),
        format!("occurrences {} ({limit})", game.occurrences()),
        format!("legal moves {}", game.legal_moves().len()),
        format!("call {}", game.call().map_or("none", |call| call.name())),
        format!("outcome {}", game.outcome().map_or_else(|| "none".to_owned(), ending)),
    ]);
    lines
}
