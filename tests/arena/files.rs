//! Interrupted, resumed and divided matches.

use std::collections::BTreeMap;
use std::process::Child;
use std::process::Command;
use std::process::Stdio;
use std::thread;
use std::time::Duration;
use std::time::Instant;

use crate::{Scratch, engine_with, konakis, line, run, stderr, stdout};

/// The games of a file by number, without what differs from run to run.
fn games(file: &str) -> BTreeMap<usize, String> {
    let text = std::fs::read_to_string(file).expect("the file of a match");
    let read = konakis::notation::record::read_all(&text).expect("records");
    assert_eq!(read.torn, None);
    let mut games = BTreeMap::new();
    for placed in read.records.iter().skip(1) {
        let record = &placed.record;
        let number = record.tag("round").expect("a number").parse().expect("a number");
        let tags = ["attackers", "defenders", "result", "termination", "variant", "rules"];
        let tags = tags.map(|tag| record.tag(tag).unwrap_or("-"));
        let whole = format!("{} {}", tags.join(" "), record.moves.join(" "));
        assert_eq!(games.insert(number, whole), None, "game {number} twice");
    }
    games
}

/// Slow enough to be interrupted, and the same whenever it is played.
fn slow_match(out: &str) -> Vec<String> {
    let words = [
        "match",
        "--variant",
        "tablut",
        "--engine",
        "builtin:material-2,name=M2",
        "--engine",
        "builtin:material-1,name=M1",
        "--games",
        "24",
        "--openings",
        "random:4:3",
        "--max-plies",
        "80",
        "--concurrency",
        "2",
        "--out",
        out,
    ];
    words.map(str::to_owned).to_vec()
}

fn start(arguments: &[String]) -> Child {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    konakis(&words).stdout(Stdio::piped()).spawn().expect("konakis runs")
}

