//! Matches between engines that can be believed.

pub mod sprt;
pub mod statistics;
