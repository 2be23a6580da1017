//! `konakis otep` as OpenTafl sees it.

use std::time::{Duration, Instant};

use konakis::game::any_size::Game;
use konakis::game::rules::Side;
use konakis::game::variants::variant;
use konakis::notation::rules_string::{read_position, write, write_position};
use konakis::protocol::otep::as_opentafl_plays;
use konakis::protocol::otep::message::{read_move, simple_move};

use crate::common::Rng;
use crate::engine::{Engine, PATIENCE};

const BRANDUBH: &str = "rules dim:7 name:Brandubh atkf:y ks:c nj:n cj:n tfr:w \
                        starti:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
const START: &str = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";

fn otep() -> Engine {
    let mut engine = Engine::with_arguments(&["otep", "--hash", "1", "--movetime", "30"]);
    assert_eq!(engine.next(PATIENCE).as_deref(), Some("hello"));
    engine.send("hello");
    engine
}

/// The engine's next move, whatever it says before it.
fn its_move(engine: &mut Engine) -> String {
    engine.line("move ").trim_start_matches("move ").to_owned()
}

#[test]
fn a_recorded_conversation() {
    let mut engine = otep();
    engine.send(BRANDUBH);
    let status = engine.next(PATIENCE).unwrap();
    assert!(status.starts_with("status playing by OpenTafl's own rules: tfr:w and"), "{status}");
    engine.send("clock 60000 60000 0 0 0 \nplay attackers");
    let rules = variant("brandubh").unwrap();
    let mut game = Game::start(rules).unwrap();
    let record = its_move(&mut engine);
    let mv = read_move(&record, 7).unwrap();
    assert_eq!(simple_move(mv, 7), record);
    assert!(game.is_legal(mv));
    game.play(mv);
    engine.send(&format!("move {}", write_position(&game.placement())));
    let answer = game.legal_moves()[0];
    game.play(answer);
    let position = write_position(&game.placement());
    engine.send(&format!("opponent-move {} {position}", simple_move(answer, 7)));
    engine.send("clock 58000 59000 0 0 0 \nplay attackers");
    assert!(game.read_move(&its_move(&mut engine)).is_ok());
    engine.send("finish 0");
    engine.send("goodbye");
    assert!(engine.wait(PATIENCE).success());
    assert_eq!(engine.rest(), Vec::<String>::new(), "nothing was wrong");
}

#[test]
fn rules_that_are_not_played() {
    let mut engine = otep();
    engine.send("play attackers");
    engine.line("error 0 there are no rules that can be played");
    engine.send("rules dim:7 name:x kj:y starti:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/");
    let error = engine.line("error 0 kj: ");
    assert!(error.contains("does not jump"), "{error}");
    for line in ["play defenders", "analyze 1 1", "position /7/", "side attackers", "move /7/"] {
        engine.send(line);
        engine.line("error 0 there are no rules");
    }
    engine.send("opponent-move a1-a2 -");
    engine.line("error 0 there are no rules");
    engine.send(BRANDUBH);
    engine.send("play attackers");
    assert_eq!(its_move(&mut engine).len(), 5);
    // New rules that are refused leave none.
    engine.send("rules dim:8");
    engine.line("error 0 dim: ");
    engine.send("play attackers");
    engine.line("error 0 there are no rules");
    engine.send("goodbye");
    assert!(engine.wait(PATIENCE).success());
}

#[test]
fn the_exit_code_tells_how_the_host_left() {
    let mut engine = otep();
    engine.send(BRANDUBH);
    engine.send("analyze 1 60");
    engine.send("goodbye");
    assert!(engine.wait(PATIENCE).success(), "in the middle of an analysis");
    let mut engine = otep();
    engine.hang_up();
    assert!(!engine.wait(PATIENCE).success());
    let mut engine = otep();
    engine.send(BRANDUBH);
    engine.send("clock 600000 600000 0 0 0\nplay attackers");
    engine.hang_up();
    assert!(!engine.wait(PATIENCE).success(), "in the middle of a move");
    // A stream without line ends is no conversation.
    let mut engine = otep();
    for _ in 0..16 {
        engine.send_raw(&vec![b'x'; 1 << 20]);
    }
    engine.line("error -1 ");
    assert!(!engine.wait(PATIENCE).success());
}

