//! Losses and marks where everybody can see them.

use serde_json::{Value, json};

use super::{Folder, json, lines, run, stdout};

/// The lines of a game of tablut from a position.
fn judged(name: &str, fen: &str, moves: &str) -> Vec<Value> {
    let folder = Folder::new(name);
    let file = folder.write("game.txt", format!("{fen} moves {moves}\n"));
    json(&[&file, "--depth", "5"])
}

#[test]
fn missed_wins_and_blunders() {
    // The king could leave by e9 and does not; the attackers could bar his way and do not.
    let fen = "3a1a3/3a1a3/3aka3/3ada3/9/9/9/9/d7a d";
    let all = judged("missed", fen, "a1b1 i1i2");
    assert_eq!((&all[0]["score"], &all[0]["best"]), (&json!({"mate": 1}), &json!("e7e9")));
    assert_eq!((&all[0]["mark"], &all[1]["mark"]), (&json!("missed-win"), &json!("??")));
    for line in &all[..2] {
        assert!(line["loss"].as_u64().unwrap() >= 200, "{line}");
    }
    assert_eq!(all[2]["mark"], Value::Null);
    // The win is only put off.
    let all = judged("put-off", "3a1a3/3a1a3/3a1a3/3ada3/9/9/4k4/9/8a d", "e3e2 i1i2");
    assert_eq!((&all[0]["loss"], &all[0]["mark"]), (&json!(0), &Value::Null));
    assert_ne!(all[0]["best"], "e3e2");
}

#[test]
fn only_moves() {
    // One man can step between the king and the edge.
    let all = judged("only", "9/3a5/3aka3/3ada3/9/9/9/9/d7a a", "d8e8 a1a2");
    assert_eq!((&all[0]["mark"], &all[0]["loss"]), (&json!("only-move"), &json!(0)));
    assert_eq!(all[0]["best"], "d8e8");
    assert_eq!(all[1]["mark"], Value::Null);
}

#[test]
fn the_help_explains_the_marks() {
    let help = stdout(&run(&["analyse", "--help"]));
    for part in ["?!", "??", "missed win", "only move", "were measured", "raichi", "exit code"] {
        assert!(help.contains(part), "{part}: {help}");
    }
    assert!(lines("").is_empty());
}
