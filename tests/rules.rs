//! The rules against data: the vectors in `tests/data`, and real games where they are at hand.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use konakis::game::any_size::Game;
use konakis::game::outcome::Outcome;
use konakis::game::perft::perft;
use konakis::game::variants::variant;
use konakis::with_position;

/// The rows of a data file, each with its line number, comments and empty lines left out.
fn rows(path: &Path) -> Vec<(usize, Vec<String>)> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    lines
        .filter(|(_, line)| !line.is_empty())
        .map(|(i, line)| (i + 1, line.split('\t').map(str::to_owned).collect()))
        .collect()
}

fn data(name: &str) -> Vec<(usize, Vec<String>)> {
    let rows = rows(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name));
    assert!(!rows.is_empty(), "{name} is empty");
    rows
}

/// The folder of real games, which is not part of the project.
fn real_games() -> Option<std::path::PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/games");
    if path.exists() {
        Some(path)
    } else {
        eprintln!("no real games at hand: skipped");
        None
    }
}

fn game(variant_id: &str, fen: &str) -> Game {
    let rules = variant(variant_id).unwrap_or_else(|| panic!("no rule set {variant_id}"));
    let start = Game::start(rules).expect("start position");
    start.with_fen(fen).unwrap_or_else(|error| panic!("{variant_id} {fen}: {error}"))
}

fn status(outcome: Option<Outcome>) -> String {
    match outcome {
        None => "ongoing".to_owned(),
        Some(outcome) => format!("{} {}", outcome.winner_name(), outcome.reason.name()),
    }
}

fn captured(game: &Game, squares: &[konakis::game::geometry::Square]) -> BTreeSet<String> {
    squares.iter().map(|square| square.on(game.size()).to_string()).collect()
}

fn squares(text: &str, divider: char) -> BTreeSet<String> {
    text.split(divider).filter(|name| *name != "-").map(str::to_owned).collect()
}

/// Rows of rule set, FEN, move, captured squares, status and FEN after the move.
fn check_moves(rows: &[(usize, Vec<String>)], file: &str) {
    for (line, row) in rows {
        let mut game = game(&row[0], &row[1]);
        let at = format!("{file}:{line} {} {}", row[0], row[2]);
        assert_eq!(game.fen(), row[1], "{at}: FEN round trip");
        if row[3] == "illegal" {
            assert!(game.read_move(&row[2]).is_err(), "{at}: should be illegal");
            continue;
        }
        let mv = game.read_move(&row[2]).unwrap_or_else(|error| panic!("{at}: {error}"));
        assert_eq!(captured(&game, &game.captured_by(mv)), squares(&row[3], ','), "{at}");
        let before = game.clone();
        game.play(mv);
        assert_eq!(status(game.outcome()), row[4], "{at}: status");
        assert_eq!(game.fen(), row[5], "{at}: position after");
        with_position!(&game, p => assert_eq!(p.key(), p.board().computed_key(), "{at}: key"));
        game.undo();
        assert_eq!(format!("{game:?}"), format!("{before:?}"), "{at}: undo");
    }
}

#[test]
fn single_moves() {
    check_moves(&data("moves.tsv"), "moves.tsv");
}

#[test]
fn disputed_cases() {
    check_moves(&data("cases.tsv"), "cases.tsv");
}

#[test]
fn every_field_of_every_rule_set() {
    check_moves(&data("cells.tsv"), "cells.tsv");
}

#[test]
fn moves_picked_from_real_games() {
    let Some(folder) = real_games() else { return };
    check_moves(&rows(&folder.join("positions.tsv")), "positions.tsv");
}

#[test]
fn full_move_lists() {
    for (line, row) in data("legal.tsv") {
        let game = game(&row[0], &row[1]);
        let moves = game.legal_moves();
        let ours: BTreeSet<_> = moves.iter().map(|mv| mv.on(game.size()).to_string()).collect();
        assert_eq!(ours.len(), moves.len(), "legal.tsv:{line}: a move twice");
        let expected: BTreeSet<_> = row[2].split(' ').map(str::to_owned).collect();
        assert_eq!(ours, expected, "legal.tsv:{line}");
    }
}

#[test]
fn perft_counts() {
    for (line, row) in data("perft.tsv") {
        let game = game(&row[0], &row[1]);
        let depth: u32 = row[2].parse().expect("a depth");
        let leaves: u64 = row[3].parse().expect("a count");
        for bulk in [true, false] {
            let counted = with_position!(&game, p => perft(p, depth, bulk));
            assert_eq!(counted, leaves, "perft.tsv:{line} {} depth {depth} bulk {bulk}", row[0]);
        }
    }
}

#[test]
fn announcements() {
    for (line, row) in data("calls.tsv") {
        let game = game(&row[0], &row[1]);
        let call = game.call().map_or("none", |call| call.name());
        assert_eq!(call, row[2], "calls.tsv:{line}");
    }
}

#[test]
fn repetitions() {
    for (line, row) in data("sequences.tsv") {
        let mut game = game(&row[0], &row[1]);
        for word in row[2].split(' ') {
            let mv = game
                .read_move(word)
                .unwrap_or_else(|error| panic!("sequences.tsv:{line} {}: {error}", row[0]));
            game.play(mv);
        }
        assert_eq!(status(game.outcome()), row[3], "sequences.tsv:{line} {}", row[0]);
    }
}

/// Every move of the real games is legal and captures what the record says; nobody plays on after
/// an outcome other than repetition.
#[test]
fn real_games_replay() {
    let Some(folder) = real_games() else { return };
    let mut games = 0;
    for id in ["copenhagen", "brandubh", "tablut-ashton"] {
        let text = fs::read_to_string(folder.join(format!("{id}.txt"))).expect("games");
        for (line, record) in text.lines().enumerate() {
            let mut game = Game::start(variant(id).expect("rule set")).expect("start position");
            for word in record.split(' ') {
                let at = format!("{id}.txt:{} {word} at {}", line + 1, game.fen());
                let mv = game.read_move(word).unwrap_or_else(|error| panic!("{at}: {error}"));
                let king = game.captured_by(mv).into_iter().filter(|&square| {
                    game.piece_at(square) != Some(konakis::game::rules::Kind::King)
                });
                let taken = captured(&game, &king.collect::<Vec<_>>());
                let told: BTreeSet<_> = word.split(['x', ',']).skip(1).map(str::to_owned).collect();
                assert_eq!(taken, told, "{at}: captures");
                game.play(mv);
            }
            games += 1;
        }
    }
    assert_eq!(games, 1416);
}
