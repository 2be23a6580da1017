//! Sets of squares along free lines and in free regions, all squares at a time.

use crate::game::bits::Bits;
use crate::game::geometry::Geometry;
use crate::game::tables::RuleTables;

/// A set moved up by any number of squares.
#[inline]
fn up<B: Bits>(set: B, by: usize) -> B {
    if by < 64 { set.up(by) } else { up(set.up(63), by - 63) }
}

/// A set moved down by any number of squares.
#[inline]
fn down<B: Bits>(set: B, by: usize) -> B {
    if by < 64 { set.down(by) } else { down(set.down(63), by - 63) }
}

/// Squares of `free` from which a straight way over squares of `free` leads to one of `targets`: in
/// some direction, and in two or more.
#[derive(Clone, Copy, Debug)]
pub struct Sight<B> {
    /// In one direction or more.
    pub any: B,
    /// In two directions or more.
    pub many: B,
}

/// Looks from all targets in the four directions at once (the fill of Kogge and Stone 1973, as chess
/// programs use it). Targets do not see themselves.
#[inline]
pub fn sight<G: Geometry>(
    tables: &RuleTables<G>,
    targets: G::Bits,
    free: G::Bits,
) -> Sight<G::Bits> {
    // A square that a shift along a rank takes over the side of the board does not count.
    let (rising, falling) = (free & tables.not_first_file, free & tables.not_last_file);
    let east = fill::<G>(targets, rising, up);
    let west = fill::<G>(targets, falling, down);
    let north = fill::<G>(targets, free, |set, n| up(set, n * G::SIZE));
    let south = fill::<G>(targets, free, |set, n| down(set, n * G::SIZE));
    let (one, two) = (east ^ west, east & west);
    let (other, others) = (north ^ south, north & south);
    Sight { any: one | two | other | others, many: two | others | one & other }
}

/// Everything that is reached from `seeds` through the squares of `through`, by steps to the side.
/// Steps along ranks and along files take turns, which halves the rounds.
#[inline]
pub fn region<G: Geometry>(tables: &RuleTables<G>, seeds: G::Bits, through: G::Bits) -> G::Bits {
    let (rising, falling) = (through & tables.not_first_file, through & tables.not_last_file);
    let mut reached = seeds;
    loop {
        let along = reached | rising & reached.up(1) | falling & reached.down(1);
        let next = along | through & (along.up(G::SIZE) | along.down(G::SIZE));
        if next == reached {
            return reached;
        }
        reached = next;
    }
}

#[inline]
fn fill<G: Geometry>(
    targets: G::Bits,
    mut free: G::Bits,
    shift: impl Fn(G::Bits, usize) -> G::Bits,
) -> G::Bits {
    let mut seen = free & shift(targets, 1);
    let mut step = 1;
    // `step` squares of each line are done.
    while step < G::SIZE - 2 {
        seen = seen | free & shift(seen, step);
        free = free & shift(free, step);
        step *= 2;
    }
    seen
}
