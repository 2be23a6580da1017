//! How long to think about a move: what a clock allows ([`Budget`]), and how much of it a search
//! needs ([`Pace`]).

use std::time::Duration;

use super::limits::{Clock, Limits};
use super::score::{Score, ScoreKind};
use crate::game::moves::Move;

/// The moves for which the time left has to do when nobody says how many are to come.
const MOVES_AHEAD: u32 = 25;
/// More moves than these are not planned for: a long game may end before.
const MOST_MOVES: u32 = 60;
/// What a clock should never fall below: a busy system may take the processor away for that long.
const RESERVE: Duration = Duration::from_millis(50);

/// The time for one move. `None` is as long as one likes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// After about this time, stretched or shortened by what the search finds, no new iteration
    /// begins.
    pub soft: Option<Duration>,
    /// After this time the search stops wherever it is.
    pub hard: Option<Duration>,
}

impl Budget {
    /// The time that the limits leave for this move.
    pub fn new(limits: &Limits) -> Self {
        // A time shorter than the overhead is still meant to be used.
        let fixed = limits.movetime.map(|time| time.saturating_sub(limits.overhead).max(time / 2));
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
        Some(moves) => moves.min(MOST_MOVES),
    };
    // The overhead comes again with each of the moves, but the last moves must be thought about too.
    let later = overhead.saturating_mul(moves - 1).min(left / 2);
    let target = left.saturating_sub(later) / moves + clock.increment * 3 / 4;
    let most = if moves == 1 { left / 10 * 9 } else { left / 2 };
    let hard = target.saturating_mul(3).min(most);
    // An iteration takes a few times as long as the one before it: one that begins in the second
    // half of the time would hardly end.
    (target.min(hard) / 2, hard)
}

/// How much longer a search goes on whose best move has just changed, and how much less for each
/// iteration that it has not; after so many that counts no more.
const UNSTEADY: f64 = 1.35;
const STEADIER: f64 = 0.11;
const STEADY: u32 = 5;
/// A fall of the score by this much, in centipawns, doubles the time, up to the most.
const FALL: f64 = 250.0;
const MOST_FALL: f64 = 1.8;
/// The part of the time for a move whose result is proven.
const PROVEN: f64 = 0.2;

/// What the iterations of a search say about the time it needs: more when the best move changes or
/// the score falls, less when all the work goes into refuting the others in vain, little when the
/// result is proven, and none when there is no choice.
#[derive(Clone, Debug)]
pub struct Pace {
    soft: Option<Duration>,
    has_choice: bool,
    best: Option<Move>,
    /// Iterations in a row with the same best move.
    steady: u32,
    /// The scores of the last iteration and of the one before it.
    scores: [Option<Score>; 2],
    factor: f64,
}

impl Pace {
    /// For a search with this budget; `has_choice`: there is more than one move.
    pub fn new(budget: Budget, has_choice: bool) -> Self {
        let scores = [None; 2];
        Self { soft: budget.soft, has_choice, best: None, steady: 0, scores, factor: 1.0 }
    }

    /// An iteration has ended with this best move and score; `effort` is the part of its nodes, 0 to
    /// 1, that the best move took.
    pub fn note(&mut self, best: Move, score: Score, effort: f64) {
        self.steady = if self.best == Some(best) { self.steady + 1 } else { 0 };
        self.best = Some(best);
        let steady = UNSTEADY - STEADIER * f64::from(self.steady.min(STEADY));
        // Odd and even depths see the last move of different sides: two plies back is comparable.
        let before = self.scores[1].unwrap_or(score);
        self.scores = [Some(score), self.scores[0]];
        self.factor = match score.kind() {
            ScoreKind::Win(_) | ScoreKind::Loss(_) => PROVEN,
            ScoreKind::Centipawns(now) => {
                let fall = f64::from(before.value() - now);
                let fall = (1.0 + fall / FALL).clamp(1.0, MOST_FALL);
                steady * fall * (1.5 - effort).clamp(0.6, 1.2)
            }
        };
    }

    /// Is no time left to begin another iteration? `elapsed` is the time of our clock since it began
    /// to run, `None` while it does not.
    pub fn is_over(&self, elapsed: Option<Duration>) -> bool {
        let (Some(soft), Some(elapsed)) = (self.soft, elapsed) else { return false };
        !self.has_choice || elapsed >= soft.mul_f64(self.factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::geometry::Square;

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
    fn the_pace_follows_the_search() {
        let mv = |to| Move { from: Square(0), to: Square(to) };
        let cp = Score::centipawns;
        let allowed = |notes: &[(u16, Score, f64)]| {
            let budget = Budget { soft: Some(1_000 * MS), hard: Some(3_000 * MS) };
            let mut pace = Pace::new(budget, true);
            for &(to, score, effort) in notes {
                pace.note(mv(to), score, effort);
            }
            assert!(!pace.is_over(None), "while pondering");
            (0..5_000).find(|&ms| pace.is_over(Some(ms * MS))).unwrap()
        };
        let steady = allowed(&[(1, cp(10), 0.5); 8]);
        let unsteady = allowed(&[(1, cp(10), 0.5), (2, cp(10), 0.5), (1, cp(10), 0.5)]);
        let falling = allowed(&[(1, cp(10), 0.5), (1, cp(0), 0.5), (1, cp(-140), 0.5)]);
        let rising = allowed(&[(1, cp(10), 0.5), (1, cp(0), 0.5), (1, cp(140), 0.5)]);
        let clear = allowed(&[(1, cp(10), 0.95); 8]);
        let won = allowed(&[(1, cp(10), 0.5), (1, Score::win_in(9), 0.5)]);
        assert!(won < clear && clear < steady && steady < rising, "{won} {clear} {steady}");
        assert!(rising < unsteady && rising < falling, "{rising} {unsteady} {falling}");
        let budget = Budget { soft: Some(1_000 * MS), hard: Some(3_000 * MS) };
        assert!(Pace::new(budget, false).is_over(Some(Duration::ZERO)));
        assert!(!Pace::new(Budget { soft: None, ..budget }, false).is_over(Some(9_000 * MS)));
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
