//! Why a move is legal or not, in one sentence.

use super::any_size::Game;
use super::geometry::Square;
use super::moves::Move;
use super::outcome::Outcome;
use super::rules::{Kind, Rules, Zone};

/// One sentence: what the move captures and ends, or which rule forbids it.
pub fn why(game: &Game, text: &str) -> String {
    let size = game.size();
    let Some(mv) = Move::parse(text, size) else {
        return "that is no move; expected two different squares of this board, such as e5e8"
            .to_owned();
    };
    match forbidden(game, mv) {
        Some(reason) => format!("illegal: {reason}"),
        None => consequences(game, mv),
    }
}

/// How a game ended, such as `the attackers win (king-captured)`.
pub fn ending(outcome: Outcome) -> String {
    let who = match outcome.winner {
        Some(side) => format!("the {} win", side.name()),
        None => "the game is drawn".to_owned(),
    };
    format!("{who} ({})", outcome.reason.name())
}

fn consequences(game: &Game, mv: Move) -> String {
    let size = game.size();
    let captured = game.captured_by(mv);
    let names: Vec<String> = captured
        .iter()
        .map(|&square| match game.piece_at(square) {
            Some(Kind::King) => format!("the king on {}", square.on(size)),
            _ => square.on(size).to_string(),
        })
        .collect();
    let captures = match names.as_slice() {
        [] => "captures nothing".to_owned(),
        [one] => format!("captures {one}"),
        [most @ .., last] => format!("captures {} and {last}", most.join(", ")),
    };
    let mut after = game.clone();
    after.play(mv);
    match after.outcome() {
        Some(outcome) => format!("legal: it {captures}, and {}", ending(outcome)),
        None => format!("legal: it {captures} and the game goes on"),
    }
}

/// The rule that forbids a move, if one does.
fn forbidden(game: &Game, mv: Move) -> Option<String> {
    if game.is_legal(mv) {
        return None;
    }
    let rules = game.rules();
    let size = game.size();
    let (from, to) = (mv.from.on(size), mv.to.on(size));
    if let Some(outcome) = game.outcome().filter(|_| game.legal_moves().is_empty()) {
        return Some(format!("the game is over, {}", ending(outcome)));
    }
    let Some(kind) = game.piece_at(mv.from) else {
        return Some(format!("there is no piece on {from}"));
    };
    if kind.side() != game.side() {
        let (whose, turn) = (kind.side().name(), game.side().name());
        return Some(format!(
            "the piece on {from} belongs to the {whose}, and the {turn} are to move"
        ));
    }
    let Some(way) = way(mv, size) else {
        return Some(format!("{to} is neither on the rank nor on the file of {from}"));
    };
    let piece = kind.name();
    for &square in &way {
        let last = square == mv.to;
        let name = square.on(size);
        if game.piece_at(square).is_some() {
            return Some(match last {
                true => format!("{name} is occupied"),
                false => format!("a piece on {name} is in the way"),
            });
        }
        if let Some((zone, what)) = barring_zone(rules, kind, mv.from, square, last) {
            let list = if last { zone.stop } else { zone.pass };
            return Some(match (list.has(kind), last) {
                (true, _) => format!("no {piece} may enter or cross {what} {name} from outside"),
                (false, true) => format!("no {piece} may stop on {what} {name}"),
                (false, false) => format!("no {piece} may cross {what} {name}"),
            });
        }
    }
    if let Some(limit) = rules.speed[kind as usize].filter(|&limit| way.len() > limit) {
        let squares = if limit == 1 { "square" } else { "squares" };
        return Some(format!("the {piece} on {from} moves {limit} {squares} at the most"));
    }
    Some("the defenders may not bring back a board that has been there before".to_owned())
}

