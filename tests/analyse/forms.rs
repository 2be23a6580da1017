//! What comes in, in every format, and what goes out: text, JSON, records.

use std::io::Write;
use std::process::Stdio;
use std::sync::Arc;

use konakis::game::any_size::Game;
use konakis::game::variants::variant;
use serde_json::{Value, json};

use super::{Folder, data, good, json, konakis, lines, stdout};

const FIELDS: [&str; 13] = [
    "game", "ply", "fen", "side", "move", "score", "best", "pv", "wdl", "loss", "mark", "call",
    "outcome",
];

/// Every field of every line is what it should be, whatever the search finds.
fn check(line: &Value, text: &str, id: &str) {
    let mut at = 0;
    for field in FIELDS {
        let here = text.find(&format!("\"{field}\":")).unwrap_or_else(|| panic!("{field}: {text}"));
        assert!(here >= at, "{field} is out of order: {text}");
        at = here;
    }
    let start = Game::start(variant(id).unwrap()).unwrap();
    let game = start.with_fen(line["fen"].as_str().unwrap()).unwrap();
    assert_eq!(line["side"], game.side().name());
    let wdl: Vec<u64> =
        line["wdl"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    assert_eq!((wdl.len(), wdl.iter().sum::<u64>()), (3, 1000), "{text}");
    let pv = line["pv"].as_array().unwrap();
    assert_eq!(line["best"], pv.first().cloned().unwrap_or(Value::Null), "{text}");
    let mut after = game.clone();
    for mv in pv {
        after.play(after.read_move(mv.as_str().unwrap()).unwrap());
    }
    let score = line["score"].as_object().unwrap();
    assert!(score.len() == 1 && (score.contains_key("cp") || score.contains_key("mate")), "{text}");
    if line["outcome"].is_null() {
        assert!(!pv.is_empty(), "{text}");
        assert_eq!(line["loss"].is_null(), line["move"].is_null(), "{text}");
    } else {
        assert!(pv.is_empty() && line["loss"].is_null() && line["mark"].is_null(), "{text}");
    }
    if line["move"] == line["best"] && !line["move"].is_null() {
        assert_eq!(line["loss"], 0, "{text}");
    }
}

#[test]
fn every_format_is_recognised() {
    for (file, variant, positions, games) in [
        ("tablut.txt", "tablut", 8 + 9, 2),
        ("brandubh.csv", "brandubh", 4 + 3, 2),
        ("positions.txt", "tablut", 2, 2),
        ("record.otg", "tablut", 8, 1),
        ("referee.log", "tablut-ashton", 3, 1),
    ] {
        let file = data(file);
        let mut arguments = vec!["analyse", &file, "--nodes", "200", "--json"];
        if file.ends_with("csv") {
            arguments.extend(["--variant", "brandubh"]);
        }
        let text = good(&arguments);
        let all = lines(&text);
        assert_eq!(all.len(), positions, "{file}");
        assert_eq!(all.last().unwrap()["game"], games, "{file}");
        for (line, text) in all.iter().zip(text.lines()) {
            check(line, text, variant);
        }
    }
}

#[test]
fn a_game_is_told_position_by_position() {
    let all = json(&[&data("record.otg"), "--nodes", "2000"]);
    let column =
        |field: &str| -> Vec<Value> { all.iter().map(|line| line[field].clone()).collect() };
    let null = Value::Null;
    let moves = ["e4b4", "d1b1", "e5e4", "h5h6", "e4h4", "b1b2", "h4h1"];
    let moves: Vec<Value> = moves.map(Value::from).into_iter().chain([null.clone()]).collect();
    assert_eq!(column("move"), moves);
    assert_eq!(column("ply"), (0..8).map(Value::from).collect::<Vec<_>>());
    let call = |ply: usize| &all[ply]["call"];
    assert_eq!((call(4), call(5), call(6), call(7)), (&null, &json!("raichi"), &null, &null));
    let last = &all[7];
    assert_eq!(last["outcome"], "defenders king-escaped");
    assert_eq!((&last["score"], &last["wdl"]), (&json!({"mate": 0}), &json!([0, 0, 1000])));
    assert_eq!(all[6]["score"], json!({"mate": 1}));
    assert_eq!(all[6]["best"], "h4h1");
    assert_eq!(all[0]["fen"], "3aaa3/4a4/4d4/a3d3a/aaddkddaa/a3d3a/4d4/4a4/3aaa3 d");
}

#[test]
fn a_repetition_is_told_and_not_judged() {
    let all = json(&[&data("tablut.txt"), "--nodes", "100"]);
    let last = all.last().unwrap();
    assert_eq!((&last["game"], &last["ply"]), (&json!(2), &json!(8)));
    assert_eq!(last["outcome"], "draw repetition");
    assert_eq!((&last["score"], &last["wdl"]), (&json!({"cp": 0}), &json!([0, 1000, 0])));
}

#[test]
fn finished_positions_are_told_without_a_search() {
    let folder = Folder::new("finished");
    let fens = "9/9/9/9/9/9/9/9/k8 a\n9/9/9/9/9/9/9/9/3a5 d\n9/9/9/9/9/9/9/9/4k4 d\n";
    let file = folder.write("fens.txt", fens);
    let all = json(&[&file, "--nodes", "10", "--threads", "2"]);
    let column =
        |field: &str| -> Vec<Value> { all.iter().map(|line| line[field].clone()).collect() };
    let outcomes = ["defenders king-escaped", "attackers king-captured", "defenders king-escaped"];
    assert_eq!(column("outcome"), outcomes.map(Value::from));
    assert_eq!(column("score"), [0, 0, 0].map(|plies| json!({"mate": plies})));
    let (won, lost) = (json!([1000, 0, 0]), json!([0, 0, 1000]));
    assert_eq!(column("wdl"), [lost.clone(), lost, won]);
    let text = good(&["analyse", &file, "--nodes", "10"]);
    assert_eq!(text.matches("(the ").count(), 3, "{text}");
    assert_eq!(text.matches("win 0").count(), 1, "{text}");
}

#[test]
fn threads_and_standard_input_change_nothing() {
    let file = data("record.otg");
    let once = good(&["analyse", &file, "--nodes", "3000", "--json"]);
    let threads = good(&["analyse", &file, "--nodes", "3000", "--json", "--threads", "3"]);
    assert_eq!(threads, once);
    let mut child = konakis(&["analyse", "-", "--nodes", "3000", "--json"]);
    let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(stdout(&child.wait_with_output().unwrap()), once);
}

#[test]
fn more_lines_are_told_best_first() {
    let all = json(&[&data("positions.txt"), "--depth", "3", "--multipv", "3"]);
    let lines = all[1]["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 3);
    assert_eq!((&lines[0]["score"], &lines[0]["pv"]), (&all[1]["score"], &all[1]["pv"]));
    let score = |line: &Value| line["score"]["cp"].as_i64().unwrap();
    assert!(score(&lines[0]) >= score(&lines[1]) && score(&lines[1]) >= score(&lines[2]));
    assert!(lines[0]["pv"][0] != lines[1]["pv"][0] && lines[1]["pv"][0] != lines[2]["pv"][0]);
    let text = good(&["analyse", &data("positions.txt"), "--depth", "3", "--multipv", "3"]);
    assert!(text.contains("  line 2  ") && text.contains("  line 3  "), "{text}");
}

#[test]
fn every_limit_limits() {
    let file = data("positions.txt");
    for limit in [["--depth", "2"], ["--nodes", "50"], ["--movetime", "5"]] {
        let all = json(&[&file, limit[0], limit[1], "--hash", "1"]);
        assert_eq!(all.len(), 2, "{limit:?}");
        assert_eq!(all[0]["score"], json!({"mate": 1}), "{limit:?}");
    }
}

#[test]
fn text_is_for_people() {
    let text = good(&["analyse", &data("record.otg"), "--nodes", "500"]);
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows[0], "game 1, line 1: tablut, attackers Ödin, defenders Freya, 7 plies");
    assert!(rows[1].starts_with(" ply  side       move"), "{text}");
    assert!(rows[6].contains("Ke4-h4-"), "{text}");
    assert!(rows[7].contains("(raichi)"), "{text}");
    assert!(rows[8].contains("win 1") && rows[8].contains("100/0/0 %"), "{text}");
    assert!(rows[9].ends_with("(the defenders win (king-escaped))"), "{text}");
    assert!(rows[10].starts_with("the defenders win (king-escaped)"), "{text}");
    let text = good(&["analyse", &data("brandubh.csv"), "--variant", "brandubh", "--nodes", "50"]);
    assert!(text.contains("\nended: timeout"), "{text}");
}

#[test]
fn json_in_a_file_leaves_the_text() {
    let folder = Folder::new("json-file");
    let out = folder.path("out.json");
    let with_file =
        good(&["analyse", &data("record.otg"), "--nodes", "300", &format!("--json={out}")]);
    assert_eq!(with_file, good(&["analyse", &data("record.otg"), "--nodes", "300"]));
    let alone = good(&["analyse", &data("record.otg"), "--nodes", "300", "--json"]);
    assert_eq!(folder.read("out.json"), alone);
}

#[test]
fn the_annotated_record_says_all_that_and_is_a_record() {
    let folder = Folder::new("otg");
    let out = folder.path("out.otg");
    let file = data("record.otg");
    good(&["analyse", &file, "--nodes", "1000", "--otg", &out]);
    let text = folder.read("out.otg");
    for part in [
        "[event:A game made for tests]\n",
        "[attackers:Ödin]\n",
        "[annotator:konakis ",
        "\n1. e4-b4 d1-b1\n[score cp ",
        ", best h4h1; ",
        "; 900 3/30 the first move|score",
        ", raichi; nothing helps]\n",
        "\n2b.1.1a. ..... i4-e4\n[|better]\n",
        "\n4. Kh4-h1--\n[score mate -1, chances 0/0/100, best h4h1]\n\n",
    ] {
        let part = part.strip_suffix("; ").unwrap_or(part);
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let again = json(&[&out, "--nodes", "1000"]);
    assert_eq!(again, json(&[&file, "--nodes", "1000"]));
    // Annotated once more it stays what it is.
    let twice = folder.path("twice.otg");
    good(&["analyse", &out, "--nodes", "1000", "--otg", &twice]);
    assert_eq!(folder.read("twice.otg"), text);
    // All who annotated it before are named, in however many tags.
    let theirs = text.replacen("[annotator:", "[annotator:Ann]\n[annotator:Bo; ", 1);
    let theirs = folder.write("theirs.otg", theirs);
    let out_of_theirs = folder.path("thrice.otg");
    good(&["analyse", &theirs, "--nodes", "50", "--otg", &out_of_theirs]);
    let thrice = folder.read("thrice.otg");
    assert!(thrice.contains("[annotator:Ann; Bo; konakis "), "{thrice}");
    // Every format can be annotated.
    for (file, variant) in
        [("tablut.txt", "tablut"), ("brandubh.csv", "brandubh"), ("referee.log", "tablut-ashton")]
    {
        let out = folder.path(&format!("{file}.otg"));
        good(&["analyse", &data(file), "--variant", variant, "--nodes", "50", "--otg", &out]);
        let before = json(&[&data(file), "--variant", variant, "--nodes", "50"]);
        assert_eq!(json(&[&out, "--nodes", "50"]), before, "{file}");
    }
}

#[test]
fn rules_can_be_written_out() {
    let folder = Folder::new("rules");
    let rules = "dim:7 esc:e cor: starti:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
    let games = folder.write("games.txt", "d7c7 d5e5\n");
    let all = json(&[&games, "--rules", rules, "--nodes", "50"]);
    assert_eq!(all.len(), 3);
    let file = folder.write("rules.txt", rules);
    assert_eq!(json(&[&games, "--rules", &format!("@{file}"), "--nodes", "50"]), all);
    let _: Arc<_> = variant("brandubh").unwrap();
}
