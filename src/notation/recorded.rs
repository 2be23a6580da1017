//! Games read from a file: first as the words that stand there, then played through by the rules.

use std::sync::Arc;

use super::move_text::{self, RESIGNS};
use super::place::{Place, TextError, shown};
use super::record::{Record, Variation};
use super::rules_string::{self, read_position};
use crate::game::any_size::Game;
use crate::game::explain::why;
use crate::game::geometry::Square;
use crate::game::moves::Move;
use crate::game::rules::{Rules, Side};
use crate::game::variants::{CUSTOM, DEFAULT_VARIANT, variant};

/// A game as it stands in a file, in any format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Where it begins.
    pub place: Place,
    /// Its tags, moves and comments.
    pub record: Record,
    /// Where its moves stand.
    pub places: Vec<Place>,
    /// Where its tags stand, in formats that have tags.
    pub tag_places: Vec<Place>,
    /// The FEN that it begins with and where that stands; `None` if the rules or a tag say it.
    pub start: Option<(String, Place)>,
    /// The rule set that the format is for.
    pub variant: Option<&'static str>,
    /// Boards that the file shows after so many moves, as board parts of FENs.
    pub boards: Vec<(usize, String, Place)>,
}

impl Entry {
    /// One without anything in it.
    pub fn new(place: Place) -> Self {
        Self {
            place,
            record: Record::default(),
            places: Vec::new(),
            tag_places: Vec::new(),
            start: None,
            variant: None,
            boards: Vec::new(),
        }
    }

    /// Where a tag stands; where the game begins, if there is none.
    fn place_of_tag(&self, name: &str) -> Place {
        let at = self.record.tags.iter().position(|(tag, _)| tag == name);
        at.and_then(|at| self.tag_places.get(at)).copied().unwrap_or(self.place)
    }

    /// Appends a move.
    pub fn push(&mut self, mv: &str, place: Place) {
        self.record.push(mv, "");
        self.places.push(place);
    }
}

/// A game that was played by the rules.
#[derive(Clone, Debug)]
pub struct RecordedGame {
    /// The line on which it begins, from 1.
    pub line: usize,
    /// What the record says about it: names and values.
    pub tags: Vec<(String, String)>,
    /// The first position.
    pub first: Game,
    /// The moves, each legal after those before it.
    pub moves: Vec<Move>,
    /// A comment for each move; may be empty.
    pub comments: Vec<String>,
    /// What might have been played instead.
    pub variations: Vec<Variation>,
}

impl RecordedGame {
    /// A game without anything said about it.
    pub fn new(first: Game, moves: Vec<Move>) -> Self {
        let comments = vec![String::new(); moves.len()];
        Self { line: 1, tags: Vec::new(), first, moves, comments, variations: Vec::new() }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// The last position.
    pub fn last(&self) -> Game {
        let mut game = self.first.clone();
        self.moves.iter().for_each(|&mv| game.play(mv));
        game
    }

    /// The result: what the record says or else what the last position is; `None` is none, the
    /// inner one a draw.
    pub fn result(&self) -> Option<Option<Side>> {
        match self.tag("result") {
            Some("1") => Some(Some(Side::Attackers)),
            Some("0") => Some(None),
            Some("-1") => Some(Some(Side::Defenders)),
            _ => self.last().outcome().map(|outcome| outcome.winner),
        }
    }

    /// Does it begin where games of its rules begin?
    pub fn begins_at_start(&self) -> bool {
        let rules = self.first.rules();
        self.first.placement() == rules.start && self.first.side() == rules.first
    }

    /// The game as an OpenTafl record: its tags, then the start position and the rules, which alone
    /// OpenTafl reads.
    ///
    /// # Errors
    /// If the rule set cannot be written.
    pub fn to_record(&self) -> Result<Record, String> {
        let mut record = Record::default();
        let rules = self.first.rules();
        for (name, value) in &self.tags {
            if !matches!(name.as_str(), "rules" | "position") {
                record.set(name, value);
            }
        }
        if self.tag("variant").is_none() && rules.id != CUSTOM {
            record.set("variant", &rules.id);
        }
        let start = self.first.placement();
        if !self.begins_at_start() {
            record.set("position", &rules_string::write_position(&start));
        }
        let rules = Rules { start, first: self.first.side(), ..(**rules).clone() };
        record.set("rules", &rules_string::write(&rules)?);
        let mut game = self.first.clone();
        for (i, &mv) in self.moves.iter().enumerate() {
            let comment = self.comments.get(i).map_or("", String::as_str);
            record.push(&move_text::write(&game, mv), comment);
            game.play(mv);
        }
        record.variations.clone_from(&self.variations);
        Ok(record)
    }
}

/// Plays games through, by the rules that were chosen or else by those that each game names.
#[derive(Debug, Default)]
pub struct RuleBook {
    chosen: Option<Game>,
    /// The last rule set that was looked up, by its name or string.
    last: Option<(String, Game)>,
}

impl RuleBook {
    /// Games say by which rules they are played; those that do not are played by `chosen`, which
    /// also wins over what they say, or else by the usual rule set.
    ///
    /// # Errors
    /// If the start position of the rules is not a legal board.
    pub fn new(chosen: Option<Arc<Rules>>) -> Result<Self, String> {
        let chosen = chosen.map(Game::start).transpose().map_err(|error| error.to_string())?;
        Ok(Self { chosen, last: None })
    }

