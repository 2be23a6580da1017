//! Playing more weakly, and how likely a win is.

use crate::engine::{Answer, Engine, number, one_shot, pv};
use crate::{LOST, WON};

/// The search of a fixed number of nodes at most, from an empty table.
fn searched(engine: &mut Engine, options: &str) -> Answer {
    engine.send(&format!("{options}\nucinewgame\nposition startpos"));
    engine.go("nodes 60000")
}

#[test]
fn c60_elo_counts_only_when_strength_is_limited() {
    let mut engine = Engine::start();
    let full = searched(&mut engine, "").nodes();
    assert!(full > 50_000);
    let lines = one_shot("uci\n");
    let line = lines.iter().find(|line| line.contains("name UCI_Elo")).expect("it is declared");
    let middle = (number(line, "min") + number(line, "max")) / 2;
    let elo = format!("setoption name UCI_Elo value {middle}");
    assert_eq!(searched(&mut engine, &elo).nodes(), full, "an Elo alone has no effect");
    let limited = searched(&mut engine, "setoption name UCI_LimitStrength value true").nodes();
    assert!(limited < full / 4, "{limited}");
    // Nor does it need a level, and it counts more than one.
    let both = searched(&mut engine, "setoption name Skill Level value 19").nodes();
    assert_eq!(both, limited);
    let level = searched(&mut engine, "setoption name UCI_LimitStrength value false").nodes();
    assert!(level > limited && level < full + 1, "{level}");
    let low = searched(&mut engine, "setoption name Skill Level value 0").nodes();
    assert!(low < limited, "a level needs no Elo");
    assert_eq!(searched(&mut engine, "setoption name Skill Level value 20").nodes(), full);
}

#[test]
fn c60_a_weak_player_neither_misses_a_win_nor_loses_at_once() {
    for level in [0, 7, 19] {
        let mut engine = Engine::at("tablut", WON);
        engine.send(&format!("setoption name Skill Level value {level}"));
        for _ in 0..5 {
            engine.send("ucinewgame");
            engine.position(WON);
            let answer = engine.go("movetime 1000");
            assert_eq!(answer.score(), "mate 1", "{answer:?}");
        }
        // Two ways are open: lost, and said so.
        engine.position(LOST);
        assert_eq!(engine.go("movetime 1000").score(), "mate -1");
        // One man can close the only way.
        engine.position("9/9/9/9/a7a/2a6/1dka5/9/a6a1 a");
        let answer = engine.go("movetime 1000");
        assert!(["c1", "c2"].contains(&&answer.mv()[2..]), "{answer:?}");
    }
}

/// The line that is told last is the one that is played, with one line and with several.
#[test]
fn c60_a_weak_player_says_what_it_plays() {
    for (level, lines) in [(0, 1), (5, 1), (5, 3)] {
        let mut engine = Engine::start();
        engine.send(&format!(
            "setoption name Skill Level value {level}\nsetoption name MultiPV value {lines}\n\
             setoption name Threads value 2"
        ));
        let mut played = Vec::new();
        for _ in 0..20 {
            engine.send("ucinewgame\nposition startpos");
            let answer = engine.go("movetime 1000 searchmoves e3a3 e3b3 e3c3 e3d3 e3f3 e3g3");
            let best = answer.infos.iter().rev().take(lines).map(|line| pv(line)[0].clone());
            assert!(best.into_iter().any(|mv| mv == answer.mv()), "{answer:?}");
            assert!(answer.infos.iter().all(|line| number(line, "multipv") <= lines as u64));
            played.push(answer.mv().to_owned());
        }
        played.sort();
        played.dedup();
        assert!(played.len() > 1, "always the same move: {played:?}");
    }
}

#[test]
fn c60_declared() {
    let lines = one_shot("uci\n");
    for option in [
        "Skill Level type spin default 20 min 0 max 20",
        "UCI_LimitStrength type check default false",
        "UCI_Elo type spin default ",
        "UCI_ShowWDL type check default false",
    ] {
        let line = format!("option name {option}");
        assert!(lines.iter().any(|other| other.starts_with(&line)), "{line}");
    }
}

/// The chances are those of the side to move, in thousandths, and follow the score.
#[test]
fn chances_are_told_when_wanted() {
    let chances = |line: &str| -> Option<Vec<u64>> {
        let words: Vec<&str> = line.split(' ').skip_while(|word| *word != "wdl").collect();
        let numbers = words.get(1..4)?;
        Some(numbers.iter().map(|number| number.parse().expect("a number")).collect())
    };
    for variant in ["tablut", "copenhagen", "brandubh", "historical", "ard-ri"] {
        let mut engine = Engine::at(variant, "startpos");
        let answer = engine.go("depth 4");
        assert!(answer.infos.iter().all(|line| !line.contains("wdl")));
        engine.send("setoption name UCI_ShowWDL value true\nsetoption name MultiPV value 8");
        let answer = engine.go("depth 4");
        let last = &answer.infos[answer.infos.len() - 8..];
        let all: Vec<Vec<u64>> =
            last.iter().map(|line| chances(line).unwrap_or_else(|| panic!("{line}"))).collect();
        assert!(all.iter().all(|wdl| wdl.iter().sum::<u64>() == 1000), "{all:?}");
        assert!(all.is_sorted_by(|a, b| a[0] >= b[0] && a[2] <= b[2]), "{last:?}");
    }
    for (fen, expected) in [(WON, vec![1000, 0, 0]), (LOST, vec![0, 0, 1000])] {
        let mut engine = Engine::at("tablut", fen);
        engine.send("setoption name UCI_ShowWDL value true");
        assert_eq!(chances(engine.go("depth 4").last()), Some(expected));
    }
}
