//! What tafl is: rules, boards, moves, captures and outcomes. No search, no input or output.

pub mod any_size;
pub mod bits;
pub mod board;
pub mod capture;
pub mod explain;
pub mod fen;
pub mod geometry;
pub mod king;
pub mod movegen;
pub mod moves;
pub mod outcome;
pub mod perft;
pub mod position;
pub mod rules;
pub mod symmetry;
pub mod tables;
pub mod variants;
mod zobrist;
