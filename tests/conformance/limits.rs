//! Starting, stopping and bounding a search.

use std::time::{Duration, Instant};

use crate::engine::{Alone, Engine, PATIENCE, START, number};
use crate::{ESCAPED, LOST, SHORT, SHUFFLE, WON, millis};

#[test]
fn c14_stop_while_idle() {
    let _alone = Alone::wait();
    let mut engine = Engine::start();
    engine.send("stop\nstop");
    engine.sync();
    engine.send("go movetime 400");
    let start = Instant::now();
    engine.line("bestmove");
    assert!(start.elapsed() >= millis(300), "the stop was remembered");
}

#[test]
fn c15_go_and_stop_in_one_write() {
    let mut engine = Engine::start();
    for _ in 0..50 {
        engine.send("go infinite\nstop");
        engine.line("bestmove");
        engine.sync();
    }
}

#[test]
fn c16_stop_position_go_in_one_write() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.line("info depth 1");
    engine.send(&format!("stop\nposition fen {WON}\ngo depth 3"));
    let old = engine.answer();
    assert!("abcdefghi".contains(&old.mv()[..1]) && !old.mv().starts_with("c4"));
    let new = engine.answer();
    assert!(new.mv().starts_with("c4"), "{new:?}");
}

#[test]
fn c17_infinite_never_ends_by_itself() {
    let _alone = Alone::wait();
    for (variant, fen) in [
        ("tablut", WON),
        ("tablut", ESCAPED),
        ("tablut", LOST),
        ("tablut", "k8/9/9/9/9/9/9/9/a7a d"),
        ("ard-ri", "7/7/7/3k3/7/7/a6 a"),
    ] {
        let mut engine = Engine::at(variant, fen);
        engine.send("go infinite");
        engine.line("info depth");
        engine.only_reports_for(millis(300));
        if fen != LOST && !fen.contains("a6 a") {
            let before = engine.processor_ticks();
            engine.only_reports_for(millis(300));
            if let (Some(before), Some(after)) = (before, engine.processor_ticks()) {
                assert!(after - before < 10, "busy while it waits: {} ticks", after - before);
            }
        }
        engine.send("stop");
        engine.until_within("bestmove", Duration::from_secs(2));
    }
}

#[test]
fn c18_finished_position() {
    for (variant, fen, expected) in [
        ("tablut", ESCAPED, "mate 0"),
        ("tablut", "9/9/9/9/9/9/9/9/a7a d", "mate 0"),
        ("tablut", "k8/9/9/9/9/9/9/9/a7a d", "mate 0"),
        // No move: attackers boxed in.
        ("tablut", "9/9/9/9/4k4/9/9/d8/ad7 a", "mate 0"),
    ] {
        let mut engine = Engine::at(variant, fen);
        assert_eq!(engine.query("gameover"), "true", "{fen}");
        let answer = engine.go("depth 5");
        assert_eq!(answer.best, "bestmove (none)", "{fen}");
        assert_eq!(answer.score(), expected, "{fen}");
        engine.send("go infinite");
        engine.line("info depth");
        engine.only_reports_for(SHORT);
        engine.send("stop");
        assert_eq!(engine.line("bestmove"), "bestmove (none)");
        engine.sync();
    }
}

#[test]
fn c19_repetition_at_the_root() {
    let mut engine = Engine::start();
    engine.send(&format!("position startpos moves {SHUFFLE}"));
    assert_eq!(engine.query("reason"), "repetition");
    assert_eq!(engine.query("result"), "draw");
    let legal = engine.query("legalmoves");
    let answer = engine.go("depth 3");
    assert!(legal.split(' ').any(|mv| mv == answer.mv()), "{answer:?}");
}

#[test]
fn c20_every_answer_is_preceded_by_a_report() {
    let forced = "9/9/9/9/9/9/dd7/ka7/d1a6 d";
    for (variant, fen, limits) in [
        ("tablut", START, "nodes 1"),
        ("tablut", START, "movetime 1"),
        ("tablut", WON, "depth 9"),
        ("tablut", ESCAPED, "nodes 100"),
        ("brandubh", "startpos", "depth 0"),
        ("tablut-corner", forced, "movetime 50"),
    ] {
        let mut engine = Engine::at(variant, fen);
        let answer = engine.go(limits);
        let last = answer.last();
        assert!(last.contains(" score ") && last.contains(" nodes "), "{fen} {limits}: {answer:?}");
        number(last, "depth");
    }
}

