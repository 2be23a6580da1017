//! [`Analyst`]: looks at the positions of games in their order, several at a time.

use std::collections::VecDeque;

use super::crew::Crew;
use super::look::Look;
use super::marks::{Judgement, judge, wants_check};
use super::report::PositionReport;
use crate::game::any_size::Game;
use crate::game::moves::Move;
use crate::notation::move_text;
use crate::notation::recorded::RecordedGame;

/// Looks at positions in order.
pub struct Analyst {
    crew: Crew,
    /// How many lines are reported of each position.
    multi_pv: usize,
    /// Positions in order, from the first one that is not told yet.
    waiting: VecDeque<Waiting>,
    /// The number of the first one of them.
    first: u64,
    /// How many of them have been reached, and so asked for.
    asked: usize,
    /// The position that is reached next, if it belongs to the game of the one before.
    cursor: Option<Game>,
    /// Tasks that have not been answered.
    out: usize,
}

struct Waiting {
    /// The first position of a game that is looked at, until it is reached.
    start: Option<Game>,
    /// The position, once it has been reached: with its past it is as large as the game is long.
    position: Option<Game>,
    ply: usize,
    mv: Option<Move>,
    comment: String,
    look: Option<Look>,
    check: Check,
}

/// The look at the position after the best move.
enum Check {
    /// Not known yet whether it is wanted.
    Open,
    Asked,
    Done(Option<Look>),
}

/// Why an analysis ends early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failed {
    /// It was told to stop.
    Stopped,
    /// A search failed.
    Fault,
}

impl Analyst {
    /// One that reports so many lines of each position.
    pub fn new(crew: Crew, multi_pv: usize) -> Self {
        Self { crew, multi_pv, waiting: VecDeque::new(), first: 0, asked: 0, cursor: None, out: 0 }
    }

    /// Adds the positions of a game from a ply on.
    pub fn add(&mut self, game: &RecordedGame, from: usize) {
        let mut start = game.first.clone();
        game.moves.iter().take(from).for_each(|&mv| start.play(mv));
        let mut start = Some(start);
        for ply in from..=game.moves.len() {
            self.waiting.push_back(Waiting {
                start: start.take(),
                position: None,
                ply,
                mv: game.moves.get(ply).copied(),
                comment: game.comments.get(ply).cloned().unwrap_or_default(),
                look: None,
                check: Check::Open,
            });
        }
    }

    /// Would more positions be looked at at once?
    pub fn wants_more(&self) -> bool {
        self.waiting.len() - self.asked.min(self.waiting.len()) < self.ahead()
    }

    /// Tasks out at the same time: everybody has the next one at hand, and what is told next does
    /// not have to wait for many others.
    fn ahead(&self) -> usize {
        2 * self.crew.size()
    }

    /// The next position in order; `None` if there is none.
    ///
    /// # Errors
    /// If the analysis was stopped, or a search failed.
    pub fn next_report(&mut self) -> Result<Option<PositionReport>, Failed> {
        loop {
            if self.crew.is_stopped() {
                return Err(Failed::Stopped);
            }
            self.ask_for_positions();
            self.ask_for_checks();
            if let Some(report) = self.take_first() {
                return Ok(Some(report));
            }
            if self.waiting.is_empty() {
                return Ok(None);
            }
            // Whoever waits for an answer must have asked.
            let answer = if self.out > 0 { self.crew.answer() } else { None };
            let (number, look) = answer.ok_or(Failed::Fault)?;
            self.out -= 1;
            let Some(look) = look else {
                let stopped = self.crew.is_stopped();
                return Err(if stopped { Failed::Stopped } else { Failed::Fault });
            };
            let at = (number / 2).checked_sub(self.first).map(|at| at as usize);
            let Some(waiting) = at.and_then(|at| self.waiting.get_mut(at)) else { continue };
            if number % 2 == 0 {
                waiting.look = Some(look);
            } else {
                waiting.check = Check::Done(Some(look));
            }
        }
    }

