//! The clock of OTEP: main time, then overtimes, of which each begins anew with every move.

use std::fmt;
use std::time::{Duration, Instant};

use super::super::error::shown;
use crate::game::rules::Side;
use crate::search::limits::{self, Limits};

/// Kept back of every time, for the way to the host and its own work.
const RESERVE: Duration = Duration::from_millis(300);
/// Longer times are read as this (30 days, in ms).
const MOST_MILLISECONDS: i64 = 30 * 24 * 3600 * 1000;

/// The time of one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SideClock {
    /// What is left of the main time or, in overtime, of the present overtime.
    pub left: Duration,
    /// Is the main time used up?
    pub in_overtime: bool,
    /// Overtimes that are left.
    pub overtimes: u32,
}

/// What the host says about time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Of attackers and defenders.
    pub sides: [SideClock; 2],
    /// The length of an overtime.
    pub overtime: Duration,
}

impl Clock {
    /// Reads what stands after `clock`.
    ///
    /// # Errors
    /// Says what is wrong and what would be right.
    pub fn parse(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let &[attackers, defenders, overtime, attackers_left, defenders_left] = words.as_slice()
        else {
            return Err(format!(
                "clock: {} words; expected A[*] D[*] OVERTIME-SECONDS OVERTIMES OVERTIMES",
                words.len()
            ));
        };
        let number = |word: &str| match word.parse::<i64>() {
            // A clock that has run out may be below zero.
            Ok(number) => Ok(number.clamp(0, MOST_MILLISECONDS) as u64),
            Err(_) => Err(format!("clock: '{}' is no number", shown(word))),
        };
        let side = |left: &str, overtimes: &str| {
            let (main, in_overtime) = match left.strip_suffix('*') {
                Some(left) => (left, true),
                None => (left, false),
            };
            let overtimes = u32::try_from(number(overtimes)?).unwrap_or(u32::MAX);
            Ok::<_, String>(SideClock {
                left: Duration::from_millis(number(main)?),
                in_overtime,
                overtimes,
            })
        };
        Ok(Self {
            sides: [side(attackers, attackers_left)?, side(defenders, defenders_left)?],
            overtime: Duration::from_secs(number(overtime)?),
        })
    }

    /// What bounds the thinking of a side that began at `start`.
    pub fn limits(&self, side: Side, start: Instant) -> Limits {
        let [attackers, defenders] = self.sides;
        let clock = if side == Side::Attackers { attackers } else { defenders };
        if clock.in_overtime {
            return Limits { start, movetime: Some(usable(clock.left)), ..Limits::default() };
        }
        if clock.overtimes == 0 || self.overtime.is_zero() {
            let clock =
                limits::Clock { left: clock.left, increment: Duration::ZERO, moves_to_go: None };
            return Limits { start, clock: Some(clock), overhead: RESERVE, ..Limits::default() };
        }
        // After the main time every move has an overtime: of what is left of the main time a part,
        // and an overtime at the most.
        let most = usable(clock.left + self.overtime);
        let planned = (clock.left / 15).max(self.overtime.mul_f64(0.8));
        Limits { start, movetime: Some(planned.min(most)), ..Limits::default() }
    }
}

/// What can be used of a time that must not run out.
fn usable(time: Duration) -> Duration {
    time.saturating_sub(RESERVE).min(time.mul_f64(0.9)).max(time / 4)
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for clock in self.sides {
            let mark = if clock.in_overtime { "*" } else { "" };
            write!(f, "{}{mark} ", clock.left.as_millis())?;
        }
        let [attackers, defenders] = self.sides.map(|clock| clock.overtimes);
        write!(f, "{} {attackers} {defenders}", self.overtime.as_secs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn movetime(text: &str, side: Side) -> Duration {
        let limits = Clock::parse(text).unwrap().limits(side, Instant::now());
        limits.movetime.unwrap()
    }

    #[test]
    fn no_time_is_overstepped() {
        let ms = Duration::from_millis;
        for left in [0, 1, 50, 299, 1_000, 10_000, 600_000] {
            for overtime in [0, 1, 10, 30] {
                for overtimes in [0, 1, 5] {
                    let text = format!("{left}* 500 {overtime} {overtimes} 0");
                    assert!(movetime(&text, Side::Attackers) <= ms(left));
                    let text = format!("500 {left} {overtime} 0 {overtimes}");
                    let limits =
                        Clock::parse(&text).unwrap().limits(Side::Defenders, Instant::now());
                    if overtime > 0 && overtimes > 0 {
                        let all = ms(left) + Duration::from_secs(overtime);
                        assert!(limits.movetime.unwrap() < all);
                    } else {
                        assert_eq!(limits.clock.unwrap().left, ms(left));
                    }
                }
            }
        }
        assert!(movetime("20000* 0* 20 3 3", Side::Attackers) > Duration::from_secs(15));
        assert!(movetime("0 60000 10 3 3", Side::Defenders) >= Duration::from_secs(4));
    }

    #[test]
    fn nonsense_is_named() {
        for (text, part) in [
            ("1 2 3", "3 words"),
            ("1 2 3 4 x", "'x' is no number"),
            ("1** 2 3 4 5", "'1*' is no number"),
        ] {
            assert!(Clock::parse(text).unwrap_err().contains(part), "{text}");
        }
        let late = Clock::parse("-20 99999999999999999 -3 0 0").unwrap();
        assert_eq!(late.sides[0].left, Duration::ZERO);
        assert!(Clock::parse("99999999999999999999 0 0 0 0").is_err());
    }
}
