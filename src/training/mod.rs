//! How the weights of the evaluation are found: the engine plays itself, and the weights are fitted
//! to the results.
//!
//! [`selfplay`] plays one game, [`generate`] many of them into a file of [`record`]s; a
//! [`dataset`] holds the positions of such files as features, [`fit`] finds the weights and [`source`]
//! prints them. [`odds`] fits what a score means for the result. [`cli`] has the commands.

// Other people's files arrive here: nothing in them may end the program.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod cli;
pub mod dataset;
pub mod fit;
pub mod generate;
pub mod odds;
pub mod record;
pub mod selfplay;
pub mod source;
