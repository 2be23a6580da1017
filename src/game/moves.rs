//! Moves and how they are written.

use std::fmt;

use super::geometry::Square;

/// A move: one piece along one line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl Move {
    /// The move as text on a board of `size`, such as `e5e8`.
    pub const fn on(self, size: usize) -> MoveName {
        MoveName(self, size)
    }

    /// Reads `e5e8`, `e5-e8`, `e5-e8xe9` or `e5-e8xe9/f8` (or `e9,f8`), in any case, on a board of `size`.
    ///
    /// What follows an `x` must be squares; whether they are the ones captured is not checked.
    pub fn parse(text: &str, size: usize) -> Option<Self> {
        let (from, rest) = Square::read(text, size)?;
        let (to, mut rest) = Square::read(rest.strip_prefix('-').unwrap_or(rest), size)?;
        while let Some(capture) = rest.strip_prefix(['x', 'X', '/', ',']) {
            (_, rest) = Square::read(capture, size)?;
        }
        (rest.is_empty() && from != to).then_some(Self { from, to })
    }
}

/// A move together with the size of its board: displays as `e5e8`.
#[derive(Clone, Copy, Debug)]
pub struct MoveName(Move, usize);

impl fmt::Display for MoveName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0.from.on(self.1), self.0.to.on(self.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_in_every_spelling() {
        let e5e8 = Move::parse("e5e8", 9);
        assert_eq!(e5e8.unwrap().on(9).to_string(), "e5e8");
        for same in
            ["e5-e8", "E5E8", "e5-e8xe9", "E5-E8XE9", "e5e8xe9xd8", "e5-e8xe9/d8", "e5e8xe9,d8"]
        {
            assert_eq!(Move::parse(same, 9), e5e8, "{same}");
        }
        assert_eq!(Move::parse("a10a11", 11).unwrap().on(11).to_string(), "a10a11");
        assert_eq!(Move::parse("a1a10", 11).unwrap().on(11).to_string(), "a1a10");
        for bad in ["", "e5", "e5e", "e5e8x", "e5e8e9", "e5--e8", "e5e5", "e5e10", "0000", "(none)"]
        {
            assert_eq!(Move::parse(bad, 9), None, "{bad}");
        }
    }
}
