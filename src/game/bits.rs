//! Sets of squares as bitsets: one word for 7x7, `u128` up to 11x11, an array of words above.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A set of squares of one board. Bit `i` is the square of index `i`.
///
/// The bits above the last square are unspecified after [`Not`] and the shifts; whoever uses those
/// masks the result.
pub trait Bits:
    Copy
    + Eq
    + Debug
    + Default
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + 'static
{
    /// The set with nothing in it.
    const EMPTY: Self;

    /// The set of one square.
    fn bit(index: usize) -> Self;
    /// Is the square in the set?
    fn has(self, index: usize) -> bool;
    /// How many squares are in the set.
    fn count(self) -> u32;
    /// The lowest square of the set.
    fn first(self) -> Option<usize>;
    /// The set without its lowest square.
    fn without_first(self) -> Self;
    /// Every square moved up by `by` indices (`by` < 64).
    fn up(self, by: usize) -> Self;
    /// Every square moved down by `by` indices (`by` < 64).
    fn down(self, by: usize) -> Self;

    /// Is there nothing in the set?
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Do the two sets share a square?
    #[inline]
    fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// The squares of this set that are not in the other.
    #[inline]
    fn minus(self, other: Self) -> Self {
        self & !other
    }

    /// The squares of the set, lowest first.
    #[inline]
    fn squares(self) -> Squares<Self> {
        Squares(self)
    }
}

/// Iterator over the indices of a set, lowest first.
#[derive(Clone, Debug)]
pub struct Squares<B>(B);

impl<B: Bits> Iterator for Squares<B> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let first = self.0.first()?;
        self.0 = self.0.without_first();
        Some(first)
    }
}

macro_rules! one_word {
    ($word:ty, $has:expr) => {
        impl Bits for $word {
            const EMPTY: Self = 0;

            #[inline]
            fn bit(index: usize) -> Self {
                1 << index
            }
            #[inline]
            fn has(self, index: usize) -> bool {
                $has(self, index)
            }
            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            fn first(self) -> Option<usize> {
                (self != 0).then(|| self.trailing_zeros() as usize)
            }
            #[inline]
            fn without_first(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline]
            fn up(self, by: usize) -> Self {
                self << by
            }
            #[inline]
            fn down(self, by: usize) -> Self {
                self >> by
            }
        }
    };
}

one_word!(u64, |set: u64, index: usize| set >> index & 1 != 0);
// Choosing the half first is cheaper than a shift of both.
one_word!(u128, |set: u128, index: usize| {
    let half = if index & 64 == 0 { set as u64 } else { (set >> 64) as u64 };
    half >> (index & 63) & 1 != 0
});

/// `N` words of 64 squares, lowest first: the set for boards of more than 128 squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Words<const N: usize>([u64; N]);

impl<const N: usize> Words<N> {
    #[inline]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl<const N: usize> Default for Words<N> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const N: usize> BitAnd for Words<N> {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }
}

impl<const N: usize> BitOr for Words<N> {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }
}

impl<const N: usize> BitXor for Words<N> {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }
}

impl<const N: usize> Not for Words<N> {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

impl<const N: usize> Bits for Words<N> {
    const EMPTY: Self = Self([0; N]);

    #[inline]
    fn bit(index: usize) -> Self {
        let mut set = Self::EMPTY;
        set.0[index / 64] = 1 << (index % 64);
        set
    }

    #[inline]
    fn has(self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 != 0
    }

    #[inline]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    fn first(self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(word * 64 + self.0[word].trailing_zeros() as usize)
    }

    #[inline]
    fn without_first(mut self) -> Self {
        if let Some(word) = self.0.iter_mut().find(|word| **word != 0) {
            *word &= *word - 1;
        }
        self
    }

    #[inline]
    fn up(self, by: usize) -> Self {
        let carry = |i: usize| if i == 0 { 0 } else { self.0[i - 1] >> 1 >> (63 - by) };
        Self(std::array::from_fn(|i| self.0[i] << by | carry(i)))
    }

    #[inline]
    fn down(self, by: usize) -> Self {
        let carry = |i: usize| if i + 1 == N { 0 } else { self.0[i + 1] << 1 << (63 - by) };
        Self(std::array::from_fn(|i| self.0[i] >> by | carry(i)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same operations on `Words` and on `u128` must agree, squares across the word border
    /// included.
    #[test]
    fn words_agree_with_u128() {
        let to_words = |set: u128| Words::<2>([set as u64, (set >> 64) as u64]);
        let sets = [0u128, 1, 1 << 63, 1 << 64, 0x8000_0000_0000_0001 << 40, u128::MAX, 5 << 62];
        for a in sets {
            let words = to_words(a);
            assert_eq!(words.count(), a.count());
            assert_eq!(words.first(), a.first());
            assert_eq!(words.without_first(), to_words(a.without_first()));
            assert!(words.squares().eq(a.squares()));
            for by in [0, 1, 9, 19, 63] {
                assert_eq!(words.up(by), to_words(a.up(by)), "{a:x} up {by}");
                assert_eq!(words.down(by), to_words(a.down(by)), "{a:x} down {by}");
            }
            for b in sets {
                assert_eq!(words & to_words(b), to_words(a & b));
                assert_eq!(words.meets(to_words(b)), a.meets(b));
                assert_eq!(words.minus(to_words(b)), to_words(a.minus(b)));
            }
        }
    }
}
