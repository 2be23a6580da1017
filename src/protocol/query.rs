//! `query WORD`: what a front end can leave to the engine.

use super::error::{ProtocolError, shown};
use crate::game::any_size::Game;
use crate::game::explain::why;
use crate::game::geometry::Square;
use crate::game::moves::Move;
use crate::game::rules::{RepetitionResult, Rules, Side, Zone};

/// The words that can be asked.
const WORDS: &str = "gameover, p1turn, result, winner, reason, side, fen, variant, legalmoves, \
                     captures MOVE, why MOVE, call, repetition, board, error";

/// The answer to a query about the last position, without the word `response`.
///
/// # Errors
/// If the word is not known or lacks its move.
pub fn answer(
    game: &Game,
    word: &str,
    argument: Option<&str>,
    last_error: Option<&str>,
) -> Result<String, ProtocolError> {
    let outcome = game.outcome();
    let text = match word {
        "gameover" => outcome.is_some().to_string(),
        "p1turn" => (game.side() == game.rules().first).to_string(),
        "result" => match outcome.map(|outcome| outcome.winner) {
            None => "none",
            Some(None) => "draw",
            Some(Some(side)) if side == game.rules().first => "p1win",
            Some(Some(_)) => "p2win",
        }
        .to_owned(),
        "winner" => outcome.map_or("none", |outcome| outcome.winner_name()).to_owned(),
        "reason" => outcome.map_or("none", |outcome| outcome.reason.name()).to_owned(),
        "side" => game.side().name().to_owned(),
        "fen" => game.fen(),
        "variant" => game.rules().id.clone(),
        "legalmoves" => {
            let moves = game.legal_moves();
            blank_divided(moves.iter().map(|mv| mv.on(game.size()).to_string()))
        }
        "captures" => captures(game, needed("captures", argument)?),
        "why" => why(game, needed("why", argument)?),
        "call" => game.call().map_or("none", |call| call.name()).to_owned(),
        "repetition" => repetition(game),
        "board" => board(game.rules()),
        "error" => last_error.unwrap_or("none").to_owned(),
        other => {
            let what = format!("'{}' is no word to ask; expected one of {WORDS}", shown(other));
            return Err(ProtocolError::Syntax { command: "query", what });
        }
    };
    Ok(text)
}

fn needed<'a>(word: &str, argument: Option<&'a str>) -> Result<&'a str, ProtocolError> {
    argument.ok_or_else(|| ProtocolError::Syntax {
        command: "query",
        what: format!("expected a move after {word}, such as query {word} e5e8"),
    })
}

fn captures(game: &Game, text: &str) -> String {
    match Move::parse(text, game.size()).filter(|mv| game.is_legal(*mv)) {
        None => "illegal".to_owned(),
        Some(mv) => names(game.size(), game.captured_by(mv).into_iter()),
    }
}

/// How often the position has occurred, how often ends the game, and what that means.
fn repetition(game: &Game) -> String {
    let rule = game.rules().repetition;
    let limit = if rule.limit == 0 { "never".to_owned() } else { rule.limit.to_string() };
    let charged = match rule.result {
        _ if rule.limit == 0 => "nobody",
        RepetitionResult::Draw => "nobody",
        RepetitionResult::AttackersWin => Side::Defenders.name(),
        RepetitionResult::MoverLoses => "mover",
        RepetitionResult::MoverWins => "opponent",
    };
    format!("occurrences {} limit {limit} charged {charged}", game.occurrences())
}

/// The size of the board and its special squares.
fn board(rules: &Rules) -> String {
    let size = rules.size;
    let zone = |zones: &[&Zone]| {
        let mut squares: Vec<Square> = zones.iter().flat_map(|zone| zone.squares()).collect();
        squares.sort_unstable();
        names(size, squares.into_iter())
    };
    format!(
        "size {size} throne {} corners {} camps {} goals {}",
        zone(&[&rules.throne]),
        zone(&[&rules.corners]),
        zone(&[&rules.attacker_camps, &rules.defender_camps]),
        names(size, rules.squares().filter(|square| rules.is_goal(*square)))
    )
}

fn names(size: usize, squares: impl Iterator<Item = Square>) -> String {
    blank_divided(squares.map(|square| square.on(size).to_string()))
}

fn blank_divided(words: impl Iterator<Item = String>) -> String {
    let words: Vec<String> = words.collect();
    if words.is_empty() { "none".to_owned() } else { words.join(" ") }
}
