//! The state of a conversation: what is set up, what is being worked on, and what waits.

mod commands;
mod searching;

use std::collections::VecDeque;
use std::io::{self, BufReader, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Instant;

use super::Dialect;
use super::command::Command;
use super::error::ProtocolError;
use super::input::{Heard, read_lines};
use super::job::{Done, Job};
use super::options::Options;
use super::output::Output;
use crate::game::any_size::Game;
use crate::search::Searcher;
use searching::Search;

/// What reaches the session.
pub enum Event {
    /// The peer's line and when it came; one that was there before the conversation comes when its
    /// turn comes.
    Line(String, Option<Instant>),
    /// A line so long that it was not read.
    TooLong,
    /// The peer will say no more.
    EndOfInput,
    /// A line of the running job.
    Said(String),
    /// The running job has ended.
    Done(Done),
}

impl From<Heard> for Event {
    fn from(heard: Heard) -> Self {
        match heard {
            Heard::Line(line, arrived) => Self::Line(line, Some(arrived)),
            Heard::TooLong => Self::TooLong,
            Heard::EndOfInput => Self::EndOfInput,
        }
    }
}

/// Talks over standard input and output until `quit` or the end of the input.
///
/// # Errors
/// If standard output fails otherwise than by being closed.
pub fn serve() -> anyhow::Result<()> {
    let (events, inbox) = channel();
    let reader = events.clone();
    // First the table, then the first line: making it must not cost time on anybody's clock.
    let session = Session::new(io::stdout(), events)?;
    // Never joined: nothing wakes a thread that waits for input after `quit`.
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        read_lines(BufReader::new(io::stdin()), |heard| reader.send(heard.into()).is_ok());
    })?;
    talk(session, &inbox)
}

/// Carries out the given lines as if they had been the whole input.
///
/// # Errors
/// As [`serve`].
pub fn serve_lines(lines: &[String]) -> anyhow::Result<()> {
    let (events, inbox) = channel();
    for line in lines.iter().flat_map(|line| line.split('\n')) {
        events.send(Event::Line(line.to_owned(), None))?;
    }
    events.send(Event::EndOfInput)?;
    talk(Session::new(io::stdout(), events)?, &inbox)
}

fn talk(mut session: Session<io::Stdout>, inbox: &Receiver<Event>) -> anyhow::Result<()> {
    let result = session.run(inbox);
    session.end_work();
    match result {
        // Nobody reads any more: as good an end as any.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// A command that waits for the end of the work.
struct Waiting {
    command: Result<Command, ProtocolError>,
    /// When its time begins to count: when it came, if only the end of a stopped search was in its
    /// way, else when its turn comes.
    start: Option<Instant>,
    /// What the peer has said about it since.
    said: Said,
}

/// What a peer has said about a search that has not begun.
#[derive(Clone, Copy, Default)]
struct Said {
    stop: bool,
    ponder_hit: bool,
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
        let rules = options.rule_sets.current();
        let rules = rules.ok_or_else(|| anyhow::anyhow!("the default rule set is missing"))?;
        Ok(Self {
            output: Output::new(peer),
            events,
            game: Game::start(rules)?,
            searcher: Some(options.searcher()),
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
                Event::Line(line, arrived) => {
                    self.line(&line, arrived.unwrap_or_else(Instant::now))?;
                }
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
            if let Some(error) = self.output.take_log_failure() {
                self.options.debug_log_file = None;
                self.error(&ProtocolError::File(format!("the log ends here ({error})")))?;
            }
        }
        Ok(())
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
        self.waiting.push_back(Waiting { command, start, said: Said::default() });
        Ok(())
    }

    /// Carries out what waits, as far as nothing is being worked on.
    fn carry_on(&mut self) -> io::Result<()> {
        while !self.is_busy() && !self.quit {
            let Some(Waiting { command, start, said }) = self.waiting.pop_front() else { break };
            let start = start.unwrap_or_else(Instant::now);
            self.execute(command, start)?;
            if said.ponder_hit {
                self.ponder_hit()?;
            }
            if said.stop {
                self.stop_running()?;
            }
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
}
