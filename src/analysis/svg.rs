//! A [`Picture`] as SVG: one self-contained text, nothing of it from anywhere else.

use std::fmt::Write;

use super::picture::{Ground, Picture, short};
use crate::game::any_size::Game;
use crate::game::geometry::Square;
use crate::game::moves::Move;
use crate::game::rules::{Kind, Rules};

/// The side of a square, in user units.
pub const SQUARE: usize = 48;
/// Room for the coordinates on each side of the board.
pub const MARGIN: usize = 26;

/// What the pieces, squares and marks look like. Names begin with `k-`, so that the style does no
/// harm in a page that holds the picture.
const STYLE: &str = "\
.k-frame{fill:#5b3d26}\
.k-square{fill:#efd9b0;stroke:#b48c58;stroke-width:1}\
.k-odd{fill:#e8cf9f}\
.k-throne{fill:#d7b069}\
.k-corner{fill:#cfa45c}\
.k-attacker-camp{fill:#d2ad86}\
.k-defender-camp{fill:#d9d6ac}\
.k-ornament{fill:none;stroke:#8a6330;stroke-width:2;stroke-linejoin:round}\
.k-name{fill:#f1dfc0;font:14px 'DejaVu Sans',Verdana,sans-serif;text-anchor:middle}\
.k-last{fill:#f6d743;fill-opacity:.55}\
.k-arrow{stroke:#1e7a46;stroke-width:7;stroke-linecap:round;fill:none}\
.k-head{fill:#1e7a46}\
.k-arrows{opacity:.85}\
.k-heat-label{fill:#1b1b1b;font:bold 11px 'DejaVu Sans',Verdana,sans-serif;text-anchor:middle;\
stroke:#fff;stroke-width:2.5;stroke-opacity:.7;paint-order:stroke}\
.k-a{fill:#2f2622;stroke:#0f0b09;stroke-width:1.5}\
.k-a-ring{fill:none;stroke:#6b584c;stroke-width:2}\
.k-d{fill:#fbf7ee;stroke:#5d4a39;stroke-width:1.5}\
.k-d-ring{fill:none;stroke:#c9b79b;stroke-width:2}\
.k-k{fill:#fff3cf;stroke:#6a4a12;stroke-width:2}\
.k-crown{fill:#c98f1b;stroke:#6a4a12;stroke-width:1.3;stroke-linejoin:round}";

/// The three pieces, around the middle of their square.
const PIECES: &str = "\
<g id=\"k-a\"><circle class=\"k-a\" r=\"18\"/><circle class=\"k-a-ring\" r=\"11\"/></g>\
<g id=\"k-d\"><circle class=\"k-d\" r=\"18\"/><circle class=\"k-d-ring\" r=\"11\"/></g>\
<g id=\"k-k\"><circle class=\"k-k\" r=\"20\"/>\
<path class=\"k-crown\" d=\"M-12 8 L-13 -7 L-6 -1 L0 -12 L6 -1 L13 -7 L12 8 Z\"/></g>";

/// The board with its pieces and marks.
pub fn svg(picture: &Picture) -> String {
    let Picture { game, last, arrows, .. } = picture;
    let rules = game.rules();
    let mut text = open(rules, &title(game));
    text.push_str(&board(rules));
    if let Some(mv) = last {
        for square in [mv.from, mv.to] {
            let (x, y) = corner(square, rules.size);
            push(&mut text, format_args!("<rect class=\"k-last\" x=\"{x}\" y=\"{y}\" {SIDE}/>"));
        }
    }
    for square in rules.squares() {
        push_heat(&mut text, picture, square);
    }
    for (kind, square) in pieces(game) {
        let (x, y) = middle(square, rules.size);
        let letter = kind.letter();
        push(&mut text, format_args!("<use href=\"#k-{letter}\" x=\"{x}\" y=\"{y}\"/>"));
    }
    for square in rules.squares() {
        push_heat_label(&mut text, picture, square);
    }
    if !arrows.is_empty() {
        text.push_str("<g class=\"k-arrows\">");
        arrows.iter().for_each(|&mv| push_arrow(&mut text, mv, rules.size));
        text.push_str("</g>");
    }
    text.push_str("</svg>\n");
    text
}

