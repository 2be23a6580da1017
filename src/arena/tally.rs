//! [`Tally`]: the statistics of the games so far.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use super::player::FaultKind;
use super::result::{Ending, GameResult};
use super::statistics::{PairCounts, Strength};
use crate::game::rules::Side;

/// Games won, lost and drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Score {
    /// Won.
    pub wins: u64,
    /// Lost.
    pub losses: u64,
    /// Drawn.
    pub draws: u64,
}

impl Score {
    fn add(&mut self, points: u32) {
        match points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// The number of games.
    pub const fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Points for each game, 0 to 1; one half without games.
    pub fn rate(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (self.wins as f64 + self.draws as f64 / 2.0) / games as f64,
        }
    }
}

/// What one engine has done.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineTally {
    /// As attackers and as defenders.
    pub by_side: [Score; 2],
    /// In the games that nobody lost by a fault.
    pub without_faults: Score,
    /// Its pairs.
    pub pairs: PairCounts,
    /// Its faults by sort.
    pub faults: BTreeMap<FaultKind, u64>,
    /// The largest overrun of its time, forgiven ones too.
    pub largest_overrun: Duration,
}

impl EngineTally {
    /// On both sides together.
    pub const fn score(&self) -> Score {
        let [a, d] = &self.by_side;
        Score { wins: a.wins + d.wins, losses: a.losses + d.losses, draws: a.draws + d.draws }
    }

    /// What its pairs say about its strength against the others.
    pub fn strength(&self) -> Strength {
        Strength::of(&self.pairs)
    }

    /// Games lost on time.
    pub fn time_forfeits(&self) -> u64 {
        self.faults.get(&FaultKind::TimeForfeit).copied().unwrap_or(0)
    }
}

/// The statistics of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// The engines, in their order.
    pub engines: Vec<EngineTally>,
    /// The games from the attackers' side, whoever played them.
    pub attackers: Score,
    /// How games ended.
    pub endings: BTreeMap<Ending, u64>,
    /// Plies of all games together, of the shortest and of the longest.
    pub plies: (u64, usize, usize),
    /// First games whose second is not there yet, by part and pair.
    open: HashMap<(usize, usize), GameResult>,
}

impl Tally {
    /// Nothing yet, between so many engines.
    pub fn new(engines: usize) -> Self {
        Self {
            engines: vec![EngineTally::default(); engines],
            attackers: Score::default(),
            endings: BTreeMap::new(),
            plies: (0, usize::MAX, 0),
            open: HashMap::new(),
        }
    }

    /// Adds a game; those of a pair are put together when both are there.
    pub fn add(&mut self, result: &GameResult) {
        self.add_from(0, result);
    }

    /// Adds a game of a match that is one of several; pairs are told apart by its number.
    pub fn add_from(&mut self, source: usize, result: &GameResult) {
        let points = result.points();
        self.attackers.add(points[0]);
        *self.endings.entry(result.ending).or_default() += 1;
        let (sum, least, most) = &mut self.plies;
        *sum += result.plies as u64;
        (*least, *most) = ((*least).min(result.plies), (*most).max(result.plies));
        for side in [Side::Attackers, Side::Defenders] {
            let side = side as usize;
            if let Some(engine) = self.engines.get_mut(result.slot.players[side]) {
                engine.by_side[side].add(points[side]);
                if result.ending.fault().is_none() {
                    engine.without_faults.add(points[side]);
                }
                engine.largest_overrun = engine.largest_overrun.max(result.overruns[side]);
            }
        }
        let culprit = result.culprit().and_then(|engine| self.engines.get_mut(engine));
        if let (Some(engine), Some(kind)) = (culprit, result.ending.fault()) {
            *engine.faults.entry(kind).or_default() += 1;
        }
        let pair = (source, result.slot.pair);
        let Some(first) = self.open.remove(&pair) else {
            self.open.insert(pair, *result);
            return;
        };
        for (index, engine) in self.engines.iter_mut().enumerate() {
            if let (Some(one), Some(two)) = (first.points_of(index), result.points_of(index)) {
                engine.pairs.add(one, two);
            }
        }
    }

    /// The first engine against the others.
    pub fn first(&self) -> EngineTally {
        self.engines.first().cloned().unwrap_or_default()
    }

    /// The number of games.
    pub const fn games(&self) -> u64 {
        self.attackers.games()
    }

    /// Games that were lost by a fault.
    pub fn faults(&self) -> u64 {
        self.engines.iter().flat_map(|engine| engine.faults.values()).sum()
    }

    /// The mean length of a game, in plies.
    pub fn mean_plies(&self) -> f64 {
        if self.games() == 0 { 0.0 } else { self.plies.0 as f64 / self.games() as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::result::RulesEnding;
    use crate::arena::schedule::Slot;
    use crate::game::outcome::Reason;

    fn result(
        number: usize,
        players: [usize; 2],
        winner: Option<Side>,
        ending: Ending,
    ) -> GameResult {
        let slot = Slot { number, pair: number.div_ceil(2), round: 0, players };
        let overruns = [Duration::from_millis(number as u64), Duration::ZERO];
        GameResult { slot, winner, ending, plies: 10 * number, overruns }
    }

    #[test]
    fn games_and_pairs_add_up() {
        let (a, d) = (Some(Side::Attackers), Some(Side::Defenders));
        let escaped = Ending::Rules(RulesEnding(Reason::KingEscaped));
        let games = [
            result(1, [0, 1], d, escaped),
            result(3, [0, 2], a, Ending::Fault(FaultKind::TimeForfeit)),
            result(2, [1, 0], d, escaped),
            result(4, [2, 0], None, Ending::MaxPlies),
            result(5, [1, 2], a, Ending::Fault(FaultKind::Crash)),
        ];
        let mut tally = Tally::new(3);
        games.iter().for_each(|game| tally.add(game));
        assert_eq!(tally.games(), 5);
        assert_eq!(tally.attackers, Score { wins: 2, losses: 2, draws: 1 });
        assert_eq!(tally.endings[&escaped], 2);
        assert_eq!((tally.mean_plies(), tally.plies), (30.0, (150, 10, 50)));
        let first = tally.first();
        assert_eq!(first.score(), Score { wins: 2, losses: 1, draws: 1 });
        assert_eq!(first.by_side[1], Score { wins: 1, losses: 0, draws: 1 });
        // Lost and won against the second engine, won and drawn against the third.
        assert_eq!(first.pairs, PairCounts::from_array([0, 0, 1, 0, 1, 0]));
        assert_eq!(tally.engines[2].pairs, PairCounts::from_array([0, 1, 0, 0, 0, 0]));
        assert_eq!(tally.engines[2].time_forfeits(), 1);
        assert_eq!((tally.faults(), first.time_forfeits()), (2, 0));
        assert_eq!(first.largest_overrun, Duration::from_millis(3));
    }

    #[test]
    fn the_order_of_games_does_not_matter() {
        let winners = [Some(Side::Attackers), None, Some(Side::Defenders)];
        let games: Vec<GameResult> = (1..=30)
            .map(|number| {
                let players = if number % 2 == 1 { [0, 1] } else { [1, 0] };
                result(number, players, winners[number * 7 % 3], Ending::MaxPlies)
            })
            .collect();
        let (mut one, mut other) = (Tally::new(2), Tally::new(2));
        games.iter().for_each(|game| one.add(game));
        games.iter().rev().for_each(|game| other.add(game));
        assert_eq!(one, other);
        assert_eq!(one.first().pairs.total(), 15);
    }
}
