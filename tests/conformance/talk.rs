//! Lines, handshakes and the ends of the conversation.

use std::time::{Duration, Instant};

use crate::engine::{Alone, Engine, one_shot};
use crate::{SHORT, millis};

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
