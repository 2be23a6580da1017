//! The search as its callers see it: limits, reports, proofs, repetition, every rule set.

mod boards;
mod dfpn;
mod limits;
mod proofs;
mod prover;
mod puzzles;
mod repetition;
mod tactics;
mod threads;
mod zugzwang;

use std::time::Duration;

use konakis::game::any_size::Game;
use konakis::game::variants::variant;
use konakis::search::Searcher;
use konakis::search::limits::{Bound, Clock, Control, Found, Info, Limits, Reporter};
use konakis::search::score::{MAX_PLY, ScoreKind};

const MS: Duration = Duration::from_millis(1);

#[derive(Default)]
struct Reports(Vec<Info>);

impl Reporter for Reports {
    fn info(&mut self, info: &Info) {
        self.0.push(info.clone());
    }
}

fn start(id: &str) -> Game {
    Game::start(variant(id).unwrap()).unwrap()
}

fn position(id: &str, fen: &str) -> Game {
    start(id).with_fen(fen).unwrap_or_else(|error| panic!("{id} {fen}: {error}"))
}

fn depth(plies: u32) -> Limits {
    Limits { depth: Some(plies), ..Limits::default() }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn movetime(time: Duration) -> Limits {
    Limits { movetime: Some(time), ..Limits::default() }
}

fn clock(left: Duration, increment: Duration, moves_to_go: Option<u32>) -> Limits {
    Limits { clock: Some(Clock { left, increment, moves_to_go }), ..Limits::default() }
}

/// Searches and checks what holds of every search.
fn search_with(searcher: &mut Searcher, game: &Game, limits: &Limits) -> (Found, Vec<Info>) {
    let mut reports = Reports::default();
    let found = searcher.search(game, limits, &Control::new(false), &mut reports);
    check(game, limits, &found, &reports.0);
    (found, reports.0)
}

fn search(game: &Game, limits: &Limits) -> (Found, Vec<Info>) {
    search_with(&mut Searcher::new(4), game, limits)
}

fn check(game: &Game, limits: &Limits, found: &Found, infos: &[Info]) {
    let case = format!("{} {} {found:?}", game.rules().id, game.fen());
    let last = infos.last().unwrap_or_else(|| panic!("no report: {case}"));
    assert_eq!(last.nodes, found.nodes, "{case}");
    assert!(limits.nodes.is_none_or(|most| found.nodes <= most), "{case}");
    assert!(limits.depth.is_none_or(|most| found.depth <= most), "{case}");
    assert!(infos.is_sorted_by_key(|info| (info.nodes, info.depth, info.multi_pv)), "{case}");
    for info in infos {
        assert!(info.hash_full <= 1000 && info.sel_depth <= MAX_PLY as u32, "{case}");
        check_line(game, info);
    }
    match found.best {
        None => {
            assert_eq!(found.ponder, None, "{case}");
            assert!(last.pv.is_empty() && infos.len() == 1, "{case}");
        }
        Some(best) => {
            assert!(game.is_legal(best), "{case}");
            let first = infos.iter().rev().find(|info| info.multi_pv == 1).unwrap();
            assert_eq!(first.pv.first(), Some(&best), "{case}");
            assert_eq!((first.score, first.depth), (found.score, found.depth), "{case}");
            let mut next = game.clone();
            next.play(best);
            assert!(found.ponder.is_none_or(|answer| next.is_legal(answer)), "{case}");
        }
    }
}

/// Every move of a line is legal in sequence, the line ends with the game, and a proven result is
/// what the line leads to, in as many plies as it says.
fn check_line(root: &Game, info: &Info) {
    let case = format!("{} {} {info:?}", root.rules().id, root.fen());
    let mut game = root.clone();
    for &mv in &info.pv {
        assert!(game.plies() == root.plies() || game.outcome().is_none(), "{case}");
        assert!(game.is_legal(mv), "{case}");
        game.play(mv);
    }
    let (plies, winner) = match info.score.kind() {
        ScoreKind::Centipawns(_) => return,
        ScoreKind::Win(plies) => (plies, root.side()),
        ScoreKind::Loss(plies) => (plies, root.side().other()),
    };
    if info.bound == Bound::Exact {
        assert_eq!(info.pv.len() as u32, plies, "{case}");
        assert_eq!(game.outcome().and_then(|outcome| outcome.winner), Some(winner), "{case}");
    }
}

/// A walk by moves thrown with a generator of its own (xorshift, Marsaglia 2003).
struct Walk(u64);

impl Walk {
    fn number(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below as u64) as usize
    }

    fn step(&mut self, game: &mut Game) -> bool {
        let moves = game.legal_moves();
        if game.outcome().is_some() || moves.is_empty() {
            return false;
        }
        game.play(moves[self.number(moves.len())]);
        true
    }
}
