//! [`HandMade`]: a judgement from a few terms that make sense in any rule set.

use super::{Evaluation, Term};
use crate::game::bits::Bits;
use crate::game::geometry::Geometry;
use crate::game::position::Position;
use crate::game::rules::{Goal, Kind, Rules, Side};
use crate::game::tables::RuleTables;

/// Weights in centipawns. Where nothing else is said they are the odds that a fit over positions of
/// the Tablut Challenge gave for each feature, scaled to a defender of 100.
mod weight {
    /// A defender.
    pub const DEFENDER: i32 = 100;
    /// An attacker: a defender is worth 1.37 of them.
    pub const ATTACKER: i32 = 73;
    /// A direction in which the king reaches a goal, were it his turn.
    pub const EXIT: i32 = 149;
    /// A square that the king reaches, up to [`MOST_SQUARES`].
    pub const KING_SQUARE: i32 = 10;
    pub const MOST_SQUARES: u32 = 12;
    /// A square that the king reaches and that has a way to a goal, up to [`MOST_THREATS`]. By
    /// feeling.
    pub const KING_THREAT: i32 = 15;
    pub const MOST_THREATS: u32 = 6;
    /// An enemy or a hostile square beside the king.
    pub const BESIDE_KING: i32 = 36;
    /// The same for a king whom two men take. By feeling.
    pub const BESIDE_WEAK_KING: i32 = 60;
    /// A step of the king's way to the nearest goal, as if the board were empty. By feeling.
    pub const STEP_TO_GOAL: i32 = 6;
    /// An attacker on the diagonal before a corner that is a goal. By feeling.
    pub const CORNER_GUARD: i32 = 14;
    /// The next move.
    pub const TEMPO: i32 = 25;
}

/// The hand-made evaluation of one rule set.
#[derive(Clone, Debug)]
pub struct HandMade<G: Geometry> {
    /// The men of each side at the start, against whom losses are counted.
    start: [i32; 2],
    /// Steps from each square to the nearest goal on an empty board.
    steps: Vec<u8>,
    /// Where attackers stand well before the corners.
    guards: G::Bits,
}

impl<G: Geometry> HandMade<G> {
    /// For a rule set.
    pub fn new(tables: &RuleTables<G>) -> Self {
        let men = |letter: char| tables.rules.start.matches(letter).count() as i32;
        Self {
            start: [men(Side::Attackers.letter()), men(Side::Defenders.letter())],
            steps: steps_to_goal(tables),
            guards: corner_guards::<G>(&tables.rules),
        }
    }

    /// The judgement, term by term.
    pub fn terms(&self, position: &Position<G>) -> [Term; 8] {
        let (board, tables) = (position.board(), position.tables());
        let lost = |side: Side| self.start[side as usize] - board.men(side).count() as i32;
        let tempo = |side| if position.side() == side { weight::TEMPO } else { 0 };
        let mut exits = 0;
        let (mut squares, mut threats, mut steps, mut danger) = (0, 0, 0, 0);
        if let Some(king) = board.king() {
            exits = board.king_exits(tables) as i32 * weight::EXIT;
            let reach = board.reach(tables, Kind::King, king).count();
            squares = reach.min(weight::MOST_SQUARES) as i32 * weight::KING_SQUARE;
            let ways = board.king_threats(tables).min(weight::MOST_THREATS);
            threats = ways as i32 * weight::KING_THREAT;
            steps = i32::from(self.steps[king.index()]) * weight::STEP_TO_GOAL;
            let weak = tables.custodial_king.has(king.index());
            let each = if weak { weight::BESIDE_WEAK_KING } else { weight::BESIDE_KING };
            let beside = tables.near[king.index()] & board.king_captors(tables);
            danger = beside.count() as i32 * each;
        }
        let guards = (board.men(Side::Attackers) & self.guards).count() as i32;
        let term = |name, attackers, defenders| Term { name, attackers, defenders };
        [
            term(
                "men lost by the opponent",
                lost(Side::Defenders) * weight::DEFENDER,
                lost(Side::Attackers) * weight::ATTACKER,
            ),
            term("the king's ways to a goal", 0, exits),
            term("squares the king reaches", 0, squares),
            term("squares from which he threatens to win", 0, threats),
            term("enemies beside the king", danger, 0),
            term("the king's distance from the goal", steps, 0),
            term("guards before the corners", guards * weight::CORNER_GUARD, 0),
            term("the next move", tempo(Side::Attackers), tempo(Side::Defenders)),
        ]
    }
}

