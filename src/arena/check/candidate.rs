//! [`Candidate`]: an engine that is being asked.

use std::time::{Duration, Instant};

use super::PROMPT;
use crate::arena::player::Failure;
use crate::arena::process::Process;
use crate::arena::uci::Declared;
use crate::game::any_size::Game;

/// An engine that is being asked. Every error is a sentence about what it did instead.
pub struct Candidate {
    process: Process,
    ugi: bool,
    /// The options it declared.
    pub options: Vec<Declared>,
}

/// What an engine said up to its `bestmove`.
pub struct Found {
    /// The move.
    pub mv: String,
    /// The lines before.
    pub lines: Vec<String>,
    /// The line with the move.
    pub line: String,
}

impl Candidate {
    pub fn new(process: Process, ugi: bool, options: &[Declared]) -> Self {
        Self { process, ugi, options: options.to_vec() }
    }

    pub fn option(&self, name: &str) -> Option<&Declared> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Says a line, or several in one write.
    pub fn say(&mut self, text: &str) {
        self.process.send(text);
    }

    /// Says that a new game begins.
    pub fn new_game(&mut self) {
        let word = if self.ugi { "uginewgame" } else { "ucinewgame" };
        self.process.send(word);
    }

    /// The lines up to the first that is `wanted`, that one included.
    pub fn until(
        &mut self,
        what: &str,
        patience: Duration,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<String>, String> {
        let deadline = Instant::now() + patience;
        let mut lines = Vec::new();
        loop {
            match self.process.receive(deadline) {
                Ok(Some(line)) => {
                    let found = wanted(line.text.trim());
                    lines.push(line.text);
                    if found {
                        return Ok(lines);
                    }
                }
                Ok(None) => return Err(format!("no {what} within {} ms", patience.as_millis())),
                Err(Failure::Fault(fault)) => return Err(fault.detail),
                Err(Failure::Cancelled) => return Err("called off".to_owned()),
            }
        }
    }

    /// The lines of a span of time.
    pub fn listen(&mut self, time: Duration) -> Result<Vec<String>, String> {
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        loop {
            match self.process.receive(deadline) {
                Ok(Some(line)) => lines.push(line.text),
                Ok(None) => return Ok(lines),
                Err(Failure::Fault(fault)) => return Err(fault.detail),
                Err(Failure::Cancelled) => return Err("called off".to_owned()),
            }
        }
    }

    /// Is it alive and in order?
    pub fn ready(&mut self) -> Result<Vec<String>, String> {
        self.say("isready");
        self.until("readyok", PROMPT * 5, |line| line == "readyok")
    }

    /// The next `bestmove`.
    pub fn found(&mut self, patience: Duration) -> Result<Found, String> {
        let is_move = |line: &str| line.split_whitespace().next() == Some("bestmove");
        let mut lines = self.until("bestmove", patience, is_move)?;
        let line = lines.pop().unwrap_or_default();
        let mv = line.split_whitespace().nth(1).unwrap_or("").to_owned();
        Ok(Found { mv, lines, line })
    }

    /// A `bestmove` that is legal in `game`, in time.
    pub fn legal(&mut self, game: &Game, patience: Duration) -> Result<Found, String> {
        let found = self.found(patience)?;
        match game.read_move(&found.mv) {
            Ok(_) => Ok(found),
            Err(error) => Err(format!("'{}': {error} ({})", found.line, game.fen())),
        }
    }

    /// Asks at a position and expects a legal move.
    pub fn asked(&mut self, game: &Game, go: &str, patience: Duration) -> Result<Found, String> {
        self.say(&format!("position fen {}\n{go}", game.fen()));
        self.legal(game, patience).map_err(|error| format!("after '{go}': {error}"))
    }

    /// Nothing that looks like an answer may come now.
    pub fn silent(&mut self, time: Duration) -> Result<(), String> {
        let lines = self.listen(time)?;
        match lines.iter().find(|line| !line.starts_with("info string")) {
            Some(line) => Err(format!("'{line}' out of the blue")),
            None => Ok(()),
        }
    }

    pub fn close_input(&mut self) {
        self.process.close_input();
    }

    /// Does it leave in time? Its exit code is 0.
    pub fn leaves(&mut self, patience: Duration) -> Result<(), String> {
        match self.process.exit_status(patience) {
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(format!("it left with {status}")),
            None => Err(format!("it is still there after {} ms", patience.as_millis())),
        }
    }
}
