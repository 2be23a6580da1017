//! Engines that misbehave, each with the right verdict.

use serde_json::Value;
use std::process::Command;
use std::process::Output;

use crate::{Scratch, engine, engine_with, events, run, stderr, stdout};

/// Two games of a test engine against the random mover.
fn two_games(subject: &str, more: &[&str]) -> Output {
    let limit = |option: &'static str, ms: &'static str| {
        if more.contains(&option) { Vec::new() } else { vec![option, ms] }
    };
    let limits = [limit("--start-limit", "5000"), limit("--late-limit", "300")].concat();
    let common = [
        "match",
        "--engine",
        subject,
        "--engine",
        "builtin:random,name=R",
        "--games",
        "2",
        "--openings",
        "startpos",
        "--json",
    ];
    run(&[&common[..], &limits, more].concat())
}

#[track_caller]
fn loses_both(script: &str, kind: &str, more: &[&str]) {
    let output = two_games(&engine(script), &[more, &["--strict"]].concat());
    let games = events(&output, "game");
    assert_eq!(games.len(), 2, "{}", stderr(&output));
    for game in &games {
        assert_eq!(game["winner_engine"], "R", "{game}");
        assert_eq!(game["reason"], kind, "{game}");
        assert_eq!(game["fault"]["engine"], "subject");
        assert!(!game["fault"]["conversation"].as_array().unwrap().is_empty(), "{game}");
    }
    // The report for people says the same, with the last lines of the conversation.
    let text = stderr(&output);
    assert!(text.contains(&format!("  {kind}: subject: ")), "{text}");
    assert!(text.contains("  | > "), "{text}");
    assert!(text.contains(&format!("faults of subject: {kind} 2")), "{text}");
    assert_eq!(output.status.code(), Some(1), "--strict");
    let end = &events(&output, "end")[0];
    assert_eq!((&end["wins"], &end["losses"]), (&0.into(), &2.into()));
}

#[test]
fn a_crash_loses_and_the_engine_is_restarted() {
    loses_both("crash.py", "crash", &[]);
    let output = two_games(&engine("crash.py"), &[]);
    assert_eq!(output.status.code(), Some(0), "without --strict");
    let text = stderr(&output);
    assert!(text.contains("  | < info string something went wrong"), "{text}");
    assert!(text.contains("  | ! a message on standard error"), "{text}");
    assert!(text.contains("exit status: 3"), "{text}");
}

#[test]
fn a_hang_is_a_stall() {
    loses_both("hang.py", "stall", &[]);
}

#[test]
fn a_late_answer_is_a_time_forfeit() {
    loses_both("late.py", "time-forfeit", &["--late-limit", "5000"]);
    let output = two_games(&engine("late.py"), &["--late-limit", "5000"]);
    let text = stderr(&output);
    assert!(text.contains("time forfeits: subject 2, R 0; largest overrun: subject "), "{text}");
    let overrun = &events(&output, "game")[0]["overruns"][0];
    assert!(overrun["ms"].as_f64().unwrap() >= 190.0, "{overrun}");
    assert_eq!(text.lines().filter(|line| line.starts_with("  overrun: subject, ")).count(), 2);
}

#[test]
fn an_overrun_within_the_margin_is_told_and_forgiven() {
    let output = two_games(&engine("late.py"), &["--margin", "10000", "--max-plies", "1"]);
    let game = &events(&output, "game")[1];
    assert_eq!((&game["reason"], &game["fault"]), (&"max-plies".into(), &Value::Null), "{game}");
    assert!(game["overruns"][0]["ms"].as_f64().unwrap() >= 190.0, "{game}");
    assert!(stderr(&output).contains("  overrun: subject, ply 1, "));
}

#[test]
fn wrong_moves_lose() {
    loses_both("illegal.py", "illegal-move", &[]);
    loses_both("malformed.py", "malformed-move", &[]);
    loses_both("no_move.py", "no-move-given", &[]);
}

#[test]
fn floods_lose() {
    for script in ["flood.py", "endless_line.py"] {
        let output = two_games(&engine_with(script, "movetime=60000"), &[]);
        for game in events(&output, "game") {
            assert_eq!((&game["reason"], &game["winner_engine"]), (&"flood".into(), &"R".into()));
        }
    }
}

#[test]
fn closed_pipes_lose() {
    loses_both("closes_output.py", "disconnected", &[]);
    loses_both("closes_input.py", "stall", &[]);
}

#[test]
fn engines_that_never_get_ready_lose() {
    loses_both("never_ready.py", "not-ready", &["--ping-limit", "700"]);
    loses_both("no_handshake.py", "not-ready", &["--start-limit", "700"]);
}

#[test]
fn what_cannot_work_is_said_before_the_first_game() {
    for (subject, hint) in [
        ("no-such-program,tc=1".to_owned(), "cannot be started"),
        (engine("other_game.py"), "does not know the rule set tablut"),
    ] {
        let output = two_games(&subject, &[]);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains(hint), "{}", stderr(&output));
        assert!(events(&output, "game").is_empty());
    }
}

#[test]
fn much_talk_does_no_harm() {
    let subject = format!(
        "{},args='{}/tests/engines/chatty.py' '{}',tc=10+1",
        "cmd=python3,name=subject",
        env!("CARGO_MANIFEST_DIR"),
        env!("CARGO_BIN_EXE_konakis")
    );
    let output = two_games(&subject, &["--max-plies", "20", "--strict"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(events(&output, "game").len(), 2);
}

#[cfg(unix)]
#[test]
fn no_process_is_left_behind() {
    let scratch = Scratch::new();
    let pids = scratch.file("pids");
    let subject = engine("stubborn.py").replace(".py'", &format!(".py' '{pids}'"));
    let output = two_games(&subject, &[]);
    assert_eq!(events(&output, "game").len(), 2, "{}", stderr(&output));
    let pids = std::fs::read_to_string(&pids).expect("the engine ran");
    assert!(pids.lines().count() >= 2, "restarted");
    for pid in pids.lines() {
        let alive = Command::new("kill").args(["-0", pid]).output().expect("kill");
        assert!(!alive.status.success(), "{pid} is alive");
    }
}

#[test]
fn what_an_engine_refuses_is_told() {
    let output = run(&[
        "match",
        "--variant",
        "brandubh",
        "--engine",
        "builtin:konakis,nodes=50,option.Hash=many",
        "--engine",
        "builtin:random",
        "--games",
        "2",
        "--concurrency",
        "1",
    ]);
    assert!(output.status.success());
    let text = stdout(&output);
    assert!(
        text.contains("engine konakis says: info string error bad-value: Hash: 'many'"),
        "{text}"
    );
}
