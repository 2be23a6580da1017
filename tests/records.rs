//! Games in every format: what is written is read back, from whatever end the format counts its
//! ranks; what is broken is named with its place and ends nothing else.

mod common;

use konakis::game::any_size::Game;
use konakis::game::rules::Side;
use konakis::game::variants::{variant, variants};
use konakis::notation::format::{Format, decode};
use konakis::notation::place::Place;
use konakis::notation::record::Variation;
use konakis::notation::recorded::{RecordedGame, RuleBook};

use common::{Rng, Scene, scatter};

/// A random game from a position, of so many plies at the most.
fn random_game(first: Game, plies: usize, rng: &mut Rng) -> RecordedGame {
    let mut game = first.clone();
    let mut moves = Vec::new();
    for _ in 0..plies {
        let list = game.legal_moves();
        if list.is_empty() {
            break;
        }
        let mv = rng.pick(&list);
        game.play(mv);
        moves.push(mv);
    }
    RecordedGame::new(first, moves)
}

fn start(id: &str) -> Game {
    Game::start(variant(id).expect("a rule set")).expect("a legal start")
}

/// All games of a text, which must be recognised as the format; none is broken.
fn read(format: Format, text: &str, rules: Option<&Game>) -> Vec<RecordedGame> {
    assert_eq!(Format::recognise(text), format, "{text}");
    let chosen = rules.map(|game| game.rules().clone());
    let mut book = RuleBook::new(chosen).expect("a legal start");
    let play = |entry| book.play(&entry).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let entries = format.read(text).into_iter();
    entries.map(|entry| entry.unwrap_or_else(|error| panic!("{error}\n{text}"))).map(play).collect()
}

fn same_play(read: &RecordedGame, written: &RecordedGame, at: &str) {
    assert_eq!(read.first.fen(), written.first.fen(), "{at}");
    assert_eq!(read.first.rules(), written.first.rules(), "{at}");
    assert_eq!(read.moves, written.moves, "{at}");
}

/// Words with everything that may stand in a value or a comment.
fn words(rng: &mut Rng) -> String {
    let words = ["Ödin", "a-b: c", "score cp 3", "1. e4-e5", "(x)", "two\n\nlines", "", "…", "12."];
    (0..rng.below(4)).map(|_| rng.pick(&words)).collect::<Vec<_>>().join(" ").trim().to_owned()
}

#[test]
fn records_round_trip() {
    let mut rng = Rng(61);
    let mut shapes = [0; 3];
    for rules in variants() {
        let start = Game::start(rules.clone()).expect("a legal start");
        let mut text = String::new();
        let mut games = Vec::new();
        for round in 0..6 {
            let first = match round % 2 {
                0 => start.clone(),
                _ => {
                    start.with_fen(&scatter(rules, rng.pick(&Scene::ALL), &mut rng)).expect("legal")
                }
            };
            let plies = rng.below(40);
            let mut game = random_game(first, plies, &mut rng);
            game.tags.push(("event".to_owned(), words(&mut rng)));
            game.tags.push(("result".to_owned(), rng.pick(&["1", "0", "-1", "?"]).to_owned()));
            for comment in &mut game.comments {
                *comment = if rng.percent(50) {
                    words(&mut rng).replace('\n', " ")
                } else {
                    String::new()
                };
            }
            if game.moves.len() > 3 {
                let address = "2b.1.1a".to_owned();
                let moves = vec![".....".to_owned(), "a1-a2xa3+".to_owned()];
                let comments = vec![String::new(), words(&mut rng)];
                game.variations.push(Variation { after: 4, address, moves, comments });
                shapes[0] += 1;
            }
            shapes[1] += usize::from(!game.begins_at_start());
            text += &Format::Otg.write(&game).expect("a rule set that can be written");
            games.push(game);
        }
        let again = read(Format::Otg, &text, None);
        assert_eq!(again.len(), games.len(), "{text}");
        for (read, written) in again.iter().zip(&games) {
            same_play(read, written, &text);
            assert_eq!(read.comments, written.comments, "{text}");
            assert_eq!(read.variations, written.variations, "{text}");
            for (name, value) in &written.tags {
                assert_eq!(read.tag(name), Some(value.as_str()), "{text}");
            }
            // What has been read is written as before.
            assert!(text.contains(&Format::Otg.write(read).expect("a rule set")));
            shapes[2] += 1;
        }
        // Line ends of other systems change nothing.
        let crlf = decode(("\u{feff}".to_owned() + &text.replace('\n', "\r\n")).into_bytes());
        assert_eq!(crlf.as_deref(), Ok(text.as_str()));
    }
    assert!(shapes.iter().all(|&count| count > 20), "{shapes:?}");
}

