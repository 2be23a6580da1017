//! The transposition table: what is known of positions that were searched before.
//!
//! Readers and writers need no lock. A slot is two words, the entry and the key combined with it by
//! exclusive or; two writers that meet leave a slot whose words do not match, which no key finds
//! (Hyatt and Mann 2002).

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::limits::Bound;
use super::score::Score;
use super::window::Window;
use crate::game::geometry::Square;
use crate::game::moves::Move;

const MIB: usize = 1 << 20;
const SLOTS: usize = 4;

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The best move, if one stood out.
    pub mv: Option<Move>,
    /// Seen from the position itself (see [`Score::from_node`]).
    pub score: Score,
    /// What the score says.
    pub bound: Bound,
    /// How deep the position was searched, in plies, 0 to 127.
    pub depth: u8,
    /// What the position was judged to be worth without a search, in centipawns for the side to
    /// move, if it was.
    pub judgement: Option<i16>,
}

/// The greatest depth that an entry holds, in plies.
pub const DEEPEST_ENTRY: i32 = 127;

/// In place of a judgement where there is none.
const UNJUDGED: i16 = i16::MIN;

/// By how many plies an entry has to be deeper to keep its place against a newer one.
const MUCH_DEEPER: u8 = 3;

/// Searches are counted modulo this.
const GENERATIONS: u8 = 32;

/// One word: from the lowest bit origin and destination (9 bits each, both 0 without a move), score
/// (16), depth (7), bound (2, never 0, so that an empty slot is no entry), generation (5), judgement
/// (16).
impl Entry {
    fn pack(self, generation: u8) -> u64 {
        let (from, to) = self.mv.map_or((0, 0), |mv| (mv.from.index(), mv.to.index()));
        let bound = match self.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        from as u64
            | (to as u64) << 9
            | u64::from(self.score.value() as i16 as u16) << 18
            | u64::from(self.depth & 0x7f) << 34
            | bound << 41
            | u64::from(generation % GENERATIONS) << 43
            | u64::from(self.judgement.unwrap_or(UNJUDGED) as u16) << 48
    }

    fn unpack(word: u64) -> Option<Self> {
        let square = |shift: u32| Square((word >> shift & 0x1ff) as u16);
        let (from, to) = (square(0), square(9));
        Some(Self {
            mv: (from != to).then_some(Move { from, to }),
            score: Score::from_value(i32::from((word >> 18) as u16 as i16)),
            bound: match word >> 41 & 3 {
                1 => Bound::Exact,
                2 => Bound::Lower,
                3 => Bound::Upper,
                _ => return None,
            },
            depth: depth_of(word),
            judgement: Some((word >> 48) as i16).filter(|&judgement| judgement != UNJUDGED),
        })
    }
}

impl Entry {
    /// The score for a node `ply` plies down, if it is all that the window asks for.
    #[inline]
    pub fn settles(&self, window: Window, ply: usize) -> Option<Score> {
        let score = self.score.from_root(ply as u32);
        let settled = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        };
        settled.then_some(score)
    }
}

fn depth_of(word: u64) -> u8 {
    (word >> 34) as u8 & 0x7f
}

fn generation_of(word: u64) -> u8 {
    (word >> 43) as u8 % GENERATIONS
}

#[derive(Debug, Default)]
struct Slot {
    /// The key xor the entry.
    check: AtomicU64,
    entry: AtomicU64,
}

impl Slot {
    fn load(&self) -> (u64, u64) {
        let entry = self.entry.load(Ordering::Relaxed);
        (self.check.load(Ordering::Relaxed) ^ entry, entry)
    }

    fn store(&self, key: u64, entry: u64) {
        self.check.store(key ^ entry, Ordering::Relaxed);
        self.entry.store(entry, Ordering::Relaxed);
    }
}

/// The slots a position may be in: one cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Cluster([Slot; SLOTS]);

/// The table.
#[derive(Debug)]
pub struct Table {
    clusters: Vec<Cluster>,
    /// Counts searches, so that entries of old ones give way first.
    generation: u8,
}

