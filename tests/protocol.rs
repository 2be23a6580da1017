//! What `protocol.md` promises beyond the faults of `conformance.rs`.

mod engine;

use engine::{Engine, START, number, one_shot};

#[test]
fn every_query_is_one_line() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e3a3");
    for (word, answer) in [
        ("gameover", "false"),
        ("p1turn", "false"),
        ("result", "none"),
        ("winner", "none"),
        ("reason", "none"),
        ("side", "attackers"),
        ("fen", "3aaa3/4a4/4d4/a3d3a/aaddkddaa/a3d3a/d8/4a4/3aaa3 a"),
        ("variant", "tablut"),
        ("captures d1d2", "none"),
        ("captures d1d9", "illegal"),
        ("captures zz", "illegal"),
        ("call", "none"),
        ("repetition", "occurrences 1 limit 3 charged nobody"),
        ("error", "none"),
    ] {
        assert_eq!(engine.query(word), answer, "{word}");
    }
    assert_eq!(engine.query("legalmoves").split(' ').count(), 78);
    assert_eq!(engine.query("why d1d2"), "legal: it captures nothing and the game goes on");
    assert!(engine.query("why d1c2").starts_with("illegal: "));
    for bad in ["query nonsense", "query captures", "query why"] {
        engine.send(bad);
        engine.line("info string error syntax: query: ");
    }
    assert!(engine.query("error").starts_with("syntax: query: expected a move"));
}

#[test]
fn ends_of_games() {
    for (variant, fen, mv, winner, reason, result) in [
        ("tablut", "9/9/9/9/9/2k6/9/9/a7a d", "c4c9", "defenders", "king-escaped", "p1win"),
        ("tablut-ashton", "9/9/9/9/2k6/9/9/9/3a5 a", "d1d5", "attackers", "king-captured", "p2win"),
        ("tablut", "9/9/9/9/4k4/9/9/d8/a1d6 d", "c1b1", "defenders", "no-moves", "p1win"),
    ] {
        let mut engine = Engine::at(variant, fen);
        let base = format!("position fen {fen} moves {mv}");
        engine.send(&base);
        assert_eq!(engine.query("winner"), winner, "{fen}");
        assert_eq!(engine.query("reason"), reason, "{fen}");
        assert_eq!(engine.query("result"), result, "{fen}");
        assert_eq!(engine.query("legalmoves"), "none");
        engine.send(&format!("{base} a1a2"));
        let error = engine.line("info string error bad-move: 'a1a2', ply 2: ");
        assert!(error.contains("the game is over"), "{error}");
    }
}

#[test]
fn boards_can_be_drawn() {
    let mut engine = Engine::at("tablut-ashton", "startpos");
    let board = engine.query("board");
    assert!(board.starts_with("size 9 throne e5 corners none camps d1 e1 f1 e2 a4 i4 a5 b5 h5 i5 a6 i6 e8 d9 e9 f9 goals a1 b1 c1 g1"), "{board}");
    let mut engine = Engine::at("brandubh", "startpos");
    assert_eq!(
        engine.query("board"),
        "size 7 throne d4 corners a1 g1 a7 g7 camps none goals a1 g1 a7 g7"
    );
    let mut engine = Engine::at("sea-battle", "startpos");
    assert!(
        engine.query("board").starts_with("size 9 throne none corners none camps none goals a1")
    );
}

#[test]
fn repetition_charges() {
    for (variant, moves, answer, reason) in [
        ("tablut", "e3a3 d1a1 a3e3 a1d1", "occurrences 2 limit 3 charged nobody", "none"),
        ("tablut-ashton", "", "occurrences 0 limit 2 charged nobody", "none"),
        (
            "tablut-ashton",
            "e3d3 d1c1 d3e3 c1b1 e3d3 b1c1",
            "occurrences 2 limit 2 charged nobody",
            "repetition",
        ),
        ("brandubh", "", "occurrences 1 limit 3 charged defenders", "none"),
        ("alea-evangelii", "", "occurrences 1 limit 3 charged mover", "none"),
    ] {
        let mut engine = Engine::at(variant, "startpos");
        engine.send(&format!("position startpos moves {moves}"));
        engine.sync();
        assert_eq!(engine.query("repetition"), answer, "{variant} {moves}");
        assert_eq!(engine.query("reason"), reason, "{variant} {moves}");
    }
}

#[test]
fn announcements() {
    let raichi = "9/9/9/2a6/9/1ak1a4/9/9/a7a a";
    let mut engine = Engine::start();
    engine.position(raichi);
    engine.sync();
    engine.send("debug on");
    engine.position(raichi);
    assert_eq!(engine.line("info string"), "info string raichi");
    engine.position("9/9/9/9/9/2k6/9/9/a7a a");
    assert_eq!(engine.line("info string"), "info string tuichi");
    assert_eq!(engine.query("call"), "tuichi");
    engine.send("d");
    assert_eq!(engine.line("call"), "call tuichi");
    engine.until("outcome");
    engine.position(START);
    engine.sync();
    engine.send("setoption name Variant value brandub-walker\nposition fen 7/7/2a4/2k4/7/2a4/7 d");
    assert_eq!(engine.line("info string"), "info string watch-your-king");
    engine.send("debug off");
    engine.position("7/7/2a4/2k4/7/2a4/7 d");
    engine.sync();
}

