//! Matches of engines that behave.

use crate::{Scratch, line, run, stderr, stdout};

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

/// Openings on trial are other ones than even ones, and odds that are none are refused.
#[test]
fn openings_can_be_put_on_trial() {
    let arguments = ["openings", "--variant", "brandubh", "--plies", "4", "--count", "4"];
    let output = run(&[&arguments[..], &["--trial", "4000:400"]].concat());
    let text = stdout(&output);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(text.contains("4000 nodes a move against 400"), "{text}");
    assert_eq!(text.lines().filter(|line| !line.starts_with('#')).count(), 4, "{text}");
    assert_ne!(text, stdout(&run(&arguments)));
    let refused = run(&[&arguments[..], &["--trial", "400:4000"]].concat());
    assert!(stderr(&refused).contains("expected more nodes and fewer"), "{}", stderr(&refused));
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
