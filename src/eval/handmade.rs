//! [`HandMade`]: a judgement that is linear in what is counted on the board, with weights that were
//! fitted to results (see [`crate::training`]).

use super::family::Family;
use super::features::{BLOCKS, COUNT, Region, Sink, collect};
use super::pair::{PHASES, Pair, damped};
use super::places::class;
use super::shape::Shape;
use super::table::Weights;
use super::{Evaluation, Term};
use crate::game::bits::Bits;
use crate::game::board::Board;
use crate::game::fen;
use crate::game::geometry::{Geometry, Square};
use crate::game::position::Position;
use crate::game::rules::{Kind, Side};
use crate::game::tables::RuleTables;

/// The part of the men at the start, in percent, with which a board counts as almost empty.
const BARE: usize = 40;

/// A start position is at the most so far from even, in centipawns: weights that were fitted to other
/// armies say nothing about who is better there.
const UNEVEN: i32 = 300;

/// What is kept from move to move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Sums {
    /// [`HandMade::base`] and the weights of all pieces on their squares.
    squares: Pair,
    /// The lines without attackers.
    open: u64,
    /// The king's region, once somebody has asked: only attackers and the king himself change it.
    region: Option<Region>,
}

/// The hand-made evaluation of one rule set.
#[derive(Clone, Debug)]
pub struct HandMade<G: Geometry> {
    shape: Shape<G>,
    weights: [Pair; COUNT],
    /// By kind and square.
    squares: [Vec<Pair>; 3],
    /// By the number of men on the board, the king left out.
    phases: Vec<u8>,
    /// What the armies at the start are worth beyond [`UNEVEN`], taken away.
    base: Pair,
    now: Sums,
    before: Vec<Sums>,
}

impl<G: Geometry> HandMade<G> {
    /// For a rule set.
    pub fn new(tables: &RuleTables<G>) -> Self {
        let family = Family::of(&tables.rules);
        Self::with_weights(tables, Weights::of(family), family.size())
    }

    fn with_weights(tables: &RuleTables<G>, weights: &Weights, reference: usize) -> Self {
        let start = &tables.rules.start;
        let men = start.matches([Side::Attackers.letter(), Side::Defenders.letter()]).count();
        let square_of = |kind: Kind, square: usize| {
            let class = class(square % G::SIZE, square / G::SIZE, G::SIZE, reference);
            Pair::new(weights.square(kind, class))
        };
        let mut judge = Self {
            shape: Shape::new(tables),
            weights: weights.counts.map(Pair::new),
            squares: Kind::ALL
                .map(|kind| (0..G::SQUARES).map(|square| square_of(kind, square)).collect()),
            phases: (0..=G::SQUARES).map(|now| phase(now, men) as u8).collect(),
            base: Pair::default(),
            now: Sums::default(),
            before: Vec::with_capacity(128),
        };
        judge.base = judge.evenness(tables);
        judge
    }

    /// What brings the start position back to [`UNEVEN`].
    fn evenness(&self, tables: &RuleTables<G>) -> Pair {
        let Ok((pieces, side)) = fen::parse(&tables.rules.start, &tables.rules) else {
            return Pair::default();
        };
        let mut board = Board::empty(side);
        for (kind, square) in pieces {
            board.put(kind, square);
        }
        let worth = self.judged(tables, &board, self.sums(&board)).at(self.phase(&board));
        let off = (worth.clamp(-UNEVEN, UNEVEN) - worth) as i16;
        Pair::new((off, off))
    }

    /// The sum of everything, for the attackers.
    #[inline]
    fn judged(&self, tables: &RuleTables<G>, board: &Board<G>, sums: Sums) -> Pair {
        let mut judge = Judge { weights: &self.weights, sum: sums.squares };
        let region = sums.region.unwrap_or_else(|| Region::of(&self.shape, tables, board));
        collect(&self.shape, tables, board, (sums.open, region), &mut judge);
        judge.sum
    }

