//! Boards, rules and games as text.

pub mod board_text;
pub mod rule_words;
pub mod record;
pub mod rules_string;
