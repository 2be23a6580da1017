//! Questions about the conversation: start and end, order, options, positions.
#![allow(non_snake_case, reason = "the ids of the list")]

use std::time::{Duration, Instant};

use super::Answer::{NotAsked, Right};
use super::candidate::Candidate;
use super::rows::{Asked, answers, last_info, searching, word_after};
use super::{Exam, PROMPT};

pub fn C01(exam: &Exam) -> Asked {
    let mut early = Candidate::new(exam.process()?, exam.is_ugi(), &[]);
    let words = ["id", "uciok", "ugiok", "option", "readyok", "bestmove", "info"];
    let lines = early.listen(Duration::from_millis(1_000))?;
    let said = lines.iter().find(|line| words.iter().any(|word| line.starts_with(word)));
    said.map_or(Ok(Right), |line| Err(format!("'{line}' at the start")))
}

pub fn C02(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    engine.say(exam.hello());
    let ok = format!("{}ok", exam.hello());
    let mut lines = engine.until(&ok, PROMPT, |line| line == ok)?;
    let found = engine.asked(&exam.start, "go depth 2", PROMPT * 5)?;
    lines.extend(found.lines.into_iter().chain([found.line]));
    let blank = lines.iter().find(|line| line.starts_with(char::is_whitespace));
    blank.map_or(Ok(Right), |line| Err(format!("'{line}'")))
}

pub fn C05(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    engine.say("\r\n\r\n   isready  \t\r");
    engine.until("readyok", PROMPT, |line| line == "readyok")?;
    engine.say("position\tstartpos \r\n go   depth\t1 \r");
    engine.legal(&exam.start, PROMPT * 5)?;
    Ok(Right)
}

pub fn C06(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    engine.say("xyzzy\ngo_\nposition\nsetoption\n\u{1}\u{2}\u{fffd}");
    engine.ready()?;
    answers(&mut engine, &exam.start)
}

pub fn C07(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    let ok = format!("{}ok", exam.hello());
    let mut once = || {
        engine.say(exam.hello());
        engine.until(&ok, PROMPT, |line| line == ok)
    };
    let options = |lines: Vec<String>| -> Vec<String> {
        lines.into_iter().filter(|line| line.starts_with("option")).collect()
    };
    let (first, second) = (options(once()?), options(once()?));
    if first == second { Ok(Right) } else { Err("other options the second time".to_owned()) }
}

pub fn C08(exam: &Exam) -> Asked {
    let mut engine = searching(exam)?;
    let lines = engine.ready()?;
    if lines.iter().any(|line| line.starts_with("bestmove")) {
        return Err("the search ended before the readyok".to_owned());
    }
    engine.say("stop");
    engine.legal(&exam.start, PROMPT)?;
    Ok(Right)
}

pub fn C09(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    engine.new_game();
    engine.ready()?;
    if engine.option("Hash").is_some() {
        engine.say("setoption name Hash value 32");
        engine.ready()?;
    }
    answers(&mut engine, &exam.start)
}

pub fn C11(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    engine.close_input();
    engine.leaves(PROMPT).map(|()| Right)
}

pub fn C12(exam: &Exam) -> Asked {
    let mut engine = searching(exam)?;
    engine.close_input();
    engine.legal(&exam.start, PROMPT)?;
    engine.leaves(PROMPT).map(|()| Right)
}

pub fn C13(exam: &Exam) -> Asked {
    let mut engine = searching(exam)?;
    engine.say("quit");
    engine.leaves(Duration::from_secs(1)).map(|()| Right)
}

pub fn C14(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    engine.say("stop");
    engine.silent(Duration::from_millis(300))?;
    engine.say("position startpos\ngo infinite");
    let lines = engine.listen(Duration::from_millis(500))?;
    if lines.iter().any(|line| line.starts_with("bestmove")) {
        return Err("the old stop ended the new search".to_owned());
    }
    engine.say("stop");
    engine.legal(&exam.start, PROMPT)?;
    Ok(Right)
}

pub fn C15(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    for _ in 0..10 {
        engine.say("position startpos\ngo infinite\nstop");
        engine.legal(&exam.start, PROMPT)?;
    }
    engine.silent(Duration::from_millis(300)).map(|()| Right)
}

pub fn C16(exam: &Exam) -> Asked {
    let mut engine = searching(exam)?;
    let Some(&mv) = exam.start.legal_moves().first() else {
        return Ok(NotAsked("the start position has no moves"));
    };
    let mut next = exam.start.clone();
    next.play(mv);
    let name = mv.on(exam.start.size());
    engine.say(&format!("stop\nposition startpos moves {name}\ngo depth 1"));
    engine.legal(&exam.start, PROMPT)?;
    engine.legal(&next, PROMPT * 5)?;
    Ok(Right)
}

