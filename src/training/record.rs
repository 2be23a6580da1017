//! The file of positions that a fit learns from.
//!
//! The first line says what was played, [`Settings`]; each other line is a [`Sample`]: number of
//! the game, ply, result, score, move played and FEN, divided by blanks.

use std::fmt;
use std::sync::Arc;

use crate::game::any_size::Game;
use crate::game::moves::Move;
use crate::game::rules::{Rules, Side};
use crate::notation::rules_string;

/// The first word of a file of positions.
const MAGIC: &str = "konakis-positions";
/// What stands before a rules string.
const RULES: &str = " rules=";

/// What was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The id of the rule set.
    pub variant: String,
    /// The rule set written out, an OpenTafl rules string, if it is not the one of that id.
    pub rules: Option<String>,
    /// Nodes searched for each move of the attackers and of the defenders.
    pub nodes: (u64, u64),
    /// The fewest and the most random plies with which a game begins.
    pub random: (u32, u32),
    /// The seed of the random plies.
    pub seed: u64,
    /// A digest of the lines of play with which games begin; 0 if they begin with random plies.
    pub lines: u64,
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variant, nodes: (attackers, defenders), random: (least, most), .. } = self;
        write!(f, "{MAGIC} variant={variant} nodes={attackers}:{defenders} ")?;
        write!(f, "random={least}-{most} seed={}", self.seed)?;
        if self.lines != 0 {
            write!(f, " lines={:016x}", self.lines)?;
        }
        // Last, since there are blanks in it.
        self.rules.as_ref().map_or(Ok(()), |rules| write!(f, "{RULES}{rules}"))
    }
}

impl Settings {
    /// Reads the first line of a file.
    ///
    /// # Errors
    /// Says what would be right.
    pub fn parse(line: &str) -> Result<Self, String> {
        Self::read(line).ok_or_else(|| {
            format!(
                "'{}' does not begin a file of positions; expected '{MAGIC} variant=ID \
                 nodes=ATTACKERS:DEFENDERS random=LEAST-MOST seed=N'",
                shortened(line)
            )
        })
    }

    /// The rule set.
    ///
    /// # Errors
    /// If there is none of this id, or says what is wrong with the rules string.
    pub fn rule_set(&self) -> Result<Arc<Rules>, String> {
        rules_string::chosen(&self.variant, self.rules.as_deref())
    }

    fn read(line: &str) -> Option<Self> {
        let (line, rules) = match line.split_once(RULES) {
            Some((line, rules)) => (line, Some(rules.to_owned())),
            None => (line, None),
        };
        let mut words = line.strip_prefix(MAGIC)?.split_ascii_whitespace();
        let mut value = |key: &str| words.next()?.strip_prefix(key)?.strip_prefix('=');
        let variant = value("variant")?.to_owned();
        let (attackers, defenders) = value("nodes")?.split_once(':')?;
        let nodes = (attackers.parse().ok()?, defenders.parse().ok()?);
        let (least, most) = value("random")?.split_once('-')?;
        let random = (least.parse().ok()?, most.parse().ok()?);
        let seed = value("seed")?.parse().ok()?;
        let lines = match words.next() {
            None => 0,
            Some(word) => u64::from_str_radix(word.strip_prefix("lines=")?, 16).ok()?,
        };
        Some(Self { variant, rules, nodes, random, seed, lines })
    }
}

/// A position of a finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The number of the game, from 0.
    pub game: u64,
    /// Plies since the start of the game, the random ones included.
    pub ply: u32,
    /// Who won the game; `None` is a draw.
    pub winner: Option<Side>,
    /// What the search found, in centipawns for the attackers.
    pub score: i32,
    /// The move that was played.
    pub mv: Move,
    /// The position.
    pub fen: String,
}

impl Sample {
    /// The line of the file, for a board of `size`.
    pub fn line(&self, size: usize) -> String {
        let Self { game, ply, score, fen, .. } = self;
        let result = self.winner.map_or('=', Side::letter);
        format!("{game} {ply} {result} {score} {} {fen}", self.mv.on(size))
    }

