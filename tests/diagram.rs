//! `konakis diagram`: pictures of positions.

use std::fs;
use std::process::{Command, Output, Stdio};

use konakis::game::variants::variants;
use roxmltree::{Document, Node};

const START: &str = "3aaa3/4a4/4d4/a3d3a/aaddkddaa/a3d3a/4d4/4a4/3aaa3 d";

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_konakis"));
    command.arg("diagram").args(arguments).env_remove("NO_COLOR").output().expect("it starts")
}

/// What it prints when it ends well.
fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// The exit code and what it complains about when it does not.
fn complaint(arguments: &[&str]) -> (i32, String) {
    let output = run(arguments);
    assert!(output.stdout.is_empty(), "{arguments:?}");
    let code = output.status.code().expect("no signal");
    (code, String::from_utf8(output.stderr).expect("text"))
}

fn of_class<'a>(document: &'a Document<'_>, class: &str) -> Vec<Node<'a, 'a>> {
    let has = |node: &Node<'_, '_>| {
        node.attribute("class").is_some_and(|all| all.split(' ').any(|one| one == class))
    };
    document.descendants().filter(has).collect()
}

fn uses(document: &Document<'_>, piece: &str) -> usize {
    let is = |node: &Node<'_, '_>| node.has_tag_name(("http://www.w3.org/2000/svg", "use"));
    let uses = document.descendants().filter(is);
    uses.filter(|node| node.attribute("href") == Some(piece)).count()
}

#[test]
fn every_rule_set_has_a_picture() {
    for rules in variants() {
        let text = printed(&["--variant", &rules.id]);
        let document =
            Document::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", rules.id));
        let count = |letter: char| rules.start.chars().filter(|&c| c == letter).count();
        for (piece, letter) in [("#k-a", 'a'), ("#k-d", 'd'), ("#k-k", 'k')] {
            assert_eq!(uses(&document, piece), count(letter), "{} {piece}", rules.id);
        }
        assert_eq!(of_class(&document, "k-square").len(), rules.size * rules.size);
        assert_eq!(of_class(&document, "k-name").len(), 4 * rules.size);
        for (class, zone) in [
            ("k-throne", &rules.throne),
            ("k-corner", &rules.corners),
            ("k-attacker-camp", &rules.attacker_camps),
            ("k-defender-camp", &rules.defender_camps),
        ] {
            assert_eq!(of_class(&document, class).len(), zone.squares().count(), "{}", rules.id);
        }
        // Nothing is drawn beyond the edge of the picture.
        let side: f64 = document.root_element().attribute("width").unwrap().parse().unwrap();
        for node in document.descendants() {
            for name in ["x", "y"] {
                let at = node.attribute(name).map(|at| at.parse::<f64>().unwrap());
                assert!(at.is_none_or(|at| (0.0..=side).contains(&at)), "{node:?}");
            }
        }
    }
}

#[test]
fn custom_rules_of_every_size_have_a_picture() {
    for size in (7..=19).step_by(2) {
        let mid = size / 2;
        let empty = format!("{size}/").repeat(mid);
        let rules = format!(
            "dim:{size} esc:e cor: afor:a1,b1 dfor:c1,c2 starti:/{empty}{mid}K{mid}/{empty}"
        );
        let text = printed(&["--rules", &rules]);
        let document = Document::parse(&text).unwrap();
        assert_eq!(uses(&document, "#k-k"), 1, "{size}");
        assert_eq!(of_class(&document, "k-attacker-camp").len(), 2);
        assert_eq!(of_class(&document, "k-defender-camp").len(), 2);
    }
}

#[test]
fn marks_are_where_they_should_be() {
    // a4 is the square in the first column, sixth row.
    let text = printed(&[
        "9/9/9/9/9/a3k4/9/9/9 a",
        "--last",
        "e5e4",
        "--arrow",
        "a4a9",
        "--arrow",
        "a4d4",
        "--heat-moves",
        "a4b4=30,a4c4=-200, a4a3 = 30",
    ]);
    let document = Document::parse(&text).unwrap();
    let places = |class: &str| -> Vec<(String, String)> {
        let at = |node: &Node<'_, '_>, name| node.attribute(name).unwrap_or("").to_owned();
        of_class(&document, class).iter().map(|node| (at(node, "x"), at(node, "y"))).collect()
    };
    let place =
        |file: usize, row: usize| ((26 + 48 * file).to_string(), (26 + 48 * row).to_string());
    assert_eq!(places("k-last"), [place(4, 4), place(4, 5)]);
    let mut heat = places("k-heat");
    heat.sort();
    let mut expected = [place(0, 6), place(1, 5), place(2, 5)];
    expected.sort();
    assert_eq!(heat, expected);
    let arrows: Vec<_> =
        of_class(&document, "k-arrow").iter().filter_map(|node| node.attribute("d")).collect();
    assert_eq!(arrows.len(), 2);
    assert!(arrows.iter().all(|d| d.starts_with("M50 290 L")), "{arrows:?}");
    let labels: Vec<_> =
        of_class(&document, "k-heat-label").iter().filter_map(|node| node.text()).collect();
    assert!(labels.contains(&"+0.30") && labels.contains(&"-2.00"), "{labels:?}");
    // The best is red, the worst is blue.
    let fill = |at: (String, String)| {
        let nodes = of_class(&document, "k-heat");
        let node = nodes.iter().find(|node| {
            (node.attribute("x"), node.attribute("y")) == (Some(at.0.as_str()), Some(at.1.as_str()))
        });
        node.unwrap().attribute("fill").unwrap().to_owned()
    };
    assert_eq!(fill(place(0, 6)), fill(place(1, 5)));
    assert_ne!(fill(place(0, 6)), fill(place(2, 5)));
}

