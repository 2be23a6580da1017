//! Reading and printing of positions: what is tolerated, what is refused and with which words.

mod common;

use konakis::game::any_size::Game;
use konakis::game::variants::{variant, variants};

use common::{Rng, Scene, scatter};

fn start(id: &str) -> Game {
    Game::start(variant(id).expect("a rule set")).expect("start position")
}

/// The canonical FEN of what was read.
fn read(id: &str, text: &str) -> String {
    start(id).with_fen(text).unwrap_or_else(|error| panic!("{id} {text}: {error}")).fen()
}

/// What is said of a FEN that must not be read.
fn refusal(id: &str, text: &str) -> String {
    match start(id).with_fen(text) {
        Ok(game) => panic!("{id}: '{text}' was read as {}", game.fen()),
        Err(error) => error.to_string(),
    }
}

const BRANDUBH: &str = "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3";

#[test]
fn what_is_tolerated() {
    let attackers = format!("{BRANDUBH} a");
    let defenders = format!("{BRANDUBH} d");
    for tail in ["", " a", " A", " b", " B", " a - -", " - a", " b - - 0 1", " - - 12 700", "\t a "]
    {
        assert_eq!(read("brandubh", &format!("{BRANDUBH}{tail}")), attackers, "'{tail}'");
    }
    for tail in [" d", " D", " w", " W", " w - - 0 1", " d 0", " - - d 3 4", "  d  "] {
        assert_eq!(read("brandubh", &format!("{BRANDUBH}{tail}")), defenders, "'{tail}'");
    }
    assert_eq!(read("brandubh", &BRANDUBH.to_uppercase()), attackers);
    assert_eq!(read("brandubh", &format!("  \t{BRANDUBH}\r\n")), attackers);
    // Without a side it is the turn of whoever begins in the rule set.
    assert_eq!(read("ard-ri", "7/7/7/3k3/7/7/6a"), "7/7/7/3k3/7/7/6a d");
    assert_eq!(read("ard-ri-rook", "7/7/7/3k3/7/7/6a"), "7/7/7/3k3/7/7/6a a");
    // Numbers of two digits on the larger boards; several numbers in a row are one number.
    let eleven = "11/11/11/11/11/5k5/11/11/11/11/a10 d";
    assert_eq!(read("tawlbwrdd", eleven), eleven);
}

#[test]
fn odd_positions_are_positions() {
    // Without a king, without anybody, full to the last square.
    assert_eq!(read("tawlbwrdd", &["11"; 11].join("/")), ["11"; 11].join("/") + " a");
    let full = format!("{}/{}", ["ddddddd"; 6].join("/"), "dddkddd");
    assert_eq!(read("ard-ri-rook", &format!("{full} a")), format!("{full} a"));
    let game = start("brandubh").with_fen("7/7/7/7/7/7/3a3 d").expect("a finished game");
    assert_eq!(common::status(game.outcome()), "attackers king-captured");
    assert!(game.legal_moves().is_empty());
}

/// Everything else is refused, with the place and what would be right.
#[test]
fn what_is_refused_and_why() {
    let ranks = |third: &str| format!("3a3/3a3/{third}/aadkdaa/3d3/3a3/3a3 d");
    for (third, words) in [
        ("3d2", vec!["rank 5", "file g", "exactly 7"]),
        ("", vec!["rank 5", "file a", "exactly 7"]),
        ("3d4", vec!["rank 5", "file e", "7"]),
        ("3dddda", vec!["rank 5", "file h", "7"]),
        ("8", vec!["rank 5", "file a", "7"]),
        ("3d0", vec!["rank 5", "file e", "'0'"]),
        ("3d00", vec!["rank 5", "file e", "'00'"]),
        ("012", vec!["rank 5", "file a", "'012'"]),
        ("03d3", vec!["rank 5", "file a", "'03'"]),
        ("d12", vec!["rank 5", "file b", "'12'"]),
        ("99999999999999999999999999", vec!["rank 5", "file a", "'99999999999999999999'"]),
        ("18446744073709551616", vec!["rank 5", "file a"]),
        ("3x3", vec!["rank 5", "file d", "'x'", "a, d, k"]),
        ("3é3", vec!["rank 5", "file d", "'é'"]),
        ("3\u{661}3", vec!["rank 5", "file d"]),
        ("3\u{1b}[2J3", vec!["rank 5", "file d", "\\u{1b}"]),
        ("3\u{0}3", vec!["rank 5", "file d", "\\u{0}"]),
        ("3-3", vec!["rank 5", "file d", "'-'"]),
        ("2+d3", vec!["rank 5", "file c", "'+'"]),
        ("ak5", vec!["two kings", "d4", "b5"]),
    ] {
        let said = refusal("brandubh", &ranks(third));
        for word in words {
            assert!(said.contains(word), "'{third}': '{said}' lacks '{word}'");
        }
        assert!(!said.chars().any(char::is_control), "'{third}': {said:?}");
    }
    for (fen, words) in [
        ("", vec!["empty"]),
        (" \t ", vec!["empty"]),
        ("/", vec!["2 ranks", "7"]),
        ("7/7/7/7/7/7", vec!["6 ranks", "expected 7"]),
        ("7/7/7/7/7/7/7/7", vec!["8 ranks", "expected 7"]),
        ("7/7/7/3k3/7/7/7/ d", vec!["8 ranks"]),
        ("7/7/7/3k3/7/7/7 x", vec!["'x'", "side to move"]),
        ("7/7/7/3k3/7/7/7 d d", vec!["twice"]),
        ("7/7/7/3k3/7/7/7 ad", vec!["'ad'"]),
        ("7/7/7/3k3/7/7/7 d -1", vec!["'-1'"]),
        ("7/7/7/3k3/7/7/7 d 1.5", vec!["'1.5'"]),
        ("7/7/7/3k3/7/7/7 \u{7}", vec!["\\u{7}", "side to move"]),
        ("d", vec!["1 ranks"]),
    ] {
        let said = refusal("brandubh", fen);
        for word in words {
            assert!(said.contains(word), "'{fen}': '{said}' lacks '{word}'");
        }
    }
}