    /// Reads a line and the position on it, which must be one of the rules of `start`.
    ///
    /// # Errors
    /// Says what is wrong and what would be right.
    pub fn parse(line: &str, start: &Game) -> Result<(Self, Game), String> {
        let sample = Self::read(line, start.size()).ok_or_else(|| {
            format!(
                "'{}' is no position; expected 'GAME PLY RESULT SCORE MOVE FEN' with a result of \
                 a, d or =, such as '0 8 d -35 e3d3 {}'",
                shortened(line),
                start.fen()
            )
        })?;
        let game = start.with_fen(&sample.fen).map_err(|error| error.to_string())?;
        if !game.is_legal(sample.mv) {
            let mv = sample.mv.on(start.size());
            return Err(format!("{mv} is not legal in '{}'; expected the move played", sample.fen));
        }
        Ok((sample, game))
    }

    fn read(line: &str, size: usize) -> Option<Self> {
        let mut words = line.trim_end().splitn(6, ' ');
        let mut word = || words.next();
        let game = word()?.parse().ok()?;
        let ply = word()?.parse().ok()?;
        let winner = match word()? {
            "a" => Some(Side::Attackers),
            "d" => Some(Side::Defenders),
            "=" => None,
            _ => return None,
        };
        let score = word()?.parse().ok()?;
        let mv = Move::parse(word()?, size)?;
        Some(Self { game, ply, winner, score, mv, fen: word()?.to_owned() })
    }

    /// The result for the attackers: 1 won, ½ drawn, 0 lost.
    pub fn result(&self) -> f32 {
        match self.winner {
            Some(Side::Attackers) => 1.0,
            Some(Side::Defenders) => 0.0,
            None => 0.5,
        }
    }
}

/// The beginning of a line from a file, fit to be shown.
fn shortened(line: &str) -> String {
    line.chars().take(60).flat_map(char::escape_default).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variants::variant;

    #[test]
    fn lines_are_read_as_they_are_written() {
        let settings = Settings {
            variant: "tablut".to_owned(),
            rules: None,
            nodes: (3_000, 500),
            random: (2, 12),
            seed: 7,
            lines: 0,
        };
        let other = Settings { lines: 0xab, ..settings.clone() };
        let written = Settings { rules: Some("dim:9 esc:e".to_owned()), ..other.clone() };
        for other in [other, written] {
            assert_eq!(Settings::parse(&other.to_string()), Ok(other));
        }
        assert_eq!(Settings::parse(&settings.to_string()), Ok(settings));
        let start = Game::start(variant("tablut").unwrap()).unwrap();
        let line = format!("3 8 d -35 e3d3 {}", start.fen());
        let (sample, game) = Sample::parse(&line, &start).unwrap();
        assert_eq!(sample.line(9), line);
        assert_eq!((sample.game, sample.ply, sample.score), (3, 8, -35));
        assert_eq!((sample.winner, game.fen()), (Some(Side::Defenders), start.fen()));
    }

    #[test]
    fn wrong_lines_are_refused_in_words() {
        let start = Game::start(variant("tablut").unwrap()).unwrap();
        let fen = start.fen();
        for (line, why) in [
            (format!("x 8 d -35 e3d3 {fen}"), "expected 'GAME PLY"),
            (format!("3 8 w -35 e3d3 {fen}"), "a, d or ="),
            ("3 8 d -35 e3d3".to_owned(), "expected 'GAME PLY"),
            (format!("3 8 d -35 e3e4 {fen}"), "e3e4 is not legal"),
            ("3 8 d -35 e3d3 3aaa3/4a4 d".to_owned(), "9"),
        ] {
            let error = Sample::parse(&line, &start).unwrap_err();
            assert!(error.contains(why), "{line}: {error}");
        }
        for line in ["", "konakis-positions", "konakis-positions variant=x nodes=-1", "{}"] {
            assert!(Settings::parse(line).unwrap_err().contains("expected"), "{line}");
        }
    }
}
