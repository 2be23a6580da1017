//! Real games, where they are at hand: all are analysed without a complaint.

use std::path::Path;

use super::{good, lines};

/// The folder of real games beside the project.
fn folder() -> Option<String> {
    let folder = format!("{}/../shared/games", env!("CARGO_MANIFEST_DIR"));
    let exists = Path::new(&folder).is_dir();
    if !exists {
        eprintln!("there is no {folder}: real games are not analysed");
    }
    exists.then_some(folder)
}

#[test]
fn every_real_game_is_analysed() {
    let Some(folder) = folder() else { return };
    for variant in ["brandubh", "tablut-ashton", "copenhagen"] {
        let file = format!("{folder}/{variant}.txt");
        let arguments = ["analyse", &file, "--variant", variant, "--nodes", "100"];
        let all = lines(&good(&[&arguments[..], &["--json", "--threads", "2"]].concat()));
        let text = std::fs::read_to_string(&file).unwrap();
        let positions: usize = text.lines().map(|line| line.split_whitespace().count() + 1).sum();
        assert_eq!(all.len(), positions, "{variant}");
        assert_eq!(all.last().unwrap()["game"], text.lines().count(), "{variant}");
        assert!(all.iter().any(|line| line["mark"] == "??"), "{variant}");
        assert!(all.iter().any(|line| line["call"] == "raichi"), "{variant}");
        assert!(all.iter().any(|line| !line["outcome"].is_null()), "{variant}");
    }
}

#[test]
fn every_real_game_is_explored() {
    let Some(folder) = folder() else { return };
    let file = format!("{folder}/copenhagen.txt");
    let arguments = ["explore", &file, "--variant", "copenhagen", "--depth", "2", "--json"];
    let all = lines(&good(&arguments));
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(all[0]["games"], text.lines().count());
    let first: u64 = all[1..]
        .iter()
        .filter(|line| line["moves"].as_array().unwrap().len() == 1)
        .map(|line| line["games"].as_u64().unwrap())
        .sum();
    // All but those whose first move nobody else made.
    assert!(
        first as usize <= text.lines().count() && first as usize > text.lines().count() * 9 / 10
    );
}
