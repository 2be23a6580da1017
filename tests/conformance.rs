//! Faults that real engines have shipped, one test each, against the built program.

mod engine;

use std::time::{Duration, Instant};

use engine::{Alone, Engine, PATIENCE, START, number, one_shot, pv, score};

const SHORT: Duration = Duration::from_millis(200);
/// King on c4, nothing in his way: the defenders win at once.
const WON: &str = "9/9/9/9/9/2k6/9/9/a7a d";
/// The same with the attackers to move, who can block one line of four.
const LOST: &str = "9/9/9/9/9/2k6/9/9/a7a a";
/// The king stands on the edge: over.
const ESCAPED: &str = "9/9/9/9/9/k8/9/9/a7a a";
/// Two defenders' moves back and forth; after eight plies the start has occurred three times.
const SHUFFLE: &str = "e3a3 d1a1 a3e3 a1d1 e3a3 d1a1 a3e3 a1d1";

fn millis(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

#[test]
fn c01_nothing_before_the_handshake() {
    let mut engine = Engine::start();
    engine.silent_for(SHORT);
    engine.send("uci");
    assert!(engine.until("uciok")[0].starts_with("id name Konakis"));
}

#[test]
fn c02_lines_begin_without_a_blank() {
    let input =
        "uci\nd\neval\nhelp\nperft 2\ngo perft 1\ngo depth 2\nxyzzy\nquery board\nbench 1\n";
    let lines = one_shot(input);
    assert!(lines.len() > 60);
    for line in lines {
        assert!(!line.starts_with([' ', '\t']) && !line.is_empty(), "'{line}'");
    }
}

#[test]
fn c03_every_line_is_flushed() {
    let mut engine = Engine::start();
    engine.send("isready");
    engine.line("readyok");
    engine.send("go infinite");
    engine.line("info depth 1");
    engine.send("stop");
    engine.line("bestmove");
}

#[test]
fn c04_lines_never_mix() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    for _ in 0..300 {
        engine.send("isready\nquery side");
    }
    engine.send("stop");
    let lines = engine.until("bestmove");
    assert_eq!(lines.iter().filter(|line| *line == "readyok").count(), 300);
    assert_eq!(lines.iter().filter(|line| *line == "response defenders").count(), 300);
    let others = lines.iter().filter(|line| !line.starts_with("response"));
    for line in others.filter(|line| *line != "readyok") {
        assert!(line.starts_with("info depth ") || line.starts_with("bestmove "), "{line}");
        assert!(!line.contains("readyok") && !line.contains("response"), "{line}");
    }
}

#[test]
fn c05_blanks_and_line_ends() {
    let mut engine = Engine::start();
    engine.send_raw(b"\r\n\n  \t\r\n");
    engine.send_raw(b"  isready\t \r\n");
    engine.line("readyok");
    engine.send_raw(b"\tposition   startpos\t moves  e3a3 \r\nquery  side\r\n");
    assert_eq!(engine.line("response"), "response attackers");
    engine.send_raw(b"setoption  name  Move   Overhead   value  5 \r\nisready\r\n");
    assert_eq!(engine.until("readyok").len(), 1);
}

#[test]
fn c06_unknown_commands() {
    let mut engine = Engine::start();
    for line in
        ["xyzzy", "joho uci", "go_fish", "é漢字", "position startpos junk", "register later"]
    {
        engine.send(line);
        let error = engine.line("info string error ");
        assert!(error.len() > 30, "{error}");
        engine.sync();
    }
    engine.send_raw(b"\xff\xfe\x00\x01 isready\n");
    engine.line("info string error unknown-command");
    engine.send("go depth 2 frobnicate");
    engine.line("bestmove");
}

#[test]
fn c07_handshake_twice() {
    let mut engine = Engine::start();
    engine.send("uci");
    let first = engine.until("uciok");
    engine.send("uci");
    assert_eq!(engine.until("uciok"), first);
    engine.send("ugi");
    let ugi = engine.until("ugiok");
    assert_eq!(ugi[..ugi.len() - 1], first[..first.len() - 1]);
}

