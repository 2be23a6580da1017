//! [`Player`]: what the referee sees of an engine, and what can go wrong with one.

use std::fmt;
use std::time::Duration;

use super::clock::PlayerClock;
use super::spec::TurnLimits;
use crate::game::any_size::Game;
use crate::game::rules::Side;
use crate::search::score::Score;

/// A player of games, one game at a time.
pub trait Player: Send {
    /// Gets ready for a game; `number` tells the games of a match apart.
    ///
    /// # Errors
    /// What went wrong; the player is not to be used again.
    fn new_game(&mut self, number: usize) -> Result<(), Failure>;

    /// Thinks about a move.
    ///
    /// # Errors
    /// What went wrong; the player is not to be used again.
    fn think(&mut self, turn: &Turn<'_>) -> Result<Thought, Failure>;

    /// The last lines of the conversation, oldest first.
    fn conversation(&self) -> Vec<String>;
}

/// What a player is asked.
#[derive(Debug)]
pub struct Turn<'a> {
    /// The game so far, its opening included.
    pub game: &'a Game,
    /// The first position, if it is not the start of the rule set.
    pub fen: Option<&'a str>,
    /// The clocks of attackers and defenders.
    pub clocks: [Option<PlayerClock>; 2],
    /// What bounds the thinking.
    pub limits: &'a TurnLimits,
    /// How long the answer may take before the game is lost, margin included; `None` if there is
    /// no time limit.
    pub budget: Option<Duration>,
}

impl Turn<'_> {
    /// The clock of a side, or where it has none that of the other.
    pub fn clock(&self, side: Side) -> Option<PlayerClock> {
        let [attackers, defenders] = self.clocks;
        match side {
            Side::Attackers => attackers.or(defenders),
            Side::Defenders => defenders.or(attackers),
        }
    }
}

/// A player's answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    /// The move as the player wrote it.
    pub mv: String,
    /// Time from the question to the answer.
    pub elapsed: Duration,
    /// For the side to move, if the player gave one.
    pub score: Option<Score>,
    /// Plies, if the player gave them.
    pub depth: Option<u32>,
    /// Nodes, if the player gave them.
    pub nodes: Option<u64>,
}

/// How long the arena waits for an engine outside its own thinking time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// From the start to the end of the handshake.
    pub start: Duration,
    /// For `readyok` after a new game.
    pub new_game: Duration,
    /// For any other `readyok`.
    pub ping: Duration,
    /// For a move of an engine that has no time limit.
    pub untimed: Duration,
    /// For the answer of an engine whose time is up.
    pub late: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(10),
            new_game: Duration::from_secs(10),
            ping: Duration::from_secs(10),
            untimed: Duration::from_secs(600),
            late: Duration::from_secs(5),
        }
    }
}

/// Why a player gave no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// It is the player's fault and loses the game.
    Fault(Fault),
    /// The game was called off.
    Cancelled,
}

/// A fault that loses a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Of what sort.
    pub kind: FaultKind,
    /// What happened, as a sentence.
    pub detail: String,
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// The sorts of faults.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FaultKind {
    /// The program cannot be started or does not know the rule set.
    StartFailed,
    /// No end of the handshake or no `readyok` in time.
    NotReady,
    /// The process ended.
    Crash,
    /// The process lives but has closed its output.
    Disconnected,
    /// No answer at all.
    Stall,
    /// Far more output than anybody can read.
    Flood,
    /// The player said that it has no move.
    NoMove,
    /// The answer is no move.
    MalformedMove,
    /// The move is not legal.
    IllegalMove,
    /// The answer came too late.
    TimeForfeit,
    /// The player refused what it was told, such as the opponent's move.
    Refusal,
}

impl FaultKind {
    /// All sorts.
    pub const ALL: [Self; 11] = [
        Self::StartFailed,
        Self::NotReady,
        Self::Crash,
        Self::Disconnected,
        Self::Stall,
        Self::Flood,
        Self::NoMove,
        Self::MalformedMove,
        Self::IllegalMove,
        Self::TimeForfeit,
        Self::Refusal,
    ];

    /// The name in records, such as `illegal-move`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::StartFailed => "start-failed",
            Self::NotReady => "not-ready",
            Self::Crash => "crash",
            Self::Disconnected => "disconnected",
            Self::Stall => "stall",
            Self::Flood => "flood",
            Self::NoMove => "no-move-given",
            Self::MalformedMove => "malformed-move",
            Self::IllegalMove => "illegal-move",
            Self::TimeForfeit => "time-forfeit",
            Self::Refusal => "refusal",
        }
    }

    /// A fault of this sort.
    pub fn because(self, detail: impl Into<String>) -> Fault {
        Fault { kind: self, detail: detail.into() }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
