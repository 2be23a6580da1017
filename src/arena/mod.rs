//! Matches between engines that can be believed.

pub mod builtin;
pub mod clock;
pub mod dialect;
pub mod player;
pub mod process;
pub mod rng;
pub mod spec;
pub mod sprt;
pub mod statistics;
pub mod uci;
