//! [`Roster`]: the engines of a match, started when needed and kept between games.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use super::builtin::Builtin;
use super::dialect::Engine;
use super::player::{Failure, FaultKind, Patience, Player};
use super::referee::Seat;
use super::spec::{EngineSpec, Program};
use crate::game::rules::Rules;

/// The engines of a match. An engine that was to blame for the end of a game is not given back, so
/// the next game starts it anew.
pub struct Roster {
    rules: Arc<Rules>,
    patience: Patience,
    /// Ends every wait.
    cancel: Arc<AtomicBool>,
    engines: Vec<EngineSpec>,
    idle: Vec<Mutex<Vec<Box<dyn Player>>>>,
    notes: Mutex<Notes>,
}

#[derive(Default)]
struct Notes {
    said: HashSet<String>,
    new: Vec<String>,
}

impl Roster {
    /// The engines under these rules.
    pub fn new(
        engines: &[EngineSpec],
        rules: &Arc<Rules>,
        patience: Patience,
        cancel: &Arc<AtomicBool>,
    ) -> Self {
        Self {
            rules: Arc::clone(rules),
            patience,
            cancel: Arc::clone(cancel),
            engines: engines.to_vec(),
            idle: engines.iter().map(|_| Mutex::default()).collect(),
            notes: Mutex::default(),
        }
    }

    /// Starts each engine once, to find out early what cannot work.
    ///
    /// # Errors
    /// If a program cannot be started or does not know the rule set. What a game would find out as
    /// well is left to it, as it loses that game.
    pub fn try_out(&self) -> Result<(), String> {
        for (index, spec) in self.engines.iter().enumerate() {
            match self.start(index) {
                Ok(player) => self.give_back(index, player),
                Err((Failure::Cancelled, _)) => {}
                Err((Failure::Fault(fault), conversation)) => {
                    if fault.kind == FaultKind::StartFailed {
                        return Err(format!("engine {}: {}", spec.name, fault.detail));
                    }
                    self.note(format!("engine {}: {}: {}", spec.name, fault.kind, fault.detail));
                    for line in conversation {
                        self.note(format!("  | {line}"));
                    }
                }
            }
        }
        Ok(())
    }

    /// An idle engine, or one more.
    pub fn take(&self, index: usize) -> Seat {
        let idle = self.idle.get(index);
        let idle = idle.and_then(|idle| idle.lock().unwrap_or_else(PoisonError::into_inner).pop());
        idle.map_or_else(|| self.start(index), Ok)
    }

    /// Keeps an engine for another game.
    pub fn give_back(&self, index: usize, player: Box<dyn Player>) {
        if let Some(idle) = self.idle.get(index) {
            idle.lock().unwrap_or_else(PoisonError::into_inner).push(player);
        }
    }

    /// What a person should know and has not been told.
    pub fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut self.notes.lock().unwrap_or_else(PoisonError::into_inner).new)
    }

    fn note(&self, note: String) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        if notes.said.insert(note.clone()) {
            notes.new.push(note);
        }
    }

    fn start(&self, index: usize) -> Seat {
        let Some(spec) = self.engines.get(index) else {
            let fault = FaultKind::StartFailed.because("there is no such engine");
            return Err((fault.into(), Vec::new()));
        };
        if let Program::Yardstick(yardstick) = spec.program {
            return Ok(Box::new(self.yardstick(yardstick, spec)));
        }
        let (engine, notes) = Engine::start(spec, &self.rules, self.patience, &self.cancel)?;
        notes.into_iter().for_each(|note| self.note(format!("engine {} {note}", spec.name)));
        Ok(Box::new(engine))
    }

    fn yardstick(&self, yardstick: super::spec::Yardstick, spec: &EngineSpec) -> Builtin {
        let mut seed = 0;
        for (name, value) in &spec.options {
            match value.parse() {
                Ok(number) if name.eq_ignore_ascii_case("Seed") => seed = number,
                _ if name.eq_ignore_ascii_case("Seed") => self.note(format!(
                    "engine {}: Seed={value} is no whole number: it stays {seed}",
                    spec.name
                )),
                _ => self.note(format!("engine {} has no option {name}", spec.name)),
            }
        }
        Builtin::new(yardstick, seed)
    }
}
