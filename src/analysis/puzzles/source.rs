//! Where the games come from: files, or the engine against itself.

use crate::analysis::analyse::SourceArgs;
use crate::analysis::input::{Input, name_of};
use crate::arena::console::tell;
use crate::arena::rng::Rng;
use crate::game::any_size::Game;
use crate::game::moves::Move;
use crate::game::rules::Side;
use crate::notation::recorded::RecordedGame;
use crate::search::Searcher;
use crate::search::limits::{Control, Limits};

/// Positions of a game that are looked at, the last ones.
const LAST: usize = 16;
/// Nodes of a move of the engine against itself, one of these for each side of a game: the
/// attackers', the defenders'. Who has fewer makes mistakes.
const ATTACKERS: [u64; 2] = [400, 1500];
const DEFENDERS: [u64; 3] = [100, 400, 1500];
/// Random plies at the beginning, and one move in so many after that.
const OPENING: [usize; 5] = [2, 3, 4, 5, 6];
const SLIPS: [u64; 3] = [u64::MAX, 25, 10];
/// A game of so many plies for each square on a side of the board ends undecided.
const PLIES_A_LINE: usize = 18;
/// The table of the engine, in MiB.
const HASH: usize = 1;

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// Where it is from.
    pub source: String,
    /// Where it began.
    pub start: Game,
    /// Its moves.
    pub moves: Vec<Move>,
    /// Plies before the first position that is looked at.
    pub first: usize,
}

impl Played {
    /// The positions before a move, latest first, without a past; each with the plies before it.
    pub fn positions(&self) -> Vec<(usize, Game)> {
        let mut game = self.start.clone();
        let mut positions = Vec::new();
        for (ply, &mv) in self.moves.iter().enumerate() {
            if ply >= self.first
                && let Ok(fresh) = game.with_fen(&game.fen())
            {
                positions.push((ply, fresh));
            }
            game.play(mv);
        }
        positions.reverse();
        positions
    }
}

/// Games, one after another.
pub struct Games {
    kind: Kind,
}

enum Kind {
    Own(Box<OwnGames>),
    Recorded { games: std::vec::IntoIter<(String, Result<RecordedGame, String>)>, broken: bool },
}

impl Games {
    /// The games of files or, without any, the engine's own, `most` of them.
    ///
    /// # Errors
    /// If a file cannot be read, or the rule set is wrong.
    pub fn new(files: &[String], rules: &SourceArgs, seed: u64, most: u64) -> anyhow::Result<Self> {
        if files.is_empty() {
            let start = Game::start(rules.or_default()?)?;
            let own = OwnGames { start, seed, most, next: 1, searcher: Searcher::new(HASH) };
            return Ok(Self { kind: Kind::Own(Box::new(own)) });
        }
        let chosen = rules.chosen()?;
        let mut games = Vec::new();
        for file in files {
            let name = name_of(file);
            let read = Input::read(file, rules.format, chosen.clone())?;
            games.extend(read.map(|(number, game)| {
                let game = game.map_err(|error| format!("{name}: game {number}, {error}"));
                (format!("{name}, game {number}"), game)
            }));
        }
        Ok(Self { kind: Kind::Recorded { games: games.into_iter(), broken: false } })
    }

    /// The next game; none if there is none left, or if `control` says stop. A broken one is
    /// reported on standard error and left out.
    pub fn next(&mut self, control: &Control) -> Option<Played> {
        let mut game = match &mut self.kind {
            Kind::Own(own) => own.next(control)?,
            Kind::Recorded { games, broken } => loop {
                let (source, game) = games.next()?;
                match game {
                    Ok(game) => {
                        let (start, moves) = (game.first, game.moves);
                        break Played { source, start, moves, first: 0 };
                    }
                    Err(error) => {
                        tell(format_args!("error: {error}"));
                        *broken = true;
                    }
                }
            },
        };
        // The beginning of a game is rarely decided.
        game.first = game.moves.len().saturating_sub(LAST);
        Some(game)
    }

    /// Was there a broken game?
    pub fn had_broken(&self) -> bool {
        matches!(self.kind, Kind::Recorded { broken: true, .. })
    }
}

/// The engine against itself.
struct OwnGames {
    start: Game,
    seed: u64,
    most: u64,
    /// The number of the next game, from 1.
    next: u64,
    searcher: Searcher,
}

impl OwnGames {
    fn next(&mut self, control: &Control) -> Option<Played> {
        if self.next > self.most {
            return None;
        }
        let number = self.next;
        self.next += 1;
        let mut rng = Rng::of(&[self.seed, number]);
        let nodes = (rng.choose(&ATTACKERS)?, rng.choose(&DEFENDERS)?);
        let (opening, slip) = (rng.choose(&OPENING)?, rng.choose(&SLIPS)?);
        self.searcher.clear();
        let mut game = self.start.clone();
        while game.outcome().is_none() && game.plies() < PLIES_A_LINE * game.size() {
            let random = game.plies() < opening || rng.draw().is_multiple_of(slip);
            let mv = if random {
                let mut moves = game.legal_moves();
                // The order in which moves are listed may change; the games must not.
                moves.sort_unstable();
                rng.choose(&moves)
            } else {
                let nodes = if game.side() == Side::Attackers { nodes.0 } else { nodes.1 };
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                self.searcher.search(&game, &limits, control, &mut ()).best
            };
            if control.is_stopped() {
                return None;
            }
            game.play(mv?);
        }
        let source = format!("self-play, seed {}, game {number}", self.seed);
        let (start, moves) = (self.start.clone(), game.moves_made());
        Some(Played { source, start, moves, first: 0 })
    }
}
