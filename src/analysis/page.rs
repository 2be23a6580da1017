//! An analysed game as one page: board, moves, score graph. Nothing of it comes from anywhere else,
//! and what a record says is text in it, never markup.

use std::fmt::Write;

use serde_json::{Value, json};

use super::picture::{short, spoken, standing};
use super::report::{GameReport, Mark, PositionReport};
use super::svg::{self, escaped};
use crate::game::explain::ending;
use crate::game::moves::Move;
use crate::game::rules::Side;

const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// What the page may load: nothing.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      base-uri 'none'; form-action 'none'";

/// The score graph, in user units.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 160.0;

/// The name of a player who has none.
const NOBODY: &str = "?";

/// The page of a game.
pub fn page(report: &GameReport) -> String {
    let title = title(report);
    let first = report.positions.first().map_or("", |position| position.fen.as_str());
    let variant = &report.rules.id;
    let board = svg::open(&report.rules, &format!("{variant}: {first}"))
        + &svg::board(&report.rules)
        + "<g id=\"last\"></g><g id=\"pieces\"></g><g id=\"arrows\" class=\"k-arrows\"></g></svg>";
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
        escaped(&title)
    );
    push(&mut page, format_args!("<header>\n<h1>{}</h1>\n", headline(report)));
    push(&mut page, format_args!("<p>{}</p>\n</header>\n<main>\n<div>\n", escaped(&about(report))));
    push(&mut page, format_args!("<section class=\"card\"><div id=\"board\">{board}</div>\n"));
    page.push_str(CONTROLS);
    page.push_str("</section>\n</div>\n<div>\n");
    page.push_str(STATUS);
    push(
        &mut page,
        format_args!("<section class=\"card\" id=\"graph\">{}</section>\n", graph(report)),
    );
    push(
        &mut page,
        format_args!("<section class=\"card\">{}</section>\n</div>\n</main>\n", move_list(report)),
    );
    push(&mut page, format_args!("<footer>{FOOTER}</footer>\n"));
    push(
        &mut page,
        format_args!(
            "<script type=\"application/json\" id=\"game\">{}</script>\n<script>\n{SCRIPT}</script>\n\
             </body>\n</html>\n",
            in_script(&data(report))
        ),
    );
    page
}

/// The name of the file of a game's page, the same for the same number: `game-003.html`.
pub fn file_name(number: usize) -> String {
    format!("game-{number:03}.html")
}

/// The buttons; their signs are drawn, since not every font has them.
const CONTROLS: &str = "<nav id=\"controls\" aria-label=\"moves\">\
<button id=\"first\" type=\"button\" aria-label=\"first position\" title=\"first position\">\
<svg viewBox=\"0 0 24 16\"><path d=\"M4 1h3v14H4zM20 1v14L8 8z\"/></svg></button>\
<button id=\"back\" type=\"button\" aria-label=\"one move back\" title=\"one move back\">\
<svg viewBox=\"0 0 24 16\"><path d=\"M18 1v14L6 8z\"/></svg></button>\
<button id=\"next\" type=\"button\" aria-label=\"one move on\" title=\"one move on\">\
<svg viewBox=\"0 0 24 16\"><path d=\"M6 1v14L18 8z\"/></svg></button>\
<button id=\"end\" type=\"button\" aria-label=\"last position\" title=\"last position\">\
<svg viewBox=\"0 0 24 16\"><path d=\"M20 1h-3v14h3zM4 1v14L16 8z\"/></svg></button></nav>\n";

const STATUS: &str = "<section class=\"card\" id=\"status\" aria-live=\"polite\">\
<p id=\"state\"></p><p id=\"played\"></p><p id=\"call\"></p><p id=\"score\"></p><p id=\"pv\"></p>\
<p id=\"comment\"></p>\
</section>\n";

const FOOTER: &str = "Arrow keys <kbd>&larr;</kbd> <kbd>&rarr;</kbd> go through the moves, \
<kbd>Home</kbd> and <kbd>End</kbd> to the ends; click a move or the graph. The green arrow is the \
best move found. Made by konakis.";

fn push(text: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(what);
}

fn player(report: &GameReport, side: Side) -> &str {
    report.tag(side.name()).filter(|name| !name.trim().is_empty()).unwrap_or(NOBODY)
}

fn title(report: &GameReport) -> String {
    let names = [Side::Attackers, Side::Defenders].map(|side| player(report, side));
    match names {
        [NOBODY, NOBODY] => format!("{}, game {}", report.rules.id, report.number),
        [attackers, defenders] => format!("{attackers} – {defenders}"),
    }
}