    /// Plays a game through.
    ///
    /// # Errors
    /// Says which word is wrong and why: a FEN, a rule set, a move that is not legal, captures that
    /// are not made, a board that is another one.
    pub fn play(&mut self, entry: &Entry) -> Result<RecordedGame, TextError> {
        let first = self.first(entry)?;
        let mut game = first.clone();
        let mut boards = entry.boards.iter().peekable();
        let mut check_boards = |game: &Game, made: usize| {
            while let Some((_, board, place)) = boards.next_if(|(after, ..)| *after <= made) {
                compare(game, board).map_err(|what| TextError { place: *place, what })?;
            }
            Ok(())
        };
        let Record { tags, moves: words, comments, variations } = entry.record.clone();
        let mut tags = tags;
        let mut moves = Vec::new();
        check_boards(&game, 0)?;
        for (ply, word) in words.iter().enumerate() {
            let last = ply + 1 == words.len();
            if last && is_remark(word) {
                if !tags.iter().any(|(name, _)| name == "termination") {
                    let said = if word == RESIGNS { "resigned" } else { word };
                    tags.push(("termination".to_owned(), said.to_owned()));
                }
                break;
            }
            let mv = self.read_move(&game, word).map_err(|what| TextError {
                place: entry.places.get(ply).copied().unwrap_or(entry.place),
                what: format!("move {} ({}): {what}", ply + 1, shown(word)),
            })?;
            game.play(mv);
            moves.push(mv);
            check_boards(&game, ply + 1)?;
        }
        let mut comments = comments;
        comments.truncate(moves.len());
        Ok(RecordedGame { line: entry.place.line, tags, first, moves, comments, variations })
    }

    fn read_move(&self, game: &Game, word: &str) -> Result<Move, String> {
        let size = game.size();
        let hint = || match (&self.chosen, game.rules().id.as_str()) {
            (None, id) => format!(" (by the rules {id}; --variant or --rules chooses others)"),
            _ => format!(" (by the rules {})", game.rules().id),
        };
        let Some(written) = move_text::read(word, size) else {
            return Err(format!(
                "no move of a {size}x{size} board; expected two squares, such as e5-e8 or \
                 e5e8xe9{}",
                hint()
            ));
        };
        let mv = written.mv;
        if !game.is_legal(mv) {
            return Err(why(game, &mv.on(size).to_string()) + &hint());
        }
        let names = |squares: &[Square]| {
            let names: Vec<String> = squares.iter().map(|s| s.on(size).to_string()).collect();
            if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
        };
        let captured = game.captured_by(mv);
        let soldiers = move_text::soldiers_captured(game, mv);
        let taken = |square: &Square| captured.contains(square);
        let told = |square: &Square| written.captures.contains(square);
        let agree = written.captures.iter().all(taken) && soldiers.iter().all(told);
        // Who writes no captures at all may just leave them out.
        if !written.captures.is_empty() && !agree {
            let (says, takes) = (names(&written.captures), names(&captured));
            return Err(format!("it captures {takes}, not {says}{}", hint()));
        }
        Ok(mv)
    }

