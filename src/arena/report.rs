//! Games and statistics in words, for people.

use std::fmt::Display;
use std::time::Duration;

use super::result::{GameResult, Played};
use super::sprt::Sprt;
use super::tally::{EngineTally, Score, Tally};
use crate::game::rules::Side;

/// What is the same on every page of a report.
#[derive(Clone, Debug)]
pub struct Reporter {
    /// Id of the rule set.
    pub variant: String,
    /// The engines' names.
    pub names: Vec<String>,
    /// The test, if there is one.
    pub sprt: Option<Sprt>,
    /// Are these games put together from parts, so that the test has a fixed size?
    pub merged: bool,
}

impl Reporter {
    fn name(&self, engine: usize) -> &str {
        self.names.get(engine).map_or("?", String::as_str)
    }

    /// The line of a finished game and, after a fault or an overrun, the lines about it.
    pub fn game(&self, played: &Played, total: usize) -> Vec<String> {
        let GameResult { slot, winner, ending, plies, .. } = &played.result;
        let [attackers, defenders] = slot.players;
        let result = match winner {
            Some(side) => {
                format!("{} ({}) won", self.name(slot.players[*side as usize]), side.name())
            }
            None => "draw".to_owned(),
        };
        let mut lines = vec![format!(
            "game {}/{total}: {} (attackers) v {} (defenders), opening {}: {result}, {ending}, \
             {plies} plies",
            slot.number,
            self.name(attackers),
            self.name(defenders),
            slot.round + 1,
        )];
        for overrun in &played.overruns {
            let name = self.name(slot.players[overrun.side as usize]);
            let (by, ply) = (ms(overrun.by), overrun.ply);
            lines.push(format!("  overrun: {name}, ply {ply}, {by} ms over its time"));
        }
        if let (Some((fault, conversation)), Some(winner)) = (&played.fault, winner) {
            let name = self.name(slot.players[winner.other() as usize]);
            lines.push(format!("  {}: {name}: {}", fault.kind, fault.detail));
            lines.extend(conversation.iter().map(|line| format!("  | {line}")));
        }
        lines
    }

    /// The statistics so far in one line.
    pub fn running(&self, tally: &Tally) -> String {
        let first = tally.first();
        let strength = first.strength();
        let (nelo, los) = (strength.nelo, strength.los * 100.0);
        format!(
            "after {} games, {}: {}, nElo {nelo}, LOS {los:.1} %",
            tally.games(),
            self.name(0),
            self.short(tally)
        )
    }

    /// Score, Elo and test, for beside a bar.
    pub fn short(&self, tally: &Tally) -> String {
        let first = tally.first();
        let Score { wins, losses, draws } = first.score();
        let test = self.sprt.map(|sprt| format!(", LLR {:.2}", sprt.llr(&first.pairs)));
        let elo = first.strength().elo;
        format!("+{wins} -{losses} ={draws}, Elo {elo}{}", test.unwrap_or_default())
    }

    /// The whole of the statistics.
    pub fn summary(&self, tally: &Tally) -> Vec<String> {
        let first = tally.first();
        let others: Vec<&str> = self.names.iter().skip(1).map(String::as_str).collect();
        let mut lines = vec![format!(
            "{}: {} against {}, {} games, {} pairs",
            self.variant,
            self.name(0),
            others.join(", "),
            first.score().games(),
            first.pairs.total()
        )];
        lines.extend(strength_lines(&first));
        lines.extend(self.sprt_line(&first));
        if self.names.len() > 2 {
            lines.extend(self.table(tally));
        }
        lines.extend(self.sides(tally, &first));
        lines.push(format!(
            "length: {:.1} plies on average, {} to {}",
            tally.mean_plies(),
            tally.plies.1.min(tally.plies.2),
            tally.plies.2
        ));
        lines.push(format!("endings: {}", counted(tally.endings.iter())));
        lines.extend(self.faults(tally));
        lines
    }

    /// The line of the test, if there is one.
    fn sprt_line(&self, first: &EngineTally) -> Option<String> {
        let sprt = self.sprt?;
        let line = sprt.line(&first.pairs);
        Some(match self.merged {
            false => line,
            true => format!(
                "{line} (parts of one match: a test of fixed size, {} pairs)",
                first.pairs.total()
            ),
        })
    }

