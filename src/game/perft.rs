//! Counting the leaves of the tree of legal moves, the measure of a move generator.

use rayon::prelude::*;

use super::board::Board;
use super::geometry::Geometry;
use super::moves::Move;
use super::position::Position;
use super::tables::RuleTables;

/// The leaves at `depth` plies. A finished game has no moves; repetition is not counted.
///
/// With `bulk` the moves of the last ply are counted without being made.
pub fn perft<G: Geometry>(position: &Position<G>, depth: u32, bulk: bool) -> u64 {
    let mut lists = vec![Vec::with_capacity(256); depth as usize];
    count(&mut position.board().clone(), position.tables(), depth, bulk, &mut lists)
}

/// The leaves behind each legal move, on the threads of the current rayon pool.
pub fn divide<G: Geometry>(position: &Position<G>, depth: u32, bulk: bool) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    position
        .legal_moves()
        .into_par_iter()
        .map(|mv| {
            let mut next = position.clone();
            next.play(mv);
            (mv, perft(&next, depth - 1, bulk))
        })
        .collect()
}

fn count<G: Geometry>(
    board: &mut Board<G>,
    tables: &RuleTables<G>,
    depth: u32,
    bulk: bool,
    lists: &mut [Vec<Move>],
) -> u64 {
    let Some((list, lists)) = lists.split_first_mut() else { return 1 };
    if board.decided(tables).is_some() {
        return 0;
    }
    if depth == 1 && bulk {
        return u64::from(board.count_moves(tables));
    }
    list.clear();
    board.moves(tables, list);
    let mut leaves = 0;
    for &mv in list.iter() {
        let undo = board.play(tables, mv);
        leaves += count(board, tables, depth - 1, bulk, lists);
        board.undo(&undo);
    }
    leaves
}
