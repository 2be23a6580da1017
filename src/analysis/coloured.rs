//! A [`Picture`] as text in colours.

use std::fmt::Write;

use anstyle::{Color, RgbColor, Style};

use super::picture::{Ground, Picture};
use crate::game::geometry::Square;
use crate::game::rules::Kind;
use crate::notation::board_text;

// Every square has a background of its own, so that the pieces are seen on terminals of any colour.
const PLAIN: Color = rgb(0x33, 0x2a, 0x22);
const LAST: Color = rgb(0x75, 0x62, 0x10);
const ARROW: Color = rgb(0x1e, 0x6a, 0x3c);
const THRONE: Color = rgb(0x5c, 0x47, 0x20);
const CAMP: Color = rgb(0x50, 0x38, 0x2a);
const ATTACKER: Color = rgb(0xee, 0x7a, 0x66);
const DEFENDER: Color = rgb(0xff, 0xff, 0xff);
const KING: Color = rgb(0xff, 0xd7, 0x4a);
const MARK: Color = rgb(0xc9, 0xa4, 0x60);
const DOT: Color = rgb(0x86, 0x77, 0x66);

const fn rgb(red: u8, green: u8, blue: u8) -> Color {
    Color::Rgb(RgbColor(red, green, blue))
}

/// The board, top rank first, with coordinates; the letters are those of [`board_text::board`], so
/// that without its colours it says the same. A move that is pointed out, a last move and candidates
/// are told below the board as well.
pub fn lines(picture: &Picture) -> Vec<String> {
    let game = &picture.game;
    let size = game.size();
    let mut lines = Vec::new();
    for (down, plain) in board_text::board(game).into_iter().enumerate() {
        let Some(rank) = (size - 1).checked_sub(down) else {
            lines.push(plain);
            continue;
        };
        let mut line = String::new();
        for (at, c) in plain.chars().enumerate() {
            // Two characters a square, behind the number of the rank.
            let file = at.checked_sub(3).map(|at| at / 2);
            match file.filter(|&file| file < size) {
                Some(file) => {
                    let style = style(picture, Square::at(file, rank, size));
                    // Writing to a string cannot fail.
                    let _ = write!(line, "{style}{c}{style:#}");
                }
                None => line.push(c),
            }
        }
        lines.push(line);
    }
    lines.push(board_text::legend(game));
    if let Some(last) = picture.last {
        lines.push(format!("last move {}", last.on(size)));
    }
    for arrow in &picture.arrows {
        lines.push(format!("arrow {}", arrow.on(size)));
    }
    let mut heat: Vec<_> = picture.heat.iter().collect();
    heat.sort_by_key(|heat| std::cmp::Reverse(heat.score));
    for heat in heat {
        lines.push(format!("candidate {} {}", heat.mv.on(size), super::picture::short(heat.score)));
    }
    lines
}

fn style(picture: &Picture, square: Square) -> Style {
    let game = &picture.game;
    let ground = Ground::of(game.rules(), square);
    let letter = match game.piece_at(square) {
        Some(Kind::Attacker) => Style::new().fg_color(Some(ATTACKER)).bold(),
        Some(Kind::Defender) => Style::new().fg_color(Some(DEFENDER)).bold(),
        Some(Kind::King) => Style::new().fg_color(Some(KING)).bold(),
        None if ground == Ground::Plain => Style::new().fg_color(Some(DOT)),
        None => Style::new().fg_color(Some(MARK)),
    };
    let arrow = picture.arrows.iter().any(|mv| [mv.from, mv.to].contains(&square));
    let last = picture.last.is_some_and(|mv| [mv.from, mv.to].contains(&square));
    let background = if arrow {
        ARROW
    } else if last {
        LAST
    } else if let Some((_, warmth)) = picture.warmth(square) {
        let (red, blue) = (50.0 + 130.0 * warmth, 50.0 + 130.0 * (1.0 - warmth));
        rgb(red as u8, 30, blue as u8)
    } else {
        match ground {
            Ground::Plain => PLAIN,
            Ground::Throne | Ground::Corner => THRONE,
            Ground::AttackerCamp | Ground::DefenderCamp => CAMP,
        }
    };
    letter.bg_color(Some(background))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::any_size::Game;
    use crate::game::variants::variants;

    #[test]
    fn without_its_colours_it_is_the_plain_board() {
        for rules in variants() {
            let game = Game::start(rules.clone()).unwrap();
            let coloured = lines(&Picture::new(game.clone())).join("\n");
            assert!(coloured.contains('\u{1b}'));
            let stripped = anstream::adapter::strip_str(&coloured).to_string();
            let mut plain = board_text::board(&game);
            plain.push(board_text::legend(&game));
            assert_eq!(stripped, plain.join("\n"), "{}", rules.id);
        }
    }
}
