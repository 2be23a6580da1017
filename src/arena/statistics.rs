//! What results are worth: Elo, normalized Elo and the likelihood of superiority, from pairs.
//!
//! The two games of a pair share an opening and are therefore not independent: the pair is the
//! sample. Five scores are possible, hence *pentanomial*. Normalized Elo divides the advantage by
//! the spread of a single game (M. Van den Bergh, "Normalized Elo", 2020).

use std::fmt;

/// Elo per unit of normalized advantage: `800 / ln 10`.
pub const ELO_PER_T: f64 = 800.0 / std::f64::consts::LN_10;

/// The normal deviate of a two-sided 95 % interval.
const Z95: f64 = 1.959_963_984_540_054;

/// How pairs ended for one side of a match. L, W and D are a loss, a win and a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PairCounts {
    /// Both games lost.
    pub ll: u64,
    /// One lost, one drawn.
    pub ld: u64,
    /// One won, one lost.
    pub wl: u64,
    /// Both drawn.
    pub dd: u64,
    /// One won, one drawn.
    pub wd: u64,
    /// Both won.
    pub ww: u64,
}

impl PairCounts {
    /// The counts in the order LL, LD, WL, DD, WD, WW.
    pub const fn from_array([ll, ld, wl, dd, wd, ww]: [u64; 6]) -> Self {
        Self { ll, ld, wl, dd, wd, ww }
    }

    /// Adds a pair by the points made in each of its games, in half points (0, 1 or 2).
    pub fn add(&mut self, first: u32, second: u32) {
        let count = match (first.min(second), first.max(second)) {
            (0, 0) => &mut self.ll,
            (0, 1) => &mut self.ld,
            (0, _) => &mut self.wl,
            (1, 1) => &mut self.dd,
            (1, _) => &mut self.wd,
            _ => &mut self.ww,
        };
        *count += 1;
    }

    /// The number of pairs.
    pub fn total(&self) -> u64 {
        self.by_score().iter().sum()
    }

    /// Pairs by their points: 0, ½, 1, 1½, 2.
    pub fn by_score(&self) -> [u64; 5] {
        [self.ll, self.ld, self.wl + self.dd, self.wd, self.ww]
    }
}

impl fmt::Display for PairCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ll, ld, wl, dd, wd, ww } = self;
        write!(f, "LL {ll}, LD {ld}, WL {wl}, DD {dd}, WD {wd}, WW {ww}")
    }
}

/// A number and the half width of its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Half the width of the interval in which the truth lies 19 times in 20.
    pub error: f64,
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.2} ± {:.2}", unsigned_zero(self.value), self.error)
    }
}

/// A rounded `-0.00` is a distraction.
fn unsigned_zero(value: f64) -> f64 {
    if value.abs() < 0.005 { 0.0 } else { value }
}

/// What pairs say about the strength of one side against the other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strength {
    /// Mean score of a game, 0 to 1.
    pub score: f64,
    /// Logistic Elo.
    pub elo: Estimate,
    /// Normalized Elo.
    pub nelo: Estimate,
    /// Likelihood of superiority, 0 to 1.
    pub los: f64,
}

impl Strength {
    /// The strength that the pairs show.
    ///
    /// Without a pair everything is possible: the errors are infinite. When one side made every
    /// point the value is infinite, too. Pairs that all ended alike show nothing of their spread, so
    /// the error of Elo is infinite there as well.
    pub fn of(pairs: &PairCounts) -> Self {
        let total = pairs.total() as f64;
        if total == 0.0 {
            let open = Estimate { value: 0.0, error: f64::INFINITY };
            return Self { score: 0.5, elo: open, nelo: open, los: 0.5 };
        }
        let shares = pairs.by_score().map(|count| count as f64 / total);
        let (score, variance) = mean_and_variance(&shares);
        if score == 0.0 || score == 1.0 {
            let value = if score == 1.0 { f64::INFINITY } else { f64::NEG_INFINITY };
            let all = Estimate { value, error: f64::INFINITY };
            return Self { score, elo: all, nelo: all, los: score };
        }
        let deviation = (variance / total).sqrt();
        let half = match deviation {
            0.0 => f64::INFINITY,
            _ => (elo(score + Z95 * deviation) - elo(score - Z95 * deviation)) / 2.0,
        };
        let advantage = score - 0.5;
        // The spread of a game is that of a pair's mean times the root of two.
        let nelo = match variance {
            0.0 if advantage == 0.0 => 0.0,
            _ => advantage / (2.0 * variance).sqrt() * ELO_PER_T,
        };
        Self {
            score,
            elo: Estimate { value: elo(score), error: half },
            nelo: Estimate { value: nelo, error: Z95 * ELO_PER_T / (2.0 * total).sqrt() },
            los: match deviation {
                0.0 if advantage == 0.0 => 0.5,
                _ => normal(advantage / deviation),
            },
        }
    }
}

