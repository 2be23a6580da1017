//! An analysis as JSON: a line a position.
//!
//! `game` (its number in the file, from 1), `ply` (moves made before), `fen`, `side`, `move` (played,
//! or null), `score` (`{"cp":N}` or `{"mate":N}` in plies, negative when losing; for the side to
//! move), `best` (or null), `pv`, `wdl` (chances of the side to move to win, draw and lose, in
//! thousandths), `loss` (of the played move, in thousandths of a point, or null), `mark` (`?!`, `?`,
//! `??`, `missed-win`, `only-move`, or null), `call` (`raichi`, `tuichi`, `watch-your-king`, or
//! null), `outcome` (`attackers king-captured`, …, or null). With more than one line `lines` follows:
//! `score`, `wdl`, `pv` of each, best first.

use serde_json::{Map, Value, json};

use super::report::{Line, Mark, PositionReport};
use crate::eval::odds::Odds;
use crate::game::any_size::Game;
use crate::game::moves::Move;
use crate::game::outcome::Outcome;
use crate::notation::move_text;
use crate::search::score::{Score, ScoreKind};

/// The line of a position, without a line end.
pub fn line(game: usize, position: &PositionReport, size: usize) -> String {
    let name = |mv: Option<Move>| mv.map(|mv| mv.on(size).to_string());
    let mut fields = vec![
        ("game", json!(game)),
        ("ply", json!(position.ply)),
        ("fen", json!(position.fen)),
        ("side", json!(position.side.name())),
        ("move", json!(name(position.mv))),
        ("score", score(position.score)),
        ("best", json!(name(position.best))),
        ("pv", moves(&position.pv, size)),
        ("wdl", odds(position.wdl)),
        ("loss", json!(position.loss)),
        ("mark", json!(position.mark.map(Mark::name))),
        ("call", json!(position.call.map(|call| call.name()))),
        ("outcome", json!(position.outcome.map(outcome))),
    ];
    if !position.lines.is_empty() {
        let line = |line: &Line| json!({"score": score(line.score), "wdl": odds(line.wdl), "pv": moves(&line.pv, size)});
        fields.push(("lines", position.lines.iter().map(line).collect()));
    }
    let fields: Vec<String> =
        fields.into_iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", fields.join(","))
}

/// `attackers king-captured`, `draw repetition`, …
pub fn outcome(outcome: Outcome) -> String {
    format!("{} {}", outcome.winner_name(), outcome.reason.name())
}

fn score(score: Score) -> Value {
    match score.kind() {
        ScoreKind::Centipawns(value) => json!({"cp": value}),
        ScoreKind::Win(plies) => json!({"mate": plies}),
        ScoreKind::Loss(plies) => json!({"mate": -i64::from(plies)}),
    }
}

fn odds(odds: Odds) -> Value {
    json!([odds.win, odds.draw, odds.loss])
}

fn moves(moves: &[Move], size: usize) -> Value {
    moves.iter().map(|mv| mv.on(size).to_string()).collect()
}

/// Which position a line is about: number of the game and ply.
pub fn place(value: &Value) -> Option<(usize, usize)> {
    let number = |field: &str| value.get(field)?.as_u64().map(|number| number as usize);
    Some((number("game")?, number("ply")?))
}

/// Reads a line again: what is said of a position that is known, with the move that was played there
/// and what the record says of it.
///
/// # Errors
/// Says which field is missing or belongs to another position.
pub fn read(
    value: &Value,
    position: &Game,
    ply: usize,
    played: Option<(Move, &str)>,
) -> Result<PositionReport, String> {
    let fields = value.as_object().ok_or("no JSON object")?;
    let reader = Reader { fields, position };
    let mv = played.map(|(mv, _)| mv);
    let (fen, mv_name) = (position.fen(), mv.map(|mv| mv.on(position.size()).to_string()));
    if reader.field("fen")?.as_str() != Some(&fen) {
        return Err(format!("fen: another position; expected {fen}"));
    }
    if reader.field("move")?.as_str() != mv_name.as_deref() {
        return Err(format!(
            "move: another one; expected {}",
            mv_name.as_deref().unwrap_or("null")
        ));
    }
    let wdl = reader.odds(reader.field("wdl")?)?;
    let pv = reader.moves(reader.field("pv")?)?;
    let lines = match fields.get("lines") {
        None => Vec::new(),
        Some(lines) => {
            let lines = lines.as_array().ok_or("lines: no array")?;
            lines.iter().map(|line| reader.line(line)).collect::<Result<_, String>>()?
        }
    };
    let loss = match reader.field("loss")? {
        Value::Null => None,
        loss => Some(loss.as_u64().ok_or("loss: no number")? as u32),
    };
    let mark = match reader.field("mark")? {
        Value::Null => None,
        mark => Some(mark.as_str().and_then(Mark::named).ok_or("mark: unknown")?),
    };
    Ok(PositionReport {
        ply,
        fen,
        side: position.side(),
        mv,
        text: mv.map_or_else(String::new, |mv| move_text::write(position, mv)),
        comment: played.map_or_else(String::new, |(_, comment)| comment.to_owned()),
        score: read_score(reader.field("score")?, wdl)?,
        best: pv.first().copied(),
        pv,
        wdl,
        lines,
        loss,
        mark,
        call: position.call(),
        outcome: position.outcome(),
    })
}

