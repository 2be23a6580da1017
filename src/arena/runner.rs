//! A whole match: games are played side by side and told in order.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use anyhow::{Context, bail};

use super::book::Book;
use super::console::Console;
use super::events;
use super::openings::Opening;
use super::process::kill_all;
use super::record::game_record;
use super::referee;
use super::report::Reporter;
use super::result::{GameResult, Played};
use super::roster::Roster;
use super::schedule::Slot;
use super::settings::Settings;
use super::spec::TurnLimits;
use super::sprt::Verdict;
use super::tally::Tally;
use crate::game::any_size::Game;

/// How often interrupts are looked for.
const POLL: Duration = Duration::from_millis(100);
/// A match that is ready to be played.
#[derive(Debug)]
pub struct Match {
    /// Its settings.
    pub settings: Settings,
    /// The start position of its rule set.
    pub start: Game,
    /// Its openings.
    pub book: Book,
    /// Games that were played before.
    pub done: Vec<GameResult>,
    /// Where games are appended.
    pub out: Option<File>,
    /// Games at the same time.
    pub concurrency: usize,
    /// Statistics are printed after so many games.
    pub stats_every: u64,
    /// How often the user has interrupted.
    pub interrupts: Arc<AtomicUsize>,
}

/// How a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HowEnded {
    /// Every game was played.
    Complete,
    /// Its test was decided.
    Decided,
    /// The user wanted it to stop.
    Interrupted,
}

impl HowEnded {
    const fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Decided => "sprt",
            Self::Interrupted => "interrupted",
        }
    }
}

/// What the threads that play share.
struct Hall<'a> {
    settings: &'a Settings,
    start: &'a Game,
    book: &'a Book,
    roster: Roster,
    todo: Vec<Slot>,
    next: AtomicUsize,
    /// No new game is to begin.
    closing: AtomicBool,
    /// Running games are to end at once.
    cancel: Arc<AtomicBool>,
}

enum News {
    Note(String),
    Game(Box<Played>),
}

impl Match {
    /// Plays the match. Returns its statistics and how it ended.
    ///
    /// # Errors
    /// If an engine cannot be started at all, or results cannot be written.
    pub fn run(mut self, console: &mut Console) -> anyhow::Result<(Tally, HowEnded)> {
        let slots = self.settings.schedule().slots(self.settings.shard);
        let done: BTreeMap<usize, GameResult> =
            self.done.drain(..).map(|result| (result.slot.number, result)).collect();
        let todo: Vec<Slot> =
            slots.iter().filter(|slot| !done.contains_key(&slot.number)).copied().collect();
        console
            .event(|| events::start(&self.settings, slots.len(), done.len(), self.concurrency))?;
        self.announce(console, slots.len(), done.len())?;
        let cancel = Arc::new(AtomicBool::new(false));
        let rules = self.start.rules();
        let settings = &self.settings;
        let roster = Roster::new(&settings.engines, rules, settings.patience, &cancel);
        if !todo.is_empty() {
            roster.try_out().map_err(anyhow::Error::msg)?;
        }
        console.lines(roster.take_notes())?;
        console.show_bar(slots.len());
        let hall = &Hall {
            settings,
            start: &self.start,
            book: &self.book,
            roster,
            todo,
            next: AtomicUsize::new(0),
            closing: AtomicBool::new(false),
            cancel,
        };
        let mut desk = Desk {
            hall,
            reporter: reporter(settings),
            slots,
            told: 0,
            finished: done
                .into_iter()
                .map(|(number, game)| (number, Ended::Before(game)))
                .collect(),
            tally: Tally::new(settings.engines.len()),
            out: self.out.as_mut(),
            stats_every: self.stats_every,
            interrupts: &self.interrupts,
            decided: false,
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.concurrency).build()?;
        let (sender, news) = mpsc::channel();
        let collected = pool.in_place_scope(|scope| {
            for _ in 0..self.concurrency {
                let sender = sender.clone();
                scope.spawn(move |_| hall.play(&sender));
            }
            drop(sender);
            let collected = desk.collect(&news, console);
            // After an error nobody hears of the games any more.
            hall.closing.store(true, Ordering::Relaxed);
            hall.cancel.store(true, Ordering::Relaxed);
            collected
        });
        console.hide_bar();
        collected?;
        let how = desk.how_ended();
        let tally = desk.tally;
        console.lines(reporter(settings).summary(&tally))?;
        console.event(|| events::end(settings, &tally, how.name()))?;
        Ok((tally, how))
    }

    fn announce(&self, console: &Console, games: usize, done: usize) -> anyhow::Result<()> {
        let settings = &self.settings;
        console.line(&format!(
            "match on {}: {games} games, {} at a time, openings {}",
            settings.variant, self.concurrency, settings.openings
        ))?;
        for engine in &settings.engines {
            console.line(&format!("engine {}: {engine}", engine.name))?;
        }
        if let Some(shard) = settings.shard {
            console.line(&format!("part {shard} of the match"))?;
            if settings.sprt.is_some() {
                console
                    .line("the test is decided when the parts are merged: all games are played")?;
            }
        }
        if done > 0 {
            console.line(&format!("{done} games were played before"))?;
        }
        if let Some(count) = self.book.count()
            && count < settings.pairs
        {
            console.line(&format!(
                "{count} openings for {} pairs of each pairing: they are used again",
                settings.pairs
            ))?;
        }
        Ok(())
    }
}

/// The words for a match.
pub fn reporter(settings: &Settings) -> Reporter {
    Reporter {
        variant: settings.variant.clone(),
        names: settings.engines.iter().map(|engine| engine.name.clone()).collect(),
        sprt: settings.sprt,
        merged: false,
    }
}