/// The squares that a move enters, the last one included; `None` if it follows no line.
fn way(mv: Move, size: usize) -> Option<Vec<Square>> {
    let (from_file, from_rank) = mv.from.file_rank(size);
    let (to_file, to_rank) = mv.to.file_rank(size);
    if (from_file == to_file) == (from_rank == to_rank) {
        return None;
    }
    let steps = from_file.abs_diff(to_file) + from_rank.abs_diff(to_rank);
    let along = |from: usize, to: usize, step: usize| {
        if to > from {
            from + step
        } else if to < from {
            from - step
        } else {
            from
        }
    };
    let square =
        |step| Square::at(along(from_file, to_file, step), along(from_rank, to_rank, step), size);
    Some((1..=steps).map(square).collect())
}

/// The zone that keeps a piece from a square of its way, and its name.
fn barring_zone(
    rules: &Rules,
    kind: Kind,
    from: Square,
    square: Square,
    stops: bool,
) -> Option<(&Zone, &'static str)> {
    let names = ["the throne", "the corner", "the camp", "the camp"];
    rules.zones().into_iter().zip(names).find(|(zone, _)| {
        let list = if stops { zone.stop } else { zone.pass };
        zone.contains(square) && !zone.admits(list, kind, from, square)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variants::{variant, variants};

    fn why_in(id: &str, fen: &str, mv: &str) -> String {
        why(&Game::start(variant(id).unwrap()).unwrap().with_fen(fen).unwrap(), mv)
    }

    #[test]
    fn sentences() {
        let start = "3aaa3/4a4/4d4/a3d3a/aaddkddaa/a3d3a/4d4/4a4/3aaa3 d";
        for (id, fen, mv, part) in [
            ("tablut", start, "e3a3", "legal: it captures nothing and the game goes on"),
            ("tablut", start, "e3e4", "e4 is occupied"),
            ("tablut", start, "d5g5", "a piece on e5 is in the way"),
            ("tablut", start, "a5a6", "belongs to the attackers, and the defenders are to move"),
            ("tablut", start, "b2b3", "there is no piece on b2"),
            ("tablut", start, "e3d4", "neither on the rank nor on the file"),
            ("tablut", start, "zz", "that is no move"),
            (
                "tablut",
                "9/9/9/9/3d5/4k4/9/9/3a5 d",
                "d5e5",
                "no defender may stop on the throne e5",
            ),
            ("tablut-ashton", "9/9/9/9/3d5/4k4/9/9/3a5 d", "d5f5", "may cross the throne e5"),
            ("tablut-ashton", "9/9/9/4k4/9/9/9/9/6a2 a", "g1f1", "enter or cross the camp f1"),
            ("ard-ri", "2aaa2/3a3/a1ddd1a/aadkdaa/a1ddd1a/3a3/2aaa2 d", "c3a3", "d"),
            ("ard-ri", "3a3/7/7/3k3/7/1d5/7 d", "b2b4", "moves 1 square at the most"),
            (
                "tablut",
                "9/9/9/9/9/9/9/9/3a5 d",
                "d1d2",
                "the game is over, the attackers win (king",
            ),
            ("tablut-corner", "9/9/9/9/9/9/9/1d7/k8 d", "b2b1", "the game is over, the defenders"),
            ("tablut-corner", "k8/9/9/9/9/1d7/9/9/9 a", "b4b5", "the game is over"),
            ("tablut-corner", "9/k8/9/9/9/9/9/9/1d7 d", "b1a1", "may stop on the corner a1"),
            ("tablut", "9/9/9/3ak4/9/9/4a4/9/9 d", "e6e9", "and the defenders win (king-escaped)"),
        ] {
            let sentence = why_in(id, fen, mv);
            assert!(sentence.contains(part), "{id} {fen} {mv}: {sentence}");
        }
    }

    /// A reason is given for every move that is not legal, and for no other.
    #[test]
    fn every_illegal_move_has_a_reason() {
        for rules in variants() {
            let game = Game::start(rules.clone()).unwrap();
            for from in rules.squares() {
                for to in rules.squares().filter(|to| *to != from) {
                    let mv = Move { from, to };
                    assert_eq!(forbidden(&game, mv).is_none(), game.is_legal(mv));
                }
            }
        }
    }
}
