//! Weights fitted to results: logistic regression of the results of quiet positions ("Texel's tuning
//! method", P. Österlund 2014) by Adam (D. P. Kingma, J. Ba 2014).

use rayon::prelude::*;

use super::dataset::Example;
use crate::arena::rng::Rng;
use crate::eval::table::{Weight, Weights};

/// So many centipawns are one unit of the logarithm of the odds (about 73 % of the games).
pub const SCALE: f32 = 180.0;

/// Examples between two steps.
const BATCH: usize = 16_384;
/// Examples that one thread adds up at a time.
const CHUNK: usize = 1_024;

/// How to fit.
#[derive(Clone, Debug)]
pub struct Options {
    /// Passes over the examples.
    pub epochs: usize,
    /// The length of the first steps; they grow shorter in a cosine.
    pub rate: f32,
    /// How strongly weights are pulled to nothing.
    pub decay: f32,
    /// The part of the target that is the result; the rest is what the search found.
    pub result: f32,
    /// The seed of the order of the examples.
    pub seed: u64,
}

/// Weights while they are fitted, in units of the logarithm of the odds: for a full board, then for
/// an almost empty one.
#[derive(Clone, Debug)]
pub struct Model {
    weights: Vec<[f32; 2]>,
}

impl Model {
    /// The weights of a table.
    pub fn new(weights: &Weights, features: usize) -> Self {
        let scaled = |(full, bare): Weight| [f32::from(full) / SCALE, f32::from(bare) / SCALE];
        Self { weights: (0..features).map(|feature| scaled(weights.all(feature))).collect() }
    }

    /// The weights, rounded to centipawns.
    pub fn rounded(&self) -> Vec<Weight> {
        let round = |weight: f32| (weight * SCALE).round().clamp(-2_000.0, 2_000.0) as i16;
        self.weights.iter().map(|&[full, bare]| (round(full), round(bare))).collect()
    }

    /// The chance of the attackers.
    fn chance(&self, example: &Example) -> f32 {
        let mut sums = [0.0; 2];
        for &(feature, count) in &example.features {
            let [full, bare] = self.weights[usize::from(feature)];
            sums[0] += full * f32::from(count);
            sums[1] += bare * f32::from(count);
        }
        sigmoid(sums[0] * example.fullness + sums[1] * (1.0 - example.fullness))
    }

    /// The mean loss over examples (cross entropy), in nats, against a target of which the part
    /// `result` is the result.
    pub fn loss(&self, examples: &[Example], result: f32) -> f64 {
        let sum: f64 = examples
            .par_chunks(CHUNK)
            .map(|chunk| {
                let losses = chunk.iter().map(|example| {
                    let chance = f64::from(self.chance(example)).clamp(1e-6, 1.0 - 1e-6);
                    let target = f64::from(target(example, result));
                    -(target * chance.ln() + (1.0 - target) * (1.0 - chance).ln())
                });
                losses.sum::<f64>()
            })
            .collect::<Vec<_>>()
            .iter()
            .sum();
        sum / examples.len().max(1) as f64
    }

