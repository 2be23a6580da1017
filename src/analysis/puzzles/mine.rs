//! Is there exactly one winning move? No judgement is asked: the move is proven to win, and every
//! other one is proven not to win within the bound.

use super::source::Played;
use crate::game::any_size::Game;
use crate::game::moves::Move;
use crate::search::Searcher;
use crate::search::limits::{Control, Limits};
use crate::search::proof::{Effort, Proof, Prover, Within};
use crate::search::score::ScoreKind;

/// Nodes of a first look by the search; what it does not take for a win is left.
const LOOK: u64 = 5_000;
/// The table of that search, in MiB.
const LOOK_HASH: usize = 4;

/// A position with exactly one winning move.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// The position, without a past.
    pub position: Game,
    /// That the first move of its line wins; there is no shorter win.
    pub proof: Proof,
    /// No other move wins within so many plies, the move itself counted.
    pub bound: u32,
    /// How many other moves there are.
    pub others: usize,
    /// Positions that the proofs looked at.
    pub nodes: u64,
    /// Plies of the game before it.
    pub ply: usize,
}

/// Finds puzzles in games.
pub struct Miner {
    prover: Prover,
    searcher: Searcher,
    effort: Effort,
    /// Plies of the shortest and the longest win.
    bounds: (u32, u32),
    given_up: u64,
}

impl Miner {
    /// With a table of so many MiB, so many nodes for a proof, and the plies of the shortest and the
    /// longest win.
    pub fn new(hash: usize, nodes: u64, bounds: (u32, u32)) -> Self {
        Self {
            prover: Prover::new(hash),
            searcher: Searcher::new(LOOK_HASH),
            effort: Effort { nodes: Some(nodes), time: None },
            bounds,
            given_up: 0,
        }
    }

    /// Positions that took more nodes than a proof may.
    pub fn given_up(&self) -> u64 {
        self.given_up
    }

    /// The puzzle of a game with the longest win, if it has one. `is_new` is asked whether a position
    /// is not known yet.
    pub fn best_of(
        &mut self,
        game: &Played,
        control: &Control,
        is_new: &mut dyn FnMut(&Game) -> bool,
    ) -> Option<Puzzle> {
        let mut best: Option<Puzzle> = None;
        for (ply, position) in game.positions() {
            if control.is_stopped() {
                // What is found so far counts all the same.
                break;
            }
            if position.outcome().is_some() || !self.looks_won(&position, control) {
                continue;
            }
            if !is_new(&position) {
                continue;
            }
            let puzzle = self.puzzle(&position, ply, control);
            let longer = |puzzle: &Puzzle| {
                best.as_ref().is_none_or(|best| puzzle.proof.plies > best.proof.plies)
            };
            if let Some(puzzle) = puzzle.filter(longer) {
                best = Some(puzzle);
            }
        }
        best
    }

    fn looks_won(&mut self, position: &Game, control: &Control) -> bool {
        self.searcher.clear();
        let limits = Limits { nodes: Some(LOOK), ..Limits::default() };
        let found = self.searcher.search(position, &limits, control, &mut ());
        let (least, most) = self.bounds;
        matches!(found.score.kind(), ScoreKind::Win(plies) if (least..=most).contains(&plies))
    }

    /// The puzzle of a position, if exactly one move wins.
    fn puzzle(&mut self, position: &Game, ply: usize, control: &Control) -> Option<Puzzle> {
        let (least, most) = self.bounds;
        let mut nodes = 0;
        let proof = self.shortest(position, control, &mut nodes)?;
        if proof.plies < least {
            return None;
        }
        let best = *proof.line.first()?;
        let others: Vec<Move> =
            position.legal_moves().into_iter().filter(|&mv| mv != best).collect();
        for &mv in &others {
            if !self.is_no_win(position, mv, most, control, &mut nodes)? {
                return None;
            }
        }
        let position = position.clone();
        Some(Puzzle { position, proof, bound: most, others: others.len(), nodes, ply })
    }

    /// The shortest win of the side to move.
    fn shortest(&mut self, position: &Game, control: &Control, nodes: &mut u64) -> Option<Proof> {
        for plies in (1..=self.bounds.1).step_by(2) {
            match self.within(position, plies, control, nodes)? {
                Within::Yes(proof) => return Some(proof),
                Within::No => {}
                Within::Unknown => return None,
            }
        }
        None
    }

    /// Is the move proven not to win within so many plies? `None` if that is not known.
    fn is_no_win(
        &mut self,
        position: &Game,
        mv: Move,
        plies: u32,
        control: &Control,
        nodes: &mut u64,
    ) -> Option<bool> {
        let side = position.side();
        let mut after = position.clone();
        after.play(mv);
        if let Some(outcome) = after.outcome() {
            return Some(outcome.winner != Some(side));
        }
        let (answer, spent) = self.prover.within(&after, side, plies - 1, self.effort, control);
        *nodes += spent;
        self.known(answer, control).map(|answer| answer == Within::No)
    }

    fn within(
        &mut self,
        position: &Game,
        plies: u32,
        control: &Control,
        nodes: &mut u64,
    ) -> Option<Within> {
        let side = position.side();
        let (answer, spent) = self.prover.within(position, side, plies, self.effort, control);
        *nodes += spent;
        self.known(answer, control)
    }

    fn known(&mut self, answer: Within, control: &Control) -> Option<Within> {
        if answer == Within::Unknown {
            self.given_up += u64::from(!control.is_stopped());
            return None;
        }
        Some(answer)
    }
}
