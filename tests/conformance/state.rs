//! Options, positions, history and what waits for what.

use std::time::{Duration, Instant};

use crate::engine::{Engine, START, number, one_shot};
use crate::{ESCAPED, SHORT, SHUFFLE, millis};

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
    if std::path::Path::new("/dev/full").exists() {
        engine.send("setoption name Debug Log File value /dev/full\nquery side");
        engine.line("response defenders");
        engine.line("info string error file: the log ends here");
    }
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
