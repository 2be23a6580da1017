//! Positions worked out by hand for what the data files do not pin: speed, goals, where soldiers
//! stop and pass, repetition, the side that is taken to have moved last, shieldwalls.

mod common;

use konakis::game::any_size::Game;
use konakis::game::rules::{Goal, Kinds, Repetition, RepetitionResult, Rules, Shieldwall, Zone};
use konakis::game::variants::variant;

use common::{block, changed, game, named, squares, status, targets, told};

const ADK: Kinds = Kinds::ALL;
const NOBODY: Kinds = Kinds::NONE;
const A: Kinds = Kinds::A;
const D: Kinds = Kinds::D;
const K: Kinds = Kinds::K;

#[test]
fn speed_counts_every_square_entered() {
    let rules = changed("tablut-saami", |rules| rules.speed = [Some(2), None, Some(1)]);
    let fen = "9/9/9/2a1d4/2k6/9/9/9/9 a";
    assert_eq!(targets(&rules, fen, "c6"), "a6 b6 c7 c8 d6");
    let fen = "9/9/9/2a1d4/2k6/9/9/9/9 d";
    assert_eq!(targets(&rules, fen, "c5"), "b5 c4 d5");
    assert_eq!(targets(&rules, fen, "e6"), "d6 e1 e2 e3 e4 e7 e8 e9 f6 g6 h6 i6");
    // The throne between is a square like any other for the count, also where nobody may stop.
    let fen = "9/9/9/9/3a5/2k6/9/9/9 a";
    assert_eq!(targets(&rules, fen, "d5"), "b5 c5 d3 d4 d6 d7 f5");
    let one = changed("tablut-saami", |rules| rules.speed = [Some(1); 3]);
    assert_eq!(targets(&one, fen, "d5"), "c5 d4 d6");
    let none = changed("tablut-saami", |rules| rules.speed = [Some(0), None, None]);
    assert_eq!(status(game(&none, fen).outcome()), "defenders no-moves");
}

#[test]
fn a_slow_king_sees_only_near_goals() {
    let rules = changed("tablut-saami", |rules| rules.speed = [None, None, Some(2)]);
    for (king, call) in [
        ("9/9/9/9/9/9/1k7/9/a8 a", "tuichi"),
        ("9/9/9/9/9/2k6/9/9/a8 a", "raichi"),
        ("9/9/9/9/9/3k5/9/9/a8 a", "none"),
    ] {
        let said = game(&rules, king).call().map_or("none", |call| call.name());
        assert_eq!(said, call, "{king}");
    }
}

#[test]
fn soldiers_stop_and_pass_as_the_masks_say() {
    // What a king f3, an attacker d5 and a defender e4 may do at the throne e5, by its masks.
    let at_throne = |stop, pass, from: &str| {
        let rules = changed("tablut-saami", |rules| {
            rules.throne.stop = stop;
            rules.throne.pass = pass;
        });
        let side = if from == "d5" { "a" } else { "d" };
        targets(&rules, &format!("9/9/9/9/3a5/4d4/4k4/9/9 {side}"), from)
    };
    assert_eq!(at_throne(NOBODY, NOBODY, "d5"), "a5 b5 c5 d1 d2 d3 d4 d6 d7 d8 d9");
    assert_eq!(at_throne(A, NOBODY, "d5"), "a5 b5 c5 d1 d2 d3 d4 d6 d7 d8 d9 e5");
    assert_eq!(at_throne(D, A, "d5"), "a5 b5 c5 d1 d2 d3 d4 d6 d7 d8 d9 f5 g5 h5 i5");
    assert_eq!(at_throne(ADK, A, "d5"), "a5 b5 c5 d1 d2 d3 d4 d6 d7 d8 d9 e5 f5 g5 h5 i5");
    assert_eq!(at_throne(A, A, "e4"), "a4 b4 c4 d4 f4 g4 h4 i4");
    assert_eq!(at_throne(D, A, "e4"), "a4 b4 c4 d4 e5 f4 g4 h4 i4");
    assert_eq!(at_throne(K, D, "e4"), "a4 b4 c4 d4 e6 e7 e8 e9 f4 g4 h4 i4");
}

