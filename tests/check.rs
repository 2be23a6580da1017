//! `konakis check`: this engine passes, a sloppy one does not.

use std::process::{Command, Output};

fn check(engine: &str, more: &[&str]) -> (Output, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_konakis"));
    let output = command.args(["check", engine]).args(more).output().expect("konakis runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output, text)
}

#[test]
fn this_engine_passes_in_both_dialects() {
    // UCI has no two-word answers to ask for, UGI no expected answer.
    for protocol in ["uci", "ugi"] {
        let (output, text) = check("builtin:konakis", &["--proto", protocol]);
        assert!(output.status.success(), "{text}");
        assert!(text.contains("48 of 48 questions"), "{protocol}: {text}");
    }
}

#[test]
fn a_sloppy_engine_is_found_out() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/sloppy.py");
    let (output, text) = check(&format!("cmd=python3,\"args='{path}'\""), &["--all"]);
    assert_eq!(output.status.code(), Some(1));
    for row in ["C01", "C02", "C16", "C17", "C20"] {
        assert!(text.contains(&format!("FAIL  {row} ")), "{row}: {text}");
    }
    for row in ["C06", "C11", "C22"] {
        assert!(text.contains(&format!("ok    {row} ")), "{row}: {text}");
    }
    let (output, _) = check("builtin:random", &[]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("is no program"));
}
