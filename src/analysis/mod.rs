//! Whole games and lists of positions, looked at by the search.
//!
//! - [`report`]: what is said of a game; whatever shows an analysis shows this.

// Other people's input arrives here: nothing in it may end the program.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod report;
