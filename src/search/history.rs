//! What the search remembers of moves from one node to another: which of them refuted something.

use super::score::MAX_PLY;
use crate::game::geometry::Square;
use crate::game::moves::Move;
use crate::game::rules::{Kind, Side};

/// History values stay between minus this and this.
pub const HISTORY_LIMIT: i32 = 16_384;

/// A piece and where it went: what a continuation remembers of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Arrival(u16);

impl Arrival {
    /// A piece of `kind` went to the square of index `to`, on a board of `squares`.
    #[inline]
    pub fn new(kind: Kind, to: usize, squares: usize) -> Self {
        Self((kind as usize * squares + to) as u16)
    }
}

/// How well moves have done in the searches of this game (the history heuristic, Schaeffer 1983).
#[derive(Clone, Debug, Default)]
pub struct History {
    squares: usize,
    /// Quiet moves and captures, each by side, origin and destination.
    quiet: Vec<i16>,
    capture: Vec<i16>,
    /// Quiet moves by an earlier arrival and their own (continuation history, after the
    /// countermoves of Uiterwijk 1992).
    continuation: Vec<i16>,
    /// What is known where nothing came before: zeros, one for each square.
    nothing: Vec<i16>,
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
            for values in [&mut self.quiet, &mut self.capture, &mut self.continuation] {
                values.iter_mut().for_each(|value| *value /= 2);
            }
        } else {
            let moves = 2 * squares * squares;
            let arrivals = Kind::ALL.len() * squares;
            *self = Self {
                squares,
                quiet: vec![0; moves],
                capture: vec![0; moves],
                continuation: vec![0; arrivals * arrivals],
                nothing: vec![0; squares],
            };
        }
    }

    /// What is known of quiet moves of a side from a square, by their destinations.
    #[inline]
    pub fn quiet_from(&self, side: Side, from: Square) -> &[i16] {
        let first = (side as usize * self.squares + from.index()) * self.squares;
        &self.quiet[first..first + self.squares]
    }

    /// What is known of a capture.
    #[inline]
    pub fn capture(&self, side: Side, mv: Move) -> i32 {
        i32::from(self.capture[self.index(side, mv)])
    }

    /// What is known of a piece of `kind` arriving somewhere after an earlier arrival, by squares.
    #[inline]
    pub fn continuation_of(&self, earlier: Option<Arrival>, kind: Kind) -> &[i16] {
        let Some(earlier) = earlier else { return &self.nothing };
        let first = self.pair(earlier, Arrival::new(kind, 0, self.squares));
        &self.continuation[first..first + self.squares]
    }

    /// Rewards (or with a negative bonus punishes) a quiet move.
    #[inline]
    pub fn reward_quiet(&mut self, side: Side, mv: Move, bonus: i32) {
        let index = self.index(side, mv);
        reward(&mut self.quiet[index], bonus);
    }

    /// Rewards or punishes a capture.
    #[inline]
    pub fn reward_capture(&mut self, side: Side, mv: Move, bonus: i32) {
        let index = self.index(side, mv);
        reward(&mut self.capture[index], bonus);
    }

    /// Rewards or punishes an arrival after an earlier one.
    #[inline]
    pub fn reward_continuation(&mut self, earlier: Arrival, now: Arrival, bonus: i32) {
        let index = self.pair(earlier, now);
        reward(&mut self.continuation[index], bonus);
    }

    #[inline]
    fn index(&self, side: Side, mv: Move) -> usize {
        (side as usize * self.squares + mv.from.index()) * self.squares + mv.to.index()
    }

    #[inline]
    fn pair(&self, earlier: Arrival, now: Arrival) -> usize {
        usize::from(earlier.0) * Kind::ALL.len() * self.squares + usize::from(now.0)
    }
}

/// The nearer a value is to the limit, the less it gains.
#[inline]
fn reward(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    let new = old + bonus - old * bonus.abs() / HISTORY_LIMIT;
    *value = new.clamp(-HISTORY_LIMIT, HISTORY_LIMIT) as i16;
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

    /// The moves that refuted sister nodes.
    #[inline]
    pub fn of(&self, ply: usize) -> [Option<Move>; 2] {
        self.0[ply]
    }
}

impl Default for Killers {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_stays_in_bounds_and_fades() {
        let mv = |from: u16, to: u16| Move { from: Square(from), to: Square(to) };
        let mut history = History::new();
        history.fade(361);
        let (last, corner) = (mv(360, 359), Arrival::new(Kind::King, 360, 361));
        for _ in 0..10_000 {
            history.reward_quiet(Side::Defenders, last, 2_000);
            history.reward_capture(Side::Defenders, last, -2_000);
            history.reward_continuation(corner, corner, 2_000);
        }
        let values = |history: &History| {
            let (side, mv) = (Side::Defenders, last);
            let quiet = i32::from(history.quiet_from(side, mv.from)[mv.to.index()]);
            let continuation = history.continuation_of(Some(corner), Kind::King)[360];
            [quiet, -history.capture(side, mv), i32::from(continuation)]
        };
        let top = values(&history);
        assert!(top.iter().all(|value| (HISTORY_LIMIT / 2..=HISTORY_LIMIT).contains(value)));
        history.fade(361);
        assert_eq!(values(&history), top.map(|value| value / 2));
        history.fade(49);
        assert_eq!(history.quiet_from(Side::Defenders, Square(48)), [0; 49]);
        assert_eq!(history.continuation_of(None, Kind::King), [0; 49]);
    }
}
