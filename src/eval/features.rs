//! What is counted on a board.
//!
//! A feature is a number that a weight multiplies; those that belong together are a [`Block`]. Where
//! it matters who is to move, a block has a part for each side.

use super::lanes::{region, sight};
use super::shape::Shape;
use crate::game::bits::Bits;
use crate::game::board::Board;
use crate::game::geometry::{Geometry, Square};
use crate::game::rules::{Goal, Kind, Side};
use crate::game::tables::RuleTables;

/// Features that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// What is counted, in a few words.
    pub name: &'static str,
    /// The number of the first feature.
    pub first: usize,
    /// How many there are.
    pub len: usize,
}

macro_rules! blocks {
    ($($(#[$doc:meta])* $id:ident $len:expr, $name:literal;)*) => {
        /// The blocks, except those of squares.
        pub const BLOCKS: &[Block] = &{
            let mut blocks = [$(Block { name: $name, first: 0, len: $len }),*];
            let mut i = 1;
            while i < blocks.len() {
                blocks[i].first = blocks[i - 1].first + blocks[i - 1].len;
                i += 1;
            }
            blocks
        };
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Number { $($id),* }
        /// The first feature of each block.
        mod at {
            use super::{BLOCKS, Number};
            $($(#[$doc])* pub const $id: usize = BLOCKS[Number::$id as usize].first;)*
        }
    };
}

blocks! {
    /// One, by the side to move.
    TURN 2, "the side to move";
    /// Directions in which the king reaches a goal.
    EXITS 1, "the king's ways to a goal";
    /// Squares that he reaches: 0, 1, 2, 3, 4-5, 6-8, more.
    MOBILITY 2 * 7, "squares that the king reaches";
    /// Of these, those with a way to a goal: 0, 1, 2, 3, 4-5, more.
    THREATS 2 * 6, "squares from which he threatens to win";
    /// Of these, those with two ways: 0, 1, 2, more.
    FORKS 2 * 4, "squares with two ways to a goal";
    /// Squares of the board with a way to a goal.
    OPEN 1, "open squares of the board";
    /// What the king sees first in each direction: nobody, an attacker beside him, at distance 2,
    /// farther, a defender beside him, farther.
    RAYS 6, "what the king sees";
    /// Neighbours that are hostile to him: 0 to 4.
    HOSTILE 2 * 5, "enemies beside the king";
    /// Squares on which an attacker takes a king whom two men take: 0, 1, more.
    DANGER 2 * 3, "squares where the king is taken";
    /// Men around the king by place: beside, diagonal, two away, knight's move, two diagonal; attackers
    /// first.
    AROUND 2 * 5, "men around the king";
    /// Ranks and files without attackers, from the edge to the middle.
    LINES 5, "lines without attackers";
    /// The same of the king's own lines, and of those beside them.
    KING_LINES 2, "lines without attackers near the king";
    /// Attackers side by side, diagonally; defenders the same.
    CHAINS 4, "men side by side";
    /// Goal corners with so many attackers near: 0, 1, 2, more.
    CORNERS 4, "attackers near the corners";
    /// The same on the three squares of the diagonal that shuts a corner, and on the four of the next.
    DIAGONALS 4 + 5, "walls before the corners";
    /// Goal corners that the king's region touches: 0 to 4.
    GATES 5, "corners that no wall shuts off";
    /// The size of the king's region, in eighths of the board.
    REGION 8, "the room inside the attackers' walls";
    /// Squares of the edge in it, and whether there is no goal in it.
    RIM 2, "the edge inside the attackers' walls";
}

/// Features, except those of squares.
pub const COUNT: usize = BLOCKS[BLOCKS.len() - 1].first + BLOCKS[BLOCKS.len() - 1].len;

/// Takes down what is counted.
pub trait Sink {
    /// The feature of this number was met `count` times.
    fn add(&mut self, feature: usize, count: u32);
}

const MOBILITY: [u8; 10] = [0, 1, 2, 3, 4, 4, 5, 5, 5, 6];
const THREATS: [u8; 7] = [0, 1, 2, 3, 4, 4, 5];
const FORKS: [u8; 4] = [0, 1, 2, 3];

/// The bin of a count: those beyond the table are in the last one.
#[inline]
fn bin<const N: usize>(bins: &[u8; N], count: u32) -> usize {
    bins[(count as usize).min(N - 1)] as usize
}

/// What the attackers' walls leave to the king: the squares that he would reach if nobody but
/// attackers stood in his way, however many moves it took.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Region {
    /// Its size, in eighths of the board, rounded down.
    size: u8,
    /// How many squares of the edge it has.
    rim: u8,
    /// How many goals it has.
    goals: u8,
}

impl Region {
    /// The region of a king among attackers.
    #[inline]
    pub fn of<G: Geometry>(shape: &Shape<G>, tables: &RuleTables<G>, board: &Board<G>) -> Self {
        let through = shape.enterable.minus(board.men(Side::Attackers));
        let squares = region(tables, board.king_set(), through);
        Self {
            size: (squares.count() as usize * 8 / G::SQUARES).min(7) as u8,
            rim: (squares & tables.edge).count() as u8,
            goals: (squares & tables.goals).count() as u8,
        }
    }
}

/// Counts everything on a board but the squares of the pieces. `open` are the lines without
/// attackers, as [`Shape::open_lines`] says, and `region` is the king's.
#[inline]
pub fn collect<G: Geometry>(
    shape: &Shape<G>,
    tables: &RuleTables<G>,
    board: &Board<G>,
    (open, region): (u64, Region),
    sink: &mut impl Sink,
) {
    let side = board.side() as usize;
    sink.add(at::TURN + side, 1);
    let Some(king) = board.king() else { return };
    lanes(shape, tables, board, king, sink);
    rays(board, king, sink);
    danger(shape, tables, board, king, sink);
    lines(shape, king, open, sink);
    men(tables, board, sink);
    sink.add(at::REGION + usize::from(region.size), 1);
    sink.add(at::RIM, region.rim.into());
    if region.goals == 0 {
        sink.add(at::RIM + 1, 1);
    }
    if tables.rules.goal == Goal::Corners {
        corners(shape, board, region, sink);
    }
}

/// The king's prospects.
#[inline]
fn lanes<G: Geometry>(
    shape: &Shape<G>,
    tables: &RuleTables<G>,
    board: &Board<G>,
    king: Square,
    sink: &mut impl Sink,
) {
    let side = board.side() as usize;
    let occupied = board.occupied();
    let free = shape.passable.minus(occupied);
    let first = sight(tables, tables.goals.minus(occupied), free);
    let stops = first.any.minus(tables.goals) & shape.stoppable;
    let reach = board.reach(tables, Kind::King, king);
    let mut reached = G::Bits::EMPTY;
    for square in reach.squares::<G>(king) {
        reached = reached | G::Bits::bit(square.index());
    }
    let exits = board.king_exits(tables);
    if exits > 0 {
        sink.add(at::EXITS, exits);
    }
    sink.add(at::MOBILITY + 7 * side + bin(&MOBILITY, reach.count()), 1);
    sink.add(at::THREATS + 6 * side + bin(&THREATS, (reached & stops).count()), 1);
    sink.add(at::FORKS + 4 * side + bin(&FORKS, (reached & stops & first.many).count()), 1);
    sink.add(at::OPEN, stops.count());
}

/// The first piece in each direction.
#[inline]
fn rays<G: Geometry>(board: &Board<G>, king: Square, sink: &mut impl Sink) {
    let (file, rank) = king.file_rank(G::SIZE);
    let (row, column) = (board.row(rank), board.column(file));
    let attackers = board.men(Side::Attackers);
    let mut see = |line: u32, step: isize, rising: bool, at: usize| {
        let distance = if rising {
            let beyond = line >> at >> 1;
            if beyond == 0 { 0 } else { beyond.trailing_zeros() as usize + 1 }
        } else {
            let before = line & ((1 << at) - 1);
            if before == 0 { 0 } else { at - before.ilog2() as usize }
        };
        let kind = if distance == 0 {
            0
        } else {
            let square = king.index().wrapping_add_signed(step * distance as isize);
            if attackers.has(square) { distance.min(3) } else { 3 + distance.min(2) }
        };
        sink.add(at::RAYS + kind, 1);
    };
    let size = G::SIZE as isize;
    see(row, 1, true, file);
    see(row, -1, false, file);
    see(column, size, true, rank);
    see(column, -size, false, rank);
}

/// Who stands around the king.
#[inline]
fn danger<G: Geometry>(
    shape: &Shape<G>,
    tables: &RuleTables<G>,
    board: &Board<G>,
    king: Square,
    sink: &mut impl Sink,
) {
    let side = board.side() as usize;
    let hostile = tables.near[king.index()] & board.king_captors(tables);
    sink.add(at::HOSTILE + 5 * side + hostile.count() as usize, 1);
    if tables.custodial_king.has(king.index()) {
        let taken = board.king_capture_squares(tables).count() as usize;
        sink.add(at::DANGER + 3 * side + taken.min(2), 1);
    }
    let (attackers, defenders) = (board.men(Side::Attackers), board.men(Side::Defenders));
    for (i, &ring) in shape.rings[king.index()].iter().enumerate() {
        sink.add(at::AROUND + i, (attackers & ring).count());
        sink.add(at::AROUND + 5 + i, (defenders & ring).count());
    }
}

/// Ranks and files without attackers.
#[inline]
fn lines<G: Geometry>(shape: &Shape<G>, king: Square, open: u64, sink: &mut impl Sink) {
    for (i, lines) in shape.line_classes.iter().enumerate() {
        sink.add(at::LINES + i, (open & lines).count_ones());
    }
    let (file, rank) = king.file_rank(G::SIZE);
    let own = 1 << rank | 1 << (G::SIZE + file);
    sink.add(at::KING_LINES, (open & own).count_ones());
    sink.add(at::KING_LINES + 1, (open & shape.lines_beside(file, rank)).count_ones());
}

/// How men stand to each other.
#[inline]
fn men<G: Geometry>(tables: &RuleTables<G>, board: &Board<G>, sink: &mut impl Sink) {
    let (not_first, not_last) = (tables.not_first_file, tables.not_last_file);
    for (i, men) in
        [Side::Attackers, Side::Defenders].map(|side| board.men(side)).iter().enumerate()
    {
        let men = *men;
        let beside = (men & not_first & men.up(1)).count() + (men & men.up(G::SIZE)).count();
        let diagonal = (men & not_first & men.up(G::SIZE + 1)).count()
            + (men & not_last & men.up(G::SIZE - 1)).count();
        sink.add(at::CHAINS + 2 * i, beside);
        sink.add(at::CHAINS + 2 * i + 1, diagonal);
    }
}

/// How the corners are guarded.
#[inline]
fn corners<G: Geometry>(shape: &Shape<G>, board: &Board<G>, region: Region, sink: &mut impl Sink) {
    let attackers = board.men(Side::Attackers);
    for corner in &shape.corners {
        let count = |squares: G::Bits| (attackers & squares).count() as usize;
        sink.add(at::CORNERS + count(corner.around).min(3), 1);
        sink.add(at::DIAGONALS + count(corner.diagonal), 1);
        sink.add(at::DIAGONALS + 4 + count(corner.next_diagonal), 1);
    }
    sink.add(at::GATES + usize::from(region.goals).min(4), 1);
}
