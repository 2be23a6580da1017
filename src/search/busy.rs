//! [`Busy`]: which moves the workers of a parallel search are looking at, so that each looks at
//! something else first ("simplified ABDADA", T. Kerrigan 2017, after Weill 1996).
//!
//! A worker that comes to a move which another one is searching as deeply puts it off: when the rest
//! is done, the table most likely knows what that one has found. What is written here is a hint, so
//! that an entry may be overwritten by another one without harm.

use std::sync::atomic::{AtomicU64, Ordering};

/// Entries; a worker has no more than one a ply.
const SIZE: usize = 1 << 12;

/// The moves that are being searched.
#[derive(Debug)]
pub struct Busy(Vec<AtomicU64>);

/// A move in a position, and how deeply it is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Work(u64);

impl Work {
    /// For a position after a move, by its key, and a depth in plies.
    pub const fn new(key: u64, depth: i32) -> Self {
        // 0 is nobody's.
        Self((key ^ (depth as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1 << 63)
    }
}

impl Busy {
    /// For a search with helpers; without them nothing is noted.
    pub fn new(has_helpers: bool) -> Self {
        Self((0..if has_helpers { SIZE } else { 0 }).map(|_| AtomicU64::new(0)).collect())
    }

    /// Is anybody at this?
    pub fn has(&self, work: Work) -> bool {
        self.entry(work).is_some_and(|entry| entry.load(Ordering::Relaxed) == work.0)
    }

    /// A worker begins.
    pub fn begin(&self, work: Work) {
        if let Some(entry) = self.entry(work) {
            entry.store(work.0, Ordering::Relaxed);
        }
    }

    /// A worker has ended, or given up.
    pub fn end(&self, work: Work) {
        if let Some(entry) =
            self.entry(work).filter(|entry| entry.load(Ordering::Relaxed) == work.0)
        {
            entry.store(0, Ordering::Relaxed);
        }
    }

    fn entry(&self, work: Work) -> Option<&AtomicU64> {
        self.0.get(work.0 as usize % SIZE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_known_until_it_ends() {
        let busy = Busy::new(true);
        let (one, deeper) = (Work::new(5, 4), Work::new(5, 5));
        assert!(!busy.has(one) && one != deeper);
        busy.begin(one);
        assert!(busy.has(one) && !busy.has(deeper));
        // Of two at the same entry the later is known; the end of the other changes nothing.
        let same_entry = Work(one.0 ^ 1 << 40);
        busy.begin(same_entry);
        busy.end(one);
        assert!(!busy.has(one) && busy.has(same_entry));
        busy.end(same_entry);
        assert!(!busy.has(same_entry));
    }

    #[test]
    fn who_is_alone_puts_nothing_off() {
        let busy = Busy::new(false);
        busy.begin(Work::new(5, 4));
        assert!(!busy.has(Work::new(5, 4)));
    }
}
