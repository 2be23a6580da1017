//! The text protocol: UCI's words with tafl's meaning, and UGI's. `protocol.md` is its reference.
//!
//! One thread reads the peer's lines, one owns the state and is the only writer, and at most one
//! works (a search, a count); all three talk over one channel, so that the answers to what arrives
//! during a search have a fixed order and no two lines ever mix.
//!
//! Three dialects of other worlds stand beside it, each a player of its own: [`otep`] (OpenTafl),
//! [`htp`] (hnefatafl.org) and [`challenge`] (the Tablut Challenge).

// Other people's input arrives here: nothing in it may end the program.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod args;
pub mod challenge;
mod command;
mod error;
mod go;
pub mod htp;
mod input;
mod job;
mod options;
pub mod otep;
mod output;
mod query;
mod rule_sets;
mod session;
mod thinker;
mod wire;

pub use session::{serve, serve_lines};
pub use thinker::Means;
pub use wire::perft as perft_lines;

/// Which of the two handshakes was the last one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// `uci`, or none: mate in full moves, a ponder move with the best move.
    #[default]
    Uci,
    /// `ugi`: mate in plies, two words in the last line.
    Ugi,
}

/// The name of the program with its version and, if known, its commit.
pub const NAME: &str = concat!("Konakis ", env!("KONAKIS_VERSION"));
