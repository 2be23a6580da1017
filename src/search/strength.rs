//! [`Strength`]: a weaker player that plays plausible moves. It looks less far, and of the moves it
//! finds nearly as good as the best it takes any.

use super::finding::Line;

/// The level of full strength; those below it are weaker.
pub const FULL: u32 = 20;

/// How many lines a player just below full strength compares, and how many more one of level 0. The
/// number grows with the square of the distance, as does the margin.
const LINES: f64 = 4.0;
const MORE_LINES: f64 = 12.0;

/// Nodes of level 0, once every move has been looked at, and how many times as many each further
/// level has.
const NODES: f64 = 400.0;
const GROWTH: f64 = 1.38;

/// By how much the best line must be better than another, in centipawns, so that the other is never
/// played: just below full strength, and how much more at level 0.
const MARGIN: f64 = 10.0;
const MORE_MARGIN: f64 = 390.0;

/// Levels and what they are worth in Elo: measured with `tablut` on a ladder of matches of 100 games
/// between neighbours, and counted from the yardstick `builtin:material-2` as 1000. That was the search
/// and evaluation of commit `d09798d`.
const LADDER: [(u32, i32); 7] =
    [(0, 1480), (3, 1560), (6, 1665), (9, 1965), (12, 2230), (15, 2440), (17, 2530)];

/// How strong a search plays at most.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strength {
    /// 0 to less than [`FULL`]; levels between two whole ones are in order.
    level: f64,
}

impl Strength {
    /// The least and the greatest Elo that can be asked for.
    pub const ELO: (i32, i32) = (LADDER[0].1, LADDER[LADDER.len() - 1].1);

    /// A level; `None` is full strength.
    pub fn of_level(level: u32) -> Option<Self> {
        (level < FULL).then_some(Self { level: f64::from(level) })
    }

    /// The strength of so much Elo, or the nearest there is.
    pub fn of_elo(elo: i32) -> Self {
        let elo = f64::from(elo.clamp(Self::ELO.0, Self::ELO.1));
        let steps = LADDER.windows(2).map(|pair| {
            let [(low, from), (high, to)] =
                [pair[0], pair[1]].map(|(level, elo)| (f64::from(level), f64::from(elo)));
            (low, high, from, to)
        });
        let step = steps.into_iter().find(|(.., to)| elo <= *to);
        let level = step.map_or(f64::from(LADDER[0].0), |(low, high, from, to)| {
            low + (high - low) * (elo - from) / (to - from)
        });
        Self { level }
    }

    /// The nodes that such a player looks at for a move.
    pub fn nodes(self) -> u64 {
        (NODES * GROWTH.powf(self.level)) as u64
    }

    /// How many lines it compares.
    pub fn lines(self) -> usize {
        (LINES + MORE_LINES * self.weakness().powi(2)) as usize
    }

    /// From 1 at level 0 to 0 at full strength.
    fn weakness(self) -> f64 {
        1.0 - self.level / f64::from(FULL)
    }

    /// Which of the lines (best first) it plays. The choice depends on `seed` alone. A proven win is
    /// never missed, and no move is played that is proven to lose while another is not.
    pub fn choose(self, lines: &[Line], seed: u64) -> usize {
        let Some(best) = lines.first().filter(|line| !line.score.is_proven()) else { return 0 };
        let margin = MARGIN + MORE_MARGIN * self.weakness().powi(2);
        let mut chosen = (0, f64::NEG_INFINITY);
        let mut state = seed;
        for (i, line) in lines.iter().enumerate() {
            state = mixed(state);
            // As far from 0 as from 1, in steps that a double holds.
            let luck = (state >> 11) as f64 / (1_u64 << 53) as f64;
            let behind = f64::from(best.score.value() - line.score.value());
            let worth = luck * margin - behind;
            if !line.score.is_proven() && behind <= margin && worth > chosen.1 {
                chosen = (i, worth);
            }
        }
        chosen.0
    }
}

/// A number in which every bit depends on every bit of another (the finisher of SplitMix64; Steele,
/// Lea, Flood 2014).
pub fn mixed(number: u64) -> u64 {
    let z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::limits::Bound;
    use crate::search::score::Score;

    fn lines(scores: &[Score]) -> Vec<Line> {
        scores.iter().map(|&score| Line { score, bound: Bound::Exact, moves: Vec::new() }).collect()
    }

    /// How often each line is chosen in a thousand times.
    fn counts(level: u32, scores: &[Score]) -> Vec<usize> {
        let strength = Strength::of_level(level).unwrap();
        let lines = lines(scores);
        let mut counts = vec![0; lines.len()];
        for seed in 0..1_000 {
            counts[strength.choose(&lines, mixed(seed))] += 1;
        }
        counts
    }

    #[test]
    fn near_the_best_any_move_is_played_the_better_ones_more_often() {
        let cp = Score::centipawns;
        let even = counts(0, &[cp(5), cp(5), cp(5), cp(5)]);
        assert!(even.iter().all(|count| (180..320).contains(count)), "{even:?}");
        let weak = counts(0, &[cp(50), cp(0), cp(-100), cp(-500)]);
        assert!(weak[0] > weak[1] && weak[1] > weak[2] && weak[2] > 0, "{weak:?}");
        assert_eq!(weak[3], 0);
        let strong = counts(19, &[cp(50), cp(45), cp(-100), cp(-500)]);
        assert!(strong[0] > strong[1] && strong[1] > 0, "{strong:?}");
        assert_eq!(strong[2..], [0, 0]);
    }

    #[test]
    fn wins_are_not_missed_and_losses_not_chosen() {
        let cp = Score::centipawns;
        for level in 0..FULL {
            assert_eq!(counts(level, &[Score::win_in(1), Score::win_in(3), cp(900)])[0], 1_000);
            let counts = counts(level, &[cp(-900), Score::loss_in(2), Score::loss_in(2)]);
            assert_eq!(counts[0], 1_000);
        }
    }

    #[test]
    fn elo_and_levels_are_in_order() {
        let (least, most) = Strength::ELO;
        assert!(LADDER.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1));
        let levels: Vec<f64> = (least..=most).map(|elo| Strength::of_elo(elo).level).collect();
        assert!(levels.is_sorted_by(|a, b| a < b));
        let ends = [LADDER[0].0, LADDER[LADDER.len() - 1].0].map(f64::from);
        assert_eq!([levels[0], levels[levels.len() - 1]], ends);
        for (level, elo) in LADDER {
            assert_eq!(Some(Strength::of_elo(elo)), Strength::of_level(level));
        }
        assert_eq!(Strength::of_elo(i32::MAX), Strength::of_elo(most));
        assert_eq!(Strength::of_elo(i32::MIN), Strength::of_elo(least));
        assert_eq!(Strength::of_level(FULL), None);
        let nodes: Vec<u64> = (0..FULL).map(|l| Strength::of_level(l).unwrap().nodes()).collect();
        assert!(nodes.is_sorted_by(|a, b| a < b));
    }
}
