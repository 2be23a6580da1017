//! `konakis prove` and `konakis puzzles` as they are called.

use std::collections::HashSet;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use konakis::game::symmetry::canonical;
use serde_json::Value;

use crate::position;
use crate::prover::Prover;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_konakis")).args(arguments).output().expect("it starts")
}

fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn prove_says_what_is_proven() {
    let lost = "4a4/9/9/9/2k5a/2a6/9/9/4a4 a";
    let text = printed(&["prove", lost]);
    for part in [
        "proven: loss in 2 plies for the attackers, who are to move",
        "length no win takes fewer plies",
        "\nline ",
        "\neffort ",
        " nodes, ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let won = "9/9/2a6/1aka5/9/2a6/9/9/9 a";
    let event: Value = serde_json::from_str(&printed(&["prove", "--json", won])).unwrap();
    assert_eq!(event["verdict"], "proven");
    assert_eq!((event["winner"].as_str(), event["plies"].as_u64()), (Some("attackers"), Some(1)));
    assert_eq!(
        (event["minimal"].as_bool(), event["line"].as_array().unwrap().len()),
        (Some(true), 1)
    );
    let text = printed(&["prove", "k8/9/9/9/9/9/9/9/a8 a"]);
    assert!(text.starts_with("the game is over: the defenders win (king-escaped)"), "{text}");
}

#[test]
fn prove_is_honest_about_what_is_not() {
    let text = printed(&["prove", "--nodes", "3000", "--hash", "1"]);
    assert!(text.starts_with("not proven: the effort is used up\neffort "), "{text}");
    let begun = Instant::now();
    let text = printed(&["prove", "--time", "0.2", "--variant", "copenhagen"]);
    assert!(text.starts_with("not proven: the effort is used up"), "{text}");
    assert!(begun.elapsed() < Duration::from_secs(20));
    assert!(printed(&["prove", "--time", "0"]).starts_with("not proven"));
    for (arguments, code, part) in [
        (&["prove", "9/9 a"][..], 1, "2 ranks"),
        (&["prove", "--variant", "chess"], 1, "chess"),
        (&["prove", "--hash", "0"], 2, "--hash"),
        (&["prove", "--time", "-1"], 2, "--time"),
        (&["prove", "--time", "soon"], 2, "seconds"),
        (&["prove", "--moves", "e3e9"], 1, "not legal"),
    ] {
        let output = run(arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(code) && error.contains(part), "{error}");
    }
}

#[test]
#[cfg(unix)]
fn an_interrupt_ends_a_proof_with_an_answer() {
    let child = Command::new(env!("CARGO_BIN_EXE_konakis"))
        .args(["prove", "--variant", "alea-evangelii", "--time", "600"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    // Long enough for the handler to be there.
    std::thread::sleep(Duration::from_millis(1500));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success() && text.starts_with("not proven: interrupted"), "{text}");
}

const MINE: [&str; 8] =
    ["puzzles", "--variant", "brandubh", "--count", "3", "--max-plies", "5", "--json"];

#[test]
fn puzzles_are_what_they_claim() {
    let text = printed(&MINE);
    let mut seen = HashSet::new();
    let puzzles: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(puzzles.len(), 3, "{text}");
    for puzzle in puzzles {
        let game = position("brandubh", puzzle["fen"].as_str().unwrap());
        let best = game.read_move(puzzle["move"].as_str().unwrap()).unwrap();
        let plies = puzzle["plies"].as_u64().unwrap() as u32;
        assert!((3..=5).contains(&plies) && puzzle["bound"] == 5, "{puzzle}");
        assert_eq!(puzzle["side"], game.side().name());
        assert_eq!(puzzle["others"].as_u64().unwrap() as usize + 1, game.legal_moves().len());
        assert!(seen.insert(canonical(&game)), "an image of another: {puzzle}");
        let mut prover = Prover::exact();
        for mv in game.legal_moves() {
            let wins = prover.wins_by(&mut game.clone(), mv, 5);
            assert_eq!(wins, mv == best, "{puzzle} {}", mv.on(7));
        }
        assert!(!prover.wins(&mut game.clone(), plies - 2), "{puzzle}");
    }
    // The same seed, the same puzzles; another seed, others.
    assert_eq!(printed(&MINE), text);
    assert_ne!(printed(&[&MINE[..], &["--seed", "2"]].concat()), text);
}

#[test]
fn puzzles_come_from_records_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.txt");
    // A king that goes out, three plies before; and a line that is no game.
    let fen = "9/9/9/9/2k5a/2a6/9/9/4a4 d";
    std::fs::write(&path, format!("{fen} moves c5c6 e1e2\ne4b4 d1d9\n")).unwrap();
    let file = path.to_str().unwrap();
    let output = run(&["puzzles", file, "--min-plies", "1"]);
    let (text, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("games.txt") && errors.contains("line 2"), "{errors}");
    assert!(errors.contains("puzzles in 1 games"), "{errors} {text}");
    for (arguments, code, part) in [
        (&["puzzles", "no/such/file"][..], 1, "no/such/file"),
        (&["puzzles", "--min-plies", "9"], 1, "--min-plies 9"),
        (&["puzzles", "--min-plies", "4", "--max-plies", "4"], 1, "such as 5"),
        (&["puzzles", "--count", "0"], 2, "--count"),
        (&["puzzles", "--json=/no/such/folder/x"], 1, "/no/such/folder/x"),
    ] {
        let output = run(arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(code) && error.contains(part), "{error}");
    }
}

#[test]
#[cfg(unix)]
fn an_interrupt_keeps_what_was_found() {
    use std::io::{BufRead, BufReader};

    let mut child = Command::new(env!("CARGO_BIN_EXE_konakis"))
        .args([
            "puzzles",
            "--variant",
            "brandubh",
            "--count",
            "10000",
            "--max-plies",
            "3",
            "--json",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let first = lines.next().unwrap().unwrap();
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let rest: Vec<String> = lines.map(|line| line.unwrap()).collect();
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("interrupted: "));
    // Whole lines, all of them.
    for line in std::iter::once(&first).chain(&rest) {
        serde_json::from_str::<Value>(line).unwrap();
    }
}
