//! Who plays whom, when, from which opening: the whole match as a list of games.

use std::fmt;

/// The plan of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// Number of engines.
    pub engines: usize,
    /// Only the first engine plays, against each of the others.
    pub gauntlet: bool,
    /// Pairs of games for each pairing of engines.
    pub pairs: usize,
}

/// A game in the plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// From 1, in the order of the plan.
    pub number: usize,
    /// The pair it belongs to, from 1.
    pub pair: usize,
    /// The opening, from 0; openings begin again when they run out.
    pub round: usize,
    /// The engines that play attackers and defenders, from 0.
    pub players: [usize; 2],
}

/// One of several parts of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// From 1.
    pub part: usize,
    /// How many parts there are.
    pub of: usize,
}

impl Schedule {
    /// The pairings: every two engines, or the first and each of the others.
    pub fn pairings(&self) -> Vec<[usize; 2]> {
        let firsts = if self.gauntlet { 1.min(self.engines) } else { self.engines };
        let pairings = |first| (first + 1..self.engines).map(move |second| [first, second]);
        (0..firsts).flat_map(pairings).collect()
    }

    /// The games of the match or of a part of it. Each opening is played by all pairings before the
    /// next one; parts get every so-manieth pair, so that each meets all pairings.
    pub fn slots(&self, shard: Option<Shard>) -> Vec<Slot> {
        let pairings = self.pairings();
        let pairs = (0..self.pairs).flat_map(|round| pairings.iter().map(move |p| (round, *p)));
        let mine = |pair: usize| shard.is_none_or(|shard| pair % shard.of == shard.part - 1);
        let pairs = pairs.enumerate().filter(|(pair, _)| mine(*pair));
        let games = pairs.flat_map(|(pair, (round, [one, two]))| {
            let game = move |second: usize, players| Slot {
                number: 2 * pair + 1 + second,
                pair: pair + 1,
                round,
                players,
            };
            [game(0, [one, two]), game(1, [two, one])]
        });
        games.collect()
    }
}

impl Shard {
    /// Reads `I/N`.
    ///
    /// # Errors
    /// Says what would be right.
    pub fn parse(text: &str) -> Result<Self, String> {
        let numbers = text
            .split_once('/')
            .and_then(|(part, of)| Some(Self { part: part.parse().ok()?, of: of.parse().ok()? }));
        numbers
            .filter(|shard| (1..=shard.of).contains(&shard.part))
            .ok_or_else(|| format!("'{text}'; expected I/N with I from 1 to N, such as 3/8"))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_two_meet_with_swapped_sides_on_each_opening() {
        let schedule = Schedule { engines: 3, gauntlet: false, pairs: 2 };
        let slots = schedule.slots(None);
        assert_eq!(slots.len(), 12);
        for (i, pair) in slots.chunks(2).enumerate() {
            let [one, two] = [pair[0], pair[1]];
            assert_eq!([one.number, two.number], [2 * i + 1, 2 * i + 2]);
            assert_eq!((one.pair, two.pair, one.round), (i + 1, i + 1, i / 3));
            assert_eq!((one.players, one.round), ([two.players[1], two.players[0]], two.round));
        }
        let gauntlet = Schedule { gauntlet: true, ..schedule };
        assert_eq!(gauntlet.pairings(), [[0, 1], [0, 2]]);
    }

    #[test]
    fn parts_are_whole_pairs_and_add_up() {
        let schedule = Schedule { engines: 3, gauntlet: false, pairs: 5 };
        let mut all = Vec::new();
        for part in 1..=4 {
            let slots = schedule.slots(Some(Shard { part, of: 4 }));
            assert!(slots.chunks(2).all(|pair| pair[0].pair == pair[1].pair));
            all.extend(slots);
        }
        all.sort_by_key(|slot| slot.number);
        assert_eq!(all, schedule.slots(None));
        assert_eq!(Shard::parse("3/8"), Ok(Shard { part: 3, of: 8 }));
        for bad in ["0/3", "4/3", "1", "1/0", "a/b", "-1/2"] {
            assert!(Shard::parse(bad).is_err(), "{bad}");
        }
    }
}
