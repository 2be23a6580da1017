//! How the best move is found. The search prints nothing: it takes a game, limits, a control and a
//! reporter.
//!
//! [`Searcher::search`] looks at the size of the board once; everything below it is compiled for
//! each size. The root deepens (`root`), a `worker` carries the state of one thread through the tree
//! above the horizon (`negamax`) and below it (`quiescence`). Several workers (`parallel`) have the
//! table, the limits and the count of nodes in common (`shared`) and vote on what they found
//! (`finding`). [`proof`] asks another question: who wins by force?

pub mod bench;
mod busy;
pub mod chances;
mod finding;
mod history;
pub mod limits;
mod listing;
mod negamax;
mod ordering;
mod parallel;
pub mod proof;
mod pruning;
mod pv;
mod quiescence;
mod root;
pub mod score;
mod shared;
pub mod speedup;
pub mod strength;
pub mod time;
mod tt;
pub mod window;
mod worker;

use crate::eval::HandMade;
use crate::game::any_size::Game;
use crate::game::geometry::Geometry;
use crate::game::moves::Move;
use crate::game::position::Position;
use crate::with_position;
use history::History;
use limits::{Bound, Control, Found, Info, Limits, Reporter};
use parallel::{Crew, outside_pools};
use root::Root;
use score::Score;
use shared::{MAIN, Shared};
use strength::mixed;
use time::Budget;
use tt::Table;
use worker::Worker;

/// A search with its memory: what it keeps from one move to the next.
#[derive(Debug)]
pub struct Searcher {
    table: Table,
    /// Of the main worker and of each helper.
    histories: Vec<History>,
    /// The helpers' threads, if there is more than one thread.
    crew: Option<Crew>,
    /// Games since it was made: a weaker player does not play them all alike.
    games: u64,
}

impl Searcher {
    /// A searcher on one thread with a transposition table of `hash` MiB, or of less if the memory
    /// cannot be had.
    pub fn new(hash: usize) -> Self {
        Self { table: Table::new(hash), histories: vec![History::new()], crew: None, games: 0 }
    }

    /// Gives the table another size, in MiB, and empties it. Returns the size it has now, which is
    /// smaller if the memory cannot be had.
    pub fn resize(&mut self, hash: usize) -> usize {
        self.table.resize(hash);
        self.table.size()
    }

    /// The size of the table, in MiB.
    pub fn hash(&self) -> usize {
        self.table.size()
    }

    /// Searches on so many threads (at least 1) from now on; with one the same commands always give
    /// the same nodes. Returns the number of threads it has now, which is smaller if the system
    /// gives no more.
    pub fn set_threads(&mut self, threads: usize) -> usize {
        // The old threads end first.
        self.crew = None;
        self.crew = Crew::new(threads.saturating_sub(1));
        let threads = self.threads();
        self.histories.resize_with(threads, History::new);
        threads
    }

    /// On how many threads it searches.
    pub fn threads(&self) -> usize {
        1 + self.crew.as_ref().map_or(0, Crew::helpers)
    }

    /// Forgets everything: the next search is as if it were the first, but for what a weaker player
    /// makes of it.
    pub fn clear(&mut self) {
        match &self.crew {
            Some(crew) => crew.clear(&mut self.table),
            None => self.table.clear(),
        }
        self.histories.fill_with(History::new);
        self.games += 1;
    }

    /// Searches until a limit is reached, the control says stop, or nothing is left to search.
    ///
    /// At least one [`Info`] is reported, also when there is nothing to search. A game that was
    /// ended by repetition only is searched like any other.
    pub fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Found {
        let is_parallel = self.crew.is_some();
        let mut search = || with_position!(game, position => self.search_position(position, limits, control, reporter));
        if is_parallel { outside_pools(search) } else { search() }
    }

    fn search_position<G: Geometry>(
        &mut self,
        position: &Position<G>,
        limits: &Limits,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Found {
        self.table.age();
        for history in &mut self.histories {
            history.fade(G::SQUARES);
        }
        let budget = Budget::new(limits);
        let candidates = candidates(position, limits);
        let threads = if limits.strength.is_none() { self.histories.len() } else { 1 };
        let shared = Shared::new(&self.table, limits, control, budget.hard, threads);
        let worker = |number, history| {
            let evaluation = HandMade::new(position.tables());
            Worker::new(position.clone(), evaluation, history, &shared, number)
        };
        let [history, histories @ ..] = self.histories.as_mut_slice() else {
            return report_nothing(limits, Score::ZERO, reporter);
        };
        let mut main = worker(MAIN, history);
        if candidates.is_empty() {
            let score = main.score_without_moves();
            return report_nothing(limits, score, reporter);
        }
        let mut root = Root::new(&mut main, &candidates);
        let crew = self.crew.as_ref().filter(|_| limits.strength.is_none());
        let mut found = match crew {
            None => {
                root.deepen(budget, reporter, &mut || ());
                let seed = mixed(self.games) ^ position.key() ^ position.plies() as u64;
                root.conclude(Vec::new(), seed, reporter)
            }
            Some(crew) => {
                let help = |number, history| {
                    let mut worker = worker(number, history);
                    let mut root = Root::new(&mut worker, &candidates);
                    // Half of the helpers search one ply ahead.
                    root.help(number % 2 == 1);
                    root.into_finding()
                };
                crew.search(root, budget, &shared, histories, &help, reporter)
            }
        };
        found.ponder = found.ponder.or_else(|| expected_answer(position, found.best, &self.table));
        found
    }
}

/// The moves to choose from.
fn candidates<G: Geometry>(position: &Position<G>, limits: &Limits) -> Vec<Move> {
    let mut moves = position.legal_moves();
    if let Some(wanted) = &limits.search_moves {
        moves.retain(|mv| wanted.contains(mv));
    }
    moves
}

/// A search that has no move to choose says so in one report.
fn report_nothing(limits: &Limits, score: Score, reporter: &mut dyn Reporter) -> Found {
    reporter.info(&Info {
        depth: 0,
        sel_depth: 0,
        multi_pv: 1,
        score,
        bound: Bound::Exact,
        nodes: 0,
        time: limits.start.elapsed(),
        hash_full: 0,
        pv: Vec::new(),
    });
    Found { best: None, ponder: None, score, depth: 0, nodes: 0 }
}

/// The answer that the table knows, where the line ends with our own move.
fn expected_answer<G: Geometry>(
    position: &Position<G>,
    best: Option<Move>,
    table: &Table,
) -> Option<Move> {
    let mut next = position.clone();
    next.play(best?);
    let answer = table.probe(next.key())?.mv?;
    (next.outcome().is_none() && next.is_legal(answer)).then_some(answer)
}
