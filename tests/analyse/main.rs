//! `konakis analyse` and `konakis explore` as people call them.

mod errors;
mod explore;
mod forms;
mod judgement;
mod real_games;
mod resume;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

/// A file of tests/data/games.
fn data(name: &str) -> String {
    format!("{}/tests/data/games/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A folder of its own for a test, empty.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("analyse-{name}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// Writes a file and returns its name.
    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }
}

fn konakis(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_konakis"));
    command.args(arguments);
    command
}

fn run(arguments: &[&str]) -> Output {
    konakis(arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// What a run that goes well prints, which says nothing on standard error.
fn good(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()), "{arguments:?}");
    stdout(&output)
}

/// The lines of JSON of a text.
fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}")))
        .collect()
}

/// An analysis as JSON.
fn json(arguments: &[&str]) -> Vec<Value> {
    lines(&good(&[&["analyse", "--json"], arguments].concat()))
}
