//! [`Position`]: a board under its rules with its past, which is what a game needs.

mod past;

use std::sync::Arc;

use super::board::{Board, Undo};
use super::fen::{self, FenError};
use super::geometry::{Geometry, Square};
use super::moves::Move;
use super::outcome::{Call, Outcome, Reason};
use super::rules::{Kind, RepetitionResult, Rules, Side};
use super::tables::RuleTables;

/// A position in a game: the board, its rules and how it came about.
#[derive(Clone, Debug)]
pub struct Position<G: Geometry> {
    tables: Arc<RuleTables<G>>,
    board: Board<G>,
    /// The moves since the first position and what they changed.
    past: Vec<Step<G>>,
    /// Moves since the last capture or, without one, since the first position.
    quiet: usize,
}

#[derive(Clone, Debug)]
struct Step<G: Geometry> {
    undo: Undo<G::Bits>,
    /// [`Position::quiet`] before the move.
    quiet: usize,
}

impl<G: Geometry> Position<G> {
    /// The start position.
    ///
    /// # Errors
    /// If the start position of a rule set somebody wrote is not a legal board.
    pub fn start(tables: Arc<RuleTables<G>>) -> Result<Self, FenError> {
        let start = tables.rules.start.clone();
        Self::from_fen(tables, &start)
    }

    /// The position of a FEN.
    ///
    /// # Errors
    /// Says what is wrong, with rank and file, and what would be right.
    pub fn from_fen(tables: Arc<RuleTables<G>>, text: &str) -> Result<Self, FenError> {
        let (pieces, side) = fen::parse(text, &tables.rules)?;
        let mut board = Board::empty(side);
        for (kind, square) in pieces {
            board.put(kind, square);
        }
        Ok(Self { tables, board, past: Vec::new(), quiet: 0 })
    }

    /// The position of a FEN under the same rules.
    ///
    /// # Errors
    /// As [`Position::from_fen`].
    pub fn with_fen(&self, text: &str) -> Result<Self, FenError> {
        Self::from_fen(Arc::clone(&self.tables), text)
    }

    /// The canonical FEN.
    pub fn fen(&self) -> String {
        fen::print(&self.board)
    }

