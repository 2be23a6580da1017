//! `konakis analyse`: its arguments, and games from the input to all outputs.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;

use super::analyst::{Analyst, Failed};
use super::crew::{Crew, Work};
use super::input::{Input, name_of};
use super::look::Effort;
use super::outputs::{Destinations, Outputs};
use super::report::GameReport;
use crate::arena::console::tell;
use crate::arena::runner::INTERRUPTED;
use crate::game::rules::Rules;
use crate::game::variants::DEFAULT_VARIANT;
use crate::notation::format::Format;
use crate::notation::recorded::RecordedGame;
use crate::notation::rules_string;
use crate::search::limits::Control;

/// The exit code of a command line that makes no sense.
const USAGE: u8 = 2;

/// Nodes for each position if no limit is given.
const USUAL_NODES: u64 = 100_000;

/// What the numbers and marks mean, for `--help`.
pub const MARKS_HELP: &str = "\
What is told of each position, for the side to move: its score (centipawns, or the plies to a proven win or loss),
the chances to win, draw and lose, the best line, and what the played move gave away (loss). In records (--otg) score and
chances are for the attackers. Chances are fitted to results, and tafl favours a side: where the defenders win most games,
the attackers lose more often than they win also with a score a little above nothing.

The loss is in points: a win is one, a draw half of one; the points to be expected follow from the chances. They are
those of the position before the move, less those after it. A move that seems to lose 5 % or more is compared with
the best move once more: the position after that is searched as well, and only what was lost by comparison counts.

  ?!          a loss of 5 % of a point or more
  ?           10 % or more
  ??          20 % or more
  missed win  5 % or more, and a proven win before the move that is proven no more after it
  only move   the best move, where the second best would have lost 20 % or more

The bounds were measured with 10,000 nodes a position. Of 34,292 moves of 940 real games (brandubh, tablut-ashton,
copenhagen) 10.4 % lost as much as ?!, 6.2 % as ?, 2.1 % as ??; of 3,652 moves that a search of ten times as many nodes
played, 1.5 %, 0.5 % and 0.1 %: so often a mark is a false alarm. In the real games that ended by the rules, those who
played ?!, ? and ?? had 0.53, 0.53 and 0.75 points to expect before the move and scored 0.43, 0.34 and 0.30.

Announcements: raichi (the king has one way to win, were it his turn), tuichi (two or more), watch-your-king (the
attackers could take him, were it their turn).

The exit code is 1 if a game is broken (the others are analysed) or there is none, 130 after an interrupt.";

/// What all tables take together if nobody asks for more, MiB.
const MOST_MEMORY: usize = 1024;

/// Which games, and by which rules.
#[derive(Args, Clone, Debug)]
pub struct SourceArgs {
    /// The format [default: the one that the file looks like]
    ///
    /// otg: OpenTafl records. lines: a game a line, its moves divided by blanks, perhaps behind a
    /// FEN ('FEN moves e3a3 …'). csv: moves, two counts of captures, Black, White, Draw or Ongoing.
    /// challenge: a log file of the Tablut Challenge's referee. fens: a FEN a line.
    #[arg(long)]
    pub format: Option<Format>,
    /// Id or alias of the rule set; it wins over what a game says of itself [default: that, or
    /// tablut]
    #[arg(long)]
    pub variant: Option<String>,
    /// The rule set written out, an OpenTafl rules string ('dim:9 …'), or @FILE with one in it
    #[arg(long, value_name = "STRING", conflicts_with = "variant")]
    pub rules: Option<String>,
}

impl SourceArgs {
    /// The rule set that was chosen, if one was.
    ///
    /// # Errors
    /// If there is none of this name, or says what is wrong with the rules string.
    pub fn chosen(&self) -> anyhow::Result<Option<Arc<Rules>>> {
        if self.variant.is_none() && self.rules.is_none() {
            return Ok(None);
        }
        self.or_default().map(Some)
    }