pub fn C45(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    let Some(option) = engine.option("MultiPV") else {
        return Ok(NotAsked("no option MultiPV"));
    };
    let name = option.name.to_uppercase();
    engine.say(&format!("setoption name {name} value 2"));
    let found = engine.asked(&exam.start, "go depth 2", PROMPT * 5)?;
    let second = found.lines.iter().any(|line| word_after(line, "multipv") == Some("2"));
    if second { Ok(Right) } else { Err(format!("{name} had no effect")) }
}

pub fn C46(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    engine.say(
        "setoption name No Such Option value 1\nsetoption name Hash\n\
         setoption name Hash value lots\nsetoption name Hash value 999999999999999999999",
    );
    engine.ready()?;
    answers(&mut engine, &exam.start)
}

pub fn C47(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    let Some([_, least, most]) = engine.option("Hash").and_then(|option| option.range) else {
        return Ok(NotAsked("no option Hash"));
    };
    for size in [64.min(most), least, 32.min(most)] {
        engine.say(&format!("setoption name Hash value {size}"));
        engine.ready()?;
        engine.new_game();
        answers(&mut engine, &exam.start)?;
    }
    Ok(Right)
}

pub fn C48(exam: &Exam) -> Asked {
    let engine = exam.candidate()?;
    let off = engine.options.iter().find(|option| {
        option.range.is_some_and(|[default, least, most]| !(least..=most).contains(&default))
    });
    off.map_or(Ok(Right), |option| Err(format!("option {}", option.name)))
}

pub fn C49(exam: &Exam) -> Asked {
    let mut engine = searching(exam)?;
    engine.say("setoption name Hash value 8\nsetoption name Threads value 1\nstop");
    engine.legal(&exam.start, PROMPT)?;
    engine.ready()?;
    answers(&mut engine, &exam.start)
}

pub fn C51(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    engine.say("position fen 9/9/zz w\nposition fen\nposition fen /////// a moves a1a2");
    engine.ready()?;
    answers(&mut engine, &exam.start)
}

pub fn C52(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    let two = exam.start.placement().replacen('d', "k", 1);
    let first = exam.start.side().letter();
    engine.say(&format!("position fen {two} {first}\ngo depth 1"));
    engine.listen(Duration::from_millis(300)).map(drop)?;
    engine.say("stop");
    engine.ready()?;
    answers(&mut engine, &exam.start)
}

pub fn C53(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    engine.say(&format!("position fen {} moves\ngo depth 1", exam.start.fen()));
    engine.legal(&exam.start, PROMPT * 5)?;
    Ok(Right)
}

pub fn C54(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    engine.say("position startpos moves a1a1\nposition startpos moves hello e5e99");
    engine.ready()?;
    answers(&mut engine, &exam.start)
}

pub fn C55(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    let began = Instant::now();
    engine.say(&format!("position startpos moves{}", exam.shuffle(2_000)));
    engine.ready()?;
    if began.elapsed() > PROMPT {
        return Err(format!("it took {} ms", began.elapsed().as_millis()));
    }
    answers(&mut engine, &exam.start)
}

pub fn C57(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    engine.say("position startpos\ngo depth 2");
    engine.legal(&exam.start, PROMPT * 5)?;
    engine.say("go depth 2");
    engine.legal(&exam.start, PROMPT * 5)?;
    Ok(Right)
}

pub fn C58(exam: &Exam) -> Asked {
    let mut engine = searching(exam)?;
    engine.say("go infinite\nstop");
    engine.legal(&exam.start, PROMPT)?;
    engine.say("stop");
    engine.ready()?;
    answers(&mut engine, &exam.start)
}

pub fn C59(exam: &Exam) -> Asked {
    let mut engine = exam.candidate()?;
    let mut nodes = || {
        engine.new_game();
        engine.ready()?;
        let found = engine.asked(&exam.start, "go depth 4", PROMPT * 10)?;
        let nodes = last_info(&found).and_then(|line| word_after(line, "nodes"));
        Ok::<_, String>(nodes.map(str::to_owned))
    };
    match (nodes()?, nodes()?) {
        (None, _) => Ok(NotAsked("it tells no nodes")),
        (one, two) if one == two => Ok(Right),
        (one, two) => Err(format!("{one:?} nodes, then {two:?}")),
    }
}

pub fn C61(exam: &Exam) -> Asked {
    if !exam.is_ugi() {
        return Ok(NotAsked("it speaks UCI"));
    }
    let mut engine = exam.candidate()?;
    let found = engine.asked(&exam.start, "go depth 3", PROMPT * 5)?;
    if found.line.split_whitespace().count() != 2 {
        return Err(format!("'{}'", found.line));
    }
    engine.say("go infinite\nquery gameover\nquery p1turn\nquery result");
    for expected in ["response false", "response true", "response none"] {
        let is_response = |line: &str| line.starts_with("response");
        let lines = engine.until("response", PROMPT, is_response)?;
        let line = lines.last().map_or("", String::as_str);
        if line != expected {
            return Err(format!("'{line}'; expected '{expected}'"));
        }
    }
    engine.say("stop");
    engine.legal(&exam.start, PROMPT)?;
    Ok(Right)
}
