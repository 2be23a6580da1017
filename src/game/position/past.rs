//! Rules that look at the past of a position: the defenders may not repeat, and the game is drawn
//! after some number of plies.

use super::super::geometry::Geometry;
use super::super::moves::Move;
use super::super::outcome::Outcome;
use super::super::rules::Side;
use super::super::zobrist;
use super::{Position, Step};

impl<G: Geometry> Position<G> {
    /// Are there moves of the side to move that would be legal but for what has been before?
    #[inline]
    pub fn may_not_repeat(&self) -> bool {
        self.tables.rules.defenders_may_not_repeat && self.side() == Side::Defenders
    }

    /// Would a move of the side to move bring back a board that has been there before, whoever was
    /// to move then? Captures are left aside: the move alone is compared.
    pub fn repeats(&self, mv: Move) -> bool {
        let kind = self.board.mover(mv.from);
        let moved = zobrist::piece(kind, mv.from) ^ zobrist::piece(kind, mv.to);
        self.has_been(self.pieces_key(self.key(), self.side()) ^ moved, self.plies(), self.quiet)
    }

    /// Is the last move one that the defenders were forbidden to make? A search that lists moves
    /// without looking at the past asks so behind them.
    pub fn last_was_forbidden(&self) -> bool {
        let Some(Step { undo, quiet }) = self.past.last() else { return false };
        if !self.tables.rules.defenders_may_not_repeat
            || self.side() == Side::Defenders
            || undo.is_pass()
        {
            return false;
        }
        let Some(kind) = self.board.piece_at(undo.mv.to) else { return false };
        let moved = zobrist::piece(kind, undo.mv.from) ^ zobrist::piece(kind, undo.mv.to);
        let before = self.pieces_key(undo.key, Side::Defenders);
        self.has_been(before ^ moved, self.plies() - 1, *quiet)
    }

    /// Is one of the boards after `plies - quiet` to `plies` moves the one of this key? Earlier ones
    /// had more men.
    fn has_been(&self, pieces: u64, plies: usize, quiet: usize) -> bool {
        let mut side = self.past_side(plies - quiet);
        self.past[plies - quiet..plies].iter().any(|step| {
            let then = self.pieces_key(step.undo.key, side);
            side = side.other();
            then == pieces
        })
    }

    /// Whose turn it was after so many plies.
    fn past_side(&self, plies: usize) -> Side {
        let same = (self.plies() - plies).is_multiple_of(2);
        if same { self.side() } else { self.side().other() }
    }

    /// The key of the pieces alone.
    fn pieces_key(&self, key: u64, side: Side) -> u64 {
        if side == Side::Attackers { key ^ zobrist::ATTACKERS_TO_MOVE } else { key }
    }

    /// Have as many moves been made as a game may have?
    #[inline]
    pub fn is_at_ply_limit(&self) -> bool {
        self.tables.rules.draw_after.is_some_and(|limit| self.plies() >= limit as usize)
    }

    /// The loss of the side to move if it has no legal move.
    pub(super) fn stuck(&self) -> Option<Outcome> {
        let stuck = self.board.stuck(&self.tables);
        if stuck.is_some() || !self.may_not_repeat() {
            return stuck;
        }
        let mut moves = Vec::new();
        self.board.moves(&self.tables, &mut moves);
        let all_repeat = moves.iter().all(|&mv| self.repeats(mv));
        all_repeat.then(|| Outcome::no_moves(self.side()))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::super::geometry::Size7;
    use super::super::super::outcome::Reason;
    use super::super::super::rules::Rules;
    use super::super::super::tables::RuleTables;
    use super::super::super::variants::variant;
    use super::*;

    fn position(draw_after: Option<u32>, fen: &str) -> Position<Size7> {
        let rules = (*variant("brandubh").unwrap()).clone();
        let rules = Rules { defenders_may_not_repeat: true, draw_after, ..rules };
        Position::from_fen(Arc::new(RuleTables::new(Arc::new(rules))), fen).unwrap()
    }

    fn mv(text: &str) -> Move {
        Move::parse(text, 7).unwrap()
    }

    fn play(position: &mut Position<Size7>, moves: &str) {
        for text in moves.split(' ') {
            assert!(position.is_legal(mv(text)), "{text}");
            position.play(mv(text));
            assert!(!position.last_was_forbidden(), "{text}");
        }
    }

    #[test]
    fn defenders_bring_back_no_board() {
        let mut game = position(None, "7/1a5/7/3k3/7/4d2/7 d");
        play(&mut game, "e2e3 b6c6 e3f3 c6b6");
        // The start is back after f3-e3 and e3-e2, but e2 itself was left before the attackers moved.
        play(&mut game, "f3f2 b6c6");
        let back = mv("f2e2");
        // With the attackers' man on c6 the board with e2 has not been there.
        assert!(game.is_legal(back));
        play(&mut game, "f2g2 c6b6");
        assert!(!game.is_legal(mv("g2e2")), "the start");
        assert!(game.repeats(mv("g2e2")));
        assert!(game.legal_moves().iter().all(|&legal| !game.repeats(legal)));
        game.play(mv("g2e2"));
        assert!(game.last_was_forbidden());
        game.undo();
        // The attackers may repeat.
        play(&mut game, "g2g3 b6c6");
        assert!(!game.may_not_repeat() || game.side() == Side::Defenders);
    }

    #[test]
    fn whoever_was_to_move() {
        // The attackers' move brought the board about; the defenders may not.
        let mut game = position(None, "7/1a5/7/3k3/7/4d2/7 a");
        play(&mut game, "b6c6 e2f2 c6b6 f2g2 b6c6");
        // Board of ply 1: c6, e2.
        assert!(!game.is_legal(mv("g2e2")));
        assert!(!game.is_legal(mv("g2f2")));
        assert!(game.is_legal(mv("g2g3")));
    }

    #[test]
    fn a_side_that_could_only_repeat_loses() {
        // The only man that can move shuttles on two squares.
        let walled = "aaaaaaa/aaaaaaa/aaaaaaa/aaakaaa/aaaaaaa/aaaaaa1/aaaaaad";
        let rules = Rules {
            corners: Default::default(),
            encirclement: false,
            throne: Default::default(),
            goal: super::super::super::rules::Goal::Corners,
            ..(*position(None, "7/7/7/3k3/7/7/7 d").rules().as_ref()).clone()
        };
        let tables = Arc::new(RuleTables::<Size7>::new(Arc::new(rules)));
        let mut game = Position::from_fen(tables, &format!("{walled} d")).unwrap();
        assert_eq!(game.legal_moves().len(), 1);
        game.play(mv("g1g2"));
        game.play(mv("f1g1"));
        // g2 and g1 are men, f1 is free: nothing of the defenders moves.
        assert_eq!(game.outcome(), Some(Outcome::no_moves(Side::Defenders)));
    }

    #[test]
    fn the_last_ply_draws() {
        let mut game = position(Some(3), "7/1a5/7/3k3/7/4d2/7 d");
        play(&mut game, "e2e3 b6c6");
        assert_eq!(game.outcome(), None);
        play(&mut game, "e3f3");
        assert_eq!(game.outcome(), Some(Outcome::PLY_LIMIT));
        assert_eq!(Outcome::PLY_LIMIT.reason, Reason::PlyLimit);
        assert!(game.legal_moves().is_empty() && !game.is_legal(mv("c6c7")));
        // What ends the game by itself goes before it.
        let mut game = position(Some(1), "7/7/7/7/7/7/1a1k3 d");
        play(&mut game, "d1g1");
        assert_eq!(game.outcome().unwrap().reason, Reason::KingEscaped);
    }
}
