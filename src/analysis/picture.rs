//! [`Picture`]: a position and what is shown on it, whatever draws it.

use crate::game::any_size::Game;
use crate::game::geometry::Square;
use crate::game::moves::Move;
use crate::game::outcome::Call;
use crate::game::rules::{Rules, Side};
use crate::search::score::{Score, ScoreKind};

/// A position with marks on it.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The position.
    pub game: Game,
    /// The move that brought it about.
    pub last: Option<Move>,
    /// Moves to point out.
    pub arrows: Vec<Move>,
    /// Candidate moves and how good they are.
    pub heat: Vec<Heat>,
}

/// A candidate move and how good it is.
#[derive(Clone, PartialEq, Debug)]
pub struct Heat {
    /// The move.
    pub mv: Move,
    /// What it is worth to the side that makes it.
    pub score: Score,
}

/// Beyond so many centipawns behind the best candidate all are equally cold.
const COLD: f64 = 150.0;

impl Picture {
    /// A position without marks; the last move of its game is shown.
    pub fn new(game: Game) -> Self {
        let last = game.moves_made().last().copied();
        Self { game, last, arrows: Vec::new(), heat: Vec::new() }
    }

    /// The best of the candidates that end on a square, with its warmth from 0 to 1: 1 for the best
    /// of all.
    pub fn warmth(&self, to: Square) -> Option<(&Heat, f64)> {
        let best = self.heat.iter().map(|heat| heat.score).max()?;
        let here = self.heat.iter().filter(|heat| heat.mv.to == to);
        let here = here.max_by_key(|heat| heat.score)?;
        Some((here, warmth(best, here.score)))
    }
}

fn warmth(best: Score, score: Score) -> f64 {
    if best == score {
        return 1.0;
    }
    let behind = (f64::from(best.value()) - f64::from(score.value())) / COLD;
    (1.0 - behind).clamp(0.0, 1.0)
}

/// A score in a few characters: `+0.35`, `#5` (wins in 5 plies), `-#4` (loses in 4 plies).
pub fn short(score: Score) -> String {
    match score.kind() {
        ScoreKind::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
        ScoreKind::Win(plies) => format!("#{plies}"),
        ScoreKind::Loss(plies) => format!("-#{plies}"),
    }
}

/// How a side stands that is to move, by a score of a search.
pub fn standing(side: Side, score: Score) -> String {
    let (us, them) = (side.name(), side.other().name());
    match score.kind() {
        ScoreKind::Win(plies) => format!("the {us} win in {plies} plies"),
        ScoreKind::Loss(plies) => format!("the {us} lose in {plies} plies"),
        ScoreKind::Centipawns(value) if value.abs() < 30 => "about even".to_owned(),
        ScoreKind::Centipawns(value) => {
            let ahead = if value > 0 { us } else { them };
            format!("the {ahead} are ahead by {:.2}", f64::from(value.abs()) / 100.0)
        }
    }
}

/// An announcement as it is spoken by the side that has just moved.
pub const fn spoken(call: Call) -> &'static str {
    match call {
        Call::Raichi => "Raichi! The king has a way out.",
        Call::Tuichi => "Tuichi! The king has more than one way out.",
        Call::WatchYourKing => "Watch your king! He can be taken.",
    }
}

/// What a square is by the rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ground {
    /// Nothing special.
    Plain,
    /// The throne.
    Throne,
    /// A corner.
    Corner,
    /// A camp of the attackers.
    AttackerCamp,
    /// A camp of the defenders.
    DefenderCamp,
}

impl Ground {
    /// What a square of a board is.
    pub fn of(rules: &Rules, square: Square) -> Self {
        let kinds = [Self::Throne, Self::Corner, Self::AttackerCamp, Self::DefenderCamp];
        let zones = rules.zones().into_iter().zip(kinds);
        let mut here = zones.filter(|(zone, _)| zone.contains(square));
        here.next().map_or(Self::Plain, |(_, ground)| ground)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variants::variant;

    #[test]
    fn the_best_is_the_warmest() {
        let game = Game::start(variant("tablut").unwrap()).unwrap();
        let mut picture = Picture::new(game);
        for (text, score) in [("e3d3", 50), ("e3c3", -250), ("e4d4", 125), ("d5d3", 200)] {
            let mv = picture.game.read_move(text).unwrap();
            picture.heat.push(Heat { mv, score: Score::centipawns(score) });
        }
        let at = |name| Square::parse(name, 9).unwrap();
        // Two moves go to d3; the better one counts.
        let (heat, warmth) = picture.warmth(at("d3")).unwrap();
        assert_eq!((heat.score, warmth), (Score::centipawns(200), 1.0));
        assert_eq!(picture.warmth(at("d4")).unwrap().1, 0.5);
        assert_eq!(picture.warmth(at("c3")).unwrap().1, 0.0);
        assert_eq!(picture.warmth(at("a1")), None);
        // A proven win leaves every judgement cold.
        picture.heat[1].score = Score::win_in(3);
        assert_eq!(picture.warmth(at("c3")).unwrap().1, 1.0);
        assert_eq!(picture.warmth(at("d3")).unwrap().1, 0.0);
    }

    #[test]
    fn scores_in_short() {
        assert_eq!(short(Score::centipawns(35)), "+0.35");
        assert_eq!(short(Score::centipawns(-400)), "-4.00");
        assert_eq!(short(Score::win_in(5)), "#5");
        assert_eq!(short(Score::loss_in(4)), "-#4");
    }

    #[test]
    fn grounds() {
        let ground = |id: &str, name: &str| {
            let rules = variant(id).unwrap();
            Ground::of(&rules, Square::parse(name, rules.size).unwrap())
        };
        assert_eq!(ground("tablut", "e5"), Ground::Throne);
        assert_eq!(ground("tablut", "a1"), Ground::Plain);
        assert_eq!(ground("alea-evangelii", "s18"), Ground::Corner);
        assert_eq!(ground("tablut-ashton", "b5"), Ground::AttackerCamp);
        assert_eq!(ground("sea-battle", "e5"), Ground::Plain);
    }
}
