//! Matches between engines that can be believed.

pub mod clock;
pub mod spec;
pub mod sprt;
pub mod statistics;
