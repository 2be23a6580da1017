//! Every rule set, odd boards, whole games.

use konakis::game::any_size::Game;
use konakis::game::geometry::Square;
use konakis::game::rules::{Kind, Rules, Side};
use konakis::game::variants::variants;
use konakis::search::Searcher;

use crate::{Walk, nodes, search, search_with};

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
