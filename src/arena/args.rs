//! What the arena's commands are told on the command line.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::player::Patience;
use super::sprt::{Model, parse_model};
use super::trial::Odds;
use crate::game::rules::Rules;
use crate::game::variants::{DEFAULT_VARIANT, variant};
use crate::notation::rules_string;

/// The rule set that a command is told.
#[derive(Args, Clone, Debug)]
pub struct RuleSetArgs {
    /// Id or alias of the rule set
    #[arg(long, default_value = DEFAULT_VARIANT)]
    pub(crate) variant: String,
    /// The rule set written out, an OpenTafl rules string ('dim:9 …'), or @FILE with one in it
    #[arg(long, value_name = "STRING", conflicts_with = "variant")]
    pub(crate) rules: Option<String>,
}

impl RuleSetArgs {
    /// The rule set.
    ///
    /// # Errors
    /// If there is none of this name, or says what is wrong with the rules string.
    pub fn rules(&self) -> anyhow::Result<Arc<Rules>> {
        rules_string::chosen(&self.variant, self.rules.as_deref()).map_err(anyhow::Error::msg)
    }
}

/// The rules string of a rule set that its id does not tell: one that is not in the catalogue.
///
/// # Errors
/// Says what cannot be written.
pub fn beyond_its_id(rules: &Rules) -> anyhow::Result<Option<String>> {
    if variant(&rules.id).is_some_and(|named| *named == *rules) {
        return Ok(None);
    }
    rules_string::write(rules).map(Some).map_err(anyhow::Error::msg)
}

/// What `konakis match` is told.
#[derive(Args, Clone, Debug)]
pub struct MatchArgs {
    /// An engine; at least two
    ///
    /// 'cmd=PROGRAM,name=NAME,proto=uci|ugi|otep|htp,args=ARGUMENTS,dir=FOLDER,option.NAME=VALUE,
    /// tc=[MOVES/]SECONDS+INCREMENT,movetime=MS,nodes=N,depth=PLIES': all but the program may be
    /// left out. Items are divided at commas outside double quotes; a first item without a key is
    /// the program. builtin:konakis is this program itself; builtin:random, builtin:greedy and
    /// builtin:material-D are yardsticks that never change and have no limits.
    #[arg(long = "engine", value_name = "SPEC", required_unless_present = "resume")]
    pub(super) engines: Vec<String>,
    /// Settings common to all engines, which an engine's own override
    #[arg(long, value_name = "SPEC", default_value = "")]
    pub(super) each: String,
    #[command(flatten)]
    pub(super) rule_set: RuleSetArgs,
    /// Games of each pairing, an even number
    #[arg(long, conflicts_with = "pairs")]
    pub(super) games: Option<usize>,
    /// Pairs of games of each pairing: one opening, sides swapped [default with --sprt: 50000]
    #[arg(long)]
    pub(super) pairs: Option<usize>,
    /// The first engine plays each of the others, instead of all playing all
    #[arg(long)]
    pub(super) gauntlet: bool,
    /// A file (a FEN or moves a line), startpos, random:PLIES[:SEED], or tablut, tablut-corner,
    /// tablut-ashton, brandubh, copenhagen, which are built in [default: the one of the rule set]
    #[arg(long, value_name = "SOURCE")]
    pub(super) openings: Option<String>,
    /// How much an engine may overrun its time, in ms; every overrun is printed
    #[arg(long, value_name = "MS", default_value_t = 10)]
    pub(super) margin: u64,
    /// A game of so many plies is a draw, counted apart
    #[arg(long, value_name = "PLIES", default_value_t = 1_000)]
    pub(super) max_plies: usize,
    /// Give a game up: 'score=600,moves=4' when for so many moves each side agrees that one is so
    /// many centipawns behind; with both=no the loser's word will do
    #[arg(long, value_name = "RULE")]
    pub(super) resign: Option<String>,
    /// Give a game as drawn: 'score=10,moves=8' when for so many moves of each side nobody is
    /// further ahead than so many centipawns
    #[arg(long, value_name = "RULE")]
    pub(super) draw: Option<String>,
    /// Stop when the test is decided: 'elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized'
    /// (or model=logistic); between two engines
    #[arg(long, value_name = "TEST")]
    pub(super) sprt: Option<String>,
    /// Games at the same time [default: processors divided by the engines' threads]
    #[arg(long, value_name = "N")]
    pub(super) concurrency: Option<usize>,
    /// Append every game to a new file, as an OpenTafl record
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Write an event a line as JSON to a file or, without one, to standard output (then all else
    /// goes to standard error)
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    pub(super) json: Option<String>,
    /// Continue the match of a file that --out has written; its settings are read from it
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "engines", "each", "variant", "rules", "games", "pairs", "gauntlet", "openings", "margin",
        "max_plies", "resign", "draw", "sprt", "out", "shard", "strict", "start_limit",
        "new_game_limit", "ping_limit", "move_limit", "late_limit",
    ])]
    pub(super) resume: Option<PathBuf>,
    /// Play the I-th of N parts of the match; pairs stay together
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<String>,
    /// Exit with code 1 if any game was lost by a fault: crash, stall, wrong move, time
    #[arg(long)]
    pub(super) strict: bool,
    /// Print statistics after so many games
    #[arg(long, value_name = "GAMES", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) stats_every: u64,
    /// Time for an engine's start and handshake
    #[arg(long, value_name = "MS", default_value_t = ms(Patience::default().start))]
    pub(super) start_limit: u64,
    /// Time for readyok after a new game
    #[arg(long, value_name = "MS", default_value_t = ms(Patience::default().new_game))]
    pub(super) new_game_limit: u64,
    /// Time for any other readyok
    #[arg(long, value_name = "MS", default_value_t = ms(Patience::default().ping))]
    pub(super) ping_limit: u64,
    /// Time for a move of an engine that has neither a clock nor a movetime
    #[arg(long, value_name = "MS", default_value_t = ms(Patience::default().untimed))]
    pub(super) move_limit: u64,
    /// How long an answer is awaited after the time is up, to tell late from never
    #[arg(long, value_name = "MS", default_value_t = ms(Patience::default().late))]
    pub(super) late_limit: u64,
}

