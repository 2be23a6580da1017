//! Random numbers that are the same on every machine and in every version.

/// SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number
/// generators", 2014).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A stream for these numbers; different numbers give unrelated streams.
    pub fn of(numbers: &[u64]) -> Self {
        let mixed = numbers.iter().fold(0, |state, &number| {
            let mut rng = Self(state ^ number);
            rng.draw() ^ state.rotate_left(32)
        });
        Self(mixed)
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of the items; `None` if there is none.
    pub fn choose<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        // The high half of the product: no bias worth speaking of for lists of moves.
        let at = (u128::from(self.draw()) * items.len() as u128) >> 64;
        items.get(at as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_stream() {
        // The first outputs for the seed 1234567 in the reference implementation.
        let mut rng = Rng(1_234_567);
        assert_eq!(rng.draw(), 6_457_827_717_110_365_317);
        assert_eq!(rng.draw(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn streams_differ_and_choices_are_even() {
        assert_ne!(Rng::of(&[1, 2]).draw(), Rng::of(&[2, 1]).draw());
        assert_ne!(Rng::of(&[0]).draw(), Rng::of(&[0, 0]).draw());
        let mut rng = Rng::of(&[7]);
        let mut seen = [0; 5];
        for _ in 0..5_000 {
            seen[rng.choose(&[0, 1, 2, 3, 4]).unwrap()] += 1;
        }
        assert!(seen.iter().all(|count| (850..1150).contains(count)), "{seen:?}");
        assert_eq!(rng.choose::<u8>(&[]), None);
    }
}
