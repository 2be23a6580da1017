//! The limits after `go`.

use std::time::{Duration, Instant};

use super::Dialect;
use super::error::{ProtocolError, shown};
use crate::game::any_size::Game;
use crate::game::moves::Move;
use crate::game::rules::Side;
use crate::search::limits::{Clock, Limits};

/// The time for a `go` whose limits are all unreadable: somebody wanted an answer and not a search
/// without end.
const FALLBACK: Duration = Duration::from_secs(1);

/// No time is longer than this (30 days, in ms); it keeps sums of times far from any overflow.
const MOST_MILLISECONDS: i64 = 30 * 24 * 3600 * 1000;

/// A value of a pair of clocks, by whose it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Times {
    attackers: Option<Duration>,
    defenders: Option<Duration>,
    /// Of the side that moves first in the rule set, and of the other one.
    first: Option<Duration>,
    second: Option<Duration>,
}

impl Times {
    /// The value of `side` or, if only the opponent's is known, that one.
    fn of(&self, side: Side, first: Side) -> Option<Duration> {
        let (p1, p2) = (self.first, self.second);
        let (by_first, by_second) = if side == first { (p1, p2) } else { (p2, p1) };
        let (own, other) = match side {
            Side::Attackers => (self.attackers, self.defenders),
            Side::Defenders => (self.defenders, self.attackers),
        };
        own.or(by_first).or(other).or(by_second)
    }
}

/// What stands after `go`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GoRequest {
    /// Search until told to stop.
    pub infinite: bool,
    /// The opponent's time is running.
    pub ponder: bool,
    depth: Option<u32>,
    nodes: Option<u64>,
    movetime: Option<Duration>,
    mate: Option<u32>,
    moves_to_go: Option<u32>,
    clock: Times,
    increment: Times,
    search_moves: Option<Vec<String>>,
    /// Did the line name any limit, readable or not?
    named_limit: bool,
    /// The values that could not be read; the others count all the same.
    pub errors: Vec<ProtocolError>,
}

impl GoRequest {
    /// Reads the words after `go`. What cannot be read is left out and noted in `errors`.
    pub fn parse(words: &[&str]) -> Self {
        let mut request = Self::default();
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            match word {
                "infinite" => request.infinite = true,
                "ponder" => request.ponder = true,
                "searchmoves" => {
                    let mut moves = Vec::new();
                    while let Some(mv) = words.next_if(|next| !is_keyword(next)) {
                        moves.push(mv.to_owned());
                    }
                    if moves.is_empty() {
                        request.complain(word, "expected moves after it");
                    } else {
                        request.search_moves.get_or_insert_default().extend(moves);
                    }
                }
                limit if is_keyword(limit) => {
                    request.named_limit = true;
                    let value = words.next_if(|next| !is_keyword(next));
                    match value.map(|value| (value, value.parse::<i64>())) {
                        Some((_, Ok(value))) => request.set(limit, value),
                        Some((value, Err(_))) if is_huge(value) => request.set(limit, i64::MAX),
                        Some((value, Err(_))) => {
                            let what = format!("'{}' is no whole number", shown(value));
                            request.complain(limit, &what);
                        }
                        None => request.complain(limit, "expected a number after it"),
                    }
                }
                other => {
                    request.named_limit = true;
                    request.errors.push(ProtocolError::Syntax {
                        command: "go",
                        what: format!(
                            "'{}' is ignored; expected a limit such as movetime",
                            shown(other)
                        ),
                    });
                }
            }
        }
        request
    }

    fn complain(&mut self, limit: &str, what: &str) {
        let what = format!("{what}; the limit is ignored");
        self.errors.push(ProtocolError::BadValue { name: format!("go {limit}"), what });
    }

    fn set(&mut self, limit: &str, value: i64) {
        // Clocks may be over time already: less than nothing is nothing.
        let time = Some(Duration::from_millis(value.clamp(0, MOST_MILLISECONDS) as u64));
        let count = u32::try_from(value.max(0)).unwrap_or(u32::MAX);
        match limit {
            "depth" => self.depth = Some(count),
            "nodes" => self.nodes = Some(value.max(0) as u64),
            "movetime" => self.movetime = time,
            "mate" if value > 0 => self.mate = Some(count),
            "mate" => self.complain(limit, "expected a number of moves above 0"),
            // None to go is nonsense that some peers send; it says no more than no number.
            "movestogo" => self.moves_to_go = (count > 0).then_some(count),
            "atime" | "btime" => self.clock.attackers = time,
            "dtime" | "wtime" => self.clock.defenders = time,
            "ainc" | "binc" => self.increment.attackers = time,
            "dinc" | "winc" => self.increment.defenders = time,
            "p1time" => self.clock.first = time,
            "p2time" => self.clock.second = time,
            "p1inc" => self.increment.first = time,
            "p2inc" => self.increment.second = time,
            _ => {}
        }
    }

    /// Is the answer held back until `stop` (or, when pondering, `ponderhit`)?
    pub fn is_endless(&self) -> bool {
        let limited = self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || self.mate.is_some()
            || self.has_clock()
            || self.named_limit;
        self.infinite || !limited
    }

    fn has_clock(&self) -> bool {
        self.clock != Times::default()
    }

    /// The limits of a search of `game` that was asked for at `start`.
    ///
    /// `searchmoves` that are not legal here are left out; an empty list then stands for "none".
    pub fn limits(&self, game: &Game, start: Instant, dialect: Dialect) -> Limits {
        let first = game.rules().first;
        let clock = self.clock.of(game.side(), first).map(|left| Clock {
            left,
            increment: self.increment.of(game.side(), first).unwrap_or_default(),
            moves_to_go: self.moves_to_go,
        });
        let usable = self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || self.mate.is_some()
            || clock.is_some();
        let movetime = if usable || self.is_endless() { self.movetime } else { Some(FALLBACK) };
        Limits {
            start,
            depth: self.depth,
            nodes: self.nodes,
            movetime,
            clock,
            mate: self.mate.map(|moves| match dialect {
                Dialect::Uci => moves.saturating_mul(2),
                Dialect::Ugi => moves,
            }),
            search_moves: self.search_moves.as_ref().map(|words| legal(game, words)),
            ..Limits::default()
        }
    }
}