#[test]
fn c08_ready_during_a_search() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.line("info depth 1");
    engine.send("isready");
    engine.until_within("readyok", Duration::from_secs(2));
    engine.only_reports_for(SHORT);
    engine.send("stop");
    engine.line("bestmove");
}

#[test]
fn c09_ready_means_done() {
    let _alone = Alone::wait();
    let mut engine = Engine::start();
    engine.send("setoption name Hash value 512\nucinewgame\nisready");
    engine.line("readyok");
    let start = Instant::now();
    engine.go("depth 1");
    assert!(start.elapsed() < millis(300), "the table is not made in the first search");
}

#[test]
fn c10_large_table_is_cleared_fast() {
    let mut engine = Engine::start();
    engine.send("setoption name Hash value 1024\nisready");
    engine.line("readyok");
    let start = Instant::now();
    engine.send("ucinewgame\nisready");
    engine.line("readyok");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn c11_end_of_input_while_idle() {
    let mut engine = Engine::start();
    engine.send("isready");
    engine.line("readyok");
    engine.hang_up();
    assert!(engine.wait(Duration::from_secs(2)).success());
}

#[test]
fn c12_end_of_input_during_a_search() {
    let _alone = Alone::wait();
    // A limited search runs to its limit.
    let start = Instant::now();
    let lines = one_shot("uci\nposition startpos\ngo movetime 600\n");
    assert!(start.elapsed() >= millis(550));
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 1);
    assert!(lines.last().unwrap().starts_with("bestmove "));
    // The others stop at once.
    for endless in ["go infinite", "go", "go ponder movetime 100000", "go ponder"] {
        let start = Instant::now();
        let lines = one_shot(&format!("{endless}\n"));
        assert!(start.elapsed() < Duration::from_secs(3), "{endless}");
        assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 1);
        assert!(lines.iter().any(|line| line.starts_with("info depth")), "{endless}");
    }
}

#[test]
fn c13_quit_during_a_search() {
    let _alone = Alone::wait();
    let mut engine = Engine::start();
    for work in ["go infinite", "go depth 99", "perft 9", "bench 60"] {
        engine = Engine::start();
        engine.send(work);
        engine.next(SHORT);
        let start = Instant::now();
        engine.send("quit");
        assert!(engine.wait(Duration::from_secs(5)).success(), "{work}");
        assert!(start.elapsed() < Duration::from_secs(1), "{work}: {:?}", start.elapsed());
    }
    drop(engine);
}

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

#[test]
fn c34_mate_search() {
    let mut engine = Engine::at("tablut", WON);
    let answer = engine.go("mate 1");
    assert_eq!(answer.score(), "mate 1");
    engine.position(LOST);
    let answer = engine.go("mate 1");
    assert_eq!(answer.score(), "mate -1");
    // No mate there: a second limit ends the search.
    engine.position("startpos");
    let answer = engine.go("mate 1 depth 3");
    assert!(answer.score().starts_with("cp"), "{answer:?}");
}

#[test]
fn c35_search_moves() {
    let mut engine = Engine::start();
    let answer = engine.go("depth 3 searchmoves e3a3 e7a7");
    assert!(["e3a3", "e7a7"].contains(&answer.mv()));
    let answer = engine.go("searchmoves e3a3 a1a2 e9e9 zz depth 3");
    assert_eq!(answer.mv(), "e3a3");
    engine.send("setoption name MultiPV value 5");
    let answer = engine.go("searchmoves e3a3 e7a7 depth 3");
    let lines: Vec<_> = answer.infos.iter().filter(|line| number(line, "depth") == 3).collect();
    assert_eq!(lines.iter().map(|line| number(line, "multipv")).max(), Some(2), "{answer:?}");
    for line in &answer.infos {
        assert!(["e3a3", "e7a7"].contains(&pv(line)[0].as_str()), "{line}");
    }
    let answer = engine.go("searchmoves a1a2 depth 3");
    assert_eq!(answer.best, "bestmove (none)");
    assert!(!answer.infos.is_empty());
}

