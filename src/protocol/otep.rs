//! OTEP, the protocol in which OpenTafl talks to external engines: one line each way, nothing is
//! acknowledged.
//!
//! [`message`] has the lines of both sides, for the engine here and for a host such as the arena.

mod clock;
mod engine;
mod house_rules;
pub mod message;

use std::io::{self, BufReader};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use anyhow::bail;

use super::input::{Heard, read_lines};
use super::output::Output;
use super::thinker::{Means, Thought};
use engine::Engine;
pub use house_rules::as_opentafl_plays;

/// What the engine is told when it is started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// What it may use.
    pub means: Means,
    /// The time for a move while the host has said nothing about clocks.
    pub movetime: Duration,
    /// Is the host one that reads rules strings by their text, unlike OpenTafl?
    pub by_the_text: bool,
}

/// What reaches the engine.
enum Event {
    Heard(Heard),
    /// A search has ended; the number tells it from those that were called off.
    Thought(u64, Thought),
}

/// How the conversation goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    Listen,
    /// Listen, but no longer than this.
    ListenFor(Duration),
    Leave,
}

/// Talks over standard input and output until the host says `goodbye`.
///
/// # Errors
/// If the host goes away without it, or sends what cannot be read.
pub fn serve(settings: Settings) -> anyhow::Result<()> {
    let (events, inbox) = channel();
    let reader = events.clone();
    let mut output = Output::new(io::stdout());
    // The host waits no more than five seconds for it.
    let spoken = output.say(&message::ToHost::Hello.to_string());
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        read_lines(BufReader::new(io::stdin()), |heard| reader.send(Event::Heard(heard)).is_ok());
    })?;
    let engine = Engine::new(settings, output, events);
    match spoken.map_err(anyhow::Error::from).and_then(|()| talk(engine, &inbox)) {
        Err(error) if is_gone(&error) => bail!("the host reads no more"),
        other => other,
    }
}

fn is_gone(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn talk(mut engine: Engine<io::Stdout>, inbox: &Receiver<Event>) -> anyhow::Result<()> {
    let mut next = Next::Listen;
    loop {
        let event = match next {
            Next::Leave => return Ok(()),
            Next::Listen => inbox.recv().ok(),
            Next::ListenFor(patience) => inbox.recv_timeout(patience).ok(),
        };
        next = match event {
            Some(Event::Heard(Heard::Line(line, arrived))) => engine.hear(&line, arrived)?,
            Some(Event::Heard(Heard::TooLong)) => {
                engine.fail("a line of more than 16 MiB")?;
                bail!("the host sent a line of more than 16 MiB");
            }
            Some(Event::Heard(Heard::EndOfInput)) => bail!("the host left without a goodbye"),
            Some(Event::Thought(number, thought)) => engine.thought(number, &thought)?,
            None => engine.waited()?,
        };
    }
}
