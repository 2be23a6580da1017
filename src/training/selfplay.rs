//! One game of the engine against itself, from a random opening or from some ply of a line of play.

use super::record::{Sample, Settings};
use crate::arena::openings::Opening;
use crate::arena::rng::Rng;
use crate::game::any_size::Game;
use crate::game::moves::Move;
use crate::game::outcome::Outcome;
use crate::game::rules::Side;
use crate::search::Searcher;
use crate::search::limits::{Control, Limits};
use crate::search::score::{Score, ScoreKind};

/// The table of each search, in MiB: the searches are small.
const HASH: usize = 1;

/// After so many draws of an opening that end or decide the game the last one is played all the same.
const TRIES: u32 = 50;

/// A game that lasts so many plies for each square on a side of the board is a draw.
const PLIES_PER_LINE: usize = 20;

/// The score of a proven win, in centipawns.
const PROVEN: i32 = 2_000;

/// Where games begin.
#[derive(Clone, Debug)]
pub struct Beginnings {
    /// The start position of the rule set.
    pub start: Game,
    /// Lines of play; without any, games begin with random plies.
    pub lines: Vec<Opening>,
}

impl Beginnings {
    /// The position after so many plies of one of the lines, or of a random walk.
    fn after(&self, plies: u32, rng: &mut Rng) -> Game {
        let lines: Vec<&Opening> = self.lines.iter().collect();
        let Some(line) = rng.choose(&lines) else { return walk(&self.start, plies, rng) };
        let mut line = line.clone();
        line.moves.truncate(plies as usize);
        line.game(&self.start)
    }
}

/// Plays games one after another.
#[derive(Debug)]
pub struct Player {
    searcher: Searcher,
}

impl Default for Player {
    fn default() -> Self {
        Self { searcher: Searcher::new(HASH) }
    }
}

impl Player {
    /// Plays the game of this number and returns its positions, random plies left out. The game
    /// depends on settings and number alone. `None` if `control` says stop.
    pub fn play(
        &mut self,
        beginnings: &Beginnings,
        settings: &Settings,
        number: u64,
        control: &Control,
    ) -> Option<Vec<Sample>> {
        self.searcher.clear();
        let mut game = self.opening(beginnings, settings, number, control)?;
        let mut samples = Vec::new();
        let winner = loop {
            if let Some(Outcome { winner, .. }) = game.outcome() {
                break winner;
            }
            if game.plies() >= PLIES_PER_LINE * game.size() {
                break None;
            }
            let (mv, score) = self.search(&game, settings, control)?;
            let side = game.side();
            let for_mover = match score.kind() {
                ScoreKind::Win(plies) if plies <= 1 => break Some(side),
                ScoreKind::Loss(plies) if plies <= 2 => break Some(side.other()),
                // Others that are proven are played on: a judgement must know them too.
                ScoreKind::Win(_) => PROVEN,
                ScoreKind::Loss(_) => -PROVEN,
                ScoreKind::Centipawns(score) => score.clamp(-PROVEN, PROVEN),
            };
            let score = if side == Side::Attackers { for_mover } else { -for_mover };
            let (ply, fen) = (game.plies() as u32, game.fen());
            samples.push(Sample { game: number, ply, winner: None, score, mv, fen });
            game.play(mv);
        };
        for sample in &mut samples {
            sample.winner = winner;
        }
        Some(samples)
    }

    /// A position to begin with in which no short search proves a win.
    fn opening(
        &mut self,
        beginnings: &Beginnings,
        settings: &Settings,
        number: u64,
        control: &Control,
    ) -> Option<Game> {
        let mut rng = Rng::of(&[settings.seed, number]);
        let (least, most) = settings.random;
        let mut game = beginnings.start.clone();
        for _ in 0..TRIES {
            let plies: Vec<u32> = (least..=most.max(least)).collect();
            game = beginnings.after(rng.choose(&plies)?, &mut rng);
            if game.outcome().is_some() {
                continue;
            }
            let (_, score) = self.search(&game, settings, control)?;
            if !score.is_proven() {
                break;
            }
        }
        Some(game)
    }

    fn search(
        &mut self,
        game: &Game,
        settings: &Settings,
        control: &Control,
    ) -> Option<(Move, Score)> {
        let (attackers, defenders) = settings.nodes;
        let nodes = if game.side() == Side::Attackers { attackers } else { defenders };
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let found = self.searcher.search(game, &limits, control, &mut ());
        if control.is_stopped() {
            return None;
        }
        Some((found.best?, found.score))
    }
}

/// Random moves, fewer if the game ends before.
fn walk(start: &Game, plies: u32, rng: &mut Rng) -> Game {
    let mut game = start.clone();
    for _ in 0..plies {
        let mut moves = game.legal_moves();
        // The order in which the engine lists moves may change; the openings must not.
        moves.sort_unstable();
        let Some(mv) = rng.choose(&moves) else { break };
        game.play(mv);
        if game.outcome().is_some() {
            break;
        }
    }
    game
}
