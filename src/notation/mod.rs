//! Boards, rules and games as text.
//!
//! Games: [`mod@format`] knows the five formats, [`record`] (OpenTafl's), [`lines`] (a game or a position
//! a line), [`archive`] (CSV) and [`referee_log`] (the Tablut Challenge). Each reads an
//! [`Entry`](recorded::Entry), words with their places, which becomes a
//! [`RecordedGame`](recorded::RecordedGame) once it has been played through by the rules.

// Other people's input arrives here: nothing in it may end the program.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod archive;
pub mod board_text;
pub mod format;
pub mod lines;
pub mod move_text;
pub mod place;
pub mod record;
pub mod recorded;
pub mod referee_log;
pub mod rule_words;
pub mod rules_string;
