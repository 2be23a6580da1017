//! Engines of other worlds in the arena: `proto=otep` and `proto=htp`.

use std::path::Path;

use crate::{Scratch, events, run, stderr, stdout};

/// The spec of a test engine with a fault.
fn stub(script: &str, fault: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines").join(script);
    let proto = script.split('_').next().unwrap_or("");
    format!(
        "cmd=python3,\"args='{}' {fault}\",name=subject,proto={proto},movetime=1500",
        path.display()
    )
}

fn match_on(variant: &str, subject: &str, more: &[&str]) -> std::process::Output {
    let common = [
        "match",
        "--variant",
        variant,
        "--engine",
        subject,
        "--engine",
        "builtin:greedy,name=G",
        "--games",
        "2",
        "--concurrency",
        "1",
        "--openings",
        "startpos",
        "--json",
        "--late-limit",
        "300",
        "--start-limit",
        "5000",
        "--ping-limit",
        "2000",
    ];
    run(&[&common[..], more].concat())
}

#[test]
fn whole_games_of_this_program_in_each_dialect() {
    for (variant, spec) in [
        ("brandubh", "builtin:konakis,name=K,proto=otep,movetime=100,args=--hash 1"),
        ("tablut-ashton", "builtin:konakis,name=K,proto=otep,tc=20+0,args=--hash 1"),
        (
            "htp-brandubh",
            "builtin:konakis,name=K,proto=htp,movetime=900,args=--hash 1 --movetime 50",
        ),
        ("htp-brandubh", "builtin:konakis,name=K,proto=htp,tc=60+1,args=--hash 1"),
    ] {
        let more = ["--strict", "--margin", "500", "--max-plies", "60"];
        let output = match_on(variant, spec, &more);
        assert!(output.status.success(), "{spec}: {}", stderr(&output));
        let end = &events(&output, "end")[0];
        assert_eq!(end["losses"], 0, "{spec}: against a greedy player: {}", stderr(&output));
    }
}

#[test]
fn opentafl_is_told_what_it_reads() {
    let spec = "builtin:konakis,name=K,proto=otep,movetime=50,option.Reading=opentafl,option.X=1";
    let output = match_on("brandubh", spec, &["--max-plies", "4", "--margin", "3000"]);
    let text = stderr(&output);
    assert!(text.contains("engine K cannot be told brandubh exactly"), "{text}");
    assert!(text.contains("engine K has no options: X is left out"), "{text}");
    assert!(output.status.success(), "{text}");
}

#[track_caller]
fn loses_both(variant: &str, script: &str, fault: &str, kind: &str) {
    let output = match_on(variant, &stub(script, fault), &[]);
    let games = events(&output, "game");
    assert_eq!(games.len(), 2, "{}", stderr(&output));
    for game in &games {
        assert_eq!(game["winner_engine"], "G", "{game}");
        assert_eq!(game["reason"], kind, "{fault}: {game}");
    }
    let text = stderr(&output);
    assert!(text.contains(&format!("faults of subject: {kind} 2")), "{text}");
    assert!(text.contains("score without games lost by faults: subject +0 -0 =0"), "{text}");
}

#[test]
fn otep_engines_that_misbehave() {
    for (fault, kind) in [
        ("silent", "not-ready"),
        ("illegal", "illegal-move"),
        ("malformed", "malformed-move"),
        ("fatal", "refusal"),
        ("asks", "stall"),
        ("crash", "crash"),
    ] {
        loses_both("brandubh", "otep_stub.py", fault, kind);
    }
}

#[test]
fn htp_engines_that_misbehave() {
    for (fault, kind) in [
        ("silent", "not-ready"),
        ("illegal", "illegal-move"),
        ("malformed", "malformed-move"),
        ("refuses", "refusal"),
        ("over", "refusal"),
        ("resigns", "no-move-given"),
        ("crash", "crash"),
    ] {
        // As defenders it moves first; as attackers it says a defender's move.
        let output = match_on("htp-brandubh", &stub("htp_stub.py", fault), &[]);
        let games = events(&output, "game");
        assert_eq!(games.len(), 2, "{}", stderr(&output));
        let reasons: Vec<&str> = games.iter().filter_map(|game| game["reason"].as_str()).collect();
        assert!(reasons.contains(&kind), "{fault}: {reasons:?}");
        assert!(games.iter().all(|game| game["winner_engine"] == "G"), "{games:?}");
    }
}

#[test]
fn engines_that_cannot_begin_end_the_match_with_a_reason() {
    let fails = |variant: &str, spec: &str, part: &str| {
        let output = match_on(variant, spec, &[]);
        assert!(!output.status.success(), "{spec}: {}", stdout(&output));
        let text = stderr(&output);
        assert!(text.contains(part), "{spec}: {text}");
    };
    fails("brandubh", &stub("otep_stub.py", "rules"), "it does not play brandubh: tfr: ");
    fails("tablut", "builtin:konakis,proto=htp,movetime=9", "HTP knows no board of 9x9");
    fails("tawlbwrdd", "builtin:konakis,proto=htp,movetime=9", "no other start position");
    fails("brandubh", "builtin:konakis,proto=otep,nodes=9", "OTEP knows no limits but time");
    fails("brandubh", "builtin:konakis,proto=gtp,nodes=9", "expected uci, ugi, otep or htp");
    let spec = "builtin:konakis,proto=otep,movetime=50,option.Reading=tea";
    fails("brandubh", spec, "expected text or opentafl");
}

#[test]
fn positions_are_not_for_htp() {
    let scratch = Scratch::new();
    let book = scratch.file("book");
    std::fs::write(&book, "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 d\n").unwrap();
    let spec = "builtin:konakis,name=subject,proto=htp,movetime=900,args=--movetime 20";
    let common = [
        "match",
        "--variant",
        "htp-brandubh",
        "--engine",
        spec,
        "--engine",
        "builtin:greedy,name=G",
        "--games",
        "2",
        "--openings",
        &book,
        "--json",
    ];
    let output = run(&common);
    let text = stderr(&output);
    assert!(text.contains("HTP knows no positions"), "{text}");
}