/// The size of a square as attributes.
const SIDE: &str = "width=\"48\" height=\"48\"";

/// The beginning of a picture, with its style and the shapes of the pieces.
pub fn open(rules: &Rules, title: &str) -> String {
    let side = side(rules.size);
    let title = escaped(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{side}\" height=\"{side}\" \
         viewBox=\"0 0 {side} {side}\" role=\"img\" aria-label=\"{title}\"><title>{title}</title>\
         <style>{STYLE}</style><defs>{PIECES}</defs>"
    )
}

/// The empty board with its special squares and the names of files and ranks.
pub fn board(rules: &Rules) -> String {
    let size = rules.size;
    let side = side(size);
    let mut text = format!("<rect class=\"k-frame\" width=\"{side}\" height=\"{side}\" rx=\"8\"/>");
    for square in rules.squares() {
        let (x, y) = corner(square, size);
        let (file, rank) = square.file_rank(size);
        let class = match Ground::of(rules, square) {
            Ground::Plain if (file + rank) % 2 == 1 => " k-odd",
            Ground::Plain => "",
            Ground::Throne => " k-throne",
            Ground::Corner => " k-corner",
            Ground::AttackerCamp => " k-attacker-camp",
            Ground::DefenderCamp => " k-defender-camp",
        };
        push(
            &mut text,
            format_args!("<rect class=\"k-square{class}\" x=\"{x}\" y=\"{y}\" {SIDE}/>"),
        );
        push_ornament(&mut text, rules, square);
    }
    for i in 0..size {
        let file = char::from(b'a' + i as u8);
        let along = MARGIN + SQUARE * i + SQUARE / 2;
        let rank = size - i;
        for across in [MARGIN / 2 + 5, side - MARGIN / 2 + 5] {
            push(
                &mut text,
                format_args!("<text class=\"k-name\" x=\"{along}\" y=\"{across}\">{file}</text>"),
            );
        }
        for across in [MARGIN / 2, side - MARGIN / 2] {
            let y = along + 5;
            push(
                &mut text,
                format_args!("<text class=\"k-name\" x=\"{across}\" y=\"{y}\">{rank}</text>"),
            );
        }
    }
    text
}

/// The mark of a special square: a knot on the throne, a cross in the corners, a stroke in the
/// camps, so that they are told apart without colours as well.
fn push_ornament(text: &mut String, rules: &Rules, square: Square) {
    let (x, y) = middle(square, rules.size);
    let path = match Ground::of(rules, square) {
        Ground::Plain => return,
        Ground::Throne => "M0 -20 L20 0 L0 20 L-20 0 Z M-14 -14 H14 V14 H-14 Z",
        Ground::Corner => "M-16 -16 L16 16 M-16 16 L16 -16 M-16 -16 H16 V16 H-16 Z",
        Ground::AttackerCamp => {
            "M-18 10 L-10 18 M-18 -4 L4 18 M-18 -18 L18 18 M-4 -18 L18 4 M10 -18 L18 -10"
        }
        Ground::DefenderCamp => {
            "M18 10 L10 18 M18 -4 L-4 18 M18 -18 L-18 18 M4 -18 L-18 4 M-10 -18 L-18 -10"
        }
    };
    push(
        text,
        format_args!("<path class=\"k-ornament\" transform=\"translate({x} {y})\" d=\"{path}\"/>"),
    );
}

/// The pieces on the board.
fn pieces(game: &Game) -> impl Iterator<Item = (Kind, Square)> {
    game.rules().squares().filter_map(|square| Some((game.piece_at(square)?, square)))
}

fn push_heat(text: &mut String, picture: &Picture, square: Square) {
    let Some((_, warmth)) = picture.warmth(square) else { return };
    let (x, y) = corner(square, picture.game.size());
    // From blue over violet to red.
    let hue = 225.0 + 135.0 * warmth;
    let opacity = 0.35 + 0.4 * warmth;
    let names: Vec<String> = picture
        .heat
        .iter()
        .filter(|heat| heat.mv.to == square)
        .map(|heat| format!("{} {}", heat.mv.on(picture.game.size()), short(heat.score)))
        .collect();
    push(
        text,
        format_args!(
            "<rect class=\"k-heat\" x=\"{x}\" y=\"{y}\" {SIDE} fill=\"{}\" fill-opacity=\"{opacity:.2}\">\
             <title>{}</title></rect>",
            colour(hue),
            names.join(", ")
        ),
    );
}

