//! The arena against engines that misbehave, builtins end to end, and interrupted matches.

mod dialects;
mod faults;
mod files;
mod matches;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

/// A folder of this test's own, gone when it ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("konakis-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn konakis(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_konakis"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    konakis(arguments).output().expect("konakis runs")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The spec of a test engine.
fn engine(name: &str) -> String {
    engine_with(name, "tc=0.3+0")
}

fn engine_with(name: &str, limits: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines").join(name);
    format!("cmd=python3,\"args='{}'\",name=subject,{limits}", path.display())
}

fn events(output: &Output, kind: &str) -> Vec<Value> {
    let text = stdout(output);
    let events = text.lines().map(|line| serde_json::from_str::<Value>(line).expect(line));
    events.filter(|event| event["type"] == kind).collect()
}

/// A line of the report.
#[track_caller]
fn line<'a>(text: &'a str, start: &str) -> &'a str {
    let mut lines = text.lines().filter(|line| line.starts_with(start));
    let first = lines.next().unwrap_or_else(|| panic!("no line '{start}…' in {text}"));
    assert_eq!(lines.next(), None, "'{start}' twice");
    first
}
