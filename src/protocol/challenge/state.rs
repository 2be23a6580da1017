//! The server's state of a game and our moves, as JSON.

use serde_json::Value;

use crate::game::geometry::Square;
use crate::game::moves::Move;
use crate::game::rules::{Kind, Side};

/// The size of the board.
const SIZE: usize = 9;

/// The server's state of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The board part of a FEN.
    pub placement: String,
    /// What is to happen.
    pub turn: StateTurn,
}

/// Whose turn it is, or how the game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StateTurn {
    /// A side is to move.
    Side(Side),
    /// The game is over; `None` is a draw.
    Over(Option<Side>),
}

/// `WHITE` for the defenders, `BLACK` for the attackers.
pub const fn role(side: Side) -> &'static str {
    match side {
        Side::Attackers => "BLACK",
        Side::Defenders => "WHITE",
    }
}

impl State {
    /// Reads a message of the server.
    ///
    /// # Errors
    /// Says what is missing or wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let json: Value = serde_json::from_str(text)
            .map_err(|error| format!("the server's message is no JSON ({error})"))?;
        let field = |name: &str| {
            json.get(name).ok_or_else(|| format!("the server's message has no '{name}'"))
        };
        let turn = match field("turn")?.as_str() {
            Some("WHITE") => StateTurn::Side(Side::Defenders),
            Some("BLACK") => StateTurn::Side(Side::Attackers),
            Some("WHITEWIN") => StateTurn::Over(Some(Side::Defenders)),
            Some("BLACKWIN") => StateTurn::Over(Some(Side::Attackers)),
            Some("DRAW") => StateTurn::Over(None),
            _ => {
                let turn = field("turn")?.to_string().chars().take(30).collect::<String>();
                return Err(format!(
                    "the server's turn is {turn}; expected WHITE, BLACK, WHITEWIN, BLACKWIN or DRAW"
                ));
            }
        };
        let rows: Vec<Vec<Option<Kind>>> = field("board")?.as_array().map_or_else(
            || Err(wrong_size()),
            |rows| rows.iter().enumerate().map(|(rank, row)| read_row(rank, row)).collect(),
        )?;
        if rows.len() != SIZE {
            return Err(wrong_size());
        }
        let ranks: Vec<String> = rows.iter().rev().map(|row| rank_text(row)).collect();
        Ok(Self { placement: ranks.join("/"), turn })
    }
}

fn wrong_size() -> String {
    format!("the server's board is none of {SIZE} rows of {SIZE} squares")
}

/// A row of the board, the first one being rank 1.
fn read_row(rank: usize, row: &Value) -> Result<Vec<Option<Kind>>, String> {
    let cells = row.as_array().filter(|cells| cells.len() == SIZE).ok_or_else(wrong_size)?;
    let cell = |(file, cell): (usize, &Value)| match cell.as_str() {
        // The throne that the king has left.
        Some("EMPTY" | "THRONE") => Ok(None),
        Some("BLACK") => Ok(Some(Kind::Attacker)),
        Some("WHITE") => Ok(Some(Kind::Defender)),
        Some("KING") => Ok(Some(Kind::King)),
        _ => {
            let square = Square::at(file, rank, SIZE).on(SIZE);
            let cell = cell.to_string().chars().take(30).collect::<String>();
            Err(format!(
                "the server's board has {cell} on {square}; expected EMPTY, WHITE, BLACK, KING or \
                 THRONE"
            ))
        }
    };
    cells.iter().enumerate().map(cell).collect()
}

/// A rank as it stands in a FEN.
fn rank_text(row: &[Option<Kind>]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for cell in row {
        let Some(kind) = cell else {
            empty += 1;
            continue;
        };
        if empty > 0 {
            text += &std::mem::take(&mut empty).to_string();
        }
        text.push(kind.letter());
    }
    if empty > 0 {
        text += &empty.to_string();
    }
    text
}

/// A move as the server reads it.
pub fn move_json(mv: Move, side: Side) -> String {
    let [from, to] = [mv.from, mv.to].map(|square| square.on(SIZE).to_string());
    serde_json::json!({ "from": from, "to": to, "turn": role(side) }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variants::variant;

    fn message(turn: &str, change: impl FnOnce(&mut Vec<Vec<&str>>)) -> String {
        let placement = variant("tablut-ashton").unwrap().start.clone();
        let mut rows: Vec<Vec<&str>> = placement
            .rsplit('/')
            .map(|rank| {
                let cell = |c: char| match c {
                    'a' => vec!["BLACK"],
                    'd' => vec!["WHITE"],
                    'k' => vec!["KING"],
                    digit => vec!["EMPTY"; digit.to_digit(10).unwrap() as usize],
                };
                rank.chars().flat_map(cell).collect()
            })
            .collect();
        change(&mut rows);
        serde_json::json!({ "board": rows, "turn": turn }).to_string()
    }

    #[test]
    fn states_are_read() {
        let state = State::parse(&message("WHITE", |_| {})).unwrap();
        assert_eq!(state.placement, variant("tablut-ashton").unwrap().start);
        assert_eq!(state.turn, StateTurn::Side(Side::Defenders));
        let moved = message("BLACKWIN", |rows| {
            rows[4][4] = "THRONE";
            rows[0][0] = "KING";
        });
        let state = State::parse(&moved).unwrap();
        assert!(state.placement.ends_with("/k2aaa3"), "{}", state.placement);
        assert!(state.placement.contains("/aadd1ddaa/"), "{}", state.placement);
        assert_eq!(state.turn, StateTurn::Over(Some(Side::Attackers)));
    }

    #[test]
    fn broken_states_are_errors() {
        let short = message("WHITE", |rows| _ = rows.pop());
        let narrow = message("WHITE", |rows| _ = rows[3].pop());
        let queen = message("WHITE", |rows| rows[2][1] = "QUEEN");
        for (text, part) in [
            ("", "no JSON"),
            ("[1", "no JSON"),
            ("{}", "no 'turn'"),
            ("{\"turn\":\"WHITE\"}", "no 'board'"),
            ("{\"turn\":\"RED\",\"board\":[]}", "turn is \"RED\""),
            ("{\"turn\":7,\"board\":[]}", "turn is 7"),
            ("{\"turn\":\"WHITE\",\"board\":7}", "9 rows"),
            (&short, "9 rows"),
            (&narrow, "9 rows"),
            (&queen, "\"QUEEN\" on b3"),
        ] {
            let error = State::parse(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn moves_are_written() {
        let mv = Move::parse("e3f3", 9).unwrap();
        let text = move_json(mv, Side::Defenders);
        let json: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json, serde_json::json!({"from": "e3", "to": "f3", "turn": "WHITE"}));
    }
}
