//! The thread that reads the peer's lines.

use std::io::{BufRead, Read};
use std::time::Instant;

/// The longest line that is read (16 MiB, a game of a million moves); the rest of a longer one is
/// thrown away.
const LONGEST: u64 = 16 << 20;

/// What is heard of a peer.
pub enum Heard {
    /// A line and when it came.
    Line(String, Instant),
    /// A line so long that it was not read.
    TooLong,
    /// The peer will say no more.
    EndOfInput,
}

/// Tells every line with the time of its arrival, then the end of the input; earlier if `tell` says
/// that nobody listens any more.
pub fn read_lines(mut input: impl BufRead, mut tell: impl FnMut(Heard) -> bool) {
    let mut line = Vec::new();
    loop {
        line.clear();
        let heard = match input.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => Heard::EndOfInput,
            Ok(_) if line.len() as u64 == LONGEST && line.last() != Some(&b'\n') => {
                // At once: the rest of it may never end.
                if !tell(Heard::TooLong) {
                    return;
                }
                skip_line(&mut input);
                continue;
            }
            // What is no UTF-8 is no command either, but the line is answered.
            Ok(_) => Heard::Line(String::from_utf8_lossy(&line).into_owned(), Instant::now()),
        };
        let last = matches!(heard, Heard::EndOfInput);
        if !tell(heard) || last {
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