    /// The rule set that was chosen, or the usual one.
    ///
    /// # Errors
    /// As [`SourceArgs::chosen`].
    pub fn or_default(&self) -> anyhow::Result<Arc<Rules>> {
        let variant = self.variant.as_deref().unwrap_or(DEFAULT_VARIANT);
        let rules = rules_string::chosen(variant, self.rules.as_deref());
        rules.map_err(anyhow::Error::msg)
    }
}

/// What `konakis analyse` is told.
#[derive(Args, Clone, Debug)]
pub struct AnalyseArgs {
    /// A file of games or positions; - is standard input
    file: String,
    #[command(flatten)]
    source: SourceArgs,
    /// Time for each position
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Nodes for each position [default without any limit: 100000]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies to search in each position
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=127))]
    depth: Option<u32>,
    /// Tell so many of the best lines of each position
    #[arg(long, value_name = "LINES", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: u16,
    /// Positions looked at at the same time; a single one is searched on so many threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// Size of the table of each search, MiB [default: what the limits can fill, at the most 64, or
    /// 1024 together]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: Option<u32>,
    /// Write a line a position as JSON to a new file or, without one, to standard output (then there
    /// is no text)
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    json: Option<String>,
    /// Write the games with all this as comments to a new file, as OpenTafl records
    #[arg(long, value_name = "FILE")]
    otg: Option<String>,
    /// Write a page for each game into this folder, to be opened in a browser: board, moves, graph
    ///
    /// The folder must be new or empty, unless with --resume. The pages are game-001.html and so on;
    /// each stands for itself and loads nothing from anywhere.
    #[arg(long, value_name = "DIR")]
    html: Option<PathBuf>,
    /// Go on with the file of --json: what is in it is not looked at again
    ///
    /// The rest must be what it was; FILE.settings says it until the analysis is whole. The file of
    /// --otg is gone on with too, if what it holds is what this analysis writes; else it is left as it
    /// is.
    #[arg(long)]
    resume: bool,
}

impl AnalyseArgs {
    /// What makes no sense together.
    fn contradiction(&self) -> Option<&'static str> {
        if self.resume && matches!(self.json.as_deref(), None | Some("-")) {
            return Some("--resume goes on with a file; expected --json=FILE beside it");
        }
        let same = self.json.is_some() && self.json == self.otg;
        same.then_some("--json and --otg name the same file; expected two")
    }
}

impl AnalyseArgs {
    /// What the numbers of an analysis depend on, as it stands on the command line.
    fn settings(&self) -> String {
        let numbers = [
            ("movetime", self.movetime),
            ("nodes", self.nodes),
            ("depth", self.depth.map(u64::from)),
            ("multipv", Some(u64::from(self.multipv))),
            ("hash", self.hash.map(u64::from)),
        ];
        let numbers = numbers
            .iter()
            .filter_map(|(name, value)| value.map(|value| format!("--{name} {value}")));
        let texts = [("variant", &self.source.variant), ("rules", &self.source.rules)];
        let texts = texts
            .iter()
            .filter_map(|(name, value)| value.as_ref().map(|value| format!("--{name} {value}")));
        numbers.chain(texts).collect::<Vec<_>>().join(" ")
    }
}

/// Runs `konakis analyse` and returns its exit code: 1 if a game is broken or there is none.
///
/// # Errors
/// If the input cannot be read or an output not be written.
pub fn run(args: &AnalyseArgs) -> anyhow::Result<ExitCode> {
    if let Some(error) = args.contradiction() {
        tell(format_args!("error: {error}"));
        return Ok(ExitCode::from(USAGE));
    }
    let chosen = args.source.chosen()?;
    let input = Input::read(&args.file, args.source.format, chosen)?;
    if input.games() == 0 {
        bail!("{}: there is no game in it", name_of(&args.file));
    }
    let destinations = Destinations {
        json: args.json.as_deref(),
        otg: args.otg.as_deref(),
        html: args.html.as_deref(),
        resume: args.resume,
        settings: &args.settings(),
    };
    let outputs = Outputs::open(&destinations, input.positions())?;
    let control = Arc::new(Control::new(false));
    let told = Arc::clone(&control);
    ctrlc::set_handler(move || told.stop()).context("interrupts cannot be caught")?;
    let crew = Crew::new(work(args, &input), &control).context("no thread can be started")?;
    let analyst = Analyst::new(crew, usize::from(args.multipv));
    Analysis { input, analyst, outputs, open: VecDeque::new(), broken: 0 }.run()
}

