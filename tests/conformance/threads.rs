//! What holds of one thread holds of several.

use std::time::{Duration, Instant};

use crate::engine::{Alone, Engine, number, one_shot, pv};
use crate::{LOST, SHORT, WON, millis};

/// More threads than any machine here has cores, too.
const THREADS: [u64; 3] = [2, 3, 32];

fn with_threads(threads: u64, variant: &str, fen: &str) -> Engine {
    let mut engine = Engine::at(variant, fen);
    engine.send(&format!("setoption name Threads value {threads}"));
    engine.sync();
    engine
}

#[test]
fn c31_threads_together_keep_to_the_nodes() {
    for threads in THREADS {
        let mut engine = with_threads(threads, "tablut", "startpos");
        for nodes in [0, 1, 2, 50, 777, 5_000, 200_000] {
            engine.send("ucinewgame\nposition startpos");
            let answer = engine.go(&format!("nodes {nodes}"));
            // What a thread was granted and did not use before it ended is lost: 128 at most.
            assert!(answer.nodes() <= nodes, "{threads} {nodes}: {answer:?}");
            assert!(answer.nodes() + 128 * threads > nodes, "{threads} {nodes}: {answer:?}");
            let told: Vec<u64> = answer.infos.iter().map(|line| number(line, "nodes")).collect();
            assert!(told.is_sorted(), "{answer:?}");
        }
    }
}

#[test]
fn c34_mate_search_on_threads() {
    for threads in THREADS {
        let mut engine = with_threads(threads, "tablut", WON);
        assert_eq!(engine.go("mate 1").score(), "mate 1");
        engine.position(LOST);
        assert_eq!(engine.go("mate 1").score(), "mate -1");
        engine.position("startpos");
        let answer = engine.go("mate 1");
        assert!(answer.score().starts_with("cp"), "{answer:?}");
    }
}

#[test]
fn c36_several_lines_on_threads() {
    let mut engine = with_threads(3, "brandubh", "startpos");
    engine.send("setoption name MultiPV value 4");
    let answer = engine.go("depth 6");
    let last = answer.infos.len() - 4;
    let mut first: Vec<_> = answer.infos[last..].iter().map(|line| pv(line)[0].clone()).collect();
    assert_eq!(first[0], answer.mv());
    first.sort();
    first.dedup();
    assert_eq!(first.len(), 4, "{answer:?}");
    let answer = engine.go("searchmoves d6f6 d6e6 depth 5");
    assert!(answer.infos.iter().all(|line| ["d6f6", "d6e6"].contains(&pv(line)[0].as_str())));
}

#[test]
fn c37_threads_ponder() {
    let _alone = Alone::wait();
    let mut engine = with_threads(4, "tablut", "startpos");
    engine.send("go ponder movetime 300");
    engine.only_reports_for(millis(500));
    let start = Instant::now();
    engine.send("ponderhit");
    engine.line("bestmove");
    assert!((millis(200)..millis(2_000)).contains(&start.elapsed()), "{:?}", start.elapsed());
    engine.position(WON);
    engine.send("go ponder depth 3");
    engine.only_reports_for(SHORT);
    engine.send("stop");
    engine.line("bestmove");
}

/// The table is written by all threads at once; no line may suffer from that.
#[test]
fn c41_lines_of_threads_are_legal() {
    for (variant, fen) in [
        ("tablut", "startpos"),
        ("tablut-saami", "startpos"),
        ("copenhagen", "startpos"),
        ("brandubh", "startpos"),
        ("tablut", LOST),
        ("brandubh", "7/7/2k1a2/7/a6/7/3a3 d"),
    ] {
        for lines in [1, 2] {
            let mut engine = with_threads(4, variant, fen);
            // A small table, so that many positions meet in a slot.
            engine.send(&format!(
                "setoption name Hash value 1\nsetoption name MultiPV value {lines}"
            ));
            let answer = engine.go("movetime 500");
            let best = answer.infos.iter().rev().find(|line| number(line, "multipv") == 1);
            assert_eq!(pv(best.expect("a report"))[0], answer.mv());
            for line in &answer.infos {
                let moves = pv(line).join(" ");
                let base = if fen == "startpos" { fen.to_owned() } else { format!("fen {fen}") };
                engine.send(&format!("position {base} moves {moves}\nisready"));
                let said = engine.until("readyok");
                assert_eq!(said.len(), 1, "{line}: {said:?}");
            }
        }
    }
}

#[test]
fn c50_threads_stop_and_begin_in_any_order() {
    let _alone = Alone::wait();
    for threads in [1, 2, 64] {
        let mut engine = with_threads(threads, "tablut", "startpos");
        let legal = engine.query("legalmoves");
        for _ in 0..10 {
            engine.send("go infinite\nstop");
            let answer = engine.answer();
            assert!(legal.split(' ').any(|mv| mv == answer.mv()), "{answer:?}");
            engine.sync();
        }
        engine.send("go infinite");
        engine.only_reports_for(SHORT);
        engine.send("stop");
        let start = Instant::now();
        engine.line("bestmove");
        assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
        // The main thread has an iteration of its own before anybody votes.
        let answer = engine.go("movetime 100");
        assert!(number(&answer.infos[0], "depth") == 1, "{answer:?}");
        engine.send("ucinewgame\nposition startpos\nsetoption name Clear Hash");
        engine.sync();
    }
}

#[test]
fn c50_the_number_of_threads_is_checked() {
    let mut engine = Engine::start();
    for value in ["0", "-1", "many", "513", ""] {
        engine.send(&format!("setoption name Threads value {value}"));
        engine.line("info string error bad-value: ");
    }
    engine.sync();
    let lines = one_shot("uci\n");
    let declared = "option name Threads type spin default 1 min 1 max ";
    assert!(lines.iter().any(|line| line.starts_with(declared)), "{lines:?}");
    // During a search the option waits.
    engine.send("go infinite\nsetoption name Threads value 3");
    engine.only_reports_for(SHORT);
    engine.send("stop");
    engine.line("bestmove");
    engine.go("depth 6");
    engine.send("setoption name Threads value 1");
    let nodes: Vec<u64> = (0..2)
        .map(|_| {
            engine.send("ucinewgame\nposition startpos");
            engine.go("depth 6").nodes()
        })
        .collect();
    assert_eq!(nodes[0], nodes[1], "with one thread again the same nodes every time");
}
