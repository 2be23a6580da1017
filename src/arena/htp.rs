//! HTP, the text protocol of hnefatafl.org, from the arena's side.

use std::time::{Duration, Instant};

use super::clock::TimeControl;
use super::dialect::{Dialect, Link};
use super::player::{Failure, FaultKind, Thought, Turn};
use super::process::Line;
use crate::game::rules::{Rules, Side};
use crate::game::variants::variants;
use crate::protocol::htp::message::{Command, Play, Reply, generated, play_line};

/// The dialect HTP.
#[derive(Clone, Debug, Default)]
pub struct Htp {
    /// How many of the game's moves the engine knows.
    told: usize,
}

impl Htp {
    /// Sends a line and waits for its answer.
    fn ask(
        link: &mut Link,
        line: &str,
        patience: Duration,
    ) -> Result<Option<(Reply, Instant)>, Failure> {
        link.process.send(line);
        Self::reply(link, patience)
    }

    /// The next answer; everything else that an engine prints is left aside.
    fn reply(link: &mut Link, patience: Duration) -> Result<Option<(Reply, Instant)>, Failure> {
        let deadline = Instant::now() + patience;
        while let Some(Line { text, at }) = link.process.receive(deadline)? {
            if let Some(reply) = Reply::parse(&text) {
                return Ok(Some((reply, at)));
            }
            if Instant::now() >= deadline {
                break;
            }
        }
        Ok(None)
    }

    /// Sends a command that has to succeed.
    fn command(link: &mut Link, command: &Command, patience: Duration) -> Result<(), Failure> {
        let line = command.line(link.rules.size);
        match Self::ask(link, &line, patience)? {
            Some((Reply::Success(_), _)) => Ok(()),
            Some((Reply::Failure(why), _)) => {
                let sentence = format!("it answers '{why}' to '{line}'{}", Self::status(link));
                Err(FaultKind::Refusal.because(sentence).into())
            }
            None => {
                let sentence = format!("no answer to '{line}' within {} ms", patience.as_millis());
                Err(FaultKind::NotReady.because(sentence).into())
            }
        }
    }

    /// What the engine thinks has come of the game, if it thinks that it is over.
    fn status(link: &mut Link) -> String {
        let patience = link.patience.ping;
        match Self::ask(link, &Command::FinalStatus.line(link.rules.size), patience) {
            Ok(Some((Reply::Success(status), _))) if status != "ongoing" => {
                format!("; to it the game is over ({status})")
            }
            _ => String::new(),
        }
    }
}

/// The rule set by which engines play on boards of this size.
fn own_rules(size: usize) -> Option<&'static Rules> {
    let own = variants().iter().filter(|rules| rules.id.starts_with("htp-"));
    own.map(AsRef::as_ref).find(|rules| rules.size == size)
}

/// The times of the protocol, whole minutes and seconds; `None` where it cannot say them.
fn times(control: TimeControl) -> Option<[u32; 2]> {
    let TimeControl { moves, base, increment } = control;
    let whole = base.as_secs().is_multiple_of(60)
        && base.subsec_nanos() == 0
        && increment.subsec_nanos() == 0;
    if moves.is_some() || !whole {
        return None;
    }
    Some([u32::try_from(base.as_secs() / 60).ok()?, u32::try_from(increment.as_secs()).ok()?])
}

impl Dialect for Htp {
    fn start(&mut self, link: &mut Link) -> Result<Vec<String>, Failure> {
        let failed = |sentence: String| Failure::from(FaultKind::StartFailed.because(sentence));
        let (size, id) = (link.rules.size, link.rules.id.clone());
        let Some(own) = own_rules(size) else {
            return Err(failed(format!(
                "HTP knows no board of {size}x{size}; expected 7, 11 or 13"
            )));
        };
        if own.start != link.rules.start {
            return Err(failed(format!(
                "HTP knows no other start position than that of {}",
                own.id
            )));
        }
        let patience = link.patience.start;
        let mut notes = Vec::new();
        match Self::ask(link, &Command::Name.line(size), patience)? {
            Some((Reply::Success(name), _)) => log::info!("HTP engine '{name}'"),
            Some((Reply::Failure(why), _)) => notes.push(format!("has no name: {why}")),
            None => {
                let sentence = format!("no answer to 'name' within {} ms", patience.as_millis());
                return Err(FaultKind::NotReady.because(sentence).into());
            }
        }
        if own.id != id {
            notes.push(format!("plays by {}; the games are judged by {id}", own.id));
        }
        for (name, _) in &link.spec.options {
            notes.push(format!("has no options: {name} is left out"));
        }
        let limits = link.spec.limits;
        if limits.clock.and_then(times).is_none() {
            notes
                .push("is told no time: the protocol knows tc=60·MINUTES+SECONDS alone".to_owned());
        }
        Ok(notes)
    }

