//! What a move captures. Everything is decided on the board after the move and before anything is
//! removed.

use super::bits::Bits;
use super::board::Board;
use super::geometry::{Geometry, Square};
use super::rules::{Kind, Shieldwall, Side};
use super::tables::RuleTables;

/// What a move captures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Captured<B> {
    /// The enemy's men.
    pub men: B,
    /// The king, from where he stood.
    pub king: Option<Square>,
}

impl<B: Bits> Captured<B> {
    /// Was anything captured?
    #[inline]
    pub fn any(&self) -> bool {
        !self.men.is_empty() || self.king.is_some()
    }

    /// All captured squares.
    pub fn squares(&self) -> impl Iterator<Item = Square> {
        let mut all = self.men;
        if let Some(king) = self.king {
            all = all | B::bit(king.index());
        }
        all.squares().map(|square| Square(square as u16))
    }
}

impl<G: Geometry> Board<G> {
    /// What the piece of `kind` captures that has just arrived on `to`.
    #[inline]
    pub(super) fn captures(
        &self,
        tables: &RuleTables<G>,
        to: Square,
        kind: Kind,
    ) -> Captured<G::Bits> {
        let mut captured = Captured::default();
        if kind != Kind::King || tables.rules.hammer {
            captured.men = self.custodial(tables, to, kind.side());
            if tables.rules.linnaean && kind == Kind::Attacker {
                captured.men = captured.men | self.linnaean(tables, to);
            }
            if tables.rules.shieldwall != Shieldwall::No && tables.edge.has(to.index()) {
                captured.men = captured.men | self.shieldwall(tables, to, kind.side());
            }
        }
        if kind == Kind::Attacker {
            captured.king = self.king().filter(|&king| self.takes_king(tables, to, king));
        }
        captured
    }

    #[inline]
    fn custodial(&self, tables: &RuleTables<G>, to: Square, us: Side) -> G::Bits {
        let enemies = self.men(us.other());
        let mut taken = G::Bits::EMPTY;
        if !tables.near[to.index()].meets(enemies) {
            return taken;
        }
        let captors = self.captors(tables, us);
        for flank in &tables.flanks[to.index()] {
            if enemies.has(flank.victim) && captors.has(flank.beyond) {
                taken = taken | G::Bits::bit(flank.victim);
            }
        }
        taken
    }

    /// The empty squares on which a man of `us` who arrives takes an enemy man between himself and a
    /// second captor.
    #[inline]
    pub fn capture_squares(&self, tables: &RuleTables<G>, us: Side) -> G::Bits {
        let (enemies, captors) = (self.men(us.other()), self.captors(tables, us));
        let (not_first, not_last) = (tables.not_first_file, tables.not_last_file);
        // A victim on the first or last file has no square on one side of him.
        let inner = enemies & not_first & not_last;
        let landings = (inner & captors.down(1)).down(1)
            | (inner & captors.up(1)).up(1)
            | (enemies & captors.down(G::SIZE)).down(G::SIZE)
            | (enemies & captors.up(G::SIZE)).up(G::SIZE);
        landings & tables.board.minus(self.occupied())
    }

    /// The squares that serve `us` as the second captor of an enemy man.
    #[inline]
    fn captors(&self, tables: &RuleTables<G>, us: Side) -> G::Bits {
        let victim = us.other().soldier() as usize;
        let mut captors = self.men(us);
        let occupied = self.occupied();
        captors = captors
            | tables.hostile_empty[victim].minus(occupied)
            | (tables.hostile_occupied[victim] & occupied)
            | (tables.hostile_with_king[victim] & self.king_set());
        if us == Side::Defenders && tables.rules.anvil {
            captors = captors | self.king_set();
        }
        captors
    }

    /// A defender between the arriving attacker and the king, who sits on the throne with attackers
    /// on his three other sides (Linnaeus 1732).
    fn linnaean(&self, tables: &RuleTables<G>, to: Square) -> G::Bits {
        let Some(king) = self.king().filter(|king| tables.throne.has(king.index())) else {
            return G::Bits::EMPTY;
        };
        let near = tables.near[king.index()];
        let defenders = near & self.men(Side::Defenders);
        if (near & self.men(Side::Attackers)).count() != 3 || defenders.count() != 1 {
            return G::Bits::EMPTY;
        }
        let taken = tables.flanks[to.index()]
            .iter()
            .any(|flank| flank.beyond == king.index() && defenders.has(flank.victim));
        if taken { defenders } else { G::Bits::EMPTY }
    }

