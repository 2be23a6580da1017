//! One game, by the exact rules of this project and nobody's word.

use std::time::{Duration, Instant};

use super::adjudication::{Adjudicator, DrawRule, ResignRule, Ruling};
use super::clock::{PlayerClock, allowance};
use super::openings::Opening;
use super::player::{Failure, Fault, FaultKind, Player, Turn};
use super::result::{Ending, GameResult, Overrun, Played, PlayedMove, RulesEnding};
use super::schedule::Slot;
use super::spec::TurnLimits;
use crate::game::any_size::{Game, MoveError};
use crate::game::rules::Side;

/// What holds for every game of a match.
#[derive(Clone, Debug)]
pub struct Terms {
    /// How much a player may overrun its time.
    pub margin: Duration,
    /// A game of so many plies is drawn.
    pub max_plies: usize,
    /// When a game is given up.
    pub resign: Option<ResignRule>,
    /// When a game is given as drawn.
    pub draw: Option<DrawRule>,
}

/// A player at the board, or why there is none.
pub type Seat = Result<Box<dyn Player>, (Failure, Vec<String>)>;

/// Plays a game. A player that is to blame for its end is gone from its seat.
///
/// `None` if the game was called off.
pub fn play(
    slot: Slot,
    opening: &Opening,
    start: &Game,
    limits: [&TurnLimits; 2],
    terms: &Terms,
    seats: &mut [Seat; 2],
) -> Option<Played> {
    let mut table = Table {
        game: opening.game(start),
        fen: opening.fen.as_deref(),
        limits,
        terms,
        clocks: limits.map(PlayerClock::new),
        judge: Adjudicator::new(terms.resign, terms.draw),
        moves: Vec::new(),
        overruns: Vec::new(),
    };
    let began = Instant::now();
    let (winner, ending, fault) = match table.play(slot.number, seats) {
        End::Over(winner, ending) => (winner, ending, None),
        End::CalledOff => return None,
        End::Fault(side, fault) => {
            let seat = match side {
                Side::Attackers => &mut seats[0],
                Side::Defenders => &mut seats[1],
            };
            let gone = Err((Failure::Fault(fault.clone()), Vec::new()));
            let conversation = match std::mem::replace(seat, gone) {
                Ok(player) => player.conversation(),
                Err((_, conversation)) => conversation,
            };
            let kind = fault.kind;
            (Some(side.other()), Ending::Fault(kind), Some((fault, conversation)))
        }
    };
    let book = opening.moves.iter();
    let book = book.map(|&mv| PlayedMove { mv, time: None, score: None, depth: None, nodes: None });
    let largest = |side| {
        let of_side = table.overruns.iter().filter(|overrun| overrun.side == side);
        of_side.map(|overrun| overrun.by).max().unwrap_or_default()
    };
    let overruns = [largest(Side::Attackers), largest(Side::Defenders)];
    let plies = table.game.plies();
    Some(Played {
        result: GameResult { slot, winner, ending, plies, overruns },
        fen: opening.fen.clone(),
        moves: book.chain(table.moves).collect(),
        opening_plies: opening.moves.len(),
        overruns: table.overruns,
        fault,
        time: began.elapsed(),
    })
}

enum End {
    Over(Option<Side>, Ending),
    Fault(Side, Fault),
    CalledOff,
}

impl End {
    fn failure(side: Side, failure: Failure) -> Self {
        match failure {
            Failure::Fault(fault) => Self::Fault(side, fault),
            Failure::Cancelled => Self::CalledOff,
        }
    }
}

struct Table<'a> {
    game: Game,
    fen: Option<&'a str>,
    limits: [&'a TurnLimits; 2],
    terms: &'a Terms,
    clocks: [Option<PlayerClock>; 2],
    judge: Adjudicator,
    moves: Vec<PlayedMove>,
    overruns: Vec<Overrun>,
}

impl Table<'_> {
    fn play(&mut self, number: usize, seats: &mut [Seat; 2]) -> End {
        let [attackers, defenders] = seats;
        for (side, seat) in [(Side::Attackers, &mut *attackers), (Side::Defenders, &mut *defenders)]
        {
            let ready = match seat {
                Ok(player) => player.new_game(number),
                Err((failure, _)) => Err(failure.clone()),
            };
            if let Err(failure) = ready {
                return End::failure(side, failure);
            }
        }
        loop {
            if let Some(outcome) = self.game.outcome() {
                return End::Over(outcome.winner, Ending::Rules(RulesEnding(outcome.reason)));
            }
            if self.game.plies() >= self.terms.max_plies {
                return End::Over(None, Ending::MaxPlies);
            }
            let side = self.game.side();
            let seat = if side == Side::Attackers { &mut *attackers } else { &mut *defenders };
            let end = match seat {
                Ok(player) => self.turn(side, player.as_mut()),
                Err((failure, _)) => Some(End::failure(side, failure.clone())),
            };
            if let Some(end) = end {
                return end;
            }
        }
    }

    /// One move; `None` if the game goes on.
    fn turn(&mut self, side: Side, player: &mut dyn Player) -> Option<End> {
        let limits = self.limits[side as usize];
        let allowed = allowance(limits, self.clocks[side as usize].as_ref());
        let budget = allowed.map(|allowed| allowed + self.terms.margin);
        let turn = Turn { game: &self.game, fen: self.fen, clocks: self.clocks, limits, budget };
        let thought = match player.think(&turn) {
            Ok(thought) => thought,
            Err(failure) => return Some(End::failure(side, failure)),
        };
        if let Some(by) = allowed.and_then(|allowed| thought.elapsed.checked_sub(allowed))
            && !by.is_zero()
        {
            self.overruns.push(Overrun { side, ply: self.game.plies() + 1, by });
            if by > self.terms.margin {
                let late = format!("{:.1} ms over the time", by.as_secs_f64() * 1e3);
                return Some(End::Fault(side, FaultKind::TimeForfeit.because(late)));
            }
        }
        let mv = match self.game.read_move(&thought.mv) {
            Ok(mv) => mv,
            Err(error) => return Some(End::Fault(side, wrong_move(&thought.mv, &error))),
        };
        if let Some(clock) = &mut self.clocks[side as usize] {
            clock.moved(thought.elapsed);
        }
        self.game.play(mv);
        self.moves.push(PlayedMove {
            mv,
            time: Some(thought.elapsed),
            score: thought.score,
            depth: thought.depth,
            nodes: thought.nodes,
        });
        // What the rules decide goes before what the engines believe.
        let ruling = self.judge.hear(side, thought.score).filter(|_| self.game.outcome().is_none());
        ruling.map(|ruling| match ruling {
            Ruling::Win(winner) => End::Over(Some(winner), Ending::AdjudicatedWin),
            Ruling::Draw => End::Over(None, Ending::AdjudicatedDraw),
        })
    }
}

fn wrong_move(text: &str, error: &MoveError) -> Fault {
    match (text, error) {
        ("" | "(none)" | "none" | "0000", _) => {
            FaultKind::NoMove.because(format!("bestmove '{text}' though there are legal moves"))
        }
        (_, MoveError::Malformed(_)) => FaultKind::MalformedMove.because(error.to_string()),
        (_, MoveError::Illegal(_)) => FaultKind::IllegalMove.because(error.to_string()),
    }
}
