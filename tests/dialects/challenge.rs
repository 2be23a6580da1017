//! `konakis challenge` as the server of the Tablut Challenge sees it.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use konakis::game::any_size::Game;
use konakis::game::geometry::Square;
use konakis::game::rules::{Kind, Side};
use konakis::game::variants::variant;
use serde_json::{Value, json};

use crate::common::Rng;
use crate::engine::{Engine, PATIENCE};

/// A server with one player.
struct Server {
    stream: TcpStream,
    player: Engine,
}

impl Server {
    fn start(role: &str, timeout: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port().to_string();
        let player = Engine::with_arguments(&[
            "challenge",
            role,
            timeout,
            "127.0.0.1",
            "--port",
            &port,
            "--name",
            "Kónakis \"9\"",
            "--hash",
            "1",
        ]);
        let (stream, _) = listener.accept().unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Self { stream, player }
    }

    fn read(&mut self) -> Value {
        let mut length = [0; 4];
        self.stream.read_exact(&mut length).unwrap();
        let mut bytes = vec![0; u32::from_be_bytes(length) as usize];
        self.stream.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    fn send(&mut self, text: &str) {
        let length = (text.len() as u32).to_be_bytes();
        // The player may have left already.
        let _ = self.stream.write_all(&[&length, text.as_bytes()].concat());
    }
}

fn role(side: Side) -> &'static str {
    if side == Side::Defenders { "WHITE" } else { "BLACK" }
}

/// The server's message about a position.
fn state(game: &Game, turn: &str) -> String {
    let throne = Square::parse("e5", 9).unwrap();
    let cell = |file, rank| {
        let square = Square::at(file, rank, 9);
        match game.piece_at(square) {
            Some(Kind::Attacker) => "BLACK",
            Some(Kind::Defender) => "WHITE",
            Some(Kind::King) => "KING",
            None if square == throne => "THRONE",
            None => "EMPTY",
        }
    };
    let rows: Vec<Vec<&str>> =
        (0..9).map(|rank| (0..9).map(|file| cell(file, rank)).collect()).collect();
    json!({ "board": rows, "turn": turn }).to_string()
}

fn turn(game: &Game) -> &'static str {
    match game.outcome().map(|outcome| outcome.winner) {
        None => role(game.side()),
        Some(None) => "DRAW",
        Some(Some(Side::Defenders)) => "WHITEWIN",
        Some(Some(Side::Attackers)) => "BLACKWIN",
    }
}

fn start() -> Game {
    Game::start(variant("tablut-ashton").unwrap()).unwrap()
}

/// Plays a whole game against a player at random, checks every move, its form and its time.
fn whole_game(side: Side, rng: &mut Rng) {
    let name = role(side);
    // In any case.
    let mut server = Server::start(if side == Side::Defenders { "white" } else { "Black" }, "1");
    assert_eq!(server.read(), json!("Kónakis \"9\""));
    let mut game = start();
    loop {
        let turn = turn(&game);
        server.send(&state(&game, turn));
        if game.outcome().is_some() {
            break;
        }
        let asked = Instant::now();
        let mv = if game.side() == side {
            let answer = server.read();
            assert!(asked.elapsed() < Duration::from_secs(1), "over time: {:?}", asked.elapsed());
            assert_eq!(answer["turn"], json!(name));
            let text = |key: &str| answer[key].as_str().unwrap().to_owned();
            game.read_move(&(text("from") + &text("to"))).unwrap()
        } else {
            let moves = game.legal_moves();
            moves[rng.below(moves.len())]
        };
        game.play(mv);
    }
    assert!(server.player.wait(PATIENCE).success());
    let lines = server.player.rest();
    assert_eq!(lines[0], format!("connected as {name}"));
    let last = lines.last().unwrap();
    let won = game.outcome().unwrap().winner == Some(side);
    assert!(won && *last == format!("won as {name}"), "{last} {}", game.fen());
    assert!(!lines.iter().any(|line| line.contains("counts from now on")), "{lines:?}");
}

#[test]
fn whole_games_with_a_server() {
    let mut rng = Rng(21);
    whole_game(Side::Defenders, &mut rng);
    whole_game(Side::Attackers, &mut rng);
}

#[test]
fn the_server_s_board_wins() {
    let mut server = Server::start("white", "1");
    server.read();
    let other = start().with_fen("9/9/9/3k5/9/9/9/9/4a4 d").unwrap();
    server.send(&state(&start(), "WHITE"));
    server.read();
    server.send(&state(&other, "WHITE"));
    let answer = server.read();
    assert_eq!(answer["from"], json!("d6"), "the king walks out");
    server.send(&state(&other, "DRAW"));
    assert!(server.player.wait(PATIENCE).success());
    let lines = server.player.rest();
    assert!(lines.iter().any(|line| line.contains("counts from now on")), "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("drawn as WHITE"));
}

#[test]
fn servers_that_misbehave() {
    let ends_badly = |bytes: &[u8]| {
        let mut server = Server::start("black", "1");
        server.read();
        let _ = server.stream.write_all(bytes);
        drop(server.stream);
        assert!(!server.player.wait(PATIENCE).success(), "{}", String::from_utf8_lossy(bytes));
    };
    ends_badly(b"");
    ends_badly(b"\0\0");
    ends_badly(b"\0\0\0\x40{\"board\":");
    ends_badly(b"\x7f\xff\xff\xff{");
    ends_badly(b"\0\0\0\x02[]");
    ends_badly(b"\0\0\0\x05hello");
    ends_badly(b"\0\0\0\x02\xff\xff");
    ends_badly(b"\0\0\0\x1b{\"turn\":\"RED\",\"board\":[[]]}");
    // A board without moves for us.
    let stuck = start().with_fen("9/9/9/3k5/9/9/9/9/9 a").unwrap();
    let text = state(&stuck, "BLACK");
    ends_badly(&[&(text.len() as u32).to_be_bytes(), text.as_bytes()].concat());
}

#[test]
fn nobody_there_is_said() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    for arguments in [
        &["challenge", "white", "60", "127.0.0.1", "--port", &port][..],
        &["challenge", "red", "60", "127.0.0.1"],
        &["challenge", "white", "0", "127.0.0.1"],
        &["challenge", "white", "60"],
    ] {
        let mut player = Engine::with_arguments(arguments);
        assert!(!player.wait(PATIENCE).success(), "{arguments:?}");
    }
}
