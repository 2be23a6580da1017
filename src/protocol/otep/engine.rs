//! The engine: what the host has set up, and what is being thought about.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use super::super::error::shown;
use super::super::output::Output;
use super::super::thinker::{Thinker, Thought};
use super::clock::Clock;
use super::message::{ToEngine, ToHost, read_move, simple_move};
use super::{Event, Next, Settings, as_opentafl_plays};
use crate::game::any_size::Game;
use crate::game::moves::Move;
use crate::game::rules::{Repetition, RepetitionResult, Rules, Side};
use crate::notation::rules_string::{self, read_position};
use crate::search::limits::{Info, Limits};
use crate::search::score::ScoreKind;

/// The host's clock may come just behind the `play` it belongs to.
const CLOCK_MAY_FOLLOW: Duration = Duration::from_millis(20);
/// What a proven win counts in an analysis, less its distance in plies.
const PROVEN: f64 = 30_000.0;
/// No analysis takes longer (a day, in seconds).
const LONGEST_ANALYSIS: u64 = 24 * 3600;

/// What the host waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Work {
    Move(Side),
    Analysis { lines: usize, seconds: u64 },
}

pub struct Engine<W> {
    settings: Settings,
    output: Output<W>,
    events: Sender<Event>,
    thinker: Thinker,
    game: Option<Game>,
    clock: Option<Clock>,
    /// Has the clock come since the last `play`?
    clock_is_new: bool,
    /// Asked for, but the clock may still come.
    asked: Option<(Work, Instant)>,
    /// What is thought about, and the number of that search.
    work: Option<Work>,
    number: u64,
    /// Our last move, until the host has said whether it was made.
    sent: Option<Move>,
    /// Moves that the host has refused in this position.
    refused: Vec<Move>,
}

impl<W: Write> Engine<W> {
    pub fn new(settings: Settings, output: Output<W>, events: Sender<Event>) -> Self {
        Self {
            settings,
            output,
            events,
            thinker: Thinker::new(settings.means),
            game: None,
            clock: None,
            clock_is_new: false,
            asked: None,
            work: None,
            number: 0,
            sent: None,
            refused: Vec::new(),
        }
    }

    /// Does what a line asks for.
    pub fn hear(&mut self, line: &str, arrived: Instant) -> io::Result<Next> {
        self.output.heard(line);
        let message = match ToEngine::parse(line) {
            Ok(Some(message)) => message,
            Ok(None) => return Ok(self.next()),
            Err(why) => {
                self.complain(&why)?;
                return Ok(self.next());
            }
        };
        match message {
            ToEngine::Hello => {}
            ToEngine::Rules(text) => self.rules(&text)?,
            ToEngine::Position(text) => self.position(&text)?,
            ToEngine::Side(side) => self.side(side)?,
            ToEngine::Clock(clock) => {
                self.clock = Some(clock);
                self.clock_is_new = true;
                self.begin()?;
            }
            ToEngine::Play(side) => self.ask(Work::Move(side), arrived)?,
            ToEngine::Analyze { lines, seconds } => {
                self.ask(Work::Analysis { lines, seconds }, arrived)?;
            }
            ToEngine::Moved(position) => self.moved(&position)?,
            ToEngine::OpponentMove { moves, position } => {
                self.opponent_move(&moves, position.as_deref())?;
            }
            ToEngine::Error(code) => self.error(code)?,
            ToEngine::Finish(_) => {
                self.call_off();
                self.clock = None;
            }
            ToEngine::Goodbye => return Ok(Next::Leave),
        }
        Ok(self.next())
    }

    fn next(&self) -> Next {
        match self.asked {
            Some((_, since)) => Next::ListenFor(CLOCK_MAY_FOLLOW.saturating_sub(since.elapsed())),
            None => Next::Listen,
        }
    }

    /// The time in which the clock could have come is over.
    pub fn waited(&mut self) -> io::Result<Next> {
        self.begin()?;
        Ok(self.next())
    }

    /// Says that the conversation cannot go on.
    pub fn fail(&mut self, text: &str) -> io::Result<()> {
        self.say(&ToHost::Error { fatal: true, text: text.to_owned() })
    }

    fn say(&mut self, message: &ToHost) -> io::Result<()> {
        self.output.say(&message.to_string())
    }

    fn complain(&mut self, text: &str) -> io::Result<()> {
        // A host splits what it reads at line ends and reads ASCII.
        let text = text.chars().map(|c| if c == ' ' || c.is_ascii_graphic() { c } else { '?' });
        self.say(&ToHost::Error { fatal: false, text: text.collect() })
    }

    fn status(&mut self, text: &str) -> io::Result<()> {
        self.say(&ToHost::Status(text.to_owned()))
    }

    /// Ends what is thought about: the host no longer waits for it.
    fn call_off(&mut self) {
        self.thinker.call_off();
        self.asked = None;
        self.work = None;
        self.number += 1;
    }

