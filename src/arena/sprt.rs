//! The sequential probability ratio test over pairs of games.
//!
//! The log-likelihood ratio compares the best explanations of the pairs under both hypotheses: for
//! each the distribution of the five pair scores that fits the counts best among those with the
//! hypothesis' strength (a generalized SPRT; M. Van den Bergh, "The generalized maximum likelihood
//! ratio for the expectation value of a distribution" and "Comments on normalized Elo").

use std::fmt;

use super::spec_text::items;
use super::statistics::{ELO_PER_T, PairCounts, expected_score};

/// How a hypothesis measures strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Model {
    /// Normalized Elo.
    Normalized,
    /// Logistic Elo.
    Logistic,
}

impl Model {
    /// `normalized` or `logistic`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Normalized => "normalized",
            Self::Logistic => "logistic",
        }
    }
}

/// A test whether the first engine is `elo1` rather than `elo0` stronger.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The Elo of the hypothesis to reject.
    pub elo0: f64,
    /// The Elo of the hypothesis to accept.
    pub elo1: f64,
    /// The chance to accept `elo1` when `elo0` is true.
    pub alpha: f64,
    /// The chance to accept `elo0` when `elo1` is true.
    pub beta: f64,
    /// How strength is measured.
    pub model: Model,
}

/// What a test says so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Not yet decided.
    Open,
    /// `elo1` is accepted.
    Accepted,
    /// `elo0` is accepted.
    Rejected,
}

impl Verdict {
    /// `open`, `H1 accepted` or `H0 accepted`.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Accepted => "H1 accepted",
            Self::Rejected => "H0 accepted",
        }
    }
}

impl Sprt {
    /// A test, if its numbers make sense.
    ///
    /// # Errors
    /// Says which number is wrong and what would be right.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Self, String> {
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(format!("elo0={elo0} and elo1={elo1}; expected elo0 less than elo1"));
        }
        for (name, chance) in [("alpha", alpha), ("beta", beta)] {
            if !(chance > 0.0 && chance < 0.5) {
                return Err(format!("{name}={chance}; expected a chance between 0 and 0.5"));
            }
        }
        Ok(Self { elo0, elo1, alpha, beta, model })
    }

    /// Reads `elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized`; what is missing has these
    /// values.
    ///
    /// # Errors
    /// Says what is wrong and what would be right.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (mut elo0, mut elo1, mut alpha, mut beta) = (0.0, 5.0, 0.05, 0.05);
        let mut model = Model::Normalized;
        for (key, value) in items(text, false)? {
            let number = || {
                let number: Option<f64> = value.trim().parse().ok();
                number.ok_or_else(|| format!("{key}: '{value}' is no number"))
            };
            match key.as_str() {
                "elo0" => elo0 = number()?,
                "elo1" => elo1 = number()?,
                "alpha" => alpha = number()?,
                "beta" => beta = number()?,
                "model" => model = parse_model(value.trim())?,
                _ => {
                    return Err(format!("'{key}'; expected elo0, elo1, alpha, beta or model"));
                }
            }
        }
        Self::new(elo0, elo1, alpha, beta, model)
    }

    /// The log-likelihood ratio at or below which `elo0` is accepted.
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// The log-likelihood ratio at or above which `elo1` is accepted.
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// The log-likelihood ratio of the pairs; 0 without pairs.
    pub fn llr(&self, pairs: &PairCounts) -> f64 {
        if pairs.total() == 0 {
            return 0.0;
        }
        let counts = pairs.by_score().map(|count| match count {
            // A score never seen is not impossible.
            0 => 1e-3,
            count => count as f64,
        });
        let total: f64 = counts.iter().sum();
        let seen = counts.map(|count| count / total);
        let fit = |elo: f64| match self.model {
            Model::Logistic => fit_score(&seen, expected_score(elo)),
            // The advantage of a pair over its own spread is that of a game times the root of two.
            Model::Normalized => fit_advantage(&seen, elo / ELO_PER_T * std::f64::consts::SQRT_2),
        };
        let (p0, p1) = (fit(self.elo0), fit(self.elo1));
        let ratio = |i: usize| (p1[i] / p0[i]).ln();
        (0..5).map(|i| counts[i] * ratio(i)).sum()
    }

    /// What a log-likelihood ratio decides.
    pub fn verdict(&self, llr: f64) -> Verdict {
        if llr >= self.upper() {
            Verdict::Accepted
        } else if llr <= self.lower() {
            Verdict::Rejected
        } else {
            Verdict::Open
        }
    }

    /// The line `LLR 2.25 (-2.94, 2.94) [0.00, 2.00] normalized: open`.
    pub fn line(&self, pairs: &PairCounts) -> String {
        let llr = self.llr(pairs);
        format!(
            "LLR {llr:.2} ({:.2}, {:.2}) {self}: {}",
            self.lower(),
            self.upper(),
            self.verdict(llr).words()
        )
    }

    /// The test as [`Sprt::parse`] reads it.
    pub fn spec(&self) -> String {
        let Self { elo0, elo1, alpha, beta, model } = self;
        format!("elo0={elo0},elo1={elo1},alpha={alpha},beta={beta},model={}", model.name())
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{:.2}, {:.2}] {}", self.elo0, self.elo1, self.model.name())
    }
}

/// Reads the name of a model.
///
/// # Errors
/// Names the models there are.
pub fn parse_model(text: &str) -> Result<Model, String> {
    match text {
        "normalized" => Ok(Model::Normalized),
        "logistic" => Ok(Model::Logistic),
        _ => Err(format!("model '{text}'; expected normalized or logistic")),
    }
}

