//! The catalogue of named rule sets.

use std::sync::{Arc, LazyLock};

use super::geometry::Square;
use super::rules::{
    Goal, Kind, Kinds, KingCapture, Repetition, RepetitionResult, Rules, Shieldwall, Side, Zone,
};

/// The rule set an engine starts with.
pub const DEFAULT_VARIANT: &str = "tablut";

/// The id of a rule set that somebody wrote.
pub const CUSTOM: &str = "custom";

/// Other names of rule sets: alias and id.
const ALIASES: &[(&str, &str)] = &[
    ("tablut-brainking", "tablut"),
    ("rachunek", "tablut"),
    ("pijanowski", "tablut-pijanowski"),
    ("el-tablut", "tablut-corner"),
    ("linnaeus", "tablut-1732"),
    ("saami", "tablut-saami"),
    ("tablut9x9", "tablut-saami"),
    ("ashton", "tablut-ashton"),
    ("foteviken", "tablut-foteviken"),
    ("copenhagen11x11", "copenhagen"),
    ("historical11x11", "historical-taflzero"),
];

static CATALOGUE: LazyLock<Vec<Arc<Rules>>> =
    LazyLock::new(|| all().into_iter().map(Arc::new).collect());

/// Every named rule set, in the order in which they are listed to people.
pub fn variants() -> &'static [Arc<Rules>] {
    &CATALOGUE
}

/// The rule set of this id or alias, in any case.
pub fn variant(name: &str) -> Option<Arc<Rules>> {
    let alias = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name));
    let id = alias.map_or(name, |(_, id)| id);
    variants().iter().find(|rules| rules.id.eq_ignore_ascii_case(id)).cloned()
}

/// The other names of a rule set.
pub fn aliases(id: &str) -> impl Iterator<Item = &'static str> + '_ {
    ALIASES.iter().filter(move |(_, of)| *of == id).map(|(alias, _)| *alias)
}

/// One line that tells a rule set from its sisters.
pub fn summary(id: &str) -> &'static str {
    match id {
        "tablut" => "BrainKing's Tablut: edge goal, unarmed king taken by four",
        "tablut-pijanowski" => "the Polish encyclopaedia's Tablut: as tablut, the king captures",
        "tablut-corner" => "El Tablut: corner goal, the edge helps to take the king",
        "tablut-1732" => "after Linnaeus's diary, with his capture against the throne",
        "tablut-saami" => "edge goal, the king may come back, repetition loses for defenders",
        "tablut-ashton" => "Ashton's Tablut with camps, the Tablut Challenge's rules",
        "tablut-foteviken" => "the Foteviken museum's rules: camps hostile to the king",
        "skalk" => "the corner game of the Danish magazine Skalk",
        "sea-battle" => "no throne, unarmed king, edge goal",
        "brandubh" => "the Irish game, corner goal",
        "brandub-walker" => "Walker's Brandub: the king is taken by two everywhere",
        "ard-ri" => "the Scottish game, one square a move",
        "ard-ri-rook" => "the Scottish game with rook moves",
        "magpie" => "7x7 corner game with a slow king",
        "copenhagen" => "the tournament game: shieldwall, exit fort, encirclement",
        "fetlar" => "the Fetlar tournament's corner game",
        "historical" => "11x11, edge goal, king taken by two in the open",
        "historical-taflzero" => "as historical, defenders begin",
        "tawlbwrdd" => "the Welsh game, Bell's array",
        "tawlbwrdd-lewis" => "the Welsh game, Lewis's array",
        "parlett" => "13x13, no throne, unarmed king",
        "tablut-15" => "Tablut's rules on 15x15",
        "alea-evangelii" => "the 19x19 game of the Oxford manuscript",
        "htp-copenhagen" => "hnefatafl.org's game: the defenders may not repeat, 142 plies",
        "htp-13" => "hnefatafl.org's 13x13 game",
        "htp-brandubh" => "hnefatafl.org's 7x7 game, the defenders begin",
        _ => "",
    }
}

const TABLUT: &str = "3aaa3/4a4/4d4/a3d3a/aaddkddaa/a3d3a/4d4/4a4/3aaa3";
const BRANDUBH: &str = "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3";
const ARD_RI: &str = "2aaa2/3a3/a1ddd1a/aadkdaa/a1ddd1a/3a3/2aaa2";
const MAGPIE: &str = "3a3/1a3a1/3d3/a1dkd1a/3d3/1a3a1/3a3";
const COPENHAGEN: &str = "3aaaaa3/5a5/11/a4d4a/a3ddd3a/aa1ddkdd1aa/a3ddd3a/a4d4a/11/5a5/3aaaaa3";
const LEWIS: &str = "4aaa4/4aaa4/5d5/5d5/aa3d3aa/aadddkdddaa/aa3d3aa/5d5/5d5/4aaa4/4aaa4";
const BELL: &str = "4aaa4/4a1a4/5a5/5d5/aa2ddd2aa/a1addkdda1a/aa2ddd2aa/5d5/5a5/4a1a4/4aaa4";
const PARLETT: &str = "4aaaaa4/5a1a5/6a6/6d6/a3d3d3a/aa3ddd3aa/a1ad1dkd1da1a/aa3ddd3aa/a3d3d3a/\
                       6d6/6a6/5a1a5/4aaaaa4";
