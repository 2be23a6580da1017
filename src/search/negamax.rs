//! The tree above the horizon: alpha-beta in its negamax form, with null windows for all moves but
//! the first (principal variation search, Marsland and Campbell 1982).

use super::limits::Bound;
use super::ordering::{Ranked, pick};
use super::score::{MAX_PLY, Score};
use super::tt::Entry;
use super::window::Window;
use super::worker::{Searched, Worker};
use crate::eval::Evaluation;
use crate::game::bits::Bits;
use crate::game::geometry::Geometry;
use crate::game::moves::Move;
use crate::game::rules::Side;

/// From how many plies before the horizon, and from which move on, later moves are looked at less
/// deeply.
const REDUCTION_DEPTH: i32 = 3;
const REDUCTION_MOVE: usize = 5;

impl<G: Geometry, E: Evaluation<G>> Worker<'_, G, E> {
    /// The score of the position for the side to move, looking `depth` plies ahead. `PV`: the node
    /// is on the principal variation, so its line is noted and its score must not come from the
    /// table.
    pub(super) fn negamax<const PV: bool>(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Searched {
        if ply >= MAX_PLY - 1 || depth <= 0 && !self.is_king_in_danger() {
            return self.quiesce::<PV>(window, ply);
        }
        self.visit(ply)?;
        if PV {
            self.lines.clear(ply);
        }
        if let Some(score) = self.ended(ply) {
            return Ok(score);
        }
        let window = window.clipped(ply);
        if window.is_empty() {
            return Ok(window.alpha);
        }
        let exits = self.position.board().king_exits(self.position.tables());
        if let Some(score) = self.recognised::<PV>(ply, exits) {
            return Ok(score);
        }
        let depth = depth.max(1);
        let known = self.table.probe(self.position.key());
        if let Some(known) = known.filter(|known| !PV && i32::from(known.depth) >= depth) {
            let score = known.score.from_root(ply as u32);
            let settled = match known.bound {
                Bound::Exact => true,
                Bound::Lower => score >= window.beta,
                Bound::Upper => score <= window.alpha,
            };
            if settled {
                self.judged |= !score.is_proven();
                return Ok(score);
            }
        }
        let first = self.moves.len();
        let forced = exits > 0 && self.position.side() == Side::Attackers && self.ways_are_forcing;
        let table_move = known.and_then(|known| known.mv);
        if forced {
            let ways = self.position.board().king_exit_squares(self.position.tables());
            self.list_moves_to(ways, ply, table_move);
        } else {
            self.list_moves(ply, table_move);
        }
        if self.moves.len() == first {
            return Ok(self.helpless::<PV>(ply));
        }
        // An answer that is forced costs no depth, as long as the line does not grow too long.
        let depth = if forced && ply < self.longest_line { depth + 1 } else { depth };
        let score = self.try_moves::<PV>(window, depth, ply, first, forced);
        self.moves.truncate(first);
        score
    }

    /// The best score of the moves listed from `first` on.
    fn try_moves<const PV: bool>(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
        first: usize,
        forced: bool,
    ) -> Searched {
        let Window { mut alpha, beta } = window;
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        for i in 0..self.moves.len() - first {
            let candidate = pick(&mut self.moves[first..], i);
            let window = Window { alpha, beta };
            let reduction = if forced { 0 } else { reduction(depth, i, candidate) };
            self.play(candidate.mv);
            let score = self.try_move::<PV>(window, depth - 1, reduction, ply + 1, i == 0);
            self.undo();
            let score = score?;
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(candidate.mv);
                    if PV {
                        self.lines.extend(ply, candidate.mv);
                    }
                    if score >= beta {
                        self.credit(depth, ply, first, i);
                        break;
                    }
                }
            }
        }
        self.remember(window, depth, ply, best, best_move);
        Ok(best)
    }

    /// The score, for the side that has just moved, of the move just made.
    pub(super) fn try_move<const PV: bool>(
        &mut self,
        window: Window,
        depth: i32,
        reduction: i32,
        ply: usize,
        is_first: bool,
    ) -> Searched {
        if is_first {
            return Ok(-self.negamax::<PV>(window.flipped(), depth, ply)?);
        }
        let null = window.at_alpha().flipped();
        let mut score = -self.negamax::<false>(null, depth - reduction, ply)?;
        if reduction > 0 && score > window.alpha {
            score = -self.negamax::<false>(null, depth, ply)?;
        }
        if PV && score > window.alpha {
            score = -self.negamax::<PV>(window.flipped(), depth, ply)?;
        }
        Ok(score)
    }

    /// The score of a side without a move, or of attackers without an answer to the king's way.
    pub(super) fn helpless<const PV: bool>(&mut self, ply: usize) -> Score {
        if !self.position.board().has_move(self.position.tables()) {
            return Score::loss_in(ply as u32);
        }
        if PV {
            self.note_vain_move(ply);
        }
        Score::loss_in(ply as u32 + 2)
    }

    /// The defenders are to move and the attackers threaten to take the king: no moment to judge.
    fn is_king_in_danger(&self) -> bool {
        let (board, tables) = (self.position.board(), self.position.tables());
        board.side() == Side::Defenders
            && board.king_exits(tables) == 0
            && board.king_can_be_taken(tables)
    }

    /// A move refuted the node: it gains credit if it is quiet, the quiet ones before it lose some.
    fn credit(&mut self, depth: i32, ply: usize, first: usize, at: usize) {
        let side = self.position.side();
        let captures = self.position.board().capture_squares(self.position.tables(), side);
        let is_quiet = |mv: Move| !captures.has(mv.to.index());
        let Ranked { mv, .. } = self.moves[first + at];
        if !is_quiet(mv) {
            return;
        }
        let bonus = (depth * depth * 8).min(1_200);
        self.killers.remember(ply, mv);
        self.history.reward(side, mv, bonus);
        for earlier in &self.moves[first..first + at] {
            if is_quiet(earlier.mv) {
                self.history.reward(side, earlier.mv, -bonus);
            }
        }
    }

    /// Writes what was found into the table.
    fn remember(&self, window: Window, depth: i32, ply: usize, best: Score, mv: Option<Move>) {
        let bound = if best >= window.beta {
            Bound::Lower
        } else if best > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // The move is worth keeping also where the score is not.
        let depth = if self.rests_on_repetition(best) { 0 } else { depth };
        let score = best.from_node(ply as u32);
        self.table.store(self.position.key(), Entry { mv, score, bound, depth: depth as u8 });
    }
}

/// How many plies less deep a move is looked at first (late move reductions).
fn reduction(depth: i32, index: usize, candidate: Ranked) -> i32 {
    if depth < REDUCTION_DEPTH || index < REDUCTION_MOVE || candidate.is_capture() {
        return 0;
    }
    let late = (index as u32).ilog2() as i32 - 1;
    let deep = (depth as u32).ilog2() as i32;
    (late * deep / 3).clamp(1, depth - 2)
}
