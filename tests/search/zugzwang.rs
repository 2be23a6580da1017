//! Zugzwang: a side that would hold if it could pass has to move, and every move loses. A null move
//! inside the tree must not hide it.

use konakis::game::any_size::Game;
use konakis::search::limits::Limits;
use konakis::search::score::Score;

use crate::prover::Prover;
use crate::{depth, position, search};

/// After d7d6, which takes d5, the defenders have ten moves, and each lets the king be taken.
const ZUGZWANG: &str = "da1a3/a6/2ad3/adka3/2d4/2a4/1a5 a";

fn after(game: &Game, moves: &[&str]) -> Game {
    let mut game = game.clone();
    for text in moves {
        game.play(game.read_move(text).unwrap());
    }
    game
}

#[test]
fn each_of_ten_moves_loses_and_none_would_hold() {
    let game = position("ard-ri-rook", ZUGZWANG);
    let capture = game.read_move("d7d6").unwrap();
    assert_eq!(game.captured_by(capture).len(), 1);
    let mut squeezed = after(&game, &["d7d6"]);
    assert_eq!(squeezed.legal_moves().len(), 10);
    assert!(Prover::exact().loses(&mut squeezed, 2));
    // With the move passed to the attackers there is no capture of the king.
    let passed = format!("{} a", squeezed.placement());
    let mut passed = squeezed.with_fen(&passed).unwrap();
    assert!(!Prover::exact().wins(&mut passed, 1));
    // The attackers, too, would like to wait: only the capture wins.
    for plies in 3..=10 {
        let (found, infos) = search(&game, &depth(plies));
        assert_eq!((found.best, found.score), (Some(capture), Score::win_in(3)), "{infos:?}");
    }
}

#[test]
fn it_is_seen_from_a_ply_or_two_before() {
    // The defenders to move: the longest defence runs into it.
    for (fen, reply) in [
        ("da1a3/a6/2ad3/adka3/5d1/2a4/1a5 d", "f3c3"),
        ("da1a3/a6/2ad3/adka3/6d/2a4/1a5 d", "g3c3"),
        ("da1a3/a6/2ad3/adka3/1d5/2a4/1a5 d", "b3c3"),
    ] {
        let mut game = position("ard-ri-rook", fen);
        assert_eq!(after(&game, &[reply]).fen(), ZUGZWANG);
        assert!(Prover::exact().loses(&mut game, 4), "{fen}");
        for plies in 4..=10 {
            let (found, infos) = search(&game, &depth(plies));
            assert_eq!(found.score, Score::loss_in(4), "{fen} {infos:?}");
        }
    }
    // The attackers to move: one move alone brings it about.
    for (fen, plan, reply) in [
        ("da1a3/a6/2ad3/adka3/1d5/4a2/1a5 a", "e2c2", "b3c3"),
        ("da1a3/a6/2ad3/adka3/1d5/5a1/1a5 a", "f2c2", "b3c3"),
        ("da1a3/a6/2ad3/adka3/d6/3a3/1a5 a", "d2c2", "a3c3"),
        ("da1a3/a6/2ad3/adka3/5d1/3a3/1a5 a", "d2c2", "f3c3"),
    ] {
        let mut game = position("ard-ri-rook", fen);
        assert_eq!(after(&game, &[plan, reply]).fen(), ZUGZWANG);
        let plan = game.read_move(plan).unwrap();
        let mut prover = Prover::exact();
        assert!(prover.wins_by(&mut game, plan, 5) && !prover.wins(&mut game, 3), "{fen}");
        let others: Vec<_> = game.legal_moves().into_iter().filter(|&mv| mv != plan).collect();
        assert!(!others.iter().any(|&mv| prover.wins_by(&mut game, mv, 5)), "{fen}");
        for plies in 5..=10 {
            let (found, infos) = search(&game, &depth(plies));
            assert_eq!((found.best, found.score), (Some(plan), Score::win_in(5)), "{infos:?}");
        }
        let rest = Limits { search_moves: Some(others), ..depth(7) };
        assert!(search(&game, &rest).0.score < Score::ZERO, "{fen}");
    }
}
