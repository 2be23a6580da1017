//! The `konakis` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    konakis::cli::main()
}
