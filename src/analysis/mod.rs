//! Whole games and lists of positions, looked at by the search.
//!
//! - [`report`]: what is said of a game; whatever shows an analysis shows this;
//! - [`look`] (one position), [`crew`] (many at a time), [`marks`] (what a move gave away),
//!   [`analyst`] (games, position by position);
//! - [`text`], [`json`], [`annotated`], [`page`]: the report for people, for programs, as a record, as
//!   a page for a browser;
//! - [`input`] and [`kept`]: the games of a file, and what of them has been analysed before;
//!   `regrown`: a file of records that an interrupted analysis has begun;
//! - [`explorer`]: what records say of openings;
//! - [`picture`]: a position with marks on it, drawn by [`svg`] and [`coloured`];
//! - [`analyse`], [`explore`], [`diagram`], [`prove`] (who wins by force?) and [`puzzles`] (positions
//!   with one winning move): the commands.

// Other people's input arrives here: nothing in it may end the program.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod analyse;
pub mod analyst;
pub mod annotated;
pub mod coloured;
pub mod crew;
pub mod diagram;
pub mod effort;
pub mod explore;
pub mod explorer;
pub mod input;
pub mod interrupt;
pub mod json;
pub mod kept;
pub mod look;
pub mod marks;
pub mod outputs;
pub mod page;
pub mod picture;
pub mod prove;
pub mod puzzles;
mod regrown;
pub mod report;
pub mod svg;
pub mod text;
