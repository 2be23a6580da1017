//! The log files of the Tablut Challenge's referee (Java logging, messages in Italian).
//!
//! A line with the time and the place in the program, then one with the level and the message:
//! `BUONO: Turn: W Pawn from e4 to f4`. Level and time are in the language of the machine, so only
//! messages are looked at. After `Stato:` the board follows, **rank 1 first**, then `-` and who is
//! to move (`W`, `B`) or how the game has ended (`WW`, `BW`, `D`). Moves that the referee refuses
//! are left out.

use super::move_text::soldiers_captured;
use super::place::{Place, TextError, shown};
use super::recorded::{Entry, RecordedGame};
use crate::game::any_size::Game;
use crate::game::geometry::Square;
use crate::game::rules::{Kind, Side};

/// Squares on a side of the board.
const SIZE: usize = 9;
/// The rule set that the referee plays.
const VARIANT: &str = "tablut-ashton";
const PLAYERS: &str = "Players:";
const BEGINS: &str = "Inizio partita";
const MOVE: &str = "Turn: ";
const MOVED: &str = "Movimento pedina";
const BOARD: &str = "Stato:";
const CAPTURED: &str = " rimossa in: ";
const REPEATED: &str = "Partita terminata in pareggio";
/// How the messages begin with which the referee refuses a move.
const REFUSALS: [&str; 4] = ["Mossa ", "Nessuna mossa", "Formato mossa errato", "Giocatore "];

/// Does a line stand in such a log and in nothing else?
pub fn is_line(line: &str) -> bool {
    line.contains("GameAshtonTablut") || line.contains(" Pawn from ") || line.contains(BEGINS)
}

/// A move that the referee has been told.
struct Pending {
    word: String,
    captures: Vec<String>,
    place: Place,
}

/// Reads all games of a log.
pub fn read(text: &str) -> Vec<Result<Entry, TextError>> {
    let mut reader = Reader { games: Vec::new(), entry: None, told: None, made: None };
    let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line));
    while let Some((number, line)) = lines.next() {
        if let Err(error) = reader.line(number, line, &mut lines) {
            reader.entry = None;
            reader.told = None;
            reader.made = None;
            reader.games.push(Err(error));
            // What is left of a broken game is no game.
            for (number, line) in lines.by_ref() {
                if line.contains(PLAYERS) {
                    reader.begin(number, line);
                    break;
                }
            }
        }
    }
    reader.end();
    reader.games
}

struct Reader {
    games: Vec<Result<Entry, TextError>>,
    entry: Option<Entry>,
    /// Said by a player, not yet made.
    told: Option<Pending>,
    /// Made; captures may follow.
    made: Option<Pending>,
}

impl Reader {
    fn line<'a>(
        &mut self,
        number: usize,
        line: &str,
        rest: &mut impl Iterator<Item = (usize, &'a str)>,
    ) -> Result<(), TextError> {
        let message = line.split_once(": ").map_or(line, |(_, message)| message);
        if line.contains(PLAYERS) {
            self.begin(number, line);
        } else if line.contains(BEGINS) {
            // The players may have been named just before.
            if self.entry.as_ref().is_none_or(|entry| self.has_begun(entry)) {
                self.end();
            }
            self.entry(number);
        } else if let Some(at) = line.find(MOVE).filter(|_| line.contains(" Pawn from ")) {
            self.commit();
            self.entry(number);
            self.told = Some(told(line, at, number)?);
        } else if line.contains(MOVED) {
            self.commit();
        } else if REFUSALS.iter().any(|refusal| message.starts_with(refusal)) {
            if self.told.take().is_some() {
                self.set("termination", "illegal move");
            }
        } else if let Some((_, square)) = line.split_once(CAPTURED) {
            if let Some(made) = self.told.as_mut().or(self.made.as_mut()) {
                made.captures.push(square.trim().to_owned());
            }
        } else if line.contains(REPEATED) {
            self.set("result", "0");
        } else if line.trim_end().ends_with(BOARD) {
            self.commit();
            self.flush();
            self.board(number, rest)?;
        }
        Ok(())
    }