    /// Runs of enemies along the edge that the man on the edge square `to` closes.
    fn shieldwall(&self, tables: &RuleTables<G>, to: Square, us: Side) -> G::Bits {
        let king = self.king_set();
        let (ours, enemies) = match us {
            Side::Attackers => (self.men(us), self.men(us.other()) | king),
            Side::Defenders => (self.men(us) | king, self.men(us.other())),
        };
        let mut brackets = ours;
        if tables.rules.shieldwall == Shieldwall::CornersClose {
            brackets = brackets | tables.corners.minus(self.occupied());
        }
        let last = G::SIZE as isize - 1;
        let (file, rank) = to.file_rank(G::SIZE);
        let (file, rank) = (file as isize, rank as isize);
        let has = |set: G::Bits, file: isize, rank: isize| {
            (0..=last).contains(&file)
                && (0..=last).contains(&rank)
                && set.has((rank * (last + 1) + file) as usize)
        };
        let mut taken = G::Bits::EMPTY;
        // An edge that `to` is on: the way along it, and the way inside from it.
        let edges = [
            (file == 0, (0, 1), (1, 0)),
            (file == last, (0, 1), (-1, 0)),
            (rank == 0, (1, 0), (0, 1)),
            (rank == last, (1, 0), (0, -1)),
        ];
        for (_, along, inside) in edges.into_iter().filter(|(on_edge, _, _)| *on_edge) {
            for way in [-1, 1] {
                let mut run = G::Bits::EMPTY;
                let (mut f, mut r) = (file + way * along.0, rank + way * along.1);
                while has(enemies, f, r) && has(ours, f + inside.0, r + inside.1) {
                    run = run | G::Bits::bit((r * (last + 1) + f) as usize);
                    f += way * along.0;
                    r += way * along.1;
                }
                if run.count() >= 2 && has(brackets, f, r) {
                    taken = taken | run;
                }
            }
        }
        taken.minus(king)
    }

    /// Does the attacker that has just arrived on `to` take the king?
    #[inline]
    fn takes_king(&self, tables: &RuleTables<G>, to: Square, king: Square) -> bool {
        let near = tables.near[king.index()];
        near.has(to.index()) && self.king_falls(tables, to, king, self.king_captors(tables))
    }

    /// The squares that serve the attackers against the king.
    pub(crate) fn king_captors(&self, tables: &RuleTables<G>) -> G::Bits {
        let occupied = self.occupied();
        let king = Kind::King as usize;
        self.men(Side::Attackers)
            | tables.hostile_empty[king].minus(occupied)
            | (tables.hostile_occupied[king] & occupied)
    }

    /// Is the king taken by an attacker on his neighbour `to`, given the squares that serve the
    /// attackers (whether or not `to` is among them)?
    pub(super) fn king_falls(
        &self,
        tables: &RuleTables<G>,
        to: Square,
        king: Square,
        captors: G::Bits,
    ) -> bool {
        let near = tables.near[king.index()];
        if tables.custodial_king.has(king.index()) {
            let opposite = (2 * king.index()).wrapping_sub(to.index());
            opposite < G::SQUARES && near.has(opposite) && captors.has(opposite)
        } else {
            let walled = tables.rules.edge_walls_king || !tables.edge.has(king.index());
            walled && near.minus(captors | G::Bits::bit(to.index())).is_empty()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::any_size::Game;
    use super::super::variants::variants;
    use super::*;
    use crate::with_position;

    /// Along a walk through every rule set, a soldier takes something in the custodial way exactly
    /// where `capture_squares` says so.
    #[test]
    fn capture_squares_are_where_captures_happen() {
        let mut captures = 0;
        for rules in variants() {
            let mut game = Game::start(rules.clone()).unwrap();
            for step in 0..120_usize {
                let moves = game.legal_moves();
                with_position!(&game, position => {
                    let (board, tables) = (position.board(), position.tables());
                    let squares = board.capture_squares(tables, board.side());
                    for mv in moves.iter().filter(|mv| board.king() != Some(mv.from)) {
                        let taken = board.clone().custodial_after(tables, *mv);
                        captures += u32::from(taken);
                        assert_eq!(squares.has(mv.to.index()), taken, "{} {}", rules.id, game.fen());
                    }
                });
                let Some(&mv) = moves.get(step * 7919 % moves.len().max(1)) else { break };
                game.play(mv);
            }
        }
        assert!(captures > 1_000, "{captures} captures are too few to tell");
    }

    impl<G: Geometry> Board<G> {
        /// Does the move of a soldier take a man in the custodial way?
        fn custodial_after(
            &mut self,
            tables: &RuleTables<G>,
            mv: super::super::moves::Move,
        ) -> bool {
            let us = self.side();
            let undo = self.play(tables, mv);
            // Captures are decided on the board before anything is removed.
            let mut before_removal = self.clone();
            for square in undo.captured.men.squares() {
                before_removal.put(us.other().soldier(), Square(square as u16));
            }
            if let Some(king) = undo.captured.king {
                before_removal.put(Kind::King, king);
            }
            let taken = before_removal.custodial(tables, mv.to, us);
            self.undo(&undo);
            !taken.is_empty()
        }
    }
}
