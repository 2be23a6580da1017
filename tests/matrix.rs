//! The catalogue, row by row, against a second copy of the rules' matrix, and what soldiers and the
//! king do at each throne and corner by it.

mod common;

use konakis::game::any_size::Game;
use konakis::game::geometry::Square;
use konakis::game::moves::Move;
use konakis::game::rules::{
    Goal, Kind, Kinds, KingCapture, RepetitionResult, Rules, Shieldwall, Side,
};
use konakis::game::variants::{variant, variants};

use common::{Rng, squares};

/// Id, size, first mover, throne (stop/pass/hostile empty/hostile occupied), are there hostile
/// corners, hammer and anvil, king capture, goal squares, speed of `a d k`, more, repetition.
const MATRIX: &str = "
    tablut               9 d -/adk/k/-     open    no/no   SSS   32 *** -    3D
    tablut-pijanowski    9 d -/adk/k/-     open    yes/yes SSS   32 *** -    3D
    tablut-corner        9 d k/adk/adk/-   hostile yes/yes SSS+e  4 *** -    3D
    tablut-1732          9 a -/adk/adk/-   open    yes/yes SSC   32 *** le   3D
    tablut-saami         9 a k/adk/adk/a   open    yes/yes SSC   32 *** e    3A
    tablut-ashton        9 d -/-/adk/d     open    yes/yes SSC   20 *** -    2D
    tablut-foteviken     9 d -/-/k/-       open    yes/yes SSS   20 *** -    3D
    skalk                9 a k/adk/adk/-   hostile yes/yes SSC    4 *** -    3D
    sea-battle           9 a none          open    no/no   SSS   32 *** e    3A
    brandubh             7 a k/adk/adk/a   hostile yes/yes SSC    4 *** e    3A
    brandub-walker       7 a k/adk/-/-     hostile yes/yes CCC    4 *** -    3D
    ard-ri               7 d k/k/-/-       open    yes/yes SSS   24 111 -    3D
    ard-ri-rook          7 a none          open    yes/yes CCC   24 *** e    3A
    magpie               7 a k/adk/adk/-   hostile yes/yes SSS+e  4 **1 -    3D
    copenhagen          11 a k/adk/adk/a   hostile yes/yes SSS    4 *** sxe  3A
    fetlar              11 a k/adk/adk/a   hostile yes/yes SSS    4 *** e    3D
    historical          11 a k/adk/adk/a   open    yes/yes SSC   40 *** e    3A
    historical-taflzero 11 d k/adk/adk/a   open    yes/yes SSC   40 *** e    3A
    tawlbwrdd           11 a none          open    yes/yes CCC   40 *** e    3D
    tawlbwrdd-lewis     11 a none          open    yes/yes CCC   40 *** e    3D
    parlett             13 a none          open    no/no   SSS   48 *** e    3A
    tablut-15           15 a -/adk/adk/-   open    yes/yes SSC   56 *** e    3D
    alea-evangelii      19 a -/adk/adk/-   hostile yes/yes SSS   16 *** e    3M
    htp-copenhagen      11 a k/adk/adk/a   hostile yes/yes SSS    4 *** sxe  0D
    htp-13              13 a k/adk/adk/a   hostile yes/yes SSS    4 *** sxe  0D
    htp-brandubh         7 d k/k/ad/a      hostile yes/yes SCC    4 *** se   0D
";

/// The rows of the matrix with their rule sets.
fn rows() -> Vec<(&'static Rules, Vec<&'static str>)> {
    let rows = MATRIX.lines().filter(|line| !line.trim().is_empty());
    let row = |line: &'static str| line.split_whitespace().collect::<Vec<_>>();
    let rows: Vec<_> = rows.map(row).zip(variants()).map(|(row, r)| (r.as_ref(), row)).collect();
    assert_eq!(rows.len(), 26);
    assert!(rows.iter().all(|(rules, row)| rules.id == row[0]));
    rows
}

fn kinds(text: &str) -> Kinds {
    let listed = Kind::ALL.into_iter().filter(|kind| text.contains(kind.letter()));
    listed.fold(Kinds::NONE, Kinds::with)
}

