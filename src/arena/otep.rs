//! OTEP, the protocol of OpenTafl's engines, from the arena's side.

use std::thread;
use std::time::{Duration, Instant};

use super::dialect::{Dialect, Link};
use super::player::{Failure, FaultKind, Thought, Turn};
use super::process::Line;
use super::spec::{EngineSpec, Program};
use crate::game::rules::{RepetitionResult, Rules, Side};
use crate::notation::rules_string::{self, write_position};
use crate::protocol::otep::message::{
    Asked, Clock, SideClock, ToEngine, ToHost, read_move, simple_move,
};

/// OpenTafl makes its own move on its board only some time after it has said it.
const OWN_MOVE: Duration = Duration::from_millis(150);
/// What OpenTafl keeps back of an overtime.
const KEPT_BACK: Duration = Duration::from_millis(750);
/// How long an engine is listened to after it has been told the rules.
const COMPLAINTS: Duration = Duration::from_secs(1);
/// The option that says how the engine reads rules strings; it is the arena's own.
const READING: &str = "Reading";

/// The dialect OTEP.
#[derive(Clone, Debug, Default)]
pub struct Otep {
    /// When the engine said its last move.
    moved: Option<Instant>,
    /// Is it OpenTafl, with its own reading of rules and clocks?
    is_opentafl: bool,
}

/// Does the engine read rules strings by their text? OpenTafl does not.
fn by_the_text(spec: &EngineSpec) -> Result<bool, String> {
    match spec.option(READING) {
        None => Ok(spec.program == Program::Konakis),
        Some("text") => Ok(true),
        Some("opentafl") => Ok(false),
        Some(other) => Err(format!("option.{READING}={other}; expected text or opentafl")),
    }
}

/// The rules string for an engine, and what is to be known about it.
fn rules_text(rules: &Rules, by_the_text: bool) -> Result<(String, Option<String>), String> {
    if by_the_text {
        return Ok((rules_string::write(rules)?, None));
    }
    let mut told = rules.clone();
    // OpenTafl swaps w and l, and does not know our key a: nearest is that the mover loses.
    told.repetition.result = match rules.repetition.result {
        RepetitionResult::Draw => RepetitionResult::Draw,
        RepetitionResult::MoverLoses | RepetitionResult::AttackersWin => {
            RepetitionResult::MoverWins
        }
        RepetitionResult::MoverWins => RepetitionResult::MoverLoses,
    };
    let text = rules_string::nearest(&told);
    let exact = rules.repetition.result != RepetitionResult::AttackersWin
        && rules_string::write(rules).is_ok_and(|text| !text.contains(" x-variant:"));
    let note =
        (!exact).then(|| format!("cannot be told {} exactly: it gets the nearest rules", rules.id));
    Ok((text, note))
}

impl Otep {
    fn send(link: &mut Link, message: &ToEngine) {
        link.process.send(&message.to_string());
    }

    fn send_rules(link: &mut Link) -> Result<Option<String>, Failure> {
        let text = by_the_text(&link.spec).and_then(|text| rules_text(&link.rules, text));
        let (text, note) =
            text.map_err(|error| Failure::from(FaultKind::StartFailed.because(error)))?;
        Self::send(link, &ToEngine::Rules(text));
        Ok(note)
    }

    /// The clock as OTEP has it. A time for each move is an overtime that begins anew.
    fn clock(&self, turn: &Turn<'_>) -> Option<Clock> {
        let none = SideClock { left: Duration::ZERO, in_overtime: true, overtimes: 0 };
        if let Some(movetime) = turn.limits.movetime {
            let left = if self.is_opentafl { movetime + KEPT_BACK } else { movetime };
            // With one overtime alone OpenTafl is more careful.
            let side = SideClock { left, in_overtime: true, overtimes: 3 };
            // Whole seconds, and none is no overtime.
            let overtime = Duration::from_secs(left.as_secs().max(1));
            return Some(Clock { sides: [side; 2], overtime });
        }
        turn.limits.clock?;
        let side = |side| match turn.clock(side) {
            Some(clock) => SideClock { left: clock.left(), in_overtime: false, overtimes: 0 },
            None => none,
        };
        Some(Clock {
            sides: [side(Side::Attackers), side(Side::Defenders)],
            overtime: Duration::ZERO,
        })
    }

    /// Tells what has happened since the engine's last turn, and the board as it is.
    fn tell(link: &mut Link, turn: &Turn<'_>) {
        let game = turn.game;
        let position = write_position(&game.placement());
        if let Some(&last) = game.moves_made().last() {
            let moves = vec![simple_move(last, game.size())];
            let position = Some(position.clone());
            Self::send(link, &ToEngine::OpponentMove { moves, position });
        }
        Self::send(link, &ToEngine::Position(position));
        Self::send(link, &ToEngine::Side(game.side()));
    }

    /// Answers what an engine asks in between.
    fn answer(&self, link: &mut Link, asked: Asked, turn: &Turn<'_>) -> Result<(), Failure> {
        let game = turn.game;
        match asked {
            Asked::Rules => return Self::send_rules(link).map(|_| ()),
            Asked::Position => {
                Self::send(link, &ToEngine::Position(write_position(&game.placement())));
            }
            Asked::Side => Self::send(link, &ToEngine::Side(game.side())),
            Asked::Clock => {
                if let Some(clock) = self.clock(turn) {
                    Self::send(link, &ToEngine::Clock(clock));
                }
            }
        }
        Ok(())
    }