const TABLUT_15: &str = "5aaaaa5/6aaa6/7a7/7a7/7d7/a5ddd5a/aa3d1d1d3aa/aaaadddkdddaaaa/\
                         aa3d1d1d3aa/a5ddd5a/7d7/7a7/7a7/6aaa6/5aaaaa5";
const ALEA: &str = "2a2a7a2a2/19/a4a7a4a/7a1a1a7/6a1d1d1a6/a1a2a7a2a1a/4a4d4a4/3a4d1d4a3/\
                    4d2d1d1d2d4/3a2d1dkd1d2a3/4d2d1d1d2d4/3a4d1d4a3/4a4d4a4/a1a2a7a2a1a/\
                    6a1d1d1a6/7a1a1a7/a4a7a4a/19/2a2a7a2a2";

const HTP_13: &str = "3aaaaaaa3/6a6/13/a5d5a/a5d5a/a4ddd4a/aa1dddkddd1aa/a4ddd4a/a5d5a/a5d5a/13/\
                      6a6/3aaaaaaa3";

const ADK: Kinds = Kinds::ALL;
const AD: Kinds = Kinds::A.with(Kind::Defender);
const NOBODY: Kinds = Kinds::NONE;
const A: Kinds = Kinds::A;
const D: Kinds = Kinds::D;
const K: Kinds = Kinds::K;

fn all() -> Vec<Rules> {
    use KingCapture::Custodial;
    use RepetitionResult::{AttackersWin, MoverLoses};
    use Side::{Attackers, Defenders};

    vec![
        edge("tablut", 9, Defenders, TABLUT).throne(NOBODY, ADK, K, NOBODY).unarmed().rules,
        edge("tablut-pijanowski", 9, Defenders, TABLUT).throne(NOBODY, ADK, K, NOBODY).rules,
        corner("tablut-corner", 9, Defenders, TABLUT)
            .throne(K, ADK, ADK, NOBODY)
            .edge_walls()
            .rules,
        edge("tablut-1732", 9, Attackers, TABLUT)
            .throne(NOBODY, ADK, ADK, NOBODY)
            .king(S, S, Custodial)
            .linnaean()
            .encirclement()
            .rules,
        edge("tablut-saami", 9, Attackers, TABLUT)
            .throne(K, ADK, ADK, A)
            .king(S, S, Custodial)
            .encirclement()
            .repetition(3, AttackersWin)
            .rules,
        edge("tablut-ashton", 9, Defenders, TABLUT)
            .throne(NOBODY, NOBODY, ADK, D)
            .king(S, S, Custodial)
            .own_camps()
            .second_occurrence_draws()
            .rules,
        edge("tablut-foteviken", 9, Defenders, TABLUT)
            .throne(NOBODY, NOBODY, K, NOBODY)
            .any_camps()
            .rules,
        corner("skalk", 9, Attackers, TABLUT)
            .throne(K, ADK, ADK, NOBODY)
            .king(S, S, Custodial)
            .rules,
        edge("sea-battle", 9, Attackers, TABLUT)
            .unarmed()
            .encirclement()
            .repetition(3, AttackersWin)
            .rules,
        corner("brandubh", 7, Attackers, BRANDUBH)
            .throne(K, ADK, ADK, A)
            .king(S, S, Custodial)
            .encirclement()
            .repetition(3, AttackersWin)
            .rules,
        corner("brandub-walker", 7, Attackers, BRANDUBH)
            .throne(K, ADK, NOBODY, NOBODY)
            .king(Custodial, Custodial, Custodial)
            .rules,
        edge("ard-ri", 7, Defenders, ARD_RI)
            .throne(K, K, NOBODY, NOBODY)
            .speed([Some(1), Some(1), Some(1)])
            .rules,
        edge("ard-ri-rook", 7, Attackers, ARD_RI)
            .king(Custodial, Custodial, Custodial)
            .encirclement()
            .repetition(3, AttackersWin)
            .rules,
        corner("magpie", 7, Attackers, MAGPIE)
            .throne(K, ADK, ADK, NOBODY)
            .edge_walls()
            .speed([None, None, Some(1)])
            .rules,
        corner("copenhagen", 11, Attackers, COPENHAGEN)
            .throne(K, ADK, ADK, A)
            .shieldwall()
            .exit_fort()
            .encirclement()
            .repetition(3, AttackersWin)
            .rules,
        corner("fetlar", 11, Attackers, COPENHAGEN).throne(K, ADK, ADK, A).encirclement().rules,
        historical("historical", Attackers).rules,
        historical("historical-taflzero", Defenders).rules,
        edge("tawlbwrdd", 11, Attackers, BELL)
            .king(Custodial, Custodial, Custodial)
            .encirclement()
            .rules,
        edge("tawlbwrdd-lewis", 11, Attackers, LEWIS)
            .king(Custodial, Custodial, Custodial)
            .encirclement()
            .rules,
        edge("parlett", 13, Attackers, PARLETT)
            .unarmed()
            .encirclement()
            .repetition(3, AttackersWin)
            .rules,
        edge("tablut-15", 15, Attackers, TABLUT_15)
            .throne(NOBODY, ADK, ADK, NOBODY)
            .king(S, S, Custodial)
            .encirclement()
            .rules,
        corner("alea-evangelii", 19, Attackers, ALEA)
            .throne(NOBODY, ADK, ADK, NOBODY)
            .corner_blocks()
            .encirclement()
            .repetition(3, MoverLoses)
            .rules,
        htp("htp-copenhagen", 11, Attackers, COPENHAGEN).exit_fort().rules,
        htp("htp-13", 13, Attackers, HTP_13).exit_fort().rules,
        htp("htp-brandubh", 7, Defenders, BRANDUBH)
            .throne(K, K, AD, A)
            .king(S, Custodial, Custodial)
            .rules,
    ]
}