#[test]
fn a_throne_of_nine_squares() {
    let rules = changed("tablut-saami", |rules| {
        rules.throne.groups = vec![block(3..6, 3..6, 9)];
        rules.start = "4a4/9/9/9/4k4/9/9/9/9".to_owned();
    });
    // The king comes and goes as he likes, soldiers cross the nine squares and stay on none.
    let fen = "9/9/2k6/9/1a7/9/6d2/9/9 a";
    assert_eq!(targets(&rules, fen, "b5"), "a5 b1 b2 b3 b4 b6 b7 b8 b9 c5 g5 h5 i5");
    let fen = "9/9/9/4k4/1a7/9/4d4/9/9 d";
    assert_eq!(targets(&rules, fen, "e6"), "a6 b6 c6 d6 e4 e5 e7 e8 e9 f6 g6 h6 i6");
    assert_eq!(targets(&rules, fen, "e3"), "a3 b3 c3 d3 e1 e2 f3 g3 h3 i3");
    // Inside he is surrounded by attackers and empty throne, which is hostile to him: one attacker
    // at the side of it is enough, and beside it three and the throne.
    let inside = told(&mut game(&rules, "9/4a4/9/4k4/9/9/9/9/9 a"), "e8e7");
    assert_eq!(inside, ["attackers king-captured"]);
    let beside = told(&mut game(&rules, "9/8a/3aka3/9/9/9/9/9/9 a"), "i8e8");
    assert_eq!(beside, ["attackers king-captured"]);
    // The squares around it bar a king who may not come back, but not the one who never left.
    let once = changed("tablut", |rules| {
        rules.throne.groups = vec![block(3..6, 3..6, 9)];
        rules.start = "4a4/9/9/9/4k4/9/9/9/9".to_owned();
    });
    let fen = "9/9/9/9/4k4/9/9/9/4a4 d";
    assert_eq!(targets(&once, fen, "e5"), "a5 b5 c5 e2 e3 e7 e8 e9 g5 h5 i5");
}

/// Two camps of two squares each; once out, a man never comes back, and the other camp is barred.
#[test]
fn camps_in_groups() {
    let camps = |reenter, pass| {
        changed("sea-battle", |rules| {
            rules.defender_camps = Zone {
                groups: vec![named("c5 d5", 9), named("f5 g5", 9)],
                stop: D,
                pass,
                reenter,
                ..Zone::default()
            };
        })
    };
    let fen = "9/9/4k4/9/2d6/5d3/4a4/9/9 d";
    let closed = camps(NOBODY, D);
    assert_eq!(targets(&closed, fen, "c5"), "a5 b5 c1 c2 c3 c4 c6 c7 c8 c9 d5 e5");
    assert_eq!(targets(&closed, fen, "f4"), "a4 b4 c4 d4 e4 f1 f2 f3 g4 h4 i4");
    // Who may re-enter does, but the king, who may not stop, only crosses where he may pass.
    let open = camps(D, D);
    let all = "a5 b5 c1 c2 c3 c4 c6 c7 c8 c9 d5 e5 f5 g5 h5 i5";
    assert_eq!(targets(&open, fen, "c5"), all);
    assert_eq!(targets(&open, fen, "f4"), "a4 b4 c4 d4 e4 f1 f2 f3 f5 f6 f7 f8 f9 g4 h4 i4");
    let fen = "9/9/9/9/4k4/9/4a4/9/9 d";
    assert_eq!(targets(&open, fen, "e5"), "e4 e6 e7 e8 e9");
    let crossed = camps(K, ADK);
    assert_eq!(targets(&crossed, fen, "e5"), "a5 b5 e4 e6 e7 e8 e9 h5 i5");
}

#[test]
fn goals_are_where_the_king_may_stop() {
    let goals = |rules: &Rules| squares(rules.size).filter(|&square| rules.is_goal(square)).count();
    let edge = changed("sea-battle", |rules| {
        rules.corners.groups = vec![named("a1 a9 i1 i9", 9)];
        rules.corners.stop = A;
    });
    assert_eq!(goals(&edge), 28);
    let corner = changed("tablut-corner", |rules| rules.corners.groups = vec![named("a1 i9", 9)]);
    assert_eq!(goals(&corner), 2);
    // A throne on the edge, to which he may not come back, is no goal for a king who starts on it.
    let throne = changed("sea-battle", |rules| {
        rules.throne = Zone { groups: vec![named("a5", 9)], stop: NOBODY, ..Zone::default() };
        rules.start = "9/9/9/9/k8/9/9/9/8a".to_owned();
        rules.encirclement = false;
    });
    assert_eq!(goals(&throne), 31);
    let mut game = game(&throne, "9/9/9/9/k8/9/9/9/8a d");
    assert_eq!(told(&mut game, "a5b5 i1i2"), ["ongoing", "ongoing"]);
    assert!(game.read_move("b5a5").is_err());
    assert_eq!(told(&mut game, "b5b9"), ["defenders king-escaped"]);
    // Goals of two by two squares at each corner.
    let alea = variant("alea-evangelii").expect("a rule set");
    let names: Vec<_> = squares(19)
        .filter(|&square| alea.is_goal(square))
        .map(|square| square.on(19).to_string())
        .collect();
    let all = "a1 b1 r1 s1 a2 b2 r2 s2 a18 b18 r18 s18 a19 b19 r19 s19";
    assert_eq!(names.join(" "), all);
}

