//! Moves as records write them: `e4-e7`, `Ke5-e8xe9/f8--`, `a1a4xb4,c4`.

use crate::game::any_size::Game;
use crate::game::geometry::Square;
use crate::game::moves::Move;
use crate::game::outcome::{Call, Reason};
use crate::game::rules::Kind;

/// The word with which a player resigns.
pub const RESIGNS: &str = "---";

/// A move as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Written {
    /// The move.
    pub mv: Move,
    /// The squares that it captures, if any are written.
    pub captures: Vec<Square>,
}

/// Reads a move on a board of `size`: from, to, perhaps a `-` between them, captures behind `x`, `/`
/// or `,`, perhaps one of `+ - ++ --` at the end. Pieces may bear their letters.
pub fn read(text: &str, size: usize) -> Option<Written> {
    let (from, rest) = square(text, size)?;
    let (to, mut rest) = Square::read(rest.strip_prefix('-').unwrap_or(rest), size)?;
    let mut captures = Vec::new();
    while let Some(capture) = rest.strip_prefix(['x', 'X', '/', ',']) {
        let (captured, after) = square(capture, size)?;
        rest = after;
        if !captures.contains(&captured) {
            captures.push(captured);
        }
    }
    let known = matches!(rest, "" | "+" | "-" | "++" | "--");
    (known && from != to).then_some(Written { mv: Move { from, to }, captures })
}

/// A square, perhaps behind the letter of the piece on it: two letters in a row.
fn square(text: &str, size: usize) -> Option<(Square, &str)> {
    let mut letters = text.chars().take(2).map(|c| c.is_ascii_alphabetic());
    let named = letters.next() == Some(true) && letters.next() == Some(true);
    Square::read(if named { text.get(1..)? } else { text }, size)
}

/// A legal move as OpenTafl writes it: `Ke5-e8xe9/f8--`.
pub fn write(game: &Game, mv: Move) -> String {
    let size = game.size();
    let letter = |square| if game.piece_at(square) == Some(Kind::King) { "K" } else { "" };
    let captured: Vec<String> = game
        .captured_by(mv)
        .into_iter()
        .map(|square| format!("{}{}", letter(square), square.on(size)))
        .collect();
    let taken =
        if captured.is_empty() { String::new() } else { format!("x{}", captured.join("/")) };
    let mut after = game.clone();
    after.play(mv);
    let sign = match (after.outcome().map(|outcome| outcome.reason), after.call()) {
        (Some(Reason::KingCaptured), _) => "++",
        (Some(Reason::KingEscaped), _) => "--",
        (_, Some(Call::WatchYourKing)) => "+",
        (_, Some(Call::Raichi | Call::Tuichi)) => "-",
        _ => "",
    };
    format!("{}{}-{}{taken}{sign}", letter(mv.from), mv.from.on(size), mv.to.on(size))
}

/// The squares that a legal move captures, but for the king's.
pub fn soldiers_captured(game: &Game, mv: Move) -> Vec<Square> {
    let mut captured = game.captured_by(mv);
    captured.retain(|&square| game.piece_at(square) != Some(Kind::King));
    captured
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variants::variant;

    #[test]
    fn moves_are_read_in_every_spelling() {
        let size = 11;
        let squares = |names: &[&str]| -> Vec<Square> {
            names.iter().map(|name| Square::parse(name, size).unwrap()).collect()
        };
        for (text, mv, captures) in [
            ("e4-e7", "e4e7", &[][..]),
            ("e4e7", "e4e7", &[]),
            ("k4-k7xk8", "k4k7", &["k8"]),
            ("Kk4-k7++", "k4k7", &[]),
            ("kk4-k7", "k4k7", &[]),
            ("e5-e8xe9/f8--", "e5e8", &["e9", "f8"]),
            ("a1a4xb4,c4", "a1a4", &["b4", "c4"]),
            ("a1-a10xa11xa11xKc4+", "a1a10", &["a11", "c4"]),
            ("a1-a10-", "a1a10", &[]),
        ] {
            let written = read(text, size).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(written.mv, Move::parse(mv, size).unwrap(), "{text}");
            assert_eq!(written.captures, squares(captures), "{text}");
        }
        for bad in
            ["", "-", "---", "e4", "e4-", "e4-e4", "e4-e12", "e4-e7x", "e4-e7xe", "e4-e7+++", "é4"]
        {
            assert_eq!(read(bad, size), None, "{bad}");
        }
    }

    #[test]
    fn moves_carry_their_captures_and_signs() {
        let start = Game::start(variant("tablut").unwrap()).unwrap();
        let text = |fen: &str, mv: &str| {
            let game = start.with_fen(fen).unwrap();
            write(&game, game.read_move(mv).unwrap())
        };
        assert_eq!(text("9/9/4a4/3ak4/9/9/9/9/6a2 a", "g1g6"), "g1-g6+");
        assert_eq!(text("9/9/4a4/3ak1a2/9/9/9/9/9 a", "g6f6"), "g6-f6xKe6++");
        assert_eq!(text("9/9/9/3ak4/9/9/9/9/9 d", "e6e9"), "Ke6-e9--");
    }
}
