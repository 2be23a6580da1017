//! What a search says.

use std::time::{Duration, Instant};

use crate::engine::{Alone, Engine, number, pv, score};
use crate::{LOST, SHORT, WON, millis};

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
