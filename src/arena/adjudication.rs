//! Ending games early by what the engines themselves think of them.

use super::spec_text::items;
use crate::game::rules::Side;
use crate::search::score::Score;

/// A game is lost for the side that finds itself so far behind for so long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ResignRule {
    /// How far behind, in centipawns.
    pub score: i32,
    /// For how many of its moves in a row.
    pub moves: u32,
    /// Must the other side find itself as far ahead for as long?
    pub both: bool,
}

/// A game is drawn when both sides find it level for so long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DrawRule {
    /// How far from level at the most, in centipawns.
    pub score: i32,
    /// For how many moves in a row of each side.
    pub moves: u32,
}

impl ResignRule {
    /// Reads `score=600,moves=4,both=yes`.
    ///
    /// # Errors
    /// Says what is wrong and what would be right.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut both = true;
        let (score, moves) = parse(text, |key, value| {
            both = match (key, value) {
                ("both", "yes") => true,
                ("both", "no") => false,
                _ => return false,
            };
            true
        })
        .map_err(|error| format!("{error}; expected score=600,moves=4 and perhaps both=no"))?;
        Ok(Self { score, moves, both })
    }

    /// The rule as [`ResignRule::parse`] reads it.
    pub fn spec(&self) -> String {
        let both = if self.both { "yes" } else { "no" };
        format!("score={},moves={},both={both}", self.score, self.moves)
    }
}

impl DrawRule {
    /// Reads `score=10,moves=8`.
    ///
    /// # Errors
    /// Says what is wrong and what would be right.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (score, moves) = parse(text, |_, _| false)
            .map_err(|error| format!("{error}; expected score=10,moves=8"))?;
        Ok(Self { score, moves })
    }

    /// The rule as [`DrawRule::parse`] reads it.
    pub fn spec(&self) -> String {
        format!("score={},moves={}", self.score, self.moves)
    }
}

fn parse(text: &str, mut other: impl FnMut(&str, &str) -> bool) -> Result<(i32, u32), String> {
    let (mut score, mut moves) = (None, None);
    for (key, value) in items(text, false)? {
        let known = match key.as_str() {
            "score" => {
                score = value.parse().ok().filter(|&score| score >= 0);
                score.is_some()
            }
            "moves" => {
                moves = value.parse().ok().filter(|&moves| moves > 0);
                moves.is_some()
            }
            _ => other(&key, &value),
        };
        if !known {
            return Err(format!("'{key}={value}'"));
        }
    }
    score.zip(moves).ok_or_else(|| format!("'{text}' lacks a score or a number of moves"))
}

/// Listens to the scores of one game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    resign: Option<ResignRule>,
    draw: Option<DrawRule>,
    /// Moves in a row at which a side found itself behind, ahead, level.
    behind: [u32; 2],
    ahead: [u32; 2],
    level: [u32; 2],
}

/// How a game is ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ruling {
    /// This side wins.
    Win(Side),
    /// Nobody does.
    Draw,
}

impl Adjudicator {
    /// For a game under these rules; `None` is off.
    pub const fn new(resign: Option<ResignRule>, draw: Option<DrawRule>) -> Self {
        Self { resign, draw, behind: [0; 2], ahead: [0; 2], level: [0; 2] }
    }

    /// Hears the score that a side gave its move; without a score a side agrees to nothing.
    pub fn hear(&mut self, side: Side, score: Option<Score>) -> Option<Ruling> {
        let this = side as usize;
        let value = score.map(Score::value);
        let count = |run: &mut u32, more: bool| *run = if more { *run + 1 } else { 0 };
        if let Some(rule) = self.resign {
            count(&mut self.behind[this], value.is_some_and(|value| value <= -rule.score));
            count(&mut self.ahead[this], value.is_some_and(|value| value >= rule.score));
            let lost = |loser: Side| {
                let agreed = self.ahead[loser.other() as usize] >= rule.moves;
                self.behind[loser as usize] >= rule.moves && (agreed || !rule.both)
            };
            let loser = [side, side.other()].into_iter().find(|&loser| lost(loser));
            if let Some(loser) = loser {
                return Some(Ruling::Win(loser.other()));
            }
        }
        let rule = self.draw?;
        count(&mut self.level[this], value.is_some_and(|value| value.abs() <= rule.score));
        self.level.iter().all(|&moves| moves >= rule.moves).then_some(Ruling::Draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Side::{Attackers, Defenders};

    fn cp(value: i32) -> Option<Score> {
        Some(Score::centipawns(value))
    }

    #[test]
    fn rules_are_read() {
        let resign = ResignRule { score: 600, moves: 4, both: false };
        assert_eq!(ResignRule::parse("score=600,moves=4,both=no"), Ok(resign));
        assert_eq!(ResignRule::parse(&resign.spec()), Ok(resign));
        assert!(ResignRule::parse("score=600,moves=4").unwrap().both);
        assert_eq!(DrawRule::parse("moves=8,score=10"), Ok(DrawRule { score: 10, moves: 8 }));
        for bad in
            ["", "score=1", "moves=1", "score=x,moves=1", "score=1,moves=0", "score=-1,moves=2"]
        {
            assert!(ResignRule::parse(bad).is_err() && DrawRule::parse(bad).is_err(), "{bad}");
        }
        assert!(DrawRule::parse("score=1,moves=1,both=no").is_err());
    }

    #[test]
    fn both_sides_must_agree_on_a_win() {
        let rule = ResignRule { score: 500, moves: 2, both: true };
        let mut judge = Adjudicator::new(Some(rule), None);
        let heard = [
            (Attackers, cp(-600)),
            (Defenders, cp(600)),
            (Attackers, Some(Score::loss_in(4))),
            (Defenders, cp(400)),
            (Attackers, cp(-700)),
            (Defenders, cp(500)),
            (Attackers, cp(-700)),
        ];
        for (side, score) in heard {
            assert_eq!(judge.hear(side, score), None);
        }
        assert_eq!(judge.hear(Defenders, cp(900)), Some(Ruling::Win(Defenders)));
        let mut one = Adjudicator::new(Some(ResignRule { both: false, ..rule }), None);
        assert_eq!(one.hear(Attackers, cp(-600)), None);
        assert_eq!(one.hear(Defenders, None), None);
        assert_eq!(one.hear(Attackers, cp(-600)), Some(Ruling::Win(Defenders)));
    }

    #[test]
    fn a_draw_needs_both_level() {
        let mut judge = Adjudicator::new(None, Some(DrawRule { score: 10, moves: 2 }));
        for (side, value) in [(Attackers, 5), (Defenders, -5), (Attackers, 11), (Defenders, 0)] {
            assert_eq!(judge.hear(side, cp(value)), None);
        }
        assert_eq!(judge.hear(Attackers, cp(0)), None);
        assert_eq!(judge.hear(Defenders, None), None);
        assert_eq!(judge.hear(Attackers, cp(0)), None);
        assert_eq!(judge.hear(Defenders, cp(0)), None);
        assert_eq!(judge.hear(Attackers, cp(0)), None);
        assert_eq!(judge.hear(Defenders, cp(-10)), Some(Ruling::Draw));
    }
}
