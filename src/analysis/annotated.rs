//! An analysis as the OpenTafl record of the game: what is said of a position is the comment of the
//! move that was played there.
//!
//! `score cp N` or `score mate N` (plies) are for the attackers, as in the records of matches, and so
//! are `chances` to win, draw and lose, in per cent. What the record said before follows behind a
//! semicolon; what an analysis said before gives way.

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
    let annotator = match game.tag("annotator") {
        None => ANNOTATOR.to_owned(),
        Some(names) if names.contains(ANNOTATOR) => names.to_owned(),
        Some(names) => format!("{names}; {ANNOTATOR}"),
    };
    annotated.tags.push(("annotator".to_owned(), annotator));
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

/// What a person said in a comment that may begin with what an earlier analysis said.
fn without_ours(comment: &str) -> &str {
    let (first, rest) = comment.split_once("; ").unwrap_or((comment, ""));
    let mut parts = first.split(", ");
    let is_score = parts.next().is_some_and(|part| {
        let number = part.strip_prefix("score cp ").or_else(|| part.strip_prefix("score mate "));
        number.is_some_and(|number| number.parse::<i32>().is_ok())
    });
    let is_ours = is_score && parts.next().is_some_and(|part| part.starts_with("chances "));
    if is_ours { without_ours(rest.trim_start()) } else { comment }
}

fn comment(position: &PositionReport, size: usize) -> String {
    let ours = |score: Score| if position.side == Side::Attackers { score } else { -score };
    let [win, draw, loss] = position.wdl.percent();
    let (win, loss) = if position.side == Side::Attackers { (win, loss) } else { (loss, win) };
    let mut words = vec![
        format!("score {}", score_text(ours(position.score))),
        format!("chances {win}/{draw}/{loss}"),
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
    let said = without_ours(position.comment.trim());
    let before = if said.is_empty() { String::new() } else { format!("; {said}") };
    words.join(", ") + &before
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_analysis_said_gives_way() {
        for (comment, kept) in [
            ("", ""),
            ("a fine move", "a fine move"),
            ("score cp 5 depth 3", "score cp 5 depth 3"),
            ("score cp -53, chances 54/40/6, best e3a3, loss 0.8 %", ""),
            ("score mate -1, chances 0/0/100, best a1b1 c1d1; good, bad; ugly", "good, bad; ugly"),
            ("score cp 1, chances 1/1/98; score cp 2, chances 2/2/96; x", "x"),
        ] {
            assert_eq!(without_ours(comment), kept, "{comment}");
        }
    }
}
