//! What bounds a search, how it is stopped, and to whom it reports.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::score::Score;
use super::strength::Strength;
use crate::game::moves::Move;

/// The clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left on the clock.
    pub left: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves to the next time control; `None` if the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// What bounds a search. Without any bound it runs until it is stopped or has nothing left to do.
/// Of several the first one reached stops the search.
#[derive(Clone, Debug)]
pub struct Limits {
    /// When the clock started to run: when the command arrived.
    pub start: Instant,
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Stop when a win or a loss within this many plies is proven, or when a search two plies deeper
    /// has found none.
    pub mate: Option<u32>,
    /// Look at these moves only, if any is given (all of them legal).
    pub search_moves: Option<Vec<Move>>,
    /// How many of the best moves to report, with their lines; at least 1.
    pub multi_pv: usize,
    /// Time kept back at each move for the way to the other side.
    pub overhead: Duration,
    /// How strong to play at most; `None` is as strong as can be. A weaker player searches on one
    /// thread.
    pub strength: Option<Strength>,
}

impl Limits {
    /// How many of the best moves to search, with their lines, if there are as many.
    pub fn lines(&self) -> usize {
        self.multi_pv.max(self.strength.map_or(1, Strength::lines))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            start: Instant::now(),
            depth: None,
            nodes: None,
            movetime: None,
            clock: None,
            mate: None,
            search_moves: None,
            multi_pv: 1,
            overhead: Duration::ZERO,
            strength: None,
        }
    }
}

/// What others may tell a running search. It is made before the search starts, so that nothing said
/// early is lost.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    /// Is the opponent's time running? Limits of time count from the end of that.
    pondering: AtomicBool,
    born: Instant,
    /// When the pondering ended, in nanoseconds since `born`; 0 before that.
    ponder_hit: AtomicU64,
}

impl Control {
    /// For a search that ponders until [`Control::ponder_hit`] or not at all.
    pub fn new(pondering: bool) -> Self {
        Self {
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(pondering),
            born: Instant::now(),
            ponder_hit: AtomicU64::new(0),
        }
    }

    /// Tells the search to end as soon as it can.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Has the search been told to end?
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The opponent made the expected move: limits of time count from now on.
    pub fn ponder_hit(&self) {
        let since = self.born.elapsed().as_nanos() as u64;
        self.ponder_hit.store(since, Ordering::Relaxed);
        self.pondering.store(false, Ordering::Release);
    }

    /// Is the opponent's time running?
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// When our own time began to run, for a search whose command arrived at `start`; `None` while
    /// the opponent's is running.
    pub fn clock_start(&self, start: Instant) -> Option<Instant> {
        if self.is_pondering() {
            return None;
        }
        match self.ponder_hit.load(Ordering::Relaxed) {
            0 => Some(start),
            since => Some(self.born + Duration::from_nanos(since)),
        }
    }
}

/// Is a score exact or a bound?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The score is this.
    Exact,
    /// The score is this or more.
    Lower,
    /// The score is this or less.
    Upper,
}

/// What a search has found out about one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// Plies searched in full.
    pub depth: u32,
    /// Plies of the longest line looked at.
    pub sel_depth: u32,
    /// 1 for the best line, 2 for the second best, …
    pub multi_pv: usize,
    /// For the side to move.
    pub score: Score,
    /// Is the score exact?
    pub bound: Bound,
    /// Nodes since the search began.
    pub nodes: u64,
    /// Time since the command arrived.
    pub time: Duration,
    /// How full the table is, in thousandths.
    pub hash_full: u32,
    /// The line, every move legal in sequence; empty in a finished game.
    pub pv: Vec<Move>,
}

/// Hears what a search finds, on whatever thread the search runs.
pub trait Reporter: Send {
    /// A line was searched to a new depth.
    fn info(&mut self, info: &Info);
}

/// Hears nothing.
impl Reporter for () {
    fn info(&mut self, _: &Info) {}
}

/// Where a search ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The move to play; `None` if there is none.
    pub best: Option<Move>,
    /// The answer to expect, legal after `best`.
    pub ponder: Option<Move>,
    /// For the side to move.
    pub score: Score,
    /// Plies searched in full.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
}
