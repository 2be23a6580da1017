//! What the king could reach and who could take him, as a search and the announcements ask it.

use super::bits::Bits;
use super::board::Board;
use super::geometry::{Geometry, Line, Square, line_attacks};
use super::movegen::{Reach, bits};
use super::rules::{Kind, Shieldwall, Side};
use super::tables::RuleTables;

impl<G: Geometry> Board<G> {
    /// In how many directions the king reaches a goal square in one move, were it his turn.
    #[inline]
    pub fn king_exits(&self, tables: &RuleTables<G>) -> u32 {
        let Some(king) = self.king() else { return 0 };
        let Reach { row, column } = self.reach(tables, Kind::King, king);
        let (file, rank) = king.file_rank(G::SIZE);
        both_ways(row & tables.goal_rows[rank], file)
            + both_ways(column & tables.goal_columns[file], rank)
    }

    /// The squares of the king's ways to a goal: from beside him to the first goal square of each
    /// direction. Only a man who stops on one of them closes a way.
    pub fn king_exit_squares(&self, tables: &RuleTables<G>) -> G::Bits {
        let Some(king) = self.king() else { return G::Bits::EMPTY };
        let Reach { row, column } = self.reach(tables, Kind::King, king);
        let (file, rank) = king.file_rank(G::SIZE);
        let along_row =
            ways(row & tables.goal_rows[rank], file).map(|file| Square::at(file, rank, G::SIZE));
        let along_column = ways(column & tables.goal_columns[file], rank)
            .map(|rank| Square::at(file, rank, G::SIZE));
        along_row
            .chain(along_column)
            .fold(G::Bits::EMPTY, |set, square| set | G::Bits::bit(square.index()))
    }

    /// A square where the king wins in one move, were it his turn.
    pub fn king_exit(&self, tables: &RuleTables<G>) -> Option<Square> {
        let king = self.king()?;
        let mut reach = self.reach(tables, Kind::King, king).squares::<G>(king);
        reach.find(|to| tables.goals.has(to.index()))
    }

    /// From how many of the squares that the king reaches in one move, were it his turn, he would
    /// threaten to reach a goal square. A king who has a way to one already is not asked for.
    #[inline]
    pub fn king_threats(&self, tables: &RuleTables<G>) -> u32 {
        self.king_prospects(tables, |_, ways| ways > 0)
    }

    /// The squares that the king reaches in one move, were it his turn, and from which he would
    /// threaten to reach goal squares in two directions or more, as the pieces stand before what he
    /// captures is removed. A king who has a way to a goal already is not asked for.
    #[inline]
    pub fn king_forks(&self, tables: &RuleTables<G>) -> G::Bits {
        let mut forks = G::Bits::EMPTY;
        self.king_prospects(tables, |square, ways| {
            if ways > 1 {
                forks = forks | G::Bits::bit(square.index());
            }
            false
        });
        forks
    }

    /// Asks `test` of each square that the king reaches in one move, with the number of directions
    /// in which he would threaten to reach a goal from there, and counts where it holds.
    #[inline]
    fn king_prospects(
        &self,
        tables: &RuleTables<G>,
        mut test: impl FnMut(Square, u32) -> bool,
    ) -> u32 {
        let Some(king) = self.king() else { return 0 };
        let reach = self.reach(tables, Kind::King, king);
        let (file, rank) = king.file_rank(G::SIZE);
        // A king who may go as far as he likes sees nothing new along the line that he moves on.
        let slow = tables.rules.speed[Kind::King as usize].is_some();
        let row_without_king = self.row(rank) ^ 1 << file;
        let column_without_king = self.column(file) ^ 1 << rank;
        let mut count = 0;
        for file in bits(reach.row) {
            let mut ways = self.ways_in_column(tables, file, rank, self.column(file));
            if slow {
                ways += self.ways_in_row(tables, file, rank, row_without_king);
            }
            count += u32::from(test(Square::at(file, rank, G::SIZE), ways));
        }
        for rank in bits(reach.column) {
            let mut ways = self.ways_in_row(tables, file, rank, self.row(rank));
            if slow {
                ways += self.ways_in_column(tables, file, rank, column_without_king);
            }
            count += u32::from(test(Square::at(file, rank, G::SIZE), ways));
        }
        count
    }

    /// In how many directions would a king on this square reach a goal along the rank, on which the
    /// squares of `line` are occupied?
    #[inline]
    fn ways_in_row(&self, tables: &RuleTables<G>, file: usize, rank: usize, line: Line) -> u32 {
        let at = Square::at(file, rank, G::SIZE).index();
        let path = &tables.paths[Kind::King as usize][at];
        let seen = line_attacks(line | path.row_block, file) & !line & path.row_stop;
        both_ways(seen & tables.goal_rows[rank], file)
    }

    /// The same along the file.
    #[inline]
    fn ways_in_column(&self, tables: &RuleTables<G>, file: usize, rank: usize, line: Line) -> u32 {
        let at = Square::at(file, rank, G::SIZE).index();
        let path = &tables.paths[Kind::King as usize][at];
        let seen = line_attacks(line | path.column_block, rank) & !line & path.column_stop;
        both_ways(seen & tables.goal_columns[file], rank)
    }

