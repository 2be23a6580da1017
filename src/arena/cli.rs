//! The arena's commands: `match`, `merge`, `sprt`, `openings` and `check`.

use std::fs::{File, TryLockError};
use std::io::{Seek, SeekFrom};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, anyhow, bail, ensure};

use super::adjudication::{DrawRule, ResignRule};
use super::args::{CheckArgs, MatchArgs, MergeArgs, OpeningsArgs, SprtArgs, beyond_its_id};
use super::book::Book;
use super::check::{Exam, Marks};
use super::console::{Console, is_broken_pipe};
use super::merge::merge;
use super::openings::{Source, shipped};
use super::player::Patience;
use super::random_openings::{Drawer, EVEN, NODES};
use super::record::{read_file, settings_record};
use super::result::GameResult;
use super::runner::{HowEnded, INTERRUPTED, Match, count_interrupts};
use super::schedule::Shard;
use super::settings::Settings;
use super::spec::{EngineSpec, Protocol, make_names_unique};
use super::sprt::Sprt;
use super::statistics::{PairCounts, Strength};
use super::trial::Odds;
use crate::game::any_size::Game;
use crate::game::variants::CUSTOM;

/// Pairs of a match that its test is to end.
const PAIRS_OF_A_TEST: usize = 50_000;

/// The most pairs of a pairing: their plan fits into memory, and nobody has that much time.
const MOST_PAIRS: usize = 1_000_000;

/// The most pairs of one kind that the statistics take.
const MOST_COUNTED: u64 = 1_000_000_000_000;