#[test]
fn nonsense_is_answered_and_survived() {
    let mut engine = otep();
    for (line, answer) in [
        ("frobnicate", "error 0 frobnicate: there is no such command"),
        ("rules", "error 0 rules: expected"),
        ("rules nonsense", "error 0 nonsense: no key and value"),
        ("rules dim:9 foo:n", "error 0 foo: there is no such key"),
        ("play", "error 0 play: ''"),
        ("clock 1 2", "error 0 clock: 2 words"),
        ("clock a b c d e", "error 0 clock: 'd'"),
        ("analyze x y", "error 0 analyze: "),
        ("error", "error 0 error: "),
    ] {
        engine.send(line);
        engine.line(answer);
    }
    engine.send_raw(b"\xff\xfe\x00\n\r\n   \n");
    engine.line("error 0 ");
    engine.send(BRANDUBH);
    for (line, answer) in [
        ("position /7/7/", "error 0 position: 2 ranks"),
        ("position nonsense", "error 0 position: 'n'"),
        ("opponent-move zz -", "error 0 opponent-move: 'zz' is not legal"),
        ("opponent-move a4-a5 /7/", "error 0 position: 1 ranks"),
    ] {
        engine.send(line);
        engine.line(answer);
    }
    engine.send("play attackers");
    assert_eq!(its_move(&mut engine).len(), 5);
    engine.send("error 99\nmove\nfinish 7\nhello\ngoodbye");
    assert!(engine.wait(PATIENCE).success());
}

#[test]
fn the_host_s_board_wins() {
    let mut engine = otep();
    engine.send(BRANDUBH);
    engine.send("play attackers");
    its_move(&mut engine);
    // Another board than ours after our move, then after the opponent's.
    engine.send("move /3t3/7/3T3/ttTKTtt/3T3/3t3/3t3/");
    engine.line("status the host's board after our move is another one");
    engine.send("opponent-move d3-e3 /3t3/7/4T2/ttTKTtt/7/3t3/3t3/");
    engine.line("status the host's board after its move is another one");
    engine.send("play attackers");
    let board = read_position("/3t3/7/4T2/ttTKTtt/7/3t3/3t3/").unwrap();
    let game = Game::start(variant("brandubh").unwrap()).unwrap();
    let game = game.with_fen(&format!("{board} a")).unwrap();
    assert!(game.read_move(&its_move(&mut engine)).is_ok());
    // An illegal move of the host changes nothing without its board.
    engine.send(BRANDUBH);
    engine.send("opponent-move d1-d7 -");
    engine.line("error 0 opponent-move: 'd1-d7' is not legal here");
    engine.send("opponent-move d1-a1 -");
    engine.line("error 0 opponent-move: ");
    engine.send("opponent-move d1-e1 -\nplay defenders");
    let mut game = Game::start(variant("brandubh").unwrap()).unwrap();
    game.play(read_move("d1-e1", 7).unwrap());
    assert!(game.read_move(&its_move(&mut engine)).is_ok());
    engine.send("goodbye");
}

#[test]
fn a_refused_move_is_not_tried_again() {
    let mut engine = otep();
    engine.send(BRANDUBH);
    let mut game = Game::start(variant("brandubh").unwrap()).unwrap();
    game.play(read_move("d1-e1", 7).unwrap());
    let news = format!("opponent-move d1-e1 {}", write_position(&game.placement()));
    engine.send(&news);
    let mut seen = std::collections::HashSet::new();
    for _ in 0..5 {
        engine.send("play defenders");
        let record = its_move(&mut engine);
        assert!(game.read_move(&record).is_ok());
        assert!(seen.insert(record.clone()), "{record} again");
        engine.send("error 2");
        engine.line(&format!("status the host refuses {record}"));
        engine.send(&news);
    }
    engine.send("goodbye");
}