#[test]
fn c21_no_report_after_the_answer() {
    let mut engine = Engine::start();
    for _ in 0..20 {
        engine.send("go infinite");
        engine.next(millis(20));
        engine.send("stop");
        engine.line("bestmove");
        engine.send("isready");
        assert_eq!(engine.next(PATIENCE).as_deref(), Some("readyok"));
    }
}

#[test]
fn c22_tiny_limits_give_a_legal_move() {
    for variant in ["tablut", "alea-evangelii", "brandubh"] {
        let mut engine = Engine::at(variant, "startpos");
        let legal = engine.query("legalmoves");
        for limits in ["nodes 1", "movetime 1", "wtime 1 btime 1", "atime 1 dtime 1 ainc 0 dinc 0"]
        {
            let answer = engine.go(limits);
            assert!(legal.split(' ').any(|mv| mv == answer.mv()), "{variant} {limits}: {answer:?}");
        }
    }
}

#[test]
fn c23_no_time_is_not_endless_time() {
    let _alone = Alone::wait();
    let mut engine = Engine::start();
    for limits in ["movetime 0", "wtime 0", "wtime 0 btime 0 winc 0 binc 0", "p1time 0 p2time 0"] {
        let start = Instant::now();
        engine.go(limits);
        assert!(start.elapsed() < millis(500), "{limits}: {:?}", start.elapsed());
    }
}

#[test]
fn c24_negative_clocks() {
    let _alone = Alone::wait();
    let mut engine = Engine::start();
    for limits in ["wtime -500 btime -1 winc -3 binc -3", "atime -1 dtime -1", "movetime -5"] {
        let start = Instant::now();
        let lines = {
            engine.send(&format!("go {limits}"));
            engine.until("bestmove")
        };
        assert!(lines.iter().all(|line| !line.contains("error")), "{lines:?}");
        assert!(start.elapsed() < millis(500), "{limits}: {:?}", start.elapsed());
    }
}

#[test]
fn c25_one_clock_serves_either_side() {
    let _alone = Alone::wait();
    for moves in ["", " moves e3a3"] {
        for clock in
            ["wtime 300", "btime 300", "atime 300", "dtime 300", "p1time 300", "p2time 300"]
        {
            let mut engine = Engine::start();
            engine.send(&format!("position startpos{moves}"));
            let start = Instant::now();
            engine.go(clock);
            assert!(start.elapsed() < millis(600), "{moves} {clock}: {:?}", start.elapsed());
        }
    }
}

#[test]
fn c26_moves_to_go() {
    let _alone = Alone::wait();
    let mut engine = Engine::start();
    for moves in ["0", "1", "2", "1000", "-3"] {
        let start = Instant::now();
        engine.go(&format!("wtime 300 btime 300 movestogo {moves}"));
        assert!(start.elapsed() < millis(300), "{moves}: {:?}", start.elapsed());
    }
}

#[test]
fn c27_fields_in_any_order_first_limit_stops() {
    let _alone = Alone::wait();
    let mut engine = Engine::start();
    let answer = engine.go("movetime 20000 nodes 2000 depth 90");
    assert!(answer.nodes() <= 2000);
    let answer = engine.go("nodes 2000 depth 90 movetime 20000");
    assert!(answer.nodes() <= 2000);
    let answer = engine.go("depth 2 nodes 90000000 wtime 600000");
    assert_eq!(number(answer.last(), "depth"), 2);
    let start = Instant::now();
    engine.go("depth 90 nodes 900000000 movetime 100");
    assert!(start.elapsed() < millis(600));
    engine.send("go nodes depth 2");
    let lines = engine.until("bestmove");
    assert!(lines[0].starts_with("info string error bad-value: go nodes"), "{lines:?}");
    engine.go("depth x nodes 500");
    engine.go("nodes 99999999999999999999999 depth 2");
}

