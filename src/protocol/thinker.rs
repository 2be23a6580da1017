//! The search behind the dialects in which one question follows another.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

use super::job::STACK;
use crate::game::any_size::Game;
use crate::game::moves::Move;
use crate::search::Searcher;
use crate::search::limits::{Control, Info, Limits, Reporter};

/// What a player of a dialect may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Means {
    /// Size of the transposition table, MiB.
    pub hash: usize,
    /// On how many threads to search.
    pub threads: usize,
}

/// A searcher that keeps its memory from one move to the next, on a thread of its own.
pub struct Thinker {
    searcher: Arc<Mutex<Searcher>>,
    work: Option<(Arc<Control>, JoinHandle<()>)>,
}

/// What thinking has found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Thought {
    /// The move to play; `None` if there is none.
    pub best: Option<Move>,
    /// The best lines, best first, with their scores for the side to move.
    pub lines: Vec<Info>,
}

impl Thinker {
    /// Makes the table at once, so that it costs no time on anybody's clock.
    pub fn new(means: Means) -> Self {
        let mut searcher = Searcher::new(means.hash);
        searcher.set_threads(means.threads);
        Self { searcher: Arc::new(Mutex::new(searcher)), work: None }
    }

    /// Begins to think about a position and says so to `done` at the end, unless it was called off.
    /// What it thought about before is called off.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn start(
        &mut self,
        game: &Game,
        limits: Limits,
        done: impl FnOnce(Thought) + Send + 'static,
    ) -> io::Result<()> {
        self.call_off();
        let control = Arc::new(Control::new(false));
        let (theirs, searcher) = (Arc::clone(&control), Arc::clone(&self.searcher));
        let game = game.clone();
        let thread =
            Builder::new().name("search".to_owned()).stack_size(STACK).spawn(move || {
                let thought = think(&searcher, &game, &limits, &theirs);
                if !theirs.is_stopped() {
                    done(thought);
                }
            })?;
        self.work = Some((control, thread));
        Ok(())
    }

    /// Thinks about a position and waits for the end of it.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn think(&mut self, game: &Game, limits: Limits) -> io::Result<Thought> {
        let (sender, thought) = channel();
        self.start(game, limits, move |thought| {
            let _ = sender.send(thought);
        })?;
        Ok(thought.recv().unwrap_or_default())
    }

    /// Ends what is being thought about; nobody hears of it.
    pub fn call_off(&mut self) {
        if let Some((control, thread)) = self.work.take() {
            control.stop();
            let _ = thread.join();
        }
    }

    /// Forgets the game before.
    pub fn new_game(&mut self) {
        self.call_off();
        self.searcher.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.call_off();
    }
}

fn think(searcher: &Mutex<Searcher>, game: &Game, limits: &Limits, control: &Control) -> Thought {
    let mut lines = Lines::default();
    let mut searcher = searcher.lock().unwrap_or_else(PoisonError::into_inner);
    let search = || searcher.search(game, limits, control, &mut lines).best;
    // A player whose search fails still has a move.
    let best = catch_unwind(AssertUnwindSafe(search)).unwrap_or_else(|_| {
        let allowed =
            |mv: &Move| limits.search_moves.as_ref().is_none_or(|moves| moves.contains(mv));
        game.legal_moves().into_iter().find(allowed)
    });
    Thought { best, lines: lines.0 }
}

/// The last report of each line.
#[derive(Default)]
struct Lines(Vec<Info>);

impl Reporter for Lines {
    fn info(&mut self, info: &Info) {
        let at = info.multi_pv.saturating_sub(1);
        match self.0.get_mut(at) {
            Some(line) => line.clone_from(info),
            None => self.0.push(info.clone()),
        }
    }
}
