//! Many games into a file of positions, which can be continued after any interruption.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, bail};
use rayon::prelude::*;

use super::record::{Sample, Settings};
use super::selfplay::{Beginnings, Player};
use crate::search::limits::Control;

/// Games played by each thread before they are written.
const BATCH: u64 = 8;

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// All games are in the file.
    Complete,
    /// It was interrupted; the games played so far are in the file.
    Interrupted,
}

/// Plays games until `games` of them are in the file, which is continued if it exists.
///
/// The file is the same whatever the number of threads and of interruptions: games are written in
/// order, and the last game found in the file, which may lack lines, is played again.
///
/// # Errors
/// If the file cannot be read or written, is no file of positions, or was played with other
/// settings.
pub fn run(
    path: &Path,
    settings: &Settings,
    beginnings: &Beginnings,
    games: u64,
    threads: usize,
    control: &Control,
    say: &mut dyn FnMut(String),
) -> anyhow::Result<Ended> {
    let size = beginnings.start.size();
    let (mut file, first) = open(path, settings).with_context(|| path.display().to_string())?;
    if first > 0 {
        say(format!("{}: goes on with game {first}", path.display()));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let began = Instant::now();
    let mut next = first;
    while next < games {
        let end = games.min(next + BATCH * threads as u64);
        let played: Vec<Option<Vec<Sample>>> = pool.install(|| {
            let numbers: Vec<u64> = (next..end).collect();
            numbers
                .into_par_iter()
                .with_max_len(1)
                .map_init(Player::default, |player, number| {
                    player.play(beginnings, settings, number, control)
                })
                .collect()
        });
        let mut text = String::new();
        for samples in played.iter().map_while(Option::as_ref) {
            for sample in samples {
                text += &sample.line(size);
                text.push('\n');
            }
        }
        file.write_all(text.as_bytes()).with_context(|| path.display().to_string())?;
        if control.is_stopped() {
            return Ok(Ended::Interrupted);
        }
        let batches = (next / (BATCH * threads as u64), end / (BATCH * threads as u64));
        // Now and then, and at the end.
        if batches.0 / 32 != batches.1 / 32 || end == games {
            let rate = (end - first) as f64 / began.elapsed().as_secs_f64().max(1e-3);
            say(format!("{end} of {games} games, {rate:.1} a second"));
        }
        next = end;
    }
    Ok(Ended::Complete)
}

/// Opens a file for more games and says which is the next.
fn open(path: &Path, settings: &Settings) -> anyhow::Result<(File, u64)> {
    let mut file = match OpenOptions::new().read(true).write(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
            writeln!(file, "{settings}")?;
            return Ok((file, 0));
        }
        Err(error) => return Err(error.into()),
    };
    let mut reader = BufReader::new(&file);
    let mut line = String::new();
    let mut at = reader.read_line(&mut line)? as u64;
    let found = Settings::parse(line.trim_end()).map_err(anyhow::Error::msg)?;
    if found != *settings {
        bail!("holds '{found}'; expected '{settings}', or the name of a new file");
    }
    // The number and the place of the last game of which something is there.
    let (mut last, mut begin) = (0, at);
    for count in 2.. {
        line.clear();
        let read = reader.read_line(&mut line)? as u64;
        if read == 0 {
            break;
        }
        // A line without an end is the rest of an interrupted write.
        let number = line.split_once(' ').and_then(|(word, _)| word.parse::<u64>().ok());
        match number {
            Some(number) if number != last => (last, begin) = (number, at),
            None if line.ends_with('\n') => {
                bail!("line {count}: begins with no number of a game; expected 'GAME PLY …'")
            }
            _ => (),
        }
        at += read;
    }
    drop(reader);
    file.set_len(begin)?;
    file.seek(SeekFrom::Start(begin))?;
    Ok((file, last))
}
