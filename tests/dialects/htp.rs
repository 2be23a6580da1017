//! `konakis htp` as a host of hnefatafl.org sees it.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use konakis::game::any_size::Game;
use konakis::game::rules::Side;
use konakis::game::variants::variant;
use konakis::protocol::htp::message::{
    Command, Play, Reply, generated, play_line, role_name, square_name,
};

use crate::common::Rng;
use crate::engine::{Engine, PATIENCE};

fn htp() -> Engine {
    Engine::with_arguments(&["htp", "--hash", "1", "--movetime", "30"])
}

/// The answer to a command, without what follows its line.
fn ask(engine: &mut Engine, line: &str) -> Reply {
    engine.send(line);
    loop {
        let Some(said) = engine.next(PATIENCE) else { engine.fail("no answer") };
        if let Some(reply) = Reply::parse(&said) {
            return reply;
        }
    }
}

fn told(engine: &mut Engine, line: &str) -> String {
    match ask(engine, line) {
        Reply::Success(text) => text,
        Reply::Failure(text) => engine.fail(&format!("{line}: {text}")),
    }
}

fn refused(engine: &mut Engine, line: &str) -> String {
    match ask(engine, line) {
        Reply::Failure(text) => {
            assert_eq!(engine.next(PATIENCE).as_deref(), Some(""), "an empty line ends it");
            text
        }
        Reply::Success(text) => engine.fail(&format!("{line} succeeds: {text}")),
    }
}

#[test]
fn every_command_has_its_answer() {
    let mut engine = htp();
    for (line, answer) in [
        ("name", "= konakis"),
        ("version", concat!("= ", env!("CARGO_PKG_VERSION"))),
        ("protocol_version", "= 1-beta"),
        ("known_command play_from", "= true"),
        ("known_command dance", "= false"),
        ("final_status # how is it?", "= ongoing"),
        (
            "show_board_open_tafl",
            "= /3AAAAA3/5A5/11/A4D4A/A3DDD3A/AA1DDKDD1AA/A3DDD3A/A4D4A/11/5A5/3AAAAA3/",
        ),
        ("play attacker d11 d10", "= "),
        ("play_undo", "= "),
        ("play A F2 c2", "= "),
        ("play d f4 f3", "= "),
        ("board_size 13", "= "),
        ("play_to attacker G2", "= A2 B2 C2 D2 E2 F2 H2 I2 J2 K2 L2 M2 G3"),
        ("board_size 7", "= "),
        ("play_from", "= defender d2 d3 c4 e4 d5 d6"),
        ("time_settings fischer 15 10", "= "),
        ("time_settings un-timed", "= "),
        ("first_move attacker", "= "),
    ] {
        engine.send(line);
        let said = engine.next(PATIENCE).unwrap_or_default();
        if line.starts_with("play_") && said.split(' ').count() > 3 {
            // In whatever order.
            let sorted = |text: &str| {
                let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
                words.sort();
                words
            };
            let answer = answer.replace(" d2 d3 c4 e4 d5 d6", " d3 c4 e4 d5");
            assert_eq!(sorted(&said), sorted(&answer), "{line}");
        } else {
            assert_eq!(said, answer, "{line}");
        }
    }
    engine.send("\n   \n# nothing\n");
    engine.send("list_commands");
    let lines = engine.until("version");
    assert_eq!(lines[0], "= ");
    assert_eq!(lines.len(), 18);
    assert!(lines.contains(&"show_board_open_tafl".to_owned()));
    engine.send("show_board");
    assert_eq!(engine.next(PATIENCE).as_deref(), Some("= "));
    assert_eq!(engine.until("=   a b c d e f g").len(), 8);
    engine.send("quit");
    assert!(engine.wait(PATIENCE).success());
    assert_eq!(engine.rest(), Vec::<String>::new());
}

