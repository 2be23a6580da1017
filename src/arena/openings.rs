//! Openings: where games begin, from a file or drawn at random.

use std::fmt;
use std::path::Path;

use crate::game::any_size::Game;
use crate::game::moves::Move;

/// How a game begins.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Opening {
    /// The first position, if it is not the start of the rule set.
    pub fen: Option<String>,
    /// Moves from there, all legal.
    pub moves: Vec<Move>,
}

/// Where the openings of a match come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// There is only the start position.
    Start,
    /// A file, or one of the collections that the program carries.
    Named(String),
    /// So many random plies each, from this seed.
    Random {
        /// Plies.
        plies: u32,
        /// The seed.
        seed: u64,
    },
}

/// The collections that the program carries: 100 openings of 6 to 12 random plies each, kept when a
/// search of 20,000 nodes promised each side 40 to 60 % of the points, or the most even of its tries.
const SHIPPED: [(&str, &str); 5] = [
    ("tablut", include_str!("openings/tablut.txt")),
    ("tablut-corner", include_str!("openings/tablut-corner.txt")),
    ("tablut-ashton", include_str!("openings/tablut-ashton.txt")),
    ("brandubh", include_str!("openings/brandubh.txt")),
    ("copenhagen", include_str!("openings/copenhagen.txt")),
];

/// The collection of this name that the program carries.
pub fn shipped(name: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|(shipped, _)| *shipped == name).map(|(_, text)| *text)
}

impl Opening {
    /// The game after the opening.
    pub fn game(&self, start: &Game) -> Game {
        let first = self.fen.as_deref().and_then(|fen| start.with_fen(fen).ok());
        let mut game = first.unwrap_or_else(|| start.clone());
        self.moves.iter().for_each(|&mv| game.play(mv));
        game
    }

    /// The opening as a line of a file.
    pub fn line(&self, size: usize) -> String {
        let start = self.fen.as_deref().unwrap_or("startpos");
        let moves: Vec<String> = self.moves.iter().map(|mv| mv.on(size).to_string()).collect();
        match (moves.is_empty(), &self.fen) {
            (true, _) => start.to_owned(),
            (false, None) => moves.join(" "),
            (false, Some(_)) => format!("{start} moves {}", moves.join(" ")),
        }
    }

    /// Reads a line: a FEN, moves, or both (`FEN moves M M …`), `startpos` and a leading `fen`
    /// being allowed.
    ///
    /// # Errors
    /// Says what is wrong, or that the game is over before it begins.
    pub fn parse(line: &str, start: &Game) -> Result<Self, String> {
        let (first, moves) = line.split_once("moves").unwrap_or_else(|| {
            let board =
                line.split_whitespace().any(|word| word.contains('/') && !word.contains('x'));
            if board || line.trim() == "startpos" { (line, "") } else { ("", line) }
        });
        let first = first.trim();
        let first = first.strip_prefix("position ").unwrap_or(first).trim();
        let first = first.strip_prefix("fen ").unwrap_or(first).trim();
        let fen = match first {
            "" | "startpos" => None,
            fen => Some(start.with_fen(fen).map_err(|error| error.to_string())?.fen()),
        };
        let mut opening = Self { fen, moves: Vec::new() };
        let mut game = opening.game(start);
        for (ply, word) in moves.split_whitespace().enumerate() {
            let number = word.trim_end_matches('.');
            if number.len() < word.len() && number.bytes().all(|byte| byte.is_ascii_digit()) {
                continue;
            }
            let mv = game.read_move(word).map_err(|error| format!("word {}: {error}", ply + 1))?;
            game.play(mv);
            opening.moves.push(mv);
        }
        match game.outcome() {
            Some(outcome) => Err(format!("the game is over already: {}", outcome.reason.name())),
            None => Ok(opening),
        }
    }
}

/// Reads a list of openings, one a line; `#` begins a comment.
///
/// # Errors
/// Names the line that is wrong; a list must not be empty.
pub fn parse_list(text: &str, start: &Game) -> Result<Vec<Opening>, String> {
    let mut openings = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("").trim();
        if !line.is_empty() {
            let opening = Opening::parse(line, start);
            openings.push(opening.map_err(|error| format!("line {}: {error}", number + 1))?);
        }
    }
    if openings.is_empty() {
        return Err("no opening in it; expected a FEN or moves on each line".to_owned());
    }
    Ok(openings)
}

/// The openings of a file, or of a collection that the program carries.
///
/// # Errors
/// If there is no such file or its openings are not for this rule set.
pub fn read(name: &str, start: &Game) -> Result<Vec<Opening>, String> {
    let text = match (Path::new(name).is_file(), shipped(name)) {
        (false, Some(text)) => text.to_owned(),
        _ => std::fs::read_to_string(name).map_err(|error| {
            let names: Vec<&str> = SHIPPED.iter().map(|(name, _)| *name).collect();
            format!(
                "openings '{name}': {error}; expected a file, one of {}, or random:PLIES:SEED",
                names.join(", ")
            )
        })?,
    };
    parse_list(&text, start).map_err(|error| format!("openings '{name}', {error}"))
}

