//! The Python client in `scripts`, where there is a Python to run it.

use std::path::Path;
use std::process::{Command, Output};

/// Runs a script with the engine that was built for the tests; `None` without Python 3.
fn python(script: &str, arguments: &[&str]) -> Option<Output> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts").join(script);
    let mut command = Command::new("python3");
    // No cache folder is left beside the scripts.
    command.arg("-B").arg(script).args(arguments).env("KONAKIS", env!("CARGO_BIN_EXE_konakis"));
    let output = command.output();
    if output.is_err() {
        eprintln!("no python3: skipped");
    }
    output.ok()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn its_own_tests_pass() {
    let Some(output) = python("test_konakis.py", &[]) else { return };
    assert!(output.status.success(), "{}", text(&output));
    assert!(text(&output).contains("OK") && !text(&output).contains("skipped"));
}

#[test]
fn the_engine_plays_itself_to_an_outcome() {
    for id in ["tablut", "brandubh", "copenhagen"] {
        let engine = env!("CARGO_BIN_EXE_konakis");
        let arguments = ["--engine", engine, "--variant", id, "--movetime", "5"];
        let Some(output) = python("selfplay.py", &arguments) else { return };
        let text = text(&output);
        assert!(output.status.success(), "{id}: {text}");
        let last = text.lines().last().unwrap_or_default();
        let ended = last.contains(" win after ") || last.starts_with("drawn after ");
        assert!(ended && last.ends_with(')'), "{id}: {last}");
    }
}

#[test]
fn what_goes_wrong_is_said_in_one_line() {
    let engine = env!("CARGO_BIN_EXE_konakis");
    for (arguments, words) in [
        (vec!["--engine", "/no/such/engine"], "cannot start"),
        (vec!["--engine", engine, "--variant", "chess"], "no rule set"),
    ] {
        let Some(output) = python("selfplay.py", &arguments) else { return };
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.starts_with("selfplay: ") && said.contains(words), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}
