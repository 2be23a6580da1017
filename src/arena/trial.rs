//! [`Trial`]: does the stronger side win from here, whichever side that is?
//!
//! Where one side wins whoever plays, a pair of games says nothing about the engines. Games of the
//! engine against itself at odds show that before a match does.

use crate::game::any_size::Game;
use crate::game::rules::Side;
use crate::search::Searcher;
use crate::search::limits::{Control, Limits};
use crate::search::score::ScoreKind;

/// A game that lasts so many plies for each square on a side of the board is a draw.
const PLIES_PER_LINE: usize = 20;
/// The table of each search, in MiB: the searches are small.
const HASH: usize = 1;

/// Nodes a move of the stronger and of the weaker side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Odds {
    /// The more.
    pub more: u64,
    /// The fewer.
    pub fewer: u64,
}

impl Odds {
    /// Reads `MORE:FEWER`.
    ///
    /// # Errors
    /// Says what was expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        let read = || {
            let (more, fewer) = text.split_once(':')?;
            Some(Self { more: more.parse().ok()?, fewer: fewer.parse().ok()? })
        };
        read()
            .filter(|odds| odds.fewer > 0 && odds.more > odds.fewer)
            .ok_or_else(|| "expected more nodes and fewer, such as 16000:2000".to_owned())
    }
}

/// Plays the games of trials.
#[derive(Debug)]
pub struct Trial {
    odds: Odds,
    /// One for each side, so that neither sees what the other has found.
    searchers: [Searcher; 2],
}

impl Trial {
    /// Trials at these odds.
    pub fn new(odds: Odds) -> Self {
        Self { odds, searchers: [Searcher::new(HASH), Searcher::new(HASH)] }
    }

    /// Does each side win from this position when it is given more nodes than the other? What comes
    /// out depends on the position and the odds alone.
    pub fn is_won_by_the_stronger(&mut self, game: &Game) -> bool {
        let sides = [Side::Attackers, Side::Defenders];
        sides.into_iter().all(|stronger| self.winner(game, stronger) == Some(stronger))
    }

    fn winner(&mut self, game: &Game, stronger: Side) -> Option<Side> {
        self.searchers.iter_mut().for_each(Searcher::clear);
        let mut game = game.clone();
        let longest = game.plies() + PLIES_PER_LINE * game.size();
        while game.plies() < longest {
            if let Some(outcome) = game.outcome() {
                return outcome.winner;
            }
            let side = game.side();
            let nodes = if side == stronger { self.odds.more } else { self.odds.fewer };
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let searcher = &mut self.searchers[side as usize];
            let found = searcher.search(&game, &limits, &Control::new(false), &mut ());
            match found.score.kind() {
                ScoreKind::Win(_) => return Some(side),
                ScoreKind::Loss(_) => return Some(side.other()),
                ScoreKind::Centipawns(_) => game.play(found.best?),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variants::variant;

    #[test]
    fn odds_are_read() {
        assert_eq!(Odds::parse("16000:2000"), Ok(Odds { more: 16_000, fewer: 2_000 }));
        for wrong in ["", "5", "5:5", "5:9", "9:0", "a:b", "9:5:3", "-9:5"] {
            assert!(Odds::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn who_has_won_already_wins_at_all_odds() {
        let start = Game::start(variant("brandubh").unwrap()).unwrap();
        let mut trial = Trial::new(Odds { more: 400, fewer: 100 });
        // The king is one move from a corner, the defenders are to move.
        let won = start.with_fen("3a3/3a3/7/aa3aa/3d3/3a3/k2a3 d").unwrap();
        assert_eq!(trial.winner(&won, Side::Attackers), Some(Side::Defenders));
        assert!(!trial.is_won_by_the_stronger(&won));
    }
}
