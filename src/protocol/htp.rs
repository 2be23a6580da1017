//! HTP, the text protocol of hnefatafl.org (the hnefatafl-copenhagen project), modelled on Go's GTP: a
//! command a line, `= ANSWER` or `? REASON`.
//!
//! [`message`] has the lines of both sides, for the engine here and for a host such as the arena.

mod engine;
pub mod message;
mod remote;

use std::io::{self, BufReader, Write};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use super::input::{Heard, read_lines};
use super::thinker::Means;
use engine::{Answer, Engine};
pub use remote::serve as serve_remote;

/// What the engine is told when it is started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// What it may use.
    pub means: Means,
    /// The time for a move of an un-timed game.
    pub movetime: Duration,
}

/// Answers commands on standard input, one after the other, until `quit` or the end of the input.
///
/// # Errors
/// If standard output fails.
pub fn serve(settings: Settings) -> anyhow::Result<()> {
    // A thread reads, so that a host may write all it has to say without waiting for answers.
    let (sender, lines) = channel();
    let mut engine = Engine::new(settings);
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        read_lines(BufReader::new(io::stdin()), |heard| sender.send(heard).is_ok());
    })?;
    for heard in lines {
        let answer = match heard {
            Heard::Line(line, _) => engine.answer(&line),
            Heard::TooLong => Answer::Refusal("a line of more than 16 MiB is ignored".to_owned()),
            Heard::EndOfInput => return Ok(()),
        };
        log::debug!("< {answer:?}");
        match answer.text() {
            Some(text) => say(&text)?,
            None if answer == Answer::Leave => return Ok(()),
            None => {}
        }
    }
    Ok(())
}

/// Says an answer in one write.
fn say(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
