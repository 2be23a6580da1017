//! Whole games and lists of positions, looked at by the search.
//!
//! - [`report`]: what is said of a game; whatever shows an analysis shows this;
//! - [`look`] (one position), [`crew`] (many at a time), [`marks`] (what a move gave away),
//!   [`analyst`] (games, position by position);
//! - [`text`], [`json`], [`annotated`]: the report for people, for programs, as a record;
//! - [`input`] and [`kept`]: the games of a file, and what of them has been analysed before;
//! - [`explorer`]: what records say of openings;
//! - [`analyse`] and [`explore`]: the commands.

// Other people's input arrives here: nothing in it may end the program.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod analyse;
pub mod analyst;
pub mod annotated;
pub mod crew;
pub mod explore;
pub mod explorer;
pub mod input;
pub mod json;
pub mod kept;
pub mod look;
pub mod marks;
pub mod outputs;
pub mod report;
pub mod text;
