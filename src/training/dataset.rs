//! [`Dataset`]: the positions of files, as features.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use rayon::prelude::*;

use super::record::{Sample, Settings};
use crate::eval::HandMade;
use crate::eval::family::Family;
use crate::game::any_size::Game;
use crate::game::geometry::Geometry;
use crate::game::position::Position;
use crate::with_position;

/// One game in so many is held out of the fit.
const HELD_OUT: u64 = 10;

/// A position as a fit sees it.
#[derive(Clone, Debug)]
pub struct Example {
    /// Numbers of features and how often each is met.
    pub features: Box<[(u16, u16)]>,
    /// How full the board is, 0 to 1.
    pub fullness: f32,
    /// The result for the attackers: 1 won, ½ drawn, 0 lost.
    pub result: f32,
    /// What the search found, in centipawns for the attackers.
    pub score: f32,
}

/// The positions of one family.
#[derive(Debug)]
pub struct Dataset {
    /// The family.
    pub family: Family,
    /// What is learnt.
    pub training: Vec<Example>,
    /// What is only looked at.
    pub held_out: Vec<Example>,
    /// Positions in the files that were not quiet.
    pub unquiet: usize,
}

impl Dataset {
    /// Reads files of positions, and returns one dataset for each family of rule sets.
    ///
    /// # Errors
    /// If a file cannot be read or holds something else (with the line).
    pub fn read(paths: &[PathBuf]) -> anyhow::Result<Vec<Self>> {
        let mut all: Vec<Self> = Vec::new();
        for path in paths {
            let file = Self::read_file(path).with_context(|| path.display().to_string())?;
            match all.iter_mut().find(|other| other.family == file.family) {
                None => all.push(file),
                Some(other) => {
                    other.training.extend(file.training);
                    other.held_out.extend(file.held_out);
                    other.unquiet += file.unquiet;
                }
            }
        }
        Ok(all)
    }

    fn read_file(path: &Path) -> anyhow::Result<Self> {
        let text = fs::read_to_string(path)?;
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let settings = Settings::parse(first).map_err(anyhow::Error::msg).context("line 1")?;
        let rules = settings.rule_set().map_err(anyhow::Error::msg).context("line 1")?;
        let family = Family::of(&rules);
        let start = Game::start(rules)?;
        let mut lines: Vec<&str> = rest.lines().collect();
        // A last line without an end is the rest of an interrupted write.
        if !rest.ends_with('\n') {
            lines.pop();
        }
        let read: Vec<(u64, Option<Example>)> = lines
            .par_iter()
            .enumerate()
            .map(|(i, line)| {
                let (sample, game) = Sample::parse(line, &start)
                    .map_err(|error| anyhow::anyhow!("line {}: {error}", i + 2))?;
                Ok((sample.game, example(&sample, &game)))
            })
            .collect::<anyhow::Result<_>>()?;
        let count = read.len();
        let mut dataset =
            Self { family, training: Vec::new(), held_out: Vec::new(), unquiet: count };
        for (game, example) in read {
            let Some(example) = example else { continue };
            dataset.unquiet -= 1;
            let part = if game % HELD_OUT == HELD_OUT - 1 {
                &mut dataset.held_out
            } else {
                &mut dataset.training
            };
            part.push(example);
        }
        Ok(dataset)
    }
}

/// The features of a quiet position; the search does not judge others.
fn example(sample: &Sample, game: &Game) -> Option<Example> {
    if !game.captured_by(sample.mv).is_empty() {
        return None;
    }
    with_position!(game, position => {
        is_quiet(position).then(|| {
            let judge = HandMade::new(position.tables());
            let features = judge.features(position).into_iter();
            Example {
                features: features.map(|(i, count)| (i as u16, count as u16)).collect(),
                fullness: judge.fullness(position),
                result: sample.result(),
                score: sample.score as f32,
            }
        })
    })
}

/// Can neither side win at once, were it its turn?
fn is_quiet<G: Geometry>(position: &Position<G>) -> bool {
    let (board, tables) = (position.board(), position.tables());
    board.king_exits(tables) == 0 && !board.king_can_be_taken(tables)
}
