//! Proof-number search: what it claims is true, and it claims what can be claimed.

use std::collections::HashMap;
use std::fs;
use std::sync::Arc;
use std::time::Duration;

use konakis::game::any_size::Game;
use konakis::game::geometry::Square;
use konakis::game::outcome::Reason;
use konakis::game::rules::{RepetitionResult, Side};
use konakis::game::symmetry::image;
use konakis::game::variants::{variant, variants};
use konakis::search::Searcher;
use konakis::search::limits::Control;
use konakis::search::proof::{Effort, Open, Proof, Prover, Verdict, Within};
use konakis::search::score::ScoreKind;

use crate::prover;
use crate::{Walk, nodes, position, search_with, start};

/// More than any question here takes.
const ENOUGH: Effort = Effort { nodes: Some(3_000_000), time: None };

fn effort(nodes: u64) -> Effort {
    Effort { nodes: Some(nodes), time: None }
}

fn never() -> Control {
    Control::new(false)
}

fn within(prover: &mut Prover, game: &Game, side: Side, plies: u32) -> Within {
    prover.within(game, side, plies, ENOUGH, &never()).0
}

/// Asks for a proof and checks what holds of every one.
fn prove(prover: &mut Prover, game: &Game, effort: Effort) -> Verdict {
    let answer = prover.prove(game, effort, &never());
    // The moves of the last position may come on top.
    assert!(effort.nodes.is_none_or(|most| answer.nodes <= most + 1_000), "{answer:?}");
    if let Verdict::Proven(proof) = &answer.verdict {
        check(game, proof);
    }
    answer.verdict
}

/// The line is legal, ends the game for the winner and not before, and is as long as is said.
fn check(root: &Game, proof: &Proof) {
    let case = format!("{} {} {proof:?}", root.rules().id, root.fen());
    let mut game = root.clone();
    for &mv in &proof.line {
        assert!(game.plies() == root.plies() || game.outcome().is_none(), "{case}");
        assert!(game.is_legal(mv), "{case}");
        game.play(mv);
    }
    assert_eq!(game.outcome().and_then(|outcome| outcome.winner), Some(proof.winner), "{case}");
    assert_eq!(proof.line.len() as u32, proof.plies, "{case}");
    assert!(proof.at_least <= proof.plies, "{case}");
    assert_eq!(proof.plies % 2 == 1, proof.winner == root.side(), "{case}");
}

/// A row of the tactical suite.
struct Row {
    game: Game,
    is_win: bool,
    best: String,
    plies: u32,
}

fn suite() -> Vec<Row> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tactics.tsv");
    let text = fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        Row {
            game: position(fields[0], fields[1]),
            is_win: fields[2] == "win",
            best: fields[3].to_owned(),
            plies: fields[4].parse().unwrap(),
        }
    });
    rows.collect()
}

#[test]
fn the_wins_of_the_suite_are_proven_at_their_length_by_their_move_alone() {
    let mut prover = Prover::new(16);
    let rows: Vec<_> = suite().into_iter().filter(|row| row.is_win && row.plies <= 5).collect();
    assert!(rows.len() >= 25, "{}", rows.len());
    for Row { game, best, plies, .. } in rows {
        let case = format!("{} {}", game.rules().id, game.fen());
        let side = game.side();
        assert_eq!(within(&mut prover, &game, side, plies - 2), Within::No, "{case}");
        let Within::Yes(proof) = within(&mut prover, &game, side, plies) else {
            panic!("not proven: {case}");
        };
        check(&game, &proof);
        assert_eq!(proof.plies, plies, "{case}");
        assert_eq!(proof.line[0].on(game.size()).to_string(), best, "{case}");
        // Nothing of the search is in this one.
        let mut exact = prover::Prover::exact();
        assert!(exact.wins_by(&mut game.clone(), proof.line[0], plies), "{case}");
        let others = game.legal_moves().into_iter().filter(|&mv| mv != proof.line[0]);
        for mv in others {
            let mut after = game.clone();
            after.play(mv);
            if after.outcome().is_none() {
                assert_eq!(within(&mut prover, &after, side, plies - 1), Within::No, "{case}");
            }
        }
    }
}