    fn has_begun(&self, entry: &Entry) -> bool {
        !entry.record.moves.is_empty() || self.made.is_some() || entry.start.is_some()
    }

    /// A new game, whose players are on this line.
    fn begin(&mut self, number: usize, line: &str) {
        self.end();
        let names = line.split_once("White:").map_or("", |(_, names)| names);
        let (white, black) = names.split_once("\tvs\t").unwrap_or((names, ""));
        for (tag, name) in [("attackers", black), ("defenders", white)] {
            self.entry(number);
            if !name.trim().is_empty() {
                self.set(tag, name.trim());
            }
        }
    }

    fn entry(&mut self, number: usize) -> &mut Entry {
        self.entry.get_or_insert_with(|| {
            let place = Place { line: number, column: 1 };
            Entry { variant: Some(VARIANT), ..Entry::new(place) }
        })
    }

    fn set(&mut self, tag: &str, value: &str) {
        if let Some(entry) = &mut self.entry {
            entry.record.tags.retain(|(name, _)| name != tag);
            entry.record.set(tag, value);
        }
    }

    /// The move that was told has been made.
    fn commit(&mut self) {
        if let Some(told) = self.told.take() {
            self.flush();
            self.made = Some(told);
        }
    }

    /// Nothing more is said of the move that was made last.
    fn flush(&mut self) {
        if let (Some(made), Some(entry)) = (self.made.take(), self.entry.as_mut()) {
            let taken = if made.captures.is_empty() { "" } else { "x" };
            entry.push(&format!("{}{taken}{}", made.word, made.captures.join("/")), made.place);
        }
    }

    fn end(&mut self) {
        // Nothing says that a last move without an answer was made.
        self.told = None;
        self.flush();
        if let Some(entry) = self.entry.take() {
            self.games.push(Ok(entry));
        }
    }

    /// The board behind `Stato:`.
    fn board<'a>(
        &mut self,
        number: usize,
        rest: &mut impl Iterator<Item = (usize, &'a str)>,
    ) -> Result<(), TextError> {
        let first = number + 1;
        let mut ranks = Vec::new();
        for _ in 0..SIZE {
            let Some((number, line)) = rest.next() else { return Ok(()) };
            ranks.push(rank(line.trim_end(), number)?);
        }
        ranks.reverse();
        let board = ranks.join("/");
        // A dash, then whose turn it is.
        let turn = rest.nth(1).map_or("", |(_, turn)| turn.trim());
        match turn {
            "WW" => self.set("result", "-1"),
            "BW" => self.set("result", "1"),
            "D" => self.set("result", "0"),
            _ => {}
        }
        let place = Place { line: first, column: 1 };
        let entry = self.entry(number);
        if entry.record.moves.is_empty() && entry.start.is_none() {
            let side = if turn == "B" { Side::Attackers } else { Side::Defenders };
            entry.start = Some((format!("{board} {}", side.letter()), place));
        } else {
            entry.boards.push((entry.record.moves.len(), board, place));
        }
        Ok(())
    }
}

/// `Turn: W Pawn from e4 to f4`, which begins at a byte of a line.
fn told(line: &str, at: usize, number: usize) -> Result<Pending, TextError> {
    let column = line.get(..at).map_or(0, |before| before.chars().count()) + 1;
    let place = Place { line: number, column };
    let words: Vec<&str> = line.get(at..).unwrap_or("").split_whitespace().collect();
    match words.as_slice() {
        ["Turn:", _, "Pawn", "from", from, "to", to, ..] => {
            Ok(Pending { word: format!("{from}-{to}"), captures: Vec::new(), place })
        }
        _ => {
            let what = format!("'{}'; expected 'Turn: W Pawn from e4 to f4'", shown(line.trim()));
            Err(TextError { place, what })
        }
    }
}