    fn rules(&mut self, text: &str) -> io::Result<()> {
        self.call_off();
        self.clock = None;
        self.forget_moves();
        self.thinker.new_game();
        self.game = None;
        let rules = match rules_string::read(text) {
            Ok(rules) => rules,
            Err(error) => return self.complain(&error.to_string()),
        };
        let (rules, notes) = match self.settings.by_the_text {
            true => (rules, Vec::new()),
            false => as_opentafl_plays(&rules),
        };
        match Game::start(Arc::new(rules)) {
            Ok(game) => self.game = Some(game),
            Err(error) => return self.complain(&format!("starti: {error}")),
        }
        if notes.is_empty() {
            return Ok(());
        }
        self.status(&format!("playing by OpenTafl's own rules: {}", notes.join("; ")))
    }

    fn forget_moves(&mut self) {
        self.sent = None;
        self.refused.clear();
    }

    fn position(&mut self, text: &str) -> io::Result<()> {
        self.call_off();
        let Some(game) = &self.game else { return self.no_rules() };
        let (side, in_game) = (game.side(), game.plies() > 0);
        self.forget_moves();
        if self.take_position(text, side)? && in_game {
            self.status("the host's position is not the one of this game and counts from now on")?;
        }
        Ok(())
    }

    fn side(&mut self, side: Side) -> io::Result<()> {
        self.call_off();
        let Some(game) = &self.game else { return self.no_rules() };
        if game.side() != side {
            let fen = format!("{} {}", game.placement(), side.letter());
            self.set_up(&fen)?;
        }
        Ok(())
    }

    /// Sets up the host's position with this side to move, unless it is the present one. Was it
    /// another?
    fn take_position(&mut self, text: &str, side: Side) -> io::Result<bool> {
        let Some(game) = &self.game else { return Ok(false) };
        match read_position(text) {
            Ok(placement) if game.placement() == placement && game.side() == side => Ok(false),
            Ok(placement) => self.set_up(&format!("{placement} {}", side.letter())),
            Err(why) => self.complain(&format!("position: {why}")).map(|()| false),
        }
    }

    /// Sets up a position. Was that possible?
    fn set_up(&mut self, fen: &str) -> io::Result<bool> {
        let Some(game) = &self.game else { return Ok(false) };
        match game.with_fen(fen) {
            Ok(game) => {
                self.game = Some(game);
                Ok(true)
            }
            Err(error) => self.complain(&format!("position: {error}")).map(|()| false),
        }
    }

    fn no_rules(&mut self) -> io::Result<()> {
        self.complain("there are no rules that can be played; expected rules and a rules string")
    }

    /// Our move was made: the host shows the board after it.
    fn moved(&mut self, position: &str) -> io::Result<()> {
        self.sent = None;
        self.refused.clear();
        let Some(side) = self.game.as_ref().map(Game::side) else { return self.no_rules() };
        if self.take_position(position, side)? {
            self.status("the host's board after our move is another one and counts")?;
        }
        Ok(())
    }

    fn opponent_move(&mut self, records: &[String], position: Option<&str>) -> io::Result<()> {
        self.call_off();
        let Some(game) = &self.game else { return self.no_rules() };
        let placement = position.map(read_position);
        let mover = mover(game, records);
        if placement.as_ref().is_some_and(|text| text.as_ref() == Ok(&game.placement()))
            && game.side() != mover
        {
            // It comes again after an error.
            return Ok(());
        }
        let mut next = game.clone();
        let mut all_legal = game.side() == mover;
        for record in records {
            match read_move(record, game.size()).filter(|&mv| next.is_legal(mv)) {
                Some(mv) => next.play(mv),
                None => all_legal = false,
            }
        }
        self.forget_moves();
        match placement {
            None if all_legal => self.game = Some(next),
            None => {
                let text = shown(&records.join("|"));
                return self.complain(&format!("opponent-move: '{text}' is not legal here"));
            }
            Some(Ok(placement)) if all_legal && next.placement() == placement => {
                self.game = Some(next);
            }
            Some(Ok(placement)) => {
                let fen = format!("{placement} {}", mover.other().letter());
                if self.set_up(&fen)? {
                    self.status("the host's board after its move is another one and counts")?;
                }
            }
            Some(Err(why)) => return self.complain(&format!("opponent-move: {why}")),
        }
        Ok(())
    }

    /// The host did not make our move: it is taken back and not tried again.
    fn error(&mut self, code: i64) -> io::Result<()> {
        let Some(mv) = self.sent.take() else { return Ok(()) };
        let Some(game) = &mut self.game else { return Ok(()) };
        if game.plies() > 0 {
            game.undo();
        }
        let text = simple_move(mv, game.size());
        self.refused.push(mv);
        self.status(&format!("the host refuses {text} (error {code})"))
    }

    /// Begins when the clock is there, or has had its time to come.
    fn ask(&mut self, work: Work, arrived: Instant) -> io::Result<()> {
        self.call_off();
        if self.game.is_none() {
            return self.no_rules();
        }
        self.asked = Some((work, arrived));
        let waits = matches!(work, Work::Move(_)) && !self.clock_is_new;
        if waits { Ok(()) } else { self.begin() }
    }

