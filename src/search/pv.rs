//! The principal variation, collected on the way back from the leaves.

use super::score::MAX_PLY;
use crate::game::moves::Move;

/// The best line found so far from each node of the current line of play.
#[derive(Clone, Debug)]
pub struct Lines(Vec<Vec<Move>>);

impl Lines {
    /// No lines yet.
    pub fn new() -> Self {
        Self(vec![Vec::new(); MAX_PLY + 2])
    }

    /// The line from the node `ply` plies down.
    pub fn from(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }

    /// Forgets the line from a node.
    pub fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Makes `moves` the line from a node.
    pub fn set(&mut self, ply: usize, moves: &[Move]) {
        self.clear(ply);
        self.0[ply].extend_from_slice(moves);
    }

    /// The line from a node is now `mv` and what was found below it.
    pub fn extend(&mut self, ply: usize, mv: Move) {
        let [above, below] = &mut self.0[ply..ply + 2] else { return };
        above.clear();
        above.push(mv);
        above.extend_from_slice(below);
    }
}

impl Default for Lines {
    fn default() -> Self {
        Self::new()
    }
}
