//! Whole games and lists of positions, looked at by the search.
//!
//! - [`picture`]: a position with marks on it, drawn by [`svg`] and [`coloured`], on the command line
//!   by [`diagram`];
//! - [`prove`]: who wins by force, on the command line, and [`puzzles`], positions with one winning
//!   move;
//! - [`page`]: an analysed game as a page;
//! - [`report`]: what is said of a game; whatever shows an analysis shows this.

// Other people's input arrives here: nothing in it may end the program.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod coloured;
pub mod diagram;
pub mod effort;
pub mod files;
pub mod interrupt;
pub mod page;
pub mod picture;
pub mod prove;
pub mod puzzles;
pub mod report;
pub mod svg;
