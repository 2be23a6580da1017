//! [`Look`]: what a search finds in one position.
//!
//! Every position is searched with an empty memory, so that what is found depends on nothing but
//! the game up to it and the limits: it is the same on any number of threads, and after an
//! interruption.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use super::report::Line;
use crate::eval::odds::Odds;
use crate::game::any_size::Game;
use crate::search::Searcher;
use crate::search::chances::chances;
use crate::search::limits::{Bound, Control, Info, Limits, Reporter};
use crate::search::score::Score;

/// How long each position is searched; the limit that is reached first ends the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Time.
    pub movetime: Option<Duration>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Plies.
    pub depth: Option<u32>,
}

impl Effort {
    /// A table that is large enough for such searches, in MiB. Small ones are cleared faster.
    pub fn table_size(self) -> usize {
        const BYTES_A_NODE: u64 = 32;
        const NODES_A_MILLISECOND: u64 = 2_000;
        let by_time = self.movetime.map(|time| time.as_millis() as u64 * NODES_A_MILLISECOND);
        let nodes = [self.nodes, by_time].into_iter().flatten().min();
        let size = nodes.map_or(64, |nodes| nodes.saturating_mul(BYTES_A_NODE) >> 20);
        size.clamp(1, 64) as usize
    }
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Look {
    /// What the position is worth to the side to move.
    pub score: Score,
    /// The chances of the side to move.
    pub wdl: Odds,
    /// The best lines, best first; none in a finished game.
    pub lines: Vec<Line>,
}

impl Look {
    /// What is to be said of a finished game, without any search; `None` of another one.
    pub fn at_end(game: &Game) -> Option<Self> {
        let outcome = game.outcome()?;
        let (score, wdl) = match outcome.winner {
            None => (Score::ZERO, Odds::DRAWN),
            Some(winner) if winner == game.side() => (Score::win_in(0), Odds::WON),
            Some(_) => (Score::loss_in(0), Odds::LOST),
        };
        Some(Self { score, wdl, lines: Vec::new() })
    }

    /// Searches a position for its `count` best lines. `None` if the search was told to stop.
    pub fn take(
        searcher: &mut Searcher,
        game: &Game,
        effort: Effort,
        count: usize,
        control: &Control,
    ) -> Option<Self> {
        if let Some(end) = Self::at_end(game) {
            return Some(end);
        }
        searcher.clear();
        let limits = Limits {
            start: Instant::now(),
            depth: effort.depth,
            nodes: effort.nodes,
            movetime: effort.movetime,
            multi_pv: count,
            ..Limits::default()
        };
        let mut heard = Heard(Vec::new());
        let search = || searcher.search(game, &limits, control, &mut heard);
        // A fault in one position is no reason to lose the others.
        let found = catch_unwind(AssertUnwindSafe(search)).ok()?;
        if control.is_stopped() {
            return None;
        }
        let line = |score: Score, pv: Vec<_>| Line {
            score,
            wdl: chances(score, game.rules(), game.side()),
            pv,
        };
        let mut lines: Vec<Line> = heard.0.into_iter().map(|i| line(i.score, i.pv)).collect();
        if lines.first().is_none_or(|first| first.pv.first() != found.best.as_ref()) {
            lines.insert(0, line(found.score, found.best.into_iter().collect()));
        }
        lines.truncate(count);
        let Line { score, wdl, .. } = *lines.first()?;
        Some(Self { score, wdl, lines })
    }
}

/// The last exact report of each line, best first.
struct Heard(Vec<Info>);

impl Reporter for Heard {
    fn info(&mut self, info: &Info) {
        let at = info.multi_pv.saturating_sub(1);
        // What is known of better lines only counts with those of the same report.
        if info.bound == Bound::Exact || self.0.is_empty() {
            self.0.truncate(at);
            self.0.push(info.clone());
        }
    }
}
