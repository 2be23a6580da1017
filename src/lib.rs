//! Konakis, an engine for tafl games.
//!
//! The rooms of the house, from the ground up; each uses only those before it:
//!
//! - [`game`]: what tafl is (rules, boards, moves, outcomes);
//! - [`notation`]: boards, rules and games as text;
//! - [`eval`]: what a position is worth;
//! - [`search`]: how the best move is found;
//! - [`protocol`]: the conversation with a front end;
//! - [`arena`]: matches between engines;
//! - [`analysis`]: whole games and lists of positions, looked at by the search;
//! - [`play`]: a game against the engine in a terminal;
//! - [`training`]: how the weights of the evaluation are found;
//! - [`cli`]: the command line.

pub mod analysis;
pub mod arena;
pub mod cli;
pub mod eval;
pub mod game;
pub mod notation;
pub mod play;
pub mod protocol;
pub mod search;
pub mod training;