fn push_heat_label(text: &mut String, picture: &Picture, square: Square) {
    let Some((heat, _)) = picture.warmth(square) else { return };
    let (x, y) = middle(square, picture.game.size());
    // Low in the square, so that an arrow's head leaves it readable.
    let (y, score) = (y + 20, short(heat.score));
    push(text, format_args!("<text class=\"k-heat-label\" x=\"{x}\" y=\"{y}\">{score}</text>"));
}

/// A colour of this hue, in degrees, as `#rrggbb`: not every program that draws SVG knows `hsl()`.
fn colour(hue: f64) -> String {
    let (lightness, spread) = (0.52, 0.36);
    let channel = |offset: f64| {
        let k = (offset + hue / 30.0) % 12.0;
        let value = lightness - spread * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0);
        (value * 255.0).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", channel(0.0), channel(8.0), channel(4.0))
}

fn push_arrow(text: &mut String, mv: Move, size: usize) {
    let ((x0, y0), (x1, y1)) = (middle(mv.from, size), middle(mv.to, size));
    let sign = |a: usize, b: usize| (b as i64 - a as i64).signum();
    let (dx, dy) = (sign(x0, x1), sign(y0, y1));
    // The shaft ends where the head begins.
    let (bx, by) = (x1 as i64 - 14 * dx, y1 as i64 - 14 * dy);
    let (wx, wy) = (11 * dy, 11 * dx);
    let (tx, ty) = (x1 as i64 + 6 * dx, y1 as i64 + 6 * dy);
    push(
        text,
        format_args!(
            "<path class=\"k-arrow\" d=\"M{x0} {y0} L{bx} {by}\"/>\
             <path class=\"k-head\" d=\"M{tx} {ty} L{} {} L{} {} Z\"/>",
            bx + wx,
            by + wy,
            bx - wx,
            by - wy
        ),
    );
}

fn title(game: &Game) -> String {
    let state = match game.outcome() {
        Some(outcome) => crate::game::explain::ending(outcome),
        None => format!("{} to move", game.side().name()),
    };
    format!("{}: {}, {state}", game.rules().id, game.placement())
}

/// The side of the whole picture.
pub const fn side(size: usize) -> usize {
    SQUARE * size + 2 * MARGIN
}

/// The upper left corner of a square.
const fn corner(square: Square, size: usize) -> (usize, usize) {
    let (file, rank) = square.file_rank(size);
    (MARGIN + SQUARE * file, MARGIN + SQUARE * (size - 1 - rank))
}

/// The middle of a square.
const fn middle(square: Square, size: usize) -> (usize, usize) {
    let (x, y) = corner(square, size);
    (x + SQUARE / 2, y + SQUARE / 2)
}

/// Text as it may stand in XML and HTML, between tags and inside quotes. Characters that XML does not
/// know are replaced.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\t' | '\n' | '\r' => safe.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

fn push(text: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(what);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_escapes() {
        let nasty = "</title><script>&\"'\u{0}\u{1b}\u{ffff}é";
        let safe = escaped(nasty);
        assert_eq!(safe, "&lt;/title&gt;&lt;script&gt;&amp;&quot;&#39;\u{fffd}\u{fffd}\u{fffd}é");
        let xml = format!("<a b=\"{safe}\">{safe}</a>");
        let document = roxmltree::Document::parse(&xml).unwrap();
        assert!(document.root_element().text().unwrap().starts_with("</title><script>&\"'"));
    }

    #[test]
    fn heat_goes_from_blue_to_red() {
        assert_eq!(SIDE, format!("width=\"{SQUARE}\" height=\"{SQUARE}\""));
        let channels = |hue| {
            let text = colour(hue);
            [1, 3, 5].map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap())
        };
        let ([red, _, blue], [hot_red, hot_green, hot_blue]) = (channels(225.0), channels(360.0));
        assert!(blue > red && hot_red > hot_green && hot_red > hot_blue);
    }
}
