//! The state of a conversation: what is set up, what is being worked on, and what waits.

use std::collections::VecDeque;
use std::io::{self, BufReader, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::command::Command;
use super::error::ProtocolError;
use super::go::GoRequest;
use super::input::read_lines;
use super::job::{Done, Job};
use super::options::{Change, Options};
use super::output::Output;
use super::{Dialect, NAME, query, wire};
use crate::game::any_size::Game;
use crate::game::explain::why;
use crate::game::variants::variant;
use crate::notation::board_text;
use crate::search::Searcher;
use crate::search::limits::{Bound, Control, Found, Info};
use crate::search::score::Score;

/// What reaches the session.
pub enum Event {
    /// The peer's line and when it came.
    Line(String, Instant),
    /// A line so long that it was not read.
    TooLong,
    /// The peer will say no more.
    EndOfInput,
    /// A line of the running job.
    Said(String),
    /// The running job has ended.
    Done(Done),
}

/// Talks over standard input and output until `quit` or the end of the input.
///
/// # Errors
/// If standard output fails otherwise than by being closed.
pub fn serve() -> anyhow::Result<()> {
    let (events, inbox) = channel();
    let reader = events.clone();
    // Never joined: nothing wakes a thread that waits for input after `quit`.
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || read_lines(BufReader::new(io::stdin()), &reader))?;
    talk(events, &inbox)
}

/// Carries out the given lines as if they had been the whole input.
///
/// # Errors
/// As [`serve`].
pub fn serve_lines(lines: &[String]) -> anyhow::Result<()> {
    let (events, inbox) = channel();
    for line in lines.iter().flat_map(|line| line.split('\n')) {
        events.send(Event::Line(line.to_owned(), Instant::now()))?;
    }
    events.send(Event::EndOfInput)?;
    talk(events, &inbox)
}