    /// The squares of the king's rank and file up to the first piece each way, those pieces included
    /// and his own square as well: where a move changes what he sees.
    #[inline]
    pub fn king_lines(&self) -> G::Bits {
        let Some(king) = self.king() else { return G::Bits::EMPTY };
        let (file, rank) = king.file_rank(G::SIZE);
        let board = (1 << G::SIZE) - 1;
        let along_row = bits(line_attacks(self.row(rank), file) & board)
            .map(|file| Square::at(file, rank, G::SIZE));
        let along_column = bits(line_attacks(self.column(file), rank) & board)
            .map(|rank| Square::at(file, rank, G::SIZE));
        along_row
            .chain(along_column)
            .fold(self.king_set(), |set, square| set | G::Bits::bit(square.index()))
    }

    /// The empty squares on which an arriving attacker would take the king.
    #[inline]
    pub fn king_capture_squares(&self, tables: &RuleTables<G>) -> G::Bits {
        let Some(king) = self.king() else { return G::Bits::EMPTY };
        let empty = tables.near[king.index()].minus(self.occupied());
        if empty.is_empty() {
            return empty;
        }
        let captors = self.king_captors(tables);
        empty
            .squares()
            .filter(|&to| self.king_falls(tables, Square(to as u16), king, captors))
            .fold(G::Bits::EMPTY, |set, to| set | G::Bits::bit(to))
    }

    /// Can an attacker move to a square where he takes the king?
    pub fn king_can_be_taken(&self, tables: &RuleTables<G>) -> bool {
        let targets = self.king_capture_squares(tables);
        targets
            .squares()
            .any(|to| self.movers_to(tables, Side::Attackers, Square(to as u16)).next().is_some())
    }
}

impl<G: Geometry> Board<G> {
    /// The squares to which a defender has to move to save a king whom the attackers can take, and
    /// the men who may do so by moving anywhere, the king among them. A move outside these leaves
    /// him to be taken, unless it builds a fort on the edge.
    pub fn king_rescue(&self, tables: &RuleTables<G>) -> (G::Bits, G::Bits) {
        let Some(king) = self.king() else { return (G::Bits::EMPTY, G::Bits::EMPTY) };
        let occupied = self.occupied();
        let near = tables.near[king.index()];
        // A captor may be captured; an empty square that is hostile is not when somebody is there.
        let mut squares = self.capture_squares(tables, Side::Defenders)
            | near.minus(occupied) & self.king_captors(tables);
        if tables.rules.shieldwall != Shieldwall::No {
            squares = squares | tables.edge.minus(occupied);
        }
        for to in self.king_capture_squares(tables).squares().map(|to| Square(to as u16)) {
            for (_, from) in self.movers_to(tables, Side::Attackers, to) {
                squares = squares | G::Bits::bit(to.index()) | between::<G>(from, to);
            }
        }
        // Whoever makes a square hostile by standing on it can leave it.
        let hostile = near & tables.hostile_occupied[Kind::King as usize];
        (squares, self.king_set() | hostile & self.men(Side::Defenders))
    }
}

/// The squares between two of one rank or file.
fn between<G: Geometry>(from: Square, to: Square) -> G::Bits {
    let (low, high) = (from.index().min(to.index()), from.index().max(to.index()));
    let step = if low / G::SIZE == high / G::SIZE { 1 } else { G::SIZE };
    (low + step..high).step_by(step).fold(G::Bits::EMPTY, |set, square| set | G::Bits::bit(square))
}

/// On how many sides of the `at`-th square of a line are there any of these squares?
#[inline]
fn both_ways(squares: Line, at: usize) -> u32 {
    u32::from(squares >> at != 0) + u32::from(squares & !(!0 << at) != 0)
}

