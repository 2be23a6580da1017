//! `konakis play` through pipes, as a script drives it.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

/// Plays these lines and returns what was said; standard error must be empty.
fn play(arguments: &[&str], lines: &[&str]) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_konakis"))
        .arg("play")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all((lines.join("\n") + "\n").as_bytes()).expect("it listens");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// All of these are said, in this order.
fn assert_said(said: &str, parts: &[&str]) {
    let mut rest = said;
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => panic!("'{part}' is not said (any more) in:\n{said}"),
        }
    }
}

const QUICK: [&str; 2] = ["--movetime", "20"];

#[test]
fn a_game_of_either_colour() {
    let said = play(&[&QUICK[..], &["--side", "defenders"]].concat(), &["e4b4"]);
    assert_said(&said, &["You play the defenders", "you play e4-b4", "the attackers play "]);
    // The defenders begin: the engine moves before anything is typed.
    let said = play(&[&QUICK[..], &["--side", "attackers"]].concat(), &["moves"]);
    assert_said(
        &said,
        &["You play the attackers", "the defenders play ", "the attackers can move"],
    );
    // The side that begins is the default.
    assert_said(&play(&["--variant", "brandubh"], &[]), &["brandubh, 7x7. You play the attackers"]);
}

#[test]
fn announcements_are_spoken_and_the_end_is_told() {
    let fen = "4a4/9/9/9/2k5a/2a6/9/9/4a4 d";
    let arguments = [&QUICK[..], &["--side", "defenders", "--fen", fen]].concat();
    let said = play(&arguments, &["c5d5", "d5d9", "hint", "c5c9", "quit"]);
    assert_said(&said, &["you play Kc5-d5", "Tuichi!", "the attackers play"]);
    let said = play(&arguments, &["c5c9", "e1e2", "quit"]);
    assert_said(&said, &["You have won: the defenders win (king-escaped)", "the game is over"]);
    let over = [&QUICK[..], &["--fen", "k3a4/9/9/9/9/9/9/9/4a4 a"]].concat();
    let parts = ["the game is over: the defenders win (king-escaped)", "the game is over"];
    assert_said(&play(&over, &["e1e2"]), &parts);
    // One open way, and a king in danger.
    let raichi = "2a6/9/9/a8/a1k5a/a8/9/9/2a6 d";
    let arguments = [&QUICK[..], &["--side", "defenders", "--fen", raichi]].concat();
    assert_said(&play(&arguments, &["c5c6"]), &["Raichi!"]);
    let danger = "9/9/9/2a6/1ak6/2a6/9/9/3a4d a";
    let arguments = [&QUICK[..], &["--side", "attackers", "--fen", danger]].concat();
    assert_said(&play(&arguments, &["d1d2"]), &["Watch your king!"]);
}

#[test]
fn an_illegal_move_is_explained() {
    let said =
        play(&QUICK, &["e3e4", "d5g5", "a5a6", "b2b3", "frobnicate", "E3 - E4", "e3", "", "help"]);
    assert_said(
        &said,
        &[
            "illegal: e4 is occupied",
            "from e3 you may go to a3 b3 c3 d3 f3 g3 h3 i3",
            "a piece on e5 is in the way",
            "from d5 you may go to",
            "belongs to the attackers",
            "the defenders can move from e3",
            "there is no piece on b2",
            "that is no move",
            "e4 is occupied",
            "that is no move",
            "save FILE",
        ],
    );
    // Nothing has been played.
    assert_said(&said, &["end of the input; no move was made"]);
}

#[test]
fn moves_are_taken_back() {
    let said = play(&QUICK, &["undo", "e4b4", "undo", "record", "e4c4", "record", "quit"]);
    assert_said(
        &said,
        &[
            "there is no move of yours to take back",
            "2 plies taken back",
            "no move has been made",
            "you play e4-c4",
            "1. e4-c4 ",
            "goodbye; the game (2 plies) was not saved",
        ],
    );
    // A resignation is taken back first; then the side may be changed.
    let said = play(&QUICK, &["e4b4", "resign", "e3d3", "undo", "switch", "resign", "resign"]);
    assert_said(
        &said,
        &[
            "you resign: the attackers win",
            "the game is over",
            "the game goes on",
            "you play the attackers now",
            "the defenders play",
            "you resign: the defenders win",
            "the game is over already",
        ],
    );
}

