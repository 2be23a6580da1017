//! `konakis tune`: its arguments and what they start.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use clap::{Args, Subcommand};

use super::dataset::Dataset;
use super::fit::{self, Model, Options};
use super::generate::{self, Ended};
use super::odds;
use super::record::Settings;
use super::selfplay::Beginnings;
use super::source;
use crate::arena::args::{RuleSetArgs, beyond_its_id};
use crate::arena::openings;
use crate::eval::table::{Weight, Weights, features};
use crate::game::any_size::Game;
use crate::search::limits::Control;

/// What `konakis tune` does.
#[derive(Subcommand, Debug)]
pub enum TuneCommand {
    /// Play the engine against itself and write the positions to a file
    ///
    /// A file that exists is continued. One interrupt ends the run; the file stays good.
    Play(PlayArgs),
    /// Fit the weights of the evaluation to files of positions
    ///
    /// Prints the table of weights as Rust source. Families of rule sets of which there is no file keep
    /// their weights.
    Fit(FitArgs),
    /// Fit the chances of winning, drawing and losing that a score means to files of positions
    ///
    /// Prints a model for each file and for each family of rule sets, as Rust source.
    Odds {
        /// Files of positions, of games with the same nodes for both sides
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
}

/// Arguments of `konakis tune fit`.
#[derive(Args, Debug)]
pub struct FitArgs {
    /// Files of positions
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Passes over the positions
    #[arg(long, default_value_t = 30)]
    epochs: usize,
    /// Length of the first steps
    #[arg(long, default_value_t = 0.02)]
    rate: f32,
    /// How strongly weights are pulled to nothing
    #[arg(long, default_value_t = 1e-6)]
    decay: f32,
    /// The part of the target that is the result of the game; the rest is the score of the search
    #[arg(long, default_value_t = 0.7)]
    result: f32,
    /// Seed of the order of the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

/// Arguments of `konakis tune play`.
#[derive(Args, Debug)]
pub struct PlayArgs {
    /// The file of positions
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    rule_set: RuleSetArgs,
    /// Games in the file at the end
    #[arg(long, default_value_t = 10_000)]
    games: u64,
    /// Nodes searched for each move, of the attackers and of the defenders if they differ
    ///
    /// Where one side hardly ever wins, odds make for games from which more is learnt.
    #[arg(long, value_name = "N[:N]", default_value = "3000", value_parser = parse_nodes)]
    nodes: (u64, u64),
    /// Random plies with which games begin, or plies of a line of --lines: the fewest and the most
    #[arg(long, value_name = "LEAST-MOST", default_value = "2-12", value_parser = parse_random)]
    random: (u32, u32),
    /// Begin games within lines of play instead of with random plies: FILE has a line a row, moves or a
    /// FEN, as --openings of `konakis match` reads them
    #[arg(long, value_name = "FILE")]
    lines: Option<String>,
    /// Seed of the random plies
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games played at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

fn parse_nodes(text: &str) -> Result<(u64, u64), String> {
    let read = || {
        let (attackers, defenders) = text.split_once(':').unwrap_or((text, text));
        Some((attackers.parse::<u64>().ok()?, defenders.parse::<u64>().ok()?))
    };
    read()
        .filter(|(attackers, defenders)| *attackers > 0 && *defenders > 0)
        .ok_or_else(|| "expected numbers of nodes, such as 3000 or 6000:500".to_owned())
}

fn parse_random(text: &str) -> Result<(u32, u32), String> {
    let read = || {
        let (least, most) = text.split_once('-').unwrap_or((text, text));
        Some((least.parse::<u32>().ok()?, most.parse::<u32>().ok()?))
    };
    read()
        .filter(|(least, most)| least <= most && *most <= 200)
        .ok_or_else(|| "expected a range of plies, such as 2-12, at the most 200".to_owned())
}

/// Runs `konakis tune` and returns its exit code.
///
/// # Errors
/// If files cannot be read or written or hold something else.
pub fn run(command: &TuneCommand) -> anyhow::Result<ExitCode> {
    match command {
        TuneCommand::Play(args) => play(args),
        TuneCommand::Odds { files } => {
            let mut out = io::stdout().lock();
            let mut result = Ok(());
            odds::run(files, &mut |line| {
                if result.is_ok() {
                    result = writeln!(out, "{line}");
                }
            })?;
            result?;
            Ok(ExitCode::SUCCESS)
        }
        TuneCommand::Fit(args) => {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(usize::from(args.threads)).build()?;
            pool.install(|| fit(args))
        }
    }
}

fn play(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    let control = Arc::new(Control::new(false));
    let told = Arc::clone(&control);
    ctrlc::set_handler(move || told.stop()).context("interrupts cannot be caught")?;
    let rules = args.rule_set.rules()?;
    let (variant, written) = (rules.id.clone(), beyond_its_id(&rules)?);
    let start = Game::start(rules)?;
    let (lines, digest) = match &args.lines {
        None => (Vec::new(), 0),
        Some(path) => {
            let lines = openings::read(path, &start).map_err(anyhow::Error::msg)?;
            let digest = openings::digest(&lines, start.size());
            (lines, digest)
        }
    };
    let beginnings = Beginnings { start, lines };
    let settings = Settings {
        variant,
        rules: written,
        nodes: args.nodes,
        random: args.random,
        seed: args.seed,
        lines: digest,
    };
    let threads = usize::from(args.threads);
    let mut say = |line: String| eprintln!("{line}");
    let ended =
        generate::run(&args.out, &settings, &beginnings, args.games, threads, &control, &mut say)?;
    Ok(match ended {
        Ended::Complete => ExitCode::SUCCESS,
        Ended::Interrupted => ExitCode::from(130),
    })
}

fn fit(args: &FitArgs) -> anyhow::Result<ExitCode> {
    let options = Options {
        epochs: args.epochs,
        rate: args.rate,
        decay: args.decay,
        result: args.result,
        seed: args.seed,
    };
    let mut fitted = Vec::new();
    for data in Dataset::read(&args.files)? {
        fitted.push((data.family, fit_family(&data, &options)));
    }
    io::stdout().lock().write_all(source::file(&fitted).as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn fit_family(data: &Dataset, options: &Options) -> Vec<Weight> {
    let Dataset { family, training, held_out, unquiet } = data;
    eprintln!(
        "{}: {} positions, {} held out, {unquiet} not quiet",
        family.name(),
        training.len(),
        held_out.len(),
    );
    let mut model = Model::new(Weights::of(*family), features(*family));
    let tell = |what: &str, model: &Model| {
        eprintln!(
            "{what}: loss {:.5}, held out {:.5} ({:.5} against results alone)",
            model.loss(training, options.result),
            model.loss(held_out, options.result),
            model.loss(held_out, 1.0)
        );
    };
    tell("before", &model);
    fit::fit(&mut model, training, options, &mut |epoch, model| {
        if epoch % 10 == 0 {
            tell(&format!("pass {epoch}"), model);
        }
    });
    model.rounded()
}