fn legal(game: &Game, words: &[String]) -> Vec<Move> {
    let mut moves: Vec<Move> = Vec::new();
    for mv in words.iter().filter_map(|word| game.read_move(word).ok()) {
        if !moves.contains(&mv) {
            moves.push(mv);
        }
    }
    moves
}

fn is_keyword(word: &str) -> bool {
    const KEYWORDS: [&str; 20] = [
        "infinite",
        "ponder",
        "searchmoves",
        "depth",
        "nodes",
        "movetime",
        "mate",
        "movestogo",
        "atime",
        "dtime",
        "ainc",
        "dinc",
        "wtime",
        "btime",
        "winc",
        "binc",
        "p1time",
        "p2time",
        "p1inc",
        "p2inc",
    ];
    KEYWORDS.contains(&word)
}

/// A whole number too large for its type.
fn is_huge(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variants::variant;

    fn limits(line: &str, fen: Option<&str>) -> (GoRequest, Limits) {
        let game = Game::start(variant("tablut").unwrap()).unwrap();
        let game = fen.map_or_else(|| game.clone(), |fen| game.with_fen(fen).unwrap());
        let request = GoRequest::parse(&line.split_whitespace().collect::<Vec<_>>());
        let limits = request.limits(&game, Instant::now(), Dialect::Uci);
        (request, limits)
    }

    fn left(line: &str) -> Option<u64> {
        let (_, limits) = limits(line, None);
        limits.clock.map(|clock| clock.left.as_millis() as u64)
    }

    #[test]
    fn whose_clock() {
        // Defenders are to move, and are the first player of tablut.
        assert_eq!(left("dtime 5 atime 7"), Some(5));
        assert_eq!(left("wtime 5 btime 7"), Some(5));
        assert_eq!(left("p1time 5 p2time 7"), Some(5));
        assert_eq!(left("btime 7"), Some(7), "only the other one's clock");
        assert_eq!(left("wtime -20"), Some(0));
        assert_eq!(left("wtime 99999999999999999999"), Some(MOST_MILLISECONDS as u64));
        assert_eq!(left("depth 3"), None);
    }

    #[test]
    fn endless_or_not() {
        for endless in ["", "infinite", "infinite depth 3", "searchmoves e3e4", "ponder"] {
            assert!(limits(endless, None).0.is_endless(), "{endless}");
        }
        for limited in ["depth 3", "depth", "depth x", "frobnicate 3", "wtime 0", "mate 2"] {
            assert!(!limits(limited, None).0.is_endless(), "{limited}");
        }
        assert_eq!(limits("depth x", None).1.movetime, Some(FALLBACK));
        assert_eq!(limits("depth x nodes 5", None).1.movetime, None);
        assert_eq!(limits("depth x", None).0.errors.len(), 1);
    }

    #[test]
    fn search_moves_are_checked() {
        let (_, limits) = limits("searchmoves e3f3 e3e9 zz e3f3 depth 2", None);
        assert_eq!(limits.search_moves.map(|moves| moves.len()), Some(1));
        assert_eq!(limits.depth, Some(2));
    }
}