impl Table {
    /// A table of `mib` MiB, or of less if the memory cannot be had; see [`Table::size`].
    pub fn new(mib: usize) -> Self {
        Self { clusters: allocate(mib, free_mib()), generation: 0 }
    }

    /// Gives the table another size and empties it.
    pub fn resize(&mut self, mib: usize) {
        // The old memory first: both together may be too much.
        self.clusters = Vec::new();
        *self = Self::new(mib);
    }

    /// The size in MiB.
    pub fn size(&self) -> usize {
        self.clusters.len() * size_of::<Cluster>() / MIB
    }

    /// Empties the table.
    pub fn clear(&mut self) {
        self.generation = 0;
        self.clusters.fill_with(Cluster::default);
    }

    /// Empties the table on all threads of the pool in which this is called.
    pub fn clear_in_parallel(&mut self) {
        self.generation = 0;
        self.clusters.par_iter_mut().with_min_len(MIB / 64).for_each(|cluster| {
            *cluster = Cluster::default();
        });
    }

    /// Says that a new search begins.
    pub fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// Tells the processor that the entry of this key will be wanted soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let line: *const Cluster = self.cluster(key);
            // SAFETY: a hint about memory that exists; nothing is read.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(line.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of the position with this key. A wrong answer is possible, if two positions
    /// share a key: check the move before it is made.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        let cluster = self.cluster(key);
        cluster
            .0
            .iter()
            .map(Slot::load)
            .find(|(of, _)| *of == key)
            .and_then(|(_, entry)| Entry::unpack(entry))
    }

    /// Remembers an entry, in place of the least valuable one that it may displace.
    #[inline]
    pub fn store(&self, key: u64, mut entry: Entry) {
        let slots = &self.cluster(key).0;
        // Shallow entries and those of earlier searches are worth less.
        let worth = |word: u64| {
            let age = self.generation.wrapping_sub(generation_of(word)) % GENERATIONS;
            let age = i32::from(age);
            if word == 0 { i32::MIN } else { i32::from(depth_of(word)) - 8 * age }
        };
        let mut target = &slots[0];
        let mut least = i32::MAX;
        for slot in slots {
            let (of, word) = slot.load();
            if of == key && word != 0 {
                if let Some(old) = Entry::unpack(word) {
                    // What was searched much deeper just now is worth more than the newer answer.
                    let fresh = generation_of(word) == self.generation;
                    if fresh && entry.bound != Bound::Exact && old.depth > entry.depth + MUCH_DEEPER
                    {
                        return;
                    }
                    entry.mv = entry.mv.or(old.mv);
                }
                target = slot;
                break;
            }
            if worth(word) < least {
                (target, least) = (slot, worth(word));
            }
        }
        target.store(key, entry.pack(self.generation));
    }

    /// How full the table is with entries of this search, in thousandths, from a sample.
    pub fn hash_full(&self) -> u32 {
        let sample = &self.clusters[..self.clusters.len().min(1000 / SLOTS)];
        let slots = sample.iter().flat_map(|cluster| &cluster.0);
        let used = slots.map(|slot| slot.entry.load(Ordering::Relaxed));
        let used = used.filter(|&word| word != 0 && generation_of(word) == self.generation).count();
        (used * 1000 / (sample.len() * SLOTS)) as u32
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        // The high half of the product spreads the keys over any number of clusters (Lemire 2016).
        &self.clusters[((u128::from(key) * self.clusters.len() as u128) >> 64) as usize]
    }
}

/// The most that is taken in place of a size that cannot be had, in MiB: it is filled in a second or
/// two, while somebody who asked for the impossible waits.
const FALLBACK: usize = 4096;

