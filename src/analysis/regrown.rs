//! [`Regrown`]: a file that is written once more from its beginning, and loses nothing by it.

use std::fs::File;
use std::io::{self, Read, Write};

use anyhow::{Context, bail};

/// A file that holds the beginning of a text, perhaps, and shall hold the whole of it.
///
/// What is there already is compared, not written: a file that somebody else wrote, or that was
/// changed by hand, stays as it is.
pub struct Regrown {
    file: File,
    name: String,
    /// What is there already.
    old: Vec<u8>,
    /// So much of it has been met.
    met: usize,
}

impl Regrown {
    /// Goes on with a file that is open for reading and for writing at its end.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn new(mut file: File, name: &str) -> io::Result<Self> {
        let mut old = Vec::new();
        // What is no file, such as a pipe, holds nothing.
        if file.metadata()?.is_file() {
            file.read_to_end(&mut old)?;
        }
        Ok(Self { file, name: name.to_owned(), old, met: 0 })
    }

    /// The next part of the text.
    ///
    /// # Errors
    /// If the file says something else there, or cannot be written.
    pub fn write(&mut self, text: &str) -> anyhow::Result<()> {
        let rest = self.old.get(self.met..).unwrap_or(&[]);
        let known = rest.len().min(text.len());
        let (old, new) = text.as_bytes().split_at(known);
        if let Some(other) = rest.iter().zip(old).position(|(is, would)| is != would) {
            return self.refuse(self.met + other, "this analysis would write something else here");
        }
        self.met += known;
        self.file.write_all(new).with_context(|| self.name.clone())
    }

    /// The text is whole.
    ///
    /// # Errors
    /// If the file goes on.
    pub fn finish(&self) -> anyhow::Result<()> {
        if self.met == self.old.len() {
            return Ok(());
        }
        self.refuse(self.met, "this analysis ends here")
    }

    fn refuse<T>(&self, at: usize, what: &str) -> anyhow::Result<T> {
        let before = self.old.get(..at).unwrap_or(&self.old);
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        bail!(
            "{}, line {line}: {what}; expected a new file, or what the same analysis began \
             (the file was left as it is)",
            self.name
        )
    }
}
