//! The events of a match as JSON, one object a line. README.md documents the fields.

use serde_json::{Value, json};

use super::record::score_text;
use super::result::Played;
use super::settings::Settings;
use super::sprt::Sprt;
use super::tally::Tally;

/// A match begins or goes on.
pub fn start(settings: &Settings, games: usize, done: usize, concurrency: usize) -> Value {
    let engines = settings.engines.iter().map(|engine| {
        json!({
            "name": engine.name,
            "spec": engine.to_string(),
            "limits": engine.limits.to_string(),
        })
    });
    json!({
        "type": "start",
        "program": concat!("konakis ", env!("CARGO_PKG_VERSION")),
        "variant": settings.variant,
        "engines": engines.collect::<Vec<_>>(),
        "gauntlet": settings.gauntlet,
        "pairs": settings.pairs,
        "games": games,
        "done": done,
        "openings": settings.openings.to_string(),
        "shard": settings.shard.map(|shard| shard.to_string()),
        "sprt": settings.sprt.map(|sprt| sprt.spec()),
        "concurrency": concurrency,
    })
}

/// A game ended.
pub fn game(settings: &Settings, played: &Played, size: usize) -> Value {
    let result = &played.result;
    let name = |engine: usize| settings.engines.get(engine).map(|engine| engine.name.clone());
    let [attackers, defenders] = result.slot.players.map(name);
    let winner = result.winner.map(|side| name(result.slot.players[side as usize]));
    let overruns = played.overruns.iter().map(|overrun| {
        let engine = name(result.slot.players[overrun.side as usize]);
        json!({"engine": engine, "ply": overrun.ply, "ms": overrun.by.as_secs_f64() * 1e3})
    });
    let fault = played.fault.as_ref().map(|(fault, conversation)| {
        json!({
            "engine": result.culprit().and_then(name),
            "kind": fault.kind.name(),
            "detail": fault.detail,
            "conversation": conversation,
        })
    });
    let moves = played.moves.iter().map(|played| {
        json!({
            "move": played.mv.on(size).to_string(),
            "ms": played.time.map(|time| time.as_secs_f64() * 1e3),
            "score": played.score.map(score_text),
            "depth": played.depth,
            "nodes": played.nodes,
        })
    });
    json!({
        "type": "game",
        "game": result.slot.number,
        "pair": result.slot.pair,
        "opening": result.slot.round + 1,
        "attackers": attackers,
        "defenders": defenders,
        "winner": result.winner.map_or("draw", |side| side.name()),
        "winner_engine": winner.flatten(),
        "reason": result.ending.name(),
        "plies": result.plies,
        "opening_plies": played.opening_plies,
        "fen": played.fen,
        "ms": played.time.as_secs_f64() * 1e3,
        "moves": moves.collect::<Vec<_>>(),
        "overruns": overruns.collect::<Vec<_>>(),
        "fault": fault,
    })
}

/// The statistics so far; numbers that are infinite are `null`.
pub fn stats(settings: &Settings, tally: &Tally) -> Value {
    let first = tally.first();
    let (score, strength) = (first.score(), first.strength());
    let pairs = first.pairs;
    let test = |sprt: Sprt| {
        let llr = sprt.llr(&pairs);
        json!({
            "llr": llr,
            "lower": sprt.lower(),
            "upper": sprt.upper(),
            "verdict": sprt.verdict(llr).words(),
        })
    };
    let engines = tally.engines.iter().zip(&settings.engines).map(|(engine, spec)| {
        let score = engine.score();
        let overrun = engine.largest_overrun.as_secs_f64() * 1e3;
        let faults = engine.faults.iter().map(|(kind, n)| (kind.name().to_owned(), json!(n)));
        json!({
            "name": spec.name,
            "wins": score.wins,
            "losses": score.losses,
            "draws": score.draws,
            "faults": faults.collect::<serde_json::Map<_, _>>(),
            "time_forfeits": engine.time_forfeits(),
            "largest_overrun_ms": overrun,
        })
    });
    let endings = tally.endings.iter().map(|(ending, n)| (ending.name().to_owned(), json!(n)));
    json!({
        "type": "stats",
        "games": tally.games(),
        "wins": score.wins,
        "losses": score.losses,
        "draws": score.draws,
        "score": score.rate(),
        "pairs": [pairs.ll, pairs.ld, pairs.wl, pairs.dd, pairs.wd, pairs.ww],
        "elo": strength.elo.value,
        "elo_error": strength.elo.error,
        "nelo": strength.nelo.value,
        "nelo_error": strength.nelo.error,
        "los": strength.los,
        "sprt": settings.sprt.map(test),
        "attackers_won": tally.attackers.wins,
        "defenders_won": tally.attackers.losses,
        "drawn": tally.attackers.draws,
        "mean_plies": tally.mean_plies(),
        "endings": endings.collect::<serde_json::Map<_, _>>(),
        "engines": engines.collect::<Vec<_>>(),
    })
}

/// The match ended: its last statistics and how (`complete`, `sprt`, `interrupted`).
pub fn end(settings: &Settings, tally: &Tally, how: &str) -> Value {
    let mut event = stats(settings, tally);
    event["type"] = json!("end");
    event["how"] = json!(how);
    event
}
