//! What is known of a position before any of its moves is searched.

use super::dfpn::{Solver, UNBOUNDED};
use super::table::Numbers;
use crate::game::bits::Bits;
use crate::game::geometry::{Geometry, Square};
use crate::game::moves::Move;
use crate::game::rules::{Kind, Shieldwall, Side};

/// The most men that one move can take the last step from: those it captures and those it stands
/// before.
const NEAR: usize = 4;
/// The most rounds in which a flood crosses a board.
const MOST_LAYERS: usize = 400;

impl<G: Geometry> Solver<'_, G> {
    /// The numbers of the position, with so many plies left; `None` if they have to be looked up or
    /// guessed.
    pub(super) fn settled(&mut self, left: u16) -> Option<Numbers> {
        let (board, tables) = (self.position.board(), self.position.tables());
        if let Some(outcome) = board.decided(tables) {
            return Some(self.ended(outcome.winner));
        }
        if let Some(numbers) = self.repeated(left) {
            return Some(numbers);
        }
        let side = board.side();
        if !board.has_move(tables) {
            return Some(self.ended(Some(side.other())));
        }
        if self.position.is_at_ply_limit() {
            // With a bound every way here is equally long.
            return Some(if left == UNBOUNDED { Numbers::FAILED_HERE } else { Numbers::DISPROVEN });
        }
        if left == 0 {
            return Some(Numbers::DISPROVEN);
        }
        if side != self.goal {
            // With one ply left the goal does not come to move; a return to a position from before the
            // root may still end the game for it.
            let lost = left == 1 && !self.past_may_win || self.wins_plainly();
            return lost.then_some(Numbers::DISPROVEN);
        }
        if self.wins_plainly() || left == 1 && self.winning_move().is_some() {
            return Some(Numbers::proven(1));
        }
        (left == 1).then_some(Numbers::DISPROVEN)
    }

    fn ended(&self, winner: Option<Side>) -> Numbers {
        if winner == Some(self.goal) { Numbers::proven(0) } else { Numbers::DISPROVEN }
    }

    /// A position that has been on this way before is no progress. One from before the root ends
    /// the game if it has occurred often enough: a shortest win passes each position once, so this
    /// does not depend on the way.
    fn repeated(&self, left: u16) -> Option<Numbers> {
        let forbidden = self.goal == Side::Defenders && self.position.last_was_forbidden();
        if forbidden {
            return Some(Numbers::FAILED_HERE);
        }
        let mut earlier = self.position.earlier_occurrences().peekable();
        let latest = *earlier.peek()?;
        if latest >= self.root {
            return (left == UNBOUNDED).then_some(Numbers::FAILED_HERE);
        }
        let over = self.position.is_repetition();
        over.then(|| self.ended(self.position.repetition_outcome().winner))
    }

    /// Does the side to move win at once by the king's escape or capture?
    pub(super) fn wins_plainly(&self) -> bool {
        let (board, tables) = (self.position.board(), self.position.tables());
        match board.side() {
            Side::Attackers => board.king_can_be_taken(tables),
            Side::Defenders => board.king_exits(tables) > 0,
        }
    }

    /// A move of the goal's side, which is to move, that ends the game at once, the plain ways to win
    /// left aside.
    fn winning_move(&mut self) -> Option<Move> {
        let candidates = self.ending_moves();
        candidates.into_iter().find(|&mv| {
            self.nodes += 1;
            self.position.play(mv);
            let (board, tables) = (self.position.board(), self.position.tables());
            let won = match board.decided(tables) {
                Some(outcome) => outcome.winner == Some(self.goal),
                None if self.position.is_repetition() => {
                    self.position.repetition_outcome().winner == Some(self.goal)
                }
                None => !board.has_move(tables),
            };
            self.position.undo();
            won
        })
    }

    /// The moves that may end the game at once: by encirclement, by a fort, by leaving the opponent
    /// no move, or by a repetition of what was before the root. Most positions have none.
    fn ending_moves(&self) -> Vec<Move> {
        let (board, tables) = (self.position.board(), self.position.tables());
        let rules = &tables.rules;
        let mut moves = Vec::new();
        if self.past_may_win || self.opponent_is_nearly_stuck() {
            board.moves(tables, &mut moves);
            return moves;
        }
        let Some(king) = board.king() else { return moves };
        if self.goal == Side::Attackers && rules.encirclement {
            if let Some(way) = self.only_way_out(king) {
                board.moves(tables, &mut moves);
                moves.retain(|mv| way.has(mv.to.index()));
            }
        } else if self.goal == Side::Defenders && rules.exit_fort {
            board.moves(tables, &mut moves);
            if !tables.edge.has(king.index()) {
                moves.retain(|mv| mv.from == king && tables.edge.has(mv.to.index()));
            }
        }
        moves
    }

    /// Are so few men of the other side able to move that one move may stop them all?
    fn opponent_is_nearly_stuck(&self) -> bool {
        let (board, tables) = (self.position.board(), self.position.tables());
        let most = match tables.rules.shieldwall {
            Shieldwall::No => NEAR,
            _ => NEAR + 2 * G::SIZE,
        };
        let opponent = board.side().other();
        let mobile = board
            .pieces(opponent)
            .filter(|&(kind, from)| board.reach(tables, kind, from).count() > 0)
            .take(most + 1);
        mobile.count() <= most
    }

    /// The squares of a way of the king to the edge through squares without attackers, if no second
    /// way avoids them all: one man can cut him off only on these.
    fn only_way_out(&self, king: Square) -> Option<G::Bits> {
        let (board, tables) = (self.position.board(), self.position.tables());
        let free = tables.board.minus(board.men(Side::Attackers));
        let mut layers = vec![board.king_set()];
        let mut reached = board.king_set();
        while layers.len() < MOST_LAYERS {
            let last = *layers.last()?;
            if last.meets(tables.edge) {
                break;
            }
            let next = (tables.spread(last) & free).minus(reached);
            if next.is_empty() {
                // He is cut off; his men are not.
                return Some(tables.board);
            }
            reached = reached | next;
            layers.push(next);
        }
        let mut at = (*layers.last()? & tables.edge).squares().next()?;
        let mut way = G::Bits::EMPTY;
        for layer in layers.iter().rev().skip(1) {
            way = way | G::Bits::bit(at);
            at = (tables.near[at] & *layer).squares().next()?;
        }
        if layers.len() == 1 {
            // On the edge nobody is cut off.
            return None;
        }
        let around = tables.flood(G::Bits::bit(king.index()), free.minus(way));
        let second = tables.spread(around) & free;
        let escapes = around.meets(tables.edge) || second.minus(way).meets(tables.edge);
        (!escapes).then_some(way)
    }

    /// A first guess at the numbers of an open position: threats are near a proof.
    pub(super) fn guess(&self) -> Numbers {
        let (board, tables) = (self.position.board(), self.position.tables());
        let exits = board.king_exits(tables);
        let taken = |side: Side| side == Side::Attackers && board.king_can_be_taken(tables);
        let ours = self.position.side() == self.goal;
        match (self.goal, ours) {
            // Our king is to move and has no way out.
            (Side::Defenders, true) => {
                let danger = u32::from(taken(Side::Attackers));
                Numbers::open(2 + 2 * danger, 2 - danger)
            }
            // The attackers must close his ways, each with the men that can.
            (Side::Defenders, false) => match exits {
                0 => Numbers::open(12, 1),
                1 => {
                    let ways = board.king_exit_squares(tables);
                    let closers: usize = ways
                        .squares()
                        .map(|to| {
                            board.movers_to(tables, Side::Attackers, Square(to as u16)).count()
                        })
                        .sum();
                    Numbers::open(1 + closers.min(8) as u32, 1)
                }
                _ => Numbers::open(1, 2),
            },
            // The king, whom we hunt, threatens to leave, or does not.
            (Side::Attackers, true) => match exits {
                0 => Numbers::open(2, 2),
                exits => Numbers::open(2 + 2 * exits, 1),
            },
            (Side::Attackers, false) => {
                if taken(Side::Attackers) {
                    return Numbers::open(3, 1);
                }
                let king = board.king();
                let reach =
                    king.map_or(0, |king| board.reach(tables, Kind::King, king).count().min(12));
                Numbers::open(6 + reach, 1)
            }
        }
    }
}