struct Reader<'a> {
    fields: &'a Map<String, Value>,
    position: &'a Game,
}

impl Reader<'_> {
    fn field(&self, name: &str) -> Result<&Value, String> {
        self.fields.get(name).ok_or_else(|| format!("{name}: it is missing"))
    }

    fn odds(&self, value: &Value) -> Result<Odds, String> {
        let numbers: Option<Vec<u32>> =
            value.as_array().and_then(|all| all.iter().map(|n| Some(n.as_u64()? as u32)).collect());
        match numbers.as_deref() {
            Some(&[win, draw, loss]) => Ok(Odds { win, draw, loss }),
            _ => Err("wdl: expected three numbers".to_owned()),
        }
    }

    /// A line of moves, each legal after those before it.
    fn moves(&self, value: &Value) -> Result<Vec<Move>, String> {
        let mut game = self.position.clone();
        let mut moves = Vec::new();
        for word in value.as_array().ok_or("pv: no array")? {
            let word = word.as_str().ok_or("pv: no move")?;
            let mv = game.read_move(word).map_err(|error| format!("pv: {error}"))?;
            game.play(mv);
            moves.push(mv);
        }
        Ok(moves)
    }

    fn line(&self, value: &Value) -> Result<Line, String> {
        let field = |name: &str| value.get(name).ok_or_else(|| format!("{name}: it is missing"));
        let wdl = self.odds(field("wdl")?)?;
        Ok(Line { score: read_score(field("score")?, wdl)?, wdl, pv: self.moves(field("pv")?)? })
    }
}

/// A win and a loss in 0 plies look alike; the chances tell them apart.
fn read_score(value: &Value, wdl: Odds) -> Result<Score, String> {
    let number = |name: &str| value.get(name).and_then(Value::as_i64);
    let plies = |plies: i64| u32::try_from(plies.unsigned_abs()).unwrap_or(u32::MAX).min(999);
    match (number("cp"), number("mate")) {
        (Some(value), None) => Ok(Score::centipawns(value.clamp(-30_000, 30_000) as i32)),
        (None, Some(0)) if wdl == Odds::WON => Ok(Score::win_in(0)),
        (None, Some(mate)) if mate > 0 => Ok(Score::win_in(plies(mate))),
        (None, Some(mate)) => Ok(Score::loss_in(plies(mate))),
        _ => Err("score: expected {\"cp\":N} or {\"mate\":N}".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variants::variant;

    fn sample(lines: usize) -> (Game, PositionReport) {
        let start = Game::start(variant("tablut").unwrap()).unwrap();
        let mv = |text| start.read_move(text).unwrap();
        let wdl = Odds { win: 310, draw: 90, loss: 600 };
        let pv = vec![mv("e3a3")];
        let line = Line { score: Score::loss_in(4), wdl: Odds::LOST, pv: pv.clone() };
        let report = PositionReport {
            ply: 7,
            fen: start.fen(),
            side: start.side(),
            mv: Some(mv("e3b3")),
            text: "e3-b3".to_owned(),
            comment: "said".to_owned(),
            score: Score::centipawns(-35),
            best: pv.first().copied(),
            pv,
            wdl,
            lines: vec![line; lines],
            loss: Some(120),
            mark: Some(Mark::Mistake),
            call: None,
            outcome: None,
        };
        (start, report)
    }

    #[test]
    fn lines_are_exactly_this_and_read_back() {
        let (start, report) = sample(0);
        let text = line(3, &report, 9);
        assert_eq!(
            text,
            "{\"game\":3,\"ply\":7,\"fen\":\"3aaa3/4a4/4d4/a3d3a/aaddkddaa/a3d3a/4d4/4a4/3aaa3 d\",\
             \"side\":\"defenders\",\"move\":\"e3b3\",\"score\":{\"cp\":-35},\"best\":\"e3a3\",\
             \"pv\":[\"e3a3\"],\"wdl\":[310,90,600],\"loss\":120,\"mark\":\"?\",\"call\":null,\
             \"outcome\":null}"
        );
        for lines in [0, 2] {
            let (start, report) = sample(lines);
            let value = serde_json::from_str(&line(3, &report, 9)).unwrap();
            assert_eq!(place(&value), Some((3, 7)));
            let played = report.mv.map(|mv| (mv, "said"));
            assert_eq!(read(&value, &start, 7, played).unwrap(), report);
        }
        let value: Value = serde_json::from_str(&text).unwrap();
        assert!(read(&value, &start, 7, None).unwrap_err().starts_with("move: another one"));
        let mut less = value.clone();
        less.as_object_mut().unwrap().remove("wdl");
        let played = report.mv.map(|mv| (mv, ""));
        assert_eq!(read(&less, &start, 7, played).unwrap_err(), "wdl: it is missing");
    }

    #[test]
    fn scores_of_finished_games() {
        for (score_in, wdl) in [
            (Score::win_in(0), Odds::WON),
            (Score::loss_in(0), Odds::LOST),
            (Score::ZERO, Odds::DRAWN),
            (Score::win_in(5), Odds::WON),
            (Score::loss_in(6), Odds::LOST),
        ] {
            assert_eq!(read_score(&score(score_in), wdl), Ok(score_in));
        }
    }
}
