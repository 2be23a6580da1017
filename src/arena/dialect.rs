//! [`Dialect`]: how the arena talks to an engine, and the player that an engine in any dialect is.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::htp::Htp;
use super::otep::Otep;
use super::player::{Failure, Patience, Player, Thought, Turn};
use super::process::Process;
use super::spec::{EngineSpec, Protocol};
use super::uci::Uci;
use crate::game::rules::Rules;

/// A protocol as the arena's side of it. A new protocol is one more implementation, one more name
/// in [`Protocol`] and one more line in [`dialect`].
pub trait Dialect: Debug + Send {
    /// Does the handshake and sets rule set and options. Returns what a person should know, such
    /// as options that the engine does not have.
    ///
    /// # Errors
    /// If the engine does not follow.
    fn start(&mut self, link: &mut Link) -> Result<Vec<String>, Failure>;

    /// Tells the engine that a new game begins and waits until it is ready.
    ///
    /// # Errors
    /// If the engine does not follow.
    fn new_game(&mut self, link: &mut Link) -> Result<(), Failure>;

    /// Asks for a move.
    ///
    /// # Errors
    /// If no answer comes.
    fn think(&mut self, link: &mut Link, turn: &Turn<'_>) -> Result<Thought, Failure>;
}

/// The dialect of this name.
pub fn dialect(protocol: Protocol) -> Box<dyn Dialect> {
    match protocol {
        Protocol::Uci => Box::new(Uci::plain()),
        Protocol::Ugi => Box::new(Uci::ugi()),
        Protocol::Otep => Box::new(Otep::default()),
        Protocol::Htp => Box::new(Htp::default()),
    }
}

/// What a dialect works with.
#[derive(Debug)]
pub struct Link {
    /// The engine.
    pub process: Process,
    /// Its settings.
    pub spec: EngineSpec,
    /// The rules of the match.
    pub rules: Arc<Rules>,
    /// How long to wait for what.
    pub patience: Patience,
}

/// An engine that has been started.
#[derive(Debug)]
pub struct Engine {
    link: Link,
    dialect: Box<dyn Dialect>,
}

impl Engine {
    /// Starts an engine. Returns it with what a person should know.
    ///
    /// # Errors
    /// If it cannot be started or does not follow the handshake; with the last lines of the
    /// conversation.
    pub fn start(
        spec: &EngineSpec,
        rules: &Arc<Rules>,
        patience: Patience,
        cancel: &Arc<AtomicBool>,
    ) -> Result<(Self, Vec<String>), (Failure, Vec<String>)> {
        let process = Process::start(spec, cancel).map_err(|fault| (fault.into(), Vec::new()))?;
        let mut link = Link { process, spec: spec.clone(), rules: Arc::clone(rules), patience };
        let mut dialect = dialect(spec.protocol);
        match dialect.start(&mut link) {
            Ok(notes) => Ok((Self { link, dialect }, notes)),
            Err(failure) => Err((failure, link.process.conversation())),
        }
    }
}

impl Player for Engine {
    fn new_game(&mut self, _number: usize) -> Result<(), Failure> {
        self.dialect.new_game(&mut self.link)
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<Thought, Failure> {
        self.dialect.think(&mut self.link, turn)
    }

    fn conversation(&self) -> Vec<String> {
        self.link.process.conversation()
    }
}
