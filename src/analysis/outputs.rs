//! [`Outputs`]: where an analysis goes: text, JSON, records, and a bar for who is watching.

use std::fs::{File, TryLockError};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::kept::Kept;
use super::regrown::Regrown;
use super::report::{GameReport, PositionReport};
use super::{annotated, json, page, text};
use crate::arena::console::tell;
use crate::notation::recorded::RecordedGame;

/// What was asked for.
pub struct Destinations<'a> {
    /// The file of JSON lines; `-` is standard output.
    pub json: Option<&'a str>,
    /// The file of annotated records.
    pub otg: Option<&'a str>,
    /// The folder of the pages.
    pub html: Option<&'a Path>,
    /// Is the file of JSON lines to be continued?
    pub resume: bool,
    /// What the numbers depend on, in words: an analysis is gone on with by the same alone.
    pub settings: &'a str,
}

/// Where an analysis goes.
pub struct Outputs {
    json: Option<Json>,
    otg: Option<Regrown>,
    /// The folder of the pages.
    html: Option<PathBuf>,
    kept: Kept,
    bar: Option<ProgressBar>,
}

enum Json {
    /// Standard output, and nothing else goes there.
    Output,
    File(File, String),
}

impl Outputs {
    /// Opens all files; `positions` is how many there will be.
    ///
    /// # Errors
    /// If a file cannot be written, or holds something that would be lost.
    pub fn open(destinations: &Destinations, positions: usize) -> anyhow::Result<Self> {
        let Destinations { json, otg, html, resume, settings } = *destinations;
        let mut kept = Kept::default();
        let json = match json {
            None => None,
            Some("-") => Some(Json::Output),
            Some(name) => {
                let mut file = open(name).with_context(|| name.to_owned())?;
                let begun = begun_with(name);
                if resume {
                    if let Some(begun) = begun.filter(|begun| begun != settings) {
                        bail!(
                            "{name}: was begun with '{begun}'; expected the same, not '{settings}'"
                        );
                    }
                    kept = Kept::read(&mut file)
                        .map_err(|error| anyhow::anyhow!("{name}: {error}"))?;
                } else {
                    refuse_to_overwrite(&file, name, "; --resume goes on with it")?;
                }
                // What is no file cannot be gone on with.
                if file.metadata().is_ok_and(|metadata| metadata.is_file()) {
                    let path = settings_file(name);
                    std::fs::write(&path, settings)
                        .with_context(|| format!("{} cannot be written", path.display()))?;
                }
                Some(Json::File(file, name.to_owned()))
            }
        };
        let otg = match otg {
            None => None,
            Some(name) => {
                let file = open(name).with_context(|| name.to_owned())?;
                if !resume {
                    refuse_to_overwrite(&file, name, "; --resume goes on with it")?;
                }
                Some(Regrown::new(file, name).with_context(|| name.to_owned())?)
            }
        };
        let html = html.map(|folder| page_folder(folder, resume)).transpose()?;
        let bar = bar(positions, kept.len());
        if resume {
            tell(format_args!("{} positions are there already", kept.len()));
        }
        Ok(Self { json, otg, html, kept, bar })
    }

    /// What is there already of a game.
    ///
    /// # Errors
    /// If it is something else.
    pub fn kept(
        &mut self,
        number: usize,
        game: &RecordedGame,
    ) -> anyhow::Result<Vec<PositionReport>> {
        let name = match &self.json {
            Some(Json::File(_, name)) => name.as_str(),
            _ => "",
        };
        self.kept.of_game(number, game).map_err(|error| anyhow::anyhow!("{name}, {error}"))
    }

