//! [`Shared`]: what the workers of one search have in common.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::busy::Busy;
use super::finding::Finding;
use super::limits::{Control, Limits};
use super::tt::Table;

/// How many nodes are searched between two looks at the clock: well under a millisecond's work.
const POLL: u64 = 128;

/// Time does not count before so many nodes: a fraction of a millisecond, in which a clock that has
/// run out still gets a better move than the first one.
const FREE_NODES: u64 = 512;

/// The worker that decides when the search is over, watches the clock and reports. The others help
/// it through the table.
pub const MAIN: usize = 0;

/// What the workers of one search have in common.
#[derive(Debug)]
pub struct Shared<'a> {
    /// The transposition table.
    pub table: &'a Table,
    /// What bounds the search.
    pub limits: &'a Limits,
    /// What others may tell it.
    pub control: &'a Control,
    /// What its workers are searching.
    pub busy: Busy,
    /// When it has to end wherever it is, counted on our own clock.
    hard_time: Option<Duration>,
    /// The main worker has ended.
    over: AtomicBool,
    /// Nodes that workers may search, of those that the limits allow.
    granted: AtomicU64,
    progress: Vec<Progress>,
    /// How deep the deepest iteration went that a worker with helpers has finished, in plies.
    deepest: AtomicU32,
    /// What it has found.
    latest: Mutex<Option<Finding>>,
}

/// What one worker has told of itself, on a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Progress {
    nodes: AtomicU64,
    sel_depth: AtomicUsize,
}

impl<'a> Shared<'a> {
    /// For a search with so many workers.
    pub fn new(
        table: &'a Table,
        limits: &'a Limits,
        control: &'a Control,
        hard_time: Option<Duration>,
        workers: usize,
    ) -> Self {
        Self {
            table,
            limits,
            control,
            busy: Busy::new(workers > 1),
            hard_time,
            over: AtomicBool::new(false),
            granted: AtomicU64::new(0),
            progress: (0..workers).map(|_| Progress::default()).collect(),
            deepest: AtomicU32::new(0),
            latest: Mutex::new(None),
        }
    }

    /// Says how far a worker has come and asks how many nodes it may search before it asks again;
    /// `None`: the search has to stop.
    pub fn go_on(&self, worker: usize, nodes: u64, sel_depth: usize) -> Option<u64> {
        self.note(worker, nodes, sel_depth);
        if self.is_over() || worker == MAIN && self.is_late(nodes) {
            return None;
        }
        let Some(most) = self.limits.nodes else { return Some(POLL) };
        // All workers together never get more than the limit; the last ones of a grant may stay
        // unused when its worker ends.
        let next = |granted: u64| (granted < most).then(|| most.min(granted + POLL));
        let before = self.granted.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).ok()?;
        Some(POLL.min(most - before))
    }

    /// Says how far a worker has come: its nodes, and the longest line it has looked at, in plies.
    pub fn note(&self, worker: usize, nodes: u64, sel_depth: usize) {
        if let Some(progress) = self.progress.get(worker) {
            progress.nodes.store(nodes, Ordering::Relaxed);
            progress.sel_depth.store(sel_depth, Ordering::Relaxed);
        }
    }

    /// The nodes of all workers, as far as they have told.
    pub fn nodes(&self) -> u64 {
        self.progress.iter().map(|progress| progress.nodes.load(Ordering::Relaxed)).sum()
    }

    /// The longest line any worker has looked at, in plies, as far as they have told.
    pub fn sel_depth(&self) -> usize {
        let lengths = self.progress.iter().map(|progress| &progress.sel_depth);
        lengths.map(|length| length.load(Ordering::Relaxed)).max().unwrap_or(0)
    }

    /// Is there more than one worker?
    pub fn has_helpers(&self) -> bool {
        self.progress.len() > 1
    }

    /// A worker has finished an iteration: those that are still at one as deep or less deep need not
    /// go on with it.
    pub fn publish(&self, finding: &Finding) {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if latest.as_ref().is_none_or(|latest| latest.depth < finding.depth) {
            *latest = Some(finding.clone());
            self.deepest.store(finding.depth, Ordering::Relaxed);
        }
    }

    /// How deep the deepest iteration went that was published, in plies.
    #[inline]
    pub fn deepest(&self) -> u32 {
        self.deepest.load(Ordering::Relaxed)
    }

    /// What another worker has found in an iteration of at least this depth.
    pub fn overtaking(&self, depth: u32) -> Option<Finding> {
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        latest.clone().filter(|latest| latest.depth >= depth)
    }

    /// Tells the other workers that the search is over.
    pub fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Is there nothing left to do but to answer?
    pub fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed) || self.control.is_stopped()
    }

    /// How long our own time has been running; `None` while the opponent's is.
    pub fn elapsed(&self) -> Option<Duration> {
        self.control.clock_start(self.limits.start).map(|start| start.elapsed())
    }

    fn is_late(&self, nodes: u64) -> bool {
        let (Some(most), Some(now)) = (self.hard_time, self.elapsed()) else { return false };
        nodes >= FREE_NODES && now >= most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_together_never_get_more_nodes_than_there_are() {
        let (table, control) = (Table::new(1), Control::new(false));
        for most in [0, 1, 127, 128, 129, 1_000, 10_000] {
            let limits = Limits { nodes: Some(most), ..Limits::default() };
            let shared = Shared::new(&table, &limits, &control, None, 4);
            std::thread::scope(|scope| {
                for worker in 0..4 {
                    let shared = &shared;
                    scope.spawn(move || {
                        let mut nodes = 0;
                        while let Some(more) = shared.go_on(worker, nodes, worker) {
                            assert!(more > 0);
                            nodes += more;
                        }
                    });
                }
            });
            assert_eq!(shared.nodes(), most);
            assert_eq!(shared.sel_depth(), 3);
        }
    }

    #[test]
    fn only_the_main_worker_watches_the_clock() {
        let (table, control) = (Table::new(1), Control::new(false));
        let limits = Limits::default();
        let shared = Shared::new(&table, &limits, &control, Some(Duration::ZERO), 2);
        assert_eq!(shared.go_on(MAIN, 0, 0), Some(POLL));
        assert_eq!(shared.go_on(MAIN, FREE_NODES, 0), None);
        assert_eq!(shared.go_on(1, FREE_NODES, 0), Some(POLL));
        shared.end();
        assert_eq!(shared.go_on(1, FREE_NODES, 0), None);
    }
}
