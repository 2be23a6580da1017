//! `konakis diagram`: a position as a picture.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail, ensure};
use clap::Args;

use super::analyse::SourceArgs;
use super::coloured;
use super::effort::EffortArgs;
use super::input::{Input, name_of};
use super::picture::{Heat, Picture};
use super::svg;
use crate::game::any_size::Game;
use crate::game::explain;
use crate::game::moves::Move;
use crate::search::limits::{Control, Info, Limits, Reporter};
use crate::search::score::Score;

/// What `konakis diagram` is told.
#[derive(Args, Clone, Debug)]
pub struct DiagramArgs {
    /// The position [default: the start of the rule set]
    #[arg(num_args = 0.., conflicts_with = "game")]
    fen: Vec<String>,
    /// Show a position of a game record, in any format that konakis analyse reads
    #[arg(long, value_name = "FILE")]
    game: Option<String>,
    /// Which game of the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1, requires = "game")]
    number: usize,
    /// The position after so many plies [default: the last one]
    #[arg(long, value_name = "N", requires = "game")]
    ply: Option<usize>,
    #[command(flatten)]
    source: SourceArgs,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Text in place of SVG: in colours on a terminal, unless NO_COLOR is set
    #[arg(long)]
    text: bool,
    /// Mark the squares of this move as the last one [default: the record's]
    #[arg(long, value_name = "MOVE")]
    last: Option<String>,
    /// Draw an arrow; may be given more than once
    #[arg(long, value_name = "MOVE")]
    arrow: Vec<String>,
    /// Draw an arrow for the best move that the engine finds
    #[arg(long)]
    best: bool,
    /// Colour the squares to which the engine's N best moves go, red for the best
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    heat: Option<u16>,
    /// Colour the squares of these moves by these scores for the side to move, in centipawns:
    /// 'e3d3=35,e4d4=-20'
    #[arg(long, value_name = "MOVES", conflicts_with = "heat", allow_hyphen_values = true)]
    heat_moves: Option<String>,
    #[command(flatten)]
    effort: EffortArgs,
}

