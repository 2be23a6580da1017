//! What is said about moves and positions.

use crate::game::any_size::Game;
use crate::game::explain::why;
use crate::game::geometry::Square;
use crate::game::moves::Move;

/// Why a move cannot be made, and what could be.
pub fn refusal(game: &Game, text: &str) -> Vec<String> {
    let mut lines = vec![why(game, text)];
    let from = Move::parse(text, game.size()).map(|mv| mv.from);
    let own =
        |square: &Square| game.piece_at(*square).is_some_and(|kind| kind.side() == game.side());
    match from.filter(own) {
        Some(from) => lines.push(moves_from(game, from)),
        None => lines.push(movable(game)),
    }
    lines
}

/// Where the piece of a square may go.
pub fn moves_from(game: &Game, from: Square) -> String {
    let size = game.size();
    let moves = game.legal_moves();
    let to: Vec<String> =
        moves.iter().filter(|mv| mv.from == from).map(|mv| mv.to.on(size).to_string()).collect();
    let name = from.on(size);
    match to.as_slice() {
        [] => format!("from {name} no move is legal"),
        _ => format!("from {name} you may go to {}", to.join(" ")),
    }
}

/// Which pieces can move.
pub fn movable(game: &Game) -> String {
    let size = game.size();
    let mut squares: Vec<Square> = game.legal_moves().iter().map(|mv| mv.from).collect();
    squares.sort_unstable();
    squares.dedup();
    let names: Vec<String> = squares.iter().map(|square| square.on(size).to_string()).collect();
    match names.as_slice() {
        [] => "no move is legal".to_owned(),
        _ => format!("the {} can move from {}", game.side().name(), names.join(" ")),
    }
}
