//! What each command does.

use std::io::{self, Write};
use std::time::Instant;

use super::super::command::Command;
use super::super::error::{ProtocolError, shown};
use super::super::job::Job;
use super::super::options::Change;
use super::super::{Dialect, NAME, query, wire};
use super::Session;
use crate::game::any_size::Game;
use crate::game::explain::why;
use crate::notation::board_text;

impl<W: Write> Session<W> {
    /// The outer result is the peer's pipe, the inner one the peer's fault.
    pub(super) fn command(
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
        self.say_all(&self.options.declarations())?;
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
            Change::Threads => {
                let wanted = self.options.threads;
                let had =
                    self.searcher.as_mut().map_or(wanted, |searcher| searcher.set_threads(wanted));
                if had != wanted {
                    self.options.threads = had;
                    let line =
                        format!("info string {wanted} threads cannot be had: Threads is {had}");
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
                    let path = shown(&path.unwrap_or_default());
                    let what =
                        format!("'{path}' cannot be opened for writing ({error}); no log is kept");
                    return Ok(Err(ProtocolError::File(what)));
                }
            }
        }
        Ok(Ok(()))
    }

    fn set_variant(&mut self) -> Result<(), ProtocolError> {
        if let Some(rules) = self.options.rule_sets.current() {
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
                        word: shown(word),
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
}

/// The answer to `help`.
const HELP: &str = "\
Konakis plays tafl. Commands, one a line (protocol.md has all of them):
uci | ugi                            who I am and my options
setoption name UCI_Variant value V   choose the rule set (the variants are listed by uci)
setoption name Rules value dim:9 ... or write it out, as an OpenTafl rules string
position startpos moves e3a3 ...     set up a position; or: position fen FEN moves ...
d                                    show the position
go movetime 1000                     search for 1,000 ms; or: depth N, nodes N, infinite, ...
stop                                 end the search now
query legalmoves                     ask; or: result, winner, reason, captures MOVE, why MOVE, ...
eval                                 what the position is worth, term by term
perft N                              count the leaves of the tree of legal moves
bench                                measure the search
quit                                 leave";