#[test]
fn every_field_of_the_catalogue() {
    for (rules, row) in rows() {
        let id = row[0];
        assert_eq!(rules.size.to_string(), row[1], "{id}: size");
        assert_eq!(rules.first.letter().to_string(), row[2], "{id}: first");
        let throne = &rules.throne;
        let middle = rules.size / 2;
        if row[3] == "none" {
            assert_eq!(throne.squares().count(), 0, "{id}: throne");
        } else {
            let masks: Vec<_> = row[3].split('/').map(kinds).collect();
            let ours = [throne.stop, throne.pass, throne.hostile_empty, throne.hostile_occupied];
            assert_eq!(ours.to_vec(), masks, "{id}: throne");
            let centre = Square::at(middle, middle, rules.size);
            assert_eq!(throne.squares().collect::<Vec<_>>(), [centre], "{id}: throne");
        }
        let corners = &rules.corners;
        assert_eq!(corners.squares().count() > 0, row[4] == "hostile", "{id}: corners");
        if row[4] == "hostile" {
            let ours =
                [corners.stop, corners.pass, corners.hostile_empty, corners.hostile_occupied];
            assert_eq!(ours, [Kinds::K, Kinds::K, Kinds::ALL, Kinds::NONE], "{id}: corners");
        }
        let yes = |yes| if yes { "yes" } else { "no" };
        assert_eq!(format!("{}/{}", yes(rules.hammer), yes(rules.anvil)), row[5], "{id}: king");
        let mode = |mode| if mode == KingCapture::Surround { 'S' } else { 'C' };
        let modes = [rules.on_throne, rules.beside_throne, rules.elsewhere].map(mode);
        let walls = if rules.edge_walls_king { "+e" } else { "" };
        assert_eq!(modes.iter().collect::<String>() + walls, row[6], "{id}: king capture");
        assert_eq!(rules.goal == Goal::Corners, row[4] == "hostile", "{id}: goal");
        let goals = squares(rules.size).filter(|&square| rules.is_goal(square)).count();
        assert_eq!(goals.to_string(), row[7], "{id}: goal squares");
        let speed = rules.speed.map(|most| most.map_or("*".to_owned(), |most| most.to_string()));
        assert_eq!(speed.concat(), row[8], "{id}: speed");
        let more = [
            (rules.linnaean, "l"),
            (rules.shieldwall == Shieldwall::CornersClose, "s"),
            (rules.exit_fort, "x"),
            (rules.encirclement, "e"),
        ];
        let more: String = more.iter().filter(|(has, _)| *has).map(|(_, name)| *name).collect();
        assert_eq!(more, row[9].replace('-', ""), "{id}: more");
        assert_ne!(rules.shieldwall, Shieldwall::MenClose, "{id}: shieldwall");
        let result = match rules.repetition.result {
            RepetitionResult::Draw => "D",
            RepetitionResult::AttackersWin => "A",
            RepetitionResult::MoverLoses => "M",
            RepetitionResult::MoverWins => "none has this",
        };
        assert_eq!(format!("{}{result}", rules.repetition.limit), row[10], "{id}: repetition");
        assert_eq!(rules.repetition.counts_start, id != "tablut-ashton", "{id}: repetition");
        let htp = id.starts_with("htp-");
        assert_eq!(rules.defenders_may_not_repeat, htp, "{id}: the past");
        assert_eq!(rules.draw_after, htp.then_some(142), "{id}: the past");
        let camps = rules.attacker_camps.squares().count();
        assert_eq!(camps, if id.ends_with("ashton") || id.ends_with("foteviken") { 16 } else { 0 });
        assert_eq!(rules.defender_camps.squares().count(), 0, "{id}: camps");
    }
}

/// A game with one piece of a kind on the square west of the centre, the side to move being its
/// own; the king, if it is not he, two squares south and two east of the centre.
fn beside_centre(rules: &Rules, kind: Kind) -> Game {
    let (size, middle) = (rules.size, rules.size / 2);
    let rank = |at: usize, piece: char| format!("{at}{piece}{}", size - 1 - at);
    let mut ranks = vec![size.to_string(); size];
    ranks[middle] = rank(middle - 1, kind.letter());
    if kind != Kind::King {
        ranks[middle + 2] = rank(middle + 2, 'k');
    }
    let start = Game::start(variant(&rules.id).expect("a rule set")).expect("start position");
    let fen = format!("{} {}", ranks.join("/"), kind.side().letter());
    start.with_fen(&fen).unwrap_or_else(|error| panic!("{} {fen}: {error}", rules.id))
}