#[test]
fn what_cannot_be_done_is_refused_with_a_reason() {
    let mut engine = htp();
    for (line, part) in [
        ("dance", "'dance' is no command"),
        ("board_size 9", "expected 7, 11 or 13"),
        ("play defender f4 f3", "it is the attacker's turn"),
        ("play attacker f2 f9", "in the way"),
        ("play attacker f3 f4", "there is no piece on f3"),
        ("play attacker d1 a1", "no attacker may stop on the corner a1"),
        ("play attacker z1 a1", "'z1' is no square"),
        ("play_to defender f4", "it is the attacker's turn"),
        ("play_to attacker f5", "no man on f5 can move"),
        ("play_undo", "nothing has been played"),
        ("time_settings fischer x 1", "'x' is no number"),
    ] {
        let why = refused(&mut engine, line);
        assert!(why.contains(part), "{line}: {why}");
    }
    engine.send_raw(b"\xff\xfe\x00\n");
    engine.line("? ");
    told(&mut engine, "play attacker resigns");
    assert_eq!(told(&mut engine, "final_status"), "defender_wins");
    for line in ["generate_move", "play defender f4 f3"] {
        let why = refused(&mut engine, line);
        assert!(why.ends_with("the game is over (defender_wins)"), "{line}: {why}");
    }
    assert_eq!(told(&mut engine, "play_from"), "attacker");
    told(&mut engine, "play_undo");
    assert_eq!(told(&mut engine, "final_status"), "ongoing");
    engine.hang_up();
    assert!(engine.wait(PATIENCE).success());
}

#[test]
fn the_defenders_may_not_repeat() {
    let mut engine = htp();
    for line in
        ["play attacker d1 d2", "play defender f4 f3", "play attacker d2 d1", "play defender f3 f2"]
    {
        // f2 is an attacker's.
        if line.ends_with("f2") {
            refused(&mut engine, line);
        } else {
            told(&mut engine, line);
        }
    }
    let why = refused(&mut engine, "play defender f3 f4");
    assert!(why.contains("has been there before"), "{why}");
    let to = told(&mut engine, "play_to defender f3");
    assert!(!to.split(' ').any(|square| square == "f4"), "{to}");
}

#[test]
fn answers_come_in_order_and_before_the_end() {
    let mut engine = htp();
    engine.send("board_size 7\ngenerate_move\nfinal_status\ngenerate_move\nname\nquit\nversion");
    let lines = engine.rest();
    assert_eq!(lines.len(), 5, "{lines:?}");
    assert!(lines[1].starts_with("= play defender "), "{lines:?}");
    assert!(lines[3].starts_with("= play attacker "), "{lines:?}");
    assert_eq!(lines[4], "= konakis");
    assert!(engine.wait(PATIENCE).success());
    let mut engine = htp();
    engine.send("generate_move\nname");
    engine.hang_up();
    let lines = engine.rest();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(engine.wait(PATIENCE).success());
}

#[test]
fn a_timed_game_is_played_in_time() {
    let mut engine = htp();
    told(&mut engine, "board_size 7");
    // Nothing but the second that each move brings.
    told(&mut engine, "time_settings fischer 0 1");
    let start = Instant::now();
    for _ in 0..6 {
        if told(&mut engine, "final_status") == "ongoing" {
            told(&mut engine, "generate_move");
        }
    }
    let taken = start.elapsed();
    assert!(taken < Duration::from_secs(7), "{taken:?}");
}