/// A line of a board as a rank of a FEN.
fn rank(line: &str, number: usize) -> Result<String, TextError> {
    let wrong = |column: usize, what: String| {
        let what = format!("{what}; expected {SIZE} of the letters O, B, W, K, T");
        Err(TextError { place: Place { line: number, column }, what })
    };
    if line.chars().count() != SIZE {
        return wrong(1, format!("'{}' is no rank of the board", shown(line)));
    }
    let mut text = String::new();
    let mut empty = 0;
    for (file, c) in line.chars().enumerate() {
        let man = match c {
            // The throne that the king has left.
            'O' | 'T' => None,
            'B' => Some(Kind::Attacker),
            'W' => Some(Kind::Defender),
            'K' => Some(Kind::King),
            c => return wrong(file + 1, format!("'{c}' is nothing on the board")),
        };
        let Some(man) = man else {
            empty += 1;
            continue;
        };
        if empty > 0 {
            text += &std::mem::take(&mut empty).to_string();
        }
        text.push(man.letter());
    }
    if empty > 0 {
        text += &empty.to_string();
    }
    Ok(text)
}

/// The game as such a log, all of it at one time.
///
/// # Errors
/// If the board has another size.
pub fn write(game: &RecordedGame) -> Result<String, String> {
    let size = game.first.size();
    if size != SIZE {
        return Err(format!("a board of {size}x{size}; such a log has {SIZE}x{SIZE}"));
    }
    let mut text = String::new();
    let mut log = |place: &str, message: &str| {
        const CLASS: &str = "it.unibo.ai.didattica.competition.tablut.domain.GameAshtonTablut";
        text += &format!("Jan 01, 1970 12:00:00 AM {CLASS} {place}\nFINE: {message}\n");
    };
    let player = |tag: &str| game.tag(tag).unwrap_or("?").replace(['\t', '\n'], " ");
    let (white, black) = (player("defenders"), player("attackers"));
    log("<init>", &format!("{PLAYERS}\tWhite:\t{white}\tvs\t{black}"));
    log("<init>", BEGINS);
    let mut now = game.first.clone();
    let turn = |side: Side| if side == Side::Attackers { "B" } else { "W" };
    log("<init>", &format!("{BOARD}\n{}-\n{}", board_text(&now, None), turn(now.side())));
    for (i, &mv) in game.moves.iter().enumerate() {
        let side = now.side();
        let (from, to) = (mv.from.on(size), mv.to.on(size));
        log("checkMove", &format!("{MOVE}{} Pawn from {from} to {to}", turn(side)));
        log("movePawn", MOVED);
        let colour = if side == Side::Attackers { "bianca" } else { "nera" };
        for square in soldiers_captured(&now, mv) {
            log("checkCapture", &format!("Pedina {colour}{CAPTURED}{}", square.on(size)));
        }
        let captured = now.captured_by(mv);
        let king = captured.into_iter().find(|&at| now.piece_at(at) == Some(Kind::King));
        now.play(mv);
        let over = game.result().filter(|_| i + 1 == game.moves.len());
        let turn = match over {
            None => turn(now.side()),
            Some(None) => "D",
            Some(Some(Side::Attackers)) => "BW",
            Some(Some(Side::Defenders)) => "WW",
        };
        log("checkMove", &format!("{BOARD}\n{}-\n{turn}", board_text(&now, king)));
    }
    Ok(text)
}

