//! Openings drawn at random and kept when a short search finds them even.

use std::collections::HashSet;

use super::openings::Opening;
use super::rng::Rng;
use crate::game::any_size::Game;
use crate::game::symmetry::canonical;
use crate::search::Searcher;
use crate::search::limits::{Control, Limits};

/// Nodes of the search that judges an opening.
pub const NODES: u64 = 20_000;
/// How far from even an opening may be, in centipawns. Random moves seldom lead to even positions,
/// and most of those that are not are won by one side whoever plays: half the games of a pair are
/// then wasted.
pub const EVEN: i32 = 60;
/// After so many tries the most even one seen is taken.
pub const TRIES: u32 = 8;
/// Nodes of a first glance, and how far from even it may find an opening that is tried.
const GLANCE: (u64, i32) = (1_000, 4 * EVEN);
/// After so many draws that gave nothing new there is nothing new.
const DRAWS: u32 = 400;
/// The table of the search, in MiB.
const HASH: usize = 2;

/// Draws openings one after another; the n-th depends on rule set, plies and seed alone.
#[derive(Debug)]
pub struct Drawer {
    start: Game,
    plies: u32,
    seed: u64,
    searcher: Searcher,
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
    /// Centipawns from even.
    off: i32,
}

impl Drawer {
    /// Draws openings of `plies` plies from a seed.
    pub fn new(start: &Game, plies: u32, seed: u64) -> Self {
        Self {
            start: start.clone(),
            plies,
            seed,
            searcher: Searcher::new(HASH),
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
        if found.off > EVEN {
            self.notes.push(format!(
                "opening {number}: none of {TRIES} tries was within {EVEN} centipawns; the most \
                 even one is {} off",
                found.off
            ));
        }
        self.seen.insert(found.key);
        self.openings.push(found.opening);
    }

    /// The first even opening of a stream that is none of those seen, or the most even of its
    /// tries.
    fn candidate(&mut self, number: usize) -> Option<Candidate> {
        let mut rng = Rng::of(&[self.seed, u64::from(self.plies), number as u64]);
        let mut best: Option<Candidate> = None;
        let mut at_a_glance: Option<Candidate> = None;
        let mut tries = 0;
        for _ in 0..DRAWS {
            let Some(game) = walk(&self.start, self.plies, &mut rng) else { continue };
            let key = canonical(&game);
            if self.seen.contains(&key) || best.as_ref().is_some_and(|best| best.key == key) {
                continue;
            }
            let (nodes, even) = GLANCE;
            let off = score(&mut self.searcher, &game, nodes);
            keep_more_even(&mut at_a_glance, &game, &key, off);
            if off > even {
                continue;
            }
            let off = score(&mut self.searcher, &game, NODES);
            keep_more_even(&mut best, &game, &key, off);
            tries += 1;
            if off <= EVEN || tries == TRIES {
                break;
            }
        }
        best.or(at_a_glance)
    }
}

/// Keeps a game as the candidate, if it is more even than the one there is.
fn keep_more_even(best: &mut Option<Candidate>, game: &Game, key: &str, off: i32) {
    if best.as_ref().is_none_or(|best| off < best.off) {
        let opening = Opening { fen: None, moves: game.moves_made() };
        *best = Some(Candidate { opening, key: key.to_owned(), off });
    }
}

/// Random moves; `None` if they end the game.
fn walk(start: &Game, plies: u32, rng: &mut Rng) -> Option<Game> {
    let mut game = start.clone();
    for _ in 0..plies {
        let mut moves = game.legal_moves();
        // The order in which the engine lists moves may change; the openings must not.
        moves.sort_unstable();
        game.play(rng.choose(&moves)?);
        if game.outcome().is_some() {
            return None;
        }
    }
    Some(game)
}

/// How far from even a short search finds the position, in centipawns.
fn score(searcher: &mut Searcher, game: &Game, nodes: u64) -> i32 {
    searcher.clear();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    searcher.search(game, &limits, &Control::new(false), &mut ()).score.value().abs()
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
        let one = openings(&mut Drawer::new(&start, 4, 7), 40);
        // Asked for the last one first, the others are the same.
        let mut other = Drawer::new(&start, 4, 7);
        assert_eq!(other.opening(39), one[39]);
        assert_eq!(openings(&mut other, 40), one);
        assert_ne!(openings(&mut Drawer::new(&start, 4, 8), 5), one[..5]);
        let keys: HashSet<String> =
            one.iter().map(|opening| canonical(&opening.game(&start))).collect();
        assert_eq!(keys.len(), 40);
        assert!(one.iter().all(|opening| opening.moves.len() == 4));
    }

    #[test]
    fn a_small_supply_is_said_to_be_small() {
        // One ply from the start: forty moves, but only a few up to symmetry.
        let mut drawer = Drawer::new(&start("brandubh"), 1, 1);
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
        let mut drawer = Drawer::new(&start, 6, 11);
        let drawn = openings(&mut drawer, 20);
        let mut searcher = Searcher::new(HASH);
        let mut off = |opening: &Opening| score(&mut searcher, &opening.game(&start), NODES);
        let uneven = drawn.iter().filter(|opening| off(opening) > EVEN).count();
        assert_eq!(uneven, drawer.take_notes().len());
    }
}