    fn square(&self, kind: Kind, square: usize) -> Pair {
        self.squares[kind as usize][square]
    }

    fn sums(&self, board: &Board<G>) -> Sums {
        let pieces = board.pieces(Side::Attackers).chain(board.pieces(Side::Defenders));
        let squares = pieces
            .fold(self.base, |sum, (kind, square)| sum.add(self.square(kind, square.index()), 1));
        let open = self.shape.open_lines(board.men(Side::Attackers));
        Sums { squares, open, region: None }
    }

    /// How full the board is, 0 to [`PHASES`].
    #[inline]
    fn phase(&self, board: &Board<G>) -> i32 {
        let men = board.men(Side::Attackers).count() + board.men(Side::Defenders).count();
        i32::from(self.phases[men as usize])
    }

    /// The judgement, term by term, whatever was played before.
    pub fn terms(&self, position: &Position<G>) -> Vec<Term> {
        let board = position.board();
        let phase = self.phase(board);
        let sums = self.sums(board);
        let total = self.judged(position.tables(), board, sums);
        let counts = self.counts(position);
        let mut terms: Vec<Term> = Vec::new();
        for kind in Kind::ALL {
            let name = match kind {
                Kind::Attacker => "attackers on their squares",
                Kind::Defender => "defenders on their squares",
                Kind::King => "the king on his square",
            };
            let pieces = board.pieces(kind.side()).filter(|piece| piece.0 == kind);
            let sum = pieces.fold(Pair::default(), |sum, (kind, square)| {
                sum.add(self.square(kind, square.index()), 1)
            });
            terms.push(term(name, sum.at(phase)));
        }
        for block in BLOCKS {
            let features = block.first..block.first + block.len;
            let sum = features.fold(Pair::default(), |sum, feature| {
                sum.add(self.weights[feature], counts.0[feature] as i32)
            });
            terms.push(term(block.name, sum.at(phase)));
        }
        if self.base != Pair::default() {
            terms.push(term("the armies at the start", self.base.at(phase)));
        }
        // Each term was rounded, and sums beyond all doubt are damped.
        let rest = damped(total.at(phase)) - terms.iter().map(|term| term.balance()).sum::<i32>();
        terms.push(term("rounding, and damping", rest));
        terms
    }

    fn counts(&self, position: &Position<G>) -> Counts {
        let (board, tables) = (position.board(), position.tables());
        let mut counts = Counts([0; COUNT]);
        let open = self.shape.open_lines(board.men(Side::Attackers));
        let region = Region::of(&self.shape, tables, board);
        collect(&self.shape, tables, board, (open, region), &mut counts);
        counts
    }

    /// What is counted, as numbers of features with their counts, for a fit. Behind the features of
    /// `COUNT` come the classes of squares of attackers, defenders and king.
    pub fn features(&self, position: &Position<G>) -> Vec<(usize, u32)> {
        let board = position.board();
        let reference = Family::of(position.rules()).size();
        let counts = self.counts(position);
        let mut all = counts.0.to_vec();
        all.resize(COUNT + 3 * super::places::classes(reference), 0);
        for (kind, square) in board.pieces(Side::Attackers).chain(board.pieces(Side::Defenders)) {
            let (file, rank) = square.file_rank(G::SIZE);
            let class = class(file, rank, G::SIZE, reference);
            all[COUNT + kind as usize * super::places::classes(reference) + class] += 1;
        }
        all.into_iter().enumerate().filter(|(_, count)| *count > 0).collect()
    }

    /// How full the board is, from 0 (almost empty) to 1.
    pub fn fullness(&self, position: &Position<G>) -> f32 {
        self.phase(position.board()) as f32 / PHASES as f32
    }
}

fn term(name: &'static str, value: i32) -> Term {
    Term { name, attackers: value.max(0), defenders: (-value).max(0) }
}