#[test]
fn an_analysis_has_lines_and_scores() {
    let mut engine = otep();
    engine.send(BRANDUBH);
    engine.send(&format!("position {START}\nside attackers\nanalyze 3 1"));
    let text = engine.line("analysis 3 ");
    let words: Vec<&str> = text.split(' ').collect();
    assert_eq!(words.len(), 8, "{text}");
    for pair in words[2..].chunks(2) {
        let mut game = Game::start(variant("brandubh").unwrap()).unwrap();
        for record in pair[0].split('|') {
            let mv = read_move(record, 7).unwrap();
            assert!(game.is_legal(mv), "{text}");
            game.play(mv);
        }
        assert!(pair[1].parse::<f64>().is_ok(), "{text}");
    }
    // The king walks out: bad for the attackers, whoever is to move. More lines than moves are few.
    engine.send("position /K1t4/7/7/7/7/7/7/\nside defenders\nanalyze 99 1");
    let text = engine.line("analysis ");
    assert!(text.starts_with("analysis 0"), "the king is in the corner: {text}");
    engine.send("position /1K5/7/7/7/7/7/2t4/\nside defenders\nanalyze 1 1");
    let text = engine.line("analysis 1 b1-");
    assert!(text.ends_with(" -29999"), "{text}");
    engine.send("position /3K3/7/7/7/7/7/2t4/\nside attackers\nanalyze 1 1");
    let text = engine.line("analysis 1 ");
    let score: f64 = text.rsplit(' ').next().unwrap().parse().unwrap();
    assert!(score < -20_000.0, "{text}");
    engine.send("goodbye");
    assert!(engine.wait(PATIENCE).success());
}

#[test]
fn clocks_are_kept() {
    let mut engine = otep();
    engine.send(BRANDUBH);
    for (clock, most) in [
        ("clock 1000 900000 0 0 0", 700),
        ("clock 500* 900000 10 3 3", 450),
        ("clock 0 900000 1 3 3", 1_000),
        ("clock 60 900000 0 0 0", 300),
    ] {
        engine.send(&format!("position {START}\nside attackers"));
        let start = Instant::now();
        // The clock comes before the question or just behind it.
        let lines = if most == 700 { [clock, "play attackers"] } else { ["play attackers", clock] };
        engine.send(&lines.join("\n"));
        its_move(&mut engine);
        let taken = start.elapsed();
        assert!(taken < Duration::from_millis(most + 400), "{clock}: {taken:?}");
    }
    engine.send("goodbye");
}

/// A host that plays whole games: the engine has one side, the host moves at random on the other.
fn whole_game(variant_id: &str, side: Side, by_the_text: bool, rng: &mut Rng) -> usize {
    let rules = variant(variant_id).unwrap();
    let mut arguments = vec!["otep", "--hash", "1", "--movetime", "20"];
    if by_the_text {
        arguments.push("--by-the-text");
    }
    let mut engine = Engine::with_arguments(&arguments);
    engine.line("hello");
    engine.send("hello");
    engine.send(&format!("rules {}", write(&rules).unwrap()));
    let house = if by_the_text { (*rules).clone() } else { as_opentafl_plays(&rules).0 };
    let mut game = Game::start(house.into()).unwrap();
    let size = game.size();
    while game.outcome().is_none() && game.plies() < 300 {
        if game.side() == side {
            engine.send(&format!("play {}", side.name()));
            let record = its_move(&mut engine);
            let mv = game.read_move(&record);
            let mv = mv.unwrap_or_else(|error| engine.fail(&format!("{error}: {}", game.fen())));
            game.play(mv);
            engine.send(&format!("move {}", write_position(&game.placement())));
        } else {
            let moves = game.legal_moves();
            let mv = moves[rng.below(moves.len())];
            game.play(mv);
            let position = write_position(&game.placement());
            engine.send(&format!("opponent-move {} {position}", simple_move(mv, size)));
        }
    }
    let code = match game.outcome().map(|outcome| outcome.winner) {
        Some(Some(winner)) => {
            assert_eq!(winner, side, "lost to a player at random: {}", game.fen());
            2 + winner as u32
        }
        _ => 1,
    };
    engine.send(&format!("finish {code}\ngoodbye"));
    assert!(engine.wait(PATIENCE).success());
    let said = engine.rest();
    assert!(said.iter().all(|line| line.starts_with("status depth")), "{said:?}");
    game.plies()
}

#[test]
fn whole_games_with_a_host() {
    let mut rng = Rng(5);
    for side in [Side::Attackers, Side::Defenders] {
        for (id, by_the_text) in
            [("brandubh", false), ("tablut", false), ("tablut-ashton", true), ("copenhagen", true)]
        {
            let plies = whole_game(id, side, by_the_text, &mut rng);
            assert!(plies > 3, "{id}");
        }
    }
}
