//! What a played move gave away, and what is remarkable about it.
//!
//! The bounds of the marks stand where a loss is no noise of the search and costs games. Measured on
//! 2026-11-30 with 10,000 nodes a position:
//!
//! | loss from | moves of real games | false alarms | expected before | expected after | scored |
//! |---|---|---|---|---|---|
//! | 50 | 10.4 % | 1.5 % | 0.53 | 0.46 | 0.43 |
//! | 100 | 6.2 % | 0.5 % | 0.53 | 0.39 | 0.34 |
//! | 200 | 2.1 % | 0.1 % | 0.75 | 0.20 | 0.30 |
//!
//! Real games: 34,292 moves of 940 games (262 of `brandubh`, 278 of `tablut-ashton`, 400 of
//! `copenhagen`). False alarms: how many of the moves that a search of 100,000 nodes played lose as
//! much; 3,652 moves of 84 games in the same rule sets and `tablut`, behind six random plies.
//! Points: of the side that made such a move (below the next bound) in the 364 real games that ended
//! by the rules; 750, 244 and 374 moves.

use super::look::Look;
use super::report::Mark;
use crate::game::moves::Move;
use crate::search::score::{Score, ScoreKind};

/// From this loss on a move is dubious (`?!`), in thousandths of a point.
pub const DUBIOUS: u32 = 50;
/// From this loss on it is a mistake (`?`).
pub const MISTAKE: u32 = 100;
/// From this loss on it is a blunder (`??`).
pub const BLUNDER: u32 = 200;

/// What is said of a played move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// What it gave away, in thousandths of a point.
    pub loss: u32,
    /// What is remarkable about it.
    pub mark: Option<Mark>,
}

/// Is it worth a look at the position after the best move, to see that a played move which looks
/// bad after a search of the next position does so by comparison too? A search that sees one ply
/// further may have found that everything is bad.
pub fn wants_check(now: &Look, played: Move, next: &Look) -> bool {
    best(now) != Some(played) && !is_win(now.score) && seeming_loss(now, next) >= DUBIOUS
}

/// Judges a played move: by what was found before it, after it and, if that was looked at, after
/// the best move instead.
pub fn judge(now: &Look, played: Move, next: &Look, after_best: Option<&Look>) -> Judgement {
    if best(now) == Some(played) {
        let others = now.lines.get(1).map(|line| line.wdl.points());
        let is_only = others.is_some_and(|other| now.wdl.points() >= other + BLUNDER);
        return Judgement { loss: 0, mark: is_only.then_some(Mark::OnlyMove) };
    }
    let too_much = after_best
        .map_or(0, |after| now.wdl.points().saturating_sub(after.wdl.of_opponent().points()));
    let loss = seeming_loss(now, next).saturating_sub(too_much);
    let missed = is_win(now.score) && !is_loss(next.score);
    let mark = match loss {
        0..DUBIOUS => None,
        _ if missed => Some(Mark::MissedWin),
        DUBIOUS..MISTAKE => Some(Mark::Dubious),
        MISTAKE..BLUNDER => Some(Mark::Mistake),
        BLUNDER.. => Some(Mark::Blunder),
    };
    Judgement { loss, mark }
}

fn best(look: &Look) -> Option<Move> {
    look.lines.first().and_then(|line| line.pv.first()).copied()
}

fn seeming_loss(now: &Look, next: &Look) -> u32 {
    now.wdl.points().saturating_sub(next.wdl.of_opponent().points())
}

fn is_win(score: Score) -> bool {
    matches!(score.kind(), ScoreKind::Win(_))
}

fn is_loss(score: Score) -> bool {
    matches!(score.kind(), ScoreKind::Loss(_))
}

#[cfg(test)]
mod tests {
    use super::super::report::Line;
    use super::*;
    use crate::eval::odds::Odds;

    fn odds(points: u32) -> Odds {
        Odds { win: points, draw: 0, loss: 1000 - points }
    }

    fn mv(text: &str) -> Move {
        Move::parse(text, 9).unwrap()
    }

    /// A look that finds its moves, best first, to be worth so many points.
    fn look(score: Score, lines: &[(&str, u32)]) -> Look {
        let line =
            |(text, points): &(&str, u32)| Line { score, wdl: odds(*points), pv: vec![mv(text)] };
        let lines: Vec<Line> = lines.iter().map(line).collect();
        Look { score, wdl: lines[0].wdl, lines }
    }

    #[test]
    fn losses_and_marks() {
        let even = Score::ZERO;
        let now = look(even, &[("e3a3", 500), ("e3b3", 500 - BLUNDER + 1)]);
        let after = |points: u32| look(even, &[("a4a5", 1000 - points)]);
        let said = |played: &str, points: u32| {
            let Judgement { loss, mark } = judge(&now, mv(played), &after(points), None);
            (loss, mark)
        };
        assert_eq!(said("e3a3", 100), (0, None));
        assert_eq!(said("e3c3", 510), (0, None));
        assert_eq!(said("e3c3", 500 - DUBIOUS + 1), (DUBIOUS - 1, None));
        assert_eq!(said("e3c3", 500 - DUBIOUS), (DUBIOUS, Some(Mark::Dubious)));
        assert_eq!(said("e3c3", 500 - MISTAKE), (MISTAKE, Some(Mark::Mistake)));
        assert_eq!(said("e3c3", 500 - BLUNDER), (BLUNDER, Some(Mark::Blunder)));
        assert!(wants_check(&now, mv("e3c3"), &after(500 - DUBIOUS)));
        assert!(!wants_check(&now, mv("e3c3"), &after(501 - DUBIOUS)));
        assert!(!wants_check(&now, mv("e3a3"), &after(0)));
        // The best move would have come to the same.
        let same = judge(&now, mv("e3c3"), &after(200), Some(&after(210)));
        assert_eq!(same, Judgement { loss: 10, mark: None });
        let better = judge(&now, mv("e3c3"), &after(200), Some(&after(600)));
        assert_eq!(better, Judgement { loss: 300, mark: Some(Mark::Blunder) });
    }

    #[test]
    fn only_moves_and_missed_wins() {
        let only = look(Score::ZERO, &[("e3a3", 500), ("e3b3", 500 - BLUNDER)]);
        let next = look(Score::ZERO, &[("a4a5", 500)]);
        assert_eq!(judge(&only, mv("e3a3"), &next, None).mark, Some(Mark::OnlyMove));
        let forced = look(Score::ZERO, &[("e3a3", 500)]);
        assert_eq!(judge(&forced, mv("e3a3"), &next, None).mark, None);
        let won = look(Score::win_in(3), &[("e3a3", 1000)]);
        assert!(!wants_check(&won, mv("e3c3"), &next));
        assert_eq!(judge(&won, mv("e3c3"), &next, None).mark, Some(Mark::MissedWin));
        let still_won = look(Score::loss_in(4), &[("a4a5", 0)]);
        assert_eq!(judge(&won, mv("e3c3"), &still_won, None), Judgement { loss: 0, mark: None });
    }
}