/// The phase of `now` men of a rule set that begins with `start`.
fn phase(now: usize, start: usize) -> i32 {
    let (bare, most) = (start * BARE / 100, start.max(1));
    let over = now.clamp(bare, most) - bare;
    (PHASES as usize * over / (most - bare).max(1)) as i32
}

/// Adds up weights.
struct Judge<'w> {
    weights: &'w [Pair; COUNT],
    sum: Pair,
}

impl Sink for Judge<'_> {
    #[inline]
    fn add(&mut self, feature: usize, count: u32) {
        self.sum = self.sum.add(self.weights[feature], count as i32);
    }
}

/// Keeps the counts.
struct Counts([u32; COUNT]);

impl Sink for Counts {
    fn add(&mut self, feature: usize, count: u32) {
        self.0[feature] += count;
    }
}

impl<G: Geometry> Evaluation<G> for HandMade<G> {
    fn reset(&mut self, position: &Position<G>) {
        self.before.clear();
        self.now = self.sums(position.board());
    }

    #[inline]
    fn played(&mut self, position: &Position<G>) {
        self.before.push(self.now);
        let Some(last) = position.last() else { return };
        let board = position.board();
        let (from, to) = (last.mv.from, last.mv.to);
        let mover = board.side().other();
        let kind = if board.king() == Some(to) { Kind::King } else { mover.soldier() };
        let attackers = board.men(Side::Attackers);
        let Sums { mut squares, mut open, mut region } = self.now;
        squares = squares.add(self.square(kind, to.index()), 1);
        squares = squares.add(self.square(kind, from.index()), -1);
        if kind == Kind::Attacker {
            open = self.shape.reopened(open, attackers, from);
            open = self.shape.reopened(open, attackers, to);
        }
        if kind != Kind::Defender || last.captured.any() {
            region = None;
        }
        for square in last.captured.men.squares() {
            let victim = mover.other().soldier();
            squares = squares.add(self.square(victim, square), -1);
            if victim == Kind::Attacker {
                open = self.shape.reopened(open, attackers, Square(square as u16));
            }
        }
        if let Some(king) = last.captured.king {
            squares = squares.add(self.square(Kind::King, king.index()), -1);
        }
        self.now = Sums { squares, open, region };
    }

    #[inline]
    fn undone(&mut self, _: &Position<G>) {
        if let Some(before) = self.before.pop() {
            self.now = before;
        }
    }

