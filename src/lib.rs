//! Konakis, an engine for tafl games.
pub mod game;
