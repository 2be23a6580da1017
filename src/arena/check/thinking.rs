//! Questions about the search: limits, reports, pondering, proofs.
#![allow(non_snake_case, reason = "the ids of the list")]

use std::time::Duration;

use super::Answer::{NotAsked, Right};
use super::rows::{Asked, answers, has, is_info, last_info, legal_after, ponder, word_after};
use super::{Exam, PROMPT, winning_move};

pub fn C17(exam: &Exam) -> Asked {
    let Some(game) = exam.won_in_one() else { return Ok(NotAsked("no such position found")) };
    let mut engine = exam.candidate()?;
    engine.say(&format!("position fen {}\ngo infinite", game.fen()));
    let lines = engine.listen(Duration::from_secs(1))?;
    if lines.iter().any(|line| line.starts_with("bestmove")) {
        return Err("it ended on a proven win".to_owned());
    }
    engine.say("stop");
    engine.legal(&game, PROMPT)?;
    Ok(Right)
}

pub fn C18(exam: &Exam) -> Asked {
    let Some(game) = exam.finished() else { return Ok(NotAsked("no such position found")) };
    let mut engine = exam.candidate()?;
    engine.say(&format!("position fen {}\ngo depth 2", game.fen()));
    let found = engine.found(PROMPT)?;
    if !matches!(found.mv.as_str(), "(none)" | "none" | "0000" | "null") {
        return Err(format!("'{}' at {}", found.line, game.fen()));
    }
    answers(&mut engine, &exam.start)
}

pub fn C20(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    for go in ["go depth 3", "go movetime 50", "go nodes 500"] {
        let found = engine.asked(&exam.start, go, PROMPT * 5)?;
        if !found.lines.iter().any(|line| line.starts_with("info") && has(line, "score")) {
            return Err(format!("no info with a score after '{go}'"));
        }
    }
    Ok(Right)
}

pub fn C21(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    engine.asked(&exam.start, "go movetime 100", PROMPT)?;
    engine.silent(Duration::from_millis(300)).map(|()| Right)
}

pub fn C22(exam: &Exam) -> Asked {
    let clocks = "go wtime 1 btime 1";
    legal_after(exam, &["go nodes 1", "go movetime 1", "go depth 1", clocks])
}

pub fn C23(exam: &Exam) -> Asked {
    legal_after(exam, &["go movetime 0", "go wtime 0 btime 0"])
}

pub fn C24(exam: &Exam) -> Asked {
    legal_after(exam, &["go wtime -100 btime -100 winc -5 binc -5", "go movetime -10"])
}

pub fn C25(exam: &Exam) -> Asked {
    legal_after(exam, &["go wtime 100", "go btime 100"])
}

pub fn C26(exam: &Exam) -> Asked {
    let with = |moves: &str| format!("go wtime 200 btime 200 movestogo {moves}");
    let (none, one, many) = (with("0"), with("1"), with("1000"));
    legal_after(exam, &[&none, &one, &many])
}

pub fn C27(exam: &Exam) -> Asked {
    let fields = ["go movetime 500 depth 1", "go depth 1 wtime 900 nonsense btime 900 nodes 50"];
    legal_after(exam, &fields)
}

pub fn C28(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    engine.say("position startpos\ngo");
    engine.listen(Duration::from_millis(300)).map(drop)?;
    engine.say("stop");
    // Without a limit an engine may have ended by itself: then the answer has been heard.
    engine.ready()?;
    answers(&mut engine, &exam.start)
}

pub fn C32(exam: &Exam) -> Asked {
    legal_after(exam, &["go nodes 0", "go depth 0"])
}

pub fn C33(exam: &Exam) -> Asked {
    let Some(game) = exam.won_in_one() else { return Ok(NotAsked("no such position found")) };
    let mut engine = exam.candidate()?;
    for position in [&game, &exam.start] {
        engine.say(&format!("position fen {}\ngo depth 999", position.fen()));
        let ended = engine.listen(Duration::from_millis(500))?;
        if !ended.iter().any(|line| line.starts_with("bestmove")) {
            engine.say("stop");
            engine.legal(position, PROMPT)?;
        }
    }
    answers(&mut engine, &exam.start)
}

pub fn C35(exam: &Exam) -> Asked {
    let moves = exam.start.legal_moves();
    let mut engine = exam.candidate()?;
    for mv in moves.iter().step_by(moves.len().div_ceil(5).max(1)) {
        let name = mv.on(exam.start.size()).to_string();
        let go = format!("go depth 2 searchmoves {name}");
        let found = engine.asked(&exam.start, &go, PROMPT * 5)?;
        if found.mv != name {
            return Err(format!("'{}' after '{go}'", found.line));
        }
    }
    Ok(Right)
}