#[test]
fn the_saving_moves_of_the_suite_are_the_only_ones() {
    let mut prover = Prover::new(16);
    let rows: Vec<_> = suite().into_iter().filter(|row| !row.is_win && row.plies <= 4).collect();
    assert!(rows.len() >= 8, "{}", rows.len());
    for Row { game, best, plies, .. } in rows {
        let opponent = game.side().other();
        for mv in game.legal_moves() {
            let mut after = game.clone();
            after.play(mv);
            let lost = match after.outcome() {
                Some(outcome) => outcome.winner == Some(opponent),
                None => {
                    matches!(within(&mut prover, &after, opponent, plies - 1), Within::Yes(_))
                }
            };
            let name = mv.on(game.size()).to_string();
            assert_eq!(lost, name != best, "{} {} {name}", game.rules().id, game.fen());
        }
    }
}

#[test]
fn long_wins_are_found_without_a_bound() {
    let mut prover = Prover::new(16);
    let mut proven = 0;
    let rows: Vec<_> = suite().into_iter().filter(|row| row.is_win && row.plies >= 7).collect();
    for Row { game, best, plies, .. } in &rows {
        let Verdict::Proven(proof) = prove(&mut prover, game, effort(600_000)) else { continue };
        proven += 1;
        assert_eq!(proof.winner, game.side());
        assert!(proof.plies >= *plies, "{} {}", game.rules().id, game.fen());
        // A longer win by another move is one as well; one as short is by this move.
        if proof.plies == *plies {
            assert_eq!(proof.line[0].on(game.size()).to_string(), *best);
        }
    }
    assert!(proven * 2 >= rows.len(), "{proven} of {}", rows.len());
}

/// A position of a rule set with these men, and the king.
fn set_up(id: &str, attackers: &[Square], defenders: &[Square], king: Square, side: char) -> Game {
    let size = variant(id).unwrap().size;
    let mut ranks = Vec::new();
    for rank in (0..size).rev() {
        let letter = |file| {
            let square = Square::at(file, rank, size);
            if square == king {
                'k'
            } else if attackers.contains(&square) {
                'a'
            } else if defenders.contains(&square) {
                'd'
            } else {
                '1'
            }
        };
        let line: String = (0..size).map(letter).collect();
        // Runs of ones are numbers of empty squares.
        let mut text = String::new();
        let mut empty = 0;
        for c in line.chars().chain(['/']) {
            if c == '1' {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            if c != '/' {
                text.push(c);
            }
        }
        ranks.push(text);
    }
    position(id, &format!("{} {side}", ranks.join("/")))
}

/// Rings of attackers around the king and a defender, each open where one man has stepped back.
fn nearly_encircled(id: &str) -> Vec<Game> {
    let size = variant(id).unwrap().size;
    let mid = size / 2;
    let at =
        |dx: i32, dy: i32| Square::at((mid as i32 + dx) as usize, (mid as i32 + dy) as usize, size);
    let ring: Vec<(i32, i32)> = (-2..=2_i32)
        .flat_map(|dx| (-2..=2_i32).map(move |dy| (dx, dy)))
        .filter(|(dx, dy)| dx.abs().max(dy.abs()) == 2 && dx.abs() != dy.abs())
        .collect();
    let back = |(dx, dy): (i32, i32)| {
        if dx.abs() == 2 { (dx + dx.signum(), dy) } else { (dx, dy + dy.signum()) }
    };
    let open = |i: usize| {
        let men = ring.iter().enumerate().map(|(j, &man)| if i == j { back(man) } else { man });
        let men: Vec<Square> = men.map(|(dx, dy)| at(dx, dy)).collect();
        set_up(id, &men, &[at(1, 1)], at(0, 0), 'a')
    };
    (0..ring.len()).map(open).collect()
}

/// Forts on each edge, each open where one man has stepped back.
fn nearly_forts(id: &str) -> Vec<Game> {
    let size = variant(id).unwrap().size;
    let file = size / 2;
    let walls = [(file - 1, 0), (file, 1), (file + 1, 1), (file + 2, 0)];
    let back = [(file - 2, 0), (file, 2), (file + 1, 2), (file + 3, 0)];
    let open = |(i, symmetry): (usize, u32)| {
        let place = |(file, rank)| image(Square::at(file, rank, size), symmetry, size);
        let men = (0..4).map(|j| if i == j { back[j] } else { walls[j] });
        let men: Vec<Square> = men.map(place).collect();
        let hunters = [(1, size - 2), (size - 2, size - 2)].map(place);
        set_up(id, &hunters, &men, place((file, 0)), 'd')
    };
    (0..4).flat_map(|i| (0..8).map(move |symmetry| (i, symmetry))).map(open).collect()
}

#[test]
fn wins_at_once_are_those_that_the_moves_show() {
    let mut met: HashMap<String, u32> = HashMap::new();
    let mut prover = Prover::new(1);
    let mut ask = |game: &Game| {
        if game.outcome().is_some() {
            return;
        }
        let winner = game.legal_moves().into_iter().find_map(|mv| {
            let mut after = game.clone();
            after.play(mv);
            after.outcome().filter(|outcome| outcome.winner == Some(game.side()))
        });
        let answer = within(&mut prover, game, game.side(), 1);
        let case = format!("{} {}", game.rules().id, game.fen());
        assert_eq!(matches!(answer, Within::Yes(_)), winner.is_some(), "{case} {answer:?}");
        assert_eq!(answer == Within::No, winner.is_none(), "{case} {answer:?}");
        if let Some(outcome) = winner {
            *met.entry(format!("{:?}", outcome.reason)).or_default() += 1;
        }
    };
    for rules in variants().iter().filter(|rules| !rules.depends_on_past()) {
        if rules.encirclement {
            nearly_encircled(&rules.id).iter().for_each(&mut ask);
        }
        if rules.exit_fort {
            nearly_forts(&rules.id).iter().for_each(&mut ask);
        }
        for seed in 1..=3 {
            let mut walk = Walk(0xabcd_0000 + seed * 977 + rules.size as u64);
            let mut game = start(&rules.id);
            while game.plies() < 150 && walk.step(&mut game) {
                if let Ok(fresh) = game.with_fen(&game.fen()) {
                    ask(&fresh);
                }
            }
        }
    }
    // Positions from which a move of the data is known to end the game.
    for (file, status) in [("moves.tsv", 4), ("cases.tsv", 4)] {
        let path = format!("{}/tests/data/{file}", env!("CARGO_MANIFEST_DIR"));
        for line in fs::read_to_string(path).unwrap().lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let known = fields.len() > status && !line.starts_with('#');
            if known
                && !matches!(fields[status], "ongoing" | "-")
                && fields[3] != "illegal"
                && let Ok(game) = start(fields[0]).with_fen(fields[1])
            {
                ask(&game);
            }
        }
    }
    for reason in [
        Reason::KingCaptured,
        Reason::KingEscaped,
        Reason::Encirclement,
        Reason::ExitFort,
        Reason::NoMoves,
    ] {
        let count = met.get(&format!("{reason:?}")).copied().unwrap_or(0);
        assert!(count >= 20, "{reason:?}: {met:?}");
    }
}