#[test]
fn c36_more_lines_than_moves() {
    let fen = "9/9/9/9/4k4/9/9/9/a8 a";
    let mut engine = Engine::at("tablut", fen);
    let legal: Vec<String> = engine.query("legalmoves").split(' ').map(str::to_owned).collect();
    engine.send("setoption name MultiPV value 500");
    let answer = engine.go("depth 2");
    let last_depth = number(answer.last(), "depth");
    let lines: Vec<_> =
        answer.infos.iter().filter(|line| number(line, "depth") == last_depth).collect();
    let places: Vec<u64> = lines.iter().map(|line| number(line, "multipv")).collect();
    assert_eq!(places, (1..=legal.len() as u64).collect::<Vec<_>>());
    let mut first: Vec<String> = lines.iter().map(|line| pv(line)[0].clone()).collect();
    assert_eq!(first[0], answer.mv());
    first.sort();
    let mut sorted = legal.clone();
    sorted.sort();
    assert_eq!(first, sorted);
    let value = |line: &str| {
        let score = score(line);
        let (kind, number) = score.split_once(' ').unwrap();
        let number: i64 = number.parse().unwrap();
        match kind {
            "cp" => number,
            _ if number > 0 => 1_000_000 - number,
            _ => -1_000_000 - number,
        }
    };
    assert!(lines.windows(2).all(|pair| value(pair[0]) >= value(pair[1])), "{lines:?}");
}

#[test]
fn c37_no_answer_while_pondering() {
    let _alone = Alone::wait();
    let mut engine = Engine::at("tablut", WON);
    engine.send("go ponder movetime 50");
    engine.line("info depth");
    engine.only_reports_for(millis(300));
    engine.send("ponderhit");
    engine.until_within("bestmove", Duration::from_secs(2));
    engine.position("startpos");
    engine.send("go ponder movetime 500");
    engine.only_reports_for(millis(700));
    let start = Instant::now();
    engine.send("ponderhit");
    engine.line("bestmove");
    assert!(
        start.elapsed() >= millis(400),
        "movetime counts from ponderhit: {:?}",
        start.elapsed()
    );
    engine.send("go ponder depth 1");
    engine.line("info depth 1");
    engine.only_reports_for(SHORT);
    engine.send("ponderhit");
    engine.line("bestmove");
}

#[test]
fn c38_stop_while_pondering() {
    let mut engine = Engine::start();
    engine.send("ponderhit");
    engine.sync();
    engine.send("go ponder wtime 1000 btime 1000");
    engine.next(SHORT);
    engine.send("stop");
    engine.line("bestmove");
    engine.send("ponderhit\nstop");
    engine.sync();
}

/// Defenders with a fork of two lines to come: a won game in two, lost in two for the attackers.
#[test]
fn c39_mate_in_moves_and_plies() {
    for (fen, uci, ugi) in [(WON, "mate 1", "mate 1"), (LOST, "mate -1", "mate -2")] {
        let mut engine = Engine::at("tablut", fen);
        assert_eq!(engine.go("depth 4").score(), uci);
        engine.send("ugi");
        engine.until("ugiok");
        assert_eq!(engine.go("depth 4").score(), ugi);
        engine.send("uci");
        engine.until("uciok");
        assert_eq!(engine.go("depth 4").score(), uci);
    }
    // The attackers take the king in one; the defenders to move cannot prevent it.
    let mut engine = Engine::at("brandubh", "3aaa1/3d3/3a3/7/7/1a3a1/2a1k2 a");
    let answer = engine.go("depth 2");
    assert!(!answer.score().contains("mate 0"), "{answer:?}");
}

#[test]
fn c40_mate_scores_from_the_table() {
    let mut engine = Engine::at("tablut", LOST);
    let first = engine.go("depth 6").score();
    assert_eq!(engine.go("depth 6").score(), first, "the same again, now from the table");
    // One move on along the line the distance is one less.
    let answer = engine.go("depth 6");
    let line = pv(answer.last());
    engine.send(&format!("position fen {LOST} moves {}", line[0]));
    assert_eq!(engine.go("depth 6").score(), "mate 1");
}