    /// Positions are asked for with even numbers, those after the best move with odd ones.
    fn ask(&mut self, number: u64, game: Game) {
        self.out += 1;
        // The second best line says whether a move is the only one.
        self.crew.ask(number, game, self.multi_pv.max(2));
    }

    fn ask_for_positions(&mut self) {
        // Finished positions need no task, but memory.
        while self.out < self.ahead() && self.asked < 2 * self.ahead() {
            let Some(waiting) = self.waiting.get_mut(self.asked) else { return };
            let Some(position) = waiting.start.take().or(self.cursor.take()) else { return };
            waiting.look = Look::at_end(&position);
            waiting.position = Some(position.clone());
            let is_open = waiting.look.is_none();
            self.cursor = waiting.mv.map(|mv| {
                let mut next = position.clone();
                next.play(mv);
                next
            });
            if is_open {
                self.ask(2 * (self.first + self.asked as u64), position);
            }
            self.asked += 1;
        }
    }

    fn ask_for_checks(&mut self) {
        for at in 0..self.asked.min(self.waiting.len()) {
            let Some(check) = self.check(at) else { continue };
            let check = match check {
                Ok(done) => Check::Done(done),
                Err(after) => {
                    self.ask(2 * (self.first + at as u64) + 1, after);
                    Check::Asked
                }
            };
            if let Some(waiting) = self.waiting.get_mut(at) {
                waiting.check = check;
            }
        }
    }

    /// What is known of the position after the best move without a search, or that position if it
    /// wants one. `None` if that has been settled, or cannot be yet.
    fn check(&self, at: usize) -> Option<Result<Option<Look>, Game>> {
        let Waiting { position: Some(position), mv, look: Some(look), check: Check::Open, .. } =
            self.waiting.get(at)?
        else {
            return None;
        };
        let best = look.lines.first().and_then(|line| line.pv.first()).copied();
        let (Some(played), Some(best)) = (*mv, best) else { return Some(Ok(None)) };
        let next = self.waiting.get(at + 1)?.look.as_ref()?;
        if !wants_check(look, played, next) {
            return Some(Ok(None));
        }
        let mut after = position.clone();
        after.play(best);
        Some(match Look::at_end(&after) {
            Some(end) => Ok(Some(end)),
            None => Err(after),
        })
    }

    /// The first one, if everything about it is known.
    fn take_first(&mut self) -> Option<PositionReport> {
        let first = self.waiting.front()?;
        let (Some(look), Check::Done(after_best)) = (&first.look, &first.check) else {
            return None;
        };
        let judgement = match (first.mv, self.waiting.get(1).and_then(|next| next.look.as_ref())) {
            // What is played in a finished game is not judged.
            (Some(played), Some(next)) if !look.lines.is_empty() => {
                Some(judge(look, played, next, after_best.as_ref()))
            }
            _ => None,
        };
        let Waiting { position, ply, mv, comment, look, .. } = self.waiting.pop_front()?;
        self.first += 1;
        self.asked = self.asked.saturating_sub(1);
        let known = Known { position: position?, ply, mv, comment, look: look?, judgement };
        Some(known.report(self.multi_pv))
    }
}

/// Everything about a position.
struct Known {
    position: Game,
    ply: usize,
    mv: Option<Move>,
    comment: String,
    look: Look,
    judgement: Option<Judgement>,
}

impl Known {
    fn report(self, multi_pv: usize) -> PositionReport {
        let Self { position, ply, mv, comment, look, judgement } = self;
        let Look { score, wdl, mut lines } = look;
        let pv = lines.first().map(|line| line.pv.clone()).unwrap_or_default();
        lines.truncate(if multi_pv > 1 { multi_pv } else { 0 });
        PositionReport {
            ply,
            fen: position.fen(),
            side: position.side(),
            mv,
            text: mv.map_or_else(String::new, |mv| move_text::write(&position, mv)),
            comment,
            score,
            best: pv.first().copied(),
            pv,
            wdl,
            lines,
            loss: judgement.map(|judgement| judgement.loss),
            mark: judgement.and_then(|judgement| judgement.mark),
            call: position.call(),
            outcome: position.outcome(),
        }
    }
}
