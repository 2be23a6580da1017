//! [`Book`]: the openings of a match.

use std::sync::{Mutex, PoisonError};

use super::openings::{Opening, Source, digest, read};
use super::random_openings::Drawer;
use crate::game::any_size::Game;

/// So many drawn openings tell one list from another.
const DIGESTED: usize = 8;

/// Openings that are known or drawn when they are needed.
#[derive(Debug)]
pub enum Book {
    /// A list.
    Listed(Vec<Opening>),
    /// Drawn at random.
    Drawn(Box<Mutex<Drawer>>),
}

impl Book {
    /// The openings of a source.
    ///
    /// # Errors
    /// If a file cannot be read or does not fit the rule set.
    pub fn open(source: &Source, start: &Game) -> Result<Self, String> {
        Ok(match source {
            Source::Start => Self::Listed(vec![Opening::default()]),
            Source::Named(name) => Self::Listed(read(name, start)?),
            Source::Random { plies, seed } => {
                Self::Drawn(Box::new(Mutex::new(Drawer::new(start, *plies, *seed, None))))
            }
        })
    }

    /// What tells these openings from others.
    pub fn digest(&self, size: usize) -> u64 {
        match self {
            Self::Listed(openings) => digest(openings, size),
            Self::Drawn(drawer) => {
                let openings: Vec<Opening> = (0..DIGESTED)
                    .map(|round| draw(drawer, round, |_| ()))
                    .map(|drawn| drawn.0)
                    .collect();
                digest(&openings, size)
            }
        }
    }

    /// The opening of a round, from 0, and what is to be said about it.
    pub fn opening(&self, round: usize) -> (Opening, Vec<String>) {
        match self {
            Self::Listed(list) => {
                let opening = list.get(round % list.len().max(1)).cloned();
                (opening.unwrap_or_default(), Vec::new())
            }
            Self::Drawn(drawer) => draw(drawer, round, Drawer::take_notes),
        }
    }

    /// How many there are, if that is known.
    pub const fn count(&self) -> Option<usize> {
        match self {
            Self::Listed(list) => Some(list.len()),
            Self::Drawn(_) => None,
        }
    }
}

/// Draws the opening of a round and asks the drawer something.
fn draw<T: Default + Send>(
    drawer: &Mutex<Drawer>,
    round: usize,
    ask: impl FnOnce(&mut Drawer) -> T + Send,
) -> (Opening, T) {
    let mut drawer = drawer.lock().unwrap_or_else(PoisonError::into_inner);
    let drawer: &mut Drawer = &mut drawer;
    // The search that judges openings uses rayon. A thread of the pool that waits for rayon takes up
    // other work, here the next game, which would wait for this lock: so the search gets a thread
    // that is none of the pool's.
    let drawn =
        std::thread::scope(|scope| scope.spawn(|| (drawer.opening(round), ask(drawer))).join());
    drawn.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variants::variant;

    #[test]
    fn games_side_by_side_may_draw_openings() {
        let start = Game::start(variant("brandubh").unwrap()).unwrap();
        let book = Book::open(&Source::Random { plies: 4, seed: 5 }, &start).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(8).build().unwrap();
        let (sender, drawn) = std::sync::mpsc::channel();
        // As the runner does it: each task of the pool draws many.
        pool.in_place_scope(|scope| {
            for task in 0..64 {
                let (book, sender) = (&book, sender.clone());
                scope.spawn(move |_| {
                    for round in (task..128).step_by(64) {
                        sender.send((round, book.opening(round).0)).unwrap();
                    }
                });
            }
        });
        drop(sender);
        for (round, opening) in drawn {
            assert_eq!(opening, book.opening(round).0);
        }
    }

    #[test]
    fn digests_tell_books_apart() {
        let start = Game::start(variant("brandubh").unwrap()).unwrap();
        let digest = |source: &str| {
            let source = Source::parse(source, || 0).unwrap();
            Book::open(&source, &start).unwrap().digest(start.size())
        };
        assert_eq!(digest("random:4:5"), digest("random:4:5"));
        assert_ne!(digest("random:4:5"), digest("random:4:6"));
        assert_ne!(digest("startpos"), digest("brandubh"));
    }
}
