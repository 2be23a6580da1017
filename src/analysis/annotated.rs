//! An analysis as the OpenTafl record of the game: what is said of a position is the comment of the
//! move that was played there.
//!
//! `score cp N` or `score mate N` (plies) are for the attackers, as in the records of matches;
//! `chances` are those of the side to move to win, draw and lose, in per cent. What the record said
//! before follows behind a semicolon.

use super::report::{GameReport, PositionReport};
use crate::arena::record::score_text;
use crate::game::rules::Side;
use crate::notation::record::Record;
use crate::notation::recorded::RecordedGame;
use crate::search::score::Score;

/// Who annotated it.
pub const ANNOTATOR: &str = concat!("konakis ", env!("CARGO_PKG_VERSION"));

/// The record of a game with what an analysis says of it.
///
/// # Errors
/// If the rule set cannot be written.
pub fn record(game: &RecordedGame, report: &GameReport) -> Result<Record, String> {
    let size = report.size();
    let mut annotated = game.clone();
    annotated.tags.retain(|(name, _)| name != "annotator");
    annotated.tags.push(("annotator".to_owned(), ANNOTATOR.to_owned()));
    if let (None, Some(outcome)) = (game.tag("result"), report.outcome()) {
        let result = match outcome.winner {
            Some(Side::Attackers) => "1",
            Some(Side::Defenders) => "-1",
            None => "0",
        };
        annotated.tags.push(("result".to_owned(), result.to_owned()));
        if game.tag("termination").is_none() {
            let reason = outcome.reason.name().to_owned();
            annotated.tags.push(("termination".to_owned(), reason));
        }
    }
    annotated.comments =
        report.positions.iter().take(game.moves.len()).map(|p| comment(p, size)).collect();
    annotated.to_record()
}

fn comment(position: &PositionReport, size: usize) -> String {
    let ours = |score: Score| if position.side == Side::Attackers { score } else { -score };
    let odds = position.wdl;
    let percent = |thousandths: u32| (thousandths + 5) / 10;
    let mut words = vec![
        format!("score {}", score_text(ours(position.score))),
        format!("chances {}/{}/{}", percent(odds.win), percent(odds.draw), percent(odds.loss)),
    ];
    if !position.pv.is_empty() {
        let pv: Vec<String> = position.pv.iter().map(|mv| mv.on(size).to_string()).collect();
        words.push(format!("best {}", pv.join(" ")));
    }
    if let Some(loss) = position.loss.filter(|&loss| loss > 0) {
        words.push(format!("loss {:.1} %", f64::from(loss) / 10.0));
    }
    words.extend(position.mark.map(|mark| mark.name().to_owned()));
    words.extend(position.call.map(|call| call.name().to_owned()));
    let said = position.comment.trim();
    let before = if said.is_empty() { String::new() } else { format!("; {said}") };
    words.join(", ") + &before
}
