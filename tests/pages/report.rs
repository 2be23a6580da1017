//! Reports of games that were played at random.

use konakis::analysis::report::{GameReport, Mark, PositionReport};
use konakis::eval::odds::odds;
use konakis::game::any_size::Game;
use konakis::game::variants::variant;
use konakis::notation::move_text;
use konakis::search::score::Score;

/// What might do harm where text is taken for markup or script.
pub const HOSTILE: &str = "</script><img src=x onerror=\"window.pwned=1\">\"'><svg/onload=window.pwned=2>\
                           <!--<script>]]>&lt;\u{2028}${1}`";

/// A game of so many plies on a rule set, the scores made up.
pub fn played(id: &str, plies: usize) -> GameReport {
    let rules = variant(id).unwrap();
    let mut game = Game::start(rules.clone()).unwrap();
    let mut positions = Vec::new();
    for ply in 0..=plies {
        let moves = game.legal_moves();
        let mv = (ply < plies).then(|| moves[(ply * 7 + 3) % moves.len()]);
        let score = Score::centipawns(ply as i32 * 90 - 200);
        let best = Some(moves[ply % moves.len()]);
        positions.push(PositionReport {
            ply,
            fen: game.fen(),
            side: game.side(),
            mv,
            text: mv.map_or(String::new(), |mv| move_text::write(&game, mv)),
            comment: format!("comment {ply}"),
            score,
            best,
            pv: best.into_iter().collect(),
            wdl: odds(&rules, game.side(), ply as i32 * 90 - 200),
            lines: Vec::new(),
            loss: mv.map(|_| 0),
            mark: mv.and(Mark::ALL.get(ply % 8).copied()),
            call: game.call(),
            outcome: game.outcome(),
        });
        if let Some(mv) = mv {
            game.play(mv);
        }
    }
    assert!(positions.iter().all(|position| position.outcome.is_none()), "a longer game");
    GameReport {
        source: "games.otg".to_owned(),
        line: 1,
        number: 1,
        tags: Vec::new(),
        rules,
        positions,
    }
}
