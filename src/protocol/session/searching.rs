//! Searches of a session, from `go` to `bestmove`.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::super::command::Command;
use super::super::error::ProtocolError;
use super::super::go::GoRequest;
use super::super::job::{Done, Job, Lines};
use super::super::{Dialect, wire};
use super::{Session, Waiting};
use crate::search::limits::{Bound, Control, Found, Info};
use crate::search::score::Score;

/// A search that has been started and not yet answered.
pub(super) struct Search {
    /// Does the answer wait for `stop`?
    infinite: bool,
    /// Does it wait for `ponderhit` or `stop`?
    pondering: bool,
    /// Has the peer said `stop`?
    pub(super) stopped: bool,
    /// The answer, while it waits.
    found: Option<Found>,
    /// The size of the board and the dialect of the answer.
    size: usize,
    dialect: Dialect,
    /// A legal move, should the search fail to bring one.
    fallback: Found,
}

impl Search {
    pub(super) fn answer_waits(&self) -> bool {
        (self.infinite || self.pondering) && !self.stopped
    }
}

impl<W: Write> Session<W> {
    /// Stops and joins whatever runs.
    pub(super) fn end_work(&mut self) {
        if let Some(job) = self.job.take() {
            job.end();
        }
    }

    pub(super) fn go(
        &mut self,
        request: GoRequest,
        start: Instant,
    ) -> io::Result<Result<(), ProtocolError>> {
        for error in &request.errors {
            self.error(error)?;
        }
        let mut limits = request.limits(&self.game, start, self.dialect);
        limits.multi_pv = self.options.multi_pv;
        limits.strength = self.options.strength();
        limits.overhead = Duration::from_millis(self.options.move_overhead);
        let control = Arc::new(Control::new(request.ponder));
        let best = match &limits.search_moves {
            Some(moves) => moves.first().copied(),
            None => self.game.legal_moves().first().copied(),
        };
        let search = Search {
            infinite: request.is_endless(),
            pondering: request.ponder,
            stopped: false,
            found: None,
            size: self.game.size(),
            dialect: self.dialect,
            fallback: Found { best, ponder: None, score: Score::ZERO, depth: 0, nodes: 0 },
        };
        // Nobody is left to say stop.
        let stopped = self.input_ended && search.answer_waits();
        if stopped {
            control.stop();
        }
        self.search = Some(Search { stopped, ..search });
        let searcher = self.searcher.take().unwrap_or_else(|| self.options.searcher());
        let events = self.events.clone();
        let lines = Lines::new(&self.game, self.dialect, self.options.show_wdl, events);
        let job = Job::search(searcher, self.game.clone(), limits, control, lines);
        let started = self.started(job);
        if started.is_err() {
            self.done(Done::default())?;
        }
        Ok(started)
    }

    pub(super) fn started(&mut self, job: io::Result<Job>) -> Result<(), ProtocolError> {
        let what = |error| format!("no thread can be started ({error})");
        self.job = Some(job.map_err(|error| ProtocolError::Resources(what(error)))?);
        Ok(())
    }

    /// Takes back what a job was lent, and answers unless the answer has to wait.
    pub(super) fn done(&mut self, done: Done) -> io::Result<()> {
        if let Some(job) = self.job.take() {
            job.join();
        }
        if let Some(error) = done.error {
            self.error(&ProtocolError::Resources(error))?;
        }
        if self.searcher.is_none() {
            let searcher = done.searcher.unwrap_or_else(|| self.options.searcher());
            self.searcher = Some(searcher);
        }
        let Some(search) = &mut self.search else { return Ok(()) };
        if done.found.is_none() {
            let info = Info {
                depth: 0,
                sel_depth: 0,
                multi_pv: 1,
                score: search.fallback.score,
                bound: Bound::Exact,
                nodes: 0,
                time: Duration::ZERO,
                hash_full: 0,
                pv: search.fallback.best.into_iter().collect(),
            };
            self.output.say(&wire::info(&info, search.size, search.dialect, None))?;
        }
        search.found = Some(done.found.unwrap_or_else(|| search.fallback.clone()));
        self.answer_if_due()
    }

    fn answer_if_due(&mut self) -> io::Result<()> {
        let due = self.search.take_if(|search| search.found.is_some() && !search.answer_waits());
        match due.as_ref().and_then(|search| Some((search, search.found.as_ref()?))) {
            Some((search, found)) => {
                self.output.say(&wire::best_move(found, search.size, search.dialect))
            }
            None => Ok(()),
        }
    }

    /// Stops what runs and every search that was asked for before.
    pub(super) fn stop(&mut self) -> io::Result<()> {
        for waiting in &mut self.waiting {
            waiting.said.stop = true;
        }
        self.stop_running()
    }

    pub(super) fn stop_running(&mut self) -> io::Result<()> {
        if let Some(job) = &self.job {
            job.control.stop();
        }
        if let Some(search) = &mut self.search {
            search.stopped = true;
        }
        self.answer_if_due()
    }

    /// Is for the running search or, if that is none that waits for it, for the next that will be.
    pub(super) fn ponder_hit(&mut self) -> io::Result<()> {
        let running = self.search.as_mut().filter(|search| search.pondering && !search.stopped);
        let Some(search) = running else {
            let ponders = |waiting: &&mut Waiting| {
                let Ok(Command::Go(request)) = &waiting.command else { return false };
                request.ponder && !waiting.said.ponder_hit
            };
            if let Some(waiting) = self.waiting.iter_mut().find(ponders) {
                waiting.said.ponder_hit = true;
            }
            return Ok(());
        };
        search.pondering = false;
        if let Some(job) = &self.job {
            job.control.ponder_hit();
        }
        self.answer_if_due()
    }
}