#[test]
fn lines_round_trip() {
    let mut rng = Rng(62);
    for rules in variants() {
        let start = Game::start(rules.clone()).expect("a legal start");
        for round in 0..6 {
            let fen = scatter(rules, rng.pick(&Scene::ALL), &mut rng);
            let first = match round % 2 {
                0 => start.clone(),
                _ => start.with_fen(&fen).expect("a legal board"),
            };
            let plies = 1 + rng.below(60);
            let game = random_game(first.clone(), plies, &mut rng);
            let text = Format::Lines.write(&game).expect("any game");
            let format = if game.moves.is_empty() { Format::Fens } else { Format::Lines };
            same_play(&read(format, &text, Some(&start))[0], &game, &text);
            let text = Format::Fens.write(&game).expect("any game");
            let again = read(Format::Fens, &text, Some(&start));
            assert_eq!(again[0].first.fen(), game.last().fen());
            assert!(again[0].moves.is_empty());
        }
    }
}

#[test]
fn the_archive_round_trips() {
    let mut rng = Rng(63);
    for rules in variants() {
        let start = Game::start(rules.clone()).expect("a legal start");
        let mut text = String::new();
        let mut games = Vec::new();
        for result in ["1", "-1", "0", "1"] {
            let plies = 1 + rng.below(60);
            let mut game = random_game(start.clone(), plies, &mut rng);
            game.tags.push(("result".to_owned(), result.to_owned()));
            if rng.percent(50) {
                game.tags.push(("termination".to_owned(), "timeout".to_owned()));
            }
            text += &Format::Csv.write(&game).expect("a game from the start");
            games.push(game);
        }
        for (read, written) in read(Format::Csv, &text, Some(&start)).iter().zip(&games) {
            same_play(read, written, &text);
            assert_eq!(read.tags, written.tags, "{text}");
        }
        let fen = scatter(rules, Scene::ALL[0], &mut rng);
        let elsewhere = random_game(start.with_fen(&fen).expect("a legal board"), 3, &mut rng);
        assert!(Format::Csv.write(&elsewhere).is_err());
    }
}

#[test]
fn the_referee_s_log_round_trips() {
    let mut rng = Rng(64);
    let start = start("tablut-ashton");
    let mut text = String::new();
    let mut games = Vec::new();
    for round in 0..24 {
        let fen = scatter(start.rules(), rng.pick(&Scene::ALL), &mut rng);
        let first = match round % 2 {
            0 => start.clone(),
            _ => start.with_fen(&fen).expect("a legal board"),
        };
        let plies = rng.below(60);
        let mut game = random_game(first, plies, &mut rng);
        game.tags.push(("attackers".to_owned(), "Black Player".to_owned()));
        game.tags.push(("defenders".to_owned(), format!("White {round}")));
        let one = Format::Challenge.write(&game).expect("a board of 9x9");
        let alone = read(Format::Challenge, &one, None);
        same_play(&alone[0], &game, &one);
        if let Some(outcome) = game.last().outcome().filter(|_| !game.moves.is_empty()) {
            assert_eq!(alone[0].result(), Some(outcome.winner), "{one}");
        }
        text += &one;
        games.push(game);
    }
    let again = read(Format::Challenge, &text, None);
    assert_eq!(again.len(), games.len());
    for (read, written) in again.iter().zip(&games) {
        same_play(read, written, &text);
        for tag in ["attackers", "defenders"] {
            assert_eq!(read.tag(tag), written.tag(tag));
        }
    }
    let other = random_game(self::start("brandubh"), 2, &mut rng);
    assert!(Format::Challenge.write(&other).is_err());
}

