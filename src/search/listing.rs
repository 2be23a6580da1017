//! Which moves of a node are put in the worker's list, each with its rank.

use std::mem;

use super::ordering::{Character, Hints, Ranked, promote};
use super::worker::Worker;
use crate::eval::Evaluation;
use crate::game::bits::Bits;
use crate::game::board::Board;
use crate::game::geometry::{Geometry, Square};
use crate::game::moves::Move;
use crate::game::rules::{Kind, Side};
use crate::game::tables::RuleTables;

/// Puts moves of the side to move into a list, but for one.
struct Lister<'a, G: Geometry> {
    board: &'a Board<G>,
    tables: &'a RuleTables<G>,
    hints: Hints<'a, G>,
    except: Option<Move>,
    moves: Vec<Ranked>,
    /// Behind the last move that is known to be good for something: these stand first.
    good: usize,
}

impl<G: Geometry> Lister<'_, G> {
    /// One move. Only those that are known to be good for something need be put in order: where they
    /// have failed, the order of the rest matters less than the time to find it.
    #[inline(always)]
    fn add(&mut self, mv: Ranked) {
        let last = self.moves.len();
        self.moves.push(mv);
        if mv.rank > 0 {
            self.moves.swap(self.good, last);
            self.good += 1;
        }
    }

    /// All moves of one piece.
    #[inline]
    fn add_from(&mut self, (kind, from): (Kind, Square)) {
        let hints = self.hints.of(kind, from);
        let reach = self.board.reach(self.tables, kind, from);
        for to in reach.squares::<G>(from) {
            if Some(Move { from, to }) != self.except {
                self.add(hints.ranked(to));
            }
        }
    }

    /// The moves to some squares, except those of pieces on some others.
    #[inline]
    fn add_to(&mut self, targets: G::Bits, except_from: G::Bits) {
        for to in targets.squares().map(|to| Square(to as u16)) {
            for (kind, from) in self.board.movers_to(self.tables, self.hints.side, to) {
                if !except_from.has(from.index()) && Some(Move { from, to }) != self.except {
                    self.add(self.hints.of(kind, from).ranked(to));
                }
            }
        }
    }
}

impl<G: Geometry, E: Evaluation<G>> Worker<'_, G, E> {
    /// Adds the moves of the side to move, but for one, and returns how many of them, standing before
    /// the others, are known to be good for something.
    pub(super) fn list_moves(&mut self, ply: usize, except: Option<Move>) -> usize {
        self.list(ply, except, |list| {
            for piece in list.board.pieces(list.hints.side) {
                list.add_from(piece);
            }
        })
    }

    /// The same for the moves to some squares.
    pub(super) fn list_moves_to(
        &mut self,
        targets: G::Bits,
        ply: usize,
        except: Option<Move>,
    ) -> usize {
        self.list(ply, except, |list| list.add_to(targets, G::Bits::EMPTY))
    }

    /// The same for the moves that are not quiet: captures and what changes the lines of the king
    /// (see [`Character`]).
    pub(super) fn list_lively(&mut self, ply: usize, except: Option<Move>) -> usize {
        self.list(ply, except, |list| {
            let Hints { side, captures, king_lines, .. } = list.hints;
            if side == Side::Attackers {
                list.add_to((captures | king_lines).minus(list.board.occupied()), G::Bits::EMPTY);
                return;
            }
            for piece in list.board.pieces(side).filter(|piece| king_lines.has(piece.1.index())) {
                list.add_from(piece);
            }
            list.add_to(captures, king_lines);
        })
    }

    /// Adds what `fill` puts into the list of the worker.
    #[inline]
    fn list(
        &mut self,
        ply: usize,
        except: Option<Move>,
        fill: impl FnOnce(&mut Lister<G>),
    ) -> usize {
        let moves = mem::take(&mut self.moves);
        let first = moves.len();
        let (board, tables) = (self.position.board(), self.position.tables());
        let hints = self.hints(ply);
        let mut list = Lister { board, tables, hints, except, moves, good: first };
        fill(&mut list);
        let Lister { moves, good, .. } = list;
        self.moves = moves;
        good - first
    }

    /// The same for the defenders' moves that may save a king who can be taken.
    pub(super) fn list_rescues(&mut self, ply: usize, except: Option<Move>) -> usize {
        let (board, tables) = (self.position.board(), self.position.tables());
        let (squares, anywhere) = board.king_rescue(tables);
        let first = self.moves.len();
        self.list_moves(ply, except);
        let mut kept = first;
        for i in first..self.moves.len() {
            let mv = self.moves[i].mv;
            if squares.has(mv.to.index()) || anywhere.has(mv.from.index()) {
                self.moves.swap(kept, i);
                kept += 1;
            }
        }
        self.moves.truncate(kept);
        promote(&mut self.moves[first..])
    }

    /// Adds the captures of the side to move.
    pub(super) fn list_captures(&mut self) {
        let (board, tables) = (self.position.board(), self.position.tables());
        let side = board.side();
        let hammer = tables.rules.hammer;
        for to in board.capture_squares(tables, side).squares().map(|to| Square(to as u16)) {
            let movers = board.movers_to(tables, side, to);
            let captors = movers.filter(|(kind, _)| hammer || *kind != Kind::King);
            self.moves.extend(captors.map(|(_, from)| Ranked {
                mv: Move { from, to },
                rank: self.history.capture(side, Move { from, to }),
                character: Character::Capture,
            }));
        }
    }

    /// A move of the side to move with its rank.
    pub(super) fn ranked(&self, ply: usize, mv: Move) -> Ranked {
        self.hints(ply).of(self.kind_of(mv), mv.from).ranked(mv.to)
    }

    /// What the order of the moves of a node rests on.
    fn hints(&self, ply: usize) -> Hints<'_, G> {
        let side = self.position.side();
        Hints {
            side,
            captures: self.position.board().capture_squares(self.position.tables(), side),
            king_lines: self.position.board().king_lines(),
            before: self.before(),
            killers: self.killers.of(ply),
            history: self.history,
        }
    }
}
