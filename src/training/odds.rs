//! Fits what a score means for the result of the game to the games of files of positions.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::record::{Sample, Settings};
use crate::eval::family::Family;
use crate::eval::odds::Model;
use crate::game::any_size::Game;
use crate::game::rules::Side;

/// Scores are counted in bins of so many centipawns.
const BIN: i32 = 4;
/// Scores as high as this, in centipawns, stand for proven results, which need no model.
const PROVEN: i32 = 2_000;
/// The first steps of the search for the best model, and the last, in centipawns.
const FIRST_STEP: f64 = 128.0;
const LAST_STEP: f64 = 0.25;
/// Between these a scale lies, and thresholds lie as near to even, in centipawns: where a result
/// hardly ever occurs the games say little of them.
const SCALES: [f64; 2] = [20.0, 400.0];
const THRESHOLD: f64 = 1_000.0;
/// A step that makes the loss less by no more than this, in nats, is not worth taking: where one
/// result never occurs, steps away from it are always a little better.
const LEAST_GAIN: f64 = 1e-7;
/// Chances below this count as this: a model must not lose everything by one game.
const LEAST_CHANCE: f64 = 1e-6;

/// How often each result followed a score.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// By bins of the score for the attackers: games won by the attackers, by the defenders, drawn.
    bins: BTreeMap<i32, [u64; 3]>,
}

impl Results {
    /// Counts a position with its score for the attackers, in centipawns.
    pub fn count(&mut self, score: i32, winner: Option<Side>) {
        if score.abs() >= PROVEN {
            return;
        }
        let result = match winner {
            Some(Side::Attackers) => 0,
            Some(Side::Defenders) => 1,
            None => 2,
        };
        let bin = self.bins.entry(score.div_euclid(BIN)).or_default();
        if let Some(count) = bin.get_mut(result) {
            *count += 1;
        }
    }

    /// Positions won by the attackers, by the defenders, drawn.
    pub fn totals(&self) -> [u64; 3] {
        self.bins.values().fold([0; 3], |[a, d, n], [x, y, z]| [a + x, d + y, n + z])
    }

    /// The mean loss of a model (cross entropy), in nats.
    pub fn loss(&self, model: &Model) -> f64 {
        self.mean_loss(|score| {
            let [attackers, defenders] = model.chances(score);
            [attackers, defenders, 1.0 - attackers - defenders]
        })
    }

    /// The loss of who knows only how often each result occurs, in nats.
    pub fn loss_without_score(&self) -> f64 {
        let totals = self.totals();
        let all: u64 = totals.iter().sum();
        self.mean_loss(|_| totals.map(|total| total as f64 / all as f64))
    }

    fn mean_loss(&self, chances: impl Fn(f64) -> [f64; 3]) -> f64 {
        let (mut sum, mut all) = (0.0, 0);
        for (bin, counts) in &self.bins {
            let chances = chances(f64::from(bin * BIN) + f64::from(BIN) / 2.0);
            for (count, chance) in counts.iter().zip(chances) {
                sum -= *count as f64 * chance.max(LEAST_CHANCE).ln();
                all += count;
            }
        }
        sum / all.max(1) as f64
    }

    /// The model of the least loss: steps along each number in turn, shorter ones when none helps
    /// (pattern search; Hooke and Jeeves 1961).
    pub fn fit(&self) -> Model {
        let mut best = Model { attackers: 100.0, defenders: 100.0, scale: 200.0 };
        let mut least = self.loss(&best);
        let mut step = FIRST_STEP;
        while step >= LAST_STEP {
            let Model { attackers, defenders, scale } = best;
            let neighbours = [-step, step].into_iter().flat_map(|by| {
                [
                    Model { attackers: attackers + by, ..best },
                    Model { defenders: defenders + by, ..best },
                    Model { attackers: attackers + by, defenders: defenders - by, ..best },
                    Model { scale: scale + by, ..best },
                ]
            });
            let allowed = neighbours.filter(|model| {
                let Model { attackers, defenders, scale } = *model;
                attackers + defenders >= 0.0
                    && attackers.abs().max(defenders.abs()) <= THRESHOLD
                    && (SCALES[0]..=SCALES[1]).contains(&scale)
            });
            let losses = allowed.map(|model| (self.loss(&model), model));
            match losses
                .min_by(|a, b| a.0.total_cmp(&b.0))
                .filter(|(loss, _)| *loss < least - LEAST_GAIN)
            {
                Some((loss, model)) => (least, best) = (loss, model),
                None => step /= 2.0,
            }
        }
        best
    }
}

