//! The engine as a player of other worlds: recorded conversations, hostile peers, and small
//! stand-ins of each host that play whole games.

mod challenge;
#[path = "../common/mod.rs"]
mod common;
#[path = "../engine/mod.rs"]
mod engine;
mod htp;
mod otep;