#[test]
fn c41_lines_are_legal() {
    for (variant, fen) in [
        ("tablut", "startpos"),
        ("tablut-ashton", "startpos"),
        ("copenhagen", "startpos"),
        ("brandubh", "startpos"),
        ("tablut", LOST),
        ("brandubh", "7/7/2k1a2/7/a6/7/3a3 d"),
    ] {
        let mut engine = Engine::at(variant, fen);
        engine.send("setoption name MultiPV value 2");
        let answer = engine.go("movetime 500");
        let best: Vec<_> =
            answer.infos.iter().filter(|line| number(line, "multipv") == 1).collect();
        assert_eq!(pv(best[best.len() - 1])[0], answer.mv());
        for line in &answer.infos {
            let moves = pv(line).join(" ");
            let base = if fen == "startpos" { fen.to_owned() } else { format!("fen {fen}") };
            engine.send(&format!("position {base} moves {moves}\nisready"));
            let said = engine.until("readyok");
            assert_eq!(said.len(), 1, "{line}: {said:?}");
        }
    }
}

#[test]
fn c42_ponder_move_is_legal() {
    let mut engine = Engine::start();
    let mut moves = String::new();
    for _ in 0..12 {
        engine.send(&format!("position startpos{moves}"));
        let answer = engine.go("depth 4");
        let words: Vec<&str> = answer.best.split(' ').collect();
        moves = if moves.is_empty() { " moves".to_owned() } else { moves };
        moves.push_str(&format!(" {}", words[1]));
        if let Some(ponder) = words.get(3) {
            engine.send(&format!("position startpos{moves} {ponder}\nisready"));
            assert_eq!(engine.until("readyok").len(), 1, "{}", answer.best);
        }
        if engine.query("gameover") == "true" {
            break;
        }
    }
    let answer = Engine::at("tablut", WON).go("depth 3");
    assert_eq!(answer.best.split(' ').count(), 2, "nothing to ponder after the end");
}

#[test]
fn c43_numbers_are_whole_and_in_range() {
    let mut engine = Engine::start();
    engine.send("setoption name Hash value 1");
    for limits in ["nodes 1", "depth 1", "movetime 400"] {
        for line in &engine.go(limits).infos {
            for word in ["depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time"] {
                number(line, word);
            }
            assert!(number(line, "hashfull") <= 1000, "{line}");
            assert!(number(line, "seldepth") <= 999, "{line}");
        }
    }
}

#[test]
fn c44_no_flood_of_reports() {
    for fen in [WON, LOST, "9/9/9/9/9/9/9/9/a7a d"] {
        let mut engine = Engine::at("tablut", fen);
        engine.send("go infinite");
        let reports = engine.only_reports_for(millis(500));
        assert!(reports.len() <= 140, "{} reports", reports.len());
        engine.send("stop");
        engine.line("bestmove");
    }
}

#[test]
fn c45_names_of_options() {
    let mut engine = Engine::start();
    engine.send("setoption name HASH value 8\nsetoption name mOvE oVeRhEaD value 20");
    engine.send("setoption name uci_variant value Brandubh");
    engine.sync();
    assert_eq!(engine.query("variant"), "brandubh");
    let file = std::env::temp_dir().join(format!("konakis value {}.log", std::process::id()));
    engine.send(&format!("setoption name Debug Log File value {}", file.display()));
    engine.sync();
    engine.send("setoption name Debug Log File value <empty>");
    engine.sync();
    let log = std::fs::read_to_string(&file).expect("the log was written");
    let _ = std::fs::remove_file(&file);
    assert!(log.contains("> isready\n< readyok\n"), "{log}");
}

