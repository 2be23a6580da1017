//! Positions as text: ranks from the top, then the side to move.

use std::fmt::{self, Write};

use super::board::Board;
use super::geometry::{Geometry, Square};
use super::rules::{Kind, Rules, Side};

/// What is wrong with a FEN, where, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FenError(String);

impl FenError {
    /// A rule set of a size that no board has.
    pub(super) fn size(size: usize, least: usize, most: usize) -> Self {
        Self(format!("a board of {size}x{size}; expected an odd size from {least} to {most}"))
    }
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FenError {}

fn error<T>(text: impl Into<String>) -> Result<T, FenError> {
    Err(FenError(text.into()))
}

/// A character of somebody's input as it may be shown to a person.
fn shown(c: char) -> String {
    if c.is_control() { c.escape_default().to_string() } else { c.to_string() }
}

/// The pieces of a FEN and its side to move, checked against a rule set.
pub fn parse(text: &str, rules: &Rules) -> Result<(Vec<(Kind, Square)>, Side), FenError> {
    let mut fields = text.split_whitespace();
    let Some(placement) = fields.next() else {
        return error(
            "the FEN is empty; expected the ranks from the top, such as 3aaa3/4a4/…, then a or d",
        );
    };
    let pieces = parse_placement(placement, rules.size)?;
    validate(&pieces, rules)?;
    Ok((pieces, parse_side(fields)?.unwrap_or(rules.first)))
}

fn parse_side<'a>(fields: impl Iterator<Item = &'a str>) -> Result<Option<Side>, FenError> {
    let mut side = None;
    for field in fields {
        let this = match field {
            "a" | "A" | "b" | "B" => Side::Attackers,
            "d" | "D" | "w" | "W" => Side::Defenders,
            "-" => continue,
            number if number.bytes().all(|byte| byte.is_ascii_digit()) => continue,
            other => {
                let other: String = other.chars().take(20).map(shown).collect();
                return error(format!(
                    "'{other}' after the ranks is no side to move; expected a (attackers) or d (defenders)"
                ));
            }
        };
        if side.replace(this).is_some() {
            return error(
                "the side to move is given twice; expected one of a and d after the ranks",
            );
        }
    }
    Ok(side)
}

fn parse_placement(text: &str, size: usize) -> Result<Vec<(Kind, Square)>, FenError> {
    let mut pieces = Vec::new();
    let ranks = text.split('/').count();
    if ranks != size {
        return error(format!("{ranks} ranks; expected {size} divided by '/', the top one first"));
    }
    for (down, line) in text.split('/').enumerate() {
        let rank = size - 1 - down;
        let mut file = 0;
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let (man, width, read) = if digits > 0 {
                match rest[..digits].parse::<usize>() {
                    Ok(empty) if empty > 0 && empty <= size && c != '0' => (None, empty, digits),
                    _ => {
                        return error(format!(
                            "rank {}, file {}: '{}' empty squares; expected 1 to {}",
                            rank + 1,
                            file_name(file),
                            rest[..digits.min(20)].to_owned(),
                            size - file.min(size - 1)
                        ));
                    }
                }
            } else {
                let kind = match c.to_ascii_lowercase() {
                    'a' => Kind::Attacker,
                    'd' => Kind::Defender,
                    'k' => Kind::King,
                    _ => {
                        return error(format!(
                            "rank {}, file {}: '{}' is no piece; expected a, d, k or a number of \
                             empty squares",
                            rank + 1,
                            file_name(file),
                            shown(c)
                        ));
                    }
                };
                (Some(kind), 1, c.len_utf8())
            };
            if file + width > size {
                return error(format!(
                    "rank {}, file {}: '{}' runs off the rank; expected exactly {size} squares",
                    rank + 1,
                    file_name(file),
                    &rest[..read]
                ));
            }
            if let Some(kind) = man {
                pieces.push((kind, Square::at(file, rank, size)));
            }
            file += width;
            rest = &rest[read..];
        }
        if file < size {
            return error(format!(
                "rank {} ends before file {}: {file} squares; expected exactly {size}",
                rank + 1,
                file_name(file)
            ));
        }
    }
    Ok(pieces)
}

fn file_name(file: usize) -> char {
    char::from(b'a' + file.min(25) as u8)
}

/// Is this a legal board? One king at the most, and nobody on a square where he may not stop.
pub fn validate(pieces: &[(Kind, Square)], rules: &Rules) -> Result<(), FenError> {
    let mut kings = pieces.iter().filter(|(kind, _)| *kind == Kind::King);
    if let (Some((_, first)), Some((_, second))) = (kings.next(), kings.next()) {
        return error(format!(
            "two kings, on {} and {}; expected one, or none in a finished game",
            first.on(rules.size),
            second.on(rules.size)
        ));
    }
    for &(kind, square) in pieces {
        let zones = [
            (&rules.throne, "the throne"),
            (&rules.corners, "a corner"),
            (&rules.attacker_camps, "a camp"),
            (&rules.defender_camps, "a camp"),
        ];
        for (zone, what) in zones {
            let seated_king = kind == Kind::King && what == "the throne";
            if zone.contains(square) && !zone.stop.has(kind) && !seated_king {
                return error(format!(
                    "rank {}, file {}: no {} may stand on {what}",
                    square.file_rank(rules.size).1 + 1,
                    file_name(square.file_rank(rules.size).0),
                    kind.name()
                ));
            }
        }
    }
    Ok(())
}

/// The board part of the FEN of a board.
pub fn placement<G: Geometry>(board: &Board<G>) -> String {
    let mut text = String::new();
    for rank in (0..G::SIZE).rev() {
        let mut empty = 0;
        for file in 0..G::SIZE {
            let Some(kind) = board.piece_at(Square::at(file, rank, G::SIZE)) else {
                empty += 1;
                continue;
            };
            push_number(&mut text, &mut empty);
            text.push(kind.letter());
        }
        push_number(&mut text, &mut empty);
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

fn push_number(text: &mut String, empty: &mut usize) {
    if *empty > 0 {
        // Writing to a string cannot fail.
        let _ = write!(text, "{empty}");
        *empty = 0;
    }
}

/// The canonical FEN of a board.
pub fn print<G: Geometry>(board: &Board<G>) -> String {
    format!("{} {}", placement(board), board.side().letter())
}