impl DiagramArgs {
    /// Draws the picture.
    ///
    /// # Errors
    /// If position, moves or file are wrong, or the picture cannot be written.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        self.refuse_own_input()?;
        let picture = self.picture()?;
        match (&self.out, self.text) {
            (None, false) => {
                let mut out = io::stdout().lock();
                out.write_all(svg::svg(&picture).as_bytes())?;
                out.flush()?;
            }
            (None, true) => {
                let mut out = anstream::stdout().lock();
                for line in coloured::lines(&picture) {
                    writeln!(out, "{line}")?;
                }
                out.flush()?;
            }
            (Some(path), is_text) => {
                let content = if is_text {
                    let lines = coloured::lines(&picture).join("\n") + "\n";
                    anstream::adapter::strip_str(&lines).to_string()
                } else {
                    svg::svg(&picture)
                };
                std::fs::write(path, content)
                    .with_context(|| format!("{} cannot be written", path.display()))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The record that is shown is not written over.
    fn refuse_own_input(&self) -> anyhow::Result<()> {
        let (Some(game), Some(out)) = (&self.game, &self.out) else { return Ok(()) };
        let same = match (Path::new(game).canonicalize(), out.canonicalize()) {
            (Ok(game), Ok(out)) => game == out,
            _ => false,
        };
        ensure!(!same, "--out {} is the record itself; expected another file", out.display());
        Ok(())
    }

    fn picture(&self) -> anyhow::Result<Picture> {
        let mut picture = Picture::new(self.position()?);
        let game = &picture.game;
        if let Some(text) = &self.last {
            picture.last = Some(last_move(game, text)?);
        }
        for text in &self.arrow {
            picture.arrows.push(legal(game, text).context("--arrow")?);
        }
        if let Some(text) = &self.heat_moves {
            picture.heat = given_heat(game, text).context("--heat-moves")?;
        }
        if self.best || self.heat.is_some() {
            let count = self.heat.map_or(1, usize::from);
            let lines = self.think(game, count)?;
            if self.best {
                picture.arrows.extend(lines.first().map(|heat| heat.mv));
            }
            if self.heat.is_some() {
                picture.heat = lines;
            }
        }
        Ok(picture)
    }

    fn position(&self) -> anyhow::Result<Game> {
        if let Some(file) = &self.game {
            return self.recorded_position(file);
        }
        let start = Game::start(self.source.or_default()?)?;
        match self.fen.as_slice() {
            [] => Ok(start),
            words => Ok(start.with_fen(&words.join(" "))?),
        }
    }

    /// A position of a game of a file.
    fn recorded_position(&self, file: &str) -> anyhow::Result<Game> {
        let mut games = Input::read(file, self.source.format, self.source.chosen()?)?;
        let (name, count) = (name_of(file), games.games());
        ensure!(count > 0, "{name}: there is no game in it");
        ensure!(
            (1..=count).contains(&self.number),
            "--number {}: {name} holds {count} games",
            self.number
        );
        let found = games.find(|(number, _)| *number == self.number);
        let (_, game) = found.with_context(|| format!("{name}: there is no such game"))?;
        let game = game.map_err(|error| anyhow!("{name}: {error}"))?;
        let plies = game.moves.len();
        let ply = self.ply.unwrap_or(plies);
        ensure!(ply <= plies, "--ply {ply}: the game has {plies} plies");
        let mut position = game.first;
        game.moves.iter().take(ply).for_each(|&mv| position.play(mv));
        Ok(position)
    }

    /// The best moves that the engine finds, best first.
    fn think(&self, game: &Game, count: usize) -> anyhow::Result<Vec<Heat>> {
        let mut searcher = self.effort.searcher()?;
        let limits = Limits { multi_pv: count, ..self.effort.limits() };
        let mut lines = Lines::default();
        searcher.search(game, &limits, &Control::new(false), &mut lines);
        Ok(lines.0.into_iter().flatten().collect())
    }
}

/// The last report of each line.
#[derive(Default)]
struct Lines(Vec<Option<Heat>>);

impl Reporter for Lines {
    fn info(&mut self, info: &Info) {
        let at = info.multi_pv.saturating_sub(1);
        if self.0.len() <= at {
            self.0.resize(at + 1, None);
        }
        if let Some(line) = self.0.get_mut(at) {
            *line = info.pv.first().map(|&mv| Heat { mv, score: info.score });
        }
    }
}

/// A move that is legal in the position.
fn legal(game: &Game, text: &str) -> anyhow::Result<Move> {
    game.read_move(text).map_err(|_| anyhow!("'{text}': {}", explain::why(game, text)))
}

/// A move that may have brought the position about: to a square with a piece of the side not to move,
/// from an empty one.
fn last_move(game: &Game, text: &str) -> anyhow::Result<Move> {
    let Some(mv) = Move::parse(text, game.size()) else {
        bail!("--last '{text}': that is no move; expected two squares of this board, such as e5e8");
    };
    let (from, to) = (mv.from.on(game.size()), mv.to.on(game.size()));
    ensure!(
        game.piece_at(mv.from).is_none(),
        "--last '{text}': {from}, which the move has left, is not empty"
    );
    let mover = game.piece_at(mv.to).map(|kind| kind.side());
    ensure!(
        mover == Some(game.side().other()),
        "--last '{text}': on {to} there is no piece of the {}, who have just moved",
        game.side().other().name()
    );
    Ok(mv)
}

/// Moves with their scores, as `e3d3=35,e4d4=-20`.
fn given_heat(game: &Game, text: &str) -> anyhow::Result<Vec<Heat>> {
    let item = |item: &str| {
        let (mv, score) = item
            .split_once('=')
            .with_context(|| format!("'{item}'; expected MOVE=CENTIPAWNS, such as e3d3=35"))?;
        let mv = legal(game, mv.trim())?;
        let score: i32 = score.trim().parse().map_err(|_| {
            anyhow!("'{}' is no number of centipawns; expected one such as 35 or -20", score.trim())
        })?;
        Ok(Heat { mv, score: Score::centipawns(score) })
    };
    text.split(',').map(|part| item(part.trim())).collect()
}