/// The king lands on a goal and takes a man there all the same; the escape is what counts.
#[test]
fn the_king_captures_on_his_goal() {
    let fen = "2a6/9/9/9/9/9/9/9/1ad1k4 d";
    let rules = changed("tablut-corner", |rules| rules.goal = Goal::Edge);
    assert_eq!(status(game(&rules, fen).outcome()), "defenders king-escaped");
    let rules = changed("tablut-pijanowski", |_| {});
    let mut game = game(&rules, "1dak5/9/9/9/9/9/9/9/8a d");
    assert_eq!(status(game.outcome()), "defenders king-escaped");
    game = game.with_fen("1da6/3k5/9/9/9/9/9/9/8a d").expect("a legal board");
    assert_eq!(told(&mut game, "d8d9"), ["defenders king-escaped"]);
    assert_eq!(game.fen(), "1d1k5/9/9/9/9/9/9/9/8a a");
}

const TO_AND_FRO: &str = "9/1a7/9/9/4k4/9/9/9/9 d";
/// Four moves that lead back; the king keeps off the edge.
const ROUND: &str = "e5e6 b8b7 e6e5 b7b8";

fn repeating(limit: u32, result: RepetitionResult, counts_start: bool) -> Game {
    let repetition = Repetition { limit, result, counts_start };
    game(&changed("sea-battle", |rules| rules.repetition = repetition), TO_AND_FRO)
}

#[test]
fn repetition_by_its_limit_and_result() {
    let thrice = format!("{ROUND} {ROUND} {ROUND}");
    let end = |limit, result, counts_start| {
        let said = told(&mut repeating(limit, result, counts_start), &thrice);
        let first = said.iter().position(|status| status != "ongoing");
        if let Some(first) = first {
            // Every further repetition answers, each for its own mover.
            assert!(said[first..].iter().all(|status| status.ends_with("repetition")));
        }
        first.map(|ply| (ply + 1, said[ply].clone(), said[said.len() - 2].clone()))
    };
    let told = |ply, first: &str, later: &str| {
        Some((ply, format!("{first} repetition"), format!("{later} repetition")))
    };
    use RepetitionResult::{AttackersWin, Draw, MoverLoses, MoverWins};
    assert_eq!(end(3, Draw, true), told(8, "draw", "draw"));
    assert_eq!(end(3, AttackersWin, true), told(8, "attackers", "attackers"));
    // The eighth ply is the attackers', the eleventh the defenders'.
    assert_eq!(end(3, MoverLoses, true), told(8, "defenders", "attackers"));
    assert_eq!(end(3, MoverWins, true), told(8, "attackers", "defenders"));
    assert_eq!(end(2, Draw, true), told(4, "draw", "draw"));
    // The start is not counted: the position after the first move is the first to repeat.
    assert_eq!(end(2, MoverWins, false), told(5, "defenders", "defenders"));
    assert_eq!(end(3, MoverLoses, false), told(9, "attackers", "attackers"));
    assert_eq!(end(0, Draw, true), None);
    assert_eq!(end(5, Draw, true), None);
    assert_eq!(end(u32::MAX, Draw, true), None);
}

#[test]
fn a_capture_starts_the_list_afresh() {
    for (counts_start, occurrences) in [(false, 1), (true, 1)] {
        let repetition = Repetition { limit: 2, result: RepetitionResult::Draw, counts_start };
        let rules = changed("sea-battle", |rules| rules.repetition = repetition);
        let mut game = game(&rules, "9/1a7/9/9/4k4/9/9/3ad4/2d6 d");
        // The man on d2 is taken between c2 and e2; the position after it is the first of the new list.
        assert_eq!(told(&mut game, "c1c2"), ["ongoing"]);
        assert_eq!(game.fen(), "9/1a7/9/9/4k4/9/9/2d1d4/9 a");
        assert_eq!(game.occurrences(), occurrences);
        let said = told(&mut game, "b8b7 e5e6 b7b8 e6e5");
        assert_eq!(said, ["ongoing", "ongoing", "ongoing", "draw repetition"]);
        // A repetition stops nobody, and a new position is in play again.
        assert!(!game.legal_moves().is_empty());
        assert_eq!(told(&mut game, "b8b6"), ["ongoing"]);
        assert_eq!(told(&mut game, "e5e6"), ["ongoing"]);
    }
}

