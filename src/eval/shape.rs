//! [`Shape`]: what the evaluation needs to know of a board and its rules, laid out on the squares.

use super::places::{edge_distance, scaled};
use crate::game::bits::Bits;
use crate::game::geometry::{Geometry, Square};
use crate::game::rules::{Goal, Kind};
use crate::game::tables::RuleTables;

/// Places around the king: steps to the side and ahead, in any of the eight ways.
const RINGS: [(usize, usize); 5] = [(1, 0), (1, 1), (2, 0), (2, 1), (2, 2)];

/// A board and its rules as sets of squares.
#[derive(Clone, Debug)]
pub struct Shape<G: Geometry> {
    /// Squares that the king may pass when they are empty, wherever he comes from.
    pub passable: G::Bits,
    /// Those on which he may stop.
    pub stoppable: G::Bits,
    /// Those that he may enter at all.
    pub enterable: G::Bits,
    /// By the king's square: the places of [`RINGS`] around him.
    pub rings: Vec<[G::Bits; 5]>,
    /// The squares of each rank, then of each file.
    lines: Vec<G::Bits>,
    /// The lines (bit `i` is rank `i`, then come the files) from the edge to the middle.
    pub line_classes: [u64; 5],
    /// The corners, where they are the goal.
    pub corners: Vec<Corner<G::Bits>>,
}

/// The squares before a corner.
#[derive(Clone, Copy, Debug)]
pub struct Corner<B> {
    /// At most two ranks and two files away.
    pub around: B,
    /// The three squares two steps away: attackers on them shut the corner, and nobody takes them.
    pub diagonal: B,
    /// The four squares three steps away.
    pub next_diagonal: B,
}

impl<G: Geometry> Shape<G> {
    /// For a rule set.
    pub fn new(tables: &RuleTables<G>) -> Self {
        let rules = &tables.rules;
        let size = G::SIZE;
        let mut outside = [G::Bits::EMPTY; 2];
        for zone in rules.zones() {
            for square in zone.squares().map(|square| G::Bits::bit(square.index())) {
                let enters = zone.reenter.has(Kind::King);
                if !(enters && zone.pass.has(Kind::King)) {
                    outside[0] = outside[0] | square;
                }
                if !(enters && zone.stop.has(Kind::King)) {
                    outside[1] = outside[1] | square;
                }
            }
        }
        let mut lines = vec![G::Bits::EMPTY; 2 * size];
        for square in rules.squares() {
            let (file, rank) = square.file_rank(size);
            for line in [rank, size + file] {
                lines[line] = lines[line] | G::Bits::bit(square.index());
            }
        }
        let mut line_classes = [0; 5];
        for line in 0..size {
            let class = scaled(edge_distance(line, size), size / 2, 4);
            line_classes[class] |= 1 << line | 1 << (size + line);
        }
        Self {
            passable: tables.board.minus(outside[0]),
            stoppable: tables.board.minus(outside[1]),
            enterable: tables.board.minus(outside[0] & outside[1]),
            rings: rules.squares().map(rings::<G>).collect(),
            lines,
            line_classes,
            corners: if rules.goal == Goal::Corners { corners::<G>() } else { Vec::new() },
        }
    }

    /// The lines that have none of these men, as bits.
    pub fn open_lines(&self, men: G::Bits) -> u64 {
        let open = self.lines.iter().enumerate().filter(|(_, line)| !men.meets(**line));
        open.fold(0, |open, (i, _)| open | 1 << i)
    }

    /// `open` after something changed for these men on a square.
    #[inline]
    pub fn reopened(&self, open: u64, men: G::Bits, square: Square) -> u64 {
        let (file, rank) = square.file_rank(G::SIZE);
        let is_open = |line: usize| u64::from(!men.meets(self.lines[line])) << line;
        let changed = 1 << rank | 1 << (G::SIZE + file);
        open & !changed | is_open(rank) | is_open(G::SIZE + file)
    }

    /// The lines beside a file and a rank, as bits.
    #[inline]
    pub fn lines_beside(&self, file: usize, rank: usize) -> u64 {
        let line: u64 = (1 << G::SIZE) - 1;
        let beside = |at: usize| ((1 << at << 1) | (1 << at >> 1)) & line;
        beside(rank) | beside(file) << G::SIZE
    }
}

fn rings<G: Geometry>(king: Square) -> [G::Bits; 5] {
    let (file, rank) = king.file_rank(G::SIZE);
    RINGS.map(|(far, near)| {
        let mut ring = G::Bits::EMPTY;
        for (across, along) in [(far, near), (near, far)] {
            for f in [file.wrapping_sub(across), file + across] {
                for r in [rank.wrapping_sub(along), rank + along] {
                    if f < G::SIZE && r < G::SIZE {
                        ring = ring | G::Bits::bit(Square::at(f, r, G::SIZE).index());
                    }
                }
            }
        }
        ring
    })
}

fn corners<G: Geometry>() -> Vec<Corner<G::Bits>> {
    let last = G::SIZE - 1;
    [(0, 0), (0, last), (last, 0), (last, last)]
        .into_iter()
        .map(|(file, rank): (usize, usize)| {
            let set = |test: &dyn Fn(usize, usize) -> bool| {
                let squares = (0..G::SQUARES)
                    .filter(|at| test(file.abs_diff(at % G::SIZE), rank.abs_diff(at / G::SIZE)));
                squares.fold(G::Bits::EMPTY, |set, square| set | G::Bits::bit(square))
            };
            Corner {
                around: set(&|f, r| f <= 2 && r <= 2),
                diagonal: set(&|f, r| f + r == 2),
                next_diagonal: set(&|f, r| f + r == 3),
            }
        })
        .collect()
}