const S: KingCapture = KingCapture::Surround;

fn historical(id: &str, first: Side) -> Builder {
    edge(id, 11, first, LEWIS)
        .throne(K, ADK, ADK, A)
        .king(S, S, KingCapture::Custodial)
        .encirclement()
        .repetition(3, RepetitionResult::AttackersWin)
}

/// The games of hnefatafl.org. Theirs end a game early when the defenders cannot escape any more, and
/// encircle only one region that holds the king and all defenders; both is left out here.
fn htp(id: &str, size: usize, first: Side, start: &str) -> Builder {
    corner(id, size, first, start)
        .throne(K, ADK, ADK, A)
        .shieldwall()
        .encirclement()
        .defenders_may_not_repeat()
        .draw_after(142)
}

/// An edge game without special squares: armed king taken by four, third occurrence a draw.
fn edge(id: &str, size: usize, first: Side, start: &str) -> Builder {
    Builder {
        rules: Rules {
            id: id.to_owned(),
            size,
            first,
            start: start.to_owned(),
            throne: Zone::default(),
            corners: Zone::default(),
            attacker_camps: Zone::default(),
            defender_camps: Zone::default(),
            goal: Goal::Edge,
            hammer: true,
            anvil: true,
            on_throne: S,
            beside_throne: S,
            elsewhere: S,
            edge_walls_king: false,
            speed: [None; 3],
            linnaean: false,
            encirclement: false,
            shieldwall: Shieldwall::No,
            exit_fort: false,
            repetition: Repetition { limit: 3, result: RepetitionResult::Draw, counts_start: true },
            defenders_may_not_repeat: false,
            draw_after: None,
        },
    }
}

/// The same with the four corners as goal, barred to all but the king and hostile to everybody.
fn corner(id: &str, size: usize, first: Side, start: &str) -> Builder {
    edge(id, size, first, start).corners(1)
}

/// Says in the words of the catalogue what a rule set has beyond the plain edge game.
struct Builder {
    rules: Rules,
}

impl Builder {
    fn throne(
        mut self,
        stop: Kinds,
        pass: Kinds,
        hostile_empty: Kinds,
        hostile_occupied: Kinds,
    ) -> Self {
        let middle = self.rules.size / 2;
        let centre = Square::at(middle, middle, self.rules.size);
        self.rules.throne = Zone {
            groups: vec![vec![centre]],
            stop,
            pass,
            hostile_empty,
            hostile_occupied,
            ..Zone::default()
        };
        self
    }

    /// Corner blocks of `side` by `side` squares as the king's goal.
    fn corners(mut self, side: usize) -> Self {
        let size = self.rules.size;
        let outer = |i: usize| i < side || i >= size - side;
        let squares = self.rules.squares().filter(|square| {
            let (file, rank) = square.file_rank(size);
            outer(file) && outer(rank)
        });
        self.rules.corners = Zone {
            groups: vec![squares.collect()],
            stop: K,
            pass: K,
            hostile_empty: ADK,
            ..Zone::default()
        };
        self.rules.goal = Goal::Corners;
        self
    }

