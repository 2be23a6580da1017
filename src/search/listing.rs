//! Which moves of a node are put in the worker's list, each with its rank.

use std::mem;

use super::ordering::{Character, Hints, Ranked};
use super::worker::Worker;
use crate::eval::Evaluation;
use crate::game::bits::Bits;
use crate::game::geometry::{Geometry, Square};
use crate::game::moves::Move;
use crate::game::rules::{Kind, Side};

impl<G: Geometry, E: Evaluation<G>> Worker<'_, G, E> {
    /// Adds the moves of the side to move, but for one.
    pub(super) fn list_moves(&mut self, ply: usize, except: Option<Move>) {
        let mut moves = mem::take(&mut self.moves);
        let (board, tables) = (self.position.board(), self.position.tables());
        let hints = self.hints(ply);
        for (kind, from) in board.pieces(board.side()) {
            let reach = board.reach(tables, kind, from);
            let all = reach.squares::<G>(from).map(|to| Move { from, to });
            let wanted = all.filter(|&mv| Some(mv) != except);
            moves.extend(wanted.map(|mv| hints.ranked(kind, mv)));
        }
        self.moves = moves;
    }

    /// Adds the moves of the side to move to some squares, but for one.
    pub(super) fn list_moves_to(&mut self, targets: G::Bits, ply: usize, except: Option<Move>) {
        let mut moves = mem::take(&mut self.moves);
        let (board, tables) = (self.position.board(), self.position.tables());
        let hints = self.hints(ply);
        for to in targets.squares().map(|to| Square(to as u16)) {
            let movers = board.movers_to(tables, board.side(), to);
            let all = movers.map(|(kind, from)| (kind, Move { from, to }));
            let wanted = all.filter(|&(_, mv)| Some(mv) != except);
            moves.extend(wanted.map(|(kind, mv)| hints.ranked(kind, mv)));
        }
        self.moves = moves;
    }

    /// Adds the moves of the side to move that are not quiet, but for one: captures and what changes
    /// the lines of the king (see [`Character`]).
    pub(super) fn list_lively(&mut self, ply: usize, except: Option<Move>) {
        let (board, tables) = (self.position.board(), self.position.tables());
        let side = board.side();
        let lines = board.king_lines();
        let captures = board.capture_squares(tables, side);
        if side == Side::Attackers {
            self.list_moves_to((captures | lines).minus(board.occupied()), ply, except);
            return;
        }
        let mut moves = mem::take(&mut self.moves);
        let (board, tables) = (self.position.board(), self.position.tables());
        let hints = self.hints(ply);
        let on_lines = board.pieces(side).filter(|(_, from)| lines.has(from.index()));
        for (kind, from) in on_lines {
            let reach = board.reach(tables, kind, from);
            let all = reach.squares::<G>(from).map(|to| Move { from, to });
            let wanted = all.filter(|&mv| Some(mv) != except);
            moves.extend(wanted.map(|mv| hints.ranked(kind, mv)));
        }
        for to in captures.squares().map(|to| Square(to as u16)) {
            let others =
                board.movers_to(tables, side, to).filter(|(_, from)| !lines.has(from.index()));
            let all = others.map(|(kind, from)| (kind, Move { from, to }));
            let wanted = all.filter(|&(_, mv)| Some(mv) != except);
            moves.extend(wanted.map(|(kind, mv)| hints.ranked(kind, mv)));
        }
        self.moves = moves;
    }

    /// Adds the defenders' moves that may save a king who can be taken, but for one.
    pub(super) fn list_rescues(&mut self, ply: usize, except: Option<Move>) {
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
        self.hints(ply).ranked(self.kind_of(mv), mv)
    }

    /// What the order of the moves of a node rests on.
    fn hints(&self, ply: usize) -> Hints<'_, G> {
        let side = self.position.side();
        Hints {
            side,
            ply,
            captures: self.position.board().capture_squares(self.position.tables(), side),
            king_lines: self.position.board().king_lines(),
            before: self.before(),
            killers: &self.killers,
            history: self.history,
        }
    }
}