#[test]
fn c46_bad_options_change_nothing() {
    let mut engine = Engine::start();
    for option in [
        "name Contempt value 3",
        "name Hash",
        "name Hash value",
        "name Hash value 0",
        "name Hash value many",
        "name Hash value 99999999999999999999999",
        "name MultiPV value 0",
        "name UCI_Variant value chess",
        "name Ponder value perhaps",
        "Hash 3",
        "",
    ] {
        engine.send(&format!("setoption {option}"));
        engine.line("info string error ");
        engine.sync();
    }
    assert_eq!(engine.query("variant"), "tablut");
    engine.send("setoption name Clear Hash");
    engine.sync();
    engine.send("setoption name Debug Log File value /no/such/folder/x.log");
    engine.line("info string error file: ");
    engine.sync();
}

#[test]
fn c47_table_grows_and_shrinks() {
    let mut engine = Engine::start();
    for size in [1, 256, 2, 64, 1] {
        engine.send(&format!("setoption name Hash value {size}\nucinewgame"));
        engine.sync();
        engine.go("depth 3");
    }
    // A terabyte: what cannot be had is said, and the engine plays on.
    engine.send("setoption name Hash value 1048576\nisready");
    let lines = engine.until_within("readyok", Duration::from_secs(60));
    assert!(lines[0].starts_with("info string a table of 1048576 MiB cannot be had"), "{lines:?}");
    engine.go("depth 3");
}

#[test]
fn c48_declared_defaults() {
    let lines = one_shot("uci\n");
    let spins: Vec<_> = lines.iter().filter(|line| line.contains(" type spin ")).collect();
    assert!(spins.len() >= 3);
    for line in spins {
        let (default, least, most) =
            (number(line, "default"), number(line, "min"), number(line, "max"));
        assert!(least <= default && default <= most, "{line}");
    }
    assert!(lines.iter().any(|line| line.contains("UCI_Variant type combo default tablut var ")));
    assert!(one_shot("query variant\n").contains(&"response tablut".to_owned()));
}

#[test]
fn c49_options_during_a_search_wait() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.line("info depth 1");
    engine.send("setoption name Hash value 2\nsetoption name UCI_Variant value brandubh");
    engine.only_reports_for(SHORT);
    engine.send("stop");
    engine.line("bestmove");
    engine.sync();
    assert_eq!(engine.query("variant"), "brandubh");
}

/// There is one thread now; the option comes with the parallel search.
#[test]
fn c50_threads_are_not_declared_before_they_exist() {
    let lines = one_shot("uci\nsetoption name Threads value 2\ngo depth 2\n");
    assert!(lines.iter().all(|line| !line.contains("option name Threads")));
    assert!(lines.iter().any(|line| line.starts_with("info string error unknown-option")));
    assert!(lines.last().unwrap().starts_with("bestmove "));
}

#[test]
fn c51_bad_fen_changes_nothing() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e3a3");
    let before = engine.query("fen");
    for fen in ["", "9/9 a", "xyz d", "3aaa3/4a4/4d4/a3d3a/aaddkddaa/a3d3a/4d4/4a4/3aaa2 d", "🙂"]
    {
        engine.send(&format!("position fen {fen} moves e3a3 a4b4"));
        let error = engine.line("info string error ");
        assert!(error.contains("bad-fen") || fen.is_empty(), "{error}");
        assert_eq!(engine.query("fen"), before);
    }
}

