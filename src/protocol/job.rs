//! What a session has done on another thread: searches and counts.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::thread::{Builder, JoinHandle};

use super::session::Event;
use super::{Dialect, wire};
use crate::game::any_size::Game;
use crate::game::perft::Perft;
use crate::game::rules::{Rules, Side};
use crate::search::limits::{Control, Found, Info, Limits, Reporter};
use crate::search::{Searcher, bench};

/// A search recurses once a ply and lives on its own stack.
pub const STACK: usize = 64 << 20;

/// What a job brings back.
#[derive(Default)]
pub struct Done {
    /// The searcher that was lent to it.
    pub searcher: Option<Searcher>,
    /// The answer of a search.
    pub found: Option<Found>,
    /// What went wrong.
    pub error: Option<String>,
}

/// A running job.
pub struct Job {
    /// Where it is told to stop.
    pub control: Arc<Control>,
    thread: JoinHandle<()>,
}

impl Job {
    /// Stops the job and waits for its thread.
    pub fn end(self) {
        self.control.stop();
        // A job that panicked has said so itself.
        let _ = self.thread.join();
    }

    /// Waits for the thread of a job that is done.
    pub fn join(self) {
        let _ = self.thread.join();
    }

    fn start(
        control: Arc<Control>,
        events: Sender<Event>,
        work: impl FnOnce(&Control) -> Done + Send + 'static,
    ) -> std::io::Result<Self> {
        let theirs = Arc::clone(&control);
        let thread = Builder::new().name("job".to_owned()).stack_size(STACK).spawn(move || {
            let done = catch_unwind(AssertUnwindSafe(|| work(&theirs))).unwrap_or_else(|_| Done {
                error: Some("an internal fault ended the work early; please report it".to_owned()),
                ..Done::default()
            });
            // Without a session there is nobody to tell.
            let _ = events.send(Event::Done(done));
        })?;
        Ok(Self { control, thread })
    }

    /// Starts a search.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub fn search(
        mut searcher: Searcher,
        game: Game,
        limits: Limits,
        control: Arc<Control>,
        mut lines: Lines,
    ) -> std::io::Result<Self> {
        let events = lines.events.clone();
        Self::start(control, events, move |control| {
            let found = searcher.search(&game, &limits, control, &mut lines);
            Done { searcher: Some(searcher), found: Some(found), error: None }
        })
    }

    /// Starts a count of leaves on one thread.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub fn perft(
        game: Game,
        depth: u32,
        divide: bool,
        events: Sender<Event>,
    ) -> std::io::Result<Self> {
        let say = events.clone();
        Self::start(Arc::new(Control::new(false)), events, move |control| {
            let counted = Perft::count(&game, depth, true, 1, &|| control.is_stopped());
            let lines = match &counted {
                Ok(_) if control.is_stopped() => {
                    vec!["info string the count was stopped".to_owned()]
                }
                Ok(perft) => wire::perft(perft, game.size(), divide),
                Err(_) => Vec::new(),
            };
            for line in lines {
                let _ = say.send(Event::Said(line));
            }
            Done { error: counted.err().map(|error| error.to_string()), ..Done::default() }
        })
    }

    /// Starts the benchmark.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub fn bench(depth: Option<u32>, events: Sender<Event>) -> std::io::Result<Self> {
        let say = events.clone();
        Self::start(Arc::new(Control::new(false)), events, move |control| {
            let settings = bench::Settings { depth, ..bench::Settings::default() };
            let result = bench::run(&settings, control, &mut |line| {
                let _ = say.send(Event::Said(line));
            });
            Done { error: result.err().map(|error| error.to_string()), ..Done::default() }
        })
    }
}

/// Turns reports into lines for the session.
pub struct Lines {
    events: Sender<Event>,
    size: usize,
    dialect: Dialect,
    /// Rules and side to move, if chances are told with the scores.
    judges: Option<(Arc<Rules>, Side)>,
}

impl Lines {
    /// For a search of `game`; `show_chances`: chances are told with the scores.
    pub fn new(game: &Game, dialect: Dialect, show_chances: bool, events: Sender<Event>) -> Self {
        let judges = show_chances.then(|| (Arc::clone(game.rules()), game.side()));
        Self { events, size: game.size(), dialect, judges }
    }
}

impl Reporter for Lines {
    fn info(&mut self, info: &Info) {
        let judges = self.judges.as_ref().map(|(rules, side)| (&**rules, *side));
        let line = wire::info(info, self.size, self.dialect, judges);
        let _ = self.events.send(Event::Said(line));
    }
}
