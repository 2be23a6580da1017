//! Perpetual raichi: the king threatens to go out, the attackers close his way, he goes back with
//! the next threat, they close again, and so on. What that is worth, and to whom, depends on the
//! rule set.

use std::sync::Arc;

use konakis::game::any_size::Game;
use konakis::game::outcome::{Outcome, Reason};
use konakis::game::rules::{RepetitionResult, Rules, Side};
use konakis::game::variants::variant;
use konakis::search::Searcher;
use konakis::search::limits::Limits;
use konakis::search::score::Score;

use crate::{depth, search, search_with};

/// A king who can threaten for ever, with one way and one man that closes it.
struct Perpetual {
    fen: &'static str,
    /// The king's threat, the answer, his threat on the way back, the answer; then it begins anew.
    moves: [&'static str; 4],
}

/// The king's first threat, by its place in [`Perpetual::moves`].
const THREAT: usize = 0;
/// The attackers' second answer.
const ANSWER: usize = 3;

/// The king is lost without it, and no other answer does better.
const BEHIND: [Perpetual; 3] = [
    Perpetual {
        fen: "6a2/9/a8/5aa2/5a3/2a1aak1a/7a1/6a2/3a1a3 d",
        moves: ["g4g5", "i4i5", "g5g4", "i5i4"],
    },
    Perpetual {
        fen: "9/3a5/1a7/2a1a4/ak3a3/1aa5a/9/3a1a1a1/9 d",
        moves: ["b5b6", "a5a6", "b6b5", "a6a5"],
    },
    Perpetual {
        fen: "7a1/4a4/2a2a3/3a3ka/6a2/5a3/a3a2a1/5a3/1a7 d",
        moves: ["h6h7", "i6i7", "h7h6", "i7i6"],
    },
];
/// The king is lost without it, and the attackers have a better second answer, which ends it.
const ESCAPABLE: [Perpetual; 2] = [
    Perpetual {
        fen: "3a1a3/2a6/a2k1aa2/1a2a4/3a1a3/1a4aa1/9/1a6d/9 d",
        moves: ["d7c7", "d5c5", "c7d7", "c5d5"],
    },
    Perpetual {
        fen: "4a4/1a7/2a1k1a2/1a3a3/3a5/3aa2a1/5a3/9/7a1 d",
        moves: ["e7e8", "g7g8", "e8e7", "g8g7"],
    },
];
/// The defenders stand better without it.
const AHEAD: [Perpetual; 2] = [
    Perpetual {
        fen: "4a4/1a3a3/5d3/2a6/a1k2d3/3d2a1a/1d1d5/2a3d1a/3a5 d",
        moves: ["c5d5", "c6d6", "d5c5", "d6c6"],
    },
    Perpetual {
        fen: "9/2a3a2/a3a4/1a5a1/2da2d2/2d1d1k1a/5da2/a4d3/8a d",
        moves: ["g4h4", "g3h3", "h4g4", "h3g3"],
    },
];
/// The same three under Ashton's rules.
const ASHTON_BEHIND: Perpetual = Perpetual {
    fen: "9/9/6a2/a5k2/9/a1a6/5aaa1/9/1aa3a2 d",
    moves: ["g6c6", "g7c7", "c6g6", "c7g7"],
};
const ASHTON_ESCAPABLE: Perpetual = Perpetual {
    fen: "2a6/6a2/2a4a1/9/a1a3a2/2k6/9/2aa3a1/a6a1 d",
    moves: ["c4b4", "c2b2", "b4c4", "b2c2"],
};
const ASHTON_AHEAD: Perpetual = Perpetual {
    fen: "d6a1/d8/aa1a5/1a1a5/9/1a7/4dk2a/9/6ad1 d",
    moves: ["f3f2", "i3i2", "f2f3", "i2i3"],
};
/// On the largest board, with other ways to a corner.
const ALEA: Perpetual = Perpetual {
    fen: "19/19/19/19/10a8/19/9a9/19/19/19/8aaa8/19/19/19/19/19/19/4a2k3a7/11a7 d",
    moves: ["h2h1", "e2e1", "h1h2", "e1e2"],
};

/// The rules of tablut with another meaning of repetition.
fn tablut_with(result: RepetitionResult) -> Arc<Rules> {
    let mut rules = (*variant("tablut").unwrap()).clone();
    rules.repetition.result = result;
    Arc::new(rules)
}

fn game(rules: &Arc<Rules>, fen: &str) -> Game {
    Game::start(rules.clone()).unwrap().with_fen(fen).unwrap()
}

fn play(game: &mut Game, text: &str) {
    game.play(game.read_move(text).unwrap());
}

fn repetition(game: &Game) -> Option<Outcome> {
    game.outcome().filter(|outcome| outcome.reason == Reason::Repetition)
}

/// The perpetual has gone on until the move of this place in the cycle would end the game.
fn brink(rules: &Arc<Rules>, perpetual: &Perpetual, place: usize) -> Game {
    let moves = perpetual.moves;
    for first in 0..moves.len() {
        let mut before = game(rules, perpetual.fen);
        moves[..first].iter().for_each(|text| play(&mut before, text));
        let mut game = before.with_fen(&before.fen()).unwrap();
        for (at, text) in moves.iter().enumerate().cycle().skip(first).take(20) {
            play(&mut game, text);
            if repetition(&game).is_some() {
                if at != place {
                    break;
                }
                game.undo();
                return game;
            }
        }
    }
    panic!("no start of {} ends by {}", perpetual.fen, moves[place]);
}

/// Does the search choose the move that repeats? With its score, and that of the repeating move
/// alone.
fn choice(game: &Game, repeating: &str) -> (bool, Score, Score) {
    let repeating = game.read_move(repeating).unwrap();
    let (found, _) = search(game, &depth(7));
    let only = Limits { search_moves: Some(vec![repeating]), ..depth(7) };
    let (alone, _) = search(game, &only);
    (found.best == Some(repeating), found.score, alone.score)
}

/// As good as a win, by a repetition that has yet to be played out.
fn is_won(score: Score) -> bool {
    score >= Score::centipawns(20_000)
}

/// The game played out by the search for both sides.
fn played_out(mut game: Game, plies: u32) -> Option<Outcome> {
    let mut searcher = Searcher::new(4);
    while game.outcome().is_none() && game.plies() < 80 {
        game.play(search_with(&mut searcher, &game, &depth(plies)).0.best.unwrap());
    }
    game.outcome()
}

#[test]
fn a_draw_is_for_who_is_behind() {
    let tablut = tablut_with(RepetitionResult::Draw);
    let ashton = variant("tablut-ashton").unwrap();
    let drawn = |(repeats, score, alone): (bool, Score, Score)| {
        assert_eq!(alone, Score::ZERO);
        repeats && score == Score::ZERO
    };
    let avoided = |(repeats, score, alone): (bool, Score, Score)| {
        assert_eq!(alone, Score::ZERO);
        !repeats && score > Score::ZERO
    };
    let cases = BEHIND.iter().map(|case| (&tablut, case)).chain([(&ashton, &ASHTON_BEHIND)]);
    for (rules, case) in cases {
        // Seen from afar and at the end.
        let (found, infos) = search(&game(rules, case.fen), &depth(8));
        assert_eq!(found.score, Score::ZERO, "{} {infos:?}", case.fen);
        let end = played_out(game(rules, case.fen), 6);
        assert_eq!(end, Some(Outcome { winner: None, reason: Reason::Repetition }), "{}", case.fen);
        let game = brink(rules, case, THREAT);
        assert!(drawn(choice(&game, case.moves[THREAT])), "{}", case.fen);
    }
    let cases = ESCAPABLE.iter().map(|case| (&tablut, case)).chain([(&ashton, &ASHTON_ESCAPABLE)]);
    for (rules, case) in cases {
        let game = brink(rules, case, ANSWER);
        assert!(avoided(choice(&game, case.moves[ANSWER])), "{}", case.fen);
    }
    let cases = AHEAD.iter().map(|case| (&tablut, case)).chain([(&ashton, &ASHTON_AHEAD)]);
    for (rules, case) in cases {
        let game = brink(rules, case, THREAT);
        assert!(avoided(choice(&game, case.moves[THREAT])), "{}", case.fen);
        let game = brink(rules, case, ANSWER);
        assert!(drawn(choice(&game, case.moves[ANSWER])), "{}", case.fen);
    }
}

#[test]
fn ashtons_second_occurrence_ends_the_game() {
    let rules = variant("tablut-ashton").unwrap();
    assert_eq!((rules.repetition.limit, rules.repetition.counts_start), (2, false));
    // The position that was set up is not counted, so the fifth move is the first that repeats.
    assert_eq!(brink(&rules, &ASHTON_BEHIND, THREAT).plies(), 4);
    let tablut = tablut_with(RepetitionResult::Draw);
    assert_eq!(brink(&tablut, &BEHIND[0], THREAT).plies(), 7);
}

#[test]
fn where_the_attackers_win_by_it_the_king_turns_away() {
    let rules = tablut_with(RepetitionResult::AttackersWin);
    for case in &BEHIND {
        // What is a draw elsewhere is no refuge here.
        let (found, infos) = search(&game(&rules, case.fen), &depth(8));
        assert!(found.score < Score::centipawns(-200), "{} {infos:?}", case.fen);
        let end = played_out(game(&rules, case.fen), 6);
        assert_eq!(end.and_then(|end| end.winner), Some(Side::Attackers), "{}", case.fen);
    }
    for case in &AHEAD {
        let game = brink(&rules, case, THREAT);
        let (repeats, score, alone) = choice(&game, case.moves[THREAT]);
        assert_eq!(alone, Score::loss_in(1));
        assert!(!repeats && score > Score::ZERO, "{} {score}", case.fen);
    }
    // Ahead or behind, the attackers take the win.
    for case in AHEAD.iter().chain(&BEHIND).chain(&ESCAPABLE) {
        let game = brink(&rules, case, ANSWER);
        let (found, _) = search(&game, &depth(7));
        assert_eq!(found.score, Score::win_in(1), "{}", case.fen);
        let (_, _, alone) = choice(&game, case.moves[ANSWER]);
        assert_eq!(alone, Score::win_in(1), "{}", case.fen);
    }
}

#[test]
fn where_the_mover_loses_by_it_the_other_side_is_made_to_move() {
    let tablut = tablut_with(RepetitionResult::MoverLoses);
    let alea = variant("alea-evangelii").unwrap();
    assert_eq!(alea.repetition.result, RepetitionResult::MoverLoses);
    for case in &BEHIND {
        let rules = &tablut;
        // The first position comes about again by an answer: the king wins by going on.
        let (found, infos) = search(&game(rules, case.fen), &depth(8));
        assert!(is_won(found.score), "{} {infos:?}", case.fen);
        let end = played_out(game(rules, case.fen), 8);
        assert_eq!(end.and_then(|end| end.winner), Some(Side::Defenders), "{}", case.fen);
        // Where it is his own move that repeats, he has to look for something else.
        let game = brink(rules, case, THREAT);
        let (repeats, _, alone) = choice(&game, case.moves[THREAT]);
        assert_eq!(alone, Score::loss_in(1));
        assert!(!repeats, "{}", case.fen);
    }
    for case in &ESCAPABLE {
        let game = brink(&tablut, case, ANSWER);
        let (repeats, score, alone) = choice(&game, case.moves[ANSWER]);
        assert_eq!(alone, Score::loss_in(1));
        assert!(!repeats && score > Score::ZERO, "{} {score}", case.fen);
    }
    let cases = AHEAD.iter().map(|case| (&tablut, case)).chain([(&alea, &ALEA)]);
    for (rules, case) in cases {
        let game = brink(rules, case, THREAT);
        let (repeats, score, alone) = choice(&game, case.moves[THREAT]);
        assert_eq!(alone, Score::loss_in(1));
        assert!(!repeats && score > Score::ZERO, "{} {score}", case.fen);
        // The attackers lose later by anything else.
        let game = brink(rules, case, ANSWER);
        let (repeats, _, alone) = choice(&game, case.moves[ANSWER]);
        assert_eq!(alone, Score::loss_in(1));
        assert!(!repeats, "{}", case.fen);
    }
}