    /// The rule set.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.tables.rules
    }

    /// The rule set laid out on the board.
    #[inline]
    pub fn tables(&self) -> &RuleTables<G> {
        &self.tables
    }

    /// The pieces.
    #[inline]
    pub fn board(&self) -> &Board<G> {
        &self.board
    }

    /// Whose turn it is.
    #[inline]
    pub fn side(&self) -> Side {
        self.board.side()
    }

    /// The key of pieces and side to move.
    #[inline]
    pub fn key(&self) -> u64 {
        self.board.key()
    }

    /// How many moves have been made since the first position.
    #[inline]
    pub fn plies(&self) -> usize {
        self.past.len()
    }

    /// The last move and what it captured.
    pub fn last(&self) -> Option<&Undo<G::Bits>> {
        self.past.last().map(|step| &step.undo)
    }

    /// The moves since the first position.
    pub fn moves_made(&self) -> impl Iterator<Item = Move> + '_ {
        self.past.iter().map(|step| step.undo.mv)
    }

    /// Makes a move that is in the list of moves of a board that is not decided.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        let undo = self.board.play(&self.tables, mv);
        self.past.push(Step { undo, quiet: self.quiet });
        self.quiet = if undo.captured.any() { 0 } else { self.quiet + 1 };
    }

    /// Takes the last move back; without one nothing changes.
    #[inline]
    pub fn undo(&mut self) {
        if let Some(step) = self.past.pop() {
            self.board.undo(&step.undo);
            self.quiet = step.quiet;
        }
    }

    /// Lets the other side move, as a search does to see what a position threatens. Nothing from
    /// before can be repeated after it. [`Position::undo`] takes it back.
    pub fn pass(&mut self) {
        let undo = self.board.pass();
        self.past.push(Step { undo, quiet: self.quiet });
        self.quiet = 0;
    }

    /// How often the position has occurred, this time included. It is 0 for a first position that
    /// the rule set does not count.
    pub fn occurrences(&self) -> u32 {
        let counted = |plies: usize| plies > 0 || self.rules().repetition.counts_start;
        let now = u32::from(counted(self.plies()));
        let earlier = self.earlier_occurrences().filter(|&plies| counted(plies)).count();
        now + earlier as u32
    }

    /// The plies (from the first position) at which this position has occurred before, latest
    /// first.
    #[inline]
    pub fn earlier_occurrences(&self) -> impl Iterator<Item = usize> + '_ {
        let plies = self.plies();
        (2..=self.quiet)
            .step_by(2)
            .map(move |back| plies - back)
            .filter(|&then| self.past[then].undo.key == self.key())
    }

    /// Has this position occurred before, when more than `plies` moves had been made since the first
    /// position? A search asks so for the part of the game that it made itself.
    #[inline]
    pub fn occurred_after(&self, plies: usize) -> bool {
        let now = self.plies();
        let most = self.quiet.min(now.saturating_sub(plies + 1));
        // A side that moves a piece away and back takes four plies, its opponent's included.
        (4..=most).step_by(2).any(|back| self.past[now - back].undo.key == self.key())
    }

    /// Whose move is the first to bring a position about so often that the game ends, if both sides go
    /// on in the round that the last move has closed? A round counts if it began when at least
    /// `plies` moves had been made.
    ///
    /// It need not be the last mover: a position of the round that has occurred more often, or as
    /// often and comes earlier in the next round, reaches the limit before this one.
    pub fn round_ends_with(&self, plies: usize) -> Option<Side> {
        let now = self.plies();
        let first = self.earlier_occurrences().next().filter(|&then| then >= plies)?;
        let mut most = 0;
        let mut at = now;
        for then in first + 1..=now {
            let count = self.occurrences_of(self.key_after(then));
            if count > most {
                (most, at) = (count, then);
            }
        }
        let mover_now = self.side().other();
        Some(if (now - at).is_multiple_of(2) { mover_now } else { mover_now.other() })
    }

    /// The key after so many moves.
    fn key_after(&self, plies: usize) -> u64 {
        self.past.get(plies).map_or(self.key(), |step| step.undo.key)
    }

    /// How often a position has occurred since the last capture.
    fn occurrences_of(&self, key: u64) -> u32 {
        let counted = |plies: usize| plies > 0 || self.rules().repetition.counts_start;
        let since = self.plies() - self.quiet..=self.plies();
        since.filter(|&plies| counted(plies) && self.key_after(plies) == key).count() as u32
    }

    /// The keys of the positions that can occur again: this one and those since the last capture.
    pub fn repeatable_keys(&self) -> impl Iterator<Item = u64> + '_ {
        let since = self.plies() - self.quiet;
        self.past[since..].iter().map(|step| step.undo.key).chain([self.key()])
    }

    /// The outcome of a repetition that ends the game by the move just made.
    pub fn repetition_outcome(&self) -> Outcome {
        self.repetition_by(self.side().other())
    }

    /// The outcome of a repetition that ends the game by a move of `mover`.
    pub fn repetition_by(&self, mover: Side) -> Outcome {
        let winner = match self.rules().repetition.result {
            RepetitionResult::Draw => None,
            RepetitionResult::AttackersWin => Some(Side::Attackers),
            RepetitionResult::MoverLoses => Some(mover.other()),
            RepetitionResult::MoverWins => Some(mover),
        };
        Outcome { winner, reason: Reason::Repetition }
    }

    /// Does the number of occurrences end the game?
    pub fn is_repetition(&self) -> bool {
        let limit = self.rules().repetition.limit;
        // The cheap bound first: three occurrences take four quiet moves.
        limit > 0 && self.quiet / 2 >= limit as usize - 1 && self.occurrences() >= limit
    }

    /// How the game has ended, if it has, in the order of the rules.
    pub fn outcome(&self) -> Option<Outcome> {
        self.board
            .decided(&self.tables)
            .or_else(|| self.is_repetition().then(|| self.repetition_outcome()))
            .or_else(|| self.stuck())
            .or_else(|| self.is_at_ply_limit().then_some(Outcome::PLY_LIMIT))
    }

    /// The legal moves, in a fixed order. There are none after an outcome other than repetition.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut list = Vec::new();
        if self.board.decided(&self.tables).is_none() && !self.is_at_ply_limit() {
            self.board.moves(&self.tables, &mut list);
            if self.may_not_repeat() {
                list.retain(|&mv| !self.repeats(mv));
            }
        }
        list
    }

    /// Is the move legal?
    pub fn is_legal(&self, mv: Move) -> bool {
        self.board.decided(&self.tables).is_none()
            && !self.is_at_ply_limit()
            && self.board.is_move(&self.tables, mv)
            && !(self.may_not_repeat() && self.repeats(mv))
    }

    /// The squares that a legal move captures, a captured king's too.
    pub fn captured_by(&self, mv: Move) -> Vec<Square> {
        self.board.clone().play(&self.tables, mv).captured.squares().collect()
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Kind> {
        self.board.piece_at(square)
    }

    /// What is announced; nothing in a finished game.
    pub fn call(&self) -> Option<Call> {
        if self.outcome().is_some() { None } else { self.board.call(&self.tables) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::geometry::Size9;
    use super::super::variants::variant;
    use super::*;

    #[test]
    fn what_can_repeat_is_known() {
        let rules = variant("tablut").unwrap();
        let mut position = Position::<Size9>::start(Arc::new(RuleTables::new(rules))).unwrap();
        let first = position.key();
        for (i, text) in ["e3d3", "a4b4", "d3e3", "b4a4"].into_iter().enumerate() {
            assert_eq!(position.repeatable_keys().count(), i + 1);
            position.play(Move::parse(text, 9).unwrap());
            assert_eq!(position.repeatable_keys().next(), Some(first));
        }
        assert_eq!(position.key(), first);
        // The start was before any move was made, so not after 0 or more.
        assert!(!position.occurred_after(0));
        for text in ["e3d3", "a4b4", "d3e3", "b4a4"] {
            position.play(Move::parse(text, 9).unwrap());
            assert!(position.occurred_after(0));
        }
        assert!(position.occurred_after(3));
        assert!(!position.occurred_after(4));
        // Nothing from before a capture comes back.
        let mut position = position.with_fen("9/9/9/9/2k6/9/d8/a8/1d7 d").unwrap();
        let capture = Move::parse("b1a1", 9).unwrap();
        assert_eq!(position.captured_by(capture).len(), 1);
        position.play(capture);
        assert_eq!(position.repeatable_keys().collect::<Vec<_>>(), [position.key()]);
    }

    #[test]
    fn the_first_to_reach_the_limit_ends_a_round() {
        let rules = variant("tablut").unwrap();
        let mut position = Position::<Size9>::start(Arc::new(RuleTables::new(rules))).unwrap();
        for text in ["e3d3", "a4b4", "d3e3"] {
            position.play(Move::parse(text, 9).unwrap());
            assert_eq!(position.round_ends_with(0), None);
        }
        // The start, which has been there twice now, will be there for the third time before the
        // position after e3-d3, whoever closes the round.
        for (text, late) in [("b4a4", Some(Side::Attackers)), ("e3d3", Some(Side::Attackers))] {
            position.play(Move::parse(text, 9).unwrap());
            assert_eq!(position.round_ends_with(0), late);
        }
        assert_eq!(position.round_ends_with(2), None);
    }

    #[test]
    fn a_pass_changes_the_side_alone_and_is_taken_back() {
        let rules = variant("tablut").unwrap();
        let mut position = Position::<Size9>::start(Arc::new(RuleTables::new(rules))).unwrap();
        position.play(Move::parse("e3d3", 9).unwrap());
        let (board, quiet) = (position.board().clone(), position.quiet);
        position.pass();
        assert_eq!(position.side(), board.side().other());
        assert_eq!(position.key(), position.board().computed_key());
        assert_eq!(position.repeatable_keys().count(), 1);
        position.undo();
        assert_eq!((position.board(), position.quiet), (&board, quiet));
    }
}
