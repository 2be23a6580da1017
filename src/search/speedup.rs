//! What more threads are worth: the time to the same depth with one thread and with several, on the
//! positions of the benchmark.

use std::time::{Duration, Instant};

use super::Searcher;
use super::bench::{Settings, games};
use super::limits::{Control, Limits};
use crate::game::any_size::Game;

/// The usual depth, in plies: deep enough that most positions take a noticeable time.
pub const DEPTH: u32 = 8;

/// One search to the depth.
#[derive(Clone, Copy)]
struct Run {
    time: Duration,
    nodes: u64,
}

/// Searches each position to the same depth with one thread and with the threads of the settings,
/// in turns, each from an empty table, and says a line a position,
/// `VARIANT I: 1 thread N nodes T ms, K threads N nodes T ms, ratio of times R`, then the median of
/// the ratios.
///
/// # Errors
/// If the start position of the rule set is not a legal board.
pub fn run(
    settings: &Settings,
    control: &Control,
    say: &mut dyn FnMut(String),
) -> anyhow::Result<()> {
    let depth = settings.depth.unwrap_or(DEPTH);
    let mut alone = Searcher::new(settings.hash);
    let mut together = Searcher::new(settings.hash);
    let threads = together.set_threads(settings.threads);
    let mut times = Vec::new();
    let mut shares = Vec::new();
    for (name, games) in games(settings.rules.as_ref())? {
        for (i, game) in games.iter().enumerate() {
            let (one, more);
            // What runs beside us must not always hit the same of the two.
            if i % 2 == 0 {
                one = measure(&mut alone, game, depth, control);
                more = measure(&mut together, game, depth, control);
            } else {
                more = measure(&mut together, game, depth, control);
                one = measure(&mut alone, game, depth, control);
            }
            if control.is_stopped() {
                say("info string the benchmark was stopped".to_owned());
                return Ok(());
            }
            let ratio = more.time.as_secs_f64() / one.time.as_secs_f64().max(1e-9);
            say(format!(
                "{name} {}: 1 thread {} nodes {} ms, {threads} threads {} nodes {} ms, ratio of \
                 times {ratio:.2}",
                i + 1,
                one.nodes,
                one.time.as_millis(),
                more.nodes,
                more.time.as_millis(),
            ));
            times.push(ratio);
            shares.push(more.nodes as f64 / threads as f64 / one.nodes.max(1) as f64);
        }
    }
    let count = times.len();
    say(format!(
        "median of {count} positions at depth {depth}: {threads} threads take {:.3} of the time of \
         one, each of them {:.3} of its nodes",
        median(&mut times),
        median(&mut shares)
    ));
    Ok(())
}

fn measure(searcher: &mut Searcher, game: &Game, depth: u32, control: &Control) -> Run {
    searcher.clear();
    let start = Instant::now();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let found = searcher.search(game, &limits, control, &mut ());
    Run { time: start.elapsed(), nodes: found.nodes }
}

/// The middle value, or the mean of the two in the middle.
fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values {
        [] => f64::NAN,
        _ if values.len() % 2 == 1 => values[middle],
        _ => f64::midpoint(values[middle - 1], values[middle]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variants::variant;

    #[test]
    fn medians() {
        assert!((median(&mut [3.0, 1.0, 2.0]) - 2.0).abs() < 1e-9);
        assert!((median(&mut [4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < 1e-9);
        assert!(median(&mut []).is_nan());
    }

    #[test]
    fn every_position_is_measured() {
        let settings = Settings {
            rules: variant("brandubh"),
            depth: Some(2),
            threads: 3,
            ..Settings::default()
        };
        let mut lines = Vec::new();
        run(&settings, &Control::new(false), &mut |line| lines.push(line)).unwrap();
        assert_eq!(lines.len(), 7, "{lines:?}");
        assert!(lines[6].starts_with("median of 6 positions at depth 2: 3 threads take "));
    }
}
