//! The search as its callers see it: limits, reports, proofs, repetition, every rule set.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use konakis::game::any_size::Game;
use konakis::game::geometry::Square;
use konakis::game::moves::Move;
use konakis::game::outcome::Reason;
use konakis::game::rules::{Kind, RepetitionResult, Rules, Side};
use konakis::game::variants::{variant, variants};
use konakis::search::Searcher;
use konakis::search::limits::{Bound, Clock, Control, Found, Info, Limits, Reporter};
use konakis::search::score::{MAX_PLY, Score, ScoreKind};

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

/// The least number of plies in which the side to move wins by force, or loses, if it is at most
/// `plies`; found without any search of ours. Repetition is not looked at.
fn proof(game: &Game, plies: u32) -> Option<Score> {
    if let Some(outcome) = game.outcome() {
        let won = outcome.winner == Some(game.side());
        return Some(if won { Score::win_in(0) } else { Score::loss_in(0) });
    }
    if plies == 0 {
        return None;
    }
    let mut game = game.clone();
    let mut best = Some(-Score::INFINITE);
    for mv in game.legal_moves() {
        game.play(mv);
        let score = proof(&game, plies - 1).map(|score| -score.from_root(1));
        game.undo();
        best = match (best, score) {
            // An open answer saves from every loss, but a win is better.
            (Some(best), None) if !matches!(best.kind(), ScoreKind::Win(_)) => None,
            (Some(best), Some(score)) => Some(best.max(score)),
            (None, Some(score)) if matches!(score.kind(), ScoreKind::Win(_)) => Some(score),
            (best, _) => best,
        };
        if best == Some(Score::win_in(1)) {
            break;
        }
    }
    best
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

#[test]
fn short_wins_and_losses_are_proven_with_their_distance() {
    let mut seen = HashMap::new();
    for id in ["brandubh", "ard-ri", "magpie", "brandub-walker", "tablut", "tablut-ashton"] {
        let mut walk = Walk(0x5eed_0000 + id.len() as u64);
        for _ in 0..5 {
            let mut game = start(id);
            while walk.step(&mut game) {
                // Without history, so that repetition has no part in it.
                let fresh = game.with_fen(&game.fen()).unwrap();
                let plies = if game.size() == 7 { 3 } else { 2 };
                let Some(truth) = proof(&fresh, plies) else { continue };
                if truth.kind() == ScoreKind::Loss(0) {
                    continue;
                }
                let (found, _) = search(&fresh, &depth(5));
                assert_eq!(found.score, truth, "{id} {}", fresh.fen());
                *seen.entry(format!("{:?} {:?}", game.side(), truth.kind())).or_insert(0) += 1;
            }
        }
    }
    for side in ["Attackers", "Defenders"] {
        for kind in ["Win(1)", "Loss(2)", "Win(3)"] {
            let count = seen.get(&format!("{side} {kind}")).copied().unwrap_or(0);
            assert!(count >= 1, "{side} {kind}: {seen:?}");
        }
    }
}

#[test]
fn proofs_are_not_claimed_where_there_are_none() {
    for id in ["brandubh", "ard-ri-rook", "magpie"] {
        let mut walk = Walk(0xfeed_0000 + id.len() as u64);
        let mut searcher = Searcher::new(4);
        for _ in 0..3 {
            let mut game = start(id);
            while walk.step(&mut game) {
                let fresh = game.with_fen(&game.fen()).unwrap();
                if fresh.outcome().is_some() {
                    break;
                }
                let (found, _) = search_with(&mut searcher, &fresh, &depth(4));
                if matches!(found.score.kind(), ScoreKind::Win(0..=3) | ScoreKind::Loss(0..=3)) {
                    assert_eq!(proof(&fresh, 3), Some(found.score), "{id} {}", fresh.fen());
                }
            }
        }
    }
}

#[test]
fn mates_for_both_sides_in_many_rule_sets() {
    for (id, fen, score) in [
        // The king goes to the edge, to the corner; two ways, of which one man closes one.
        ("tablut", "4a4/9/9/9/2k5a/2a6/9/9/4a4 d", Score::win_in(1)),
        ("tablut-corner", "9/k8/9/9/9/9/9/9/4a4 d", Score::win_in(1)),
        ("tablut", "4a4/9/9/9/2k5a/2a6/9/9/4a4 a", Score::loss_in(2)),
        ("copenhagen", "11/11/11/11/11/11/11/11/11/3a7/2k8 a", Score::loss_in(2)),
        // The fourth man arrives; the third one where the throne is the fourth; two are enough.
        ("tablut", "9/9/9/2a6/a1k6/2a6/9/9/2a6 a", Score::loss_in(2)),
        ("tablut", "9/9/2a6/1aka5/9/2a6/9/9/9 a", Score::win_in(1)),
        ("tablut", "9/9/9/4a4/4ka3/4a4/9/9/9 a", Score::loss_in(2)),
        ("brandub-walker", "3a3/7/2a4/2k4/7/2a4/7 a", Score::win_in(1)),
    ] {
        let game = position(id, fen);
        let (found, infos) = search(&game, &depth(6));
        assert_eq!(found.score, score, "{id} {fen} {infos:?}");
    }
}

#[test]
fn a_finished_game_gets_one_report_and_no_move() {
    for (id, fen, score) in [
        ("tablut", "4a4/9/9/9/9/9/9/9/4a4 d", Score::loss_in(0)),
        ("tablut", "4a4/9/9/9/9/9/9/9/4a4 a", Score::win_in(0)),
        ("tablut", "k3a4/9/9/9/9/9/9/9/4a4 a", Score::loss_in(0)),
        // No men left to move.
        ("tablut", "9/9/9/9/2k6/9/9/9/9 a", Score::loss_in(0)),
        ("brandubh", "7/2aaa2/1a3a1/1a1k1a1/1a3a1/2aaa2/7 d", Score::loss_in(0)),
    ] {
        let game = position(id, fen);
        for limits in [depth(5), Limits::default(), movetime(50 * MS)] {
            let (found, infos) = search(&game, &limits);
            assert_eq!((found.best, found.score), (None, score), "{id} {fen}");
            assert_eq!(infos[0].score, score);
        }
    }
}

/// The start of tablut and four moves there and back, with one side thinned out.
fn shuffled(fen: &str, moves: &[&str]) -> Game {
    let mut game = position("tablut", fen);
    for _ in 0..2 {
        for text in moves {
            game.play(game.read_move(text).unwrap());
        }
    }
    game
}

#[test]
fn a_game_ended_by_repetition_is_still_searched() {
    let game = shuffled(&variant("tablut").unwrap().start, &["e3d3", "a4b4", "d3e3", "b4a4"]);
    assert_eq!(game.outcome().unwrap().reason, Reason::Repetition);
    let (found, _) = search(&game, &depth(3));
    assert!(found.best.is_some());
    assert!(!found.score.is_proven());
}

#[test]
fn who_is_behind_takes_the_draw_and_who_is_ahead_avoids_it() {
    let way_back = |fen: &str| {
        let mut game = shuffled(fen, &["e3d3", "a4b4", "d3e3", "b4a4"]);
        // Back before the move that made the third occurrence, with a choice of two moves.
        game.undo();
        let back = game.read_move("b4a4").unwrap();
        let other = game.read_move("b4b3").unwrap();
        let choice = Limits { search_moves: Some(vec![other, back]), ..depth(4) };
        let (found, _) = search(&game, &choice);
        (found.best == Some(back), found.score)
    };
    let (drawn, score) = way_back("9/9/4d4/3d4a/2ddkdd2/a3d3a/4d4/9/9 d");
    assert!(drawn && score == Score::ZERO, "{score}");
    let (drawn, score) = way_back("3aaa3/4a4/9/a2aaa2a/aa1aka1aa/a2aaa2a/4d4/4a4/3aaa3 d");
    assert!(!drawn && score > Score::ZERO, "{score}");
}

#[test]
fn repetition_counts_for_whom_the_rules_say() {
    // The third occurrence wins for the attackers, whoever brings it about.
    let mut game = start("brandubh");
    for text in ["d1c1", "d3c3", "c1d1", "c3d3", "d1c1", "d3c3", "c1d1"] {
        game.play(game.read_move(text).unwrap());
    }
    assert_eq!(game.rules().repetition.result, RepetitionResult::AttackersWin);
    let repeating = game.read_move("c3d3").unwrap();
    let (found, _) = search(&game, &depth(4));
    assert_ne!(found.best, Some(repeating), "the defenders lose by this move");
    let only = Limits { search_moves: Some(vec![repeating]), ..depth(4) };
    assert_eq!(search(&game, &only).0.score, Score::loss_in(1));

    // The position with men on c1 and c3 came about twice, by b1c1 and by d1c1.
    let mut game = start("brandubh");
    for text in ["d1b1", "d3c3", "b1c1", "c3d3", "c1d1", "d3c3", "d1c1", "c3d3", "c1d1", "d3c3"] {
        game.play(game.read_move(text).unwrap());
    }
    let (found, infos) = search(&game, &depth(4));
    assert_eq!(found.score, Score::win_in(1), "{infos:?}");
    game.play(found.best.unwrap());
    assert_eq!(game.outcome().unwrap().reason, Reason::Repetition);
}

#[test]
fn a_king_without_hope_finds_perpetual_raichi() {
    for fen in [
        "9/1a6a/5a3/3a5/5a3/1a2a3a/aka6/4a4/1aa6 d",
        "1a2a4/9/3a1a3/aa7/5a3/a2ka4/a8/a1d4a1/1a1a3a1 d",
        "a4a3/2a6/4a4/1a7/3a2a2/3ak2a1/4a1a2/9/4a4 d",
    ] {
        let mut game = position("tablut", fen);
        assert!(konakis::eval::evaluate(&game) > 200, "{fen}");
        let (found, infos) = search(&game, &depth(8));
        assert_eq!(found.score, Score::ZERO, "{fen} {infos:?}");
        // Played out against the same search for the attackers, it is a draw by the rules.
        let mut searcher = Searcher::new(4);
        while game.outcome().is_none() && game.plies() < 60 {
            game.play(search_with(&mut searcher, &game, &depth(8)).0.best.unwrap());
        }
        let outcome = game.outcome().unwrap();
        assert_eq!((outcome.reason, outcome.winner), (Reason::Repetition, None), "{fen}");
    }
}

#[test]
fn nodes_are_exact() {
    for id in ["tablut", "copenhagen", "brandubh"] {
        let game = start(id);
        for most in [0, 1, 2, 3, 57, 128, 129, 1_000, 4_321] {
            let (found, infos) = search(&game, &nodes(most));
            assert_eq!((found.nodes, infos.last().unwrap().nodes), (most, most), "{id}");
            assert!(found.best.is_some());
        }
    }
    // Also below the horizon: at depth 1 that is everything but the root.
    let mut crowded = start("historical");
    let mut walk = Walk(0xcafe);
    let mut all = 0;
    while all < 3 * crowded.legal_moves().len() as u64 {
        assert!(walk.step(&mut crowded), "no position with many captures");
        all = search(&crowded, &depth(1)).0.nodes;
    }
    for most in [all / 2, all / 2 + 1, all - 1] {
        assert_eq!(search(&crowded, &Limits { depth: Some(1), ..nodes(most) }).0.nodes, most);
    }
}

#[test]
fn nothing_to_spend_still_gives_a_move_at_once() {
    let zero = Duration::ZERO;
    for id in ["tablut", "alea-evangelii"] {
        let game = start(id);
        for limits in [
            depth(0),
            nodes(0),
            nodes(1),
            movetime(zero),
            movetime(MS),
            clock(zero, zero, None),
            clock(MS, zero, None),
            clock(zero, MS, Some(1)),
            clock(MS, zero, Some(0)),
            Limits { overhead: 1_000 * MS, ..movetime(10 * MS) },
        ] {
            let begun = Instant::now();
            let (found, _) = search(&game, &Limits { start: begun, ..limits.clone() });
            assert!(found.best.is_some());
            assert!(begun.elapsed() < 200 * MS, "{limits:?}");
        }
    }
    // The move that wins at once is found even then.
    let game = position("tablut", "4a4/9/9/9/2k5a/2a6/9/9/4a4 d");
    let (found, _) = search(&game, &nodes(0));
    assert_eq!(found.score, Score::win_in(1));
}

#[test]
fn any_number_of_moves_to_go_is_in_order() {
    let game = start("tablut");
    for moves_to_go in [0, 1, 2, 1000, u32::MAX] {
        let begun = Instant::now();
        let limits =
            Limits { overhead: 200 * MS, ..clock(500 * MS, Duration::ZERO, Some(moves_to_go)) };
        let (found, _) = search(&game, &Limits { start: begun, ..limits });
        assert!(found.best.is_some() && begun.elapsed() < 500 * MS, "{moves_to_go}");
    }
}

#[test]
fn the_first_limit_reached_ends_the_search() {
    let game = start("tablut");
    let all = Limits {
        depth: Some(3),
        nodes: Some(1_000_000_000),
        movetime: Some(Duration::from_secs(3600)),
        mate: Some(1),
        ..clock(Duration::from_secs(36_000), Duration::ZERO, None)
    };
    assert_eq!(search(&game, &all).0.depth, 3);
    let all = Limits { depth: Some(100), nodes: Some(2_000), ..all };
    assert_eq!(search(&game, &all).0.nodes, 2_000);
    let begun = Instant::now();
    let all = Limits { start: begun, nodes: None, movetime: Some(30 * MS), ..all };
    search(&game, &all);
    assert!((30 * MS..1_000 * MS).contains(&begun.elapsed()));
}

#[test]
fn movetime_is_used_and_kept() {
    for id in ["tablut", "brandubh", "alea-evangelii"] {
        let begun = Instant::now();
        let limits = Limits { start: begun, overhead: 20 * MS, ..movetime(150 * MS) };
        search(&start(id), &limits);
        let taken = begun.elapsed();
        assert!((130 * MS..1_000 * MS).contains(&taken), "{id}: {taken:?}");
    }
}

#[test]
fn a_clock_lasts_for_a_whole_game() {
    let mut searcher = Searcher::new(4);
    let mut game = start("tablut-saami");
    let mut left = [1_500 * MS; 2];
    let increment = 20 * MS;
    while game.outcome().is_none() && game.plies() < 50 {
        let side = game.side() as usize;
        let begun = Instant::now();
        let limits =
            Limits { start: begun, overhead: 100 * MS, ..clock(left[side], increment, None) };
        let (found, _) = search_with(&mut searcher, &game, &limits);
        let spent = begun.elapsed();
        left[side] = left[side].checked_sub(spent).expect("a clock was overstepped") + increment;
        game.play(found.best.unwrap());
    }
    assert!(game.plies() > 10);
}

#[test]
fn the_deepest_search_overruns_nothing() {
    let begun = Instant::now();
    for (id, fen) in [
        ("tablut", "9/9/9/9/2k6/9/9/9/a8 a"),
        ("brandubh", "7/7/7/3k3/3d3/7/1a3a1 a"),
        ("ard-ri", "7/7/1a5/3k3/7/5a1/7 d"),
        // Nothing can move far: the tree is small.
        ("ard-ri", "aaaaaaa/ddddddd/aaaaaaa/dddkddd/aaaaaaa/ddddddd/aaaaa1a a"),
    ] {
        let game = position(id, fen);
        let limits = Limits { nodes: Some(3_000_000), ..depth(999) };
        let (found, infos) = search(&game, &limits);
        assert!(found.depth < MAX_PLY as u32);
        // No flood: hardly more reports than depths that take time.
        assert!(infos.len() <= MAX_PLY, "{id} {fen}: {}", infos.len());
    }
    assert!(begun.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_solved_position_is_not_searched_on() {
    let begun = Instant::now();
    for (id, fen) in [
        ("tablut", "4a4/9/9/9/2k5a/2a6/9/9/4a4 d"),
        ("tablut", "4a4/9/9/9/2k5a/2a6/9/9/4a4 a"),
        ("tablut", "9/9/9/4a4/4ka3/4a4/9/9/9 a"),
    ] {
        for limits in [Limits::default(), movetime(Duration::from_secs(3600))] {
            let (found, infos) = search(&position(id, fen), &limits);
            assert!(found.score.is_proven());
            assert!(infos.len() <= 8, "{infos:?}");
        }
    }
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[test]
fn mate_ends_the_search_when_it_is_proven() {
    for (fen, plies) in [
        ("4a4/9/9/9/2k5a/2a6/9/9/4a4 d", 1),
        ("4a4/9/9/9/2k5a/2a6/9/9/4a4 a", 2),
        ("9/9/9/4a4/4ka3/4a4/9/9/9 a", 2),
    ] {
        let (found, _) =
            search(&position("tablut", fen), &Limits { mate: Some(plies), ..Limits::default() });
        assert!(matches!(found.score.kind(),
            ScoreKind::Win(n) | ScoreKind::Loss(n) if n <= plies));
    }
    // A longer one does not count.
    let game = position("tablut", "4a4/9/9/9/2k5a/2a6/9/9/4a4 a");
    let (found, _) = search(&game, &Limits { mate: Some(1), ..depth(7) });
    assert_eq!(found.score, Score::loss_in(2));
}

#[test]
fn only_the_wanted_moves_are_searched() {
    let game = start("tablut");
    let moves = game.legal_moves();
    let wanted = vec![moves[3], moves[17], moves[40]];
    for multi_pv in [1, 2, 10] {
        let limits = Limits { search_moves: Some(wanted.clone()), multi_pv, ..depth(3) };
        let (found, infos) = search(&game, &limits);
        assert!(wanted.contains(&found.best.unwrap()));
        assert!(infos.iter().all(|info| wanted.contains(&info.pv[0])));
        let lines = infos.iter().filter(|info| info.depth == 3).count();
        assert_eq!(lines, multi_pv.min(3));
    }
    let illegal = Move { from: moves[0].to, to: moves[0].from };
    let mixed = Limits { search_moves: Some(vec![illegal, moves[5]]), ..depth(2) };
    assert_eq!(search(&game, &mixed).0.best, Some(moves[5]));
    for none in [vec![], vec![illegal]] {
        let (found, infos) = search(&game, &Limits { search_moves: Some(none), ..depth(2) });
        assert_eq!(found.best, None);
        assert!(!infos[0].score.is_proven());
    }
}

#[test]
fn several_lines_are_distinct_and_in_order() {
    for id in ["brandubh", "tablut", "ard-ri"] {
        let game = start(id);
        let moves = game.legal_moves().len();
        for multi_pv in [2, 5, 500] {
            let (_, infos) = search(&game, &Limits { multi_pv, ..depth(3) });
            for depth in 1..=3 {
                let lines: Vec<_> = infos.iter().filter(|info| info.depth == depth).collect();
                assert_eq!(lines.len(), multi_pv.min(moves), "{id}");
                assert!(lines.iter().enumerate().all(|(i, line)| line.multi_pv == i + 1));
                assert!(lines.is_sorted_by(|a, b| a.score >= b.score), "{id}");
                let firsts: BTreeSet<_> = lines.iter().map(|line| line.pv[0]).collect();
                assert_eq!(firsts.len(), lines.len(), "{id}");
                assert!(lines.iter().all(|line| line.bound == Bound::Exact));
            }
        }
    }
}

#[test]
fn a_stop_is_never_lost() {
    let game = start("copenhagen");
    let control = Control::new(false);
    control.stop();
    let mut reports = Reports::default();
    let found = Searcher::new(1).search(&game, &Limits::default(), &control, &mut reports);
    check(&game, &Limits::default(), &found, &reports.0);

    let control = Arc::new(Control::new(false));
    let other = Arc::clone(&control);
    let thread = thread::spawn(move || {
        Searcher::new(1).search(&start("copenhagen"), &Limits::default(), &other, &mut ())
    });
    thread::sleep(50 * MS);
    assert!(!thread.is_finished());
    let told = Instant::now();
    control.stop();
    assert!(thread.join().unwrap().best.is_some());
    assert!(told.elapsed() < 500 * MS);
}

#[test]
fn time_does_not_count_while_pondering() {
    for limits in [movetime(60 * MS), clock(100 * MS, Duration::ZERO, Some(1))] {
        let control = Arc::new(Control::new(true));
        let other = Arc::clone(&control);
        let thread = thread::spawn(move || {
            Searcher::new(1).search(&start("tablut"), &limits, &other, &mut ())
        });
        thread::sleep(250 * MS);
        assert!(!thread.is_finished());
        let hit = Instant::now();
        control.ponder_hit();
        assert!(thread.join().unwrap().best.is_some());
        assert!((20 * MS..600 * MS).contains(&hit.elapsed()), "{:?}", hit.elapsed());
    }
}

#[test]
fn the_same_search_after_clear_gives_the_same() {
    for id in ["tablut", "tablut-corner", "copenhagen", "ard-ri"] {
        let game = start(id);
        let mut searcher = Searcher::new(2);
        let (first, _) = search_with(&mut searcher, &game, &depth(5));
        search_with(&mut searcher, &start("brandubh"), &depth(5));
        searcher.clear();
        assert_eq!(search_with(&mut searcher, &game, &depth(5)).0, first, "{id}");
        assert_eq!(search_with(&mut Searcher::new(2), &game, &depth(5)).0, first, "{id}");
    }
}

#[test]
fn the_table_takes_any_size() {
    let mut searcher = Searcher::new(0);
    assert_eq!(searcher.hash(), 1);
    assert_eq!(searcher.resize(5), 5);
    search_with(&mut searcher, &start("tablut"), &depth(4));
    assert_eq!(searcher.resize(2), 2);
    search_with(&mut searcher, &start("tablut"), &depth(4));
}

/// A board full of one kind, with the king on the first square that takes him, and with `holes`
/// empty squares.
fn crowd(rules: &Rules, kind: Kind, side: Side, holes: usize) -> String {
    let may_stop = |kind: Kind, square: Square| {
        let camps = rules.attacker_camps.contains(square) || rules.defender_camps.contains(square);
        rules.may_stop(kind, square) && !(camps && kind != Kind::Attacker)
    };
    let may_win = |square| rules.is_goal(square);
    let king = rules.squares().find(|&s| may_stop(Kind::King, s) && !may_win(s)).unwrap();
    let mut left = holes;
    let mut letter = |square: Square| {
        if square == king {
            Some('k')
        } else if !may_stop(kind, square) {
            None
        } else if left > 0 && square.index() % 3 == 1 {
            left -= 1;
            None
        } else {
            Some(kind.letter())
        }
    };
    let mut ranks = vec![String::new(); rules.size];
    for rank in (0..rules.size).rev() {
        let mut empty = 0;
        for file in 0..rules.size {
            match letter(Square::at(file, rank, rules.size)) {
                None => empty += 1,
                Some(letter) => {
                    if empty > 0 {
                        ranks[rank] += &empty.to_string();
                        empty = 0;
                    }
                    ranks[rank].push(letter);
                }
            }
        }
        if empty > 0 {
            ranks[rank] += &empty.to_string();
        }
    }
    ranks.reverse();
    format!("{} {}", ranks.join("/"), side.letter())
}

#[test]
fn every_rule_set_and_crowded_boards_are_searched() {
    for rules in variants() {
        let game = Game::start(rules.clone()).unwrap();
        let (found, _) = search(&game, &nodes(3_000));
        assert!(found.depth >= 1, "{}", rules.id);
        for kind in [Kind::Attacker, Kind::Defender] {
            for side in [Side::Attackers, Side::Defenders] {
                for holes in [0, 1, 30] {
                    let fen = crowd(rules, kind, side, holes);
                    let game = game.with_fen(&fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
                    let (found, _) = search(&game, &nodes(2_000));
                    assert_eq!(found.best.is_none(), game.legal_moves().is_empty(), "{fen}");
                }
            }
        }
    }
}

#[test]
fn random_games_of_every_rule_set_are_searched_all_along() {
    for rules in variants() {
        let mut walk = Walk(0xace0_0000 + rules.id.len() as u64);
        let mut searcher = Searcher::new(1);
        let mut game = Game::start(rules.clone()).unwrap();
        for _ in 0..60 {
            search_with(&mut searcher, &game, &nodes(700));
            if !walk.step(&mut game) {
                break;
            }
        }
    }
}

#[test]
fn a_random_mover_is_beaten() {
    let (mut games, mut won) = (0, 0);
    for rules in variants() {
        for us in [Side::Attackers, Side::Defenders] {
            for round in 0..2 {
                let mut walk = Walk(0xbeef_0001 + round * 77 + us as u64);
                let mut searcher = Searcher::new(1);
                let mut game = Game::start(rules.clone()).unwrap();
                while game.outcome().is_none() && game.plies() < 200 {
                    if game.side() == us {
                        // A bounded number of nodes, so that a busy machine plays as well.
                        let (found, _) = search_with(&mut searcher, &game, &nodes(3_000));
                        game.play(found.best.unwrap());
                    } else if !walk.step(&mut game) {
                        break;
                    }
                }
                games += 1;
                let winner = game.outcome().and_then(|outcome| outcome.winner);
                won += u32::from(winner == Some(us));
                assert_ne!(winner, Some(us.other()), "{} lost: {}", rules.id, game.fen());
            }
        }
    }
    assert!(won * 100 >= games * 90, "won {won} of {games} games");
}