#[test]
fn short_wins_and_losses_are_exactly_what_trying_everything_shows() {
    let mut prover = Prover::new(4);
    let mut seen: HashMap<(Side, bool), u32> = HashMap::new();
    for id in ["brandubh", "ard-ri-rook", "magpie", "brandub-walker", "ard-ri"] {
        let mut walk = Walk(0x1dea_0000 + id.len() as u64);
        for _ in 0..3 {
            let mut game = start(id);
            while walk.step(&mut game) {
                let fresh = game.with_fen(&game.fen()).unwrap();
                if fresh.outcome().is_some() {
                    break;
                }
                let mut exact = prover::Prover::exact();
                let side = fresh.side();
                for (plies, winner) in [(3, side), (2, side.other())] {
                    let truth = match winner == side {
                        true => exact.wins(&mut fresh.clone(), plies),
                        false => exact.loses(&mut fresh.clone(), plies),
                    };
                    let answer = within(&mut prover, &fresh, winner, plies);
                    let case = format!("{id} {} {winner:?} {plies}", fresh.fen());
                    assert_eq!(matches!(answer, Within::Yes(_)), truth, "{case}");
                    assert_eq!(answer == Within::No, !truth, "{case}");
                    *seen.entry((winner, truth)).or_default() += 1;
                }
            }
        }
    }
    for key in [Side::Attackers, Side::Defenders].into_iter().flat_map(|s| [(s, true), (s, false)])
    {
        assert!(seen.get(&key).is_some_and(|&count| count >= 5), "{seen:?}");
    }
}

#[test]
fn wins_and_losses_of_both_sides() {
    let mut prover = Prover::new(4);
    for (id, fen, winner, plies) in [
        ("tablut", "4a4/9/9/9/2k5a/2a6/9/9/4a4 d", Side::Defenders, 1),
        ("tablut", "4a4/9/9/9/2k5a/2a6/9/9/4a4 a", Side::Defenders, 2),
        ("copenhagen", "11/11/11/11/11/11/11/11/11/3a7/2k8 a", Side::Defenders, 2),
        ("tablut", "9/9/2a6/1aka5/9/2a6/9/9/9 a", Side::Attackers, 1),
        ("brandub-walker", "3a3/7/2a4/2k4/7/2a4/7 a", Side::Attackers, 1),
        (
            "alea-evangelii",
            "19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/9k9/19/9a9 d",
            Side::Defenders,
            3,
        ),
    ] {
        let game = position(id, fen);
        let Verdict::Proven(proof) = prove(&mut prover, &game, ENOUGH) else {
            panic!("not proven: {id} {fen}")
        };
        assert_eq!(
            (proof.winner, proof.plies, proof.is_minimal()),
            (winner, plies, true),
            "{id} {fen}"
        );
    }
}

