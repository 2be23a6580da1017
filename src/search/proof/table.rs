//! The memory of a proof search: a table of fixed size, in which new entries push out those that
//! cost least.

use crate::game::geometry::Square;
use crate::game::moves::Move;

/// Entries that share a place.
const BUCKET: usize = 4;
/// How much dearer an entry counts that is decided, as a power of two of its nodes.
const DECIDED: u8 = 6;

/// How near a position is to being decided: how many more positions have to be proven to prove it
/// (`pn`) or to disprove it (`dn`), as far as is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// The proof number; 0 when proven.
    pub pn: u32,
    /// The disproof number; 0 when disproven.
    pub dn: u32,
    /// Plies to the win, when proven: no defence lasts longer.
    pub len: u16,
}

impl Numbers {
    /// The number of what cannot be.
    pub const NEVER: u32 = u32::MAX;
    /// The proof number of a position in which nothing is left to try but what has been on this
    /// way before: a failure that says nothing about other ways to it.
    pub const SOFT: u32 = 1 << 28;
    /// Disproven, whatever came before.
    pub const DISPROVEN: Self = Self { pn: Self::NEVER, dn: 0, len: 0 };
    /// Failed on the way to it.
    pub const FAILED_HERE: Self = Self { pn: Self::SOFT, dn: 1, len: 0 };

    /// Proven, with a win in so many plies.
    pub const fn proven(len: u16) -> Self {
        Self { pn: 0, dn: Self::NEVER, len }
    }

    /// Open, with these numbers.
    pub const fn open(pn: u32, dn: u32) -> Self {
        Self { pn, dn, len: 0 }
    }

    /// Is it proven?
    pub const fn is_proven(self) -> bool {
        self.pn == 0
    }

    /// Is it disproven, whatever came before?
    pub const fn is_disproven(self) -> bool {
        self.dn == 0
    }

    /// Did it fail, here or for ever?
    pub const fn has_failed(self) -> bool {
        self.pn >= Self::SOFT
    }
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    key: u64,
    /// How near it is to being decided.
    pub numbers: Numbers,
    from: u16,
    to: u16,
    /// The pass of the search that wrote it.
    pub pass: u8,
    cost: u8,
}

impl Entry {
    /// What was found with so many nodes, and the move to look at first.
    pub fn new(key: u64, numbers: Numbers, mv: Option<Move>, pass: u8, nodes: u64) -> Self {
        let decided = if numbers.is_proven() || numbers.is_disproven() { DECIDED } else { 0 };
        // 0 is an empty place.
        let cost = (nodes + 1).ilog2() as u8 + 1 + decided;
        let (from, to) = mv.map_or((0, 0), |mv| (mv.from.0, mv.to.0));
        Self { key, numbers, from, to, pass, cost }
    }

    /// The move to look at first.
    pub fn mv(&self) -> Option<Move> {
        (self.from != self.to).then_some(Move { from: Square(self.from), to: Square(self.to) })
    }

    const EMPTY: Self =
        Self { key: 0, numbers: Numbers::open(0, 0), from: 0, to: 0, pass: 0, cost: 0 };
}

/// The table.
#[derive(Debug)]
pub struct Table {
    entries: Vec<Entry>,
    mask: usize,
}

impl Table {
    /// A table of at most `size` MiB, or of less if the memory cannot be had.
    pub fn new(size: usize) -> Self {
        let most = (size.max(1) << 20) / size_of::<Entry>() / BUCKET;
        // The largest power of two that is no more than that.
        let mut buckets = 1_usize << most.max(1).ilog2();
        loop {
            let mut entries = Vec::new();
            if entries.try_reserve_exact(buckets * BUCKET).is_ok() || buckets == 1 {
                entries.resize(buckets * BUCKET, Entry::EMPTY);
                return Self { entries, mask: buckets - 1 };
            }
            buckets /= 2;
        }
    }

    /// How many entries fit in.
    pub fn capacity(&self) -> usize {
        self.entries.len()
    }

    fn bucket(&self, key: u64) -> usize {
        (key as usize & self.mask) * BUCKET
    }

    /// What is known of the position of a key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<&Entry> {
        let at = self.bucket(key);
        let bucket = self.entries.get(at..at + BUCKET)?;
        bucket.iter().find(|entry| entry.key == key && entry.cost > 0)
    }

    /// Keeps an entry, in place of what was known of the position or of the cheapest one.
    #[inline]
    pub fn store(&mut self, entry: Entry) {
        let at = self.bucket(entry.key);
        let Some(bucket) = self.entries.get_mut(at..at + BUCKET) else { return };
        let same = bucket.iter().position(|old| old.key == entry.key);
        let cheapest = || (0..bucket.len()).min_by_key(|&i| bucket[i].cost);
        let place = same.or_else(cheapest).and_then(|i| bucket.get_mut(i));
        if let Some(place) = place {
            *place = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dear_ones_stay() {
        let mut table = Table::new(1);
        let stride = (table.capacity() / BUCKET) as u64;
        let mv = Some(Move { from: Square(1), to: Square(2) });
        // All in one bucket.
        for i in 1..=20_u64 {
            table.store(Entry::new(i * stride, Numbers::open(i as u32, 1), mv, 0, 1 << (21 - i)));
        }
        for i in 1..=3 {
            assert_eq!(table.probe(i * stride).unwrap().numbers.pn, i as u32);
        }
        assert_eq!(table.probe(20 * stride).unwrap().mv(), mv);
        assert!(table.probe(10 * stride).is_none());
        // What is decided outlives what cost as much.
        let mut table = Table::new(1);
        for i in 1..=2_u64 {
            table.store(Entry::new(i * stride, Numbers::open(1, 1), None, 0, 1 << 20));
        }
        table.store(Entry::new(50 * stride, Numbers::proven(3), None, 0, 1));
        table.store(Entry::new(51 * stride, Numbers::open(1, 1), None, 0, 1));
        table.store(Entry::new(52 * stride, Numbers::open(1, 1), None, 0, 1));
        assert_eq!(table.probe(50 * stride).unwrap().numbers, Numbers::proven(3));
        assert_eq!(table.probe(50 * stride).unwrap().mv(), None);
    }

    #[test]
    fn it_is_no_larger_than_it_may_be() {
        for size in [1, 3, 8] {
            let bytes = Table::new(size).capacity() * size_of::<Entry>();
            assert!(bytes <= size << 20 && bytes > size << 18, "{size}: {bytes}");
        }
    }
}