/// The board, rank 1 first; a captured king stays on it.
fn board_text(game: &Game, captured_king: Option<Square>) -> String {
    let centre = Square::at(SIZE / 2, SIZE / 2, SIZE);
    let mut text = String::new();
    for rank in 0..SIZE {
        for file in 0..SIZE {
            let square = Square::at(file, rank, SIZE);
            text.push(match game.piece_at(square) {
                Some(Kind::Attacker) => 'B',
                Some(Kind::Defender) => 'W',
                Some(Kind::King) => 'K',
                None if captured_king == Some(square) => 'K',
                None if square == centre => 'T',
                None => 'O',
            });
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::recorded::RuleBook;
    use super::*;

    const LOG: &str = "mag 16, 2022 5:14:16 PM it.unibo.GameAshtonTablut <init>\n\
        BUONO: Players:\tWhite:\tUno\tvs\tDue\nmag 16\nBUONO: Inizio partita\nmag 16\nBUONO: Stato:\n\
        OOOBBBOOO\nOOOOBOOOO\nOOOOWOOOO\nBOOOWOOOB\nBBWWKWWBB\nBOOOWOOOB\nOOOOWOOOO\nOOOOBOOOO\nOOOBBBOOO\n\
        -\nW\nmag 16\nBUONO: Turn: W Pawn from e3 to e1\nmag 16\nAVVERTENZA: Mossa sopra una casella occupata\n\
        mag 16\nBUONO: Turn: W Pawn from e3 to g3\nmag 16\nBUONO: Movimento pedina\nmag 16\nBUONO: Stato:\n\
        OOOBBBOOO\nOOOOBOOOO\nOOOOOOWOO\nBOOOWOOOB\nBBWWKWWBB\nBOOOWOOOB\nOOOOWOOOO\nOOOOBOOOO\nOOOBBBOOO\n\
        -\nB\nmag 16\nBUONO: Turn: B Pawn from e2 to g2\n";

    fn play(text: &str) -> Result<RecordedGame, TextError> {
        let entry = read(text).remove(0)?;
        RuleBook::new(None).unwrap().play(&entry)
    }

    #[test]
    fn boards_have_rank_one_first() {
        let game = play(LOG).unwrap();
        assert_eq!((game.tag("defenders"), game.tag("attackers")), (Some("Uno"), Some("Due")));
        assert!(game.begins_at_start());
        // Refused moves and the one that was not made are not there.
        assert_eq!(game.moves.len(), 1);
        assert_eq!(game.last().fen(), "3aaa3/4a4/4d4/a3d3a/aaddkddaa/a3d3a/6d2/4a4/3aaa3 a");
        let turned = LOG.replace(
            "OOOOOOWOO\nBOOOWOOOB\nBBWWKWWBB\nBOOOWOOOB\nOOOOWOOOO",
            "OOOOWOOOO\nBOOOWOOOB\nBBWWKWWBB\nBOOOWOOOB\nOOOOOOWOO",
        );
        let error = play(&turned).unwrap_err();
        assert_eq!(error.place, Place { line: 28, column: 1 });
        assert!(error.what.contains("defender on e3"), "{error}");
    }

    #[test]
    fn an_uneven_start_is_read_from_its_own_end() {
        let board = "OOOBBBOOO\nOOOOBOOOO\nOOOOOOOOO\nOOOOOOOOO\nOOOOTOOOO\nOOOOOOOOO\nOKOOOOOOO\nOOOOOOOBO\nOOOOOOOOO";
        let text = format!("Inizio partita\nX: Stato:\n{board}\n-\nB\n");
        let game = play(&text).unwrap();
        assert_eq!(game.first.fen(), "9/7a1/1k7/9/9/9/9/4a4/3aaa3 a");
        assert!(write(&game).unwrap().contains(board));
    }

    #[test]
    fn what_is_broken_is_named_and_the_next_game_read() {
        let text = format!("X: Turn: W Pawn from e3\n{LOG}");
        let games = read(&text);
        assert_eq!(games.len(), 2);
        assert!(games[0].as_ref().unwrap_err().to_string().starts_with("line 1, column 4: "));
        assert!(games[1].is_ok());
        let bad = LOG.replace("BBWWKWWBB", "BBWWXWWBB");
        assert!(
            read(&bad)[0].as_ref().unwrap_err().to_string().starts_with("line 11, column 5: 'X'")
        );
    }
}