#[test]
fn a_finished_game_is_over() {
    let mut prover = Prover::new(1);
    let game = position("tablut", "k3a4/9/9/9/9/9/9/9/4a4 a");
    let answer = prover.prove(&game, ENOUGH, &never());
    let Verdict::Over(outcome) = answer.verdict else { panic!("{answer:?}") };
    assert_eq!((outcome.reason, answer.nodes), (Reason::KingEscaped, 0));
}

/// Perpetual raichi: the attackers are ahead, the king threatens for ever.
const PERPETUAL: [&str; 3] = [
    "6a2/9/a8/5aa2/5a3/2a1aak1a/7a1/6a2/3a1a3 d",
    "9/3a5/1a7/2a1a4/ak3a3/1aa5a/9/3a1a1a1/9 d",
    "7a1/4a4/2a2a3/3a3ka/6a2/5a3/a3a2a1/5a3/1a7 d",
];

#[test]
fn nothing_rests_on_a_repetition() {
    let mut prover = Prover::new(8);
    let tablut = variant("tablut").unwrap();
    for fen in PERPETUAL {
        for result in [
            RepetitionResult::Draw,
            RepetitionResult::AttackersWin,
            RepetitionResult::MoverLoses,
            RepetitionResult::MoverWins,
        ] {
            let mut rules = (*tablut).clone();
            rules.repetition.result = result;
            let game = Game::start(Arc::new(rules)).unwrap().with_fen(fen).unwrap();
            // Whoever wins by going round and round, nobody wins without.
            let verdict = prove(&mut prover, &game, effort(150_000));
            assert!(!matches!(verdict, Verdict::Proven(_)), "{fen} {result:?} {verdict:?}");
        }
    }
}

#[test]
fn the_past_counts() {
    let mut prover = Prover::new(4);
    // The position with men on c1 and c3 came about twice; the third time wins for the attackers.
    let mut game = start("brandubh");
    for text in ["d1b1", "d3c3", "b1c1", "c3d3", "c1d1", "d3c3", "d1c1", "c3d3", "c1d1", "d3c3"] {
        game.play(game.read_move(text).unwrap());
    }
    let Within::Yes(proof) = within(&mut prover, &game, Side::Attackers, 1) else { panic!("no") };
    check(&game, &proof);
    let mut after = game.clone();
    after.play(proof.line[0]);
    assert_eq!(after.outcome().unwrap().reason, Reason::Repetition);
    // Without that past there is nothing.
    let fresh = game.with_fen(&game.fen()).unwrap();
    assert_eq!(within(&mut prover, &fresh, Side::Attackers, 1), Within::No);

    // Ashton: a position that has been there since the last capture draws. The king's only winning
    // square is reached by going back to it.
    let fen = "9/9/6a2/a5k2/9/a1a6/5aaa1/9/1aa3a2 d";
    let mut game = position("tablut-ashton", fen);
    for text in ["g6c6", "g7c7", "c6g6", "c7g7"] {
        game.play(game.read_move(text).unwrap());
    }
    let back = game.read_move("g6c6").unwrap();
    game.play(back);
    assert_eq!(game.outcome().unwrap().reason, Reason::Repetition);
    for plies in [2, 4] {
        for side in [Side::Attackers, Side::Defenders] {
            let answer = within(&mut prover, &game, side, plies);
            assert!(!matches!(answer, Within::Yes(_)), "the game is drawn already: {answer:?}");
        }
    }
}

#[test]
fn where_the_defenders_may_not_repeat_proofs_are_still_played_out() {
    let mut prover = Prover::new(4);
    let mut proven = 0;
    for id in ["htp-brandubh", "htp-copenhagen"] {
        let mut walk = Walk(0x4711_0000 + id.len() as u64);
        for _ in 0..3 {
            let mut game = start(id);
            while game.plies() < 60 && walk.step(&mut game) {
                let verdict = prove(&mut prover, &game, effort(3_000));
                proven += u32::from(matches!(verdict, Verdict::Proven(_)));
            }
        }
    }
    assert!(proven >= 5, "{proven}");
    // Moves that the past forbids are tried all the same, so a no would say nothing.
    let game = position("htp-brandubh", "7/7/7/3k3/7/7/1a5 a");
    assert_eq!(within(&mut prover, &game, Side::Attackers, 1), Within::Unknown);
    assert_eq!(within(&mut prover, &game, Side::Defenders, 2), Within::No);
}

