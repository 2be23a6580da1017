//! How long to think about a move.

use std::time::Duration;

use super::limits::{Clock, Limits};

/// The moves for which the time left has to do when nobody says how many are to come.
const MOVES_AHEAD: u32 = 25;
/// What a clock should never fall below: a busy system may take the processor away for that long.
const RESERVE: Duration = Duration::from_millis(50);

/// The time for one move. `None` is as long as one likes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// After this time no new iteration begins.
    pub soft: Option<Duration>,
    /// After this time the search stops wherever it is.
    pub hard: Option<Duration>,
}

impl Budget {
    /// The time that the limits leave for this move.
    pub fn new(limits: &Limits) -> Self {
        let fixed = limits.movetime.map(|time| time.saturating_sub(limits.overhead));
        let Some(clock) = limits.clock else { return Self { soft: None, hard: fixed } };
        let (soft, hard) = share(clock, limits.overhead);
        let hard = fixed.map_or(hard, |fixed| fixed.min(hard));
        Self { soft: Some(soft), hard: Some(hard) }
    }
}

/// When to begin no new iteration and when to stop, given a clock. The increment comes after the
/// move: it may be spent in advance only as far as the clock itself bears it.
fn share(clock: Clock, overhead: Duration) -> (Duration, Duration) {
    let left = clock.left.saturating_sub(overhead);
    // A clock that is there already still gives a little, less than the increment brings back.
    let left = left.saturating_sub(RESERVE).max(left / 5);
    let moves = match clock.moves_to_go {
        None | Some(0) => MOVES_AHEAD,
        Some(moves) => moves.min(MOVES_AHEAD),
    };
    // The overhead comes again with each of the moves.
    let later = overhead.saturating_mul(moves - 1);
    let target = left.saturating_sub(later) / moves + clock.increment * 3 / 4;
    let most = if moves == 1 { left / 10 * 9 } else { left / 2 };
    let hard = target.saturating_mul(3).min(most);
    // An iteration takes a few times as long as the one before it: one that begins in the second
    // half of the time would hardly end.
    (target.min(hard) / 2, hard)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn budget(left: u32, increment: u32, moves_to_go: Option<u32>, overhead: u32) -> Budget {
        let clock = Clock { left: left * MS, increment: increment * MS, moves_to_go };
        Budget::new(&Limits { clock: Some(clock), overhead: overhead * MS, ..Limits::default() })
    }

    #[test]
    fn a_clock_is_never_overstepped() {
        for left in [0, 1, 2, 10, 100, 1_000, 60_000, 10_000_000] {
            for increment in [0, 1, 100, 10_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(1000)] {
                    for overhead in [0, 10, 5_000] {
                        let Budget { soft, hard } = budget(left, increment, moves_to_go, overhead);
                        let (soft, hard) = (soft.unwrap(), hard.unwrap());
                        assert!(soft <= hard);
                        assert!(hard + overhead * MS <= left * MS || hard.is_zero());
                    }
                }
            }
        }
    }

    #[test]
    fn time_is_used() {
        let hard = |budget: Budget| budget.hard.unwrap();
        assert!(hard(budget(60_000, 0, None, 10)) > 2_000 * MS);
        assert!(hard(budget(60_000, 0, Some(1), 10)) > 50_000 * MS);
        assert!(hard(budget(1_000, 1_000, None, 0)) > 400 * MS);
        // Whole games on the increment alone, the overhead paid each time.
        assert!(hard(budget(100, 100, None, 50)) < 50 * MS);
    }

    #[test]
    fn movetime_is_used_in_full() {
        let limits = Limits { movetime: Some(1_000 * MS), overhead: 10 * MS, ..Limits::default() };
        assert_eq!(Budget::new(&limits), Budget { soft: None, hard: Some(990 * MS) });
        let both = Limits {
            clock: Some(Clock { left: 500 * MS, increment: MS, moves_to_go: None }),
            ..limits.clone()
        };
        assert!(Budget::new(&both).hard.unwrap() < 500 * MS);
        let none = Limits { movetime: Some(Duration::ZERO), ..limits };
        assert_eq!(Budget::new(&none).hard, Some(Duration::ZERO));
        assert_eq!(Budget::new(&Limits::default()), Budget { soft: None, hard: None });
    }
}