/// A host that plays whole games over the pipe, checks each move and moves at random for the other
/// side.
fn whole_game(size: usize, side: Side, rng: &mut Rng) {
    let id = match size {
        7 => "htp-brandubh",
        13 => "htp-13",
        _ => "htp-copenhagen",
    };
    let mut game = Game::start(variant(id).unwrap()).unwrap();
    let mut engine = htp();
    told(&mut engine, &Command::BoardSize(size).line(size));
    while game.outcome().is_none() {
        let mover = game.side();
        let mv = if mover == side {
            let answer = told(&mut engine, "generate_move");
            let (role, Play::Move(mv)) = generated(&answer, size).unwrap() else {
                engine.fail("it resigns")
            };
            assert_eq!(role, mover);
            assert!(game.is_legal(mv), "{answer}: {}", game.fen());
            mv
        } else {
            let moves = game.legal_moves();
            let mv = moves[rng.below(moves.len())];
            let captured = told(&mut engine, &play_line(mover, Play::Move(mv), size));
            let mut squares: Vec<&str> = captured.split_whitespace().collect();
            squares.sort_unstable();
            let mut expected: Vec<String> =
                game.captured_by(mv).into_iter().map(|square| square_name(square, size)).collect();
            expected.sort_unstable();
            assert_eq!(squares, expected);
            mv
        };
        game.play(mv);
        let board = told(&mut engine, "show_board_open_tafl");
        assert_eq!(board, format!("/{}/", game.placement().to_uppercase()));
    }
    let status = match game.outcome().unwrap().winner {
        None => "draw".to_owned(),
        Some(winner) => format!("{}_wins", role_name(winner)),
    };
    assert_eq!(told(&mut engine, "final_status"), status);
    assert_eq!(game.outcome().unwrap().winner, Some(side), "against a player at random");
    engine.send("quit");
    assert!(engine.wait(PATIENCE).success());
}

#[test]
fn whole_games_with_a_host() {
    let mut rng = Rng(11);
    for side in [Side::Attackers, Side::Defenders] {
        whole_game(7, side, &mut rng);
        whole_game(11, side, &mut rng);
    }
    whole_game(13, Side::Defenders, &mut rng);
}

/// A TCP host and the engine that plays for it.
fn remote() -> (Engine, BufReader<TcpStream>, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let engine =
        Engine::with_arguments(&["htp", "--hash", "1", "--movetime", "20", "--connect", &address]);
    let (stream, _) = listener.accept().unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    (engine, BufReader::new(stream.try_clone().unwrap()), stream)
}

#[test]
fn a_tcp_host_is_played_for() {
    let mut rng = Rng(3);
    let (mut engine, mut reader, mut stream) = remote();
    let size = 7;
    stream.write_all(b"board_size 7\n").unwrap();
    let mut game = Game::start(variant("htp-brandubh").unwrap()).unwrap();
    while game.outcome().is_none() {
        let side = game.side();
        let mv = if side == Side::Defenders {
            stream.write_all(b"generate_move\n").unwrap();
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            assert!(line.starts_with("play defender "), "{line}");
            let Play::Move(mv) = generated(&line, size).unwrap().1 else { panic!("{line}") };
            assert!(game.is_legal(mv), "{line}");
            mv
        } else {
            let moves = game.legal_moves();
            let mv = moves[rng.below(moves.len())];
            let line = play_line(side, Play::Move(mv), size);
            stream.write_all(format!("{line}\n").as_bytes()).unwrap();
            mv
        };
        game.play(mv);
    }
    assert!(engine.wait(PATIENCE).success());
    engine.line("the game is over: defender_wins");
}

#[test]
fn tcp_hosts_that_misbehave() {
    let ends_badly = |bytes: &[u8]| {
        let (mut engine, reader, mut stream) = remote();
        // It may have left already.
        let _ = stream.write_all(bytes);
        drop((reader, stream));
        assert!(!engine.wait(PATIENCE).success(), "{}", String::from_utf8_lossy(bytes));
    };
    ends_badly(b"");
    ends_badly(b"play attacker a4 b4\nplay def");
    ends_badly(b"play attacker a1 b1\n");
    ends_badly(b"play nobody\n");
    ends_badly(&[b'x'; 100_000]);
    ends_badly(b"generate_move\ngenerate_move\n");
    // Nobody there.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let address = format!("127.0.0.1:{port}");
    let mut engine = Engine::with_arguments(&["htp", "--connect", &address]);
    assert!(!engine.wait(PATIENCE).success());
    let mut engine = Engine::with_arguments(&["htp", "--connect", "nonsense"]);
    assert!(!engine.wait(PATIENCE).success());
}
