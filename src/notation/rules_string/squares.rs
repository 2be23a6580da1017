//! The parts of a rules string that speak of squares and pieces: square lists, piece lists, start
//! positions.

use crate::game::geometry::{Square, neighbours};
use crate::game::rules::{Kind, Kinds};

/// The letters of the pieces, those that no board of ours has included: commander, knight, mercenary
/// and guard. Upper case is the defenders'; the attackers' king is nobody.
const PIECES: &str = "tcnkmgTCNKMG";

/// Reads a list of squares divided at commas, of which one may stand at the end.
pub fn square_list(text: &str, size: usize) -> Result<Vec<Square>, String> {
    let mut squares = Vec::new();
    for name in text.strip_suffix(',').unwrap_or(text).split(',').filter(|_| !text.is_empty()) {
        let Some(square) = Square::parse(name, size) else {
            return Err(format!(
                "'{}' is no square of this board; expected squares such as a1,a2",
                shown(name)
            ));
        };
        if squares.contains(&square) {
            return Err(format!("{name} stands there twice"));
        }
        squares.push(square);
    }
    Ok(squares)
}

/// Reads a list of pieces. Kinds that are not on the board are left out.
pub fn piece_list(text: &str) -> Result<Kinds, String> {
    let mut kinds = Kinds::NONE;
    for c in text.chars() {
        if !PIECES.contains(c) {
            return Err(format!("'{}' is no piece; expected some of {PIECES}", c.escape_default()));
        }
        kinds = match c {
            't' => kinds.with(Kind::Attacker),
            'T' => kinds.with(Kind::Defender),
            'K' => kinds.with(Kind::King),
            _ => kinds,
        };
    }
    Ok(kinds)
}

/// Reads a position, top rank first, as the board part of a FEN. A slash at either end is allowed.
pub fn placement(text: &str) -> Result<String, String> {
    let inside = text.strip_prefix('/').unwrap_or(text);
    let inside = inside.strip_suffix('/').unwrap_or(inside);
    let piece = |c: char| match c {
        't' => Ok('a'),
        'T' => Ok('d'),
        'K' => Ok('k'),
        '/' | '0'..='9' => Ok(c),
        'k' => Err("'k': the attackers have no king here; expected t, T and one K".to_owned()),
        c if PIECES.contains(c) => {
            Err(format!("'{c}': commanders, knights, mercenaries and guards are not played here"))
        }
        c => Err(format!(
            "'{}' is no piece; expected t, T, K, numbers of empty squares and /",
            c.escape_default()
        )),
    };
    inside.chars().map(piece).collect()
}

/// The same with the first rank first.
pub fn placement_from_below(text: &str) -> Result<String, String> {
    let text = placement(text)?;
    Ok(text.rsplit('/').collect::<Vec<_>>().join("/"))
}

/// A position with the first rank first, `/3t3/…/`, as the board part of a FEN.
///
/// # Errors
/// Says what stands there that is no piece of ours.
pub fn read_position(text: &str) -> Result<String, String> {
    placement_from_below(text)
}

/// The board part of a FEN as a position with the first rank first.
pub fn write_position(placement: &str) -> String {
    let ranks: Vec<&str> = placement.rsplit('/').collect();
    format!("/{}/", pieces(&ranks.join("/")))
}

/// The pieces of a FEN in the letters of rules strings.
pub fn pieces(placement: &str) -> String {
    let piece = |piece| match piece {
        'a' => 't',
        'd' => 'T',
        'k' => 'K',
        other => other,
    };
    placement.chars().map(piece).collect()
}

/// The four corners of a board.
pub fn corners(size: usize) -> Vec<Square> {
    let squares = (0..(size * size) as u16).map(Square);
    squares.filter(|&square| neighbours(square, size).count() == 2).collect()
}

/// Somebody's text, cut to a length that can be shown.
pub fn shown(text: &str) -> String {
    text.chars().take(30).flat_map(char::escape_default).collect()
}
