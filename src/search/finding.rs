//! [`Finding`]: what one worker has found, and which of several findings to believe.

use super::limits::Bound;
use super::score::{Score, ScoreKind};
use crate::game::moves::Move;

/// What a vote weighs at least, in centipawns: how much the score of the worst finding is above
/// nothing.
const LEAST_VOTE: i64 = 20;
/// Scores farther above the worst than this, in centipawns, weigh no more: one wild score must not
/// outvote the others.
const MOST_ABOVE: i64 = 400;

/// A line with its score.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// For the side to move at the root.
    pub score: Score,
    /// Is the score exact?
    pub bound: Bound,
    /// The line, at least one move.
    pub moves: Vec<Move>,
}

/// What one worker has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The best lines, best first; at least one.
    pub lines: Vec<Line>,
    /// Plies searched in full.
    pub depth: u32,
    /// Did anything rest on judgement? If not, searching deeper finds nothing new.
    pub judged: bool,
}

impl Finding {
    fn score(&self) -> Score {
        self.lines.first().map_or(-Score::INFINITE, |line| line.score)
    }

    fn first_move(&self) -> Option<Move> {
        self.lines.first()?.moves.first().copied()
    }
}

/// Which finding to believe, among the main worker's (the first) and its helpers'.
///
/// A proven win counts more than any opinion, the shortest most. Otherwise the workers vote for
/// their moves, with the more weight the deeper they have searched and the better they find the
/// move (as the threads of Stockfish do since 2018); of the findings with the chosen move the
/// deepest is believed. Who has only proven how he loses has no vote while others still hope.
pub fn elect(findings: &[Finding]) -> Option<&Finding> {
    let best = first_max(findings.iter(), |finding| finding.score())?;
    if !matches!(best.score().kind(), ScoreKind::Centipawns(_)) {
        // The shortest win, or the longest resistance.
        return Some(best);
    }
    let voters: Vec<&Finding> = findings
        .iter()
        .filter(|finding| !matches!(finding.score().kind(), ScoreKind::Loss(_)))
        .collect();
    let value = |finding: &Finding| i64::from(finding.score().value());
    let worst = voters.iter().map(|finding| value(finding)).min()?;
    let weight = |finding: &&&Finding| {
        let above = (value(finding) - worst).min(MOST_ABOVE);
        (above + LEAST_VOTE) * i64::from(finding.depth)
    };
    let votes = |mv: Option<Move>| -> i64 {
        voters.iter().filter(|voter| voter.first_move() == mv).map(|voter| weight(&voter)).sum()
    };
    let chosen = first_max(voters.iter(), |voter| votes(voter.first_move()))?.first_move();
    let believers = voters.iter().filter(|voter| voter.first_move() == chosen);
    first_max(believers, |voter| (voter.depth, voter.score())).copied()
}

/// The first of the greatest.
fn first_max<T, K: Ord>(items: impl Iterator<Item = T>, key: impl Fn(&T) -> K) -> Option<T> {
    items.reduce(|best, item| if key(&item) > key(&best) { item } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::geometry::Square;

    fn finding(mv: u16, score: Score, depth: u32) -> Finding {
        let moves = vec![Move { from: Square(mv), to: Square(mv + 1) }];
        Finding { lines: vec![Line { score, bound: Bound::Exact, moves }], depth, judged: true }
    }

    fn cp(mv: u16, score: i32, depth: u32) -> Finding {
        finding(mv, Score::centipawns(score), depth)
    }

    fn elected(findings: &[Finding]) -> usize {
        let chosen = elect(findings).unwrap();
        findings.iter().position(|finding| std::ptr::eq(finding, chosen)).unwrap()
    }

    #[test]
    fn the_shortest_proven_win_beats_everything() {
        let win = |plies, depth| finding(9, Score::win_in(plies), depth);
        assert_eq!(elected(&[cp(1, 900, 20), cp(1, 900, 20), win(7, 3)]), 2);
        assert_eq!(elected(&[win(9, 20), win(7, 3), win(7, 30)]), 1);
    }

    #[test]
    fn workers_vote_for_moves() {
        // Alone the main worker is believed.
        assert_eq!(elected(&[cp(1, -5, 1)]), 0);
        // Equal votes: the main worker.
        assert_eq!(elected(&[cp(1, 5, 8), cp(2, 5, 8)]), 0);
        // Two against one, depth and score equal; of the two the deeper.
        assert_eq!(elected(&[cp(1, 5, 8), cp(2, 5, 8), cp(2, 5, 9)]), 2);
        // Deeper, and better.
        assert_eq!(elected(&[cp(1, 5, 8), cp(2, 5, 10)]), 1);
        assert_eq!(elected(&[cp(1, 5, 8), cp(2, 50, 8)]), 1);
    }

    #[test]
    fn who_has_lost_has_no_vote_while_others_hope() {
        let loss = |mv, plies, depth| finding(mv, Score::loss_in(plies), depth);
        assert_eq!(elected(&[loss(1, 8, 20), loss(1, 8, 20), cp(2, -900, 9)]), 2);
        assert_eq!(elected(&[loss(1, 8, 20), loss(2, 10, 9)]), 1);
    }
}
