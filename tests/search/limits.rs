//! What bounds a search, and what it then answers.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use konakis::game::moves::Move;
use konakis::search::Searcher;
use konakis::search::limits::{Bound, Control, Limits};
use konakis::search::score::{MAX_PLY, Score};

use crate::{
    MS, Reports, Walk, check, clock, depth, movetime, nodes, position, search, search_with, start,
};

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
    let (crowded, all) = (0xcafe..0xcb0e)
        .find_map(|seed| {
            let (mut game, mut walk) = (start("historical"), Walk(seed));
            while walk.step(&mut game) && game.outcome().is_none() {
                let all = search(&game, &depth(1)).0.nodes;
                if all >= 3 * game.legal_moves().len() as u64 {
                    return Some((game, all));
                }
            }
            None
        })
        .expect("no position with many captures");
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
    let all = Limits { start: begun, nodes: None, mate: None, movetime: Some(30 * MS), ..all };
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
