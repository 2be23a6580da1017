//! Which moves to try first: the better the order, the smaller the tree.

use super::score::MAX_PLY;
use crate::game::bits::Bits;
use crate::game::geometry::Geometry;
use crate::game::moves::Move;
use crate::game::rules::Side;

/// History values stay between minus this and this.
const HISTORY_LIMIT: i32 = 16_384;

/// How many moves of a node are put in order. Where so many have failed, the order of the rest
/// matters less than the time to find it: 15 % fewer seconds to the same depth on four rule sets.
const SORTED: usize = 16;

/// Ranks above those of history.
mod rank {
    pub const TABLE: i32 = 1 << 30;
    pub const CAPTURE: i32 = 1 << 24;
    pub const KILLER: i32 = 1 << 20;
}

/// A move with its place in the order: the highest rank is tried first.
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    /// The move.
    pub mv: Move,
    /// Its rank.
    pub rank: i32,
}

impl Ranked {
    /// Is it a capture?
    pub fn is_capture(self) -> bool {
        // History moves the rank a little either way.
        (rank::CAPTURE / 2..rank::TABLE).contains(&self.rank)
    }
}

/// Brings the move of the highest rank in `moves[at..]` to `at`; among equals the first. From the
/// [`SORTED`]th on the moves stay as they are.
pub fn pick(moves: &mut [Ranked], at: usize) -> Ranked {
    if at >= SORTED {
        return moves[at];
    }
    let mut best = at;
    for i in at + 1..moves.len() {
        if moves[i].rank > moves[best].rank {
            best = i;
        }
    }
    moves.swap(at, best);
    moves[at]
}

/// How well quiet moves have done, by side, origin and destination (the history heuristic, Schaeffer
/// 1983).
#[derive(Clone, Debug, Default)]
pub struct History {
    squares: usize,
    values: Vec<i16>,
}

impl History {
    /// Nothing known.
    pub fn new() -> Self {
        Self::default()
    }

    /// Prepares for a search on a board of so many squares. What is known from earlier moves of the
    /// same game fades.
    pub fn fade(&mut self, squares: usize) {
        if self.squares == squares {
            self.values.iter_mut().for_each(|value| *value /= 2);
        } else {
            *self = Self { squares, values: vec![0; 2 * squares * squares] };
        }
    }

    /// What is known of a move.
    #[inline]
    pub fn of(&self, side: Side, mv: Move) -> i32 {
        i32::from(self.values[self.index(side, mv)])
    }

    /// Rewards (or with a negative bonus punishes) a move; the nearer its value is to the limit, the
    /// less it gains.
    #[inline]
    pub fn reward(&mut self, side: Side, mv: Move, bonus: i32) {
        let index = self.index(side, mv);
        let value = i32::from(self.values[index]);
        let value = value + bonus - value * bonus.abs() / HISTORY_LIMIT;
        self.values[index] = value.clamp(-HISTORY_LIMIT, HISTORY_LIMIT) as i16;
    }

    #[inline]
    fn index(&self, side: Side, mv: Move) -> usize {
        (side as usize * self.squares + mv.from.index()) * self.squares + mv.to.index()
    }
}

/// Two quiet moves per ply that refuted a sister node (the killer heuristic, Huberman 1968).
#[derive(Clone, Debug)]
pub struct Killers([[Option<Move>; 2]; MAX_PLY]);

impl Killers {
    /// Nothing known.
    pub fn new() -> Self {
        Self([[None; 2]; MAX_PLY])
    }

    /// A quiet move refuted a node.
    pub fn remember(&mut self, ply: usize, mv: Move) {
        let [first, second] = &mut self.0[ply];
        if *first != Some(mv) {
            *second = first.replace(mv);
        }
    }

    fn has(&self, ply: usize, mv: Move) -> bool {
        self.0[ply].contains(&Some(mv))
    }
}

impl Default for Killers {
    fn default() -> Self {
        Self::new()
    }
}

/// What the order of the moves of one node rests on.
#[derive(Clone, Copy, Debug)]
pub struct Hints<'a, G: Geometry> {
    /// Whose moves they are.
    pub side: Side,
    /// How far down the node is.
    pub ply: usize,
    /// The best move by the table.
    pub table: Option<Move>,
    /// Where an arriving man captures.
    pub captures: G::Bits,
    /// Killers by ply.
    pub killers: &'a Killers,
    /// The history.
    pub history: &'a History,
}

impl<G: Geometry> Hints<'_, G> {
    /// A move with its rank.
    #[inline]
    pub fn ranked(&self, mv: Move) -> Ranked {
        Ranked { mv, rank: self.rank(mv) }
    }

    /// The rank of a move.
    #[inline]
    pub fn rank(&self, mv: Move) -> i32 {
        let history = self.history.of(self.side, mv);
        if self.table == Some(mv) {
            rank::TABLE
        } else if self.captures.has(mv.to.index()) {
            rank::CAPTURE + history
        } else if self.killers.has(self.ply, mv) {
            rank::KILLER + history
        } else {
            history
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::geometry::{Size7, Square};

    fn mv(from: u16, to: u16) -> Move {
        Move { from: Square(from), to: Square(to) }
    }

    #[test]
    fn moves_come_in_order() {
        let mut history = History::new();
        history.fade(49);
        let mut killers = Killers::new();
        killers.remember(3, mv(1, 2));
        history.reward(Side::Attackers, mv(3, 4), 100);
        history.reward(Side::Attackers, mv(4, 5), -100);
        let hints = Hints::<Size7> {
            side: Side::Attackers,
            ply: 3,
            table: Some(mv(9, 10)),
            captures: u64::bit(20),
            killers: &killers,
            history: &history,
        };
        let given = [mv(4, 5), mv(0, 1), mv(3, 4), mv(1, 2), mv(13, 20), mv(9, 10)];
        let mut moves = given.map(|mv| Ranked { mv, rank: hints.rank(mv) });
        let ordered: Vec<_> = (0..6).map(|i| pick(&mut moves, i).mv).collect();
        assert_eq!(ordered, [mv(9, 10), mv(13, 20), mv(1, 2), mv(3, 4), mv(0, 1), mv(4, 5)]);
        assert!(moves[1].is_capture() && !moves[0].is_capture() && !moves[2].is_capture());
    }

    #[test]
    fn history_stays_in_bounds_and_fades() {
        let mut history = History::new();
        history.fade(361);
        for _ in 0..10_000 {
            history.reward(Side::Defenders, mv(360, 359), 2_000);
        }
        let top = history.of(Side::Defenders, mv(360, 359));
        assert!((HISTORY_LIMIT / 2..=HISTORY_LIMIT).contains(&top));
        history.fade(361);
        assert_eq!(history.of(Side::Defenders, mv(360, 359)), top / 2);
        history.fade(49);
        assert_eq!(history.of(Side::Defenders, mv(48, 47)), 0);
    }
}
