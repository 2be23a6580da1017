//! What an engine must survive: the rows of the conformance list that any engine can be asked,
//! each of them a fault that real engines have shipped.

mod candidate;
mod conversation;
mod rows;
mod thinking;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::dialect::{Dialect, Link};
use super::player::{Failure, Patience};
use super::process::Process;
use super::rng::Rng;
use super::spec::{EngineSpec, Protocol};
use super::uci::Uci;
use crate::game::any_size::Game;
use crate::game::moves::Move;
use candidate::Candidate;
pub use rows::ROWS;

/// A question of the list.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its id, such as `C15`.
    pub id: &'static str,
    /// What is required.
    pub what: &'static str,
    /// Asks it.
    ask: fn(&Exam) -> Result<Answer, String>,
}

/// An answer that is no fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// As required.
    Right,
    /// The question makes no sense for this engine, and why.
    NotAsked(&'static str),
}

/// The examination of one engine.
#[derive(Debug)]
pub struct Exam {
    spec: EngineSpec,
    start: Game,
}

/// What came out of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// Questions answered as required.
    pub right: usize,
    /// Questions with another answer.
    pub wrong: usize,
    /// Questions not asked.
    pub skipped: usize,
}

impl Exam {
    /// Of the engine of a spec, from the start position of a rule set.
    pub fn new(spec: &EngineSpec, start: &Game) -> Self {
        Self { spec: spec.clone(), start: start.clone() }
    }

    /// Asks every question; each answer is heard at once, as a line.
    ///
    /// # Errors
    /// If the engine does not even come through the handshake, or nobody hears.
    pub fn hold(
        &self,
        hear: &mut dyn FnMut(String) -> Result<(), String>,
    ) -> Result<Marks, String> {
        self.candidate()?;
        let mut marks = Marks::default();
        for row in ROWS {
            let line = match (row.ask)(self) {
                Ok(Answer::Right) => {
                    marks.right += 1;
                    format!("ok    {} {}", row.id, row.what)
                }
                Ok(Answer::NotAsked(why)) => {
                    marks.skipped += 1;
                    format!("-     {} {}: not asked, {why}", row.id, row.what)
                }
                Err(fault) => {
                    marks.wrong += 1;
                    format!("FAIL  {} {}: {fault}", row.id, row.what)
                }
            };
            hear(line)?;
        }
        Ok(marks)
    }

    /// The engine after its handshake.
    fn candidate(&self) -> Result<Candidate, String> {
        let process = self.process()?;
        let rules = Arc::clone(self.start.rules());
        let patience = Patience::default();
        let mut link = Link { process, spec: self.spec.clone(), rules, patience };
        let mut dialect = if self.is_ugi() { Uci::ugi() } else { Uci::plain() };
        match dialect.start(&mut link) {
            Ok(_) => Ok(Candidate::new(link.process, self.is_ugi(), dialect.declared())),
            Err(Failure::Fault(fault)) => Err(fault.detail),
            Err(Failure::Cancelled) => Err("called off".to_owned()),
        }
    }

    /// The engine before its handshake.
    fn process(&self) -> Result<Process, String> {
        let never = Arc::new(AtomicBool::new(false));
        Process::start(&self.spec, &never).map_err(|fault| fault.detail)
    }

    fn is_ugi(&self) -> bool {
        self.spec.protocol == Protocol::Ugi
    }

    fn hello(&self) -> &'static str {
        self.spec.protocol.name()
    }

    /// A position found by random moves that this function accepts.
    fn find(&self, accept: impl Fn(&Game) -> bool) -> Option<Game> {
        let mut rng = Rng::of(&[1]);
        for _ in 0..2_000 {
            let mut game = self.start.clone();
            for _ in 0..80 {
                let mut moves = game.legal_moves();
                moves.sort_unstable();
                let Some(mv) = rng.choose(&moves) else { break };
                game.play(mv);
                if accept(&game) {
                    return Some(game);
                }
                if game.outcome().is_some() {
                    break;
                }
            }
        }
        None
    }

    /// A position where the side to move wins at once.
    fn won_in_one(&self) -> Option<Game> {
        self.find(|game| game.outcome().is_none() && winning_move(game).is_some())
    }

    /// A position in which the game is over by its board, not by repetition.
    fn finished(&self) -> Option<Game> {
        self.find(|game| game.outcome().is_some() && game.legal_moves().is_empty())
    }

    /// So many plies back and forth.
    fn shuffle(&self, plies: usize) -> String {
        let mut game = self.start.clone();
        let mut there: Vec<Move> = Vec::new();
        for _ in 0..2 {
            let quiet = game.legal_moves().into_iter().find(|&mv| {
                let mut after = game.clone();
                after.play(mv);
                game.captured_by(mv).is_empty() && after.outcome().is_none()
            });
            there.extend(quiet);
            quiet.into_iter().for_each(|mv| game.play(mv));
        }
        let back = there.iter().map(|mv| Move { from: mv.to, to: mv.from });
        let round: Vec<Move> = there.iter().copied().chain(back).collect();
        let moves = round.iter().cycle().take(plies);
        moves.map(|mv| format!(" {}", mv.on(self.start.size()))).collect()
    }
}

fn winning_move(game: &Game) -> Option<Move> {
    let side = game.side();
    game.legal_moves().into_iter().find(|&mv| {
        let mut after = game.clone();
        after.play(mv);
        after.outcome().is_some_and(|outcome| outcome.winner == Some(side))
    })
}

/// Longer than an answer that is due at once may take.
const PROMPT: Duration = Duration::from_secs(2);