/// Fits a model to each file and one to all files of each family, and says lines with the losses
/// and the models.
///
/// # Errors
/// If a file cannot be read or holds something else (with the line).
pub fn run(paths: &[PathBuf], say: &mut dyn FnMut(String)) -> anyhow::Result<()> {
    let mut families: BTreeMap<Family, Results> = BTreeMap::new();
    for path in paths {
        let (name, family, results) = read(path).with_context(|| path.display().to_string())?;
        say(described(&name, &results));
        let all = families.entry(family).or_default();
        for (bin, counts) in results.bins {
            let sums = all.bins.entry(bin).or_default();
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }
    for (family, results) in families {
        say(described(family.name(), &results));
    }
    Ok(())
}

fn described(name: &str, results: &Results) -> String {
    let [attackers, defenders, drawn] = results.totals();
    let model = results.fit();
    format!(
        "{name}: {attackers} positions of games won by the attackers, {defenders} by the \
         defenders, {drawn} drawn; loss {:.4} (without the score {:.4})\n    \
         Model {{ attackers: {:.1}, defenders: {:.1}, scale: {:.1} }},",
        results.loss(&model),
        results.loss_without_score(),
        model.attackers,
        model.defenders,
        model.scale
    )
}

fn read(path: &Path) -> anyhow::Result<(String, Family, Results)> {
    let mut lines = BufReader::new(File::open(path)?).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    let settings = Settings::parse(&first).map_err(anyhow::Error::msg).context("line 1")?;
    let rules = settings.rule_set().map_err(anyhow::Error::msg).context("line 1")?;
    let family = Family::of(&rules);
    let start = Game::start(rules)?;
    let mut results = Results::default();
    for (i, line) in lines.enumerate() {
        let (sample, _) = Sample::parse(&line?, &start)
            .map_err(|error| anyhow::anyhow!("line {}: {error}", i + 2))?;
        results.count(sample.score, sample.winner);
    }
    Ok((settings.variant, family, results))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::rng::Rng;

    #[test]
    fn a_model_is_found_again() {
        let truth = Model { attackers: 260.0, defenders: -40.0, scale: 150.0 };
        let mut rng = Rng::of(&[4]);
        let mut uniform = || (rng.draw() >> 11) as f64 / (1_u64 << 53) as f64;
        let mut results = Results::default();
        for _ in 0..200_000 {
            let score = (uniform() * 1_600.0 - 800.0).floor();
            let [attackers, defenders] = truth.chances(score);
            let luck = uniform();
            let winner = if luck < attackers {
                Some(Side::Attackers)
            } else if luck < attackers + defenders {
                Some(Side::Defenders)
            } else {
                None
            };
            results.count(score as i32, winner);
        }
        let Model { attackers, defenders, scale } = results.fit();
        assert!((attackers - 260.0).abs() < 6.0, "{attackers}");
        assert!((defenders + 40.0).abs() < 6.0, "{defenders}");
        assert!((scale - 150.0).abs() < 4.0, "{scale}");
        assert!(results.loss(&results.fit()) < results.loss_without_score());
        // Proven results are left out.
        let before = results.totals();
        results.count(PROVEN, None);
        assert_eq!(results.totals(), before);
    }
}