fn work(args: &AnalyseArgs, input: &Input) -> Work {
    let limited = args.movetime.is_some() || args.nodes.is_some() || args.depth.is_some();
    let effort = Effort {
        movetime: args.movetime.map(Duration::from_millis),
        nodes: args.nodes.or((!limited).then_some(USUAL_NODES)),
        depth: args.depth,
    };
    let threads = usize::from(args.threads);
    let single = input.positions() == 1;
    let workers = if single { 1 } else { threads };
    let usual = effort.table_size().min((MOST_MEMORY / workers).max(1));
    Work {
        workers,
        threads: if single { threads } else { 1 },
        hash: args.hash.map_or(usual, |hash| hash as usize),
        effort,
    }
}

/// A game that is being looked at.
struct Open {
    game: RecordedGame,
    report: GameReport,
    /// How many of its positions were looked at in an earlier run.
    kept: usize,
}

impl Open {
    fn is_complete(&self) -> bool {
        self.report.positions.len() > self.game.moves.len()
    }
}

struct Analysis {
    input: Input,
    analyst: Analyst,
    outputs: Outputs,
    /// Games in order, from the first one that is not complete.
    open: VecDeque<Open>,
    broken: usize,
}

impl Analysis {
    fn run(mut self) -> anyhow::Result<ExitCode> {
        loop {
            let all_read = self.read_games()?;
            let open = self.open.front().filter(|open| !open.is_complete());
            if open.is_some() {
                match self.analyst.next_report() {
                    Ok(Some(position)) => {
                        let Some(open) = self.open.front_mut() else { continue };
                        let plies = open.game.moves.len();
                        self.outputs.position(&open.report, plies, open.kept, &position)?;
                        open.report.positions.push(position);
                    }
                    Ok(None) => bail!("an internal fault lost a position; please report it"),
                    Err(Failed::Fault) => {
                        bail!("an internal fault ended a search; please report it")
                    }
                    Err(Failed::Stopped) => {
                        self.outputs.interrupted();
                        return Ok(ExitCode::from(INTERRUPTED));
                    }
                }
            }
            while self.open.front().is_some_and(Open::is_complete) {
                let Some(open) = self.open.pop_front() else { break };
                self.outputs.game(&open.game, &open.report, open.kept)?;
            }
            if all_read && self.open.is_empty() {
                break;
            }
        }
        self.outputs.finish()?;
        Ok(if self.broken > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }

    /// Reads games until there is enough to do. Is that all of them?
    fn read_games(&mut self) -> anyhow::Result<bool> {
        while self.analyst.wants_more() {
            let Some((number, game)) = self.input.next() else { return Ok(true) };
            let source = self.input.source.clone();
            let game = match game {
                Ok(game) => game,
                Err(error) => {
                    self.broken += 1;
                    let name = name_of(&source);
                    self.outputs.complain(&format!("{name}: game {number}, {error}"));
                    continue;
                }
            };
            let positions = self.outputs.kept(number, &game)?;
            let kept = positions.len();
            self.analyst.add(&game, kept);
            let report = GameReport {
                source,
                line: game.line,
                number,
                tags: game.tags.clone(),
                rules: Arc::clone(game.first.rules()),
                positions,
            };
            self.open.push_back(Open { game, report, kept });
        }
        Ok(self.input.games() == 0)
    }
}
