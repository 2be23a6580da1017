//! An analysis as the OpenTafl record of the game: what is said of a position is the comment of the
//! move that was played there.
//!
//! `score cp N` or `score mate N` (plies) are for the attackers, as in the records of matches, and so
//! are `chances` to win, draw and lose, in per cent. What the record said before follows behind a
//! semicolon; what an analysis said before gives way.

use super::report::{GameReport, Mark, PositionReport};
use crate::arena::record::score_text;
use crate::game::geometry::MAX_SIZE;
use crate::game::moves::Move;
use crate::game::outcome::Call;
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
    let before = game.tags.iter().filter(|(name, _)| name == "annotator");
    let before: Vec<&str> = before.map(|(_, names)| names.as_str()).collect();
    let annotators = annotators(&before.join("; "));
    annotated.tags.push(("annotator".to_owned(), annotators));
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

/// Who annotated a game before, and this program: of all its versions the last one alone.
fn annotators(before: &str) -> String {
    let is_ours = |name: &str| {
        let version = name.strip_prefix("konakis ");
        version.is_some_and(|version| {
            let mut numbers = version.split('.');
            numbers.by_ref().take(3).filter(|number| number.parse::<u32>().is_ok()).count() == 3
                && numbers.next().is_none()
        })
    };
    let others = before.split("; ").filter(|name| !name.is_empty() && !is_ours(name));
    others.chain([ANNOTATOR]).collect::<Vec<_>>().join("; ")
}

/// What a person said in a comment that may begin with what an earlier analysis said.
fn without_ours(comment: &str) -> &str {
    let (first, rest) = comment.split_once("; ").unwrap_or((comment, ""));
    if is_ours(first) { without_ours(rest.trim_start()) } else { comment }
}

/// Did an analysis write this, every word of it? It must be what [`said`] writes.
fn is_ours(comment: &str) -> bool {
    let mut parts = comment.split(", ").peekable();
    let is_score = parts.next().is_some_and(|part| {
        let number = part.strip_prefix("score cp ").or_else(|| part.strip_prefix("score mate "));
        number.is_some_and(|number| number.parse::<i32>().is_ok())
    });
    let are_chances =
        parts.next().and_then(|part| part.strip_prefix("chances ")).is_some_and(|part| {
            let mut chances = part.split('/').map(str::parse::<u8>);
            chances.by_ref().take(3).filter(Result::is_ok).count() == 3 && chances.next().is_none()
        });
    let are_moves = |part: &&str| {
        let moves = part.strip_prefix("best ");
        moves.is_some_and(|moves| moves.split(' ').all(|mv| Move::parse(mv, MAX_SIZE).is_some()))
    };
    let is_loss = |part: &&str| {
        let number = part.strip_prefix("loss ").and_then(|part| part.strip_suffix(" %"));
        number.is_some_and(|number| number.parse::<f32>().is_ok())
    };
    let is_mark = |part: &&str| Mark::named(part).is_some();
    let is_call = |part: &&str| Call::ALL.iter().any(|call| call.name() == *part);
    parts.next_if(are_moves);
    parts.next_if(is_loss);
    parts.next_if(is_mark);
    parts.next_if(is_call);
    is_score && are_chances && parts.next().is_none()
}

/// What is said of a position, with what was said before.
fn comment(position: &PositionReport, size: usize) -> String {
    let before = without_ours(position.comment.trim());
    let before = if before.is_empty() { String::new() } else { format!("; {before}") };
    said(position, size) + &before
}

/// What this analysis says of a position; [`is_ours`] knows it again.
fn said(position: &PositionReport, size: usize) -> String {
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
    words.join(", ")
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
            ("score cp 1, chances 1/1/98, loss 5.0 %, ?!, raichi; ?!", "?!"),
        ] {
            assert_eq!(without_ours(comment), kept, "{comment}");
        }
    }

    #[test]
    fn what_people_said_stays_however_like_an_analysis_it_is() {
        for comment in [
            "score cp 5, chances good for the king here",
            "score cp 5, chances 1/2",
            "score cp 5, chances 1/2/97/0",
            "score cp five, chances 1/2/97",
            "score cp 5, chances 1/2/97, best e4b4, I do not believe it; x",
            "score cp 5, chances 1/2/97, best the one I played",
            "score cp 5, chances 1/2/97, raichi, best e4b4",
            "score cp 5, chances 1/2/97, ?? really",
        ] {
            assert_eq!(without_ours(comment), comment);
        }
    }

    #[test]
    fn the_last_version_alone_is_an_annotator() {
        for (before, after) in [
            ("", ""),
            ("Ann", "Ann; "),
            ("konakis 0.0.1", ""),
            ("Ann; konakis 0.0.1; Bo; konakis 12.3.4", "Ann; Bo; "),
            ("me, who likes konakis a lot", "me, who likes konakis a lot; "),
            ("konakis 1.2 beta; konakis 1.2.3.4", "konakis 1.2 beta; konakis 1.2.3.4; "),
        ] {
            assert_eq!(annotators(before), after.to_owned() + ANNOTATOR);
            assert_eq!(annotators(&annotators(before)), annotators(before));
        }
    }
}
