//! Interrupted analyses go on: nothing is lost, nothing doubled, nothing else than without the
//! interruption.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::{Folder, data, konakis, run, stderr, stdout};

const NODES: &str = "400";

fn analyse(folder: &Folder, games: &str, more: &[&str]) -> std::process::Output {
    let (json, otg) = (format!("--json={}", folder.path("out.json")), folder.path("out.otg"));
    let usual = ["analyse", games, "--nodes", NODES, &json, "--otg", &otg];
    run(&[&usual[..], more].concat())
}

/// Games with a broken one among them.
fn games(folder: &Folder) -> String {
    let good = fs::read_to_string(data("tablut.txt")).unwrap();
    folder.write("games.txt", format!("{good}e4e9\n{good}"))
}

#[test]
fn a_file_cut_anywhere_grows_to_the_same_file() {
    let folder = Folder::new("resume");
    let games = games(&folder);
    assert_eq!(analyse(&folder, &games, &[]).status.code(), Some(1));
    let (json, otg) = (folder.read("out.json"), folder.read("out.otg"));
    assert_eq!(json.lines().count(), 34);
    for part in 0..12 {
        let cut = json.len() * part / 11;
        folder.write("out.json", &json.as_bytes()[..cut]);
        let threads = if part % 2 == 0 { "1" } else { "3" };
        let output = analyse(&folder, &games, &["--resume", "--threads", threads]);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert_eq!(folder.read("out.json"), json, "cut at {cut}");
        assert_eq!(folder.read("out.otg"), otg, "cut at {cut}");
        let kept = json[..cut].matches('\n').count();
        let said = stderr(&output);
        assert!(said.starts_with(&format!("{kept} positions are there already\n")), "{said}");
        // The text goes on where it ended.
        let rows = stdout(&output);
        let rows = rows.lines().filter(|row| row.starts_with("  ") && !row.contains("line 1:"));
        let told = rows.filter(|row| row.trim_start().starts_with(|c: char| c.is_ascii_digit()));
        assert_eq!(told.count(), 34 - kept);
    }
}

#[test]
fn another_analysis_is_not_gone_on_with() {
    let folder = Folder::new("other");
    let games = games(&folder);
    analyse(&folder, &games, &[]);
    let json = folder.read("out.json");
    let lines: Vec<&str> = json.lines().collect();
    for (changed, what) in [
        (json.replacen("e4b4", "e4c4", 1), "move: another one"),
        ([lines[1], lines[2]].join("\n") + "\n", "game 1, ply 1; expected game 1, ply 0"),
        ([lines[0], lines[2]].join("\n") + "\n", "game 1, ply 2; expected game 1, ply 1"),
        (json.replacen("\"wdl\"", "\"w\"", 1), "wdl: it is missing"),
        (lines[8..].join("\n") + "\n", "game 2, ply 0; expected game 1, ply 0"),
        (json.clone() + &json, "there is no game 1 any more"),
    ] {
        folder.write("out.json", &changed);
        let output = analyse(&folder, &games, &["--resume"]);
        assert_eq!(output.status.code(), Some(1));
        let said = stderr(&output);
        assert!(said.contains("it belongs to another analysis") && said.contains(what), "{said}");
        assert_eq!(folder.read("out.json"), changed);
    }
}

/// Starts a long analysis and waits until it has written some lines.
#[cfg(unix)]
fn started(folder: &Folder, games: &str) -> std::process::Child {
    let json = format!("--json={}", folder.path("long.json"));
    let mut child = konakis(&["analyse", games, "--nodes", "60000", "--threads", "2", &json]);
    let child = child.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    let lines = || fs::read_to_string(folder.path("long.json")).unwrap_or_default();
    while lines().lines().count() < 3 {
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing is written");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

#[cfg(unix)]
#[test]
fn interrupts_and_kills_lose_nothing() {
    let folder = Folder::new("killed");
    let games = data("tablut.txt");
    let usual = ["analyse", games.as_str(), "--nodes", "60000", "--json"];
    let whole = stdout(&run(&usual));
    let json = format!("--json={}", folder.path("long.json"));
    let resume = ["analyse", &games, "--nodes", "60000", &json, "--resume"];
    for signal in ["-INT", "-KILL"] {
        let child = started(&folder, &games);
        // Both ask for the file at the same time.
        let output = run(&resume);
        assert!(stderr(&output).contains("another analysis is writing it"), "{}", stderr(&output));
        let id = child.id().to_string();
        let sent = std::process::Command::new("kill").args([signal, &id]).status();
        assert!(sent.unwrap().success());
        let ended = child.wait_with_output().unwrap();
        if signal == "-INT" {
            assert_eq!(ended.status.code(), Some(130));
            assert!(stderr(&ended).starts_with("interrupted; the same command with --resume"));
        }
        let partial = folder.read("long.json");
        assert!(whole.starts_with(partial.trim_end()), "{partial}");
        assert_eq!(run(&resume).status.code(), Some(0));
        assert_eq!(folder.read("long.json"), whole);
        fs::remove_file(folder.path("long.json")).unwrap();
    }
}

/// An analysis that is not whole goes on with the settings it was begun with alone.
#[test]
fn other_settings_do_not_go_on() {
    let folder = Folder::new("settings");
    let games = games(&folder);
    analyse(&folder, &games, &[]);
    let json = folder.read("out.json");
    let settings = folder.path("out.json.settings");
    assert!(!fs::exists(&settings).unwrap(), "left behind by a whole analysis");
    let cut = json.len() / 2;
    folder.write("out.json", &json.as_bytes()[..cut]);
    folder.write("out.json.settings", "--nodes 300 --multipv 1");
    let output = analyse(&folder, &games, &["--resume"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("was begun with '--nodes 300"), "{}", stderr(&output));
    assert_eq!(folder.read("out.json").len(), cut);
    folder.write("out.json.settings", format!("--nodes {NODES} --multipv 1"));
    analyse(&folder, &games, &["--resume"]);
    assert_eq!(folder.read("out.json"), json);
    assert!(!fs::exists(&settings).unwrap());
}