/// Waits until so many games stand in a file; `false` if the match ended before.
fn wait_for_games(child: &mut Child, file: &str, count: usize) -> bool {
    let deadline = Instant::now() + Duration::from_secs(120);
    loop {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        if text.matches("\n[round:").count() >= count {
            return true;
        }
        if child.try_wait().expect("a state").is_some() {
            return false;
        }
        assert!(Instant::now() < deadline, "no {count} games in time");
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_killed_match_goes_on_as_if_nothing_had_happened() {
    let scratch = Scratch::new();
    let (whole, killed) = (scratch.file("whole.otg"), scratch.file("killed.otg"));
    let arguments: Vec<String> = slow_match(&whole);
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let uninterrupted = run(&words);
    assert!(uninterrupted.status.success(), "{}", stderr(&uninterrupted));
    assert_eq!(games(&whole).len(), 24);

    let mut child = start(&slow_match(&killed));
    let mut kills = 0;
    for target in [3, 7, 12, 18] {
        if wait_for_games(&mut child, &killed, target) {
            child.kill().expect("a running match");
            kills += 1;
        }
        child.wait().expect("its end");
        // A write that the kill cut in two.
        if target == 7 {
            let bytes = std::fs::read(&killed).expect("the file");
            std::fs::write(&killed, &bytes[..bytes.len() - 37]).expect("the file");
        }
        child = start(&["match", "--resume", &killed].map(str::to_owned));
    }
    assert!(kills >= 2, "the match was too fast to be killed");
    let last = child.wait_with_output().expect("its end");
    assert!(last.status.success());
    assert_eq!(games(&killed), games(&whole));
    // The statistics are those of the uninterrupted match.
    let summary = |text: &str| {
        let from = text.find("tablut: M2").expect("a summary");
        let lines = text[from..].lines().filter(|line| !line.contains("overrun"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(summary(&stdout(&last)), summary(&stdout(&uninterrupted)));

    let again = run(&["match", "--resume", &killed]);
    assert!(stdout(&again).contains("24 games were played before"));
    assert_eq!(summary(&stdout(&again)), summary(&stdout(&uninterrupted)));
}

#[cfg(unix)]
#[test]
fn one_interrupt_finishes_the_running_games() {
    let scratch = Scratch::new();
    let out = scratch.file("match.otg");
    let mut child = start(&slow_match(&out));
    assert!(wait_for_games(&mut child, &out, 2));
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupted.expect("kill").success());
    let output = child.wait_with_output().expect("its end");
    assert_eq!(output.status.code(), Some(130));
    let text = stdout(&output);
    assert!(text.contains(&format!("go on with: konakis match --resume {out}")), "{text}");
    let before = games(&out);
    assert!((2..24).contains(&before.len()), "{}", before.len());
    let resumed = run(&["match", "--resume", &out]);
    assert!(resumed.status.success());
    let after = games(&out);
    assert_eq!(after.len(), 24);
    assert!(before.iter().all(|(number, game)| after.get(number) == Some(game)));
}

#[cfg(unix)]
#[test]
fn a_second_interrupt_leaves_at_once() {
    // The engine thinks for a minute: only a second interrupt can end this. It ignores every kind
    // word, and must not outlive the match.
    let scratch = Scratch::new();
    let pids = scratch.file("pids");
    let subject =
        engine_with("stubborn.py", "movetime=60000").replace(".py'", &format!(".py' '{pids}'"));
    let words = ["match", "--engine", &subject, "--engine", "builtin:random", "--games", "2"];
    let mut child = start(&words.map(str::to_owned));
    thread::sleep(Duration::from_millis(1_500));
    let began = Instant::now();
    for _ in 0..2 {
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(sent.expect("kill").success());
        thread::sleep(Duration::from_millis(300));
    }
    let status = child.wait().expect("its end");
    assert_eq!(status.code(), Some(130));
    assert!(began.elapsed() < Duration::from_secs(10));
    let pids = std::fs::read_to_string(&pids).expect("the engine ran");
    assert!(!pids.is_empty());
    for pid in pids.lines() {
        assert!(is_gone(pid), "{pid} is alive");
    }
}

/// Has the process ended, or does it only wait for its parent to take notice?
#[cfg(unix)]
fn is_gone(pid: &str) -> bool {
    let deadline = Instant::now() + Duration::from_secs(5);
    while Instant::now() < deadline {
        let state = Command::new("ps").args(["-o", "stat=", "-p", pid]).output().expect("ps");
        let state = stdout(&state);
        if state.trim().is_empty() || state.starts_with('Z') {
            return true;
        }
        thread::sleep(Duration::from_millis(20));
    }
    false
}

#[test]
fn parts_add_up_to_the_whole() {
    let scratch = Scratch::new();
    let base = [
        "match",
        "--variant",
        "brandubh",
        "--engine",
        "builtin:material-1",
        "--engine",
        "builtin:random",
        "--engine",
        "builtin:greedy",
        "--games",
        "6",
        "--openings",
        "random:4:3",
    ];
    let play = |name: &str, more: &[&str]| {
        let file = scratch.file(name);
        let output = run(&[&base, more, &["--out", &file]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        (file, stdout(&output))
    };
    let (whole, text) = play("whole", &[]);
    let parts: Vec<String> = ["1/2", "2/2"]
        .iter()
        .map(|part| play(&part.replace('/', "-"), &["--shard", part]).0)
        .collect();
    let mut together = games(&parts[0]);
    assert_eq!(together.len() % 2, 0);
    together.extend(games(&parts[1]));
    assert_eq!(together, games(&whole));
    let merged = run(&["merge", &parts[0], &parts[1]]);
    let summary =
        |text: &str| text[text.find("brandubh: material-1").expect("a summary")..].to_owned();
    let without_overrun = |text: String| {
        text.lines().filter(|line| !line.contains("overrun")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(without_overrun(summary(&stdout(&merged))), without_overrun(summary(&text)));

    let twice = run(&["merge", &parts[0], &parts[0]]);
    assert!(stderr(&twice).contains("is in "), "{}", stderr(&twice));
    let unseeded = base.map(|word| if word == "random:4:3" { "random:4" } else { word });
    let random = run(&[&unseeded[..], &["--shard", "1/2"]].concat());
    assert!(stderr(&random).contains("random:4:SEED"), "{}", stderr(&random));
}

#[test]
fn a_test_stops_the_match_and_merged_parts_state_it() {
    let scratch = Scratch::new();
    let out = scratch.file("sprt.otg");
    let output = run(&[
        "match",
        "--variant",
        "brandubh",
        "--engine",
        "builtin:greedy",
        "--engine",
        "builtin:random",
        "--sprt",
        "elo0=0,elo1=100,model=logistic",
        "--openings",
        "random:4:3",
        "--out",
        &out,
    ]);
    let text = stdout(&output);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(text.contains("the test is decided: H1 accepted"), "{text}");
    let llr = line(&text, "LLR ");
    assert!(llr.ends_with("(-2.94, 2.94) [0.00, 100.00] logistic: H1 accepted"), "{llr}");
    let value: f64 = llr.split_whitespace().nth(1).unwrap().parse().unwrap();
    assert!((2.94..4.5).contains(&value), "{llr}");
    let alone = stdout(&run(&["merge", &out]));
    assert!(line(&alone, "LLR ").ends_with("H1 accepted"), "{alone}");
}

/// A part does not stop by itself, whatever its own games show: what is merged has the size that
/// was planned. What is missing is said.
#[test]
fn parts_of_a_test_are_played_in_full() {
    let scratch = Scratch::new();
    let part = |number: u32| {
        let file = scratch.file(&format!("part-{number}"));
        let output = run(&[
            "match",
            "--variant",
            "brandubh",
            "--engine",
            "builtin:greedy",
            "--engine",
            "builtin:random",
            "--sprt",
            "elo0=0,elo1=100,model=logistic",
            "--pairs",
            "60",
            "--openings",
            "random:4:3",
            "--shard",
            &format!("{number}/2"),
            "--out",
            &file,
        ]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(games(&file).len(), 60);
        file
    };
    let parts = [part(1), part(2)];
    let merged = stdout(&run(&["merge", &parts[0], &parts[1]]));
    assert!(line(&merged, "LLR ").contains("a test of fixed size, 60 pairs"), "{merged}");
    assert!(!merged.contains("missing"), "{merged}");
    let half = stdout(&run(&["merge", &parts[0]]));
    assert!(half.contains("60 of 60 games (part 1/2)"), "{half}");
    assert!(half.contains("missing parts: 2/2"), "{half}");
}

#[test]
fn a_file_in_use_is_not_resumed() {
    let scratch = Scratch::new();
    let out = scratch.file("match.otg");
    let mut child = start(&slow_match(&out));
    assert!(wait_for_games(&mut child, &out, 1));
    let second = run(&["match", "--resume", &out]);
    if child.try_wait().expect("a state").is_none() {
        assert!(!second.status.success());
        assert!(stderr(&second).contains("another match is writing"), "{}", stderr(&second));
    }
    assert!(child.wait_with_output().expect("its end").status.success());
    assert_eq!(games(&out).len(), 24);
    // Nor does anything else write into it.
    let before = std::fs::read_to_string(&out).expect("records");
    for arguments in [
        vec!["match".to_owned(), "--resume".to_owned(), out.clone(), format!("--json={out}")],
        [slow_match(&scratch.file("other")), vec![format!("--json={out}")]].concat(),
    ] {
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = run(&words);
        assert!(stderr(&output).contains("is no file of events"), "{}", stderr(&output));
    }
    assert_eq!(std::fs::read_to_string(&out).expect("records"), before);
}
