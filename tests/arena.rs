//! The arena against engines that misbehave, builtins end to end, and interrupted matches.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

/// A folder of this test's own, gone when it ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("konakis-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn konakis(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_konakis"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    konakis(arguments).output().expect("konakis runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The spec of a test engine.
fn engine(name: &str) -> String {
    engine_with(name, "tc=0.3+0")
}

fn engine_with(name: &str, limits: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines").join(name);
    format!("cmd=python3,\"args='{}'\",name=subject,{limits}", path.display())
}

fn events(output: &Output, kind: &str) -> Vec<Value> {
    let text = stdout(output);
    let events = text.lines().map(|line| serde_json::from_str::<Value>(line).expect(line));
    events.filter(|event| event["type"] == kind).collect()
}

/// A line of the report.
#[track_caller]
fn line<'a>(text: &'a str, start: &str) -> &'a str {
    let mut lines = text.lines().filter(|line| line.starts_with(start));
    let first = lines.next().unwrap_or_else(|| panic!("no line '{start}…' in {text}"));
    assert_eq!(lines.next(), None, "'{start}' twice");
    first
}

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
fn builtins_end_to_end() {
    let output = run(&[
        "match",
        "--variant",
        "brandubh",
        "--engine",
        "builtin:material-2,name=M2",
        "--engine",
        "builtin:greedy",
        "--engine",
        "builtin:random,option.Seed=5",
        "--games",
        "10",
        "--openings",
        "random:4:3",
        "--each",
        "tc=1+0.01",
    ]);
    let text = stdout(&output);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(text.contains("match on brandubh: 30 games, "), "{text}");
    assert!(text.contains("openings random:4:3"), "{text}");
    assert!(line(&text, "brandubh: M2").contains("against greedy, random, 20 games, 10 pairs"));
    let elo = line(&text, "Elo ");
    let value = elo.split_whitespace().nth(1).unwrap();
    assert!(value == "inf" || value.parse::<f64>().unwrap() > 100.0, "{elo}");
    assert!(elo.contains(" ± "), "{elo}");
    line(&text, "nElo ");
    line(&text, "LOS ");
    line(&text, "sides on brandubh: ");
    // In order, and each opening with both colours.
    let games: Vec<&str> = text.lines().filter(|line| line.starts_with("game ")).collect();
    assert_eq!(games.len(), 30);
    for (i, pair) in games.chunks(2).enumerate() {
        assert!(pair[0].starts_with(&format!("game {}/30: ", 2 * i + 1)), "{}", pair[0]);
        let players = |line: &str| -> (String, String) {
            let (_, rest) = line.split_once(": ").unwrap();
            let (one, rest) = rest.split_once(" (attackers) v ").unwrap();
            (one.to_owned(), rest.split_once(" (defenders)").unwrap().0.to_owned())
        };
        let ((a, b), (c, d)) = (players(pair[0]), players(pair[1]));
        assert_eq!((a, b), (d, c));
    }
}

#[test]
fn the_same_match_is_played_the_same_way() {
    let play = |concurrency: &str| {
        let output = run(&[
            "match",
            "--variant",
            "brandubh",
            "--engine",
            "builtin:material-1",
            "--engine",
            "builtin:random",
            "--games",
            "12",
            "--openings",
            "random:4:3",
            "--concurrency",
            concurrency,
        ]);
        let text = stdout(&output);
        text.lines().filter(|line| line.starts_with("game ")).map(str::to_owned).collect::<Vec<_>>()
    };
    let one = play("1");
    assert_eq!(one.len(), 12);
    assert_eq!(play("3"), one);
}

#[test]
fn konakis_wins_every_point() {
    let output = run(&[
        "match",
        "--engine",
        "builtin:konakis,option.Hash=4",
        "--engine",
        "builtin:random",
        "--each",
        "nodes=2000",
        "--games",
        "4",
        "--strict",
        "--openings",
        "tablut",
    ]);
    let text = stdout(&output);
    assert!(output.status.success(), "{text}");
    assert_eq!(line(&text, "Elo "), "Elo inf ± inf");
    assert!(line(&text, "score: ").contains("+4 -0 =0"), "{text}");
}