/// What `konakis merge` is told.
#[derive(Args, Clone, Debug)]
pub struct MergeArgs {
    /// Files that konakis match --out has written
    #[arg(required = true)]
    pub(super) files: Vec<PathBuf>,
}

/// What `konakis sprt` is told.
#[derive(Args, Clone, Debug)]
pub struct SprtArgs {
    /// Numbers of pairs: LL,LD,WL,DD,WD,WW (lost, drawn and won games of the first engine)
    #[arg(long, value_delimiter = ',', num_args = 1, required = true, value_name = "COUNTS")]
    pub(super) pairs: Vec<u64>,
    /// Elo of the hypothesis to reject
    #[arg(long, allow_hyphen_values = true, default_value_t = 0.0)]
    pub(super) elo0: f64,
    /// Elo of the hypothesis to accept
    #[arg(long, allow_hyphen_values = true, default_value_t = 5.0)]
    pub(super) elo1: f64,
    /// Chance to accept elo1 wrongly
    #[arg(long, default_value_t = 0.05)]
    pub(super) alpha: f64,
    /// Chance to accept elo0 wrongly
    #[arg(long, default_value_t = 0.05)]
    pub(super) beta: f64,
    /// How strength is measured: normalized or logistic
    #[arg(long, default_value = "normalized", value_parser = parse_model)]
    pub(super) model: Model,
}

/// What `konakis check` is told.
#[derive(Args, Clone, Debug)]
pub struct CheckArgs {
    /// The engine: a program, perhaps with arguments, or a spec as in konakis match --engine
    #[arg(value_name = "CMD")]
    pub(super) engine: String,
    /// Its protocol: uci or ugi [default: uci]
    #[arg(long, value_name = "PROTOCOL")]
    pub(super) proto: Option<String>,
    #[command(flatten)]
    pub(super) rule_set: RuleSetArgs,
    /// Print the questions with a right answer as well
    #[arg(long)]
    pub(super) all: bool,
}

/// What `konakis openings` is told.
#[derive(Args, Clone, Debug)]
pub struct OpeningsArgs {
    #[command(flatten)]
    pub(super) rule_set: RuleSetArgs,
    /// Random plies of each opening
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=200))]
    pub(super) plies: u32,
    /// How many different ones
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub(super) count: usize,
    /// The seed
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// Keep only openings from which the side with more nodes a move wins, whichever it is: games of
    /// the engine against itself, such as 16000:2000
    ///
    /// Where one side wins whoever plays, a pair of games says nothing about the engines.
    #[arg(long, value_name = "MORE:FEWER", value_parser = Odds::parse)]
    pub(super) trial: Option<Odds>,
}

const fn ms(time: Duration) -> u64 {
    time.as_millis() as u64
}
