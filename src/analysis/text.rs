//! An analysis for people: a heading, a row a position, the end of the game.

use super::report::{GameReport, Mark, PositionReport};
use crate::eval::odds::Odds;
use crate::game::explain::ending;
use crate::game::moves::Move;
use crate::search::score::{Score, ScoreKind};

/// So many moves of a line are shown.
const SHOWN_MOVES: usize = 8;

/// What stands above the positions of a game.
pub fn heading(game: &GameReport, plies: usize) -> Vec<String> {
    let mut words = format!("game {}, line {}: {}", game.number, game.line, game.rules.id);
    if let (Some(attackers), Some(defenders)) = (game.tag("attackers"), game.tag("defenders")) {
        words += &format!(", attackers {attackers}, defenders {defenders}");
    }
    let what = match plies {
        0 => "a position".to_owned(),
        1 => "1 ply".to_owned(),
        plies => format!("{plies} plies"),
    };
    vec![
        format!("{words}, {what}"),
        format!(
            "{:>4}  {:<9}  {:<18}{:>8}  {:<13}  {:>6}  line",
            "ply", "side", "move", "score", "win/draw/loss", "loss"
        ),
    ]
}

/// The row of a position.
pub fn row(position: &PositionReport, size: usize) -> String {
    let mark = match position.mark {
        Some(mark @ (Mark::Dubious | Mark::Mistake | Mark::Blunder)) => mark.name(),
        _ => "",
    };
    let loss = position.loss.filter(|&loss| loss > 0);
    let loss = loss.map_or(String::new(), |loss| percent(loss, 1));
    let mut row = format!(
        "{:>4}  {:<9}  {:<18}{:>8}  {:<13}  {loss:>6}  {}",
        position.ply,
        position.side.name(),
        format!("{}{mark}", position.text),
        score(position.score),
        chances(position.wdl),
        moves(&position.pv, size),
    );
    let words = [
        match position.mark {
            Some(Mark::OnlyMove) => Some("only move".to_owned()),
            Some(Mark::MissedWin) => Some("missed win".to_owned()),
            _ => None,
        },
        position.call.map(|call| call.name().to_owned()),
        position.outcome.map(ending),
    ];
    for word in words.into_iter().flatten() {
        row += &format!("  ({word})");
    }
    row.truncate(row.trim_end().len());
    for (i, line) in position.lines.iter().enumerate().skip(1) {
        row += &format!(
            "\n{:>4}  {:<9}  {:<18}{:>8}  {:<13}  {:>6}  {}",
            "",
            "",
            format!("  line {}", i + 1),
            score(line.score),
            chances(line.wdl),
            "",
            moves(&line.pv, size),
        );
    }
    row
}

/// What stands below the positions of a game.
pub fn footing(game: &GameReport) -> Vec<String> {
    let end = match (game.outcome(), game.tag("termination"), game.tag("result")) {
        (Some(outcome), ..) => ending(outcome),
        (None, Some(termination), _) => format!("ended: {termination}"),
        (None, None, Some(result @ ("1" | "0" | "-1"))) => {
            let words = match result {
                "1" => "the attackers won",
                "-1" => "the defenders won",
                _ => "a draw",
            };
            format!("{words}, as the record says")
        }
        _ if game.positions.len() > 1 => "not ended".to_owned(),
        _ => return vec![String::new()],
    };
    let count = |mark: Mark| game.positions.iter().filter(|p| p.mark == Some(mark)).count();
    let counts = Mark::ALL.map(|mark| (count(mark), mark.name()));
    let counts: Vec<String> = counts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{count} {name}"))
        .collect();
    let counts = if counts.is_empty() { String::new() } else { format!(": {}", counts.join(", ")) };
    vec![format!("{end}{counts}"), String::new()]
}

/// `+37`, `win 5`, `loss 4`: centipawns or plies.
fn score(score: Score) -> String {
    match score.kind() {
        ScoreKind::Centipawns(value) => format!("{value:+}"),
        ScoreKind::Win(plies) => format!("win {plies}"),
        ScoreKind::Loss(plies) => format!("loss {plies}"),
    }
}

fn chances(odds: Odds) -> String {
    let [win, draw, loss] = odds.percent();
    format!("{win}/{draw}/{loss} %")
}

/// Thousandths as per cent.
fn percent(thousandths: u32, digits: usize) -> String {
    format!("{:.digits$} %", f64::from(thousandths) / 10.0)
}

fn moves(moves: &[Move], size: usize) -> String {
    let names: Vec<String> =
        moves.iter().take(SHOWN_MOVES).map(|mv| mv.on(size).to_string()).collect();
    names.join(" ")
}