#[test]
fn effort_is_bounded_and_honest() {
    let mut prover = Prover::new(1);
    let game = start("copenhagen");
    for nodes in [1, 100, 5_000] {
        let answer = prover.prove(&game, effort(nodes), &never());
        assert_eq!(answer.verdict, Verdict::Open(Open::Spent), "{nodes}");
        assert!(answer.nodes <= nodes, "{answer:?}");
    }
    let none = Effort { nodes: None, time: Some(Duration::ZERO) };
    assert_eq!(prover.prove(&game, none, &never()).verdict, Verdict::Open(Open::Spent));
    let stopped = never();
    stopped.stop();
    let answer = prover.prove(&game, Effort::default(), &stopped);
    assert_eq!(answer.verdict, Verdict::Open(Open::Interrupted));
    let answer = prover.within(&game, Side::Attackers, 9, Effort::default(), &stopped).0;
    assert_eq!(answer, Within::Unknown);
}

#[test]
fn a_small_memory_suffices() {
    // Forty thousand places for a search of hundreds of thousands of positions.
    let mut small = Prover::new(1);
    for row in suite().into_iter().filter(|row| row.is_win && row.plies == 7).take(6) {
        if let Verdict::Proven(proof) = prove(&mut small, &row.game, effort(600_000)) {
            assert_eq!(proof.winner, row.game.side());
        }
    }
}

#[test]
fn the_same_question_has_the_same_answer() {
    let row = suite().into_iter().find(|row| row.is_win && row.plies == 7).unwrap();
    let mut prover = Prover::new(4);
    let mut ask = || {
        let answer = prover.prove(&row.game, effort(600_000), &never());
        (answer.verdict, answer.nodes)
    };
    let mut fresh = Prover::new(4);
    let first = ask();
    let again = fresh.prove(&row.game, effort(600_000), &never());
    assert_eq!(first, (again.verdict, again.nodes));
}

#[test]
fn what_alpha_beta_has_proven_is_proven_again() {
    let mut prover = Prover::new(8);
    let mut searcher = Searcher::new(4);
    let mut seen: HashMap<String, u32> = HashMap::new();
    for id in
        ["tablut", "tablut-corner", "tablut-ashton", "brandub-walker", "tawlbwrdd", "copenhagen"]
    {
        let mut walk = Walk(0xbeef_0000 + id.len() as u64);
        for _ in 0..3 {
            let mut game = start(id);
            while game.plies() < 120 && walk.step(&mut game) {
                let fresh = game.with_fen(&game.fen()).unwrap();
                if fresh.outcome().is_some() {
                    break;
                }
                let (found, _) = search_with(&mut searcher, &fresh, &nodes(2_000));
                let side = fresh.side();
                let (winner, plies) = match found.score.kind() {
                    ScoreKind::Win(plies) => (side, plies),
                    ScoreKind::Loss(plies) => (side.other(), plies),
                    ScoreKind::Centipawns(_) => continue,
                };
                if plies > 5 {
                    continue;
                }
                let case = format!("{id} {} {}", fresh.fen(), found.score);
                let Within::Yes(proof) = within(&mut prover, &fresh, winner, plies) else {
                    panic!("not proven: {case}")
                };
                check(&fresh, &proof);
                let loser = within(&mut prover, &fresh, winner.other(), plies);
                assert_eq!(loser, Within::No, "{case}");
                *seen.entry(format!("{winner:?} {}", winner == side)).or_default() += 1;
            }
        }
    }
    // Behind the winning moves of the suite the other side is lost.
    for Row { game, best, plies, .. } in
        suite().into_iter().filter(|row| row.is_win && row.plies <= 5)
    {
        let winner = game.side();
        let mut after = game.clone();
        after.play(game.read_move(&best).unwrap());
        let after = after.with_fen(&after.fen()).unwrap();
        let answer = within(&mut prover, &after, winner, plies - 1);
        let Within::Yes(proof) = answer else { panic!("{} {answer:?}", after.fen()) };
        check(&after, &proof);
        *seen.entry(format!("{winner:?} false")).or_default() += 1;
    }
    assert!(seen.len() == 4 && seen.values().all(|&count| count >= 10), "{seen:?}");
}
