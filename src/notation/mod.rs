//! Boards, rules and games as text.

pub mod board_text;
pub mod record;
pub mod rule_words;
pub mod rules_string;