/// Each kind steps on the centre and over it exactly where the matrix says so.
#[test]
fn the_centre_by_the_matrix() {
    for (rules, row) in rows() {
        let (size, middle) = (rules.size, rules.size / 2);
        let masks: Vec<_> = match row[3] {
            "none" => vec![Kinds::ALL; 2],
            masks => masks.split('/').map(kinds).collect(),
        };
        for (i, kind) in Kind::ALL.into_iter().enumerate() {
            let game = beside_centre(rules, kind);
            let from = Square::at(middle - 1, middle, size);
            let to = |file| Move { from, to: Square::at(file, middle, size) };
            let at = format!("{} {kind:?}", rules.id);
            assert_eq!(game.is_legal(to(middle)), masks[0].has(kind), "{at} stops");
            let slow = row[8].as_bytes()[i] == b'1';
            assert_eq!(game.is_legal(to(middle + 1)), masks[1].has(kind) && !slow, "{at} passes");
            let far = game.legal_moves().iter().any(|mv| {
                let ((f, r), (tf, tr)) = (mv.from.file_rank(size), mv.to.file_rank(size));
                f.abs_diff(tf) + r.abs_diff(tr) > 1
            });
            assert_eq!(far, !slow, "{at} moves far");
        }
    }
}

/// Four quiet moves that lead back to the position.
fn round(game: &Game) -> [Move; 4] {
    let back = |mv: Move| Move { from: mv.to, to: mv.from };
    let quiet = |game: &Game, mv| game.captured_by(mv).is_empty();
    for there in game.legal_moves() {
        let mut next = game.clone();
        next.play(there);
        for reply in next.legal_moves() {
            let (mut game, moves) = (game.clone(), [there, reply, back(there), back(reply)]);
            let goes = moves.iter().all(|&mv| {
                let legal = game.is_legal(mv) && quiet(&game, mv);
                if legal {
                    game.play(mv);
                }
                legal
            });
            if goes {
                return moves;
            }
        }
    }
    panic!("{}: nobody can go to and fro", game.fen());
}

/// To and fro: the game ends at the right ply with the right result, also when the same is repeated
/// further, and goes on with a new position.
#[test]
fn repetition_by_the_matrix() {
    // Where the defenders may not repeat nobody goes to and fro.
    for (rules, row) in rows().into_iter().filter(|(rules, _)| !rules.defenders_may_not_repeat) {
        let start = Game::start(variant(row[0]).expect("a rule set")).expect("start position");
        // The king and one man of each side, far from each other and from the camps.
        let mut ranks = vec![rules.size.to_string(); rules.size];
        ranks[2] = format!("2k{}", rules.size - 3);
        ranks[rules.size - 3] = format!("2d{}a1", rules.size - 5);
        let fen = format!("{} {}", ranks.join("/"), row[2]);
        let start = start.with_fen(&fen).expect("a legal board");
        let moves = round(&start);
        let mut game = start;
        let ends = if row[10] == "2D" { 5 } else { 8 };
        for ply in 1..=14 {
            game.play(moves[(ply - 1) % 4]);
            let mover = game.side().other();
            let expected = (ply >= ends).then(|| match &row[10][1..] {
                "A" => Some(Side::Attackers),
                "M" => Some(mover.other()),
                _ => None,
            });
            let outcome = game.outcome();
            assert_eq!(outcome.map(|outcome| outcome.winner), expected, "{} ply {ply}", row[0]);
            assert!(outcome.is_none_or(|outcome| outcome.reason.name() == "repetition"));
            assert!(!game.legal_moves().is_empty(), "{} ply {ply}", row[0]);
        }
        let mut rng = Rng(7);
        let list = game.legal_moves();
        let fresh = list.iter().filter(|mv| !moves.contains(mv)).collect::<Vec<_>>();
        game.play(*rng.pick(&fresh));
        let reason = game.outcome().map(|outcome| outcome.reason.name());
        assert_ne!(reason, Some("repetition"), "{}: a new position", row[0]);
    }
}
