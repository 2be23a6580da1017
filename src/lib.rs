//! Konakis, an engine for tafl games.
//!
//! The rooms of the house, from the ground up; each uses only those before it:
//!
//! - [`game`]: what tafl is (rules, boards, moves, outcomes);
//! - [`search`]: how the best move is found.

pub mod game;
pub mod search;
