//! The explorer of openings.

use serde_json::{Value, json};

use super::{Folder, data, good, lines, run, stderr};

/// Three games whose first moves are images of each other, and one other.
fn games(folder: &Folder) -> String {
    folder.write(
        "games.csv",
        "d6-c6 c4-c2,0,0,Black\nd2-e2 e4-e6,0,0,White\nd6-e6 e4-e2,0,0,Draw\nb4-b7,0,0,Ongoing\n",
    )
}

#[test]
fn symmetric_positions_are_one() {
    let folder = Folder::new("explore");
    let games = games(&folder);
    let usual = ["explore", &games, "--variant", "brandubh", "--json"];
    let all = lines(&good(&[&usual[..], &["--min", "1"]].concat()));
    let numbers = |line: &Value| -> Vec<u64> {
        let fields = ["games", "attackers", "defenders", "draws", "unknown"];
        fields.map(|field| line[field].as_u64().unwrap()).to_vec()
    };
    assert_eq!(numbers(&all[0]), [4, 1, 1, 1, 1]);
    assert_eq!((&all[0]["moves"], &all[0]["score"]), (&json!([]), &Value::Null));
    assert_eq!(numbers(&all[1]), [3, 1, 1, 1, 0]);
    assert_eq!(all[1]["moves"].as_array().unwrap().len(), 1);
    // All three went on alike.
    assert_eq!(numbers(&all[2]), [3, 1, 1, 1, 0]);
    assert_eq!(all[2]["moves"].as_array().unwrap().len(), 2);
    assert_eq!(numbers(&all[3]), [1, 0, 0, 0, 1]);
    assert_eq!(all.len(), 4);
    let all = lines(&good(&[&usual[..], &["--min", "2", "--depth", "1"]].concat()));
    assert_eq!(all.len(), 2);
    for from in ["d2c2", "d2-c2", "3a3/3a3/3d3/aadkdaa/3d3/2a4/3a3 d", "startpos moves d2c2"] {
        let all = lines(&good(&[&usual[..], &["--from", from]].concat()));
        assert_eq!((numbers(&all[0]), all.len()), (vec![3, 1, 1, 1, 0], 2), "{from}");
    }
    let text = good(&["explore", &games, "--variant", "brandubh", "--min", "1"]);
    assert!(text.starts_with("brandubh: 4 games, 4 positions"), "{text}");
    assert!(text.contains("      3     33.3 % 33.3 %     33.3 %        0          "), "{text}");
}

#[test]
fn scores_of_annotated_records_are_averaged() {
    let folder = Folder::new("explore-scores");
    let record = |score: &str| format!("[variant:tablut]\n\n1. e4-b4 d1-b1\n[{score}|x]\n\n");
    let (one, two) = (record("score cp -100 depth 3"), record("score cp 50, best a1a2"));
    let file = folder.write("games.otg", one + &two + &record("no score"));
    let all = lines(&good(&["explore", &file, "--json"]));
    assert_eq!((&all[0]["score"], &all[0]["games"]), (&json!(-25.0), &json!(3)));
    assert_eq!(all[1]["score"], Value::Null);
    // What analyse writes is understood.
    let out = folder.path("out.otg");
    good(&["analyse", &data("record.otg"), "--nodes", "200", "--otg", &out]);
    let all = lines(&good(&["explore", &out, "--json", "--min", "1", "--depth", "7"]));
    assert_eq!(all.len(), 8);
    assert!(all[..7].iter().all(|line| line["score"].is_number()));
    assert_eq!(all[7]["outcome"], "defenders king-escaped");
}

#[test]
fn other_rules_and_broken_games_are_told() {
    let folder = Folder::new("explore-other");
    let games = folder.write("games.txt", "e4b4\ne4e9\n");
    let output = run(&["explore", &data("record.otg"), &games, &data("referee.log"), "--min", "1"]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("game 2, line 2, column 1: move 1 (e4e9)"), "{said}");
    assert!(said.contains("1 games of other rule sets than tablut are left out"), "{said}");
    let output = run(&["explore", &games, "--from", "e4b4 zz"]);
    assert!(stderr(&output).contains("--from: column 6: move 2 (zz)"), "{}", stderr(&output));
}

/// Games in which the first moves come in any order: the tree grows with the positions, not with the
/// ways to them.
#[test]
fn what_follows_a_position_is_told_once() {
    let folder = Folder::new("explore-again");
    let (attackers, defenders) = (["d1c1", "a4a3", "g4g5"], ["d3c3", "c4c5", "e4e5"]);
    let mut games = String::new();
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        for other in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] {
            let turns = order.iter().zip(other);
            games.extend(turns.map(|(&i, j)| format!("{} {} ", attackers[i], defenders[j])));
            games += "d7c7 c3b3\n";
        }
    }
    let file = folder.write("orders.txt", games);
    let usual = ["explore", &file, "--variant", "brandubh", "--min", "1", "--depth", "8"];
    let text = good(&usual);
    // All games end alike: the last two moves are told once.
    assert_eq!(text.lines().filter(|line| line.contains(" d7c7")).count(), 1, "{text}");
    let positions = lines(&good(&[&usual[..], &["--json"]].concat()));
    let again = positions.iter().filter(|line| line["again"] == json!(true)).count();
    assert!(again > 5 && positions.len() - again <= 64, "{again} of {}", positions.len());
}

#[test]
fn files_that_are_there_are_not_written_over() {
    let folder = Folder::new("explore-over");
    let games = games(&folder);
    let before = std::fs::read_to_string(&games).unwrap();
    let output = run(&["explore", &games, "--variant", "brandubh", &format!("--json={games}")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("cannot be written as a new file"), "{}", stderr(&output));
    assert_eq!(std::fs::read_to_string(&games).unwrap(), before);
}