/// The squares of a line from beside the `at`-th to the first goal, in each direction that has one.
fn ways(goals: Line, at: usize) -> impl Iterator<Item = usize> {
    let above = goals & (!1 << at);
    let below = goals & !(!0 << at);
    let up = (above != 0).then(|| at + 1..=above.trailing_zeros() as usize);
    let down = (below != 0).then(|| below.ilog2() as usize..=at - 1);
    up.into_iter().chain(down).flatten()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::geometry::Size9;
    use super::super::position::Position;
    use super::super::variants::{variant, variants};
    use super::super::{any_size::Game, moves::Move};
    use super::*;
    use crate::with_position;

    fn tablut(fen: &str) -> Position<Size9> {
        let rules = variant("tablut").unwrap();
        Position::from_fen(Arc::new(RuleTables::new(rules)), fen).unwrap()
    }

    #[test]
    fn ways_out_end_at_the_goal() {
        let position = tablut("4a4/9/9/9/2k5a/2a6/9/9/4a4 a");
        let (board, tables) = (position.board(), position.tables());
        let names = |set: u128| {
            let names = set.squares().map(|square| Square(square as u16).on(9).to_string());
            names.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(board.king_exits(tables), 2);
        assert_eq!(names(board.king_exit_squares(tables)), "a5 b5 c6 c7 c8 c9");
        let exit = board.king_exit(tables).unwrap();
        assert!(tables.goals.has(exit.index()));
        // Across each of the ten squares that he reaches (not e5, where he may not stop) runs a line
        // that is open at an end.
        assert_eq!(board.king_threats(tables), 10);
        assert_eq!(names(board.king_lines()), "c4 a5 b5 c5 d5 e5 f5 g5 h5 i5 c6 c7 c8 c9");
    }

    fn with_king_on<G: Geometry>(board: &Board<G>, king: Square) -> Board<G> {
        let mut moved = Board::empty(board.side());
        for (kind, square) in board.pieces(Side::Attackers).chain(board.pieces(Side::Defenders)) {
            moved.put(kind, if kind == Kind::King { king } else { square });
        }
        moved
    }

    /// What the board says of the king's dangers is what the attackers' moves show.
    fn check_attackers<G: Geometry>(board: &Board<G>, tables: &RuleTables<G>, moves: &[Move]) {
        let next = |mv: &Move| {
            let mut next = board.clone();
            next.play(tables, *mv);
            next
        };
        let taken = moves.iter().any(|mv| next(mv).king().is_none());
        assert_eq!(board.king_can_be_taken(tables), taken);
        // No move that stops off the king's ways closes one.
        let (ways, exits) = (board.king_exit_squares(tables), board.king_exits(tables));
        for mv in moves.iter().filter(|mv| !ways.has(mv.to.index())) {
            let after = next(mv);
            assert!(after.king().is_none() || after.king_exits(tables) >= exits);
        }
    }

    /// What the board says of the king's prospects is what his moves show.
    fn check_defenders<G: Geometry>(board: &Board<G>, tables: &RuleTables<G>, moves: &[Move]) {
        let king = board.king().unwrap();
        let exits = moves.iter().filter(|mv| mv.from == king && tables.goals.has(mv.to.index()));
        let exits = exits.count();
        assert_eq!(board.king_exits(tables) > 0, exits > 0);
        assert_eq!(board.king_exit(tables).is_some(), exits > 0);
        if exits == 0 {
            let reach = board.reach(tables, Kind::King, king).squares::<G>(king);
            let threats = reach.filter(|&to| with_king_on(board, to).king_exits(tables) > 0);
            assert_eq!(board.king_threats(tables), threats.count() as u32);
            let reach = board.reach(tables, Kind::King, king).squares::<G>(king);
            let forks = reach.filter(|&to| with_king_on(board, to).king_exits(tables) > 1);
            let forks = forks.fold(G::Bits::EMPTY, |set, to| set | G::Bits::bit(to.index()));
            assert_eq!(board.king_forks(tables), forks);
        }
    }

    /// A move that is no rescue leaves the king to be taken.
    fn check_rescue<G: Geometry>(board: &Board<G>, tables: &RuleTables<G>, moves: &[Move]) -> u32 {
        if !board.king_can_be_taken(tables) {
            return 0;
        }
        let (squares, anywhere) = board.king_rescue(tables);
        let idle =
            moves.iter().filter(|mv| !squares.has(mv.to.index()) && !anywhere.has(mv.from.index()));
        let mut count = 0;
        for &mv in idle {
            let mut next = board.clone();
            next.play(tables, mv);
            assert!(next.decided(tables).is_some() || next.king_can_be_taken(tables), "{mv:?}");
            count += 1;
        }
        count
    }

    #[test]
    fn nothing_else_saves_the_king() {
        let mut idle = 0;
        for rules in variants() {
            for stride in [1, 7, 31, 57, 101, 7919_usize] {
                let mut game = Game::start(rules.clone()).unwrap();
                for step in 0..150_usize {
                    let moves = game.legal_moves();
                    let at = (step + 1) * stride % moves.len().max(1);
                    let Some(&mv) = moves.get(at) else { break };
                    with_position!(&game, position => {
                        if position.side() == Side::Defenders {
                            idle += check_rescue(position.board(), position.tables(), &moves);
                        }
                    });
                    game.play(mv);
                }
            }
        }
        assert!(idle > 5_000, "{idle} moves are too few to tell");
    }

    #[test]
    fn the_king_s_prospects_are_what_moves_show() {
        for rules in variants() {
            let mut game = Game::start(rules.clone()).unwrap();
            for step in 0..150_usize {
                let moves = game.legal_moves();
                let Some(&mv) = moves.get(step * 7919 % moves.len().max(1)) else { break };
                with_position!(&game, position => {
                    let (board, tables) = (position.board(), position.tables());
                    match board.side() {
                        Side::Attackers => check_attackers(board, tables, &moves),
                        Side::Defenders => check_defenders(board, tables, &moves),
                    }
                });
                game.play(mv);
            }
        }
    }
}
