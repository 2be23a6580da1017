//! How the best move is found. The search prints nothing: it takes a game, limits, a control and a
//! reporter.
//!
//! [`Searcher::search`] looks at the size of the board once; everything below it is compiled for
//! each size. The root deepens (`root`), a `worker` carries the state of one thread through the tree
//! above the horizon (`negamax`) and below it (`quiescence`).

pub mod bench;
mod history;
pub mod limits;
mod listing;
mod negamax;
mod ordering;
mod pruning;
mod pv;
mod quiescence;
mod root;
pub mod score;
mod shared;
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
use root::Root;
use score::Score;
use shared::{MAIN, Shared};
use time::Budget;
use tt::Table;
use worker::Worker;

/// A search with its memory: what it keeps from one move to the next.
#[derive(Debug)]
pub struct Searcher {
    table: Table,
    history: History,
}

impl Searcher {
    /// A searcher with a transposition table of `hash` MiB, or of less if the memory cannot be had.
    pub fn new(hash: usize) -> Self {
        Self { table: Table::new(hash), history: History::new() }
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

    /// Forgets everything: the next search is as if it were the first.
    pub fn clear(&mut self) {
        self.table.clear();
        self.history = History::new();
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
        with_position!(game, position => self.search_position(position, limits, control, reporter))
    }

    fn search_position<G: Geometry>(
        &mut self,
        position: &Position<G>,
        limits: &Limits,
        control: &Control,
        reporter: &mut dyn Reporter,
    ) -> Found {
        self.table.age();
        self.history.fade(G::SQUARES);
        let budget = Budget::new(limits);
        let candidates = candidates(position, limits);
        let shared = Shared::new(&self.table, limits, control, budget.hard, 1);
        let evaluation = HandMade::new(position.tables());
        let mut worker =
            Worker::new(position.clone(), evaluation, &mut self.history, &shared, MAIN);
        if candidates.is_empty() {
            let score = worker.score_without_moves();
            return report_nothing(limits, score, reporter);
        }
        let mut found = Root::new(&mut worker, limits, budget, &candidates).run(reporter);
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