/// OpenTafl's tag `position` has the first rank first, its rules strings the top rank first; a FEN
/// has the top rank first.
#[test]
fn every_format_counts_ranks_from_its_own_end() {
    let fen = "9/1a7/2d6/9/4k4/9/9/9/7a1 a";
    let first = start("tablut").with_fen(fen).expect("a legal board");
    let game = RecordedGame::new(first.clone(), vec![first.read_move("b8b1").expect("legal")]);
    let text = Format::Otg.write(&game).expect("a record");
    assert!(text.contains("[position:/7t1/9/9/9/4K4/9/2T6/1t7/9/]\n"), "{text}");
    assert!(text.contains("starti:/9/1t7/2T6/9/4K4/9/9/9/7t1/]\n"), "{text}");
    // Each of the two alone says where the game begins.
    for left_out in ["[position:", "[rules:"] {
        let lines = text.lines().filter(|line| !line.starts_with(left_out));
        let text: String = lines.map(|line| format!("{line}\n")).collect();
        same_play(&read(Format::Otg, &text, None)[0], &game, &text);
    }
    let tag = "[variant:tablut]\n[position:/7t1/9/9/9/4K4/9/2T6/1t7/9/]\n\n1. Ke5-e1--\n";
    let again = &read(Format::Otg, tag, None)[0];
    assert_eq!(again.first.fen(), fen.replace(" a", " d"));
    assert_eq!(again.result(), Some(Some(Side::Defenders)));
    // The log of the Tablut Challenge has the first rank first as well.
    let ashton = start("tablut-ashton").with_fen("9/1a7/2d6/9/3k5/9/9/9/7a1 a").expect("legal");
    let log = Format::Challenge.write(&RecordedGame::new(ashton, Vec::new())).expect("9x9");
    let board = "OOOOOOOBO\nOOOOOOOOO\nOOOOOOOOO\nOOOOOOOOO\nOOOKTOOOO\nOOOOOOOOO\nOOWOOOOOO\nOBOOOOOOO\nOOOOOOOOO\n-\nB\n";
    assert!(log.contains(board), "{log}");
}

