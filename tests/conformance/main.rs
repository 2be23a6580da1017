//! Faults that real engines have shipped, one test each, against the built program.

mod answers;
#[path = "../engine/mod.rs"]
mod engine;
mod limits;
mod state;
mod strength;
mod talk;
mod threads;

use std::time::Duration;

const SHORT: Duration = Duration::from_millis(200);
/// King on c4, nothing in his way: the defenders win at once.
const WON: &str = "9/9/9/9/9/2k6/9/9/a7a d";
/// The same with the attackers to move, who can block one line of four.
const LOST: &str = "9/9/9/9/9/2k6/9/9/a7a a";
/// The king stands on the edge: over.
const ESCAPED: &str = "9/9/9/9/9/k8/9/9/a7a a";
/// Two defenders' moves back and forth; after eight plies the start has occurred three times.
const SHUFFLE: &str = "e3a3 d1a1 a3e3 a1d1 e3a3 d1a1 a3e3 a1d1";

fn millis(ms: u64) -> Duration {
    Duration::from_millis(ms)
}
