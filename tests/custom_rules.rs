//! Rule sets that somebody might write and the catalogue does not have, against the reference and
//! against positions worked out by hand.

mod common;

use std::sync::Arc;

use konakis::game::geometry::Square;
use konakis::game::rules::{
    Goal, Kind, Kinds, KingCapture, Repetition, RepetitionResult, Rules, Shieldwall, Side, Zone,
};

use common::{Met, Rng, Scene, block, changed, named, play_many, scatter};

const ADK: Kinds = Kinds::ALL;
const NOBODY: Kinds = Kinds::NONE;
const A: Kinds = Kinds::A;
const D: Kinds = Kinds::D;
const K: Kinds = Kinds::K;
const SIZES: [usize; 7] = [7, 9, 11, 13, 15, 17, 19];

const OPEN_9: &str = "3aaa3/4a4/9/a2d1d2a/aa2k2aa/a2d1d2a/9/4a4/3aaa3";

/// Rule sets of which each has one or two traits that no named one has.
fn unheard_of() -> Vec<Arc<Rules>> {
    let big_throne = |rules: &mut Rules| {
        rules.throne.groups = vec![block(3..6, 3..6, 9)];
        rules.start = "3aaa3/4a4/1d5d1/a7a/aa2k2aa/a7a/1d5d1/4a4/3aaa3".to_owned();
    };
    let camps = |squares: Vec<Vec<Square>>, kinds: Kinds| Zone {
        groups: squares,
        stop: kinds,
        pass: kinds,
        reenter: NOBODY,
        hostile_empty: ADK,
        hostile_occupied: A,
        ..Zone::default()
    };
    let grown = |id: &str, size: usize, change: &dyn Fn(&mut Rules)| {
        changed(id, |rules| {
            rules.size = size;
            let middle = size / 2;
            rules.throne.groups = vec![vec![Square::at(middle, middle, size)]];
            let last = size - 1;
            let corners = [(0, 0), (last, 0), (0, last), (last, last)];
            if rules.goal == Goal::Corners {
                rules.corners.groups =
                    vec![corners.map(|(file, rank)| Square::at(file, rank, size)).to_vec()];
            }
            change(rules);
            rules.start = scatter(rules, Scene::Anywhere, &mut Rng(size as u64))
                .split_once(' ')
                .map_or_else(String::new, |(placement, _)| placement.to_owned());
        })
    };
    vec![
        changed("tablut-saami", big_throne),
        changed("tablut-1732", big_throne),
        changed("tablut", |rules| {
            big_throne(rules);
            rules.throne.reenter = NOBODY;
            rules.throne.stop = K;
            rules.throne.hostile_occupied = ADK;
            rules.on_throne = KingCapture::Custodial;
        }),
        changed("tablut-pijanowski", |rules| {
            rules.start = OPEN_9.to_owned();
            rules.defender_camps =
                camps(vec![named("d4 f4", 9), named("d6 f6", 9)], D.with(Kind::King));
            rules.defender_camps.reenter = K;
        }),
        changed("tablut-ashton", |rules| {
            rules.defender_camps = camps(vec![named("c5 d5", 9), named("f5 g5", 9)], D);
            rules.defender_camps.lenient = named("d5", 9);
            rules.defender_camps.spares = A;
            rules.attacker_camps.reenter = K;
            rules.attacker_camps.pass = ADK;
        }),
        // One may stop on the throne and not pass it.
        changed("tablut-saami", |rules| {
            rules.throne.stop = ADK;
            rules.throne.pass = NOBODY;
            rules.throne.hostile_occupied = ADK;
        }),
        changed("tablut-saami", |rules| rules.speed = [Some(2), None, Some(1)]),
        changed("brandubh", |rules| rules.speed = [None, Some(0), Some(3)]),
        changed("tablut-corner", |rules| {
            rules.corners.stop = ADK;
            rules.corners.pass = A;
            rules.corners.hostile_empty = D;
            rules.corners.hostile_occupied = K;
            rules.elsewhere = KingCapture::Custodial;
        }),
        // Only men close a shieldwall; the edge is the goal and the corners are like any square.
        changed("historical", |rules| rules.shieldwall = Shieldwall::MenClose),
        changed("copenhagen", |rules| {
            rules.shieldwall = Shieldwall::MenClose;
            rules.hammer = false;
        }),
        changed("copenhagen", |rules| {
            rules.anvil = false;
            rules.edge_walls_king = true;
            rules.repetition.result = RepetitionResult::MoverWins;
            rules.repetition.limit = 2;
        }),
        changed("tablut-1732", |rules| rules.repetition.limit = 0),
        changed("tablut-saami", |rules| rules.defenders_may_not_repeat = true),
        changed("ard-ri", |rules| {
            rules.defenders_may_not_repeat = true;
            rules.draw_after = Some(40);
        }),
        grown("copenhagen", 13, &|rules| {
            rules.attacker_camps = camps(vec![block(5..8, 0..2, 13), block(0..2, 5..8, 13)], A);
            rules.attacker_camps.lenient = named("g1 a7", 13);
            rules.attacker_camps.spares = A;
        }),
        grown("copenhagen", 15, &|rules| rules.throne.hostile_occupied = D),
        grown("tablut-1732", 17, &|rules| rules.shieldwall = Shieldwall::MenClose),
        grown("copenhagen", 17, &|rules| rules.speed = [Some(9), Some(5), Some(4)]),
        grown("copenhagen", 19, &|rules| rules.linnaean = true),
        grown("tablut-ashton", 13, &|rules| {
            rules.attacker_camps.groups = vec![block(0..2, 4..9, 13), block(11..13, 4..9, 13)];
            rules.attacker_camps.lenient = named("a7 m7", 13);
            rules.repetition =
                Repetition { limit: 3, result: RepetitionResult::MoverLoses, counts_start: false };
        }),
    ]
}

