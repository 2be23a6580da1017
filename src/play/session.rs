//! A game between a player and the engine.

use std::io::{BufRead, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::command::{Command, HELP};
use super::saving::Saved;
use super::words::{movable, moves_from, refusal};
use crate::analysis::coloured;
use crate::analysis::picture::{Picture, spoken, standing};
use crate::game::any_size::Game;
use crate::game::explain::{ending, why};
use crate::game::geometry::Square;
use crate::game::moves::Move;
use crate::game::rules::Side;
use crate::notation::{move_text, rule_words, rules_string};
use crate::search::Searcher;
use crate::search::limits::{Control, Limits};
use crate::search::score::Score;
use crate::search::strength::{FULL, Strength};

/// The longest line that is read, in bytes.
const LONGEST_LINE: u64 = 1 << 16;

/// The engine as an opponent.
pub struct Opponent {
    /// The engine.
    pub searcher: Searcher,
    /// How strong it plays, 0 to [`FULL`].
    pub level: u32,
    /// Time for a move at full strength.
    pub movetime: Duration,
}

impl Opponent {
    fn choose(&mut self, game: &Game, strength: Option<Strength>) -> (Option<Move>, Score) {
        let limits = Limits { movetime: Some(self.movetime), strength, ..Limits::default() };
        let found = self.searcher.search(game, &limits, &Control::new(false), &mut ());
        (found.best, found.score)
    }
}

/// The game and who plays it.
pub struct Session {
    first: Game,
    game: Game,
    /// The side of the player.
    side: Side,
    opponent: Opponent,
    resigned: Option<Side>,
    prompts: bool,
    /// Plies that are saved.
    saved: usize,
    /// How to take up what is not saved, for an interrupt.
    unsaved: Arc<Mutex<Option<String>>>,
}

impl Session {
    /// A game that is at `game`, with the player on `side`. `prompts`: a person is typing.
    pub fn new(
        game: Game,
        side: Side,
        opponent: Opponent,
        prompts: bool,
        unsaved: Arc<Mutex<Option<String>>>,
    ) -> Self {
        let mut first = game.clone();
        while first.plies() > 0 {
            first.undo();
        }
        Self { first, game, side, opponent, resigned: None, prompts, saved: 0, unsaved }
    }

    /// Plays until the player leaves or the input ends.
    ///
    /// # Errors
    /// If the output cannot be written, or the input cannot be read.
    pub fn run(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> anyhow::Result<()> {
        let rules = &self.game.rules().id;
        let (us, size) = (self.side.name(), self.game.size());
        writeln!(
            out,
            "{rules}, {size}x{size}. You play the {us}. Type help for what can be typed."
        )?;
        self.show(out)?;
        if let Some(outcome) = self.game.outcome() {
            writeln!(out, "the game is over: {}. new or quit?", ending(outcome))?;
        }
        loop {
            self.answer(out)?;
            self.note_unsaved();
            if self.prompts {
                write!(out, "{}> ", if self.is_over() { "game over" } else { us_to_move(self) })?;
                out.flush()?;
            }
            let Some(line) = read_line(input)? else {
                if self.prompts {
                    writeln!(out)?;
                }
                writeln!(out, "end of the input; {}", self.state_of_saving())?;
                return Ok(());
            };
            match Command::parse(&line) {
                Ok(Command::Quit) => {
                    writeln!(out, "goodbye; {}", self.state_of_saving())?;
                    return Ok(());
                }
                Ok(command) => self.carry_out(command, out)?,
                Err(error) => writeln!(out, "{error}")?,
            }
            out.flush()?;
        }
    }

    fn is_over(&self) -> bool {
        self.resigned.is_some() || self.game.outcome().is_some()
    }

    fn carry_out(&mut self, command: Command, out: &mut dyn Write) -> anyhow::Result<()> {
        let size = self.game.size();
        match command {
            Command::Board => self.show(out)?,
            Command::Move(text) => self.try_move(&text, out)?,
            Command::Hint if self.is_over() => writeln!(out, "the game is over")?,
            Command::Hint => self.hint(out)?,
            Command::Undo => self.take_back(out)?,
            Command::Moves(None) => {
                writeln!(out, "{}", movable(&self.game))?;
                let moves = self.game.legal_moves();
                let names: Vec<String> = moves.iter().map(|mv| mv.on(size).to_string()).collect();
                writeln!(out, "{} moves: {}", names.len(), names.join(" "))?;
            }
            Command::Moves(Some(text)) => match Square::parse(&text, size) {
                Some(square) => writeln!(out, "{}", moves_from(&self.game, square))?,
                None => writeln!(out, "'{}' is no square of this board", shown(&text))?,
            },
            Command::Why(text) => writeln!(out, "{}", why(&self.game, &text))?,
            Command::Rules => {
                for line in rule_words::in_words(self.game.rules()) {
                    writeln!(out, "{line}")?;
                }
            }
            Command::Fen => writeln!(out, "{}", self.game.fen())?,
            Command::Record => self.record(out)?,
            Command::Switch => {
                self.side = self.side.other();
                writeln!(out, "you play the {} now", self.side.name())?;
            }
            Command::Level(text) => match text.parse::<u32>() {
                Ok(level) if level <= FULL => {
                    self.opponent.level = level;
                    writeln!(out, "the engine plays at level {level} of {FULL}")?;
                }
                _ => writeln!(out, "'{}' is no level; expected 0 to {FULL}", shown(&text))?,
            },
            Command::Save { file, over } => self.save(&file, over, out)?,
            Command::Resign if self.is_over() => writeln!(out, "the game is over already")?,
            Command::Resign => {
                self.resigned = Some(self.side);
                // That is not in any file yet.
                self.saved = 0;
                let winner = self.side.other().name();
                writeln!(out, "you resign: the {winner} win. undo, save, new or quit?")?;
            }
            Command::New => {
                self.game = self.first.clone();
                (self.resigned, self.saved) = (None, 0);
                self.opponent.searcher.clear();
                writeln!(out, "a new game; you play the {}", self.side.name())?;
                self.show(out)?;
            }
            Command::Help => {
                for (what, meaning) in HELP {
                    writeln!(out, "{what:<15} {meaning}")?;
                }
            }
            Command::Quit => {}
        }
        Ok(())
    }

    /// The player's move.
    fn try_move(&mut self, text: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        if self.is_over() {
            writeln!(out, "the game is over; undo, save, new or quit?")?;
            return Ok(());
        }
        let squeezed: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        match self.game.read_move(&squeezed) {
            Ok(mv) => self.make(mv, "you play", out),
            Err(_) => {
                for line in refusal(&self.game, &squeezed) {
                    writeln!(out, "{line}")?;
                }
                Ok(())
            }
        }
    }

    /// Makes a move of either side and says what there is to say.
    fn make(&mut self, mv: Move, who: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        writeln!(out, "{who} {}", move_text::write(&self.game, mv))?;
        self.game.play(mv);
        if let Some(call) = self.game.call() {
            writeln!(out, "{}", spoken(call))?;
        }
        if let Some(outcome) = self.game.outcome() {
            self.show(out)?;
            let whose = match outcome.winner {
                Some(side) if side == self.side => "You have won",
                Some(_) => "You have lost",
                None => "A draw",
            };
            writeln!(out, "{whose}: {}. undo, save, new or quit?", ending(outcome))?;
        }
        Ok(())
    }

    /// The engine's moves, as long as it is its turn.
    fn answer(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        if self.is_over() || self.game.side() == self.side {
            return Ok(());
        }
        self.note_unsaved();
        out.flush()?;
        let strength = Strength::of_level(self.opponent.level);
        let (best, _) = self.opponent.choose(&self.game, strength);
        if let Some(mv) = best {
            let who = format!("the {} play", self.game.side().name());
            self.make(mv, &who, out)?;
            if !self.is_over() {
                self.show(out)?;
            }
        }
        Ok(())
    }

    fn hint(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        let (best, score) = self.opponent.choose(&self.game, None);
        if let Some(mv) = best {
            let mut picture = Picture::new(self.game.clone());
            picture.arrows.push(mv);
            for line in coloured::lines(&picture) {
                writeln!(out, "{line}")?;
            }
            let name = move_text::write(&self.game, mv);
            writeln!(out, "hint: {name} ({})", standing(self.game.side(), score))?;
        }
        Ok(())
    }

    fn take_back(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        if self.resigned.take().is_some() {
            writeln!(out, "the game goes on")?;
            return self.show(out);
        }
        // Back to the player's last turn, if there was one.
        let mut earlier = self.game.clone();
        earlier.undo();
        while earlier.plies() > 0 && earlier.side() != self.side {
            earlier.undo();
        }
        if self.game.plies() == 0 || earlier.side() != self.side {
            writeln!(out, "there is no move of yours to take back")?;
            return Ok(());
        }
        let plies = self.game.plies() - earlier.plies();
        self.game = earlier;
        self.saved = self.saved.min(self.game.plies());
        let what = if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") };
        writeln!(out, "{what} taken back")?;
        self.show(out)
    }

    fn save(&mut self, file: &str, over: bool, out: &mut dyn Write) -> anyhow::Result<()> {
        let engine = format!("konakis (level {})", self.opponent.level);
        let mut players = [engine.clone(), engine];
        if let Some(player) = players.get_mut(self.side as usize) {
            "player".clone_into(player);
        }
        let saved =
            Saved { game: &self.game, first: &self.first, players, resigned: self.resigned };
        match saved.write(file, over) {
            Ok(()) => {
                self.saved = self.game.plies();
                writeln!(out, "saved {} plies to {file}", self.saved)?;
            }
            Err(error) => writeln!(out, "{error}")?,
        }
        Ok(())
    }

    fn record(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut game = self.first.clone();
        let mut names = Vec::new();
        for mv in self.game.moves_made() {
            names.push(move_text::write(&game, mv));
            game.play(mv);
        }
        for (turn, pair) in names.chunks(2).enumerate() {
            writeln!(out, "{}. {}", turn + 1, pair.join(" "))?;
        }
        if names.is_empty() {
            writeln!(out, "no move has been made")?;
        }
        Ok(())
    }

    fn show(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        for line in coloured::lines(&Picture::new(self.game.clone())) {
            writeln!(out, "{line}")?;
        }
        Ok(())
    }

    /// What becomes of the game when the player leaves.
    fn state_of_saving(&self) -> String {
        match self.game.plies() {
            0 => "no move was made".to_owned(),
            plies if plies == self.saved => "the game is saved".to_owned(),
            plies => format!("the game ({plies} plies) was not saved"),
        }
    }

    /// Notes for an interrupt how the game can be taken up.
    fn note_unsaved(&self) {
        let plies = self.game.plies();
        let how = (plies > 0 && plies != self.saved).then(|| {
            let size = self.game.size();
            let moves: Vec<String> =
                self.game.moves_made().iter().map(|mv| mv.on(size).to_string()).collect();
            let rules = self.game.rules();
            let rules = match rules_string::write(rules) {
                Ok(text) if rules.id == crate::game::variants::CUSTOM => {
                    format!("--rules '{text}'")
                }
                _ => format!("--variant {}", rules.id),
            };
            format!(
                "konakis play {rules} --side {} --fen '{}' --moves '{}'",
                self.side.name(),
                self.first.fen(),
                moves.join(" ")
            )
        });
        *self.unsaved.lock().unwrap_or_else(PoisonError::into_inner) = how;
    }
}

fn us_to_move(session: &Session) -> &'static str {
    session.side.name()
}

/// A line of the input without its end; `None` at the end of the input. Bytes that are no UTF-8 are
/// replaced; what is longer than a line may be is cut off.
fn read_line(input: &mut dyn BufRead) -> std::io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let mut limited = std::io::Read::take(&mut *input, LONGEST_LINE);
    if limited.read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') && bytes.len() as u64 == LONGEST_LINE {
        loop {
            let available = input.fill_buf()?;
            let (used, done) = match available.iter().position(|&byte| byte == b'\n') {
                Some(at) => (at + 1, true),
                None => (available.len(), available.is_empty()),
            };
            input.consume(used);
            if done {
                break;
            }
        }
    }
    Ok(Some(String::from_utf8_lossy(&bytes).trim_end().to_owned()))
}

/// The beginning of what was typed, as it may be shown.
fn shown(text: &str) -> String {
    text.chars().take(40).flat_map(char::escape_default).collect()
}
