//! The questions.

use std::time::{Duration, Instant};

use super::Answer::{NotAsked, Right};
use super::candidate::{Candidate, Found};
use super::{Answer, Exam, PROMPT, Row, winning_move};
use crate::game::any_size::Game;

type Asked = Result<Answer, String>;

macro_rules! rows {
    ($($id:ident $what:literal),* $(,)?) => {
        /// The questions, in the order of their ids.
        pub const ROWS: &[Row] = &[$(Row { id: stringify!($id), what: $what, ask: $id }),*];
    };
}

rows!(
    C01 "says nothing before the handshake",
    C02 "no line begins with a blank",
    C05 "CRLF, tabs and needless blanks are read",
    C06 "unknown words do no harm",
    C07 "a second handshake gets the same answer",
    C08 "isready is answered during a search",
    C09 "isready is answered after a new game",
    C11 "the end of input ends an idle engine",
    C12 "the end of input ends an endless search, after its bestmove",
    C13 "quit ends a searching engine within a second",
    C14 "stop while idle has no effect, now or later",
    C15 "go infinite and stop in one write give one bestmove",
    C16 "stop, position and go in one write are carried out in order",
    C17 "go infinite does not end by itself",
    C18 "a finished game gets one bestmove without a move",
    C20 "a search tells a score before its bestmove",
    C21 "no info follows a bestmove",
    C22 "the smallest limits still give a legal move",
    C23 "no time at all is not taken for endless time",
    C24 "negative clocks do no harm",
    C25 "one clock is enough",
    C26 "movestogo 0, 1 and 1000",
    C27 "fields of go in any order, with nonsense between",
    C28 "a bare go is answered",
    C32 "no nodes and no depth end at once",
    C33 "a huge depth does no harm",
    C36 "more lines than moves give each move once",
    C37 "pondering does not end by itself",
    C38 "stop while pondering gives one bestmove",
    C39 "a win in one is mate 1",
    C42 "the expected answer is legal",
    C43 "numbers of info are whole, hashfull at most 1000",
    C44 "no flood of info on a solved position",
    C45 "names of options in any case",
    C46 "wrong options do no harm",
    C48 "defaults of options lie in their ranges",
    C51 "a wrong FEN does no harm",
    C52 "two kings do no harm",
    C53 "an empty list of moves",
    C54 "a wrong move in a list does no harm",
    C55 "a list of 2000 moves",
    C57 "go twice searches the same position",
    C58 "a second go does no harm",
    C59 "a new game forgets: the same nodes again",
    C61 "bestmove and response are of two words in UGI",
);

#[allow(non_snake_case, reason = "the ids of the list")]
mod ask {
    use super::*;

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
        let fields =
            ["go movetime 500 depth 1", "go depth 1 wtime 900 nonsense btime 900 nodes 50"];
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

    pub fn C48(exam: &Exam) -> Asked {
        let engine = exam.candidate()?;
        let off = engine.options.iter().find(|option| {
            option.range.is_some_and(|[default, least, most]| !(least..=most).contains(&default))
        });
        off.map_or(Ok(Right), |option| Err(format!("option {}", option.name)))
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
}
use ask::*;

/// An engine in an endless search of the start position.
fn searching(exam: &Exam) -> Result<Candidate, String> {
    let mut engine = exam.candidate()?;
    engine.say("position startpos\ngo infinite");
    engine.listen(Duration::from_millis(100))?;
    Ok(engine)
}

/// Does the engine still play?
fn answers(engine: &mut Candidate, start: &Game) -> Asked {
    engine.asked(start, "go depth 1", PROMPT * 5).map(|_| Right)
}

fn legal_after(exam: &Exam, limits: &[&str]) -> Asked {
    let mut engine = exam.candidate()?;
    for go in limits {
        engine.asked(&exam.start, go, PROMPT)?;
    }
    Ok(Right)
}

/// Pondering must go on until `end` is said.
fn ponder(exam: &Exam, go: &str, end: &str) -> Asked {
    let mut engine = exam.candidate()?;
    if engine.option("Ponder").is_none() {
        return Ok(NotAsked("no option Ponder"));
    }
    engine.say(&format!("setoption name Ponder value true\nposition startpos\n{go}"));
    let lines = engine.listen(Duration::from_millis(800))?;
    if lines.iter().any(|line| line.starts_with("bestmove")) {
        return Err(format!("a bestmove before {end}"));
    }
    engine.say(end);
    engine.legal(&exam.start, PROMPT)?;
    engine.silent(Duration::from_millis(200)).map(|()| Right)
}

fn is_info(line: &str) -> bool {
    line.starts_with("info ") && !line.starts_with("info string")
}

fn has(line: &str, word: &str) -> bool {
    line.split_whitespace().any(|other| other == word)
}

fn word_after<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let mut words = line.split_whitespace();
    words.by_ref().find(|word| *word == key)?;
    words.next()
}

/// The last line about the best move.
fn last_info(found: &Found) -> Option<&str> {
    let best = |line: &&String| {
        is_info(line) && word_after(line, "multipv").is_none_or(|number| number == "1")
    };
    found.lines.iter().rev().find(best).map(String::as_str)
}