fn headline(report: &GameReport) -> String {
    let names = [Side::Attackers, Side::Defenders].map(|side| player(report, side));
    if names == [NOBODY, NOBODY] {
        return escaped(&title(report));
    }
    let one = |side: Side| {
        format!("{} <span class=\"side\">({})</span>", escaped(player(report, side)), side.name())
    };
    format!("{} – {}", one(Side::Attackers), one(Side::Defenders))
}

/// Event, date, rule set and result in one line.
fn about(report: &GameReport) -> String {
    let said = ["event", "site", "date", "round"]
        .iter()
        .filter_map(|name| report.tag(name))
        .map(str::trim)
        .filter(|value| !value.is_empty())
        .map(str::to_owned);
    let result = match (report.outcome(), report.tag("result")) {
        (Some(outcome), _) => Some(ending(outcome)),
        (None, Some("1")) => Some("the attackers won".to_owned()),
        (None, Some("-1")) => Some("the defenders won".to_owned()),
        (None, Some("0")) => Some("drawn".to_owned()),
        (None, _) => None,
    };
    let parts = said.chain([report.rules.id.clone()]).chain(result);
    parts.collect::<Vec<_>>().join(" · ")
}

/// The moves, two a line, each a link to the position after it.
fn move_list(report: &GameReport) -> String {
    let mut list = "<div id=\"moves\">".to_owned();
    push(
        &mut list,
        format_args!(
            "<span class=\"number\"></span><a data-ply=\"0\" href=\"#ply=0\">start</a><span></span>"
        ),
    );
    let moved = report.positions.iter().filter(|position| position.mv.is_some());
    for (i, position) in moved.enumerate() {
        if i % 2 == 0 {
            push(&mut list, format_args!("<span class=\"number\">{}.</span>", i / 2 + 1));
        }
        let (ply, text) = (i + 1, escaped(&position.text));
        push(&mut list, format_args!("<a data-ply=\"{ply}\" href=\"#ply={ply}\">{text}"));
        if let Some(mark) = position.mark {
            let (class, sign, meaning) = (class(mark), sign(mark), meaning(mark));
            push(
                &mut list,
                format_args!("<span class=\"mark {class}\" title=\"{meaning}\">{sign}</span>"),
            );
        }
        list.push_str("</a>");
    }
    list + "</div>"
}

const fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Dubious => "dubious",
        Mark::Mistake => "mistake",
        Mark::Blunder => "blunder",
        Mark::MissedWin => "missed",
        Mark::OnlyMove => "only",
    }
}

const fn sign(mark: Mark) -> &'static str {
    match mark {
        Mark::Dubious => "?!",
        Mark::Mistake => "?",
        Mark::Blunder => "??",
        Mark::MissedWin => "missed win",
        Mark::OnlyMove => "only move",
    }
}

const fn meaning(mark: Mark) -> &'static str {
    match mark {
        Mark::Dubious => "dubious",
        Mark::Mistake => "a mistake",
        Mark::Blunder => "a blunder",
        Mark::MissedWin => "a proven win was there",
        Mark::OnlyMove => "every other move gives much away",
    }
}

/// The chances of attackers and defenders to win, 0 to 1 each.
fn chances(position: &PositionReport) -> (f64, f64) {
    let (ours, theirs) = (f64::from(position.wdl.win), f64::from(position.wdl.loss));
    let (ours, theirs) = (ours / 1000.0, theirs / 1000.0);
    match position.side {
        Side::Attackers => (ours, theirs),
        Side::Defenders => (theirs, ours),
    }
}

/// Where the positions stand on the graph.
fn columns(report: &GameReport) -> Vec<f64> {
    let count = report.positions.len();
    let step = WIDTH / (count.max(2) - 1) as f64;
    (0..count).map(|i| (i as f64 * step * 10.0).round() / 10.0).collect()
}