    /// Begins with what was asked for.
    fn begin(&mut self) -> io::Result<()> {
        let Some((work, start)) = self.asked.take() else { return Ok(()) };
        self.clock_is_new = false;
        if let Work::Move(side) = work {
            let fen = self.game.as_ref().filter(|game| game.side() != side);
            let fen = fen.map(|game| format!("{} {}", game.placement(), side.letter()));
            if let Some(fen) = fen {
                self.set_up(&fen)?;
            }
        }
        let Some(game) = self.game.as_ref() else { return self.no_rules() };
        let game = playable(game);
        let mut limits = match work {
            Work::Move(side) => match &self.clock {
                Some(clock) => clock.limits(side, start),
                None => {
                    Limits { start, movetime: Some(self.settings.movetime), ..Limits::default() }
                }
            },
            Work::Analysis { lines, seconds } => {
                let time = Duration::from_secs(seconds.min(LONGEST_ANALYSIS));
                Limits { start, movetime: Some(time), multi_pv: lines, ..Limits::default() }
            }
        };
        let mut moves = game.legal_moves();
        moves.retain(|mv| !self.refused.contains(mv));
        if moves.is_empty() && matches!(work, Work::Move(_)) {
            return self.complain("play: there is no legal move");
        }
        limits.multi_pv = limits.multi_pv.clamp(1, moves.len().max(1));
        if !self.refused.is_empty() {
            limits.search_moves = Some(moves);
        }
        self.work = Some(work);
        self.number += 1;
        let (number, events) = (self.number, self.events.clone());
        self.thinker.start(&game, limits, move |thought| {
            let _ = events.send(Event::Thought(number, thought));
        })
    }

    /// A search has ended.
    pub fn thought(&mut self, number: u64, thought: &Thought) -> io::Result<Next> {
        if number == self.number
            && let Some(work) = self.work.take()
        {
            match work {
                Work::Move(_) => self.answer(thought)?,
                Work::Analysis { .. } => self.analysis(thought)?,
            }
        }
        Ok(self.next())
    }

    fn answer(&mut self, thought: &Thought) -> io::Result<()> {
        let (Some(mv), Some(game)) = (thought.best, &mut self.game) else {
            return self.complain("play: there is no legal move");
        };
        let size = game.size();
        let side = game.side();
        game.play(mv);
        self.sent = Some(mv);
        if let Some(line) = thought.lines.first() {
            let Info { depth, nodes, .. } = line;
            let score = score(line, side);
            self.status(&format!("depth {depth}, {nodes} nodes, {score} for the attackers"))?;
        }
        self.say(&ToHost::Move(simple_move(mv, size)))
    }

    fn analysis(&mut self, thought: &Thought) -> io::Result<()> {
        let Some(game) = &self.game else { return self.no_rules() };
        let (size, side) = (game.size(), game.side());
        let lines = thought.lines.iter().filter(|line| !line.pv.is_empty()).map(|line| {
            (line.pv.iter().map(|&mv| simple_move(mv, size)).collect(), score(line, side))
        });
        self.say(&ToHost::Analysis(lines.collect()))
    }
}

/// Whose piece it is that the last of the moves moves, or has moved.
fn mover(game: &Game, records: &[String]) -> Side {
    let mv = records.last().and_then(|record| read_move(record, game.size()));
    let piece = mv.and_then(|mv| game.piece_at(mv.from).or_else(|| game.piece_at(mv.to)));
    piece.map_or(game.side(), |kind| kind.side())
}

/// The score of a line for the attackers.
fn score(line: &Info, side: Side) -> f64 {
    let value = match line.score.kind() {
        ScoreKind::Centipawns(value) => f64::from(value),
        ScoreKind::Win(plies) => PROVEN - f64::from(plies),
        ScoreKind::Loss(plies) => f64::from(plies) - PROVEN,
    };
    // Not -0.
    if side == Side::Attackers { value } else { 0.0 - value }
}

/// The game or, if it has ended and the host plays on, its position under rules that end less.
fn playable(game: &Game) -> Game {
    if !game.legal_moves().is_empty() {
        return game.clone();
    }
    let rules = game.rules();
    let relaxed = Rules {
        exit_fort: false,
        encirclement: false,
        draw_after: None,
        defenders_may_not_repeat: false,
        repetition: Repetition { limit: 0, result: RepetitionResult::Draw, ..rules.repetition },
        ..(**rules).clone()
    };
    let relaxed = Game::start(Arc::new(relaxed)).and_then(|start| start.with_fen(&game.fen()));
    relaxed.unwrap_or_else(|_| game.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variants::variant;
    use crate::notation::rules_string::write_position;

    #[test]
    fn a_host_may_play_on() {
        let start = Game::start(variant("copenhagen").unwrap()).unwrap();
        // The defenders are cut off from the edge.
        let fen = "11/11/3aaaaa3/3a3a3/3a1d1a3/3a1k1a3/3a3a3/3aaaaa3/11/11/11 d";
        let over = start.with_fen(fen).unwrap();
        assert!(over.legal_moves().is_empty());
        assert!(!playable(&over).legal_moves().is_empty());
        assert_eq!(playable(&start).fen(), start.fen());
        let position = write_position(&over.placement());
        assert_eq!(read_position(&position), Ok(over.placement()));
    }
}