#[test]
fn a_position_judged_as_if_the_other_side_had_just_moved() {
    // Encircled only after an attackers' move, a fort only after a defenders' move.
    let ring = "7/2aaa2/2a1a2/2aka2/2a1a2/2aaa2/7";
    let rules = changed("ard-ri-rook", |_| {});
    assert_eq!(status(game(&rules, &format!("{ring} d")).outcome()), "attackers encirclement");
    assert_eq!(status(game(&rules, &format!("{ring} a")).outcome()), "ongoing");
    let fort = "11/11/11/11/a10/11/11/11/3ddd5/2d3d4/2dk2d4";
    let rules = changed("copenhagen", |_| {});
    assert_eq!(status(game(&rules, &format!("{fort} a")).outcome()), "defenders exit-fort");
    assert_eq!(status(game(&rules, &format!("{fort} d")).outcome()), "ongoing");
    // A king shut in on all sides is not taken before an attacker arrives.
    let shut = "7/7/3a3/2aka2/3a3/7/1a5";
    let rules = changed("brandubh", |rules| rules.encirclement = false);
    assert_eq!(status(game(&rules, &format!("{shut} a")).outcome()), "ongoing");
    assert_eq!(status(game(&rules, &format!("{shut} d")).outcome()), "attackers no-moves");
}

/// A row of two on the edge with one end at a corner: closed by a man, by an empty corner only
/// where corners close, and never by the edge of the board.
#[test]
fn what_closes_a_shieldwall() {
    let after = |shieldwall, fen: &str, mv: &str| {
        let rules = changed("copenhagen", |rules| rules.shieldwall = shieldwall);
        let game = game(&rules, fen);
        let mv = game.read_move(mv).expect("a legal move");
        let taken: Vec<_> =
            game.captured_by(mv).iter().map(|square| square.on(11).to_string()).collect();
        taken.join(" ")
    };
    use Shieldwall::{CornersClose, MenClose, No};
    // Defenders b1 c1, attackers in front of them, an attacker comes to d1.
    let corner = "11/11/5k5/11/11/11/11/11/3a7/1aa8/1dd8 a";
    assert_eq!(after(CornersClose, corner, "d3d1"), "b1 c1");
    assert_eq!(after(MenClose, corner, "d3d1"), "");
    assert_eq!(after(No, corner, "d3d1"), "");
    // Between two men, the king among the taken side: he stays.
    let king = "11/11/11/11/11/11/11/11/6a4/3aaa5/2addk5 a";
    assert_eq!(after(MenClose, king, "g3g1"), "d1 e1");
    // Closing with a man in front takes nothing.
    let front = "11/11/5k5/11/11/11/11/4a6/11/3a7/2adda5 a";
    assert_eq!(after(CornersClose, front, "e4e2"), "");
    // Both directions of one move.
    let both = "11/11/5k5/11/11/11/11/5a5/11/3aa1aa3/2add1dda2 a";
    assert_eq!(after(MenClose, both, "f4f1"), "d1 e1 g1 h1");
    // The king closes a wall of the defenders, and is one of the men in front of it.
    let ours = "11/11/11/11/11/11/11/11/6k4/4dd5/3daa5 d";
    assert_eq!(after(MenClose, ours, "g3g1"), "e1 f1");
    // Up the first file, and along the last rank.
    let file = "11/11/11/11/a4k5/11/11/da9/da9/a10/11 a";
    assert_eq!(after(MenClose, file, "a7a5"), "a3 a4");
    let top = "2add6/3aa6/5a5/11/11/11/5k5/11/11/11/11 a";
    assert_eq!(after(MenClose, top, "f9f11"), "d11 e11");
}

#[test]
fn a_shieldwall_from_an_ordinary_corner_square() {
    let rules = changed("historical", |rules| rules.shieldwall = Shieldwall::MenClose);
    // An attacker runs along rank 1 into the corner and closes the row up the first file.
    let fen = "11/11/11/11/11/5k5/11/a10/da9/da9/5a5 a";
    let mut game = game(&rules, fen);
    assert_eq!(told(&mut game, "f1a1"), ["ongoing"]);
    assert_eq!(game.fen(), "11/11/11/11/11/5k5/11/a10/1a9/1a9/a10 d");
}

/// The man c4 shuts the fort of the king c1; with the empty throne on one side of him and an empty
/// square on the other he could be taken one day, with a comrade beside him never.
#[test]
fn an_empty_throne_endangers_the_wall_of_a_fort() {
    let rules = changed("brandubh", |rules| rules.exit_fort = true);
    let fort = |rank: &str| format!("3a3/7/7/{rank}/1d1d3/1d1d3/1dkd3 a");
    assert_eq!(status(game(&rules, &fort("2d4")).outcome()), "ongoing");
    assert_eq!(status(game(&rules, &fort("1dd4")).outcome()), "defenders exit-fort");
}