#[test]
fn c28_bare_go_is_endless_and_unreadable_limits_are_not() {
    let mut engine = Engine::start();
    engine.send("go");
    engine.line("info depth 1");
    engine.only_reports_for(SHORT);
    engine.send("stop");
    engine.line("bestmove");
    for limits in ["depth", "depth x", "movetime soon", "frobnicate 3", "wtime", "mate 0"] {
        let start = Instant::now();
        engine.go(limits);
        assert!(start.elapsed() < Duration::from_secs(4), "{limits}");
    }
}

#[test]
fn c29_the_clock_starts_at_go() {
    let _alone = Alone::wait();
    let mut engine = Engine::start();
    let long = ["e3a3 d1a1 a3e3 a1d1"; 5000].join(" ");
    let start = Instant::now();
    engine.send(&format!("position startpos moves {long}\ngo movetime 700"));
    engine.line("bestmove");
    let parse_and_search = start.elapsed();
    assert!(parse_and_search < millis(1500), "{parse_and_search:?}");
    // The time between `position` and `go` does not count.
    engine.send("position startpos");
    std::thread::sleep(millis(300));
    let start = Instant::now();
    engine.go("movetime 300");
    assert!(start.elapsed() >= millis(250), "{:?}", start.elapsed());
}

/// The smoke version of a thousand fast games: the clock of a whole game on one engine.
#[test]
fn c30_never_over_time() {
    let _alone = Alone::wait();
    let mut engine = Engine::start();
    engine.send("setoption name Move Overhead value 0");
    let (mut clock, increment) = (1000.0, 10.0);
    for _ in 0..80 {
        let start = Instant::now();
        engine.go(&format!("dtime {} atime 1000 dinc {increment} ainc 10", clock as u64));
        clock -= start.elapsed().as_secs_f64() * 1000.0;
        // Waiting for the operating system is not the engine's fault; losing the game is.
        assert!(clock > 0.0, "over time by {} ms", -clock);
        clock += increment;
    }
    let mut engine = Engine::start();
    engine.send("setoption name Move Overhead value 100");
    let start = Instant::now();
    engine.go("movetime 300");
    assert!(start.elapsed() < millis(290), "{:?}", start.elapsed());
}

#[test]
fn c31_nodes_are_exact() {
    for (variant, fen) in
        [("tablut", "startpos"), ("brandubh", "startpos"), ("copenhagen", "startpos")]
    {
        let mut engine = Engine::at(variant, fen);
        for nodes in [1, 2, 50, 777, 5000] {
            engine.send("ucinewgame");
            engine.position(fen);
            let answer = engine.go(&format!("nodes {nodes}"));
            assert!(answer.nodes() <= nodes, "{variant} {nodes}: {answer:?}");
            if nodes >= 50 {
                assert!(answer.nodes() + 1 >= nodes, "{variant} {nodes}: {answer:?}");
            }
        }
    }
}

#[test]
fn c32_no_nodes_or_depth() {
    let _alone = Alone::wait();
    let mut engine = Engine::start();
    let legal = engine.query("legalmoves");
    for limits in ["nodes 0", "depth 0"] {
        let start = Instant::now();
        let answer = engine.go(limits);
        assert!(legal.split(' ').any(|mv| mv == answer.mv()), "{limits}: {answer:?}");
        assert!(start.elapsed() < millis(500), "{limits}");
    }
}

#[test]
fn c33_deep_searches() {
    // Few men, so that the search gets deep; the line with speed limits gets deepest.
    for (variant, fen) in [
        ("tablut", "9/9/9/9/4k4/9/9/9/a7a d"),
        ("ard-ri", "a5a/7/7/3k3/7/7/a5a d"),
        ("ard-ri", "7/7/7/3k3/7/7/a6 a"),
        ("magpie", "7/7/7/3k3/7/7/1a5 a"),
    ] {
        let mut engine = Engine::at(variant, fen);
        let answer = engine.go("depth 999 movetime 1500");
        assert!(answer.best.starts_with("bestmove "), "{answer:?}");
        engine.sync();
    }
}
