//! How the best move is found. The search prints nothing: it takes a game, limits, a control and a
//! reporter.

pub mod bench;
pub mod limits;
pub mod score;

use crate::game::any_size::Game;
use limits::{Bound, Control, Found, Info, Limits, Reporter};
use score::{MAX_PLY, Score};

/// A search with its memory: what it keeps from one move to the next.
#[derive(Debug)]
pub struct Searcher {}

impl Searcher {
    /// A searcher with a transposition table of `hash` MiB, or the most that can be had below it.
    pub fn new(_hash: usize) -> Self {
        Self {}
    }

    /// Gives the table another size, in MiB, and empties it. Returns the size it has now, which is
    /// smaller if the memory cannot be had.
    pub fn resize(&mut self, hash: usize) -> usize {
        hash
    }

    /// Forgets everything: the next search is as if it were the first.
    pub fn clear(&mut self) {}

    /// Searches until a limit is reached, the control says stop, or nothing is left to search.
    ///
    /// At least one [`Info`] is reported, also when there is nothing to search.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        _control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Found {
        let best = game.legal_moves().first().copied();
        let score = if best.is_some() { Score::ZERO } else { Score::loss_in(0) };
        let info = Info {
            depth: limits.depth.unwrap_or(1).min(MAX_PLY as u32),
            sel_depth: 1,
            multi_pv: 1,
            score,
            bound: Bound::Exact,
            nodes: 1,
            time: limits.start.elapsed(),
            hash_full: 0,
            pv: best.into_iter().collect(),
        };
        reporter.info(&info);
        Found { best, ponder: None, score, depth: info.depth, nodes: 1 }
    }
}
