//! Counting the leaves of the tree of legal moves, the measure of a move generator.

use std::time::{Duration, Instant};

use rayon::ThreadPoolBuildError;
use rayon::prelude::*;

use super::any_size::Game;
use super::board::Board;
use super::geometry::Geometry;
use super::moves::Move;
use super::position::Position;
use super::tables::RuleTables;
use crate::with_position;

/// Asked now and then whether to give up.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// The leaves at `depth` plies. A finished game has no moves; repetition is not counted.
///
/// With `bulk` the moves of the last ply are counted without being made.
pub fn perft<G: Geometry>(position: &Position<G>, depth: u32, bulk: bool) -> u64 {
    leaves(position, depth, bulk, &|| false)
}

fn leaves<G: Geometry>(position: &Position<G>, depth: u32, bulk: bool, stop: Stop) -> u64 {
    if position.rules().depends_on_past() {
        return leaves_with_past(&mut position.clone(), depth, bulk, stop);
    }
    let mut lists = vec![Vec::with_capacity(256); depth as usize];
    let counter = Counter { tables: position.tables(), bulk, stop };
    counter.count(&mut position.board().clone(), depth, &mut lists)
}

/// The same where a board alone does not know which moves are legal.
fn leaves_with_past<G: Geometry>(
    position: &mut Position<G>,
    depth: u32,
    bulk: bool,
    stop: Stop,
) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = if depth > 2 && stop() { Vec::new() } else { position.legal_moves() };
    if depth == 1 && bulk {
        return moves.len() as u64;
    }
    let mut leaves = 0;
    for mv in moves {
        position.play(mv);
        leaves += leaves_with_past(position, depth - 1, bulk, stop);
        position.undo();
    }
    leaves
}

/// A count with the leaves behind each legal move and the time it took.
#[derive(Clone, Debug)]
pub struct Perft {
    /// The leaves behind each legal move; empty at depth 0.
    pub by_move: Vec<(Move, u64)>,
    /// All leaves.
    pub nodes: u64,
    /// The time it took.
    pub time: Duration,
}

impl Perft {
    /// Counts on `threads` threads; the result is meaningless if `stop` has said yes.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn count(
        game: &Game,
        depth: u32,
        bulk: bool,
        threads: usize,
        stop: Stop,
    ) -> Result<Self, ThreadPoolBuildError> {
        let start = Instant::now();
        let behind = |mv: &Move| {
            let mut next = game.clone();
            next.play(*mv);
            (*mv, with_position!(&next, position => leaves(position, depth - 1, bulk, stop)))
        };
        let moves = if depth == 0 { Vec::new() } else { game.legal_moves() };
        let by_move: Vec<(Move, u64)> = if depth == 1 && bulk {
            moves.iter().map(|mv| (*mv, 1)).collect()
        } else if threads == 1 {
            moves.iter().map(behind).collect()
        } else {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
            pool.install(|| moves.par_iter().map(behind).collect())
        };
        let nodes = if depth == 0 { 1 } else { by_move.iter().map(|(_, nodes)| nodes).sum() };
        Ok(Self { by_move, nodes, time: start.elapsed() })
    }
}

struct Counter<'a, G: Geometry> {
    tables: &'a RuleTables<G>,
    bulk: bool,
    stop: Stop<'a>,
}

impl<G: Geometry> Counter<'_, G> {
    fn count(&self, board: &mut Board<G>, depth: u32, lists: &mut [Vec<Move>]) -> u64 {
        let Some((list, lists)) = lists.split_first_mut() else { return 1 };
        if board.decided(self.tables).is_some() || depth > 2 && (self.stop)() {
            return 0;
        }
        if depth == 1 && self.bulk {
            return u64::from(board.count_moves(self.tables));
        }
        list.clear();
        board.moves(self.tables, list);
        let mut leaves = 0;
        for &mv in list.iter() {
            let undo = board.play(self.tables, mv);
            leaves += self.count(board, depth - 1, lists);
            board.undo(&undo);
        }
        leaves
    }
}
