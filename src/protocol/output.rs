//! The only writer of the engine's lines, and the log of the conversation.

use std::fs::File;
use std::io::{self, Write};

/// Where lines go: the peer and, if wanted, a log.
pub struct Output<W> {
    peer: W,
    log: Option<File>,
}

impl<W: Write> Output<W> {
    /// Writes to `peer`, with no log.
    pub fn new(peer: W) -> Self {
        Self { peer, log: None }
    }

    /// Says a line, at once.
    ///
    /// # Errors
    /// If the peer has gone away.
    pub fn say(&mut self, line: &str) -> io::Result<()> {
        self.note('<', line);
        // One write, so that a peer on the other side of a pipe sees whole lines.
        self.peer.write_all(format!("{line}\n").as_bytes())?;
        self.peer.flush()
    }

    /// Notes a line of the peer.
    pub fn heard(&mut self, line: &str) {
        self.note('>', line.trim_end_matches(['\r', '\n']));
    }

    /// Appends the conversation to a file from now on, or to none.
    ///
    /// # Errors
    /// If the file cannot be opened; then there is no log.
    pub fn log_to(&mut self, path: Option<&str>) -> io::Result<()> {
        self.log = None;
        if let Some(path) = path {
            self.log = Some(File::options().create(true).append(true).open(path)?);
        }
        Ok(())
    }

    fn note(&mut self, mark: char, line: &str) {
        let Some(log) = &mut self.log else { return };
        if let Err(error) = writeln!(log, "{mark} {line}") {
            // A full disk must not cost the game.
            log::warn!("the log of the conversation ends: {error}");
            self.log = None;
        }
    }
}
