//! The search as an adviser: it sees long wins through many quiet moves that a proof search would
//! find late. What it says is tried against every answer; bad advice costs a proof, never its truth.

use std::time::Instant;

use super::super::Searcher;
use super::super::limits::{Control, Limits};
use super::super::score::ScoreKind;
use super::dfpn::Watch;
use crate::game::geometry::Geometry;
use crate::game::moves::Move;
use crate::game::position::Position;
use crate::game::rules::Side;

/// Nodes for a question.
const QUESTION: u64 = 100_000;

/// A search that is asked for winning moves.
pub struct Adviser<'a> {
    /// The search.
    pub searcher: &'a mut Searcher,
    /// Who ends it early, and when.
    pub watch: Watch<'a>,
    /// Positions looked at.
    pub nodes: u64,
    /// Where to stop.
    pub most_nodes: u64,
}

impl Adviser<'_> {
    /// Who wins, and in how many plies, as far as the search sees it in so many nodes.
    pub fn forecast<G: Geometry>(
        &mut self,
        position: &Position<G>,
        nodes: u64,
    ) -> Option<(Side, u32)> {
        let (_, kind) = self.ask(position, Limits { nodes: Some(nodes), ..Limits::default() })?;
        match kind {
            ScoreKind::Win(plies) => Some((position.side(), plies)),
            ScoreKind::Loss(plies) => Some((position.side().other(), plies)),
            ScoreKind::Centipawns(_) => None,
        }
    }

    /// A move that it takes for a win of the side to move within so many plies.
    pub fn move_within<G: Geometry>(&mut self, position: &Position<G>, plies: u32) -> Option<Move> {
        // The second may stop at a longer win, the first before it finds one.
        [Some(plies), None].into_iter().find_map(|mate| {
            let limits = Limits { nodes: Some(QUESTION), mate, ..Limits::default() };
            let (mv, kind) = self.ask(position, limits)?;
            matches!(kind, ScoreKind::Win(found) if found <= plies).then_some(mv)
        })
    }

    fn ask<G: Geometry>(
        &mut self,
        position: &Position<G>,
        limits: Limits,
    ) -> Option<(Move, ScoreKind)> {
        let left = self.most_nodes.saturating_sub(self.nodes);
        let control: &Control = self.watch.control;
        if left == 0 || self.watch.is_over() {
            return None;
        }
        let movetime =
            self.watch.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let limits =
            Limits { nodes: limits.nodes.map(|nodes| nodes.min(left)), movetime, ..limits };
        let found = self.searcher.search_position(position, &limits, control, &mut ());
        self.nodes += found.nodes;
        Some((found.best?, found.score.kind()))
    }
}