/// `mib` MiB (at least 1), or less if that is more than the `free` memory: half of it or
/// [`FALLBACK`], so that a system that promises more memory than it has does not end the process
/// when it is used.
fn allocate(mib: usize, free: Option<usize>) -> Vec<Cluster> {
    let mut mib = mib.max(1);
    if let Some(free) = free.filter(|&free| mib > free) {
        mib = (free / 2).clamp(1, FALLBACK);
    }
    let mut clusters = Vec::new();
    loop {
        let count = mib.saturating_mul(MIB / size_of::<Cluster>());
        if clusters.try_reserve_exact(count).is_ok() {
            clusters.resize_with(count, Cluster::default);
            return clusters;
        }
        if mib == 1 {
            // A table of one line still works.
            return vec![Cluster::default()];
        }
        mib /= 2;
    }
}

/// The memory that is free, in MiB, where the system tells (Linux).
fn free_mib() -> Option<usize> {
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let line = info.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(from: u16, to: u16, score: i32, depth: u8, bound: Bound) -> Entry {
        let mv = Some(Move { from: Square(from), to: Square(to) });
        Entry { mv, score: Score::from_value(score), bound, depth, judgement: Some(-7) }
    }

    #[test]
    fn entries_survive_packing() {
        let extremes = [Score::INFINITE.value(), -Score::INFINITE.value(), 0, -1, 29_000];
        for (i, score) in extremes.into_iter().enumerate() {
            let bound = [Bound::Exact, Bound::Lower, Bound::Upper][i % 3];
            let entry = entry(360, i as u16, score, 127, bound);
            assert_eq!(Entry::unpack(entry.pack(255)), Some(entry));
            let without = Entry { mv: None, judgement: None, ..entry };
            assert_eq!(Entry::unpack(without.pack(0)), Some(without));
        }
        assert_eq!(Entry::unpack(0), None);
    }

    #[test]
    fn what_is_stored_is_found_until_the_table_is_cleared() {
        let mut table = Table::new(1);
        assert_eq!(table.size(), 1);
        let keys = (1..2_000_u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for (i, key) in keys.clone().enumerate() {
            table.store(key, entry(1, 2, i as i32, 3, Bound::Exact));
        }
        for (i, key) in keys.clone().enumerate() {
            assert_eq!(table.probe(key).map(|entry| entry.score.value()), Some(i as i32));
        }
        assert!((1..=1000).contains(&table.hash_full()));
        table.clear();
        assert!(keys.clone().all(|key| table.probe(key).is_none()));
        assert_eq!(table.hash_full(), 0);
    }

    #[test]
    fn a_better_known_position_keeps_its_place_and_its_move() {
        let table = Table::new(1);
        // Five keys of one cluster: the shallowest entry gives way.
        for i in 0..4_u8 {
            table.store(u64::from(i), entry(1, 2, 0, 10 - i, Bound::Exact));
        }
        table.store(4, entry(3, 4, 0, 1, Bound::Lower));
        assert_eq!(table.probe(3), None);
        assert!((0..3).chain([4]).all(|key| table.probe(key).is_some()));
        // A new entry without a move inherits the old one.
        table.store(4, Entry { mv: None, ..entry(0, 0, 5, 2, Bound::Upper) });
        assert_eq!(table.probe(4), Some(entry(3, 4, 5, 2, Bound::Upper)));
    }

    #[test]
    fn a_torn_slot_is_nobody_s() {
        let table = Table::new(1);
        table.store(7, entry(1, 2, 3, 4, Bound::Exact));
        let slot = &table.cluster(7).0[0];
        slot.entry.store(entry(5, 6, 7, 8, Bound::Lower).pack(0), Ordering::Relaxed);
        assert_eq!(table.probe(7), None);
    }

    #[test]
    fn the_size_follows_the_memory() {
        let mib = |clusters: Vec<Cluster>| clusters.len() * size_of::<Cluster>() / MIB;
        assert_eq!(mib(allocate(usize::MAX, Some(8))), 4);
        assert_eq!(mib(allocate(8, Some(8))), 8);
        assert_eq!(mib(allocate(0, Some(0))), 1);
        let mut table = Table::new(2);
        table.resize(3);
        assert_eq!(table.size(), 3);
        table.resize(1);
        assert_eq!(table.size(), 1);
    }
}
