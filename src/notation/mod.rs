//! Boards, rules and games as text.

// Other people's input arrives here: nothing in it may end the program.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod board_text;
pub mod place;
pub mod record;
pub mod rule_words;
pub mod rules_string;
