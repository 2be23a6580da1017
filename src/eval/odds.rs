//! [`Odds`]: what a score means for the result of the game.

use super::family::Family;
use crate::game::rules::{Rules, Side};

/// The chances of the side to move, in thousandths; together 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Odds {
    /// To win.
    pub win: u32,
    /// To draw.
    pub draw: u32,
    /// To lose.
    pub loss: u32,
}

impl Odds {
    /// The game is won.
    pub const WON: Self = Self { win: 1000, draw: 0, loss: 0 };
    /// The game is lost.
    pub const LOST: Self = Self { win: 0, draw: 0, loss: 1000 };
    /// The game is drawn.
    pub const DRAWN: Self = Self { win: 0, draw: 1000, loss: 0 };

    /// The points to be expected, in thousandths: a win is one, a draw half of one.
    pub const fn points(self) -> u32 {
        self.win + self.draw / 2
    }

    /// To win, draw and lose in per cent, together 100: what rounding down leaves goes to those that
    /// lost most by it.
    pub fn percent(self) -> [u32; 3] {
        let thousandths = [self.win, self.draw, self.loss];
        let mut percent = thousandths.map(|part| part / 10);
        let left = 100_u32.saturating_sub(percent.iter().sum());
        let mut order = [0, 1, 2];
        order.sort_by_key(|&i: &usize| std::cmp::Reverse(thousandths[i] % 10));
        order.into_iter().take(left as usize).for_each(|i| percent[i] += 1);
        percent
    }

    /// The chances of the opponent.
    pub const fn of_opponent(self) -> Self {
        Self { win: self.loss, draw: self.draw, loss: self.win }
    }
}

/// A logistic model of the results of one family of rule sets (an ordered logit; McCullagh 1980):
/// with a score of `s` centipawns for them, the attackers win with the odds
/// `(s - attackers) / scale` and the defenders with `(-s - defenders) / scale`, as logarithms. What
/// is left are draws.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Model {
    /// The score for the attackers with which they win half of the games, in centipawns.
    pub attackers: f64,
    /// The score for the defenders with which they win half of the games, in centipawns.
    pub defenders: f64,
    /// Centipawns that multiply the odds by e.
    pub scale: f64,
}

impl Model {
    /// The chances of attackers and defenders to win, 0 to 1 each, by a score for the attackers.
    pub fn chances(&self, score: f64) -> [f64; 2] {
        let chance = |ahead: f64| 1.0 / (1.0 + (-ahead / self.scale).exp());
        [chance(score - self.attackers), chance(-score - self.defenders)]
    }
}

/// The chances of `side` with a score of so many centipawns for it.
pub fn odds(rules: &Rules, side: Side, centipawns: i32) -> Odds {
    let model = &MODELS[Family::of(rules) as usize];
    let [attackers, defenders] = match side {
        Side::Attackers => model.chances(f64::from(centipawns)),
        Side::Defenders => model.chances(-f64::from(centipawns)),
    };
    let (win, loss) = match side {
        Side::Attackers => (attackers, defenders),
        Side::Defenders => (defenders, attackers),
    };
    let thousandths = |chance: f64| (chance * 1000.0).round() as u32;
    let win = thousandths(win).min(1000);
    let loss = thousandths(loss).min(1000 - win);
    Odds { win, draw: 1000 - win - loss, loss }
}

/// The models, in the order of [`Family::ALL`], fitted by `konakis tune odds` to games of the engine of
/// commit `e613824` against itself with 3000 nodes a move (`konakis tune play --nodes 3000 --seed 77`): 400
/// games each, 200 of `historical` and `copenhagen`.
pub const MODELS: [Model; Family::ALL.len()] = [
    // tablut
    Model { attackers: 302.5, defenders: 30.0, scale: 129.0 },
    // tablut-saami, historical
    Model { attackers: -57.0, defenders: 83.0, scale: 191.0 },
    // tablut-ashton
    Model { attackers: -177.0, defenders: 479.5, scale: 400.0 },
    // tablut-corner
    Model { attackers: 217.0, defenders: -136.5, scale: 104.0 },
    // copenhagen
    Model { attackers: 317.0, defenders: 9.0, scale: 140.0 },
    // brandubh
    Model { attackers: 262.0, defenders: -262.0, scale: 154.0 },
    // ard-ri-rook
    Model { attackers: -96.0, defenders: 96.0, scale: 109.5 },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variants::{variant, variants};

    #[test]
    fn chances_are_thousandths_and_grow_with_the_score() {
        for rules in variants() {
            for side in [Side::Attackers, Side::Defenders] {
                let all: Vec<Odds> =
                    (-3_000..=3_000).step_by(50).map(|score| odds(rules, side, score)).collect();
                assert!(all.iter().all(|odds| odds.win + odds.draw + odds.loss == 1000));
                assert!(
                    all.is_sorted_by(|a, b| a.win <= b.win && a.loss >= b.loss),
                    "{}",
                    rules.id
                );
                let last = all[all.len() - 1];
                assert!(all[0].loss > 900 && last.win > 900, "{} {all:?}", rules.id);
            }
        }
    }

    #[test]
    fn per_cents_add_up() {
        for (win, draw) in [(925, 0), (575, 0), (333, 334), (0, 0), (1000, 0), (5, 990), (66, 868)]
        {
            let odds = Odds { win, draw, loss: 1000 - win - draw };
            let percent = odds.percent();
            assert_eq!(percent.iter().sum::<u32>(), 100, "{odds:?} {percent:?}");
            assert!(percent[0].abs_diff(win / 10) <= 1 && percent[1].abs_diff(draw / 10) <= 1);
        }
    }

    #[test]
    fn both_sides_see_the_same_game() {
        let rules = variant("tablut").unwrap();
        for score in [-400, -30, 0, 170] {
            let ours = odds(&rules, Side::Attackers, score);
            let theirs = odds(&rules, Side::Defenders, -score);
            assert_eq!((ours.win, ours.draw, ours.loss), (theirs.loss, theirs.draw, theirs.win));
        }
    }

    #[test]
    fn models_leave_room_for_draws() {
        assert!(MODELS.iter().all(|model| model.attackers + model.defenders >= 0.0));
        assert!(MODELS.iter().all(|model| model.scale > 0.0));
    }
}