#[test]
fn c52_odd_boards() {
    let mut engine = Engine::start();
    engine.send("position fen 9/9/9/9/9/9/9/9/a7a d");
    engine.sync();
    assert_eq!(engine.query("result"), "p2win");
    assert_eq!(engine.query("reason"), "king-captured");
    assert_eq!(engine.query("legalmoves"), "none");
    for (variant, fen) in [
        ("tablut", "9/9/9/k8/9/9/9/k8/a7a d"),
        ("tablut", "9/9/9/9/4a4/9/4k4/9/9 a"),
        ("tablut-corner", "a8/9/9/9/4k4/9/9/9/9 a"),
        ("tablut-ashton", "9/9/9/9/d3k4/9/9/9/9 a"),
    ] {
        engine.send(&format!("setoption name UCI_Variant value {variant}\nposition fen {fen}"));
        let error = engine.line("info string error bad-fen: ");
        assert!(error.contains("may stand") || error.contains("two kings"), "{error}");
    }
    // Full boards, of either side, and as many moves as can be.
    for (variant, rank, king) in
        [("tablut", "aaaaaaaaa", "aaaakaaaa"), ("tablut", "ddddddddd", "ddddkdddd")]
    {
        let mut ranks = [rank; 9];
        ranks[4] = king;
        let mut engine = Engine::at(variant, &format!("{} a", ranks.join("/")));
        engine.go("depth 3");
        engine.send("eval");
        engine.sync_after_text();
    }
    let checkered = ["a1a1a1a1a1a1a1a1a1a", "1a1a1a1a1a1a1a1a1a1"];
    let mut ranks: Vec<String> = (0..19).map(|i| checkered[i % 2].to_owned()).collect();
    ranks[0] = "2a1a1a1a1a1a1a1a1a2".to_owned();
    ranks[1] = "3a1a1a1a1a1a1a1a3".to_owned();
    ranks[17] = "3a1a1a1a1a1a1a1a3".to_owned();
    ranks[18] = "2a1a1a1a1a1a1a1a1a2".to_owned();
    ranks[9] = "1a1a1a1a1k1a1a1a1a1".to_owned();
    let mut engine = Engine::at("alea-evangelii", &format!("{} a", ranks.join("/")));
    engine.go("depth 2");
    engine.sync();
}

trait AfterText {
    fn sync_after_text(&mut self);
}

impl AfterText for Engine {
    fn sync_after_text(&mut self) {
        self.send("isready");
        self.until("readyok");
    }
}

#[test]
fn c53_short_fens_and_empty_move_lists() {
    let board = "3aaa3/4a4/4d4/a3d3a/aaddkddaa/a3d3a/4d4/4a4/3aaa3";
    for fen in
        [board.to_owned(), format!("{board} w"), format!("{board} - d 0 0"), format!("{board} d -")]
    {
        let mut engine = Engine::start();
        engine.send(&format!("position fen {fen} moves"));
        engine.sync();
        assert_eq!(engine.query("fen"), START);
    }
    let mut engine = Engine::start();
    engine.send("position startpos moves");
    engine.sync();
}

#[test]
fn c54_bad_moves_change_nothing() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e3a3");
    let before = engine.query("fen");
    for (moves, word, ply) in
        [("e3a3 d1d2 a3a5", "a3a5", 3), ("e3e4", "e3e4", 1), ("e3a3 zz", "zz", 2)]
    {
        engine.send(&format!("position startpos moves {moves}"));
        let error = engine.line("info string error ");
        assert!(error.contains(&format!("bad-move: '{word}', ply {ply}: ")), "{error}");
        assert_eq!(engine.query("fen"), before);
    }
}

#[test]
fn c55_very_long_games() {
    let mut engine = Engine::start();
    let moves = ["e3a3 d1a1 a3e3 a1d1"; 1000].join(" ");
    let start = Instant::now();
    engine.send(&format!("position startpos moves {moves}"));
    engine.sync();
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    assert_eq!(engine.query("repetition"), "occurrences 1001 limit 3 charged nobody");
    engine.go("depth 3");
}

#[test]
fn c56_history_counts() {
    let mut engine = Engine::start();
    engine.send(&format!("position startpos moves {SHUFFLE}"));
    assert_eq!(engine.query("reason"), "repetition");
    let fen = engine.query("fen");
    engine.position(&fen);
    assert_eq!(engine.query("reason"), "none");
    assert_eq!(engine.query("repetition"), "occurrences 1 limit 3 charged nobody");
}

#[test]
fn c57_no_hidden_game() {
    let mut engine = Engine::start();
    for _ in 0..3 {
        let answer = engine.go("depth 3");
        assert_eq!(engine.query("fen"), START);
        let legal = engine.query("legalmoves");
        assert!(legal.split(' ').any(|mv| mv == answer.mv()));
    }
}