#[test]
fn the_engine_points_out_its_best_move() {
    let text = printed(&["9/9/9/9/2k6/9/9/9/8a d", "--best", "--heat", "4", "--depth", "2"]);
    let document = Document::parse(&text).unwrap();
    assert_eq!(of_class(&document, "k-arrow").len(), 1);
    let labels: Vec<_> =
        of_class(&document, "k-heat-label").iter().filter_map(|node| node.text()).collect();
    assert!(labels.contains(&"#1"), "{labels:?}");
    assert!((1..=4).contains(&labels.len()), "{labels:?}");
    // In a finished game there is nothing to point out.
    let text = printed(&["k8/9/9/9/9/9/9/9/a8 a", "--best", "--heat", "4", "--depth", "2"]);
    let document = Document::parse(&text).unwrap();
    assert!(of_class(&document, "k-arrow").is_empty() && of_class(&document, "k-heat").is_empty());
}

#[test]
fn text_has_colours_only_where_they_are_wanted() {
    // A pipe is no terminal.
    let plain = printed(&["--text", START, "--arrow", "e3d3"]);
    assert!(!plain.contains('\u{1b}'), "{plain}");
    assert!(plain.contains("5   a a d d k d d a a") && plain.contains("arrow e3d3"), "{plain}");
    let forced = |more: &[(&str, &str)]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_konakis"));
        command.args(["diagram", "--text", START]).env("CLICOLOR_FORCE", "1");
        command.env_remove("NO_COLOR").envs(more.iter().copied());
        String::from_utf8(command.output().expect("it starts").stdout).expect("text")
    };
    assert!(forced(&[]).contains('\u{1b}'));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board.txt");
    let out = path.to_str().unwrap();
    assert_eq!(printed(&["--text", START, "--out", out]), "");
    let written = fs::read_to_string(&path).unwrap();
    assert!(!written.contains('\u{1b}') && written.contains("5   a a d d k d d a a"));
}

#[test]
fn positions_of_records() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.txt");
    fs::write(&path, "e4b4 d1b1 e6h6\ne3d3\n").unwrap();
    let file = path.to_str().unwrap();
    let last = |arguments: &[&str]| {
        let all = [&["--text", "--variant", "tablut", "--game", file], arguments].concat();
        let text = printed(&all);
        text.lines().find_map(|line| line.strip_prefix("last move ").map(str::to_owned))
    };
    assert_eq!(last(&[]).as_deref(), Some("e6h6"));
    assert_eq!(last(&["--ply", "2"]).as_deref(), Some("d1b1"));
    assert_eq!(last(&["--ply", "0"]), None);
    assert_eq!(last(&["--number", "2"]).as_deref(), Some("e3d3"));
    let fails = |arguments: &[&str], part: &str| {
        let all = [&["--game", file], arguments].concat();
        let (code, error) = complaint(&all);
        assert!(code == 1 && error.contains(part), "{arguments:?}: {error}");
    };
    fails(&["--ply", "4"], "the game has 3 plies");
    fails(&["--number", "3"], "holds 2 games");
    fails(&["--number", "0"], "holds 2 games");
    fs::write(&path, "e4b4 d1d9\n").unwrap();
    fails(&[], "line 1");
    fs::write(&path, "").unwrap();
    fails(&[], "no game");
    assert!(complaint(&["--game", "no/such/file"]).1.contains("no/such/file"));
}

#[test]
fn what_is_wrong_is_said() {
    for (arguments, code, part) in [
        (&["9/9 a"][..], 1, "2 ranks; expected 9"),
        (&["--variant", "copenhagen", START], 1, "9 ranks; expected 11"),
        (&["--variant", "chess"], 1, "chess"),
        (&["--rules", "dim:8"], 1, "dim"),
        (&["--arrow", "e3e4"], 1, "e4 is occupied"),
        (&["--arrow", "zz"], 1, "that is no move"),
        (&["--last", "e3e4"], 1, "e3, which the move has left, is not empty"),
        (&["--last", "b1b2"], 1, "no piece of the attackers"),
        (&["--heat-moves", "e3d3"], 1, "MOVE=CENTIPAWNS"),
        (&["--heat-moves", "e3d3=x"], 1, "no number of centipawns"),
        (&["--heat", "0"], 2, "--heat"),
        (&["--ply", "3"], 2, "--game"),
        (&["--nodes", "0"], 2, "--nodes"),
        (&["--out", "/no/such/folder/x.svg"], 1, "/no/such/folder/x.svg cannot be written"),
    ] {
        let (got, error) = complaint(arguments);
        assert!(got == code && error.contains(part), "{arguments:?}: {got} {error}");
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    for arguments in [&["diagram"][..], &["diagram", "--text"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_konakis"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    }
}
