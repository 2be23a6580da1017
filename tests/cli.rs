//! The subcommands of the built program.

use std::process::{Command, Output};

fn konakis(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_konakis")).args(arguments).output().expect("it starts")
}

/// What it prints when it ends well.
fn lines(arguments: &[&str]) -> Vec<String> {
    let output = konakis(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    assert_eq!(errors, "", "{arguments:?}");
    String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect()
}

/// What it complains about when it does not.
fn complaint(arguments: &[&str]) -> String {
    let output = konakis(arguments);
    assert!(!output.status.success(), "{arguments:?} succeeds");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    String::from_utf8(output.stderr).expect("text")
}

fn nodes(line: &str) -> u64 {
    let value = line.strip_prefix("nodes ").and_then(|rest| rest.split(' ').next());
    value.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no count: {line}"))
}

#[test]
fn perft_counts_and_last_line() {
    let last = lines(&["perft", "3"]).pop().unwrap();
    let words: Vec<&str> = last.split(' ').collect();
    assert_eq!((words[0], words[2], words[4]), ("nodes", "time", "nps"), "{last}");
    assert!(words[3].parse::<u64>().is_ok() && words[5].parse::<u64>().is_ok(), "{last}");
    assert_eq!(nodes(&last), 251_856);
    for extra in [&["--no-bulk"][..], &["--threads", "2"], &["--no-bulk", "--threads", "3"]] {
        let arguments = [&["perft", "3", "--variant", "tablut-saami"], extra].concat();
        assert_eq!(nodes(&lines(&arguments).pop().unwrap()), 353_200, "{extra:?}");
    }
    assert_eq!(nodes(&lines(&["perft", "0"])[0]), 1);
    // A finished game has no moves.
    assert_eq!(nodes(&lines(&["perft", "2", "--fen", "k8/9/9/9/9/9/9/9/a8 a"])[0]), 0);
}

#[test]
fn perft_divided() {
    let lines = lines(&["perft", "2", "--variant", "brandubh", "--divide"]);
    let (last, moves) = lines.split_last().unwrap();
    assert_eq!(moves.len(), 40);
    let sum: u64 =
        moves.iter().map(|line| line.split_once(": ").unwrap().1.parse::<u64>().unwrap()).sum();
    assert_eq!((sum, nodes(last)), (960, 960));
}

#[test]
fn bench_is_the_same_every_time() {
    let counts = |arguments: &[&str]| -> Vec<String> {
        let lines = lines(arguments);
        lines.iter().map(|line| line.split(" nodes ").next().unwrap().to_owned()).collect()
    };
    let first = counts(&["bench", "--depth", "3"]);
    assert_eq!(first.len(), 6);
    for (line, id) in
        first.iter().zip(["tablut", "tablut-corner", "tablut-ashton", "brandubh", "copenhagen"])
    {
        assert!(line.starts_with(&format!("{id} ")), "{line}");
    }
    let sum: u64 =
        first[..5].iter().map(|line| line.split(' ').nth(1).unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(first[5], sum.to_string());
    assert_eq!(counts(&["bench", "--depth", "3"]), first);
    assert_eq!(counts(&["bench", "--depth", "2", "--variant", "ard-ri", "--hash", "1"]).len(), 2);
}

#[test]
fn variants_and_rules() {
    let table = lines(&["variants"]);
    assert_eq!(table.len(), 27);
    for line in &table[1..] {
        let id = line.split(' ').next().unwrap();
        let words = lines(&["rules", id]);
        assert!(words[0].starts_with(&format!("{id}: ")));
        assert!(words.len() > 15, "{id}");
        assert!(words.iter().any(|line| line.starts_with("=   a b c")), "{id}: the board");
    }
    assert_eq!(lines(&["rules", "EL-TABLUT"]), lines(&["rules", "tablut-corner"]));
}

#[test]
fn run_carries_out_lines() {
    let lines = lines(&[
        "run",
        "position startpos moves e3a3",
        "go depth 3",
        "position startpos\nquery side",
    ]);
    assert!(lines.iter().any(|line| line.starts_with("bestmove ")));
    assert_eq!(lines.last().unwrap(), "response defenders");
}

#[test]
fn version_and_help() {
    let version = lines(&["--version"]).remove(0);
    assert!(version.starts_with(concat!("konakis ", env!("CARGO_PKG_VERSION"))), "{version}");
    let named = lines(&["run", "uci"]).remove(0);
    assert_eq!(named.replace("id name Konakis", "konakis"), version);
    let help = lines(&["--help"]).join("\n");
    for command in ["perft", "bench", "variants", "rules", "run"] {
        assert!(help.contains(command), "{command}");
        assert!(lines(&[command, "--help"]).len() > 3);
    }
}

#[test]
fn complaints_say_what_would_be_right() {
    assert!(complaint(&["rules", "chess"]).contains("expected one of tablut, "));
    assert!(complaint(&["perft", "2", "--variant", "chess"]).contains("expected one of"));
    assert!(complaint(&["bench", "--variant", "chess"]).contains("expected one of"));
    assert!(complaint(&["perft", "2", "--fen", "9/9 a"]).contains("2 ranks; expected 9"));
    assert!(complaint(&["perft", "x"]).contains("'x'"));
    assert!(complaint(&["perft", "3", "--threads", "0"]).contains("1..=1024"));
    assert!(complaint(&["frobnicate"]).contains("frobnicate"));
}

#[test]
#[cfg(unix)]
fn closed_output_ends_quietly() {
    let program = env!("CARGO_BIN_EXE_konakis");
    for command in ["variants", "perft 2 --divide", "bench --depth 2"] {
        let script = format!("'{program}' {command} | true; exit ${{PIPESTATUS[0]}}");
        let output = Command::new("bash").args(["-c", &script]).output().expect("bash");
        assert!(output.status.success(), "{command}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{command}");
    }
}
