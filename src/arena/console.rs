//! [`Console`]: where a match prints: lines, events, and a bar on a terminal.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::Value;

/// Has whoever read our output gone away?
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>());
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Says something to people, on standard error; if nobody hears it that is no fault.
pub fn tell(what: impl Display) {
    let _ = writeln!(io::stderr(), "{what}");
}

/// Events are appended to events, and to nothing else that somebody may want to keep.
fn refuse_other_files(path: &Path) -> io::Result<()> {
    let mut first = [b'{'];
    let known = match File::open(path).and_then(|mut file| file.read(&mut first)) {
        Ok(_) => path.is_file() && first != [b'{'],
        Err(_) => false,
    };
    if known {
        let what = format!("{}: is no file of events; expected a new one", path.display());
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, what));
    }
    Ok(())
}

/// Where a match prints.
pub struct Console {
    bar: Option<ProgressBar>,
    json: Option<Json>,
}

enum Json {
    /// Events have standard output for themselves, lines go to standard error.
    Output,
    File(File),
}

impl Console {
    /// Lines to standard output; events, if wanted, to a file, or to standard output when the name
    /// is `-` (then lines go to standard error).
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn new(json: Option<&str>) -> io::Result<Self> {
        let json = match json {
            None => None,
            Some("-") => Some(Json::Output),
            Some(name) => {
                refuse_other_files(Path::new(name))?;
                let file = File::options().create(true).append(true).open(Path::new(name));
                let named =
                    |error: io::Error| io::Error::new(error.kind(), format!("{name}: {error}"));
                Some(Json::File(file.map_err(named)?))
            }
        };
        Ok(Self { bar: None, json })
    }

    /// Shows a bar for so many games, if a person is watching.
    pub fn show_bar(&mut self, games: usize) {
        if !(io::stdout().is_terminal() && io::stderr().is_terminal()) {
            return;
        }
        let template = "{bar:30} {pos}/{len} games, {msg} [{elapsed} gone, {eta} left]";
        let bar = ProgressBar::with_draw_target(Some(games as u64), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        self.bar = Some(bar);
    }

    /// Moves the bar.
    pub fn progress(&self, games: u64, message: impl FnOnce() -> String) {
        if let Some(bar) = &self.bar {
            bar.set_message(message());
            bar.set_position(games);
        }
    }

    /// Takes the bar away.
    pub fn hide_bar(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    /// Prints a line.
    ///
    /// # Errors
    /// If nobody can read it any more.
    pub fn line(&self, text: &str) -> io::Result<()> {
        let print = || match self.json {
            Some(Json::Output) => writeln!(io::stderr(), "{text}"),
            _ => {
                let mut out = io::stdout().lock();
                writeln!(out, "{text}")?;
                out.flush()
            }
        };
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Prints lines.
    ///
    /// # Errors
    /// As [`Console::line`].
    pub fn lines<T: AsRef<str>>(&self, lines: impl IntoIterator<Item = T>) -> io::Result<()> {
        lines.into_iter().try_for_each(|line| self.line(line.as_ref()))
    }

    /// Writes an event, if events are wanted.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn event(&mut self, event: impl FnOnce() -> Value) -> io::Result<()> {
        match &mut self.json {
            None => Ok(()),
            // One write a line, so that a reader never sees half an event.
            Some(Json::Output) => {
                let mut out = io::stdout().lock();
                out.write_all(format!("{}\n", event()).as_bytes())?;
                out.flush()
            }
            Some(Json::File(file)) => file.write_all(format!("{}\n", event()).as_bytes()),
        }
    }
}