    #[inline]
    fn evaluate(&mut self, position: &Position<G>) -> i32 {
        let board = position.board();
        if self.now.region.is_none() {
            self.now.region = Some(Region::of(&self.shape, position.tables(), board));
        }
        let sum = self.judged(position.tables(), board, self.now);
        let for_attackers = damped(sum.at(self.phase(board)));
        if board.side() == Side::Attackers { for_attackers } else { -for_attackers }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{evaluate, explain};
    use crate::game::any_size::Game;
    use crate::game::symmetry::image;
    use crate::game::variants::{variant, variants};
    use crate::with_position;

    /// A walk through a rule set, a position at a time.
    fn walk(id: &str, mut visit: impl FnMut(&Game)) {
        let mut game = Game::start(variant(id).unwrap()).unwrap();
        for step in 0..120_usize {
            visit(&game);
            let moves = game.legal_moves();
            let Some(&mv) = moves.get(step * 7919 % moves.len().max(1)) else { break };
            game.play(mv);
        }
    }

    /// What is kept from move to move is what a fresh look finds, forwards and backwards.
    #[test]
    fn sums_follow_the_moves() {
        for rules in variants() {
            let mut game = Game::start(rules.clone()).unwrap();
            with_position!(&mut game, position => {
                let mut kept = HandMade::new(position.tables());
                kept.reset(position);
                let mut found = Vec::new();
                for step in 0..120_usize {
                    let moves = position.legal_moves();
                    let Some(&mv) = moves.get(step * 7919 % moves.len().max(1)) else { break };
                    kept.evaluate(position);
                    found.push(kept.now);
                    position.play(mv);
                    kept.played(position);
                    let told = kept.evaluate(position);
                    let region = Region::of(&kept.shape, position.tables(), position.board());
                    let fresh = Sums { region: Some(region), ..kept.sums(position.board()) };
                    assert_eq!(kept.now, fresh, "{} {}", rules.id, position.fen());
                    let mut other = HandMade::new(position.tables());
                    other.reset(position);
                    assert_eq!(other.evaluate(position), told);
                }
                while let Some(sums) = found.pop() {
                    position.undo();
                    kept.undone(position);
                    assert_eq!(kept.now, sums);
                }
            });
        }
    }

    /// The terms add up to what the search is told, and to the weights of the features that a fit
    /// sees.
    #[test]
    fn all_ways_to_judge_agree() {
        for rules in variants() {
            let family = Family::of(rules);
            walk(&rules.id, |game| {
                with_position!(game, position => {
                    let mut judge = HandMade::new(position.tables());
                    judge.reset(position);
                    let told = judge.evaluate(position);
                    let sign = if game.side() == Side::Attackers { 1 } else { -1 };
                    assert_eq!(told * sign, evaluate(game), "{}", game.fen());
                    let weights = Weights::of(family);
                    let fitted = judge.features(position).into_iter().fold(judge.base, |sum, (i, n)| {
                        sum.add(Pair::new(weights.all(i)), n as i32)
                    });
                    assert_eq!(damped(fitted.at(judge.phase(position.board()))), told * sign);
                });
            });
        }
    }

    /// The eight images of a position are worth the same.
    #[test]
    fn images_are_worth_the_same() {
        for rules in variants() {
            let size = rules.size;
            walk(&rules.id, |game| {
                for symmetry in 1..8 {
                    let mut rows = vec![vec!['1'; size]; size];
                    for square in rules.squares() {
                        let (file, rank) = image(square, symmetry, size).file_rank(size);
                        if let Some(kind) = game.piece_at(square) {
                            rows[size - 1 - rank][file] = kind.letter();
                        }
                    }
                    let rows: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
                    let fen = merged(&format!("{} {}", rows.join("/"), game.side().letter()));
                    let seen = game.with_fen(&fen).unwrap();
                    assert_eq!(evaluate(&seen), evaluate(game), "{} {fen}", rules.id);
                }
            });
        }
    }

    /// A FEN whose empty squares were written one by one.
    fn merged(fen: &str) -> String {
        let mut text = String::new();
        let mut empty = 0;
        for letter in fen.chars() {
            if letter == '1' {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            text.push(letter);
        }
        text
    }

    #[test]
    fn every_start_position_is_about_even() {
        for rules in variants() {
            let game = Game::start(rules.clone()).unwrap();
            assert!(evaluate(&game).abs() <= 300, "{} {:?}", rules.id, explain(&game));
        }
    }

    /// In every family a loss hurts and freedom helps the king.
    #[test]
    fn losses_hurt_and_freedom_helps() {
        for id in ["tablut", "tablut-corner", "tablut-ashton", "tablut-saami"] {
            let worth = |fen: &str| {
                evaluate(&Game::start(variant(id).unwrap()).unwrap().with_fen(fen).unwrap())
            };
            let start = worth("3aaa3/4a4/4d4/a3d3a/aaddkddaa/a3d3a/4d4/4a4/3aaa3 a");
            let fewer = worth("3aaa3/4a4/9/a3d3a/aaddkddaa/a3d3a/9/4a4/3aaa3 a");
            assert!(fewer > start, "{id}: {fewer} {start}");
            let thinner = worth("4aa3/9/4d4/a3d3a/aaddkddaa/a3d3a/4d4/9/3aa4 a");
            assert!(thinner < start, "{id}: {thinner} {start}");
        }
    }
}