/// A number that tells lists of openings apart (FNV-1a over their lines).
pub fn digest(openings: &[Opening], size: usize) -> u64 {
    let lines = openings.iter().map(|opening| opening.line(size) + "\n");
    lines.flat_map(String::into_bytes).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

impl Source {
    /// Reads `random:PLIES[:SEED]`, `startpos`, or the name of a file; a seed that is not given
    /// comes from `seed`.
    ///
    /// # Errors
    /// Says what would be right.
    pub fn parse(text: &str, seed: impl FnOnce() -> u64) -> Result<Self, String> {
        if text == "startpos" {
            return Ok(Self::Start);
        }
        let Some(random) = text.strip_prefix("random:") else {
            return Ok(Self::Named(text.to_owned()));
        };
        let wrong =
            || format!("'{text}'; expected random:PLIES or random:PLIES:SEED, plies from 1 to 200");
        let (plies, given) = match random.split_once(':') {
            Some((plies, seed)) => (plies, Some(seed)),
            None => (random, None),
        };
        let plies =
            plies.parse().ok().filter(|plies| (1..=200).contains(plies)).ok_or_else(wrong)?;
        let seed = match given {
            Some(text) => text.parse().map_err(|_| wrong())?,
            None => seed(),
        };
        Ok(Self::Random { plies, seed })
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => f.write_str("startpos"),
            Self::Named(name) => f.write_str(name),
            Self::Random { plies, seed } => write!(f, "random:{plies}:{seed}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variants::variant;

    fn start(id: &str) -> Game {
        Game::start(variant(id).unwrap()).unwrap()
    }

    #[test]
    fn lines_of_every_kind() {
        let start = start("tablut");
        let text = "# comment\nstartpos\n\ne4b4 d1b1 # two plies\n1. e4-b4 d1-b1\n\
                    9/9/9/3ak4/9/9/9/9/a8 a\nfen 9/9/9/3ak4/9/9/9/9/a8 d moves e6f6\n\
                    startpos moves e4b4\nposition startpos moves e4b4\n";
        let openings = parse_list(text, &start).unwrap();
        let lines: Vec<String> = openings.iter().map(|opening| opening.line(9)).collect();
        assert_eq!(
            lines,
            [
                "startpos",
                "e4b4 d1b1",
                "e4b4 d1b1",
                "9/9/9/3ak4/9/9/9/9/a8 a",
                "9/9/9/3ak4/9/9/9/9/a8 d moves e6f6",
                "e4b4",
                "e4b4"
            ]
        );
        for opening in &openings {
            assert_eq!(Opening::parse(&opening.line(9), &start).as_ref(), Ok(opening));
        }
        assert_ne!(digest(&openings, 9), digest(&openings[1..], 9));
    }

    #[test]
    fn wrong_lines_are_named() {
        let start = start("tablut");
        for (text, hint) in [
            ("", "no opening"),
            ("e4b4\ne4e5", "line 2: word 1"),
            ("9/9 a", "line 1"),
            ("9/9/9/9/9/9/9/9/k8 a", "over already"),
            ("hello", "line 1"),
        ] {
            let error = parse_list(text, &start).unwrap_err();
            assert!(error.contains(hint), "{text}: {error}");
        }
        assert!(read("no/such/file", &start).unwrap_err().contains("tablut-corner"));
    }

    #[test]
    fn sources() {
        let parse = |text| Source::parse(text, || 99);
        assert_eq!(parse("random:6"), Ok(Source::Random { plies: 6, seed: 99 }));
        assert_eq!(parse("random:6:5"), Ok(Source::Random { plies: 6, seed: 5 }));
        assert_eq!(parse("book.txt"), Ok(Source::Named("book.txt".to_owned())));
        for text in ["random:6:5", "startpos", "book.txt"] {
            assert_eq!(parse(text).unwrap().to_string(), text);
        }
        for bad in ["random:", "random:0", "random:x", "random:5:", "random:5:x", "random:999"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_shipped_collections_hold_a_hundred_different_openings_each() {
        for (id, text) in SHIPPED {
            let start = start(id);
            let openings = parse_list(text, &start).unwrap();
            assert_eq!(openings.len(), 100, "{id}");
            let keys: std::collections::HashSet<String> = openings
                .iter()
                .map(|opening| crate::game::symmetry::canonical(&opening.game(&start)))
                .collect();
            assert_eq!(keys.len(), 100, "{id}");
        }
    }
}