#[test]
fn games_are_adjudicated_when_asked() {
    let play = |more: &[&str]| {
        let engines = ["builtin:material-2,name=M", "builtin:random"];
        let common = ["match", "--engine", engines[0], "--engine", engines[1], "--games", "6"];
        let output = run(&[&common, more, &["--openings", "random:4:3"]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        line(&stdout(&output), "endings: ").to_owned()
    };
    assert!(!play(&[]).contains("adjudicated"));
    // The random mover gives no scores: only the other's word can be taken, of which there is none
    // when it is never behind.
    assert!(!play(&["--resign", "score=1,moves=1"]).contains("adjudicated"));
    let level =
        ["--engine", "builtin:material-1,name=M1", "--gauntlet", "--draw", "score=0,moves=1"];
    assert!(play(&level).contains("adjudicated-draw"), "both find a quiet opening level");
    let lost = ["--engine", "builtin:material-3,name=M3", "--resign", "score=400,moves=2"];
    assert!(play(&lost).contains("adjudicated-win"), "M finds itself behind, M3 ahead");
}

#[test]
fn ugi_engines_play_too() {
    let output = run(&[
        "match",
        "--engine",
        "builtin:konakis,proto=ugi,option.Hash=4",
        "--engine",
        "builtin:konakis,name=uci,option.Hash=4",
        "--each",
        "nodes=300",
        "--games",
        "2",
        "--strict",
        "--variant",
        "copenhagen",
        "--max-plies",
        "30",
    ]);
    assert!(output.status.success(), "{}", stdout(&output));
}

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
    assert!(half.contains("60 of the 120 games of the match are here"), "{half}");
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

#[test]
fn openings_that_run_out_are_told() {
    let output = run(&[
        "match",
        "--variant",
        "brandubh",
        "--engine",
        "builtin:greedy",
        "--engine",
        "builtin:random",
        "--games",
        "24",
        "--openings",
        "random:1:3",
    ]);
    assert!(
        stdout(&output).contains("different openings of 1 plies were found"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let two = ["match", "--engine", "builtin:random", "--engine", "builtin:greedy"];
    for (more, hint) in [
        (&["--games", "3"][..], "even"),
        (&[], "how many games"),
        (&["--games", "2", "--variant", "chess"], "no rule set"),
        (&["--games", "2", "--sprt", "elo0=5"], "--sprt"),
        (&["--games", "2", "--openings", "no-such-file"], "no-such-file"),
        (&["--games", "2", "--shard", "3/2"], "--shard"),
        (&["--games", "2", "--engine", "builtin:random,name=greedy"], "two engines"),
        (&["--games", "2", "--engine", "x"], "no limit"),
    ] {
        let output = run(&[&two[..], more].concat());
        assert!(!output.status.success());
        assert!(stderr(&output).contains(hint), "{more:?}: {}", stderr(&output));
    }
    let scratch = Scratch::new();
    let out = scratch.file("match.otg");
    let play = [&two[..], &["--games", "2", "--out", &out]].concat();
    assert!(run(&play).status.success());
    assert!(stderr(&run(&play)).contains("--resume"));
    std::fs::write(&out, "[event:something else]\n\n").expect("the file");
    assert!(stderr(&run(&["match", "--resume", &out])).contains("settings"));
}

#[test]
fn statistics_alone() {
    let output = run(&[
        "sprt",
        "--pairs",
        "365,16618,36029,200,16974,390",
        "--elo0",
        "0",
        "--elo1",
        "2",
        "--model",
        "normalized",
    ]);
    let text = stdout(&output);
    assert!(line(&text, "LLR ").starts_with("LLR 2.25 "), "{text}");
    let output = run(&["sprt", "--pairs", "332,433,457,41,333,334", "--elo0", "-5"]);
    let text = stdout(&output);
    assert_eq!(line(&text, "Elo "), "Elo -8.64 ± 10.33");
    assert_eq!(line(&text, "LOS "), "LOS 5.05 %");
    let wrong = run(&["sprt", "--pairs", "1,2,3"]);
    assert!(stderr(&wrong).contains("expected six"), "{}", stderr(&wrong));
}