    /// The first position of a game.
    fn first(&mut self, entry: &Entry) -> Result<Game, TextError> {
        let start = self.start_of_rules(entry)?;
        if let Some((fen, place)) = &entry.start {
            let wrong = |what: String| TextError { place: *place, what };
            return start
                .with_fen(fen)
                .map_err(|error| wrong(format!("FEN '{}': {error}", shown(fen))));
        }
        let Some(position) = entry.record.tag("position") else { return Ok(start) };
        let at = |what: String| TextError { place: entry.place_of_tag("position"), what };
        let position = position.trim();
        let placement = read_position(position)
            .map_err(|what| at(format!("tag position '{}': {what}", shown(position))))?;
        let of = |side: Side| {
            let game = start.with_fen(&format!("{placement} {}", side.letter()));
            game.map_err(|error| at(format!("tag position '{}': {error}", shown(position))))
        };
        let game = of(start.side())?;
        // The tag does not say whose turn it is: the first move does.
        let first = entry.record.moves.first().and_then(|word| move_text::read(word, game.size()));
        match first.and_then(|written| game.piece_at(written.mv.from)) {
            Some(kind) if kind.side() != game.side() => of(kind.side()),
            _ => Ok(game),
        }
    }

    /// The start position of the rules of a game.
    fn start_of_rules(&mut self, entry: &Entry) -> Result<Game, TextError> {
        let record = &entry.record;
        let rules = record.tag("rules").map(str::trim).filter(|rules| !rules.is_empty());
        if let Some(chosen) = &self.chosen {
            let own = rules.and_then(|rules| rules_string::read(rules).ok());
            let own = own.filter(|own| own.size == chosen.size());
            let fen = own.map(|own| format!("{} {}", own.start, own.first.letter()));
            return Ok(fen.and_then(|fen| chosen.with_fen(&fen).ok()).unwrap_or(chosen.clone()));
        }
        let name = record.tag("variant").map(str::trim).filter(|name| !name.is_empty());
        let key = rules.or(name).or(entry.variant).unwrap_or(DEFAULT_VARIANT);
        if let Some((_, game)) = self.last.as_ref().filter(|(last, _)| last == key) {
            return Ok(game.clone());
        }
        let tag = if rules.is_some() { "rules" } else { "variant" };
        let game = match (rules, variant(key)) {
            (None, Some(rules)) => Game::start(rules).map_err(|error| error.to_string()),
            (None, None) => Err(format!(
                "tag variant '{}': there is no rule set of this name here; --variant or --rules \
                 chooses one",
                shown(key)
            )),
            (Some(rules), _) => start_of_string(rules),
        };
        let game = game.map_err(|what| TextError { place: entry.place_of_tag(tag), what })?;
        self.last = Some((key.to_owned(), game.clone()));
        Ok(game)
    }
}

/// The start position of a rules string. Where only that differs, the rule set is the one of the
/// catalogue.
fn start_of_string(text: &str) -> Result<Game, String> {
    let rules = rules_string::read(text).map_err(|error| format!("tag rules: {error}"))?;
    let named = variant(&rules.id).filter(|named| {
        let moved = Rules { start: rules.start.clone(), first: rules.first, ..(**named).clone() };
        moved == rules
    });
    let start = Game::start(Arc::new(rules.clone())).map_err(|error| error.to_string())?;
    let Some(named) = named else { return Ok(start) };
    let fen = start.fen();
    let named = Game::start(named).map_err(|error| error.to_string())?;
    named.with_fen(&fen).map_err(|error| error.to_string())
}

/// Does a word at the end of the moves say how the game ended, such as `timeout` or `---`?
pub fn is_remark(word: &str) -> bool {
    word == RESIGNS || word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Is it the board of the game? A captured king may still stand on it.
fn compare(game: &Game, board: &str) -> Result<(), String> {
    let wrong = |what: String| format!("the board shown here is another one: {what}");
    let shown = format!("{board} {}", game.side().letter());
    let other = game.with_fen(&shown).map_err(|error| wrong(error.to_string()))?;
    let king = |game: &Game| game.placement().contains('k');
    let size = game.size();
    let differs = game.rules().squares().find(|&square| {
        let (ours, theirs) = (game.piece_at(square), other.piece_at(square));
        let taken_king = ours.is_none() && !king(game) && theirs.is_some_and(|k| k.letter() == 'k');
        ours != theirs && !taken_king
    });
    let name = |game: &Game, square| game.piece_at(square).map_or("nothing", |kind| kind.name());
    match differs {
        None => Ok(()),
        Some(square) => Err(wrong(format!(
            "{} on {}; after the moves before it, expected {}",
            name(&other, square),
            square.on(size),
            name(game, square)
        ))),
    }
}