    /// The engine's move, if it comes before `deadline`.
    fn await_move(
        &self,
        link: &mut Link,
        turn: &Turn<'_>,
        deadline: Instant,
    ) -> Result<Option<(String, Instant)>, Failure> {
        while let Some(Line { text, at }) = link.process.receive(deadline)? {
            match ToHost::parse(&text) {
                Some(ToHost::Move(record)) => return Ok(Some((record, at))),
                Some(ToHost::Ask(asked)) => self.answer(link, asked, turn)?,
                Some(ToHost::Error { fatal: true, text }) => {
                    let sentence = format!("it gives up: {text}");
                    return Err(FaultKind::Refusal.because(sentence).into());
                }
                _ => {}
            }
            if Instant::now() >= deadline {
                break;
            }
        }
        Ok(None)
    }
}

impl Dialect for Otep {
    fn start(&mut self, link: &mut Link) -> Result<Vec<String>, Failure> {
        link.process.farewell("goodbye");
        let limits = link.spec.limits;
        if limits.clock.is_none() && limits.movetime.is_none() {
            let sentence = "OTEP knows no limits but time; expected tc= or movetime=";
            return Err(FaultKind::StartFailed.because(sentence).into());
        }
        let patience = link.patience.start;
        let hello = |line: &str| ToHost::parse(line) == Some(ToHost::Hello);
        if link.process.wait_for(patience, hello)?.is_none() {
            let sentence = format!("no hello within {} ms", patience.as_millis());
            return Err(FaultKind::NotReady.because(sentence).into());
        }
        Self::send(link, &ToEngine::Hello);
        let text = by_the_text(&link.spec);
        let text = text.map_err(|error| Failure::from(FaultKind::StartFailed.because(error)))?;
        self.is_opentafl = !text;
        let mut notes: Vec<String> = Self::send_rules(link)?.into_iter().collect();
        let deadline = Instant::now() + COMPLAINTS;
        while let Some(line) = link.process.receive(deadline)? {
            match ToHost::parse(&line.text) {
                Some(ToHost::Error { text, .. }) => {
                    let sentence = format!("it does not play {}: {text}", link.rules.id);
                    return Err(FaultKind::StartFailed.because(sentence).into());
                }
                Some(ToHost::Status(text)) => notes.push(format!("says: {text}")),
                _ => {}
            }
        }
        for (name, _) in link.spec.options.iter().filter(|(name, _)| name != READING) {
            notes.push(format!("has no options: {name} is left out"));
        }
        if limits.nodes.is_some() || limits.depth.is_some() {
            notes.push("has no limits but time: nodes and depth are left out".to_owned());
        }
        Ok(notes)
    }

    fn new_game(&mut self, link: &mut Link) -> Result<(), Failure> {
        self.settle();
        Self::send(link, &ToEngine::Finish(0));
        Self::send_rules(link).map(|_| ())
    }

    fn think(&mut self, link: &mut Link, turn: &Turn<'_>) -> Result<Thought, Failure> {
        self.settle();
        Self::tell(link, turn);
        if let Some(clock) = self.clock(turn) {
            Self::send(link, &ToEngine::Clock(clock));
        }
        let asked = Instant::now();
        Self::send(link, &ToEngine::Play(turn.game.side()));
        let patience = turn.budget.unwrap_or(link.patience.untimed);
        let mut answer = self.await_move(link, turn, asked + patience)?;
        if answer.is_none() && turn.budget.is_some() {
            // The game is lost; how late the answer is says more than that there is none.
            let deadline = Instant::now() + link.patience.late;
            answer = self.await_move(link, turn, deadline)?;
        }
        let Some((record, at)) = answer else {
            let waited = asked.elapsed().as_millis();
            return Err(FaultKind::Stall.because(format!("no move after {waited} ms")).into());
        };
        self.moved = Some(at);
        let size = turn.game.size();
        let mv = read_move(&record, size);
        if let Some(mv) = mv.filter(|&mv| turn.game.is_legal(mv)) {
            let mut after = turn.game.clone();
            after.play(mv);
            Self::send(link, &ToEngine::Moved(write_position(&after.placement())));
        }
        Ok(Thought {
            mv: mv.map_or(record, |mv| mv.on(size).to_string()),
            elapsed: at.saturating_duration_since(asked),
            score: None,
            depth: None,
            nodes: None,
        })
    }
}

impl Otep {
    /// Waits until the engine has its own last move on its board.
    fn settle(&mut self) {
        if let Some(moved) = self.moved.take() {
            thread::sleep(OWN_MOVE.saturating_sub(moved.elapsed()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variants::variant;

    #[test]
    fn opentafl_is_told_what_it_can_read() {
        let rules = |id: &str| rules_text(&variant(id).unwrap(), false).unwrap();
        let (brandubh, note) = rules("brandubh");
        assert_eq!(
            brandubh,
            "dim:7 name:brandubh ks:c tfr:w starti:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"
        );
        assert!(note.is_some());
        let (tablut, note) = rules("tablut");
        assert!(!tablut.contains("tfr") && note.is_none(), "{tablut}");
        // It swaps what we write.
        assert!(rules("alea-evangelii").0.contains(" tfr:w "));
        let (ashton, note) = rules("tablut-ashton");
        assert!(!ashton.contains("x-variant") && note.is_some());
        let (exact, note) = rules_text(&variant("tablut-ashton").unwrap(), true).unwrap();
        assert!(exact.contains("x-variant:tablut-ashton") && note.is_none());
    }

    #[test]
    fn how_rules_are_read_is_an_option_of_the_arena() {
        let reads = |text: &str| by_the_text(&EngineSpec::parse(text, "movetime=9").unwrap());
        assert_eq!(reads("builtin:konakis"), Ok(true));
        assert_eq!(reads("java"), Ok(false));
        assert_eq!(reads("java,option.Reading=text"), Ok(true));
        assert_eq!(reads("builtin:konakis,option.Reading=opentafl"), Ok(false));
        assert!(reads("x,option.Reading=y").is_err());
    }
}
