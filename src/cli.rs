//! The command line: clap's subcommands, and the protocol loop without one.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use clap::{Args, Parser, Subcommand};

use crate::analysis::analyse::{self, AnalyseArgs};
use crate::analysis::diagram::DiagramArgs;
use crate::analysis::explore::{self, ExploreArgs};
use crate::analysis::prove::ProveArgs;
use crate::analysis::puzzles::PuzzlesArgs;
use crate::arena::console::{is_broken_pipe, tell};
use crate::arena::{args, cli as arena};
use crate::game::any_size::Game;
use crate::game::perft::Perft;
use crate::game::rules::{Goal, Rules};
use crate::game::variants::{DEFAULT_VARIANT, aliases, summary, variants};
use crate::notation::{board_text, rule_words, rules_string};
use crate::play::PlayArgs;
use crate::protocol;
use crate::protocol::args::{ChallengeArgs, HtpArgs, OtepArgs};
use crate::search::limits::Control;
use crate::search::{bench, speedup};
use crate::training::cli::{self as tune, TuneCommand};

/// An engine for tafl games that speaks a UCI-like protocol over standard input and output.
///
/// Without a command it reads protocol lines (try help) until quit or the end of the input;
/// protocol.md describes them. Logging goes to standard error and is off unless RUST_LOG asks for
/// it.
#[derive(Parser, Debug)]
#[command(name = "konakis", version = env!("KONAKIS_VERSION"))]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Count the leaves of the tree of legal moves
    Perft(PerftArgs),
    /// Measure the search: fixed positions, fixed depth, with one thread always the same node count
    Bench(BenchArgs),
    /// List the rule sets
    Variants,
    /// Explain a rule set in words, show its board and its rules string
    Rules {
        /// Id or alias of a rule set
        #[arg(required_unless_present = "rules")]
        variant: Option<String>,
        /// A rules string ('dim:9 …') to explain instead, or @FILE with one in it
        #[arg(long, value_name = "STRING", conflicts_with = "variant")]
        rules: Option<String>,
    },
    /// Carry out protocol lines given as arguments, one line each, then leave
    ///
    /// Example: konakis run 'position startpos' 'go depth 8'
    Run {
        /// Protocol lines
        #[arg(required = true, allow_hyphen_values = true)]
        lines: Vec<String>,
    },
    /// Play a game against the engine in the terminal
    ///
    /// Example: konakis play --variant brandubh --side attackers --level 5
    Play(PlayArgs),
    /// Play as an engine of OpenTafl, in its protocol OTEP, over standard input and output
    Otep(OtepArgs),
    /// Play as an engine of hnefatafl.org, in its text protocol HTP, over standard input and output
    ///
    /// 11x11, 13x13 and 7x7 by that project's own rules (htp-copenhagen, htp-13, htp-brandubh), but
    /// for two things: it ends a game early when the defenders can no longer escape, and calls an
    /// encirclement only when one region holds the king and all defenders.
    Htp(HtpArgs),
    /// Play a game of the Tablut Challenge: connect to its server, play, leave
    Challenge(ChallengeArgs),
    /// Look at every position of games: scores, best lines, chances, mistakes
    #[command(after_long_help = analyse::MARKS_HELP)]
    Analyse(AnalyseArgs),
    /// Explore openings: how often positions occurred in games, with what results and scores
    ///
    /// Positions that are the same up to symmetry are one. Shares are of the games whose result is
    /// known. Example: konakis explore games.txt --variant brandubh --from 'd2e2'
    Explore(ExploreArgs),
    /// Play a match between engines
    ///
    /// Example: konakis match --engine builtin:konakis --engine builtin:material-2
    /// --each tc=1+0.01 --games 40
    Match(Box<args::MatchArgs>),
    /// Add up the files of a match that was played in parts
    Merge(args::MergeArgs),
    /// Ask an engine what any engine must survive, and print what fails
    Check(args::CheckArgs),
    /// Draw random openings for matches and print them
    Openings(args::OpeningsArgs),
    /// Draw a position: SVG, or text in colours
    ///
    /// Example: konakis diagram --variant brandubh --best --out start.svg
    Diagram(DiagramArgs),
    /// Prove that a side wins by force, or say honestly that this is not proven
    ///
    /// A proof-number search looks for a win of either side. What it finds is played out against
    /// every answer by the exact rules before it is told. A win that only repetition gives is not
    /// looked for. Ctrl-C ends the search with what is known.
    ///
    /// Example: konakis prove '4a4/9/9/9/2k5a/2a6/9/9/4a4 a'
    Prove(ProveArgs),
    /// Find positions with exactly one winning move, and prove that
    ///
    /// Positions come from records or from games of the engine against itself. Of each puzzle two
    /// things are proven, against every move of both sides and without any judgement: its move wins,
    /// and no other move wins within --max-plies plies. (Whether another one wins more slowly is not
    /// said. A win that only repetition gives is not looked for; it takes 8 plies or more.)
    /// On large boards --max-plies 5 is much quicker. A game gives one puzzle at the most, no two are images of each other. Each is
    /// printed as soon as it is found, so that Ctrl-C loses nothing.
    ///
    /// Example: konakis puzzles --variant brandubh --count 5
    Puzzles(PuzzlesArgs),
    /// Find the weights of the evaluation: games against itself, and a fit to their results
    #[command(subcommand)]
    Tune(TuneCommand),
    /// Compute Elo and the sequential test from numbers of pairs
    Sprt(args::SprtArgs),
}

