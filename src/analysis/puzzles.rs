//! `konakis puzzles`: positions with exactly one winning move, and the proof of that.

mod mine;
mod source;

use std::fs::File;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, ensure};
use clap::Args;
use rustc_hash::FxHashSet;
use serde_json::{Value, json};

use super::analyse::SourceArgs;
use super::interrupt::{INTERRUPTED, Interrupt};
use crate::arena::console::tell;
use crate::game::symmetry::canonical;
use mine::{Miner, Puzzle};
use source::{Games, Played};

/// What `konakis puzzles` is told.
#[derive(Args, Clone, Debug)]
pub struct PuzzlesArgs {
    /// Records to look through, in any format that konakis analyse reads [default: games that the
    /// engine plays against itself]
    files: Vec<String>,
    #[command(flatten)]
    rules: SourceArgs,
    /// How many puzzles
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// The seed of the engine's games: the same seed gives the same puzzles
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games to play at the most, without files
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: u64,
    /// Positions that a proof may look at; what takes more is left out
    #[arg(long, value_name = "N", default_value_t = 2_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Plies of the shortest win that is worth asking for
    #[arg(long, value_name = "PLIES", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=99))]
    min_plies: u32,
    /// Plies of the longest win; no other move wins within so many plies, the move itself counted
    #[arg(long, value_name = "PLIES", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=99))]
    max_plies: u32,
    /// Memory of the proofs, MiB
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: u32,
    /// Write a puzzle a line as JSON to a new file or, without one, to standard output (in place of
    /// the text)
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    json: Option<String>,
}

impl PuzzlesArgs {
    /// Looks for puzzles and prints each as soon as it is found.
    ///
    /// # Errors
    /// If a file cannot be read or written, or the rule set is wrong.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        ensure!(
            self.min_plies <= self.max_plies,
            "--min-plies {} is more than --max-plies {}",
            self.min_plies,
            self.max_plies
        );
        // The winner makes the first move and the last one.
        ensure!(
            self.min_plies < self.max_plies || self.min_plies % 2 == 1,
            "no win takes {} plies: expected an odd number between --min-plies and --max-plies, such \
             as {}",
            self.min_plies,
            self.min_plies + 1
        );
        let interrupt = Interrupt::listen()?;
        let mut games = Games::new(&self.files, &self.rules, self.seed, self.games)?;
        let mut out = Out::new(self.json.as_deref())?;
        let bounds = (self.min_plies, self.max_plies);
        let mut miner = Miner::new(self.hash as usize, self.nodes, bounds);
        let mut seen = FxHashSet::default();
        let (mut looked_at, mut found) = (0_u64, 0);
        while found < self.count {
            let Some(game) = games.next(&interrupt.control) else { break };
            looked_at += 1;
            let best = miner.best_of(&game, &interrupt.control, &mut |position| {
                seen.insert(format!("{} {}", position.rules().id, canonical(position)))
            });
            if let Some(puzzle) = best {
                found += 1;
                out.puzzle(found, &puzzle, &game)?;
            }
            if interrupt.came() {
                break;
            }
        }
        ensure!(
            looked_at > 0 || interrupt.came() || games.had_broken(),
            "{}: there is no game in it",
            self.files.join(", ")
        );
        let how = if interrupt.came() { "interrupted: " } else { "" };
        tell(format_args!(
            "{how}{found} puzzles in {looked_at} games, {} positions given up after --nodes",
            miner.given_up()
        ));
        Ok(match (interrupt.came(), games.had_broken()) {
            (true, _) => ExitCode::from(INTERRUPTED),
            (false, true) => ExitCode::FAILURE,
            (false, false) => ExitCode::SUCCESS,
        })
    }
}

/// Where puzzles go.
struct Out {
    text: bool,
    json: Option<Box<dyn Write>>,
}

impl Out {
    fn new(json: Option<&str>) -> anyhow::Result<Self> {
        Ok(match json {
            None => Self { text: true, json: None },
            Some("-") => Self { text: false, json: Some(Box::new(io::stdout())) },
            Some(name) => {
                let file = File::create_new(name)
                    .with_context(|| format!("--json={name}: cannot be written as a new file"))?;
                Self { text: true, json: Some(Box::new(file)) }
            }
        })
    }

    fn puzzle(&mut self, number: u32, puzzle: &Puzzle, game: &Played) -> io::Result<()> {
        if let Some(json) = &mut self.json {
            json.write_all(format!("{}\n", event(puzzle, game)).as_bytes())?;
            json.flush()?;
        }
        if self.text {
            let mut out = io::stdout().lock();
            for line in told(number, puzzle, game) {
                writeln!(out, "{line}")?;
            }
            out.flush()?;
        }
        Ok(())
    }
}

/// A puzzle for people.
fn told(number: u32, puzzle: &Puzzle, game: &Played) -> Vec<String> {
    let Puzzle { position, proof, bound, others, .. } = puzzle;
    let size = position.size();
    let line: Vec<String> = proof.line.iter().map(|mv| mv.on(size).to_string()).collect();
    let first = line.first().map_or("", String::as_str);
    vec![
        format!("{number}. {} {}", position.rules().id, position.fen()),
        format!("   {} to move and win in {} plies", position.side().name(), proof.plies),
        format!("   solution {}", line.join(" ")),
        format!(
            "   proven {first} wins in {} plies against every answer; none of the {others} other \
             moves wins in {bound} plies or fewer",
            proof.plies
        ),
        format!("   from {}, ply {}", game.source, puzzle.ply),
        String::new(),
    ]
}

/// A puzzle for programs.
fn event(puzzle: &Puzzle, game: &Played) -> Value {
    let Puzzle { position, proof, bound, others, nodes, ply } = puzzle;
    let size = position.size();
    let line: Vec<String> = proof.line.iter().map(|mv| mv.on(size).to_string()).collect();
    json!({
        "variant": position.rules().id,
        "fen": position.fen(),
        "side": position.side().name(),
        "move": line.first(),
        "plies": proof.plies,
        "line": line,
        "positions": proof.positions,
        "bound": bound,
        "others": others,
        "nodes": nodes,
        "source": game.source,
        "ply": ply,
    })
}