/// Plays or continues a match.
///
/// # Errors
/// If the settings are wrong, an engine cannot be started or a file cannot be read or written.
pub fn run_match(args: &MatchArgs) -> anyhow::Result<ExitCode> {
    if let (Some(json), Some(out)) = (&args.json, &args.out) {
        ensure!(Path::new(json) != out, "--json and --out name the same file, {json}");
    }
    let mut console = Console::new(args.json.as_deref())?;
    let prepared = match &args.resume {
        Some(path) => resumed(path)?,
        None => begun(args)?,
    };
    let Prepared { settings, start, book, done, out } = prepared;
    let (strict, file) = (settings.strict, args.out.as_ref().or(args.resume.as_ref()));
    let concurrency = args.concurrency.or(settings.concurrency);
    let concurrency = concurrency.unwrap_or_else(|| default_concurrency(&settings));
    ensure!(concurrency > 0, "--concurrency 0; expected 1 or more");
    let game = Match {
        settings,
        start,
        book,
        done,
        out,
        concurrency,
        stats_every: args.stats_every,
        interrupts: count_interrupts()?,
    };
    let (tally, how) = match game.run(&mut console) {
        Ok(ended) => ended,
        // Nobody reads any more: a quiet end, but not that of the match.
        Err(error) if is_broken_pipe(&error) => return Ok(ExitCode::from(INTERRUPTED)),
        Err(error) => return Err(error),
    };
    if how == HowEnded::Interrupted {
        console.line(&match file {
            Some(file) => {
                format!("interrupted; go on with: konakis match --resume {}", quoted(file))
            }
            None => "interrupted; without --out FILE it cannot be continued".to_owned(),
        })?;
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(if strict && tally.faults() > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// A path as a shell reads it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:@".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

struct Prepared {
    settings: Settings,
    start: Game,
    book: Book,
    done: Vec<GameResult>,
    out: Option<File>,
}

/// A new match.
fn begun(args: &MatchArgs) -> anyhow::Result<Prepared> {
    let mut settings = settings(args)?;
    let start = settings.start().map_err(|error| anyhow!(error))?;
    let book = Book::open(&settings.openings, &start).map_err(|error| anyhow!(error))?;
    settings.openings_digest = book.digest(start.size());
    let out = args.out.as_ref().map(|path| new_file(path, &settings, &start)).transpose()?;
    Ok(Prepared { settings, start, book, done: Vec::new(), out })
}

/// The file of a new match with its settings. It appears as a whole, so that it can be resumed from
/// the first moment on.
fn new_file(path: &Path, settings: &Settings, start: &Game) -> anyhow::Result<File> {
    ensure!(
        !path.exists(),
        "{0} is there already; if it is a match, go on with --resume {0}",
        path.display()
    );
    let record = settings_record(settings, start).map_err(|error| anyhow!(error))?;
    let mut draft = path.as_os_str().to_owned();
    draft.push(".new");
    let write = std::fs::write(&draft, record.to_string());
    let write = write.and_then(|()| std::fs::rename(&draft, path));
    write.with_context(|| format!("{} cannot be written", path.display()))?;
    claimed(File::options().append(true).open(path)?, path)
}

/// The file, if no other match is writing it.
fn claimed(file: File, path: &Path) -> anyhow::Result<File> {
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            bail!("another match is writing {}; wait for its end or stop it", path.display())
        }
        // Some file systems know no locks; a match can be written there all the same.
        Err(TryLockError::Error(error)) => {
            log::warn!("{} cannot be locked: {error}", path.display());
            Ok(file)
        }
    }
}

/// A match that was interrupted, however that happened.
fn resumed(path: &Path) -> anyhow::Result<Prepared> {
    let open = File::options().write(true).open(path);
    let mut out = claimed(open.with_context(|| format!("{}", path.display()))?, path)?;
    let file = read_file(path).map_err(|error| anyhow!(error))?;
    let settings = file.settings;
    let start = settings.start().map_err(|error| anyhow!(error))?;
    let book = Book::open(&settings.openings, &start).map_err(|error| anyhow!(error))?;
    ensure!(
        book.digest(start.size()) == settings.openings_digest,
        "the openings {} are not those with which {} began",
        settings.openings,
        path.display()
    );
    out.set_len(file.whole as u64)?;
    out.seek(SeekFrom::End(0))?;
    Ok(Prepared { settings, start, book, done: file.results, out: Some(out) })
}

fn settings(args: &MatchArgs) -> anyhow::Result<Settings> {
    let rules = args.rule_set.rules()?;
    let written = beyond_its_id(&rules)?;
    let named = written.is_none();
    let parse = |text: &String| EngineSpec::parse(text, &args.each).map_err(|error| anyhow!(error));
    let mut engines = args.engines.iter().map(parse).collect::<anyhow::Result<Vec<_>>>()?;
    ensure!(engines.len() >= 2, "{} engine; a match needs at least two", engines.len());
    make_names_unique(&mut engines).map_err(|error| anyhow!(error))?;
    ensure!(args.max_plies > 0, "--max-plies 0; expected 1 or more");
    let in_option = |option: &'static str| move |error: String| anyhow!("--{option}: {error}");
    let sprt = args.sprt.as_deref().map(Sprt::parse).transpose().map_err(in_option("sprt"))?;
    ensure!(sprt.is_none() || engines.len() == 2, "--sprt compares two engines, not more");
    let shard = args.shard.as_deref().map(Shard::parse).transpose().map_err(in_option("shard"))?;
    let milliseconds = Duration::from_millis;
    Ok(Settings {
        pairs: pairs(args)?,
        openings: openings(args, if named { &rules.id } else { CUSTOM }, shard.is_some())?,
        variant: rules.id.clone(),
        rules: written,
        engines,
        gauntlet: args.gauntlet,
        openings_digest: 0,
        margin: args.margin,
        max_plies: args.max_plies,
        resign: args
            .resign
            .as_deref()
            .map(ResignRule::parse)
            .transpose()
            .map_err(in_option("resign"))?,
        draw: args.draw.as_deref().map(DrawRule::parse).transpose().map_err(in_option("draw"))?,
        sprt,
        shard,
        patience: Patience {
            start: milliseconds(args.start_limit),
            new_game: milliseconds(args.new_game_limit),
            ping: milliseconds(args.ping_limit),
            untimed: milliseconds(args.move_limit),
            late: milliseconds(args.late_limit),
        },
        concurrency: args.concurrency,
        strict: args.strict,
    })
}

fn pairs(args: &MatchArgs) -> anyhow::Result<usize> {
    let pairs = match (args.games, args.pairs, &args.sprt) {
        (Some(games), _, _) => {
            ensure!(
                games.is_multiple_of(2),
                "--games {games}; games come in pairs: an even number"
            );
            games / 2
        }
        (None, Some(pairs), _) => pairs,
        (None, None, Some(_)) => PAIRS_OF_A_TEST,
        (None, None, None) => bail!("how many games? --games N or --pairs N"),
    };
    ensure!(pairs > 0, "no games at all; expected one pair or more");
    ensure!(pairs <= MOST_PAIRS, "{pairs} pairs; expected {MOST_PAIRS} at the most");
    Ok(pairs)
}

fn openings(args: &MatchArgs, variant: &str, sharded: bool) -> anyhow::Result<Source> {
    let default = if shipped(variant).is_some() { variant } else { "startpos" };
    let text = args.openings.as_deref().unwrap_or(default);
    let mut seeded = true;
    let now = || {
        seeded = false;
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        // Short enough to be typed again.
        u64::from(since.subsec_nanos()) ^ since.as_secs() & 0xffff_ffff
    };
    let source = Source::parse(text, now).map_err(|error| anyhow!("--openings: {error}"))?;
    ensure!(
        seeded || !sharded,
        "--openings {text} draws other openings in each part; expected {text}:SEED with --shard"
    );
    Ok(source)
}

fn default_concurrency(settings: &Settings) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = settings.engines.iter().map(EngineSpec::threads).max().unwrap_or(1);
    (processors / threads).max(1)
}

