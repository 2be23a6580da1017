//! Which moves there are. Every move that the lines, the special squares and the speed limits allow
//! is legal: tafl knows no check.

use super::bits::Bits;
use super::board::Board;
use super::geometry::{Geometry, Line, Square, line_attacks};
use super::moves::Move;
use super::rules::{Kind, Side};
use super::tables::RuleTables;

/// Where one piece may go: squares of its rank and of its file.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// Bit `i` is the square on file `i` of the rank.
    pub row: Line,
    /// Bit `i` is the square on rank `i` of the file.
    pub column: Line,
}

impl Reach {
    /// How many squares that is.
    #[inline]
    pub fn count(self) -> u32 {
        self.row.count_ones() + self.column.count_ones()
    }

    /// Does the reach of a piece on `from` contain `to`?
    #[inline]
    pub fn contains<G: Geometry>(self, from: Square, to: Square) -> bool {
        let (from_file, from_rank) = from.file_rank(G::SIZE);
        let (to_file, to_rank) = to.file_rank(G::SIZE);
        from_rank == to_rank && self.row >> to_file & 1 != 0
            || from_file == to_file && self.column >> to_rank & 1 != 0
    }

    /// The squares of the reach of a piece on `from`.
    #[inline]
    pub fn squares<G: Geometry>(self, from: Square) -> impl Iterator<Item = Square> {
        let (file, rank) = from.file_rank(G::SIZE);
        let row = bits(self.row).map(move |i| Square::at(i, rank, G::SIZE));
        row.chain(bits(self.column).map(move |i| Square::at(file, i, G::SIZE)))
    }
}

/// The set bits of a line, lowest first.
#[inline]
pub(super) fn bits(mut line: Line) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (line != 0).then(|| line.trailing_zeros() as usize);
        line &= line.wrapping_sub(1);
        first
    })
}

impl<G: Geometry> Board<G> {
    /// Where a piece of `kind` on `from` may go.
    #[inline]
    pub fn reach(&self, tables: &RuleTables<G>, kind: Kind, from: Square) -> Reach {
        let path = &tables.paths[kind as usize][from.index()];
        let (file, rank) = from.file_rank(G::SIZE);
        let (row, column) = (self.row(rank), self.column(file));
        // A square that may not be crossed can still be one to stop on, so blockers count as seen
        // and the occupied ones are dropped afterwards.
        Reach {
            row: line_attacks(row | path.row_block, file) & !row & path.row_stop,
            column: line_attacks(column | path.column_block, rank) & !column & path.column_stop,
        }
    }

    /// The pieces of a side with their kinds, men first, then the king.
    #[inline]
    pub fn pieces(&self, side: Side) -> impl Iterator<Item = (Kind, Square)> + use<G> {
        let kind = side.soldier();
        let king = self.king().filter(|_| side == Side::Defenders);
        let men = self.men(side).squares().map(move |square| (kind, Square(square as u16)));
        men.chain(king.map(|king| (Kind::King, king)))
    }

    /// Adds every move of the side to move to `list`, in a fixed order. A finished game is the
    /// caller's business.
    #[inline]
    pub fn moves(&self, tables: &RuleTables<G>, list: &mut Vec<Move>) {
        for (kind, from) in self.pieces(self.side()) {
            let reach = self.reach(tables, kind, from);
            list.extend(reach.squares::<G>(from).map(|to| Move { from, to }));
        }
    }

    /// How many moves the side to move has.
    #[inline]
    pub fn count_moves(&self, tables: &RuleTables<G>) -> u32 {
        let count = |kind, from| self.reach(tables, kind, from).count();
        let side = self.side();
        let men: u32 =
            self.men(side).squares().map(|from| count(side.soldier(), Square(from as u16))).sum();
        let king = self.king().filter(|_| side == Side::Defenders);
        men + king.map_or(0, |king| count(Kind::King, king))
    }

    /// Has the side to move any move?
    #[inline]
    pub fn has_move(&self, tables: &RuleTables<G>) -> bool {
        self.pieces(self.side()).any(|(kind, from)| self.reach(tables, kind, from).count() > 0)
    }

    /// The pieces of a side, with their kinds, that may move to the empty square `to`.
    ///
    /// Looking back from the square finds the at most four candidates, so that a search which wants
    /// the moves to a few squares need not make a list of all.
    #[inline]
    pub fn movers_to(
        &self,
        tables: &RuleTables<G>,
        side: Side,
        to: Square,
    ) -> impl Iterator<Item = (Kind, Square)> {
        let (file, rank) = to.file_rank(G::SIZE);
        let (row, column) = (self.row(rank), self.column(file));
        let row = bits(line_attacks(row, file) & row).map(move |i| Square::at(i, rank, G::SIZE));
        let column =
            bits(line_attacks(column, rank) & column).map(move |i| Square::at(file, i, G::SIZE));
        row.chain(column).filter_map(move |from| {
            let kind = if self.men(side).has(from.index()) {
                side.soldier()
            } else if side == Side::Defenders && self.king() == Some(from) {
                Kind::King
            } else {
                return None;
            };
            self.reach(tables, kind, from).contains::<G>(from, to).then_some((kind, from))
        })
    }

    /// Is this one of the moves of the side to move?
    pub fn is_move(&self, tables: &RuleTables<G>, mv: Move) -> bool {
        let on_board = mv.from.index() < G::SQUARES && mv.to.index() < G::SQUARES;
        on_board
            && self.piece_at(mv.from).is_some_and(|kind| {
                kind.side() == self.side()
                    && self.reach(tables, kind, mv.from).contains::<G>(mv.from, mv.to)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::super::any_size::Game;
    use super::super::variants::variants;
    use super::*;
    use crate::with_position;

    /// Along a walk through every rule set, the movers to each empty square are those of the list
    /// of moves.
    #[test]
    fn movers_are_those_of_the_list() {
        for rules in variants() {
            let mut game = Game::start(rules.clone()).unwrap();
            for step in 0..60_usize {
                let moves = game.legal_moves();
                with_position!(&game, position => {
                    let (board, tables) = (position.board(), position.tables());
                    let mut found = Vec::new();
                    for to in rules.squares().filter(|&to| board.piece_at(to).is_none()) {
                        let movers = board.movers_to(tables, board.side(), to);
                        found.extend(movers.map(|(_, from)| Move { from, to }));
                    }
                    let mut listed = moves.clone();
                    listed.sort();
                    found.sort();
                    if !listed.is_empty() {
                        assert_eq!(found, listed, "{} {}", rules.id, game.fen());
                    }
                });
                let Some(&mv) = moves.get(step * 7919 % moves.len().max(1)) else { break };
                game.play(mv);
            }
        }
    }
}
