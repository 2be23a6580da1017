//! What is looked at less deeply or not at all, and by how much: the parameters of the search in one
//! place. Margins are in centipawns, depths in plies. What was measured of them stands in the table of
//! experiments, `EXPERIMENTS.md`; most are first guesses that have not been tuned.

use std::sync::LazyLock;

use super::ordering::{Character, Ranked};

/// Reverse futility: a node so shallow whose judgement exceeds the window by so much a ply is not
/// searched.
pub const REVERSE_DEPTH: i32 = 6;
/// Centipawns a ply.
pub const REVERSE_MARGIN: i32 = 60;

/// Razoring: a node so shallow whose judgement is so far below the window is left to quiescence.
pub const RAZOR_DEPTH: i32 = 2;
/// Centipawns a ply.
pub const RAZOR_MARGIN: i32 = 200;

/// A null move is tried from this depth on (Beal 1989, Donninger 1993).
pub const NULL_DEPTH: i32 = 3;
/// Only a side with so many moves may pass: those with few may be in zugzwang, which is real in
/// tafl.
pub const NULL_MOVES: u32 = 20;

/// Futility: at a node so shallow a quiet move is left out where judgement and margin do not reach
/// the window.
pub const FUTILITY_DEPTH: i32 = 4;
/// Centipawns: the base and what each ply adds.
pub const FUTILITY_BASE: i32 = 60;
/// Centipawns a ply.
pub const FUTILITY_MARGIN: i32 = 60;

/// A node so shallow does not look at all its quiet moves.
pub const LATE_DEPTH: i32 = 4;

/// Without a move from the table a node of this depth is searched one ply less deeply (internal
/// iterative reductions, Rebel 2020).
pub const UNKNOWN_DEPTH: i32 = 4;

/// The move from the table is searched a ply deeper from this depth on if no other one comes near.
pub const SINGULAR_DEPTH: i32 = 7;
/// By how many plies the table's entry may be shallower than the node.
pub const SINGULAR_SHALLOWER: i32 = 3;
/// How near, in centipawns a ply.
pub const SINGULAR_MARGIN: i32 = 3;

/// From this depth and this move on moves are first looked at less deeply.
pub const REDUCTION_DEPTH: i32 = 3;
/// The index of the first move that may be.
pub const REDUCTION_MOVE: usize = 3;

/// From this depth on a worker puts a move off that another worker is searching.
pub const SHARED_DEPTH: i32 = 4;

/// How many quiet moves a shallow node looks at.
pub fn late_move_count(depth: i32, improving: bool) -> usize {
    let count = 6 + 4 * depth * depth;
    (if improving { count } else { count / 2 }) as usize
}

/// How many plies less deep a null move is searched.
pub fn null_reduction(depth: i32) -> i32 {
    3 + depth / 4
}

const TABLE_SIZE: usize = 64;

static REDUCTIONS: LazyLock<[[i8; TABLE_SIZE]; TABLE_SIZE]> = LazyLock::new(|| {
    let mut table = [[0; TABLE_SIZE]; TABLE_SIZE];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (index, reduction) in row.iter_mut().enumerate().skip(1) {
            let logs = (depth as f64).ln() * (index as f64).ln();
            *reduction = (0.5 + logs / 2.0) as i8;
        }
    }
    table
});

/// How many plies less deep a move is looked at first (late move reductions, Romstad 2005).
#[inline]
pub fn reduction(depth: i32, index: usize, candidate: Ranked, pv: bool, improving: bool) -> i32 {
    if depth < REDUCTION_DEPTH || index < REDUCTION_MOVE || candidate.character != Character::Quiet
    {
        return 0;
    }
    let row = &REDUCTIONS[(depth as usize).min(TABLE_SIZE - 1)];
    let mut reduction = i32::from(row[index.min(TABLE_SIZE - 1)]);
    reduction += i32::from(!improving) - i32::from(pv);
    reduction -= (candidate.rank / 8_192).clamp(-2, 2);
    reduction.clamp(0, depth - 2)
}