/// The chances move by move: the attackers' from below, the defenders' from above, draws between.
fn graph(report: &GameReport) -> String {
    let columns = columns(report);
    let chances: Vec<(f64, f64)> = report.positions.iter().map(chances).collect();
    let area = |base: f64, height: &dyn Fn(&(f64, f64)) -> f64| {
        let mut points = format!("0,{base}");
        for (x, chance) in columns.iter().zip(&chances) {
            push(&mut points, format_args!(" {x},{:.1}", height(chance)));
        }
        if let [only] = chances.as_slice() {
            push(&mut points, format_args!(" {WIDTH},{:.1}", height(only)));
        }
        points + &format!(" {WIDTH},{base}")
    };
    let attackers = area(HEIGHT, &|chance| HEIGHT * (1.0 - chance.0));
    let defenders = area(0.0, &|chance| HEIGHT * chance.1);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"curve\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         role=\"img\" aria-label=\"chances move by move\">\
         <rect class=\"g-draw\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\
         <polygon class=\"g-attackers\" points=\"{attackers}\"/>\
         <polygon class=\"g-defenders\" points=\"{defenders}\"/>\
         <line class=\"g-half\" x1=\"0\" x2=\"{WIDTH}\" y1=\"{0}\" y2=\"{0}\"/>\
         <rect class=\"g-frame\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>",
        HEIGHT / 2.0
    );
    for (i, position) in report.positions.iter().enumerate() {
        // A mark is about the move that leads to the next position.
        let (Some(mark), Some(x)) = (position.mark, columns.get(i + 1)) else { continue };
        let (attackers, defenders) = chances.get(i + 1).copied().unwrap_or_default();
        let y = HEIGHT * (1.0 - attackers + defenders) / 2.0;
        let (class, meaning, name) = (class(mark), meaning(mark), escaped(&position.text));
        push(
            &mut text,
            format_args!(
                "<circle class=\"g-mark g-{class}\" cx=\"{x}\" cy=\"{y:.1}\" r=\"6\">\
                 <title>{name}: {meaning}</title></circle>"
            ),
        );
    }
    push(
        &mut text,
        format_args!("<g id=\"now\"><line class=\"g-now\" y1=\"0\" y2=\"{HEIGHT}\"/></g></svg>"),
    );
    text + "<p class=\"legend\"><span><span class=\"swatch g-swatch\" style=\"background:#fffdf7\">\
            </span>defenders win</span><span><span class=\"swatch\" style=\"background:#d8d2c4\">\
            </span>draw</span><span><span class=\"swatch\" style=\"background:#3b302a\"></span>\
            attackers win</span></p>"
}

/// What the script shows.
fn data(report: &GameReport) -> Value {
    let size = report.size();
    let squares = |mv: Option<Move>| mv.map(|mv| json!([mv.from.index(), mv.to.index()]));
    let positions: Vec<Value> = report
        .positions
        .iter()
        .map(|position| {
            json!({
                "board": position.fen.split_whitespace().next().unwrap_or(""),
                "move": squares(position.mv),
                "best": squares(position.best),
                "state": state(position),
                "score": score(position),
                "call": position.call.map_or("", spoken),
                "played": played(position),
                "pv": lines(position, size),
                "comment": position.comment,
            })
        })
        .collect();
    json!({
        "size": size,
        "square": svg::SQUARE,
        "margin": svg::MARGIN,
        "graph": columns(report),
        "graphWidth": WIDTH,
        "positions": positions,
    })
}

/// The move that was played here, what is remarkable about it and what it gave away.
fn played(position: &PositionReport) -> String {
    if position.mv.is_none() {
        return String::new();
    }
    let mark = position.mark.map_or(String::new(), |mark| format!(" – {}", meaning(mark)));
    match position.loss {
        // Below one percent nobody cares.
        Some(loss @ 10..) => {
            format!("{}{mark}, gave away {} % of a win", position.text, (loss + 5) / 10)
        }
        _ => format!("{}{mark}", position.text),
    }
}

/// The best line, or each of the best with its score.
fn lines(position: &PositionReport, size: usize) -> String {
    let names = |moves: &[Move]| {
        let names: Vec<String> = moves.iter().map(|mv| mv.on(size).to_string()).collect();
        names.join(" ")
    };
    let several =
        position.lines.iter().map(|line| format!("{}  {}", short(line.score), names(&line.pv)));
    match (position.lines.len(), position.pv.as_slice()) {
        (2.., _) => several.collect::<Vec<_>>().join("\n"),
        (_, []) => String::new(),
        (_, pv) => format!("best {}", names(pv)),
    }
}

fn state(position: &PositionReport) -> String {
    let ply = position.ply;
    match position.outcome {
        Some(outcome) => format!("after {ply} plies: {}", ending(outcome)),
        None => format!("after {ply} plies, {} to move", position.side.name()),
    }
}

fn score(position: &PositionReport) -> String {
    if position.outcome.is_some() && position.best.is_none() {
        return String::new();
    }
    let (attackers, defenders) = chances(position);
    let percent = |chance: f64| (chance * 100.0).round();
    format!(
        "{} (attackers win {} %, defenders {} %)",
        standing(position.side, position.score),
        percent(attackers),
        percent(defenders)
    )
}

/// JSON as it may stand in a script element: nothing in it can end the element or begin a comment.
fn in_script(value: &Value) -> String {
    let text = value.to_string();
    let text = text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026");
    text.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}
