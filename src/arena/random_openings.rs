//! Openings drawn at random and kept when a short search finds them even.

use std::collections::HashSet;

use super::openings::Opening;
use super::rng::Rng;
use super::trial::{self, Trial};
use crate::eval::odds::{Odds, odds};
use crate::game::any_size::Game;
use crate::game::symmetry::canonical;
use crate::search::Searcher;
use crate::search::limits::{Control, Limits};
use crate::search::score::ScoreKind;

/// Nodes of the search that judges an opening.
pub const NODES: u64 = 20_000;
/// How far from even an opening may be, in thousandths of the points that its score promises (see
/// [`crate::eval::odds`]). Random moves seldom lead to even positions, and most of those that are not
/// are won by one side whoever plays: half the games of a pair are then wasted.
pub const EVEN: u32 = 100;
/// After so many tries the most even one seen is taken.
pub const TRIES: u32 = 40;
/// After so many tries none is looked for any longer that the stronger side wins.
pub const TRIALS: u32 = 100;
/// Nodes of a first glance, and how far from even it may find an opening that is tried.
const GLANCE: (u64, u32) = (1_000, 3 * EVEN);
/// So many random moves are compared where an opening is led to evenness, each with so many nodes.
const CHOICE: usize = 4;
const LOOK: u64 = 500;
/// So many draws are left to chance.
const UNLED: u32 = 50;
/// After so many draws that gave nothing good no more are made.
const DRAWS: u32 = 600;
/// The table of the search, in MiB.
const HASH: usize = 2;

/// Draws openings one after another; the n-th depends on rule set, plies and seed alone.
#[derive(Debug)]
pub struct Drawer {
    start: Game,
    plies: u32,
    seed: u64,
    searcher: Searcher,
    /// What an opening has to stand beside the search.
    trial: Option<Trial>,
    /// The positions of the openings, up to symmetry.
    seen: HashSet<String>,
    openings: Vec<Opening>,
    /// Nothing new is to be found.
    exhausted: bool,
    notes: Vec<String>,
}

/// An opening that was drawn.
struct Candidate {
    opening: Opening,
    key: String,
    /// How far from even, in thousandths of the points.
    off: u32,
    /// What it was drawn for was found.
    is_good: bool,
}

impl Drawer {
    /// Draws openings of `plies` plies from a seed: even ones, or, with odds, such as the stronger
    /// side wins.
    pub fn new(start: &Game, plies: u32, seed: u64, odds: Option<trial::Odds>) -> Self {
        Self {
            start: start.clone(),
            plies,
            seed,
            searcher: Searcher::new(HASH),
            trial: odds.map(Trial::new),
            seen: HashSet::new(),
            openings: Vec::new(),
            exhausted: false,
            notes: Vec::new(),
        }
    }

    /// The opening of a round, from 0; when there are no new ones the first ones come again.
    pub fn opening(&mut self, round: usize) -> Opening {
        while self.openings.len() <= round && !self.exhausted {
            self.draw();
        }
        let known = self.openings.len().max(1);
        self.openings.get(round % known).cloned().unwrap_or_default()
    }

    /// Has it been found that there are no more?
    pub const fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// What was not as it should be since this was last asked, in words.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    fn draw(&mut self) {
        let number = self.openings.len() + 1;
        let Some(found) = self.candidate(number) else {
            self.exhausted = true;
            self.notes.push(match number {
                1 => format!(
                    "no opening of {} plies was found: games begin at the start",
                    self.plies
                ),
                _ => format!(
                    "only {} different openings of {} plies were found; they are used again",
                    number - 1,
                    self.plies
                ),
            });
            return;
        };
        if !found.is_good {
            self.notes.push(match &self.trial {
                None => format!(
                    "opening {number}: none of {TRIES} tries promised between {} and {} % of \
                     the points; the most even one is {:.1} % off",
                    50 - EVEN / 10,
                    50 + EVEN / 10,
                    f64::from(found.off) / 10.0
                ),
                Some(_) => format!(
                    "opening {number}: from none of {TRIALS} tries the stronger side won, \
                     whichever it was; this is the most even one"
                ),
            });
        }
        self.seen.insert(found.key);
        self.openings.push(found.opening);
    }

    /// The first good opening of a stream that is none of those seen, or the most even of its tries.
    fn candidate(&mut self, number: usize) -> Option<Candidate> {
        let mut rng = Rng::of(&[self.seed, u64::from(self.plies), number as u64]);
        let mut best: Option<Candidate> = None;
        let mut at_a_glance: Option<Candidate> = None;
        let most = if self.trial.is_some() { TRIALS } else { TRIES };
        let mut tries = 0;
        for draw in 0..DRAWS {
            // Where chance hardly ever leads to an even position, it is led there.
            let choice = if draw < UNLED { 1 } else { CHOICE };
            let Some(game) = self.walk(choice, &mut rng) else { continue };
            let key = canonical(&game);
            if self.seen.contains(&key) || best.as_ref().is_some_and(|best| best.key == key) {
                continue;
            }
            let (nodes, even) = GLANCE;
            let off = score(&mut self.searcher, &game, nodes);
            keep_better(&mut at_a_glance, Candidate::new(&game, &key, off, false));
            if off > even {
                continue;
            }
            let off = score(&mut self.searcher, &game, NODES);
            let is_good = match &mut self.trial {
                None => off <= EVEN,
                Some(trial) => off <= even && trial.is_won_by_the_stronger(&game),
            };
            keep_better(&mut best, Candidate::new(&game, &key, off, is_good));
            tries += 1;
            if is_good || tries == most {
                break;
            }
        }
        best.or(at_a_glance)
    }

    /// Moves each of which is the most even of so many random ones; `None` if they end the game.
    fn walk(&mut self, choice: usize, rng: &mut Rng) -> Option<Game> {
        let mut game = self.start.clone();
        for _ in 0..self.plies {
            let mut moves = game.legal_moves();
            // The order in which the engine lists moves may change; the openings must not.
            moves.sort_unstable();
            let mut next = Vec::new();
            for _ in 0..choice {
                let mut after = game.clone();
                after.play(rng.choose(&moves)?);
                next.extend(after.outcome().is_none().then_some(after));
            }
            game = match next.len() {
                0 | 1 => next.pop()?,
                _ => next.into_iter().min_by_key(|game| score(&mut self.searcher, game, LOOK))?,
            };
        }
        Some(game)
    }
}

