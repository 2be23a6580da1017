//! Proofs are not believed but played out: every answer to every move that is claimed to win, by the
//! exact rules alone. What the search's table has forgotten is proven again.

use rustc_hash::FxHashMap;

use super::adviser::Adviser;
use super::dfpn::{Solver, Stopped, one_less};
use crate::game::geometry::Geometry;
use crate::game::moves::Move;
use crate::game::position::Position;

/// Why a proof does not stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// Time or nodes ran out before it was played out.
    Stopped,
    /// It has more positions than may be remembered.
    TooLarge,
    /// An answer was found that it does not meet; so it may be where the rules look at the past.
    Refuted,
}

impl From<Stopped> for Flaw {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

/// A proof that was played out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// Plies to the win; no defence lasts longer against this proof.
    pub plies: u16,
    /// The line of the longest defence.
    pub line: Vec<Move>,
    /// Positions with the winner to move for which the proof has a move.
    pub positions: usize,
}

/// Plays a proof out.
pub struct Checker<'s, 'a, G: Geometry> {
    solver: &'s mut Solver<'a, G>,
    /// Who names the moves, where the solver has not proven anything itself.
    adviser: Option<&'s mut Adviser<'a>>,
    position: Position<G>,
    /// For positions with the winner to move: the move, and the plies to the win.
    strategy: FxHashMap<u64, (Move, u16)>,
    /// How many of these there may be.
    most: usize,
    /// Do the rules ask for the way to a position? Then each way is looked at.
    past_matters: bool,
    visited: usize,
}

impl<'s, 'a, G: Geometry> Checker<'s, 'a, G> {
    /// For what a solver has proven of its position, or an adviser takes for won. A proof may have
    /// `most` positions.
    pub fn new(
        solver: &'s mut Solver<'a, G>,
        adviser: Option<&'s mut Adviser<'a>>,
        most: usize,
    ) -> Self {
        let position = solver.position.clone();
        let past_matters = position.rules().depends_on_past();
        let strategy = FxHashMap::default();
        Self { solver, adviser, position, strategy, most, past_matters, visited: 0 }
    }

    /// Plays the proof out: it was found with so many plies left and may take `most`.
    ///
    /// # Errors
    /// Says why the proof does not stand.
    pub fn check(mut self, left: u16, most: u16) -> Result<Checked, Flaw> {
        let plies = if self.position.side() == self.solver.goal {
            self.wins(most, left)?
        } else {
            self.loses(most, left)?
        };
        let line = self.line(plies);
        Ok(Checked { plies, line, positions: self.strategy.len() })
    }

    /// The plies in which the goal, which is to move, wins, `most` at the most.
    fn wins(&mut self, most: u16, left: u16) -> Result<u16, Flaw> {
        let key = self.position.key();
        if let Some(&(_, plies)) = self.strategy.get(&key)
            && plies <= most
            && !self.past_matters
        {
            return Ok(plies);
        }
        self.visited += 1;
        self.solver.count()?;
        if self.strategy.len() >= self.most || self.visited >= 16 * self.most {
            return Err(Flaw::TooLarge);
        }
        if let Some(mv) = self.ends_at_once() {
            self.strategy.insert(key, (mv, 1));
            return Ok(1);
        }
        if most < 3 {
            return Err(Flaw::Refuted);
        }
        let mv = self.proven_move(most, left)?;
        if !self.position.is_legal(mv) {
            return Err(Flaw::Refuted);
        }
        self.position.play(mv);
        let plies = match self.position.outcome() {
            Some(_) => Err(Flaw::Refuted),
            None => self.loses(most - 1, one_less(left)),
        };
        self.position.undo();
        let plies = plies? + 1;
        self.strategy.insert(key, (mv, plies));
        Ok(plies)
    }

    /// The plies in which the other side, which is to move, loses, `most` at the most.
    fn loses(&mut self, most: u16, left: u16) -> Result<u16, Flaw> {
        if most < 2 {
            return Err(Flaw::Refuted);
        }
        let mut longest = 0;
        for mv in self.position.legal_moves() {
            self.position.play(mv);
            let plies = match self.position.outcome() {
                Some(outcome) if outcome.winner == Some(self.solver.goal) => Ok(0),
                Some(_) => Err(Flaw::Refuted),
                None => self.wins(most - 1, one_less(left)),
            };
            self.position.undo();
            longest = longest.max(plies?);
        }
        Ok(longest + 1)
    }

    /// A move after which the game is over and won.
    fn ends_at_once(&mut self) -> Option<Move> {
        let goal = self.solver.goal;
        self.position.legal_moves().into_iter().find(|&mv| {
            self.position.play(mv);
            let won = self.position.outcome().is_some_and(|end| end.winner == Some(goal));
            self.position.undo();
            won
        })
    }

    /// The move of the proof, found again if the table has lost it.
    fn proven_move(&mut self, most: u16, left: u16) -> Result<Move, Flaw> {
        self.solver.position = self.position.clone();
        let proven = |left| {
            let entry = self.solver.known(left).filter(|entry| entry.numbers.is_proven());
            entry.filter(|entry| entry.numbers.len <= most).and_then(|entry| entry.mv())
        };
        if let Some(mv) = proven(left).or_else(|| proven(most)) {
            return Ok(mv);
        }
        if let Some(adviser) = &mut self.adviser {
            let advice = adviser.move_within(&self.position, u32::from(most));
            return advice.ok_or(Flaw::Refuted);
        }
        // With a bound the way gets shorter with every move, so that no proof leans on itself.
        self.solver.root = self.position.plies();
        if !self.solver.search(most)?.is_proven() {
            return Err(Flaw::Refuted);
        }
        let entry = self.solver.known(most).and_then(|entry| entry.mv());
        entry.ok_or(Flaw::Refuted)
    }

    /// The line of the longest defence, which takes so many plies.
    fn line(&mut self, plies: u16) -> Vec<Move> {
        let mut line = Vec::new();
        let mut position = self.position.clone();
        let mut left = plies;
        while position.outcome().is_none() && left > 0 {
            let next = if position.side() == self.solver.goal {
                self.strategy.get(&position.key()).map(|&(mv, _)| mv)
            } else {
                // The answer that lasts longest.
                let lasts = |mv: &Move| {
                    let mut after = position.clone();
                    after.play(*mv);
                    match after.outcome() {
                        Some(_) => 0,
                        None => self.strategy.get(&after.key()).map_or(0, |&(_, plies)| plies),
                    }
                };
                // The first of the longest, so that the line is always the same.
                position.legal_moves().into_iter().rev().max_by_key(lasts)
            };
            let Some(mv) = next else { break };
            position.play(mv);
            line.push(mv);
            left -= 1;
        }
        line
    }
}
