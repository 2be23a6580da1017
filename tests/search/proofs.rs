//! Wins, losses and repetition.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use konakis::game::any_size::Game;
use konakis::game::outcome::Reason;
use konakis::game::rules::RepetitionResult;
use konakis::game::variants::variant;
use konakis::search::Searcher;
use konakis::search::limits::Limits;
use konakis::search::score::{Score, ScoreKind};

use crate::{MS, Walk, depth, movetime, position, search, search_with, start};

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
        // Without the draw he is lost: where a repetition wins for the attackers there is none.
        let mut rules = (*variant("tablut").unwrap()).clone();
        rules.repetition.result = RepetitionResult::AttackersWin;
        let hopeless = Game::start(Arc::new(rules)).unwrap().with_fen(fen).unwrap();
        assert!(search(&hopeless, &depth(8)).0.score < Score::centipawns(-200), "{fen}");
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
