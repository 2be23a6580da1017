//! Which moves to try first: the better the order, the smaller the tree.

use super::history::{Arrival, History};
use crate::game::bits::Bits;
use crate::game::geometry::{Geometry, Square};
use crate::game::moves::Move;
use crate::game::rules::{Kind, Side};

/// Ranks above those of history.
mod rank {
    pub const CAPTURE: i32 = 1 << 24;
    pub const KILLER: i32 = 1 << 20;
}

/// What a move does, as far as the order of moves and the reductions care.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Character {
    /// Nothing of the below.
    Quiet,
    /// The king moves, a defender leaves a line from the king to the first piece each way, or an
    /// attacker comes to one: it may open or close a way, or bring a captor beside him.
    KingLine,
    /// It captures.
    Capture,
}

/// A move with its place in the order: the highest rank is tried first.
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    /// The move.
    pub mv: Move,
    /// Its rank.
    pub rank: i32,
    /// What it does.
    pub character: Character,
}

impl Ranked {
    /// Does it capture nothing?
    pub fn is_quiet(self) -> bool {
        self.character != Character::Capture
    }
}

/// Brings the moves that are known to be good for something before all others and returns how many
/// there are. Only these need be put in order: where they have failed, the order of the rest matters
/// less than the time to find it.
pub fn promote(moves: &mut [Ranked]) -> usize {
    let mut good = 0;
    for i in 0..moves.len() {
        if moves[i].rank > 0 {
            moves.swap(good, i);
            good += 1;
        }
    }
    good
}

/// Brings the move of the highest rank in `moves[at..]` to `at`; among equals the first.
pub fn pick(moves: &mut [Ranked], at: usize) -> Ranked {
    let mut best = at;
    for i in at + 1..moves.len() {
        if moves[i].rank > moves[best].rank {
            best = i;
        }
    }
    moves.swap(at, best);
    moves[at]
}

/// What the order of the moves of one node rests on.
#[derive(Clone, Copy, Debug)]
pub struct Hints<'a, G: Geometry> {
    /// Whose moves they are.
    pub side: Side,
    /// Where an arriving man captures.
    pub captures: G::Bits,
    /// The lines from the king to the first piece each way, with his own square.
    pub king_lines: G::Bits,
    /// The last arrivals of the opponent and of the side to move.
    pub before: [Option<Arrival>; 2],
    /// What refuted sister nodes.
    pub killers: [Option<Move>; 2],
    /// The history.
    pub history: &'a History,
}

/// The same for the moves of one piece.
#[derive(Clone, Copy, Debug)]
pub struct PieceHints<'a, G: Geometry> {
    side: Side,
    from: Square,
    captures: G::Bits,
    /// Where it comes to a line of the king.
    king_lines: G::Bits,
    killers: [Option<Move>; 2],
    history: &'a History,
    /// What is known of its quiet moves, by destination: three numbers to be added up.
    known: [&'a [i16]; 3],
}

impl<'a, G: Geometry> Hints<'a, G> {
    /// For the moves of a piece of `kind` from a square.
    #[inline]
    pub fn of(&self, kind: Kind, from: Square) -> PieceHints<'a, G> {
        let Self { side, captures, king_lines, before, killers, history } = *self;
        let king_lines = match side {
            Side::Attackers => king_lines,
            Side::Defenders if king_lines.has(from.index()) => !G::Bits::EMPTY,
            Side::Defenders => G::Bits::EMPTY,
        };
        let [earlier, before_that] = before.map(|then| history.continuation_of(then, kind));
        let known = [history.quiet_from(side, from), earlier, before_that];
        PieceHints { side, from, captures, king_lines, killers, history, known }
    }
}

impl<G: Geometry> PieceHints<'_, G> {
    /// The move to a square, with its rank. In line, or each move would be written to memory in parts
    /// and read back whole, for which the processor waits.
    #[inline(always)]
    pub fn ranked(&self, to: Square) -> Ranked {
        let mv = Move { from: self.from, to };
        if self.captures.has(to.index()) {
            let rank = rank::CAPTURE + self.history.capture(self.side, mv);
            return Ranked { mv, rank, character: Character::Capture };
        }
        let on_line = self.king_lines.has(to.index());
        let character = if on_line { Character::KingLine } else { Character::Quiet };
        let known = self.known.map(|known| i32::from(known[to.index()]));
        let killer = if self.killers.contains(&Some(mv)) { rank::KILLER } else { 0 };
        Ranked { mv, rank: killer + known.iter().sum::<i32>(), character }
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::Killers;
    use super::*;
    use crate::game::geometry::Size7;

    fn mv(from: u16, to: u16) -> Move {
        Move { from: Square(from), to: Square(to) }
    }

    #[test]
    fn moves_come_in_order() {
        let mut history = History::new();
        history.fade(49);
        let mut killers = Killers::new();
        killers.remember(3, mv(1, 2));
        history.reward_quiet(Side::Attackers, mv(3, 4), 100);
        history.reward_quiet(Side::Attackers, mv(4, 5), -100);
        let before = Arrival::new(Kind::Defender, 9, 49);
        history.reward_continuation(before, Arrival::new(Kind::Attacker, 6, 49), 50);
        let hints = Hints::<Size7> {
            side: Side::Attackers,
            captures: u64::bit(20),
            king_lines: u64::bit(5),
            before: [Some(before), None],
            killers: killers.of(3),
            history: &history,
        };
        let given = [mv(4, 5), mv(0, 1), mv(8, 6), mv(3, 4), mv(1, 2), mv(13, 20)];
        let mut moves = given.map(|mv| hints.of(Kind::Attacker, mv.from).ranked(mv.to));
        assert_eq!(promote(&mut moves), 4);
        let good: Vec<_> = (0..4).map(|i| pick(&mut moves[..4], i).mv).collect();
        assert_eq!(good, [mv(13, 20), mv(1, 2), mv(3, 4), mv(8, 6)]);
        let ordered: Vec<_> = (0..6).map(|i| pick(&mut moves, i)).collect();
        let order = [mv(13, 20), mv(1, 2), mv(3, 4), mv(8, 6), mv(0, 1), mv(4, 5)];
        assert!(ordered.iter().map(|ranked| ranked.mv).eq(order));
        use Character::{Capture, KingLine, Quiet};
        let characters = [Capture, Quiet, Quiet, Quiet, Quiet, KingLine];
        assert!(ordered.iter().map(|ranked| ranked.character).eq(characters));
    }
}