/// Nobody stands where he may not stop, the king on the throne excepted.
#[test]
fn men_on_special_squares() {
    let empty = |size: usize| vec![size.to_string(); size];
    let one = |size: usize, place: &str, piece: char| {
        let square = common::square(place, size);
        let (file, rank) = square.file_rank(size);
        let mut ranks = empty(size);
        let number = |n: usize| if n == 0 { String::new() } else { n.to_string() };
        ranks[size - 1 - rank] = format!("{}{piece}{}", number(file), number(size - 1 - file));
        ranks.join("/")
    };
    for (id, place, allowed) in [
        ("tablut", "e5", "k"),
        ("tablut", "a1", "adk"),
        ("tablut-corner", "a1", "k"),
        ("tablut-corner", "i9", "k"),
        ("tablut-corner", "e5", "k"),
        ("ard-ri", "d4", "k"),
        ("ard-ri-rook", "d4", "adk"),
        ("tablut-ashton", "e2", "a"),
        ("tablut-ashton", "a5", "a"),
        ("tablut-ashton", "e5", "k"),
        ("tablut-foteviken", "h5", "a"),
        ("alea-evangelii", "b2", "k"),
        ("alea-evangelii", "r1", "k"),
        ("alea-evangelii", "c3", "adk"),
        ("alea-evangelii", "j10", "k"),
        ("parlett", "g7", "adk"),
    ] {
        let game = start(id);
        for piece in ['a', 'd', 'k'] {
            let fen = one(game.size(), place, piece);
            match game.with_fen(&fen) {
                Ok(_) => assert!(allowed.contains(piece), "{id}: {piece} on {place} was read"),
                Err(error) => {
                    let said = error.to_string();
                    assert!(!allowed.contains(piece), "{id}: {piece} on {place}: {said}");
                    let (file, rank) = place.split_at(1);
                    assert!(said.contains(&format!("rank {rank}, file {file}")), "{id}: {said}");
                }
            }
        }
    }
}

#[test]
fn printing_is_canonical_and_reading_it_is_the_identity() {
    let mut rng = Rng(701);
    for rules in variants() {
        let game = start(&rules.id);
        assert_eq!(game.placement(), rules.start, "{}", rules.id);
        for round in 0..60 {
            let fen = scatter(rules, Scene::ALL[round % Scene::ALL.len()], &mut rng);
            let read = game.with_fen(&fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!(read.fen(), fen, "{}", rules.id);
            assert_eq!(format!("{} {}", read.placement(), read.side().letter()), fen);
            let upper = game.with_fen(&fen.to_uppercase()).expect("upper case");
            assert_eq!((upper.fen(), upper.key()), (fen, read.key()));
        }
    }
}

/// Whatever is done to a FEN, it is read or refused, and what is read prints to something that is
/// read as the same.
#[test]
fn damaged_fens_never_panic() {
    let mut rng = Rng(801);
    let (mut read, mut refused) = (0, 0);
    const JUNK: [&str; 24] = [
        "a",
        "d",
        "k",
        "K",
        "/",
        "0",
        "1",
        "9",
        "10",
        "19",
        "99999999999999999999",
        " ",
        "-",
        "é",
        "\u{0}",
        "\u{1b}",
        "\u{202e}",
        "\n",
        "\u{a0}",
        "w",
        "x",
        "+",
        "١",
        "//",
    ];
    for round in 0..10_000 {
        let rules = &variants()[round % variants().len()];
        let game = start(&rules.id);
        let fen = if rng.percent(50) {
            game.fen()
        } else {
            scatter(rules, rng.pick(&Scene::ALL), &mut rng)
        };
        let mut letters: Vec<char> = fen.chars().collect();
        for _ in 0..=rng.below(3) {
            let at = rng.below(letters.len() + 1);
            match rng.below(7) {
                0 if at < letters.len() => _ = letters.remove(at),
                1 => letters.truncate(at),
                2 if at + 1 < letters.len() => letters.swap(at, at + 1),
                3 if at < letters.len() => letters[at] = letters[at].to_ascii_uppercase(),
                4 if at < letters.len() && letters[at].is_ascii_alphabetic() => {
                    letters[at] = rng.pick(&['a', 'd']);
                }
                5 => {
                    let copy: Vec<char> = letters.iter().skip(at).take(5).copied().collect();
                    letters.splice(at..at, copy);
                }
                _ => _ = letters.splice(at..at, rng.pick(&JUNK).chars()),
            }
            if letters.len() < 3 {
                break;
            }
        }
        let text: String = letters.into_iter().collect();
        match game.with_fen(&text) {
            Ok(position) => {
                read += 1;
                let again = game.with_fen(&position.fen()).expect("its own FEN");
                assert_eq!(again.fen(), position.fen(), "{text}");
                assert_eq!(again.legal_moves(), position.legal_moves(), "{text}");
                let _ = (position.outcome(), position.call());
            }
            Err(error) => {
                refused += 1;
                let said = error.to_string();
                assert!(!said.is_empty() && !said.contains('\n'), "{text:?}: {said:?}");
                assert!(said.len() < 200, "{text:?}: {said}");
            }
        }
    }
    assert!(read > 500 && refused > 500, "{read} read, {refused} refused");
}