/// Adds up the files of a match that was played in parts.
///
/// # Errors
/// If a file cannot be read or they do not belong together.
pub fn run_merge(args: &MergeArgs) -> anyhow::Result<ExitCode> {
    let lines = merge(&args.files).map_err(|error| anyhow!(error))?;
    Console::new(None)?.lines(lines)?;
    Ok(ExitCode::SUCCESS)
}

/// Asks an engine what any engine must survive, and prints what fails.
///
/// # Errors
/// If it cannot be started or does not come through the handshake.
pub fn run_check(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let mut spec = EngineSpec::parse(&args.engine, "depth=1").map_err(|error| anyhow!(error))?;
    if let Some(protocol) = &args.proto {
        spec.protocol = Protocol::parse(protocol).map_err(|error| anyhow!("--{error}"))?;
    }
    ensure!(
        matches!(spec.protocol, Protocol::Uci | Protocol::Ugi),
        "--proto {}: the questions are about uci and ugi",
        spec.protocol.name()
    );
    let start = Game::start(args.rule_set.rules()?)?;
    let console = Console::new(None)?;
    let mut hear = |line: String| {
        let wanted = args.all || line.starts_with("FAIL");
        let printed = if wanted { console.line(&line) } else { Ok(()) };
        printed.map_err(|error| error.to_string())
    };
    let marks = Exam::new(&spec, &start).hold(&mut hear).map_err(|error| anyhow!(error))?;
    let Marks { right, wrong, skipped } = marks;
    console.line(&format!(
        "{} on {}: {right} of {} questions answered as they should be, {skipped} not asked",
        spec.name,
        start.rules().id,
        right + wrong
    ))?;
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints random openings as a file that `--openings` reads: those of `--openings random:…`.
///
/// # Errors
/// If there is no such rule set.
pub fn run_openings(args: &OpeningsArgs) -> anyhow::Result<ExitCode> {
    let OpeningsArgs { plies, count, seed, trial, .. } = *args;
    let start = Game::start(args.rule_set.rules()?)?;
    let console = Console::new(None)?;
    let head = format!("# Openings of {plies} random plies on {}, seed {seed}", start.rules().id);
    console.lines(match trial {
        None => [
            format!("{head}: each was kept when a"),
            format!(
                "# search of {NODES} nodes promised each side between {} and {} % of the points.",
                50 - EVEN / 10,
                50 + EVEN / 10
            ),
        ],
        Some(Odds { more, fewer }) => [
            format!("{head}: each was kept when the engine,"),
            format!("# {more} nodes a move against {fewer}, won from either side of it."),
        ],
    })?;
    let mut drawer = Drawer::new(&start, plies, seed, trial);
    for number in 0..count {
        let opening = drawer.opening(number);
        for note in drawer.take_notes() {
            console.line(&format!("# {note}"))?;
        }
        if drawer.is_exhausted() {
            break;
        }
        console.line(&opening.line(start.size()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Computes the statistics of pairs alone.
///
/// # Errors
/// If the numbers make no sense.
pub fn run_sprt(args: &SprtArgs) -> anyhow::Result<ExitCode> {
    let counts: [u64; 6] = args.pairs.as_slice().try_into().map_err(|_| {
        anyhow!("--pairs has {} numbers; expected six: LL,LD,WL,DD,WD,WW", args.pairs.len())
    })?;
    if let Some(count) = counts.iter().find(|count| **count > MOST_COUNTED) {
        bail!("--pairs: {count} pairs; expected {MOST_COUNTED} of a kind at the most");
    }
    let pairs = PairCounts::from_array(counts);
    let sprt = Sprt::new(args.elo0, args.elo1, args.alpha, args.beta, args.model)
        .map_err(|error| anyhow!(error))?;
    let strength = Strength::of(&pairs);
    Console::new(None)?.lines([
        sprt.line(&pairs),
        format!("Elo {}", strength.elo),
        format!("nElo {}", strength.nelo),
        format!("LOS {:.2} %", strength.los * 100.0),
    ])?;
    Ok(ExitCode::SUCCESS)
}
