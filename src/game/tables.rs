//! [`RuleTables`]: a rule set laid out on the squares of its board, so that nothing about special
//! squares is asked twice while moves are made.

use std::sync::Arc;

use super::bits::Bits;
use super::geometry::{Geometry, Line, MAX_SIZE, Square, neighbours};
use super::rules::{Kind, KingCapture, Rules};

/// What special squares and speed limits do to a piece of one kind that starts on one square.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(16))]
pub(super) struct Path {
    /// Squares of the rank that block it even when empty.
    pub row_block: Line,
    /// Squares of the file that block it even when empty.
    pub column_block: Line,
    /// Squares of the rank where it may stop.
    pub row_stop: Line,
    /// Squares of the file where it may stop.
    pub column_stop: Line,
}

/// A neighbour and the square beyond it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flank {
    pub victim: usize,
    pub beyond: usize,
}

/// A rule set compiled for a board size.
#[derive(Debug)]
pub struct RuleTables<G: Geometry> {
    /// The rule set.
    pub rules: Arc<Rules>,
    /// Every square of the board.
    pub(crate) board: G::Bits,
    /// The squares on the side of the board.
    pub(crate) edge: G::Bits,
    /// The squares that have a neighbour on the file before.
    pub(crate) not_first_file: G::Bits,
    /// The squares that have a neighbour on the file behind.
    pub(crate) not_last_file: G::Bits,
    /// Orthogonal neighbours of each square.
    pub(crate) near: Vec<G::Bits>,
    /// The flanking pairs around each square.
    pub(super) flanks: Vec<Vec<Flank>>,
    /// By kind and start square.
    pub(super) paths: [Vec<Path>; 3],
    /// Where the king wins.
    pub(crate) goals: G::Bits,
    /// The same by rank and by file.
    pub(super) goal_rows: [Line; MAX_SIZE],
    pub(super) goal_columns: [Line; MAX_SIZE],
    /// The squares of the throne.
    pub(crate) throne: G::Bits,
    /// The squares of the corners.
    pub(crate) corners: G::Bits,
    /// Squares hostile to each kind while empty.
    pub(super) hostile_empty: [G::Bits; 3],
    /// Squares hostile to each kind while occupied.
    pub(super) hostile_occupied: [G::Bits; 3],
    /// Squares of the throne hostile to each kind while the king is on them.
    pub(super) hostile_with_king: [G::Bits; 3],
    /// Is the king taken by two on this square? Otherwise he must be surrounded.
    pub(crate) custodial_king: G::Bits,
}

impl<G: Geometry> RuleTables<G> {
    /// Lays out a rule set, whose size must be that of `G`.
    pub fn new(rules: Arc<Rules>) -> Self {
        assert_eq!(rules.size, G::SIZE, "rule set and board differ in size");
        let size = G::SIZE;
        let set = |test: &dyn Fn(Square) -> bool| {
            rules
                .squares()
                .filter(|&square| test(square))
                .fold(G::Bits::EMPTY, |set, square| set | G::Bits::bit(square.index()))
        };
        let hostile = |zones: &[usize], occupied: bool| {
            Kind::ALL.map(|kind| {
                set(&|square| {
                    zones.iter().any(|&zone| {
                        let zone = rules.zones()[zone];
                        zone.contains(square) && zone.hostile(square, kind, occupied)
                    })
                })
            })
        };
        let goals = set(&|square| rules.is_goal(square));
        let mut goal_rows = [0; MAX_SIZE];
        let mut goal_columns = [0; MAX_SIZE];
        for square in goals.squares() {
            goal_rows[square / size] |= 1 << (square % size);
            goal_columns[square % size] |= 1 << (square / size);
        }
        Self {
            board: set(&|_| true),
            edge: set(&|square| rules.is_edge(square)),
            not_first_file: set(&|square| square.index() % size != 0),
            not_last_file: set(&|square| square.index() % size != size - 1),
            near: rules
                .squares()
                .map(|square| {
                    neighbours(square, size)
                        .fold(G::Bits::EMPTY, |set, next| set | G::Bits::bit(next.index()))
                })
                .collect(),
            flanks: rules.squares().map(|square| flanks(square, size)).collect(),
            paths: Kind::ALL
                .map(|kind| rules.squares().map(|from| path(&rules, kind, from)).collect()),
            goals,
            goal_rows,
            goal_columns,
            throne: set(&|square| rules.throne.contains(square)),
            corners: set(&|square| rules.corners.contains(square)),
            hostile_empty: hostile(&[0, 1, 2, 3], false),
            hostile_occupied: hostile(&[1, 2, 3], true),
            hostile_with_king: hostile(&[0], true),
            custodial_king: set(&|square| rules.king_capture_at(square) == KingCapture::Custodial),
            rules,
        }
    }

    /// The set and all neighbours of its squares.
    #[inline]
    pub(crate) fn spread(&self, set: G::Bits) -> G::Bits {
        (set | (set & self.not_last_file).up(1)
            | (set & self.not_first_file).down(1)
            | set.up(G::SIZE)
            | set.down(G::SIZE))
            & self.board
    }

    /// Everything that is reached from `seeds` through the squares of `through`.
    #[inline]
    pub(crate) fn flood(&self, seeds: G::Bits, through: G::Bits) -> G::Bits {
        let mut reached = seeds;
        loop {
            let next = reached | self.spread(reached) & through;
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }
}

fn flanks(square: Square, size: usize) -> Vec<Flank> {
    neighbours(square, size)
        .filter_map(|victim| {
            let beyond =
                neighbours(victim, size).find(|beyond| beyond.0 + square.0 == 2 * victim.0)?;
            Some(Flank { victim: victim.index(), beyond: beyond.index() })
        })
        .collect()
}

fn path(rules: &Rules, kind: Kind, from: Square) -> Path {
    let size = rules.size;
    let (from_file, from_rank) = from.file_rank(size);
    let admitted = |square: Square, to_stop: bool| {
        rules.zones().iter().all(|zone| {
            let list = if to_stop { zone.stop } else { zone.pass };
            !zone.contains(square) || zone.admits(list, kind, from, square)
        })
    };
    let within = |distance: usize| rules.speed[kind as usize].is_none_or(|most| distance <= most);
    let mut path = Path::default();
    for i in 0..size {
        let (along_row, along_column) =
            (Square::at(i, from_rank, size), Square::at(from_file, i, size));
        path.row_block |= Line::from(!admitted(along_row, false)) << i;
        path.column_block |= Line::from(!admitted(along_column, false)) << i;
        let row_stop = admitted(along_row, true) && within(i.abs_diff(from_file));
        let column_stop = admitted(along_column, true) && within(i.abs_diff(from_rank));
        path.row_stop |= Line::from(row_stop) << i;
        path.column_stop |= Line::from(column_stop) << i;
    }
    path
}
