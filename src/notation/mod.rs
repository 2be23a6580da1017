//! Boards, rules and games as text.

pub mod board_text;
pub mod rule_words;