#[test]
fn the_rules_are_the_record_s_own_unless_others_are_chosen() {
    let brandubh = "[variant:brandubh]\n\n1. d6-c6 e4-e1\n";
    let by = |text: &str, chosen: Option<&str>| {
        let mut book =
            RuleBook::new(chosen.map(|id| variant(id).expect("a rule set"))).expect("legal");
        let entry = Format::recognise(text).read(text).remove(0).expect("a record");
        book.play(&entry).map(|game| game.first.rules().id.clone()).map_err(|e| e.to_string())
    };
    assert_eq!(by(brandubh, None).as_deref(), Ok("brandubh"));
    assert_eq!(by(brandubh, Some("brandub-walker")).as_deref(), Ok("brandub-walker"));
    assert_eq!(by("e3a3", None).as_deref(), Ok("tablut"));
    assert_eq!(
        by("d6c6 e4e1", Some("magpie")).unwrap_err(),
        "line 1, column 1: move 1 (d6c6): illegal: there is no piece on d6 (by the rules magpie)"
    );
    let unknown = by("[variant:foo]\n\n1. d6-c6\n", None).unwrap_err();
    assert!(unknown.starts_with("line 1, column 1: tag variant 'foo': there is no"), "{unknown}");
    let unknown = by("[a:b]\n[variant:foo]\n\n1. d6-c6\n", None).unwrap_err();
    assert!(unknown.starts_with("line 2, column 1: tag variant 'foo': there is no"), "{unknown}");
    let wrong = by("[a:b]\n\n  [rules:dim:9]\n1. e3-a3\n", None).unwrap_err();
    assert!(wrong.starts_with("line 3, column 3: tag rules: "), "{wrong}");
    assert_eq!(by("[variant:foo]\n\n1. d6-c6\n", Some("brandubh")).as_deref(), Ok("brandubh"));
    let custom = "[rules:dim:7 esc:e cor: starti:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/]\n\n1. d7-c7\n";
    assert_eq!(by(custom, None).as_deref(), Ok("custom"));
    let refused = "[rules:dim:7 ber:y starti:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/]\n\n1. d7-c7\n";
    assert!(by(refused, None).unwrap_err().contains("ber"), "{refused}");
    assert_eq!(by(refused, Some("brandubh")).as_deref(), Ok("brandubh"));
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let tablut = start("tablut");
    let errors = |format: Format, text: &str| -> Vec<(Place, String)> {
        let mut book = RuleBook::new(Some(tablut.rules().clone())).expect("legal");
        let entries = format.read(text).into_iter();
        let errors = entries.filter_map(|entry| entry.and_then(|entry| book.play(&entry)).err());
        errors.map(|error| (error.place, error.what)).collect()
    };
    for (format, text, line, column, what) in [
        (
            Format::Lines,
            "e3a3\n e3a3  e3e4\n",
            2,
            8,
            "move 2 (e3e4): illegal: there is no piece on e3",
        ),
        (Format::Lines, "e3a3 hello9\n", 1, 6, "move 2 (hello9): no move of a 9x9 board"),
        (Format::Lines, "e3a3xa4\n", 1, 1, "it captures nothing, not a4"),
        (Format::Lines, "9/9 a moves e3e4\n", 1, 1, "FEN '9/9 a': 2 ranks"),
        (Format::Lines, "9/9/9/9/9/4k4/9/9/a8 d moves e4e1 a1a2\n", 1, 35, "the game is over"),
        (Format::Fens, "9/9/9/9/9/4k4/9/9/a8 d\ne3e4\n", 2, 1, "no FEN"),
        (Format::Fens, "9/9/9/9/9/4k4/9/9/a8 d e4e1\n", 1, 24, "a move; expected a FEN"),
        (Format::Csv, "e3-a3,0,0\n", 1, 1, "3 columns"),
        (Format::Csv, "e3-a3,0,x,White\n", 1, 9, "'x'; expected a number"),
        (Format::Csv, "e3-a3,0,0,Green\n", 1, 11, "result 'Green'"),
        (Format::Csv, "e3-a3 e3-e4,0,0,White\n", 1, 7, "move 2 (e3-e4)"),
        (Format::Otg, "[a:b]\n\n1. e3-a3 e3-e4\n", 3, 10, "move 2 (e3-e4)"),
        (Format::Otg, "[position:/9/]\n\n1. e3-a3\n", 1, 1, "tag position '/9/': 1 ranks"),
        (
            Format::Challenge,
            "X: Turn: W Pawn from e3 to e4\nX: Movimento pedina\n",
            1,
            4,
            "move 1 (e3-e4)",
        ),
    ] {
        let found = errors(format, text);
        let [(place, said)] = &found[..] else { panic!("{text}: {found:?}") };
        assert_eq!(*place, Place { line, column }, "{text}: {said}");
        assert!(said.contains(what), "{text}: {said}");
    }
    let with_heading = "moves,black,white,status\ne3-a3,0,0,White\n";
    assert_eq!(errors(Format::Csv, with_heading), []);
    // The other games are read all the same.
    let mut book = RuleBook::new(None).expect("legal");
    let played = Format::Lines.read("e3a3\ne3e4\ne3b3\n").into_iter();
    assert_eq!(played.filter(|entry| book.play(entry.as_ref().expect("words")).is_ok()).count(), 2);
}

/// Texts with a part left out, doubled or changed are read or refused, never worse.
#[test]
fn torn_and_changed_texts_end_nothing() {
    let mut rng = Rng(65);
    let start = start("tablut-ashton");
    for round in 0..400 {
        let mut game = random_game(start.clone(), 12, &mut rng);
        game.comments.fill("said".to_owned());
        let format = Format::ALL[round % Format::ALL.len()];
        let mut bytes = format.write(&game).expect("a game from the start").into_bytes();
        for _ in 0..=rng.below(3) {
            let at = rng.below(bytes.len());
            match rng.below(4) {
                0 => bytes.truncate(at + 1),
                1 => drop(bytes.remove(at)),
                2 => bytes[at] = rng.pick(b"[]|/,.-x \n\r\xff9aK:#\""),
                _ => {
                    let part = bytes[at..(at + 20).min(bytes.len())].to_vec();
                    bytes.splice(at..at, part);
                }
            }
            if bytes.is_empty() {
                bytes.push(b'x');
            }
        }
        let text = decode(bytes).expect("no zero bytes");
        for format in [format, Format::recognise(&text)] {
            let mut book = RuleBook::new(None).expect("legal");
            for entry in format.read(&text) {
                match entry.and_then(|entry| book.play(&entry)) {
                    Ok(game) => assert!(game.comments.len() <= game.moves.len().max(1)),
                    Err(error) => assert!(error.place.line > 0 && !error.what.is_empty()),
                }
            }
        }
    }
}
