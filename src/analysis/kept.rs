//! [`Kept`]: what a file of JSON lines holds of an analysis that was interrupted.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use serde_json::Value;

use super::json;
use super::report::PositionReport;
use crate::notation::recorded::RecordedGame;

/// Lines of an earlier run that have not been used yet.
#[derive(Default)]
pub struct Kept {
    lines: VecDeque<Line>,
}

struct Line {
    /// In the file, from 1.
    number: usize,
    game: usize,
    ply: usize,
    value: Value,
}

impl Kept {
    /// Reads the whole lines of a file and cuts off a last one that is torn.
    ///
    /// # Errors
    /// If the file cannot be read or cut, or a line is none of an analysis.
    pub fn read(file: &mut File) -> Result<Self, String> {
        let unreadable = |error: std::io::Error| error.to_string();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(unreadable)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let mut lines = VecDeque::new();
        let text = bytes.get(..whole).unwrap_or(&[]);
        for (i, line) in text.split(|&byte| byte == b'\n').enumerate() {
            if line.is_empty() {
                continue;
            }
            let value: Value = serde_json::from_slice(line)
                .map_err(|error| format!("line {}: no JSON ({error})", i + 1))?;
            let Some((game, ply)) = json::place(&value) else {
                return Err(format!("line {}: no line of an analysis", i + 1));
            };
            lines.push_back(Line { number: i + 1, game, ply, value });
        }
        if whole < bytes.len() {
            file.set_len(whole as u64).map_err(unreadable)?;
        }
        file.seek(SeekFrom::End(0)).map_err(unreadable)?;
        Ok(Self { lines })
    }

    /// How many lines have not been used.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Have all lines been used?
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// What was said of the positions of a game, from the first one on.
    ///
    /// # Errors
    /// If a line is not about this game, or one is missing.
    pub fn of_game(
        &mut self,
        number: usize,
        game: &RecordedGame,
    ) -> Result<Vec<PositionReport>, String> {
        let mut reports = Vec::new();
        let mut position = game.first.clone();
        while reports.len() <= game.moves.len() {
            let Some(line) = self.lines.front() else { break };
            let ply = reports.len();
            if (line.game, line.ply) != (number, ply) {
                if line.game <= number || ply > 0 {
                    return Err(line.is_wrong(&format!(
                        "game {}, ply {}; expected game {number}, ply {ply}",
                        line.game, line.ply
                    )));
                }
                break;
            }
            let mv = game.moves.get(ply).copied();
            let comment = game.comments.get(ply).map_or("", String::as_str);
            let played = mv.map(|mv| (mv, comment));
            let report = json::read(&line.value, &position, ply, played)
                .map_err(|error| line.is_wrong(&error))?;
            reports.push(report);
            self.lines.pop_front();
            if let Some(mv) = mv {
                position.play(mv);
            }
        }
        Ok(reports)
    }

    /// Are there lines about games that are not in the input?
    ///
    /// # Errors
    /// If there are.
    pub fn finish(&self) -> Result<(), String> {
        match self.lines.front() {
            None => Ok(()),
            Some(line) => Err(line.is_wrong(&format!("there is no game {} any more", line.game))),
        }
    }
}

impl Line {
    fn is_wrong(&self, what: &str) -> String {
        format!("line {}: it belongs to another analysis ({what})", self.number)
    }
}
