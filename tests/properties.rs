//! What holds in every position of every rule set, tried on random games.

mod common;

use std::collections::BTreeSet;

use konakis::game::any_size::Game;
use konakis::game::moves::Move;
use konakis::game::perft::{Perft, perft};
use konakis::game::symmetry::image;
use konakis::game::variants::variants;
use konakis::with_position;

use common::{Met, Rng, Scene, play_many, scatter};

/// Moves, captures, outcomes, keys, undo, the king's dangers and exits and the announcements all
/// agree with the slow reference in random games of every rule set.
#[test]
fn random_games_agree_with_the_reference() {
    let mut met = Met::default();
    for (i, rules) in variants().iter().enumerate() {
        let mut rng = Rng(i as u64 + 1);
        let large = rules.size / 7;
        // Where a rare rule is, more boards that are made for it.
        let rare = if rules.exit_fort || rules.linnaean { 8 } else { 1 };
        play_many(rules, 4 / large, rare * 120 / large, &mut rng, &mut met);
    }
    met.insist(&["custodial", "linnaean", "shieldwall", "the king"]);
    met.insist(&["king-captured", "king-escaped", "exit-fort", "encirclement"]);
    met.insist(&["repetition", "no-moves", "raichi", "tuichi", "watch-your-king"]);
}

fn mirrored_fen(game: &Game, symmetry: u32) -> String {
    let size = game.size();
    let mut cells = vec![vec!['.'; size]; size];
    for square in common::squares(size) {
        if let Some(kind) = game.piece_at(square) {
            let (file, rank) = image(square, symmetry, size).file_rank(size);
            cells[size - 1 - rank][file] = kind.letter();
        }
    }
    let rank = |cells: Vec<char>| {
        let mut text: String = cells.into_iter().collect();
        for empty in (1..=size).rev() {
            text = text.replace(&".".repeat(empty), &empty.to_string());
        }
        text
    };
    let ranks: Vec<_> = cells.into_iter().map(rank).collect();
    format!("{} {}", ranks.join("/"), game.side().letter())
}

/// All rule sets of the catalogue are symmetric, so turning or mirroring a board turns or mirrors
/// its moves, captures and outcomes and nothing else.
#[test]
fn the_eight_symmetries_agree() {
    for (i, rules) in variants().iter().enumerate() {
        let mut rng = Rng(i as u64 + 101);
        let start = Game::start(rules.clone()).expect("start position");
        for round in 0..24 / (rules.size / 7) {
            let scene = Scene::ALL[round % Scene::ALL.len()];
            let fen = scatter(rules, scene, &mut rng);
            let game = start.with_fen(&fen).expect("a legal board");
            let leaves = with_position!(&game, p => perft(p, 2, true));
            for symmetry in 1..8 {
                let image = |square| image(square, symmetry, rules.size);
                let twin = start.with_fen(&mirrored_fen(&game, symmetry)).expect("a legal board");
                let at = format!("{} {fen} symmetry {symmetry}", rules.id);
                assert_eq!(twin.outcome(), game.outcome(), "{at}");
                assert_eq!(twin.call(), game.call(), "{at}");
                let mut images = BTreeSet::new();
                for mv in game.legal_moves() {
                    let mirror = Move { from: image(mv.from), to: image(mv.to) };
                    images.insert(mirror);
                    let taken: BTreeSet<_> = game.captured_by(mv).into_iter().map(image).collect();
                    assert_eq!(
                        twin.captured_by(mirror).into_iter().collect::<BTreeSet<_>>(),
                        taken
                    );
                }
                assert_eq!(twin.legal_moves().into_iter().collect::<BTreeSet<_>>(), images, "{at}");
                assert_eq!(with_position!(&twin, p => perft(p, 2, true)), leaves, "{at}");
            }
        }
    }
}

/// Counting the last ply in bulk, making every leaf, dividing by the first move: the same number.
#[test]
fn every_way_of_counting_agrees() {
    for (i, rules) in variants().iter().enumerate() {
        let mut rng = Rng(i as u64 + 201);
        let start = Game::start(rules.clone()).expect("start position");
        let depth = if rules.size <= 9 { 3 } else { 2 };
        for scene in Scene::ALL {
            let fen = scatter(rules, scene, &mut rng);
            let game = start.with_fen(&fen).expect("a legal board");
            let at = format!("{} {fen}", rules.id);
            for depth in 0..=depth {
                let bulk = with_position!(&game, p => perft(p, depth, true));
                assert_eq!(with_position!(&game, p => perft(p, depth, false)), bulk, "{at}");
                for threads in [1, 2] {
                    let parts = Perft::count(&game, depth, true, threads, &|| false);
                    let parts = parts.expect("threads");
                    assert_eq!(parts.nodes, bulk, "{at}");
                    if depth > 0 {
                        let (moves, leaves): (Vec<_>, Vec<_>) = parts.by_move.into_iter().unzip();
                        assert_eq!(leaves.iter().sum::<u64>(), bulk, "{at}");
                        assert_eq!(moves, game.legal_moves(), "{at}");
                    }
                }
            }
        }
    }
}

/// Two lines of moves to one board with one side to move give one key; boards that differ have
/// keys that differ.
#[test]
fn keys_tell_positions_apart() {
    for (i, rules) in variants().iter().enumerate() {
        let mut rng = Rng(i as u64 + 301);
        let mut game = Game::start(rules.clone()).expect("start position");
        let mut keys = std::collections::BTreeMap::new();
        for _ in 0..300 {
            let fen = game.fen();
            let old = keys.insert(game.key(), fen.clone());
            assert!(old.is_none_or(|old| old == fen), "{}: one key for two", rules.id);
            let again = game.with_fen(&fen).expect("its own FEN");
            assert_eq!((again.key(), again.fen()), (game.key(), fen), "{}", rules.id);
            let list = game.legal_moves();
            if list.is_empty() {
                break;
            }
            game.play(rng.pick(&list));
        }
        assert!(keys.len() > 3, "{}: a game of {} positions", rules.id, keys.len());
    }
}