    fn sides(&self, tally: &Tally, first: &EngineTally) -> Vec<String> {
        let all = tally.attackers;
        let share = |count: u64| 100.0 * count as f64 / all.games().max(1) as f64;
        let own = |side: Side| {
            let score = first.by_side[side as usize];
            format!(
                "as {} +{} -{} ={} ({:.1} %)",
                side.name(),
                score.wins,
                score.losses,
                score.draws,
                score.rate() * 100.0
            )
        };
        vec![
            format!(
                "sides on {}: attackers won {} ({:.1} %), defenders won {} ({:.1} %), drawn {} \
                 ({:.1} %)",
                self.variant,
                all.wins,
                share(all.wins),
                all.losses,
                share(all.losses),
                all.draws,
                share(all.draws)
            ),
            format!("{}: {}, {}", self.name(0), own(Side::Attackers), own(Side::Defenders)),
        ]
    }

    fn faults(&self, tally: &Tally) -> Vec<String> {
        let each = |of: &dyn Fn(&EngineTally) -> String| {
            let engines = tally.engines.iter().enumerate();
            let items = engines.map(|(i, engine)| format!("{} {}", self.name(i), of(engine)));
            items.collect::<Vec<_>>().join(", ")
        };
        let mut lines = vec![format!(
            "time forfeits: {}; largest overrun: {}",
            each(&|engine| engine.time_forfeits().to_string()),
            each(&|engine| format!("{} ms", ms(engine.largest_overrun)))
        )];
        if tally.faults() > 0 {
            lines.push(format!(
                "score without games lost by faults: {}",
                each(&|engine| {
                    let score = engine.without_faults;
                    let Score { wins, losses, draws } = score;
                    format!("+{wins} -{losses} ={draws} ({:.1} %)", score.rate() * 100.0)
                })
            ));
        }
        for (i, engine) in tally.engines.iter().enumerate() {
            if !engine.faults.is_empty() {
                lines.push(format!(
                    "faults of {}: {}",
                    self.name(i),
                    counted(engine.faults.iter())
                ));
            }
        }
        lines
    }

    /// One row an engine, the best first.
    fn table(&self, tally: &Tally) -> Vec<String> {
        let mut order: Vec<usize> = (0..tally.engines.len()).collect();
        let rate = |i: &usize| tally.engines.get(*i).map_or(0.0, |engine| engine.score().rate());
        order.sort_by(|one, other| rate(other).total_cmp(&rate(one)));
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let head = format!("{:<width$}  games    +    -    =  score    Elo", "engine");
        let rows = order.into_iter().filter_map(|i| {
            let engine = tally.engines.get(i)?;
            let score = engine.score();
            Some(format!(
                "{:<width$}  {:>5} {:>4} {:>4} {:>4}  {:>4.1}%  {}",
                self.name(i),
                score.games(),
                score.wins,
                score.losses,
                score.draws,
                score.rate() * 100.0,
                engine.strength().elo
            ))
        });
        std::iter::once(head).chain(rows).collect()
    }
}

/// The lines that begin `Elo`, `nElo` and `LOS`, with what they were computed from.
fn strength_lines(first: &EngineTally) -> Vec<String> {
    let (score, strength) = (first.score(), first.strength());
    vec![
        format!("Elo {}", strength.elo),
        format!("nElo {}", strength.nelo),
        format!("LOS {:.2} %", strength.los * 100.0),
        format!(
            "score: +{} -{} ={} ({:.2} %); pairs: {}",
            score.wins,
            score.losses,
            score.draws,
            score.rate() * 100.0,
            first.pairs
        ),
    ]
}

/// `name count, name count, …`, the most frequent first.
fn counted<'a, K: Display + Ord + 'a>(counts: impl Iterator<Item = (&'a K, &'a u64)>) -> String {
    let mut counts: Vec<_> = counts.collect();
    counts.sort_by(|one, other| other.1.cmp(one.1).then(one.0.cmp(other.0)));
    let items: Vec<String> = counts.iter().map(|(key, count)| format!("{key} {count}")).collect();
    if items.is_empty() { "none".to_owned() } else { items.join(", ") }
}

/// Milliseconds with one decimal.
fn ms(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1e3)
}