impl Candidate {
    fn new(game: &Game, key: &str, off: u32, is_good: bool) -> Self {
        let opening = Opening { fen: None, moves: game.moves_made() };
        Self { opening, key: key.to_owned(), off, is_good }
    }
}

/// Keeps a candidate, if it is good or more even than the one there is.
fn keep_better(best: &mut Option<Candidate>, other: Candidate) {
    if best.as_ref().is_none_or(|best| other.is_good || other.off < best.off) {
        *best = Some(other);
    }
}

/// How far from even a short search finds the position, in thousandths of the points.
fn score(searcher: &mut Searcher, game: &Game, nodes: u64) -> u32 {
    searcher.clear();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let score = searcher.search(game, &limits, &Control::new(false), &mut ()).score;
    let odds = match score.kind() {
        ScoreKind::Win(_) => Odds::WON,
        ScoreKind::Loss(_) => Odds::LOST,
        ScoreKind::Centipawns(score) => odds(game.rules(), game.side(), score),
    };
    odds.win.abs_diff(odds.loss) / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variants::variant;

    fn start(id: &str) -> Game {
        Game::start(variant(id).unwrap()).unwrap()
    }

    fn openings(drawer: &mut Drawer, count: usize) -> Vec<Opening> {
        (0..count).map(|round| drawer.opening(round)).collect()
    }

    #[test]
    fn openings_depend_on_the_seed_alone_and_differ() {
        let start = start("brandubh");
        let one = openings(&mut Drawer::new(&start, 4, 7, None), 40);
        // Asked for the last one first, the others are the same.
        let mut other = Drawer::new(&start, 4, 7, None);
        assert_eq!(other.opening(39), one[39]);
        assert_eq!(openings(&mut other, 40), one);
        assert_ne!(openings(&mut Drawer::new(&start, 4, 8, None), 5), one[..5]);
        let keys: HashSet<String> =
            one.iter().map(|opening| canonical(&opening.game(&start))).collect();
        assert_eq!(keys.len(), 40);
        assert!(one.iter().all(|opening| opening.moves.len() == 4));
    }

    #[test]
    fn a_small_supply_is_said_to_be_small() {
        // One ply from the start: forty moves, but only a few up to symmetry.
        let mut drawer = Drawer::new(&start("brandubh"), 1, 1, None);
        let drawn = openings(&mut drawer, 40);
        let different: HashSet<String> = drawn.iter().map(|opening| opening.line(7)).collect();
        assert!((2..40).contains(&different.len()), "{}", different.len());
        assert_eq!(drawn[different.len()], drawn[0]);
        let notes = drawer.take_notes();
        assert!(notes.last().unwrap().contains("different openings"), "{notes:?}");
        assert!(drawer.take_notes().is_empty());
    }

    #[test]
    fn kept_openings_are_even() {
        let start = start("tablut");
        let mut drawer = Drawer::new(&start, 6, 11, None);
        let drawn = openings(&mut drawer, 20);
        let mut searcher = Searcher::new(HASH);
        let mut off = |opening: &Opening| score(&mut searcher, &opening.game(&start), NODES);
        let uneven = drawn.iter().filter(|opening| off(opening) > EVEN).count();
        assert_eq!(uneven, drawer.take_notes().len());
    }
}
