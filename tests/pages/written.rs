//! `konakis analyse --html`: the pages as they are written.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use super::browser::Browser;
use super::report::HOSTILE;

fn analyse(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_konakis"));
    command.arg("analyse").args(arguments).args(["--nodes", "200"]).output().expect("it starts")
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Two games as records, with names that might do harm.
fn games(folder: &Path) -> String {
    let path = folder.join("games.otg");
    // What ends a tag cannot stand in one.
    let name = HOSTILE.replace([']', '['], "");
    let one = format!(
        "[attackers:{name}]\n[defenders:Þóra]\n[variant:tablut]\n\n1. e4-b4 d1-b1\n[|{name}]\n\n"
    );
    let two = "[variant:brandubh]\n\n1. d6-f6 d5-c5\n2. d7-d6\n\n";
    fs::write(&path, one + two).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_page_for_each_game() {
    let folder = tempfile::tempdir().unwrap();
    let file = games(folder.path());
    let pages = folder.path().join("deep").join("pages");
    let pages_name = pages.to_str().unwrap();
    let output = analyse(&[&file, "--html", pages_name]);
    assert!(output.status.success(), "{}", errors(&output));
    let mut names: Vec<_> =
        fs::read_dir(&pages).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["game-001.html", "game-002.html"]);
    let text = fs::read_to_string(pages.join("game-001.html")).unwrap();
    assert!(text.contains("Þóra") && !text.contains("<img"), "{text}");
    // What is there is not written over.
    let again = analyse(&[&file, "--html", pages_name]);
    assert_eq!(again.status.code(), Some(1));
    assert!(errors(&again).contains("expected a new folder"), "{}", errors(&again));
    let Some(browser) = Browser::find() else { return };
    let dom = browser.dom(&pages.join("game-002.html"), "#ply=3");
    assert!(dom.contains("after 3 plies, defenders to move"), "{dom}");
    assert_eq!(dom.matches("href=\"#k-d\"").count(), 4);
    let dom = browser.dom(&pages.join("game-001.html"), "#ply=2");
    assert!(dom.contains("after 2 plies, defenders to move"), "{dom}");
    assert!(!dom.contains("<img"), "{dom}");
}

#[test]
fn a_resumed_analysis_writes_all_pages() {
    let folder = tempfile::tempdir().unwrap();
    let file = games(folder.path());
    let json = format!("--json={}", folder.path().join("lines.jsonl").display());
    let pages = folder.path().join("pages");
    let arguments = [&file, &json, "--html", pages.to_str().unwrap()];
    assert!(analyse(&arguments).status.success());
    let whole: Vec<String> = ["game-001.html", "game-002.html"]
        .map(|name| fs::read_to_string(pages.join(name)).unwrap())
        .to_vec();
    fs::remove_file(pages.join("game-002.html")).unwrap();
    let output = analyse(&[&arguments[..], &["--resume"]].concat());
    assert!(output.status.success(), "{}", errors(&output));
    for (name, page) in ["game-001.html", "game-002.html"].iter().zip(whole) {
        assert_eq!(fs::read_to_string(pages.join(name)).unwrap(), page, "{name}");
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = games(folder.path());
    // A file where a folder is wanted.
    let output = analyse(&[&file, "--html", &file]);
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains("games.otg"), "{}", errors(&output));
    let output = analyse(&[&file, "--html", "/proc/no/such"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(errors(&output).contains("/proc/no/such"), "{}", errors(&output));
}