#[test]
fn choosing_a_rule_set() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e3a3\nsetoption name UCI_Variant value tablut");
    assert_eq!(engine.query("side"), "attackers", "the same again changes nothing");
    engine.send("setoption name UCI_Variant value rachunek");
    assert_eq!(engine.query("side"), "attackers", "an alias of the same neither");
    engine.send("setoption name UCI_Variant value copenhagen");
    assert_eq!(
        engine.query("fen"),
        "3aaaaa3/5a5/11/a4d4a/a3ddd3a/aa1ddkdd1aa/a3ddd3a/a4d4a/11/5a5/3aaaaa3 a"
    );
    engine.send("uci");
    let offered = engine.until("uciok");
    let combo = offered.iter().find(|line| line.contains("UCI_Variant")).unwrap();
    let ids: Vec<&str> = combo.split(" var ").skip(1).collect();
    assert_eq!(ids.len(), 26);
    for id in ids {
        engine.send(&format!("setoption name UCI_Variant value {id}"));
        assert_eq!(engine.query("variant"), id);
        let answer = engine.go("nodes 300");
        let legal = engine.query("legalmoves");
        assert!(legal.split(' ').any(|mv| mv == answer.mv()), "{id}: {answer:?}");
    }
}

#[test]
fn what_d_shows() {
    let lines = one_shot("position startpos moves e3a3\nd\n");
    assert_eq!(lines[0], "9   . . . a a a . . .");
    assert_eq!(lines[9], "=   a b c d e f g h i");
    for line in [
        "variant tablut",
        "fen 3aaa3/4a4/4d4/a3d3a/aaddkddaa/a3d3a/d8/4a4/3aaa3 a",
        "side attackers",
        "occurrences 1 (number 3 ends the game)",
        "legal moves 78",
        "call none",
        "outcome none",
    ] {
        assert!(lines.iter().any(|other| other == line), "{line}: {lines:#?}");
    }
    assert!(lines.iter().any(|line| line.starts_with("key ") && line.len() == 20));
}

/// A session as a front end written for TaflZero holds it.
#[test]
fn taflzero_front_end() {
    let mut engine = Engine::start();
    engine.send("uci");
    engine.until("uciok");
    engine.send("setoption name Variant value tablut9x9\nsetoption name MultiPV value 3\nisready");
    engine.until("readyok");
    assert_eq!(engine.query("variant"), "tablut-saami");
    engine
        .send("position fen 3aaa3/4a4/4d4/a3d3a/aaddkddaa/a3d3a/4d4/4a4/3aaa3 - a 0 0 moves d1b1");
    let answer = engine.go("nodes 4000");
    let places: std::collections::HashSet<u64> =
        answer.infos.iter().map(|line| number(line, "multipv")).collect();
    assert_eq!(places.len(), 3);
    assert!(answer.infos.iter().all(|line| line.contains(" nps ") && line.contains(" pv ")));
    engine.go("movetime 100");
    engine.send("go infinite");
    engine.line("info depth 1");
    engine.send("stop");
    engine.line("bestmove ");
    for (theirs, ours) in
        [("copenhagen11x11", "copenhagen"), ("historical11x11", "historical-taflzero")]
    {
        engine.send(&format!("setoption name Variant value {theirs}"));
        assert_eq!(engine.query("variant"), ours);
    }
    engine.send("quit");
    assert!(engine.wait(engine::PATIENCE).success());
}

/// The whole game of an arena that leaves every decision to the engine, over UGI.
#[test]
fn ugi_arena_plays_a_game() {
    for variant in ["brandubh", "tablut"] {
        let mut engine = Engine::start();
        engine.send("ugi");
        engine.until("ugiok");
        engine.send(&format!("setoption name UCI_Variant value {variant}\nuginewgame\nisready"));
        engine.until("readyok");
        let mut moves: Vec<String> = Vec::new();
        loop {
            engine.send(&format!("position startpos moves {}", moves.join(" ")));
            if engine.query("gameover") == "true" {
                break;
            }
            assert_eq!(engine.query("p1turn"), moves.len().is_multiple_of(2).to_string());
            assert_eq!(engine.query("result"), "none");
            let answer = engine.go("p1time 200 p2time 200 p1inc 5 p2inc 5");
            let words: Vec<&str> = answer.best.split(' ').collect();
            assert_eq!(words.len(), 2, "{}", answer.best);
            moves.push(words[1].to_owned());
            assert!(moves.len() < 600, "no end: {moves:?}");
        }
        assert!(["p1win", "p2win", "draw"].contains(&engine.query("result").as_str()));
    }
}

#[test]
fn counts() {
    let mut engine = Engine::at("brandubh", "startpos");
    engine.send("perft 3");
    assert_eq!(number(&engine.line("nodes "), "nodes"), 39_512);
    engine.send("go perft 1");
    let lines = engine.until("nodes ");
    assert_eq!(lines.len(), 41);
    assert!(lines[0].ends_with(": 1"));
    // A count can be stopped, and what waits behind it is carried out.
    engine.send("perft 12\nquery side\ngo depth 1\nstop");
    assert_eq!(engine.line("info string"), "info string the count was stopped");
    engine.line("bestmove");
    engine.sync();
    engine.send("bench 2");
    assert_eq!(engine.until("copenhagen ").len(), 5);
    assert!(engine.next(engine::PATIENCE).unwrap().contains(" nodes "));
}

#[test]
fn very_long_lines_are_refused() {
    let mut engine = Engine::start();
    let long = vec![b'x'; (16 << 20) + 100];
    engine.send_raw(&long);
    engine.send_raw(b"\nisready\n");
    engine.line("info string error syntax: line: longer than 16 MiB");
    engine.line("readyok");
}
