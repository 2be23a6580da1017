//! Matches between engines that can be believed.
//!
//! From the ground up:
//!
//! - what plays: [`spec`] with [`spec_text`] (an engine as text), [`player`] (what the referee sees of it),
//!   [`builtin`] (yardsticks), [`process`] and [`dialect`] with [`uci`], [`otep`] and [`htp`]
//!   (programs);
//! - one game: [`clock`], [`adjudication`], [`referee`], [`result`];
//! - a match: [`openings`], [`random_openings`], [`book`], [`schedule`], [`settings`],
//!   [`roster`], [`runner`], [`record`] (its file), [`merge`];
//! - what it is worth: [`statistics`], [`sprt`], [`tally`], told by [`report`], [`events`] and
//!   [`console`];
//! - [`check`]: what any engine must survive;
//! - [`cli`] with [`args`]: the commands.

// Other people's input arrives here: nothing in it may end the program.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod adjudication;
pub mod args;
pub mod book;
pub mod builtin;
pub mod check;
pub mod cli;
pub mod clock;
pub mod console;
pub mod dialect;
pub mod events;
pub mod htp;
pub mod merge;
pub mod openings;
pub mod otep;
pub mod player;
pub mod process;
pub mod random_openings;
pub mod record;
pub mod referee;
pub mod report;
pub mod result;
pub mod rng;
pub mod roster;
pub mod runner;
pub mod schedule;
pub mod settings;
pub mod spec;
pub mod spec_text;
pub mod sprt;
pub mod statistics;
pub mod tally;
mod trial;
pub mod uci;