/// Mean and variance of the score of a pair (per game, 0 to 1), by the shares of the five scores.
fn mean_and_variance(shares: &[f64; 5]) -> (f64, f64) {
    let scores = || shares.iter().enumerate().map(|(i, share)| (i as f64 / 4.0, share));
    let mean: f64 = scores().map(|(score, share)| score * share).sum();
    let variance = scores().map(|(score, share)| (score - mean).powi(2) * share).sum();
    (mean, variance)
}

/// The logistic Elo of a score; infinite from 1 up and from 0 down.
pub fn elo(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        -400.0 * (1.0 / score - 1.0).log10()
    }
}

/// The score that a difference in logistic Elo predicts.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The standard normal distribution function.
fn normal(x: f64) -> f64 {
    0.5 * erfc(-x / std::f64::consts::SQRT_2)
}

/// The complementary error function: its Taylor series near 0, its continued fraction beyond.
fn erfc(x: f64) -> f64 {
    if x < 0.0 {
        return 2.0 - erfc(-x);
    }
    let scale = 2.0 / std::f64::consts::PI.sqrt();
    if x < 2.5 {
        let (mut term, mut sum, mut n) = (x, x, 0.0);
        while term.abs() > 1e-17 * sum.abs() {
            n += 1.0;
            term *= -x * x / n;
            sum += term / (2.0 * n + 1.0);
            if n > 200.0 {
                break;
            }
        }
        return 1.0 - scale * sum;
    }
    // Lentz's bottom-up evaluation; 60 terms are far more than double precision needs here.
    let fraction = (1..=60).rev().fold(0.0, |below, n| f64::from(n) / 2.0 / (x + below));
    scale / 2.0 * (-x * x).exp() / (x + fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strength(counts: [u64; 6]) -> Strength {
        Strength::of(&PairCounts::from_array(counts))
    }

    #[track_caller]
    fn near(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value} is not {expected}");
    }

    #[test]
    fn published_matches() {
        let ahead = strength([34, 54, 31, 32, 64, 75]);
        assert_eq!(ahead.elo.to_string(), "55.58 ± 27.65");
        assert_eq!(ahead.nelo.to_string(), "57.94 ± 28.28");
        let behind = strength([332, 433, 457, 41, 333, 334]);
        assert_eq!(behind.elo.to_string(), "-8.64 ± 10.33");
        near(behind.los, 0.0505, 0.00005);
    }

    #[test]
    fn swapped_sides_mirror() {
        let (one, other) = (strength([3, 5, 8, 1, 9, 4]), strength([4, 9, 8, 1, 5, 3]));
        near(one.elo.value, -other.elo.value, 1e-9);
        near(one.nelo.value, -other.nelo.value, 1e-9);
        near(one.los, 1.0 - other.los, 1e-12);
    }

    #[test]
    fn extremes() {
        assert_eq!(strength([0; 6]).elo.to_string(), "0.00 ± inf");
        assert_eq!(strength([0, 0, 0, 0, 0, 7]).elo.to_string(), "inf ± inf");
        assert_eq!(strength([7, 0, 0, 0, 0, 0]).elo.to_string(), "-inf ± inf");
        let split = strength([0, 0, 9, 0, 0, 0]);
        assert_eq!(split.elo.to_string(), "0.00 ± inf");
        near(split.los, 0.5, 0.0);
        // Nothing but won and drawn pairs: certain to be ahead, and finite.
        let ahead = strength([0, 0, 0, 0, 9, 0]);
        assert!(ahead.los == 1.0 && ahead.elo.value.is_finite());
    }

    #[test]
    fn pairs_are_counted_in_any_order() {
        let mut pairs = PairCounts::default();
        for (first, second) in
            [(0, 0), (0, 1), (1, 0), (2, 0), (0, 2), (1, 1), (1, 2), (2, 1), (2, 2)]
        {
            pairs.add(first, second);
        }
        assert_eq!(pairs, PairCounts::from_array([1, 2, 2, 1, 2, 1]));
        assert_eq!(pairs.by_score(), [1, 2, 3, 2, 1]);
    }

    #[test]
    fn the_normal_distribution() {
        near(normal(0.0), 0.5, 1e-15);
        near(normal(Z95), 0.975, 1e-12);
        near(normal(-1.0), 0.158_655_253_931_457, 1e-12);
        near(normal(-4.0), 3.167_124_183_312e-5, 1e-14);
        // The two ways to compute it meet.
        near(erfc(2.5 - 1e-9), erfc(2.5), 1e-10);
    }
}