#[test]
fn c58_order_during_a_search() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.line("info depth 1");
    engine.send("query side\nisready");
    assert_eq!(engine.line("response"), "response defenders");
    engine.line("readyok");
    // A second go: refused, the first one goes on.
    engine.send("go depth 1");
    engine.line("info string error busy: ");
    engine.only_reports_for(SHORT);
    // What waits is not answered, nor is what comes behind it; isready overtakes.
    engine.send("position startpos moves e3a3\nquery side\nd\ngo depth 2\nquery fen\nisready");
    let lines = engine.until("readyok");
    assert!(
        lines.iter().all(|line| line.starts_with("info depth") || line == "readyok"),
        "{lines:?}"
    );
    engine.send("stop");
    engine.line("bestmove");
    assert_eq!(engine.line("response"), "response attackers");
    engine.line("outcome ");
    // The second go runs while the last query is answered.
    let rest = engine.until("bestmove");
    let tail = engine.next(SHORT);
    let answers = rest.iter().chain(tail.iter()).filter(|line| line.starts_with("response "));
    assert_eq!(answers.count(), 1, "{rest:?} {tail:?}");
    // At the end of the input what waits is still carried out.
    let lines = one_shot("go depth 5\nposition startpos moves e3a3\ngo depth 2\nd\ngo infinite\n");
    assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 3);
    assert!(lines.contains(&"side attackers".to_owned()));
}

#[test]
fn c59_new_game_means_the_same_again() {
    let mut engine = Engine::start();
    let mut nodes = Vec::new();
    for _ in 0..2 {
        engine.send("ucinewgame\nposition startpos");
        let first = engine.go("depth 5").nodes();
        engine.send("position startpos moves e3a3 d1a1");
        nodes.push((first, engine.go("depth 5").nodes()));
    }
    assert_eq!(nodes[0], nodes[1]);
}

/// Strength limits come with a later search; until then nothing declares or accepts them.
#[test]
fn c60_strength_limits_are_not_declared_before_they_exist() {
    let lines = one_shot("uci\nsetoption name UCI_Elo value 1500\n");
    assert!(
        lines.iter().all(|line| !line.contains("name UCI_Elo") && !line.contains("name Skill"))
    );
    assert!(lines.last().unwrap().starts_with("info string error unknown-option"));
}

#[test]
fn c61_ugi() {
    let mut engine = Engine::start();
    engine.send("ugi");
    engine.until("ugiok");
    engine.send("uginewgame\nposition startpos moves e3a3\nisready");
    assert_eq!(engine.until("readyok").len(), 1);
    assert_eq!(engine.query("p1turn"), "false");
    assert_eq!(engine.query("gameover"), "false");
    assert_eq!(engine.query("result"), "none");
    engine.send("go p1time 2000 p2time 2000 p1inc 0 p2inc 0");
    assert_eq!(engine.answer().best.split(' ').count(), 2);
    engine.send("go infinite");
    engine.line("info depth 1");
    engine.send("query p1turn");
    let start = Instant::now();
    assert_eq!(engine.line("response"), "response false");
    assert!(start.elapsed() < millis(500));
    engine.send("stop");
    engine.line("bestmove");
    engine.position(ESCAPED);
    assert_eq!(engine.query("result"), "p1win");
    engine.send("setoption name UCI_Variant value brandubh\nposition fen 7/7/7/7/7/7/k6 a");
    assert_eq!(engine.query("result"), "p2win");
}

#[test]
fn c62_broken_pipe() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    for input in ["uci\nuci\nuci\n", "go infinite\n"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_konakis"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().expect("a pipe");
        let _ = stdin.write_all(input.as_bytes());
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().expect("a child") {
                break status;
            }
            assert!(start.elapsed() < Duration::from_secs(10), "still running: {input}");
            std::thread::sleep(millis(5));
        };
        let mut errors = String::new();
        let mut stderr = child.stderr.take().expect("a pipe");
        std::io::Read::read_to_string(&mut stderr, &mut errors).expect("text");
        assert!(status.success(), "{status:?}");
        assert_eq!(errors, "");
    }
}