fn talk(events: Sender<Event>, inbox: &Receiver<Event>) -> anyhow::Result<()> {
    let mut session = Session::new(io::stdout(), events)?;
    let result = session.run(inbox);
    session.end_work();
    match result {
        // Nobody reads any more: as good an end as any.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// A search that has been started and not yet answered.
struct Search {
    /// Does the answer wait for `stop`?
    infinite: bool,
    /// Does it wait for `ponderhit` or `stop`?
    pondering: bool,
    /// Has the peer said `stop`?
    stopped: bool,
    /// The answer, while it waits.
    found: Option<Found>,
    /// The size of the board and the dialect of the answer.
    size: usize,
    dialect: Dialect,
    /// A legal move, should the search fail to bring one.
    fallback: Found,
}

impl Search {
    fn answer_waits(&self) -> bool {
        (self.infinite || self.pondering) && !self.stopped
    }
}

/// A command that waits for the end of the work.
struct Waiting {
    command: Result<Command, ProtocolError>,
    /// When its time begins to count: when it came, if only the end of a stopped search was in its
    /// way, else when its turn comes.
    start: Option<Instant>,
}

struct Session<W> {
    output: Output<W>,
    events: Sender<Event>,
    game: Game,
    options: Options,
    dialect: Dialect,
    debug: bool,
    /// Lent to the running search.
    searcher: Option<Searcher>,
    job: Option<Job>,
    search: Option<Search>,
    waiting: VecDeque<Waiting>,
    input_ended: bool,
    quit: bool,
    last_error: Option<String>,
}

impl<W: Write> Session<W> {
    fn new(peer: W, events: Sender<Event>) -> anyhow::Result<Self> {
        let options = Options::default();
        let rules = variant(&options.variant)
            .ok_or_else(|| anyhow::anyhow!("there is no rule set {}", options.variant))?;
        Ok(Self {
            output: Output::new(peer),
            events,
            game: Game::start(rules)?,
            searcher: Some(Searcher::new(options.hash)),
            options,
            dialect: Dialect::default(),
            debug: false,
            job: None,
            search: None,
            waiting: VecDeque::new(),
            input_ended: false,
            quit: false,
            last_error: None,
        })
    }

    fn run(&mut self, inbox: &Receiver<Event>) -> io::Result<()> {
        while !self.has_ended() {
            // The session holds a sender itself, so the channel never closes.
            let Ok(event) = inbox.recv() else { break };
            match event {
                Event::Line(line, arrived) => self.line(&line, arrived)?,
                Event::TooLong => self.error(&ProtocolError::Syntax {
                    command: "line",
                    what: "longer than 16 MiB and ignored".to_owned(),
                })?,
                Event::EndOfInput => {
                    self.input_ended = true;
                    if self.search.as_ref().is_some_and(Search::answer_waits) {
                        self.stop()?;
                    }
                }
                Event::Said(line) => self.output.say(&line)?,
                Event::Done(done) => self.done(done)?,
            }
            self.carry_on()?;
        }
        Ok(())
    }

    /// Stops and joins whatever runs.
    fn end_work(&mut self) {
        if let Some(job) = self.job.take() {
            job.end();
        }
    }

    /// Has the peer left, and everything been answered?
    fn has_ended(&self) -> bool {
        self.quit || self.input_ended && !self.is_busy() && self.waiting.is_empty()
    }

    fn is_busy(&self) -> bool {
        self.job.is_some() || self.search.is_some()
    }

    fn line(&mut self, line: &str, arrived: Instant) -> io::Result<()> {
        self.output.heard(line);
        let command = match Command::parse(line) {
            Ok(None) => return Ok(()),
            Ok(Some(command)) => Ok(command),
            Err(error) => Err(error),
        };
        let overtakes = matches!(
            command,
            Ok(Command::IsReady | Command::Stop | Command::PonderHit | Command::Quit)
        );
        let answered_during_search = matches!(
            command,
            Ok(Command::Query { .. }
                | Command::Uci
                | Command::Ugi
                | Command::Debug(_)
                | Command::Help)
                | Err(_)
        );
        if overtakes || self.waiting.is_empty() && (answered_during_search || !self.is_busy()) {
            return self.execute(command, arrived);
        }
        let searching_on = self.search.as_ref().is_some_and(|search| !search.stopped);
        if matches!(command, Ok(Command::Go(_))) && self.waiting.is_empty() && searching_on {
            return self.error(&ProtocolError::Busy);
        }
        let start = (!searching_on).then_some(arrived);
        self.waiting.push_back(Waiting { command, start });
        Ok(())
    }

    /// Carries out what waits, as far as nothing is being worked on.
    fn carry_on(&mut self) -> io::Result<()> {
        while !self.is_busy() && !self.quit {
            let Some(Waiting { command, start }) = self.waiting.pop_front() else { break };
            let start = start.unwrap_or_else(Instant::now);
            self.execute(command, start)?;
        }
        Ok(())
    }

    fn error(&mut self, error: &ProtocolError) -> io::Result<()> {
        let text = error.to_string();
        let said = self.output.say(&format!("info string error {text}"));
        self.last_error = Some(text);
        said
    }

    fn execute(
        &mut self,
        command: Result<Command, ProtocolError>,
        start: Instant,
    ) -> io::Result<()> {
        let result = match command {
            Ok(command) => self.command(command, start)?,
            Err(error) => Err(error),
        };
        result.or_else(|error| self.error(&error))
    }

    /// The outer result is the peer's pipe, the inner one the peer's fault.
    fn command(
        &mut self,
        command: Command,
        start: Instant,
    ) -> io::Result<Result<(), ProtocolError>> {
        match command {
            Command::Uci => self.handshake(Dialect::Uci, "uciok")?,
            Command::Ugi => self.handshake(Dialect::Ugi, "ugiok")?,
            Command::IsReady => self.output.say("readyok")?,
            Command::Quit => self.quit = true,
            Command::Stop => self.stop()?,
            Command::PonderHit => self.ponder_hit()?,
            Command::Debug(on) => self.debug = on,
            Command::NewGame => return Ok(self.new_game()),
            Command::SetOption { name, value } => return self.set_option(&name, value.as_deref()),
            Command::Position { fen, moves } => {
                return match self.position(fen.as_deref(), &moves) {
                    Ok(()) => self.announce().map(Ok),
                    Err(error) => Ok(Err(error)),
                };
            }
            Command::Query { word, argument } => {
                let error = self.last_error.as_deref();
                match query::answer(&self.game, &word, argument.as_deref(), error) {
                    Ok(answer) => self.output.say(&format!("response {answer}"))?,
                    Err(error) => return Ok(Err(error)),
                }
            }
            Command::Display => self.say_all(&board_text::describe(&self.game))?,
            Command::Eval => self.say_all(&wire::evaluation(&self.game))?,
            Command::Help => self.say_all(&HELP.lines().map(str::to_owned).collect::<Vec<_>>())?,
            Command::Go(request) => return self.go(request, start),
            Command::Perft { depth, divide } => {
                let job = Job::perft(self.game.clone(), depth, divide, self.events.clone());
                return Ok(self.started(job));
            }
            Command::Bench { depth } => {
                return Ok(self.started(Job::bench(depth, self.events.clone())));
            }
        }
        Ok(Ok(()))
    }

    fn say_all(&mut self, lines: &[String]) -> io::Result<()> {
        lines.iter().try_for_each(|line| self.output.say(line))
    }

    fn handshake(&mut self, dialect: Dialect, last: &str) -> io::Result<()> {
        self.dialect = dialect;
        self.output.say(&format!("id name {NAME}"))?;
        self.output.say("id author the Konakis authors")?;
        self.say_all(&Options::declarations())?;
        self.output.say(last)
    }

    fn new_game(&mut self) -> Result<(), ProtocolError> {
        self.game = self.game.restarted().map_err(ProtocolError::BadFen)?;
        if let Some(searcher) = &mut self.searcher {
            searcher.clear();
        }
        Ok(())
    }

    fn set_option(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> io::Result<Result<(), ProtocolError>> {
        let change = match self.options.set(name, value) {
            Ok(change) => change,
            Err(error) => return Ok(Err(error)),
        };
        match change {
            Change::None => {}
            Change::Hash => {
                let wanted = self.options.hash;
                let had = self.searcher.as_mut().map_or(wanted, |searcher| searcher.resize(wanted));
                if had != wanted {
                    self.options.hash = had;
                    let line =
                        format!("info string a table of {wanted} MiB cannot be had: Hash is {had}");
                    self.output.say(&line)?;
                }
            }
            Change::ClearHash => {
                if let Some(searcher) = &mut self.searcher {
                    searcher.clear();
                }
            }
            Change::Variant => return Ok(self.set_variant()),
            Change::DebugLogFile => {
                let path = self.options.debug_log_file.clone();
                if let Err(error) = self.output.log_to(path.as_deref()) {
                    self.options.debug_log_file = None;
                    let path = super::error::shown(&path.unwrap_or_default());
                    let what =
                        format!("'{path}' cannot be opened for writing ({error}); no log is kept");
                    return Ok(Err(ProtocolError::File(what)));
                }
            }
        }
        Ok(Ok(()))
    }

    fn set_variant(&mut self) -> Result<(), ProtocolError> {
        // The option has been checked against the catalogue.
        if let Some(rules) = variant(&self.options.variant) {
            self.game = Game::start(rules).map_err(ProtocolError::BadFen)?;
        }
        // Keys say nothing about rules: what the table knows is about another game.
        if let Some(searcher) = &mut self.searcher {
            searcher.clear();
        }
        Ok(())
    }

    fn position(&mut self, fen: Option<&str>, moves: &[String]) -> Result<(), ProtocolError> {
        let game = fen.map_or_else(|| self.game.restarted(), |fen| self.game.with_fen(fen));
        let mut game = game.map_err(ProtocolError::BadFen)?;
        for (i, word) in moves.iter().enumerate() {
            match game.read_move(word) {
                Ok(mv) => game.play(mv),
                Err(_) => {
                    return Err(ProtocolError::BadMove {
                        word: super::error::shown(word),
                        ply: i + 1,
                        why: why(&game, word),
                    });
                }
            }
        }
        self.game = game;
        Ok(())
    }

    fn announce(&mut self) -> io::Result<()> {
        match self.game.call() {
            Some(call) if self.debug => self.output.say(&format!("info string {}", call.name())),
            _ => Ok(()),
        }
    }

    fn go(&mut self, request: GoRequest, start: Instant) -> io::Result<Result<(), ProtocolError>> {
        for error in &request.errors {
            self.error(error)?;
        }
        let mut limits = request.limits(&self.game, start, self.dialect);
        limits.multi_pv = self.options.multi_pv;
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
        let searcher = self.searcher.take().unwrap_or_else(|| Searcher::new(self.options.hash));
        let events = self.events.clone();
        let job = Job::search(searcher, self.game.clone(), limits, control, self.dialect, events);
        let started = self.started(job);
        if started.is_err() {
            self.done(Done::default())?;
        }
        Ok(started)
    }

    fn started(&mut self, job: io::Result<Job>) -> Result<(), ProtocolError> {
        let what = |error| format!("no thread can be started ({error})");
        self.job = Some(job.map_err(|error| ProtocolError::Resources(what(error)))?);
        Ok(())
    }

    /// Takes back what a job was lent, and answers unless the answer has to wait.
    fn done(&mut self, done: Done) -> io::Result<()> {
        if let Some(job) = self.job.take() {
            job.join();
        }
        if let Some(error) = done.error {
            self.error(&ProtocolError::Resources(error))?;
        }
        if self.searcher.is_none() {
            let searcher = done.searcher.unwrap_or_else(|| Searcher::new(self.options.hash));
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
            self.output.say(&wire::info(&info, search.size, search.dialect))?;
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

    fn stop(&mut self) -> io::Result<()> {
        if let Some(job) = &self.job {
            job.control.stop();
        }
        if let Some(search) = &mut self.search {
            search.stopped = true;
        }
        self.answer_if_due()
    }

    fn ponder_hit(&mut self) -> io::Result<()> {
        let Some(search) = self.search.as_mut().filter(|search| search.pondering) else {
            return Ok(());
        };
        search.pondering = false;
        if let Some(job) = &self.job {
            job.control.ponder_hit();
        }
        self.answer_if_due()
    }
}

/// The answer to `help`.
const HELP: &str = "\
Konakis plays tafl. Commands, one a line (protocol.md has all of them):
uci | ugi                            who I am and my options
setoption name UCI_Variant value V   choose the rule set (the variants are listed by uci)
position startpos moves e3a3 ...     set up a position; or: position fen FEN moves ...
d                                    show the position
go movetime 1000                     search for 1,000 ms; or: depth N, nodes N, infinite, ...
stop                                 end the search now
query legalmoves                     ask; or: result, winner, reason, captures MOVE, why MOVE, ...
eval                                 what the position is worth, term by term
perft N                              count the leaves of the tree of legal moves
bench                                measure the search
quit                                 leave";