#[derive(Args, Debug)]
struct PerftArgs {
    /// Plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=99))]
    depth: u32,
    #[command(flatten)]
    rule_set: args::RuleSetArgs,
    /// Start here instead of at the start position
    #[arg(long)]
    fen: Option<String>,
    /// Show the leaves behind each move
    #[arg(long)]
    divide: bool,
    /// Make and unmake every leaf instead of counting the moves of the last ply
    #[arg(long)]
    no_bulk: bool,
    /// Threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

#[derive(Args, Debug)]
struct BenchArgs {
    /// Id or alias of one rule set [default: the five usual ones]
    #[arg(long)]
    variant: Option<String>,
    /// One rule set written out, an OpenTafl rules string, or @FILE with one in it
    #[arg(long, value_name = "STRING", conflicts_with = "variant")]
    rules: Option<String>,
    /// Plies [default: 6, with --speedup 8]
    #[arg(long)]
    depth: Option<u32>,
    /// Size of the transposition table, MiB
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: u32,
    /// Threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// Compare the time to the same depth with one thread and with --threads, position by position
    #[arg(long)]
    speedup: bool,
}

/// Does what the command line says and returns the exit code.
pub fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    let cli = Cli::parse();
    match run(cli.command) {
        Ok(code) => code,
        // The reader of our output has left: a quiet end.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            tell(format_args!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(command: Option<Command>) -> anyhow::Result<ExitCode> {
    let done = match command {
        Some(Command::Analyse(args)) => return analyse::run(&args),
        Some(Command::Explore(args)) => return explore::run(&args),
        Some(Command::Match(args)) => return arena::run_match(&args),
        Some(Command::Merge(args)) => return arena::run_merge(&args),
        Some(Command::Check(args)) => return arena::run_check(&args),
        Some(Command::Otep(args)) => args.run(),
        Some(Command::Htp(args)) => args.run(),
        Some(Command::Challenge(args)) => args.run(),
        Some(Command::Diagram(args)) => return args.run(),
        Some(Command::Play(args)) => return args.run(),
        Some(Command::Prove(args)) => return args.run(),
        Some(Command::Puzzles(args)) => return args.run(),
        Some(Command::Openings(args)) => return arena::run_openings(&args),
        Some(Command::Tune(command)) => return tune::run(&command),
        Some(Command::Sprt(args)) => return arena::run_sprt(&args),
        None => {
            if io::stdin().is_terminal() {
                print(&[format!("{}, an engine for tafl games; type help", protocol::NAME)])?;
            }
            protocol::serve()
        }
        Some(Command::Perft(args)) => perft(&args),
        Some(Command::Bench(args)) => {
            let BenchArgs { variant, rules, depth, hash, threads, speedup } = args;
            let given = variant.is_some() || rules.is_some();
            let rules =
                given.then(|| rule_set(variant.as_deref(), rules.as_deref())).transpose()?;
            let (hash, threads) = (hash as usize, usize::from(threads));
            let settings = bench::Settings { rules, depth, hash, threads };
            let mut result = Ok(());
            let measure = if speedup { speedup::run } else { bench::run };
            measure(&settings, &Control::new(false), &mut |line| {
                if result.is_ok() {
                    result = print(&[line]);
                }
            })?;
            result
        }
        Some(Command::Variants) => print(&table()),
        Some(Command::Rules { variant, rules }) => {
            explain(rule_set(variant.as_deref(), rules.as_deref())?)
        }
        Some(Command::Run { lines }) => protocol::serve_lines(&lines),
    };
    done.map(|()| ExitCode::SUCCESS)
}

fn print(lines: &[String]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(out.flush()?)
}

/// The rule set of a name or, if there is one, of a rules string.
fn rule_set(variant: Option<&str>, rules: Option<&str>) -> anyhow::Result<Arc<Rules>> {
    let variant = variant.unwrap_or(DEFAULT_VARIANT);
    rules_string::chosen(variant, rules).map_err(anyhow::Error::msg)
}

fn perft(args: &PerftArgs) -> anyhow::Result<()> {
    let game = Game::start(args.rule_set.rules()?)?;
    let game = match &args.fen {
        Some(fen) => game.with_fen(fen).context("--fen")?,
        None => game,
    };
    let threads = usize::from(args.threads);
    let perft = Perft::count(&game, args.depth, !args.no_bulk, threads, &|| false)?;
    print(&protocol::perft_lines(&perft, game.size(), args.divide))
}

fn table() -> Vec<String> {
    let head = ["id", "size", "first", "goal", "aliases", "what it is"].map(str::to_owned);
    let rows = variants().iter().map(|rules| {
        let goal = match rules.goal {
            Goal::Edge => "edge",
            Goal::Corners => "corner",
        };
        let names: Vec<&str> = aliases(&rules.id).collect();
        [
            rules.id.clone(),
            format!("{0}x{0}", rules.size),
            rules.first.name().to_owned(),
            goal.to_owned(),
            names.join(" "),
            summary(&rules.id).to_owned(),
        ]
    });
    let rows: Vec<[String; 6]> = std::iter::once(head).chain(rows).collect();
    let width = |column: usize| {
        rows.iter().map(|row| row.get(column).map_or(0, String::len)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..6).map(width).collect();
    rows.iter()
        .map(|row| {
            let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
            cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        })
        .collect()
}

fn explain(rules: Arc<Rules>) -> anyhow::Result<()> {
    let head = match summary(&rules.id) {
        "" => format!("{}: a rule set of one's own", rules.id),
        summary => format!("{}: {summary}", rules.id),
    };
    let mut lines = vec![head, String::new()];
    lines.extend(rule_words::in_words(&rules));
    lines.push(String::new());
    let text = rules_string::write(&rules);
    let start = Game::start(rules)?;
    lines.extend(board_text::board(&start));
    lines.extend([board_text::legend(&start), String::new()]);
    lines.extend(text.map(|text| format!("rules {text}")));
    print(&lines)
}
