//! Time controls and the clock of a player.

use std::fmt;
use std::time::Duration;

use super::spec::TurnLimits;

/// Time for a game, or for so many moves and again for the next so many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Moves that the time is for; `None` if it is for the whole game.
    pub moves: Option<u32>,
    /// The time.
    pub base: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

impl TimeControl {
    /// Reads `[moves/]seconds[+increment]`, such as `40/60+0.6` or `1+0.01`.
    ///
    /// # Errors
    /// Says what is wrong and what would be right.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("tc={text}; expected [moves/]seconds+increment, such as 40/60+0.6");
        let (moves, time) = match text.split_once('/') {
            Some((moves, time)) => {
                let moves: Option<u32> = moves.parse().ok().filter(|&moves| moves > 0);
                (Some(moves.ok_or_else(wrong)?), time)
            }
            None => (None, text),
        };
        let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
        // A year: far from the range where adding up durations could overflow.
        let seconds = |text: &str| {
            let number = text.parse().ok().filter(|number| (0.0..=31_536_000.0).contains(number));
            number.map(Duration::from_secs_f64).ok_or_else(wrong)
        };
        let control = Self { moves, base: seconds(base)?, increment: seconds(increment)? };
        if control.base.is_zero() && control.increment.is_zero() {
            return Err(format!("tc={text}: no time at all"));
        }
        Ok(control)
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

/// The clock of one player in one game.
#[derive(Clone, Copy, Debug)]
pub struct PlayerClock {
    control: TimeControl,
    left: Duration,
    moves_to_go: Option<u32>,
}

impl PlayerClock {
    /// A clock before the first move; `None` for a player without one.
    pub fn new(limits: &TurnLimits) -> Option<Self> {
        let control = limits.clock?;
        // As in Fischer's clock the increment is there for the first move, too.
        let left = control.base + control.increment;
        Some(Self { control, left, moves_to_go: control.moves })
    }

    /// Time left.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// Time added after each move.
    pub fn increment(&self) -> Duration {
        self.control.increment
    }

    /// Moves to the next time control, if there is one.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go
    }

    /// Takes the time of a move off and adds what the move earns.
    pub fn moved(&mut self, elapsed: Duration) {
        self.left = self.left.saturating_sub(elapsed) + self.control.increment;
        if let Some(moves) = &mut self.moves_to_go {
            *moves -= 1;
            if *moves == 0 {
                *moves = self.control.moves.unwrap_or(1);
                self.left += self.control.base;
            }
        }
    }
}

/// The time that a player has for the move at hand; `None` if it has no time limit.
pub fn allowance(limits: &TurnLimits, clock: Option<&PlayerClock>) -> Option<Duration> {
    match (limits.movetime, clock.map(PlayerClock::left)) {
        (Some(movetime), Some(left)) => Some(movetime.min(left)),
        (movetime, left) => movetime.or(left),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str) -> PlayerClock {
        let clock = TimeControl::parse(text).ok();
        PlayerClock::new(&TurnLimits { clock, ..TurnLimits::default() }).unwrap()
    }

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn time_controls_are_read_and_printed() {
        for text in ["40/60+0.6", "1+0.01", "0+0.5", "180+2"] {
            assert_eq!(TimeControl::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(TimeControl::parse("5").unwrap().to_string(), "5+0");
        for bad in ["", "x", "0/60", "-1", "0", "0+0", "1+x", "nan", "inf", "1e99", "a/1+1", "1+"] {
            assert!(TimeControl::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sudden_death_with_increment() {
        let mut clock = clock("1+0.1");
        assert_eq!(clock.left(), ms(1100));
        clock.moved(ms(300));
        assert_eq!(clock.left(), ms(900));
        // An overrun that the margin forgives leaves the increment.
        clock.moved(ms(905));
        assert_eq!(clock.left(), ms(100));
        assert_eq!(clock.moves_to_go(), None);
    }

    #[test]
    fn a_new_period_brings_its_time() {
        let mut clock = clock("2/1+0");
        clock.moved(ms(600));
        assert_eq!((clock.left(), clock.moves_to_go()), (ms(400), Some(1)));
        clock.moved(ms(300));
        assert_eq!((clock.left(), clock.moves_to_go()), (ms(1100), Some(2)));
    }

    #[test]
    fn the_shorter_allowance_counts() {
        let mut limits = TurnLimits { movetime: Some(ms(50)), ..TurnLimits::default() };
        assert_eq!(allowance(&limits, None), Some(ms(50)));
        assert_eq!(allowance(&limits, Some(&clock("0.02"))), Some(ms(20)));
        limits.movetime = None;
        assert_eq!(allowance(&limits, None), None);
    }
}
