//! Konakis, an engine for tafl games.
//!
//! The rooms of the house, from the ground up; each uses only those before it:
//!
//! - [`game`]: what tafl is (rules, boards, moves, outcomes);
//! - [`eval`]: what a position is worth;
//! - [`search`]: how the best move is found.

pub mod eval;
pub mod game;
pub mod search;