#[test]
fn a_saved_game_is_a_record_that_reads_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my game.otg");
    let file = path.to_str().unwrap();
    let save = format!("save {file}");
    let over = format!("save! {file}");
    let said = play(&QUICK, &["e4b4", &save, &save, "resign", "fen", &over, "quit"]);
    assert_said(
        &said,
        &[
            "saved 2 plies",
            "is there already",
            "save! ",
            "you resign",
            " d\n",
            "saved 2 plies",
            "goodbye; the game is saved",
        ],
    );
    let text = fs::read_to_string(&path).unwrap();
    for part in ["[defenders:player]", "[result:1]", "[termination:resigned]", "1. e4-b4 "] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // The program reads its own record; the position is the one it showed.
    let fen = said.lines().find(|line| line.ends_with(" d") && line.contains('/')).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_konakis"))
        .args(["diagram", "--text", "--game", file])
        .output()
        .unwrap();
    let again = String::from_utf8(output.stdout).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_konakis"))
        .args(["diagram", "--text", fen])
        .output()
        .unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(again.starts_with(shown.trim_end()), "{again}\n{shown}");
    assert_said(&play(&QUICK, &["save /no/such/folder/x.otg"]), &["cannot be written"]);
}

#[test]
fn levels_and_other_commands() {
    let said = play(
        &["--level", "0", "--variant", "ard-ri"],
        &[
            "level 99", "level x", "level 3", "level", "c3c2", "why c3", "rules", "new", "hint",
            "moves e3",
        ],
    );
    assert_said(
        &said,
        &[
            "'99' is no level; expected 0 to 20",
            "'x' is no level",
            "the engine plays at level 3 of 20",
            "level what? Expected level N",
            "the attackers play",
            "that is no move",
            "7x7. The defenders move first",
            "a new game",
            "hint: ",
            "from e3 you may go to",
        ],
    );
}

#[test]
fn a_game_can_be_taken_up_again() {
    let said =
        play(&[&QUICK[..], &["--moves", "e4b4 d1b1", "--side", "defenders"]].concat(), &["record"]);
    assert_said(&said, &["1. e4-b4 d1-b1"]);
}

#[test]
fn odd_input_does_no_harm() {
    let long = "x".repeat(200_000);
    let said = play(&QUICK, &[&long, "\u{1b}[31mred", "e4b4", "\0", "quit"]);
    assert_said(&said, &["that is no move", "you play e4-b4", "goodbye"]);
    assert!(!said.contains('\u{1b}'));
    let bad = |arguments: &[&str], part: &str, code: i32| {
        let output = Command::new(env!("CARGO_BIN_EXE_konakis"))
            .arg("play")
            .args(arguments)
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            output.status.code() == Some(code) && error.contains(part),
            "{arguments:?}: {error}"
        );
    };
    bad(&["--fen", "9/9 a"], "2 ranks", 1);
    bad(&["--moves", "e4b4 d1d9"], "move 2", 1);
    bad(&["--level", "21"], "--level", 2);
    bad(&["--level", "3", "--movetime", "5"], "--movetime", 2);
    bad(&["--side", "white"], "attackers", 2);
}

#[test]
#[cfg(unix)]
fn an_interrupt_says_how_to_go_on() {
    use std::io::{BufRead, BufReader, Read};

    let mut child = Command::new(env!("CARGO_BIN_EXE_konakis"))
        .args(["play", "--movetime", "20"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"e4b4\nrecord\n").expect("it listens");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let record = lines.find_map(|line| line.ok().filter(|line| line.starts_with("1. "))).unwrap();
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(130));
    let mut said = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut said).unwrap();
    assert_said(
        &said,
        &["interrupted; the game is not saved", "konakis play --variant tablut", "--moves 'e4b4 "],
    );
    drop(input);
    // The second move of the record is in the command as well.
    let answer = record.split(' ').nth(2).unwrap();
    let from = answer.split('-').next().unwrap().trim_start_matches('K');
    assert!(said.contains(&format!("e4b4 {from}")), "{record}: {said}");
}