    fn corner_blocks(self) -> Self {
        self.corners(2)
    }

    fn unarmed(mut self) -> Self {
        self.rules.hammer = false;
        self.rules.anvil = false;
        self
    }

    fn king(
        mut self,
        on_throne: KingCapture,
        beside_throne: KingCapture,
        elsewhere: KingCapture,
    ) -> Self {
        self.rules.on_throne = on_throne;
        self.rules.beside_throne = beside_throne;
        self.rules.elsewhere = elsewhere;
        self
    }

    fn edge_walls(mut self) -> Self {
        self.rules.edge_walls_king = true;
        self
    }

    fn speed(mut self, speed: [Option<usize>; 3]) -> Self {
        self.rules.speed = speed;
        self
    }

    fn linnaean(mut self) -> Self {
        self.rules.linnaean = true;
        self
    }

    fn encirclement(mut self) -> Self {
        self.rules.encirclement = true;
        self
    }

    fn shieldwall(mut self) -> Self {
        self.rules.shieldwall = Shieldwall::CornersClose;
        self
    }

    fn exit_fort(mut self) -> Self {
        self.rules.exit_fort = true;
        self
    }

    fn repetition(mut self, limit: u32, result: RepetitionResult) -> Self {
        self.rules.repetition = Repetition { limit, result, counts_start: true };
        self
    }

    /// The defenders may not repeat, the attackers may as often as they like.
    fn defenders_may_not_repeat(mut self) -> Self {
        self.rules.defenders_may_not_repeat = true;
        self.repetition(0, RepetitionResult::Draw)
    }

    fn draw_after(mut self, plies: u32) -> Self {
        self.rules.draw_after = Some(plies);
        self
    }

    fn second_occurrence_draws(mut self) -> Self {
        self.rules.repetition =
            Repetition { limit: 2, result: RepetitionResult::Draw, counts_start: false };
        self
    }

    /// Ashton's camps: a man stays in or leaves his own; hostile to all, to attackers except on
    /// the outer middles.
    fn own_camps(mut self) -> Self {
        let squares = |names: [&str; 4]| {
            names.iter().filter_map(|name| Square::parse(name, 9)).collect::<Vec<_>>()
        };
        self.rules.attacker_camps = Zone {
            groups: vec![
                squares(["a4", "a5", "a6", "b5"]),
                squares(["d1", "e1", "f1", "e2"]),
                squares(["i4", "i5", "i6", "h5"]),
                squares(["d9", "e9", "f9", "e8"]),
            ],
            stop: A,
            pass: A,
            reenter: NOBODY,
            hostile_empty: ADK,
            hostile_occupied: ADK,
            lenient: squares(["a5", "e1", "i5", "e9"]),
            spares: A,
        };
        self
    }

    /// The same squares as one camp, which a man inside may cross everywhere; hostile to the king.
    fn any_camps(self) -> Self {
        let mut camps = self.own_camps();
        let zone = &mut camps.rules.attacker_camps;
        *zone = Zone {
            groups: vec![zone.squares().collect()],
            stop: A,
            pass: A,
            reenter: NOBODY,
            hostile_empty: K,
            hostile_occupied: K,
            ..Zone::default()
        };
        camps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        assert_eq!(variants().len(), 26);
        for rules in variants() {
            assert!(!summary(&rules.id).is_empty(), "{}", rules.id);
            assert_eq!(variant(&rules.id).unwrap().id, rules.id);
            assert_eq!(variants().iter().filter(|other| other.id == rules.id).count(), 1);
        }
        for (alias, id) in ALIASES {
            assert_eq!(variant(alias).unwrap().id, *id);
            assert!(variants().iter().all(|rules| rules.id != *alias));
        }
        assert_eq!(variant("TABLUT9X9").unwrap().id, "tablut-saami");
        assert!(variant("chess").is_none());
    }

    #[test]
    fn goals_per_rule_set() {
        let goals = |id: &str| {
            let rules = variant(id).unwrap();
            rules.squares().filter(|&square| rules.is_goal(square)).count()
        };
        assert_eq!(goals("tablut"), 32);
        assert_eq!(goals("tablut-ashton"), 20);
        assert_eq!(goals("tablut-foteviken"), 20);
        assert_eq!(goals("tablut-corner"), 4);
        assert_eq!(goals("alea-evangelii"), 16);
        assert_eq!(goals("parlett"), 48);
    }
}
