//! An AND/OR prover that plays out every answer to every move it claims to win: nothing of the
//! search is in it, so that it can judge the search's proofs.

use std::collections::HashMap;

use konakis::game::any_size::Game;
use konakis::game::moves::Move;
use konakis::game::rules::Side;
use konakis::search::Searcher;
use konakis::search::limits::Limits;
use konakis::search::score::ScoreKind;

use crate::{nodes, search_with};

/// Wins so short are found by trying all moves.
const BY_TRYING: u32 = 3;
/// Nodes for each question to the adviser.
const ADVICE: u64 = 300_000;

/// Repetition has no part in what it proves: the shortest way to win passes no position twice, and
/// none of the games that it is asked about has a past.
#[derive(Default)]
pub struct Prover {
    /// For positions and plies: does the side to move win within so many?
    known: HashMap<(u64, u32), bool>,
    /// For the side to move and the plies: what won, or refuted, last. Only the order rests on it.
    killers: HashMap<(Side, u32), Vec<Move>>,
    /// Names the move to try where a win takes more than [`BY_TRYING`] plies. Bad advice costs the
    /// proof, never its truth.
    adviser: Option<Searcher>,
}

impl Prover {
    /// Tries all moves at each turn: says of every position exactly whether it is won within some
    /// plies. For few plies.
    pub fn exact() -> Self {
        Self::default()
    }

    /// Tries the one move that a search recommends where a win takes longer, against all answers:
    /// what it proves is true, what it does not prove may be true as well.
    pub fn advised() -> Self {
        Self { adviser: Some(Searcher::new(4)), ..Self::default() }
    }

    /// Does the side to move force a win within so many plies?
    pub fn wins(&mut self, game: &mut Game, plies: u32) -> bool {
        if plies == 0 {
            return false;
        }
        let key = (game.key(), plies);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let side = game.side();
        let winner = if self.adviser.is_some() && plies > BY_TRYING {
            self.wins(game, BY_TRYING).then_some(None).or_else(|| {
                let mv = self.advice(game, plies)?;
                self.wins_by(game, mv, plies).then_some(None)
            })
        } else {
            let moves = self.ordered(game, plies);
            moves.into_iter().find(|&mv| self.wins_by(game, mv, plies)).map(Some)
        };
        self.note(side, plies, winner.flatten());
        self.known.insert(key, winner.is_some());
        winner.is_some()
    }

    /// Does the move force a win within so many plies, itself included?
    pub fn wins_by(&mut self, game: &mut Game, mv: Move, plies: u32) -> bool {
        let us = game.side();
        game.play(mv);
        let wins = match game.outcome() {
            Some(outcome) => outcome.winner == Some(us),
            None => plies >= 3 && self.loses(game, plies - 1),
        };
        game.undo();
        wins
    }

    /// Does the side to move lose within so many plies by this move, itself included?
    pub fn loses_by(&mut self, game: &mut Game, mv: Move, plies: u32) -> bool {
        let us = game.side();
        game.play(mv);
        let loses = match game.outcome() {
            Some(outcome) => outcome.winner == Some(us.other()),
            None => self.wins(game, plies - 1),
        };
        game.undo();
        loses
    }

    /// Does the side to move lose within so many plies, whatever it does?
    pub fn loses(&mut self, game: &mut Game, plies: u32) -> bool {
        let moves = self.ordered(game, plies);
        let refutation = moves.into_iter().find(|&mv| !self.loses_by(game, mv, plies));
        self.note(game.side(), plies, refutation);
        refutation.is_none()
    }

    /// What a search takes for a win within so many plies.
    fn advice(&mut self, game: &Game, plies: u32) -> Option<Move> {
        let searcher = self.adviser.as_mut()?;
        let fresh = game.with_fen(&game.fen()).unwrap();
        // The first may stop at a longer win, the second before it finds one.
        [nodes(ADVICE), Limits { mate: Some(plies), ..nodes(ADVICE) }].iter().find_map(|limits| {
            let (found, _) = search_with(searcher, &fresh, limits);
            found.best.filter(|_| matches!(found.score.kind(), ScoreKind::Win(n) if n <= plies))
        })
    }

    fn ordered(&self, game: &Game, plies: u32) -> Vec<Move> {
        let mut moves = game.legal_moves();
        if let Some(killers) = self.killers.get(&(game.side(), plies)) {
            let rank = |mv: &Move| killers.iter().position(|killer| killer == mv);
            moves.sort_by_key(|mv| rank(mv).unwrap_or(killers.len()));
        }
        moves
    }

    fn note(&mut self, side: Side, plies: u32, mv: Option<Move>) {
        let Some(mv) = mv else { return };
        let killers = self.killers.entry((side, plies)).or_default();
        killers.retain(|&killer| killer != mv);
        killers.insert(0, mv);
        killers.truncate(6);
    }
}
