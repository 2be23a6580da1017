//! What is wrong is said, with its place; the rest goes on.

use std::process::Stdio;

use super::{Folder, data, konakis, lines, run, stderr, stdout};

#[test]
fn a_broken_game_does_not_hide_the_others() {
    let folder = Folder::new("broken");
    let file = folder.write("games.txt", "e4b4 d1b1\ne4b4 d1b1  a1a2\ne4b4\n");
    let output = run(&["analyse", &file, "--nodes", "50", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    let place = format!("error: {file}: game 2, line 2, column 12: move 3 (a1a2): illegal:");
    assert!(said.starts_with(&place), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    let games: Vec<u64> =
        lines(&stdout(&output)).iter().map(|line| line["game"].as_u64().unwrap()).collect();
    assert_eq!(games, [1, 1, 1, 3, 3]);
    // In a record too.
    let good = std::fs::read_to_string(data("record.otg")).unwrap();
    let bad = good.replace("h5-h6", "h5-h5").replace("[event:", "[event:broken ");
    let file = folder.write("games.otg", good.clone() + &bad + &good);
    let output = run(&["analyse", &file, "--nodes", "50", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(said.contains("game 2, line 37, column 11: move 4 (h5-h5): no move"), "{said}");
    assert_eq!(lines(&stdout(&output)).len(), 16);
    assert_eq!(lines(&stdout(&output))[15]["game"], 3);
}

#[test]
fn inputs_that_are_none() {
    let folder = Folder::new("none");
    let directory = folder.path("");
    let empty = folder.write("empty.txt", "");
    let comments = folder.write("comments.txt", "# nothing\n\n");
    let binary = folder.write("binary", [1u8, 0, 2]);
    let missing = folder.path("missing.txt");
    for (file, what) in [
        (directory, "a directory"),
        (empty, "no game in it"),
        (comments, "no game in it"),
        (binary, "no text"),
        (missing, "missing.txt"),
    ] {
        for command in ["analyse", "explore"] {
            let output = run(&[command, &file]);
            let said = stderr(&output);
            assert_eq!((output.status.code(), stdout(&output)), (Some(1), String::new()), "{said}");
            assert!(said.starts_with("error: ") && said.contains(what), "{said}");
        }
    }
}

#[test]
fn the_wrong_rules_or_format_are_noticed() {
    let file = data("record.otg");
    for (arguments, what) in [
        (vec!["--variant", "brandubh"], "belongs to the defenders"),
        (vec!["--variant", "copenhagen"], "there is no piece on e4 (by the rules copenhagen)"),
        (vec!["--variant", "nonsense"], "there is no rule set 'nonsense'"),
        (vec!["--format", "lines"], "line 1, column 1: move 1 ([event:A"),
        (vec!["--format", "csv"], "line 1, column 1: 1 columns"),
        (vec!["--rules", "dim:8"], "dim"),
    ] {
        let output = run(&[&["analyse", file.as_str(), "--nodes", "10"], &arguments[..]].concat());
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(said.contains(what), "{arguments:?}: {said}");
    }
}

#[test]
fn usage_errors() {
    let file = data("record.otg");
    for arguments in [
        &["--nodes", "0"][..],
        &["--multipv", "0"],
        &["--movetime", "x"],
        &["--format", "pgn"],
        &["--resume"],
        &["--resume", "--json"],
        &["--json=both.txt", "--otg", "both.txt"],
        &["--variant", "tablut", "--rules", "dim:9"],
    ] {
        let output = run(&[&["analyse", file.as_str()], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
    }
    assert_eq!(run(&["analyse"]).status.code(), Some(2));
    assert_eq!(run(&["explore"]).status.code(), Some(2));
}

#[test]
fn files_are_not_written_over() {
    let folder = Folder::new("over");
    let file = data("record.otg");
    let mine = folder.write("mine.txt", "something\n");
    for flag in [format!("--json={mine}"), format!("--otg={mine}")] {
        let output = run(&["analyse", &file, "--nodes", "10", &flag]);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains("there is something in it"), "{}", stderr(&output));
    }
    let json = format!("--json={mine}");
    let output = run(&["analyse", &file, "--nodes", "10", &json, "--resume"]);
    assert!(stderr(&output).contains("line 1: no JSON"), "{}", stderr(&output));
    assert_eq!(folder.read("mine.txt"), "something\n");
}

/// A file of records that somebody has changed, or that is somebody's own, stays as it is, whatever
/// its tags say.
#[test]
fn records_of_others_are_not_gone_on_with() {
    let folder = Folder::new("mine");
    let (file, out) = (data("record.otg"), folder.path("out.otg"));
    let json = format!("--json={}", folder.path("out.json"));
    let analyse = ["analyse", file.as_str(), "--nodes", "50", &json, "--otg", &out];
    let resume = [&analyse[..], &["--resume"]].concat();
    assert_eq!(run(&analyse).status.code(), Some(0));
    let whole = folder.read("out.otg");
    let first_comment = whole.find("score cp").unwrap();
    let line = whole[..first_comment].matches('\n').count() + 1;
    for (mine, place, what) in [
        (whole.replacen("score cp", "I think: score cp", 1), line, "something else here"),
        (whole.replacen("[event:", "[event:My ", 1), 1, "something else here"),
        (whole.clone() + "[event:mine]\n", whole.matches('\n').count() + 1, "ends here"),
        ("[annotator:me, who likes konakis a lot]\n".to_owned(), 1, "something else here"),
    ] {
        folder.write("out.otg", &mine);
        let output = run(&resume);
        assert_eq!(output.status.code(), Some(1));
        let said = stderr(&output);
        assert!(said.contains(&format!("out.otg, line {place}: ")), "{line} {said}");
        assert!(said.contains(what) && said.contains("expected a new file"), "{said}");
        assert_eq!(folder.read("out.otg"), mine);
    }
    for cut in [0, 1, whole.len() / 2, whole.len() - 1, whole.len()] {
        folder.write("out.otg", &whole.as_bytes()[..cut]);
        assert_eq!(run(&resume).status.code(), Some(0));
        assert_eq!(folder.read("out.otg"), whole);
    }
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    for arguments in
        [&["analyse", "--nodes", "20000"][..], &["analyse", "--json", "--nodes", "20000"]]
    {
        let file = data("tablut.txt");
        let mut child = konakis(&[arguments, &[file.as_str()]].concat());
        let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    }
}