    /// A position of a game of so many plies, of which `kept` positions were there already.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn position(
        &mut self,
        game: &GameReport,
        plies: usize,
        kept: usize,
        position: &PositionReport,
    ) -> anyhow::Result<()> {
        match &mut self.json {
            None => {}
            Some(Json::Output) => {
                let line = json::line(game.number, position, game.size());
                self.print(&[line])?;
            }
            Some(Json::File(file, name)) => {
                // One write a line, so that an interruption leaves whole lines.
                let line = json::line(game.number, position, game.size()) + "\n";
                file.write_all(line.as_bytes()).with_context(|| name.clone())?;
            }
        }
        if !matches!(self.json, Some(Json::Output)) {
            if position.ply == kept {
                self.print(&text::heading(game, plies))?;
            }
            self.print(&[text::row(position, game.size())])?;
        }
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
        Ok(())
    }

    /// A whole game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn game(
        &mut self,
        game: &RecordedGame,
        report: &GameReport,
        kept: usize,
    ) -> anyhow::Result<()> {
        if let Some(records) = &mut self.otg {
            let record = annotated::record(game, report);
            let record = record.map_err(|error| anyhow::anyhow!("game {}: {error}", report.number));
            records.write(&record?.to_string())?;
        }
        if let Some(folder) = &self.html {
            let path = folder.join(page::file_name(report.number));
            std::fs::write(&path, page::page(report))
                .with_context(|| format!("{} cannot be written", path.display()))?;
        }
        if !matches!(self.json, Some(Json::Output)) && kept < report.positions.len() {
            self.print(&text::footing(report))?;
        }
        Ok(())
    }

    /// Says on standard error what is wrong with the input.
    pub fn complain(&self, what: &str) {
        self.beside_bar(|| tell(format_args!("error: {what}")));
    }

    /// Says that the analysis was interrupted.
    pub fn interrupted(&self) {
        let hint = match &self.json {
            Some(Json::File(..)) => "; the same command with --resume goes on",
            _ => "",
        };
        self.beside_bar(|| tell(format_args!("interrupted{hint}")));
    }

    /// Takes the bar away.
    ///
    /// # Errors
    /// If the file of JSON lines holds games that the input does not have.
    pub fn finish(self) -> anyhow::Result<()> {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        if let Some(records) = &self.otg {
            records.finish()?;
        }
        let Some(Json::File(_, name)) = &self.json else { return Ok(()) };
        self.kept.finish().map_err(|error| anyhow::anyhow!("{name}, {error}"))?;
        // The analysis is whole: nobody has to go on with it.
        let path = settings_file(name);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(error).with_context(|| path.display().to_string())
            }
            _ => Ok(()),
        }
    }

    fn print(&self, lines: &[String]) -> io::Result<()> {
        self.beside_bar(|| {
            let mut out = io::stdout().lock();
            lines.iter().try_for_each(|line| writeln!(out, "{line}"))
        })
    }

    fn beside_bar<T>(&self, act: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(act),
            None => act(),
        }
    }
}

/// The folder of the pages, made if it is not there; nothing in it is written over.
fn page_folder(folder: &Path, resume: bool) -> anyhow::Result<PathBuf> {
    let name = folder.display();
    std::fs::create_dir_all(folder).with_context(|| format!("{name} cannot be made"))?;
    let mut inside = std::fs::read_dir(folder).with_context(|| name.to_string())?;
    if !resume && inside.next().is_some() {
        bail!("{name}: there is something in it; expected a new folder, or --resume");
    }
    Ok(folder.to_owned())
}

/// The file that says, as long as an analysis is not whole, what it was begun with.
fn settings_file(json: &str) -> PathBuf {
    PathBuf::from(format!("{json}.settings"))
}

/// What an analysis that is not whole was begun with, if that is known.
fn begun_with(json: &str) -> Option<String> {
    std::fs::read_to_string(settings_file(json)).ok().filter(|settings| !settings.is_empty())
}

/// Opens a file that nobody else writes, at its end.
fn open(name: &str) -> anyhow::Result<File> {
    let file = File::options().create(true).read(true).append(true).open(name)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => bail!("another analysis is writing it"),
        // Some file systems know no locks.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// A file that somebody may want to keep is not written over.
fn refuse_to_overwrite(file: &File, name: &str, hint: &str) -> anyhow::Result<()> {
    let metadata = file.metadata().with_context(|| name.to_owned())?;
    if metadata.is_file() && metadata.len() > 0 {
        bail!("{name}: there is something in it; expected a new file{hint}");
    }
    Ok(())
}

/// A bar, if a person is watching.
fn bar(positions: usize, done: usize) -> Option<ProgressBar> {
    if !io::stderr().is_terminal() {
        return None;
    }
    let template = "{bar:30} {pos}/{len} positions [{elapsed} gone, {eta} left]";
    let target = ProgressDrawTarget::stderr();
    let bar = ProgressBar::with_draw_target(Some(positions as u64), target);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_position(done as u64);
    bar.reset_eta();
    Some(bar)
}