pub fn C36(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    let Some([_, _, most]) = engine.option("MultiPV").and_then(|option| option.range) else {
        return Ok(NotAsked("no option MultiPV"));
    };
    engine.say(&format!("setoption name MultiPV value {most}"));
    let found = engine.asked(&exam.start, "go depth 1", PROMPT * 5)?;
    let mut seen: Vec<&str> = Vec::new();
    let last = found.lines.iter().filter(|line| word_after(line, "depth") == Some("1"));
    for line in last {
        let first = word_after(line, "pv").unwrap_or("");
        if word_after(line, "multipv").is_some() && !first.is_empty() {
            seen.push(first);
        }
    }
    let expected = exam.start.legal_moves().len().min(usize::try_from(most).unwrap_or(0));
    let lines = seen.len();
    seen.sort_unstable();
    seen.dedup();
    match seen.len() {
        moves if moves == expected && lines == expected => Ok(Right),
        moves => Err(format!("{lines} lines, {moves} moves; expected {expected} of each")),
    }
}

pub fn C37(exam: &Exam) -> Asked {
    ponder(exam, "go ponder movetime 100", "ponderhit")
}

pub fn C38(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    engine.say("ponderhit");
    engine.silent(Duration::from_millis(200))?;
    ponder(exam, "go ponder wtime 500 btime 500", "stop")
}

pub fn C39(exam: &Exam) -> Asked {
    let Some(game) = exam.won_in_one() else { return Ok(NotAsked("no such position found")) };
    let mut engine = exam.candidate()?;
    let found = engine.asked(&game, "go depth 3", PROMPT * 5)?;
    let mate = last_info(&found).and_then(|line| word_after(line, "mate"));
    let mut after = game.clone();
    if let Ok(mv) = game.read_move(&found.mv) {
        after.play(mv);
    }
    let won = after.outcome().is_some_and(|outcome| outcome.winner == Some(game.side()));
    match (won, mate) {
        (true, Some("1")) => Ok(Right),
        (true, other) => Err(format!("mate {other:?} at {}", game.fen())),
        (false, _) => Err(format!(
            "'{}' at {}; {} wins",
            found.line,
            game.fen(),
            winning_move(&game).map_or(String::new(), |mv| mv.on(game.size()).to_string())
        )),
    }
}

pub fn C41(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    let found = engine.asked(&exam.start, "go depth 5", PROMPT * 10)?;
    let mut lines = 0;
    for line in found.lines.iter().filter(|line| is_info(line)) {
        let Some((_, moves)) = line.split_once(" pv ") else { continue };
        let mut game = exam.start.clone();
        for word in moves.split_whitespace() {
            let mv = game.read_move(word).map_err(|error| format!("'{line}': {error}"))?;
            game.play(mv);
        }
        lines += 1;
    }
    if lines == 0 { Ok(NotAsked("it shows no lines")) } else { Ok(Right) }
}

pub fn C42(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    let found = engine.asked(&exam.start, "go depth 4", PROMPT * 10)?;
    let Some(answer) = word_after(&found.line, "ponder") else {
        return Ok(NotAsked("it expects no answer"));
    };
    let mut after = exam.start.clone();
    if let Ok(mv) = after.read_move(&found.mv) {
        after.play(mv);
    }
    after.read_move(answer).map(|_| Right).map_err(|error| format!("'{}': {error}", found.line))
}

pub fn C43(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    let found = engine.asked(&exam.start, "go movetime 300", PROMPT)?;
    for line in found.lines.iter().filter(|line| is_info(line)) {
        for key in ["depth", "seldepth", "multipv", "nodes", "nps", "time", "hashfull", "cp"] {
            let Some(word) = word_after(line, key) else { continue };
            let number: i64 = word.parse().map_err(|_| format!("{key} {word} in '{line}'"))?;
            if key == "hashfull" && !(0..=1000).contains(&number) {
                return Err(format!("'{line}'"));
            }
        }
    }
    Ok(Right)
}

pub fn C44(exam: &Exam) -> Asked {
    let Some(game) = exam.won_in_one() else { return Ok(NotAsked("no such position found")) };
    let mut engine = exam.candidate()?;
    engine.say(&format!("position fen {}\ngo infinite", game.fen()));
    let lines = engine.listen(Duration::from_secs(1))?.len();
    engine.say("stop");
    engine.legal(&game, PROMPT)?;
    if lines <= 500 { Ok(Right) } else { Err(format!("{lines} lines in a second")) }
}
