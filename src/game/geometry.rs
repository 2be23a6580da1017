//! One type per board size, the squares of a board and the reach of a rook along a line.
//!
//! Square `0` is `a1`, the next one `b1`; a board of size `n` has `n * n` squares, rank by rank.

use std::fmt::{self, Debug};

use super::bits::{Bits, Words};

/// The largest board.
pub const MAX_SIZE: usize = 19;
/// The smallest board.
pub const MIN_SIZE: usize = 7;

/// The squares of one line (a rank or a file), bit `i` being its `i`-th square.
pub type Line = u32;

/// A board size, known at compile time, and the bitset that fits it.
pub trait Geometry: Copy + Debug + Default + Send + Sync + 'static {
    /// Squares on a side.
    const SIZE: usize;
    /// Squares on the board.
    const SQUARES: usize = Self::SIZE * Self::SIZE;
    /// The bitset of this size.
    type Bits: Bits;
}

macro_rules! sizes {
    ($($name:ident $size:literal $bits:ty),*) => {$(
        #[doc = concat!("The ", $size, "x", $size, " board.")]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name;

        impl Geometry for $name {
            const SIZE: usize = $size;
            type Bits = $bits;
        }
    )*};
}

sizes!(
    Size7 7 u64,
    Size9 9 u128,
    Size11 11 u128,
    Size13 13 Words<3>,
    Size15 15 Words<4>,
    Size17 17 Words<5>,
    Size19 19 Words<6>
);

/// A square of a board, by index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(pub(crate) u16);

impl Square {
    /// The square on `file` and `rank` (both from 0) of a board of `size`.
    pub const fn at(file: usize, rank: usize, size: usize) -> Self {
        Self((rank * size + file) as u16)
    }

    /// The index of the square, rank by rank from `a1`.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// File (`a` = 0) and rank (`1` = 0) on a board of `size`.
    #[inline]
    pub const fn file_rank(self, size: usize) -> (usize, usize) {
        (self.index() % size, self.index() / size)
    }

    /// The name of the square on a board of `size`, such as `e5`.
    pub const fn on(self, size: usize) -> SquareName {
        SquareName(self, size)
    }

    /// Reads a square such as `e5` or `A10` at the start of `text`; the rest of the text follows.
    pub fn read(text: &str, size: usize) -> Option<(Self, &str)> {
        let file = text.bytes().next().map(|byte| byte.to_ascii_lowercase())?;
        let file = usize::from(file.checked_sub(b'a')?);
        let digits = text.bytes().skip(1).take_while(u8::is_ascii_digit).take(2).count();
        let rank: usize = text.get(1..1 + digits)?.parse().ok()?;
        let leading_zero = text.as_bytes().get(1) == Some(&b'0');
        let on_board = file < size && (1..=size).contains(&rank) && !leading_zero;
        on_board.then(|| (Self::at(file, rank - 1, size), text.get(1 + digits..).unwrap_or("")))
    }

    /// Reads a text that is one square and nothing else.
    pub fn parse(text: &str, size: usize) -> Option<Self> {
        Self::read(text, size).and_then(|(square, rest)| rest.is_empty().then_some(square))
    }
}

/// A square together with its board size: displays as `e5`.
#[derive(Clone, Copy, Debug)]
pub struct SquareName(Square, usize);

impl fmt::Display for SquareName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, rank) = self.0.file_rank(self.1);
        write!(f, "{}{}", char::from(b'a' + file as u8), rank + 1)
    }
}

/// The squares next to `square` on a board of `size`.
pub fn neighbours(square: Square, size: usize) -> impl Iterator<Item = Square> {
    let (file, rank) = square.file_rank(size);
    [(0, 1), (1, 0), (2, 1), (1, 2)].into_iter().filter_map(move |(df, dr)| {
        let (f, r) = ((file + df).checked_sub(1)?, (rank + dr).checked_sub(1)?);
        (f < size && r < size).then(|| Square::at(f, r, size))
    })
}

/// What a rook on the `at`-th square of a line sees both ways: the empty squares up to the first
/// blocker, and that blocker.
///
/// Bits above the board may be set; the caller masks them.
#[inline]
pub fn line_attacks(blockers: Line, at: usize) -> Line {
    let above = blockers & (!1 << at);
    // Everything up to and including the lowest blocker above.
    let upto = above ^ above.wrapping_sub(1);
    let below = blockers & !(!0 << at) | 1;
    // Everything from the highest blocker below, which is found among squares under `at`.
    let from = !0 << (31 - below.leading_zeros());
    upto & from & !(1 << at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_attacks_agrees_with_walking() {
        for size in [7, 9, 11] {
            let board: Line = (1 << size) - 1;
            for blockers in 0..=board {
                for at in 0..size {
                    let mut seen = 0;
                    for next in at + 1..size {
                        seen |= 1 << next;
                        if blockers >> next & 1 != 0 {
                            break;
                        }
                    }
                    for next in (0..at).rev() {
                        seen |= 1 << next;
                        if blockers >> next & 1 != 0 {
                            break;
                        }
                    }
                    assert_eq!(line_attacks(blockers, at) & board, seen, "{blockers:b} {at}");
                }
            }
        }
    }

    #[test]
    fn squares_read_and_print() {
        for size in [7, 9, 11, 13, 15, 17, 19] {
            for index in 0..size * size {
                let square = Square(index as u16);
                let name = square.on(size).to_string();
                assert_eq!(Square::parse(&name, size), Some(square));
                assert_eq!(Square::parse(&name.to_uppercase(), size), Some(square));
            }
        }
        for bad in ["", "a", "1", "a0", "a01", "a10", "j1", "é1", "a1x", "aé", "a99", "a111"] {
            assert_eq!(Square::parse(bad, 9), None, "{bad}");
        }
    }
}