impl Hall<'_> {
    /// Plays one game after another until there are no more.
    fn play(&self, news: &Sender<News>) {
        let terms = self.settings.terms();
        while !self.closing.load(Ordering::Relaxed) {
            let Some(&slot) = self.todo.get(self.next.fetch_add(1, Ordering::Relaxed)) else {
                return;
            };
            let (opening, notes) = self.book.opening(slot.round);
            let mut seats = slot.players.map(|engine| self.roster.take(engine));
            let none = TurnLimits::default();
            let limits = slot
                .players
                .map(|engine| self.settings.engines.get(engine).map_or(&none, |spec| &spec.limits));
            let played = referee::play(slot, &opening, self.start, limits, &terms, &mut seats);
            for (engine, seat) in slot.players.into_iter().zip(seats) {
                if let Ok(player) = seat {
                    self.roster.give_back(engine, player);
                }
            }
            let notes = notes.into_iter().chain(self.roster.take_notes()).map(News::Note);
            let games = played.map(|played| News::Game(Box::new(played)));
            // If nobody listens any more, the match has ended.
            if notes.chain(games).try_for_each(|item| news.send(item)).is_err() {
                return;
            }
        }
    }
}

/// A finished game that has not been told yet.
enum Ended {
    /// Played before this run.
    Before(GameResult),
    Now(Box<Played>),
}

/// Where the games come in, in any order, and go out, in the order of the plan.
struct Desk<'a> {
    hall: &'a Hall<'a>,
    reporter: Reporter,
    slots: Vec<Slot>,
    /// How many of the slots have been told.
    told: usize,
    finished: BTreeMap<usize, Ended>,
    tally: Tally,
    out: Option<&'a mut File>,
    stats_every: u64,
    interrupts: &'a AtomicUsize,
    /// Has the test ended the match?
    decided: bool,
}

impl Desk<'_> {
    fn collect(&mut self, news: &Receiver<News>, console: &mut Console) -> anyhow::Result<()> {
        self.tell(console)?;
        loop {
            if self.interrupts.load(Ordering::Relaxed) > 0
                && !self.hall.closing.swap(true, Ordering::Relaxed)
            {
                console.line(
                    "interrupted: the running games are finished; interrupt again to leave at once",
                )?;
            }
            match news.recv_timeout(POLL) {
                Ok(News::Note(note)) => console.line(&note)?,
                Ok(News::Game(played)) => {
                    self.keep(&played)?;
                    self.finished.insert(played.result.slot.number, Ended::Now(played));
                    self.tell(console)?;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    /// Appends a game to the file.
    fn keep(&mut self, played: &Played) -> anyhow::Result<()> {
        let Some(file) = &mut self.out else { return Ok(()) };
        let opening = Opening { fen: played.fen.clone(), moves: Vec::new() };
        let first = opening.game(self.hall.start);
        let record = game_record(self.hall.settings, played, &first).map_err(anyhow::Error::msg)?;
        file.write_all(record.to_string().as_bytes()).context("the game cannot be recorded")
    }

    /// Tells the games whose turn it is.
    fn tell(&mut self, console: &mut Console) -> anyhow::Result<()> {
        while !self.decided {
            let Some(slot) = self.slots.get(self.told) else { break };
            let Some(game) = self.finished.remove(&slot.number) else { break };
            self.told += 1;
            match game {
                Ended::Before(result) => self.tally.add(&result),
                Ended::Now(played) => {
                    self.tally.add(&played.result);
                    console.lines(self.reporter.game(&played, self.slots.len()))?;
                    let size = self.hall.start.size();
                    console.event(|| events::game(self.hall.settings, &played, size))?;
                    if self.tally.games().is_multiple_of(self.stats_every) {
                        console.line(&self.reporter.running(&self.tally))?;
                        console.event(|| events::stats(self.hall.settings, &self.tally))?;
                    }
                }
            }
            self.ask_test(console)?;
            console.progress(self.told as u64, || self.reporter.short(&self.tally));
        }
        Ok(())
    }

    /// Ends the match if its test is decided. A part of a match does not end by itself: the parts
    /// together are a test of fixed size.
    fn ask_test(&mut self, console: &Console) -> anyhow::Result<()> {
        let Some(sprt) = self.hall.settings.sprt.filter(|_| self.hall.settings.shard.is_none())
        else {
            return Ok(());
        };
        let verdict = sprt.verdict(sprt.llr(&self.tally.first().pairs));
        if verdict != Verdict::Open {
            self.decided = true;
            self.hall.closing.store(true, Ordering::Relaxed);
            self.hall.cancel.store(true, Ordering::Relaxed);
            console.line(&format!("the test is decided: {}", verdict.words()))?;
        }
        Ok(())
    }

    fn how_ended(&self) -> HowEnded {
        if self.decided {
            HowEnded::Decided
        } else if self.told == self.slots.len() {
            HowEnded::Complete
        } else {
            HowEnded::Interrupted
        }
    }
}

/// Counts the user's interrupts; the second one leaves at once.
///
/// # Errors
/// If the system does not allow it.
pub fn count_interrupts() -> anyhow::Result<Arc<AtomicUsize>> {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let set = ctrlc::set_handler(move || {
        if counted.fetch_add(1, Ordering::Relaxed) > 0 {
            kill_all();
            std::process::exit(INTERRUPTED.into());
        }
    });
    match set {
        Ok(()) => Ok(count),
        Err(error) => bail!("interrupts cannot be counted: {error}"),
    }
}

/// The exit code of a match that was interrupted, as of a program that an interrupt ended.
pub const INTERRUPTED: u8 = 130;