/// The score of a pair, per game.
fn score(i: usize) -> f64 {
    i as f64 / 4.0
}

/// The likeliest distribution with this mean score.
fn fit_score(seen: &[f64; 5], mean: f64) -> [f64; 5] {
    fit_zero_mean(seen, std::array::from_fn(|i| score(i) - mean))
}

/// The likeliest distribution whose mean is `t` of its own standard deviations above one half.
///
/// The condition is linear in the distribution once its mean and deviation are given, so both are
/// taken from the last round until nothing changes. From the even distribution this settles in a
/// few rounds, however lopsided the counts are.
fn fit_advantage(seen: &[f64; 5], t: f64) -> [f64; 5] {
    let mut fitted = [0.2; 5];
    for _ in 0..50 {
        let mean: f64 = (0..5).map(|i| score(i) * fitted[i]).sum();
        let variance: f64 = (0..5).map(|i| (score(i) - mean).powi(2) * fitted[i]).sum();
        let deviation = variance.sqrt();
        let values = std::array::from_fn(|i| {
            let off = (score(i) - mean) / deviation;
            score(i) - 0.5 - t * deviation * (1.0 + off * off) / 2.0
        });
        let next = fit_zero_mean(seen, values);
        let change = (0..5).map(|i| (next[i] - fitted[i]).abs()).fold(0.0, f64::max);
        fitted = next;
        if change < 1e-10 {
            break;
        }
    }
    fitted
}

/// The likeliest distribution under which `values` have the mean zero: each share is divided by
/// `1 + x * value`, with the `x` (a Lagrange multiplier) that makes the mean vanish.
fn fit_zero_mean(seen: &[f64; 5], values: [f64; 5]) -> [f64; 5] {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        // No distribution has this mean; the hypothesis cannot tell anything.
        return *seen;
    }
    // The mean falls as x grows, from +inf to -inf between the poles.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let x = (low + high) / 2.0;
        let mean: f64 = seen.iter().zip(values).map(|(p, v)| p * v / (1.0 + x * v)).sum();
        if mean > 0.0 {
            low = x;
        } else {
            high = x;
        }
    }
    let x = (low + high) / 2.0;
    std::array::from_fn(|i| (seen[i] / (1.0 + x * values[i])).max(f64::MIN_POSITIVE))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn llr(model: Model, elo0: f64, elo1: f64, counts: [u64; 6]) -> f64 {
        let sprt = Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap();
        sprt.llr(&PairCounts::from_array(counts))
    }

    #[test]
    fn published_tests() {
        use Model::{Logistic, Normalized};
        let rows = [
            (Normalized, 0.0, 2.0, [365, 16618, 36029, 200, 16974, 390], 2.25, 0.02),
            (Normalized, -1.75, 0.25, [127, 4883, 10311, 401, 5150, 104], 3.01, 0.02),
            (Logistic, 0.5, 2.5, [223, 9863, 20279, 1000, 10037, 246], -3.07, 0.02),
            (Logistic, 0.0, 2.0, [871, 26175, 55003, 980, 26678, 821], -4.98, 0.02),
            (Normalized, 0.0, 5.0, [0, 0, 0, 0, 0, 5550], 111.80, 0.05),
        ];
        for (model, elo0, elo1, counts, expected, tolerance) in rows {
            let value = llr(model, elo0, elo1, counts);
            assert!((value - expected).abs() <= tolerance, "{counts:?}: {value}, not {expected}");
        }
    }

    #[test]
    fn lopsided_results_stay_finite() {
        for model in [Model::Normalized, Model::Logistic] {
            for place in 0..6 {
                let mut counts = [0; 6];
                counts[place] = 1_000;
                for (elo0, elo1) in [(0.0, 5.0), (-600.0, -500.0), (500.0, 600.0)] {
                    let value = llr(model, elo0, elo1, counts);
                    assert!(value.is_finite(), "{model:?} [{elo0}, {elo1}] {counts:?}: {value}");
                }
            }
        }
        assert!(llr(Model::Logistic, 0.0, 5.0, [500, 0, 0, 0, 0, 0]) < -2.0);
        assert_eq!(llr(Model::Logistic, 0.0, 5.0, [0; 6]), 0.0);
    }

    #[test]
    fn bounds_and_verdicts() {
        let sprt = Sprt::parse("elo0=0,elo1=2").unwrap();
        assert!((sprt.upper() - 2.944).abs() < 0.001 && (sprt.lower() + 2.944).abs() < 0.001);
        assert_eq!(sprt.verdict(2.95), Verdict::Accepted);
        assert_eq!(sprt.verdict(-2.95), Verdict::Rejected);
        assert_eq!(sprt.verdict(0.0), Verdict::Open);
        let pairs = PairCounts::from_array([365, 16618, 36029, 200, 16974, 390]);
        assert!(sprt.line(&pairs).starts_with("LLR 2.25 (-2.94, 2.94) [0.00, 2.00] normalized"));
    }

    #[test]
    fn specs_are_read_back_and_nonsense_is_refused() {
        let sprt = Sprt::parse("elo0=-1.75,elo1=0.25,alpha=0.01,beta=0.1,model=logistic").unwrap();
        assert_eq!(Sprt::parse(&sprt.spec()), Ok(sprt));
        for bad in ["elo0=5,elo1=5", "elo0", "elo2=3", "alpha=0", "beta=1", "model=bayes", "elo1=x"]
        {
            assert!(Sprt::parse(bad).is_err(), "{bad}");
        }
    }
}