    fn new_game(&mut self, link: &mut Link) -> Result<(), Failure> {
        self.told = 0;
        let patience = link.patience.new_game;
        Self::command(link, &Command::BoardSize(link.rules.size), patience)?;
        let times = link.spec.limits.clock.and_then(times);
        Self::command(link, &Command::TimeSettings(times), patience)?;
        Self::command(link, &Command::FirstMove(link.rules.first), patience)
    }

    fn think(&mut self, link: &mut Link, turn: &Turn<'_>) -> Result<Thought, Failure> {
        let game = turn.game;
        let size = game.size();
        if turn.fen.is_some() {
            let sentence = "HTP knows no positions; expected openings of moves alone";
            return Err(FaultKind::StartFailed.because(sentence).into());
        }
        let first = |ply: usize| if ply.is_multiple_of(2) { Some(link.rules.first) } else { None };
        let sides: Vec<Side> =
            (0..game.plies()).map(|ply| first(ply).unwrap_or(link.rules.first.other())).collect();
        for (mv, side) in game.moves_made().into_iter().zip(sides).skip(self.told) {
            let patience = link.patience.ping;
            Self::command(link, &Command::Play(side, Play::Move(mv)), patience)?;
        }
        let asked = Instant::now();
        let patience = turn.budget.unwrap_or(link.patience.untimed);
        let mut answer = Self::ask(link, &Command::GenerateMove.line(size), patience)?;
        if answer.is_none() && turn.budget.is_some() {
            // The game is lost; how late the answer is says more than that there is none.
            answer = Self::reply(link, link.patience.late)?;
        }
        let (text, at) = match answer {
            Some((Reply::Success(text), at)) => (text, at),
            Some((Reply::Failure(why), _)) => {
                let sentence = format!("no move: '{why}'{}", Self::status(link));
                return Err(FaultKind::Refusal.because(sentence).into());
            }
            None => {
                let waited = asked.elapsed().as_millis();
                return Err(FaultKind::Stall.because(format!("no move after {waited} ms")).into());
            }
        };
        self.told = game.plies() + 1;
        let mv = match generated(&text, size) {
            Ok((side, Play::Move(mv))) if side == game.side() => mv.on(size).to_string(),
            Ok((side, play)) if side == game.side() => {
                let line = play_line(side, play, size);
                return Err(FaultKind::NoMove.because(format!("it gives up: {line}")).into());
            }
            // The referee says what is wrong with it.
            _ => text,
        };
        let elapsed = at.saturating_duration_since(asked);
        Ok(Thought { mv, elapsed, score: None, depth: None, nodes: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_whole() {
        let times = |text: &str| times(TimeControl::parse(text).unwrap());
        assert_eq!(times("60+2"), Some([1, 2]));
        assert_eq!(times("900+0"), Some([15, 0]));
        assert_eq!(times("0+3"), Some([0, 3]));
        for text in ["61+2", "60+0.5", "0.5+1", "40/60+0"] {
            assert_eq!(times(text), None, "{text}");
        }
    }

    #[test]
    fn three_boards_are_known() {
        for (size, id) in [(7, "htp-brandubh"), (11, "htp-copenhagen"), (13, "htp-13")] {
            assert_eq!(own_rules(size).map(|rules| rules.id.as_str()), Some(id));
        }
        assert!(own_rules(9).is_none());
    }
}