impl<G: Geometry> Evaluation<G> for HandMade<G> {
    fn reset(&mut self, _: &Position<G>) {}

    fn played(&mut self, _: &Position<G>) {}

    fn undone(&mut self, _: &Position<G>) {}

    #[inline]
    fn evaluate(&mut self, position: &Position<G>) -> i32 {
        let for_attackers: i32 = self.terms(position).into_iter().map(Term::balance).sum();
        if position.side() == Side::Attackers { for_attackers } else { -for_attackers }
    }
}

/// How many steps each square is from the nearest goal on an empty board; 0 if there is none.
fn steps_to_goal<G: Geometry>(tables: &RuleTables<G>) -> Vec<u8> {
    let mut steps = vec![0; G::SQUARES];
    let mut reached = tables.goals;
    for step in 1.. {
        let next = tables.spread(reached);
        if next == reached {
            break;
        }
        for square in next.minus(reached).squares() {
            steps[square] = step;
        }
        reached = next;
    }
    steps
}

/// The squares two steps from a corner that is the goal, where a few attackers can shut the king
/// out of it.
fn corner_guards<G: Geometry>(rules: &Rules) -> G::Bits {
    if rules.goal != Goal::Corners {
        return G::Bits::EMPTY;
    }
    let size = G::SIZE;
    let edge_distance = |line: usize| line.min(size - 1 - line);
    // A corner may be a block of several squares.
    let block = rules.corners.squares().map(|square| {
        let (file, rank) = square.file_rank(size);
        edge_distance(file) + edge_distance(rank)
    });
    let distance = block.filter(|&distance| distance < size / 2).max().unwrap_or(0) + 2;
    let guards = rules.squares().filter(|square| {
        let (file, rank) = square.file_rank(size);
        edge_distance(file) + edge_distance(rank) == distance
    });
    guards.fold(G::Bits::EMPTY, |set, square| set | G::Bits::bit(square.index()))
}

#[cfg(test)]
mod tests {
    use crate::eval::{evaluate, explain};
    use crate::game::any_size::Game;
    use crate::game::variants::{variant, variants};

    fn tablut(fen: &str) -> i32 {
        let start = Game::start(variant("tablut").unwrap()).unwrap();
        evaluate(&start.with_fen(fen).unwrap())
    }

    #[test]
    fn every_start_position_is_about_even() {
        for rules in variants() {
            let game = Game::start(rules.clone()).unwrap();
            assert!(evaluate(&game).abs() < 150, "{} {:?}", rules.id, explain(&game));
        }
    }

    #[test]
    fn losses_hurt_and_ways_out_help() {
        let start = tablut("3aaa3/4a4/4d4/a3d3a/aaddkddaa/a3d3a/4d4/4a4/3aaa3 a");
        let without_defender = tablut("3aaa3/4a4/9/a3d3a/aaddkddaa/a3d3a/4d4/4a4/3aaa3 a");
        let without_attacker = tablut("4aa3/4a4/4d4/a3d3a/aaddkddaa/a3d3a/4d4/4a4/3aaa3 a");
        assert_eq!(without_defender - start, 100);
        assert_eq!(without_attacker - start, -73);
        let shut_in = tablut("4a4/9/9/4a4/3aka3/4d4/9/9/4a4 a");
        let free = tablut("4a4/9/9/4a4/4k4/4da3/9/9/3a5 a");
        assert!(free < shut_in - 300, "{free} {shut_in}");
    }

    /// The evaluation is symmetric: the eight images of a position are worth the same.
    #[test]
    fn images_are_worth_the_same() {
        for (fen, image) in [
            ("4a4/9/2a6/9/2k5a/2a6/9/5d3/4a4 a", "4a4/5d3/9/2a6/2k5a/9/2a6/9/4a4 a"),
            ("4a4/9/2a6/9/2k5a/2a6/9/5d3/4a4 a", "4a4/9/6a2/9/a5k2/6a2/9/3d5/4a4 a"),
        ] {
            assert_eq!(tablut(fen), tablut(image));
        }
    }
}
