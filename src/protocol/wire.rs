//! What the engine says, as lines.

use super::Dialect;
use crate::eval;
use crate::eval::odds::Odds;
use crate::game::any_size::Game;
use crate::game::explain::ending;
use crate::game::moves::Move;
use crate::game::perft::Perft;
use crate::game::rules::{Rules, Side};
use crate::search::chances::chances;
use crate::search::limits::{Bound, Found, Info};
use crate::search::score::{Score, ScoreKind};

/// `cp 37`, `mate 3` or `mate -2`: for the side to move; mate in full moves, after `ugi` in plies.
pub fn score(score: Score, dialect: Dialect) -> String {
    let distance = |plies: u32| match dialect {
        Dialect::Uci => plies.div_ceil(2),
        Dialect::Ugi => plies,
    };
    match score.kind() {
        ScoreKind::Centipawns(value) => format!("cp {value}"),
        ScoreKind::Win(plies) => format!("mate {}", distance(plies)),
        ScoreKind::Loss(0) => "mate 0".to_owned(),
        ScoreKind::Loss(plies) => format!("mate -{}", distance(plies)),
    }
}

/// The `info` line of a report; with `judges`, whose rules and whose move it is, the score is
/// followed by the chances of winning, drawing and losing, in thousandths.
pub fn info(info: &Info, size: usize, dialect: Dialect, judges: Option<(&Rules, Side)>) -> String {
    let bound = match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let chances = judges.map_or(String::new(), |(rules, side)| {
        let Odds { win, draw, loss } = chances(info.score, rules, side);
        format!(" wdl {win} {draw} {loss}")
    });
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}{bound}{chances} nodes {} nps {} hashfull {} \
         time {}",
        info.depth,
        info.sel_depth,
        info.multi_pv,
        score(info.score, dialect),
        info.nodes,
        per_second(info.nodes, info.time),
        info.hash_full.min(1000),
        info.time.as_millis(),
    );
    for (i, mv) in info.pv.iter().enumerate() {
        line.push_str(if i == 0 { " pv " } else { " " });
        line.push_str(&mv.on(size).to_string());
    }
    line
}

/// The line that ends a search.
pub fn best_move(found: &Found, size: usize, dialect: Dialect) -> String {
    let name = |mv: Option<Move>| mv.map(|mv| mv.on(size).to_string());
    match (name(found.best), name(found.ponder)) {
        (None, _) => "bestmove (none)".to_owned(),
        (Some(best), Some(ponder)) if dialect == Dialect::Uci => {
            format!("bestmove {best} ponder {ponder}")
        }
        (Some(best), _) => format!("bestmove {best}"),
    }
}

/// A count of leaves: `MOVE: LEAVES` for each move if wanted, then `nodes N time MS nps R`.
pub fn perft(perft: &Perft, size: usize, divide: bool) -> Vec<String> {
    let moves = perft.by_move.iter().filter(|_| divide);
    let mut lines: Vec<String> =
        moves.map(|(mv, leaves)| format!("{}: {leaves}", mv.on(size))).collect();
    let speed = per_second(perft.nodes, perft.time);
    lines.push(format!("nodes {} time {} nps {speed}", perft.nodes, perft.time.as_millis()));
    lines
}

/// The evaluation term by term, in centipawns for the attackers.
pub fn evaluation(game: &Game) -> Vec<String> {
    if let Some(outcome) = game.outcome() {
        return vec![format!("the game is over: {}", ending(outcome))];
    }
    let row = |name: &str, cells: [String; 3]| {
        let [attackers, defenders, balance] = cells;
        format!("{name:<40} {attackers:>9} {defenders:>9} {balance:>8}")
    };
    let mut lines = vec![row("term", ["attackers", "defenders", "balance"].map(str::to_owned))];
    lines.extend(eval::explain(game).iter().map(|term| {
        let cells = [term.attackers, term.defenders, term.balance()];
        row(term.name, cells.map(|value| value.to_string()))
    }));
    let sum = eval::evaluate(game);
    lines
        .push(format!("evaluation {sum} centipawns for the attackers (positive is good for them)"));
    lines
}

/// Something counted during a time, for each second of it.
pub fn per_second(count: u64, time: std::time::Duration) -> u64 {
    let micros = time.as_micros().max(1);
    u64::try_from(u128::from(count) * 1_000_000 / micros).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_in_moves_and_plies() {
        for (value, uci, ugi) in [
            (Score::win_in(1), "mate 1", "mate 1"),
            (Score::loss_in(2), "mate -1", "mate -2"),
            (Score::win_in(3), "mate 2", "mate 3"),
            (Score::loss_in(4), "mate -2", "mate -4"),
            (Score::loss_in(0), "mate 0", "mate 0"),
            (Score::centipawns(-12), "cp -12", "cp -12"),
        ] {
            assert_eq!(score(value, Dialect::Uci), uci);
            assert_eq!(score(value, Dialect::Ugi), ugi);
        }
    }
}
