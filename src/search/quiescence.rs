//! The tree below the horizon: only moves that change much, until a position is quiet enough to be
//! judged. In tafl that is not only captures: a king with an open way has to be answered.

use super::limits::Bound;
use super::ordering::pick;
use super::score::{MAX_PLY, Score};
use super::tt::Entry;
use super::window::Window;
use super::worker::{Searched, Worker};
use crate::eval::Evaluation;
use crate::game::geometry::Geometry;
use crate::game::moves::Move;
use crate::game::rules::Side;

impl<G: Geometry, E: Evaluation<G>> Worker<'_, G, E> {
    /// The score of the position for the side to move, looking at captures and at what answers an
    /// open way of the king.
    pub(super) fn quiesce<const PV: bool>(&mut self, window: Window, ply: usize) -> Searched {
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
        let (board, tables) = (self.position.board(), self.position.tables());
        let exits = board.king_exits(tables);
        if let Some(score) = self.recognised::<PV>(ply, exits) {
            return Ok(score);
        }
        let known = self.table.probe(self.position.key());
        if !PV
            && let Some(known) = known
            && let Some(score) = known.settles(window, ply)
        {
            self.judged |= !score.is_proven();
            return Ok(score);
        }
        let too_long = ply >= MAX_PLY - 1;
        let forced = exits > 0 && self.position.side() == Side::Attackers && self.ways_are_forcing;
        let first = self.moves.len();
        let mut best = -Score::INFINITE;
        let mut judgement = None;
        if forced && !too_long {
            let ways = self.position.board().king_exit_squares(self.position.tables());
            self.list_moves_to(ways, ply, None);
            if self.moves.len() == first {
                return Ok(self.helpless::<PV>(ply));
            }
        } else {
            if !self.position.board().has_move(self.position.tables()) {
                return Ok(Score::loss_in(ply as u32));
            }
            // The side to move need not capture: it has some move that is no worse than none.
            self.judged = true;
            let known = known.and_then(|known| known.judgement).map(i32::from);
            let worth = known.unwrap_or_else(|| self.evaluation.evaluate(&self.position));
            judgement = i16::try_from(worth).ok();
            best = Score::centipawns(worth);
            if best >= window.beta || too_long {
                if known.is_none() {
                    self.remember_quiet(window, ply, best, None, judgement);
                }
                return Ok(best);
            }
            self.list_captures();
        }
        let (score, mv) = self.try_noisy::<PV>(window, best, ply, first)?;
        self.moves.truncate(first);
        self.remember_quiet(window, ply, score, mv, judgement);
        Ok(score)
    }

    /// Writes what was found into the table.
    fn remember_quiet(
        &self,
        window: Window,
        ply: usize,
        best: Score,
        mv: Option<Move>,
        judgement: Option<i16>,
    ) {
        if self.rests_on_repetition(best) {
            return;
        }
        let bound = if best >= window.beta { Bound::Lower } else { Bound::Upper };
        let score = best.from_node(ply as u32);
        self.table.store(self.position.key(), Entry { mv, score, bound, depth: 0, judgement });
    }

    /// The best of `best` and the moves listed from `first` on.
    fn try_noisy<const PV: bool>(
        &mut self,
        window: Window,
        mut best: Score,
        ply: usize,
        first: usize,
    ) -> Searched<(Score, Option<Move>)> {
        let Window { alpha, beta } = window;
        let mut alpha = alpha.max(best);
        let mut best_move = None;
        for i in 0..self.moves.len() - first {
            let mv = pick(&mut self.moves[first..], i).mv;
            self.play(mv);
            let score = self.quiesce::<PV>(Window { alpha, beta }.flipped(), ply + 1);
            self.undo();
            let score = -score?;
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if PV {
                        self.lines.extend(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        Ok((best, best_move))
    }
}
