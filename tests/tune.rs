//! `konakis tune`: games, interruptions, fits and complaints, in small numbers.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder of its own for a test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("tune-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn tune(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_konakis"));
    command.arg("tune").args(arguments).output().unwrap()
}

fn play(file: &str, games: &str, extra: &[&str]) -> Output {
    let usual = ["play", "--variant", "brandubh", "--nodes", "300:100", "--games", games];
    tune(&[&usual[..], &["--out", file], extra].concat())
}

fn errors(output: &Output) -> String {
    assert!(!output.status.success());
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn an_interrupted_file_grows_to_the_same_file() {
    let folder = folder("resume");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (whole, parts) = (path("whole.txt"), path("parts.txt"));
    assert!(play(&whole, "12", &["--threads", "2"]).status.success());
    let text = fs::read_to_string(&whole).unwrap();
    assert!(text.starts_with("konakis-positions variant=brandubh nodes=300:100 random=2-12"));
    assert!(text.lines().count() > 100, "{} lines", text.lines().count());
    assert!(play(&parts, "7", &[]).status.success());
    // Cut off in the middle of a line, as a kill may leave it.
    let partial = fs::read_to_string(&parts).unwrap();
    assert!(text.starts_with(&partial));
    fs::write(&parts, &partial[..partial.len() - 17]).unwrap();
    assert!(play(&parts, "12", &[]).status.success());
    assert_eq!(fs::read_to_string(&parts).unwrap(), text);
    // Other settings do not go into the same file.
    let complaint = errors(&play(&parts, "20", &["--seed", "2"]));
    assert!(complaint.contains("seed=1") && complaint.contains("expected"), "{complaint}");
    assert_eq!(fs::read_to_string(&parts).unwrap(), text);
}

/// A rule set that somebody wrote is learnt for like any other.
#[test]
fn rules_can_be_written_out() {
    let folder = folder("rules");
    let file = folder.join("games.txt").to_str().unwrap().to_owned();
    let rules = "dim:7 esc:e cor: starti:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
    let usual = ["play", "--nodes", "100", "--games", "3", "--out", &file];
    let play = |rules: &str| tune(&[&usual[..], &["--rules", rules]].concat());
    assert!(play(rules).status.success());
    let text = fs::read_to_string(&file).unwrap();
    let first = text.lines().next().unwrap();
    assert!(first.contains(" rules=dim:7 ") && text.lines().count() > 10, "{text}");
    // The same rules go on, others do not.
    assert!(play(rules).status.success());
    assert!(errors(&play(&rules.replace("esc:e", "esc:c"))).contains("expected"));
    assert!(errors(&play("dim:8")).contains("dim"));
    for command in ["fit", "odds"] {
        let output = tune(&[command, &file]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned()
            + &String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("SMALL_EDGE"), "{said}");
    }
    fs::write(&file, text.replacen("dim:7", "dim:8", 1)).unwrap();
    let complaint = errors(&tune(&["fit", &file]));
    assert!(complaint.contains("line 1") && complaint.contains("dim"), "{complaint}");
}

/// Games that begin within lines of play: the first positions are positions of a line.
#[test]
fn games_begin_within_lines() {
    let folder = folder("lines");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (lines, file) = (path("lines.txt"), path("games.txt"));
    fs::write(&lines, "d2b2 d3a3 b4b7 c4b4\nstartpos\n").unwrap();
    let extra = ["--lines", &lines, "--random", "2-4"];
    assert!(play(&file, "6", &extra).status.success());
    let text = fs::read_to_string(&file).unwrap();
    let (head, positions) = text.split_once('\n').unwrap();
    assert!(head.contains(" lines="), "{head}");
    // Game number, ply: the first position of each game lies 0 (startpos) or 2 to 4 plies in.
    let mut first = vec![None; 6];
    for line in positions.lines() {
        let mut words = line.split(' ').map(|word| word.parse::<usize>());
        let (game, ply) = (words.next().unwrap().unwrap(), words.next().unwrap().unwrap());
        first[game].get_or_insert(ply);
    }
    let begun: Vec<usize> = first.into_iter().flatten().collect();
    assert!(begun.iter().all(|ply| [0, 2, 3, 4].contains(ply)), "{begun:?}");
    assert!(begun.iter().any(|ply| *ply > 0), "{begun:?}");
    // The file goes on with the same lines alone.
    fs::write(&lines, "d2b2 d3a3\n").unwrap();
    assert!(errors(&play(&file, "8", &extra)).contains("lines="));
    fs::write(&lines, "d2b2 d3d3\n").unwrap();
    assert!(errors(&play(&path("other.txt"), "8", &extra)).contains("line 1"));
}

#[test]
fn a_fit_lowers_the_loss_and_prints_a_table() {
    let folder = folder("fit");
    let file = folder.join("games.txt").to_str().unwrap().to_owned();
    assert!(play(&file, "40", &[]).status.success());
    let output = tune(&["fit", &file, "--epochs", "10"]);
    let told = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(output.status.success(), "{told}");
    let loss = |what: &str| -> f64 {
        let line = told.lines().find(|line| line.starts_with(what)).unwrap();
        line.split("loss ").nth(1).unwrap().split(',').next().unwrap().parse().unwrap()
    };
    assert!(loss("pass 10:") < loss("before:"), "{told}");
    let table = String::from_utf8(output.stdout).unwrap();
    let known = include_str!("../src/eval/weights.rs");
    let part = |text: &str, name: &str| {
        let begin = text.find(&format!("pub const {name}: Weights")).unwrap();
        text[begin..].split("};").next().unwrap().to_owned()
    };
    assert_ne!(part(&table, "SMALL_CORNER"), part(known, "SMALL_CORNER"));
    assert_eq!(part(&table, "EDGE_STRONG"), part(known, "EDGE_STRONG"));
    // The same again, also with other threads.
    let again = tune(&["fit", &file, "--epochs", "10", "--threads", "2"]);
    assert_eq!(String::from_utf8(again.stdout).unwrap(), table);
}

#[test]
fn complaints_say_the_line_and_what_would_be_right() {
    let folder = folder("complaints");
    let path = folder.join("games.txt");
    let name = path.to_str().unwrap();
    assert!(play(name, "3", &[]).status.success());
    let good = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = good.lines().collect();
    for (at, line, words) in [
        (0, "games", "expected 'konakis-positions"),
        (0, "konakis-positions variant=chess nodes=1:1 random=2-3 seed=1", "no rule set 'chess'"),
        (4, "1 2 x 3 d4d5 7", "expected 'GAME PLY RESULT SCORE MOVE FEN'"),
        (4, "1 2 a 3 d4d5 7/7 a", "7"),
    ] {
        let mut wrong = lines.clone();
        wrong[at] = line;
        fs::write(&path, wrong.join("\n") + "\n").unwrap();
        let complaint = errors(&tune(&["fit", name]));
        assert!(complaint.contains("games.txt"), "{complaint}");
        assert!(complaint.contains(&format!("line {}", at + 1)), "{complaint}");
        assert!(complaint.contains(words), "{complaint}");
    }
    fs::write(&path, lines[..5].join("\n") + "\nnobody\n" + lines[5]).unwrap();
    let complaint = errors(&play(name, "3", &[]));
    assert!(complaint.contains("line 6") && complaint.contains("expected"), "{complaint}");
    let complaint = errors(&tune(&["fit", "no such file"]));
    assert!(complaint.contains("no such file"), "{complaint}");
    let nodes = errors(&play(name, "3", &["--random", "5-2"]));
    assert!(nodes.contains("2-12"), "{nodes}");
}
