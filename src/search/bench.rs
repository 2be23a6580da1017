//! The benchmark: fixed positions, fixed depth. On one thread its node count is the same on every run
//! and machine, and changes only with the search or the evaluation.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Searcher;
use super::limits::{Control, Limits};
use crate::game::any_size::Game;
use crate::game::fen::FenError;
use crate::game::rules::Rules;
use crate::game::variants::variant;

/// The rule sets of the usual benchmark.
const VARIANTS: [&str; 5] = ["tablut", "tablut-corner", "tablut-ashton", "brandubh", "copenhagen"];

/// After how many plies of the game that the benchmark plays out a position is searched.
const PLIES: [usize; 6] = [0, 4, 9, 14, 21, 30];

/// What is measured.
#[derive(Clone, Debug)]
pub struct Settings {
    /// One rule set; `None` is the usual five.
    pub rules: Option<Arc<Rules>>,
    /// Plies; `None` is the usual depth.
    pub depth: Option<u32>,
    /// Size of the transposition table, MiB.
    pub hash: usize,
    /// Threads; only with one the nodes are always the same.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { rules: None, depth: None, hash: 16, threads: 1 }
    }
}

/// The usual depth, in plies.
pub const DEPTH: u32 = 6;

/// Runs the benchmark and says a line a rule set, `VARIANT N nodes R nps`, and last the sum,
/// `N nodes R nps`. A stopped benchmark says no sum.
///
/// # Errors
/// If the start position of the rule set is not a legal board.
pub fn run(
    settings: &Settings,
    control: &Control,
    say: &mut dyn FnMut(String),
) -> anyhow::Result<()> {
    let mut searcher = Searcher::new(settings.hash);
    searcher.set_threads(settings.threads);
    let mut all = (0, Duration::ZERO);
    for (name, games) in games(settings.rules.as_ref())? {
        let mut sum = (0, Duration::ZERO);
        for game in games {
            searcher.clear();
            let start = Instant::now();
            let depth = Some(settings.depth.unwrap_or(DEPTH));
            let limits = Limits { depth, ..Limits::default() };
            let found = searcher.search(&game, &limits, control, &mut ());
            sum.0 += found.nodes;
            sum.1 += start.elapsed();
            if control.is_stopped() {
                say("info string the benchmark was stopped".to_owned());
                return Ok(());
            }
        }
        say(format!("{name} {}", line(sum)));
        all = (all.0 + sum.0, all.1 + sum.1);
    }
    say(line(all));
    Ok(())
}

fn line((nodes, time): (u64, Duration)) -> String {
    let speed = nodes as f64 / time.as_secs_f64().max(1e-6);
    format!("{nodes} nodes {speed:.0} nps")
}

/// The ids of the rule sets and the positions that are searched; `None`: of the usual rule sets.
///
/// # Errors
/// If the start position of the rule set is not a legal board.
pub(super) fn games(rules: Option<&Arc<Rules>>) -> Result<Vec<(String, Vec<Game>)>, FenError> {
    let all = match rules {
        Some(rules) => vec![Arc::clone(rules)],
        None => VARIANTS.iter().filter_map(|id| variant(id)).collect(),
    };
    let games =
        all.into_iter().map(|rules| Ok((rules.id.clone(), positions(&Game::start(rules)?))));
    games.collect()
}

/// Positions of a game in which both sides play moves picked by a fixed sequence of numbers, but
/// never one that ends the game or lets the opponent end it at once by an announcement.
fn positions(start: &Game) -> Vec<Game> {
    let mut game = start.clone();
    let mut positions = Vec::new();
    let mut number: u64 = 2026;
    let last = PLIES.into_iter().max().unwrap_or(0);
    for ply in 0..=last {
        if PLIES.contains(&ply) {
            positions.push(game.clone());
        }
        let mut moves = game.legal_moves();
        moves.retain(|&mv| {
            let mut next = game.clone();
            next.play(mv);
            next.outcome().is_none() && next.call().is_none()
        });
        if moves.is_empty() {
            break;
        }
        // Knuth's MMIX generator; the upper bits are the good ones.
        number =
            number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        game.play(moves[(number >> 33) as usize % moves.len()]);
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_fixed_and_playable() {
        for id in VARIANTS {
            let start = Game::start(variant(id).unwrap()).unwrap();
            let positions = positions(&start);
            assert_eq!(positions.len(), PLIES.len(), "{id}");
            assert!(positions.iter().all(|game| game.outcome().is_none()));
        }
    }
}