#[test]
fn unheard_of_rule_sets_agree_with_the_reference() {
    let mut met = Met::default();
    for (i, rules) in unheard_of().iter().enumerate() {
        let large = rules.size / 7;
        play_many(rules, 4 / large, 200 / large, &mut Rng(i as u64 + 501), &mut met);
    }
    met.insist(&["custodial", "linnaean", "shieldwall", "the king"]);
    met.insist(&["king-captured", "king-escaped", "exit-fort", "encirclement"]);
    met.insist(&["repetition", "no-moves", "ply-limit", "raichi", "tuichi", "watch-your-king"]);
}

fn any_kinds(rng: &mut Rng) -> Kinds {
    let kinds = Kind::ALL.into_iter();
    kinds.fold(NOBODY, |set, kind| if rng.percent(60) { set.with(kind) } else { set })
}

/// A zone of a few squares here and there, with any law.
fn any_zone(size: usize, rng: &mut Rng) -> Zone {
    let groups = (0..rng.below(4)).map(|_| {
        let (file, rank) = (rng.below(size), rng.below(size));
        let (wide, high) = (1 + rng.below(3), 1 + rng.below(3));
        block(file..(file + wide).min(size), rank..(rank + high).min(size), size)
    });
    let groups: Vec<Vec<Square>> = groups.collect();
    let lenient = groups.iter().flatten().copied().filter(|_| rng.percent(30)).collect();
    Zone {
        groups,
        stop: any_kinds(rng),
        pass: any_kinds(rng),
        reenter: any_kinds(rng),
        hostile_empty: any_kinds(rng),
        hostile_occupied: any_kinds(rng),
        lenient,
        spares: any_kinds(rng),
    }
}

/// Any rules at all: every field thrown by dice, the zones anywhere, overlaps included.
fn any_rules(rng: &mut Rng) -> Arc<Rules> {
    let size = rng.pick(&SIZES);
    let mode = |rng: &mut Rng| rng.pick(&[KingCapture::Surround, KingCapture::Custodial]);
    let speed = |rng: &mut Rng| rng.pick(&[None, None, Some(1), Some(2), Some(5)]);
    let mut rules = Rules {
        id: "custom".to_owned(),
        size,
        first: rng.pick(&[Side::Attackers, Side::Defenders]),
        start: String::new(),
        throne: any_zone(size, rng),
        corners: any_zone(size, rng),
        attacker_camps: any_zone(size, rng),
        defender_camps: any_zone(size, rng),
        goal: rng.pick(&[Goal::Edge, Goal::Corners]),
        hammer: rng.percent(50),
        anvil: rng.percent(50),
        on_throne: mode(rng),
        beside_throne: mode(rng),
        elsewhere: mode(rng),
        edge_walls_king: rng.percent(50),
        speed: [speed(rng), speed(rng), speed(rng)],
        linnaean: rng.percent(50),
        encirclement: rng.percent(50),
        shieldwall: rng.pick(&[Shieldwall::No, Shieldwall::CornersClose, Shieldwall::MenClose]),
        exit_fort: rng.percent(50),
        repetition: Repetition {
            limit: rng.below(4) as u32,
            result: rng.pick(&[
                RepetitionResult::Draw,
                RepetitionResult::AttackersWin,
                RepetitionResult::MoverLoses,
                RepetitionResult::MoverWins,
            ]),
            counts_start: rng.percent(50),
        },
        defenders_may_not_repeat: rng.percent(30),
        draw_after: rng.percent(30).then(|| 1 + rng.below(60) as u32),
    };
    if rng.percent(50) {
        rules.throne.groups = vec![block(size / 2..size / 2 + 1, size / 2..size / 2 + 1, size)];
    }
    let board = scatter(&rules, Scene::Anywhere, rng);
    rules.start = board.split(' ').next().unwrap_or_default().to_owned();
    Arc::new(rules)
}

#[test]
fn rules_thrown_by_dice_agree_with_the_reference() {
    let mut met = Met::default();
    let mut rng = Rng(601);
    for _ in 0..80 {
        let rules = any_rules(&mut rng);
        let large = rules.size / 7;
        play_many(&rules, 2 / large, 24 / large, &mut rng, &mut met);
    }
    met.insist(&["custodial", "linnaean", "shieldwall", "the king"]);
    met.insist(&["king-captured", "king-escaped", "exit-fort", "encirclement"]);
    met.insist(&["repetition", "no-moves"]);
}
