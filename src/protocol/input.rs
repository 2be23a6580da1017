//! The thread that reads the peer's lines.

use std::io::{BufRead, Read};
use std::sync::mpsc::Sender;
use std::time::Instant;

use super::session::Event;

/// The longest line that is read (16 MiB, a game of a million moves); the rest of a longer one is
/// thrown away.
const LONGEST: u64 = 16 << 20;

/// Sends every line with the time of its arrival, then the end of the input.
pub fn read_lines(mut input: impl BufRead, events: &Sender<Event>) {
    let mut line = Vec::new();
    loop {
        line.clear();
        let event = match input.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => Event::EndOfInput,
            Ok(_) if line.len() as u64 == LONGEST && line.last() != Some(&b'\n') => {
                skip_line(&mut input);
                Event::TooLong
            }
            // What is no UTF-8 is no command either, but the line is answered.
            Ok(_) => Event::Line(String::from_utf8_lossy(&line).into_owned(), Some(Instant::now())),
        };
        let last = matches!(event, Event::EndOfInput);
        if events.send(event).is_err() || last {
            return;
        }
    }
}

fn skip_line(input: &mut impl BufRead) {
    loop {
        let (used, found) = match input.fill_buf() {
            Ok([]) | Err(_) => return,
            Ok(buffer) => match buffer.iter().position(|byte| *byte == b'\n') {
                Some(end) => (end + 1, true),
                None => (buffer.len(), false),
            },
        };
        input.consume(used);
        if found {
            return;
        }
    }
}