    /// The sum of the gradients of the loss over examples.
    fn gradient(&self, examples: &[&Example], result: f32) -> Vec<[f32; 2]> {
        let parts: Vec<Vec<[f32; 2]>> = examples
            .par_chunks(CHUNK)
            .map(|chunk| {
                let mut sum = vec![[0.0; 2]; self.weights.len()];
                for example in chunk {
                    let off = self.chance(example) - target(example, result);
                    let (full, bare) = (off * example.fullness, off * (1.0 - example.fullness));
                    for &(feature, count) in &example.features {
                        let here = &mut sum[usize::from(feature)];
                        here[0] += full * f32::from(count);
                        here[1] += bare * f32::from(count);
                    }
                }
                sum
            })
            .collect();
        // In order, so that the sum is the same whatever the number of threads.
        let mut sum = vec![[0.0; 2]; self.weights.len()];
        for part in parts {
            for (sum, part) in sum.iter_mut().zip(part) {
                sum[0] += part[0];
                sum[1] += part[1];
            }
        }
        sum
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

fn target(example: &Example, result: f32) -> f32 {
    result * example.result + (1.0 - result) * sigmoid(example.score / SCALE)
}

/// How large the counts of each feature are where it is met at all: steps and decay are measured by
/// that, so that large counts do not make for rash steps.
fn magnitudes(examples: &[Example], features: usize) -> Vec<f32> {
    let mut sums = vec![(0.0_f64, 0_u64); features];
    for (feature, count) in examples.iter().flat_map(|example| &example.features) {
        let sum = &mut sums[usize::from(*feature)];
        sum.0 += f64::from(*count) * f64::from(*count);
        sum.1 += 1;
    }
    sums.iter().map(|(sum, met)| (sum / *met.max(&1) as f64).sqrt().max(1.0) as f32).collect()
}

/// Fits the weights of a model to examples. Features that are never met keep their
/// weights. `tell` hears the number of each finished pass.
pub fn fit(
    model: &mut Model,
    training: &[Example],
    options: &Options,
    tell: &mut dyn FnMut(usize, &Model),
) {
    let features = model.weights.len();
    let magnitudes = magnitudes(training, features);
    let mut met = vec![false; features];
    for (feature, _) in training.iter().flat_map(|example| &example.features) {
        met[usize::from(*feature)] = true;
    }
    let mut order: Vec<&Example> = training.iter().collect();
    let mut rng = Rng::of(&[options.seed]);
    let mut adam = Adam::new(features);
    let steps = order.len().div_ceil(BATCH) * options.epochs;
    for epoch in 0..options.epochs {
        shuffle(&mut order, &mut rng);
        for batch in order.chunks(BATCH) {
            let gradient = model.gradient(batch, options.result);
            let progress = adam.step as f32 / steps as f32;
            let rate = options.rate * 0.5 * (1.0 + (std::f32::consts::PI * progress).cos());
            adam.begin_step();
            for feature in (0..features).filter(|&feature| met[feature]) {
                // In units in which the counts are about one.
                let scale = magnitudes[feature];
                let weights = model.weights[feature].iter_mut();
                for (half, (weight, slope)) in weights.zip(gradient[feature]).enumerate() {
                    let pull = options.decay * *weight * scale;
                    let slope = slope / (batch.len() as f32 * scale) + pull;
                    *weight -= rate * adam.direction(feature, half, slope) / scale;
                }
            }
        }
        tell(epoch + 1, model);
    }
}

fn shuffle(order: &mut [&Example], rng: &mut Rng) {
    for i in (1..order.len()).rev() {
        let other = (u128::from(rng.draw()) * (i as u128 + 1)) >> 64;
        order.swap(i, other as usize);
    }
}

/// Running means of the slopes and of their squares.
struct Adam {
    step: usize,
    means: Vec<[[f32; 2]; 2]>,
    corrections: [f32; 2],
}

impl Adam {
    const FADE: [f32; 2] = [0.9, 0.999];

    fn new(features: usize) -> Self {
        Self { step: 0, means: vec![[[0.0; 2]; 2]; features], corrections: [1.0; 2] }
    }

    fn begin_step(&mut self) {
        self.step += 1;
        self.corrections = Self::FADE.map(|fade| 1.0 - fade.powi(self.step as i32));
    }

    fn direction(&mut self, feature: usize, half: usize, slope: f32) -> f32 {
        let [mean, square] = &mut self.means[feature][half];
        *mean += (slope - *mean) * (1.0 - Self::FADE[0]);
        *square += (slope * slope - *square) * (1.0 - Self::FADE[1]);
        let (mean, square) = (*mean / self.corrections[0], *square / self.corrections[1]);
        mean / (square.sqrt() + 1e-8)
    }
}
