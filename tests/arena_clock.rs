//! This engine against itself on a fast clock: nobody may lose on time. The only test of its file,
//! so that nothing else wants the processor meanwhile.

use std::process::Command;

#[test]
fn forty_fast_games_without_a_forfeit() {
    let output = Command::new(env!("CARGO_BIN_EXE_konakis"))
        .args(["match", "--engine", "builtin:konakis,name=A", "--engine", "builtin:konakis,name=B"])
        .args(["--each", "tc=0.5+0.01,option.Hash=4", "--games", "40", "--concurrency", "1"])
        .args(["--variant", "brandubh", "--margin", "0", "--strict"])
        .output()
        .expect("konakis runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("time forfeits: A 0, B 0;"), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("game ")).count(), 40);
}
