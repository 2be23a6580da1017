//! Puts version and commit into the binary.

use std::path::Path;
use std::process::Command;

fn main() {
    let version = env!("CARGO_PKG_VERSION");
    let commit = git(&["rev-parse", "--short=9", "HEAD"]);
    let full = match commit {
        Some(commit) => format!("{version} ({commit})"),
        // An unpacked archive has no commit.
        None => version.to_owned(),
    };
    println!("cargo::rustc-env=KONAKIS_VERSION={full}");
    println!("cargo::rerun-if-changed=build.rs");
    // HEAD's own log grows with every commit and checkout, of a worktree's too.
    for name in ["HEAD", "logs/HEAD"] {
        if let Some(path) =
            git(&["rev-parse", "--git-path", name]).filter(|p| Path::new(p).exists())
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}
