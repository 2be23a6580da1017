//! Games of a match as OpenTafl records, and the file of a match read back.
//!
//! The file begins with a record without moves that holds the settings. Each game is appended in
//! one write; its `start-comment` says how many plies belong to it, so that a record which was cut
//! off is known.

use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::result::{Ending, GameResult, Played, PlayedMove};
use super::schedule::Slot;
use super::settings::{HEAD, Settings};
use crate::game::any_size::Game;
use crate::game::rules::{Rules, Side};
use crate::notation::record::{Record, read_all};
use crate::notation::{move_text, rules_string};
use crate::search::score::{Score, ScoreKind};

/// The record that begins the file of a match.
///
/// # Errors
/// If the rule set cannot be written.
pub fn settings_record(settings: &Settings, start: &Game) -> Result<Record, String> {
    let mut record = Record::default();
    record.set("event", "konakis match");
    record.set("date", &date(SystemTime::now()));
    record.set("compiler", compiler());
    record.set("variant", &settings.variant);
    record.set("start-comment", &settings.to_text());
    record.set("rules", &rules_string::write(start.rules())?);
    Ok(record)
}

/// The record of a game that began at `first`.
///
/// # Errors
/// If the rule set cannot be written.
pub fn game_record(settings: &Settings, played: &Played, first: &Game) -> Result<Record, String> {
    let result = &played.result;
    let engine = |side: Side| {
        let index = result.slot.players[side as usize];
        settings.engines.get(index).map_or(("?", String::new()), |engine| {
            (engine.name.as_str(), engine.limits.to_string())
        })
    };
    let (attackers, defenders) = (engine(Side::Attackers), engine(Side::Defenders));
    let mut record = Record::default();
    record.set("event", "konakis match");
    record.set("date", &date(SystemTime::now()));
    record.set("round", &result.slot.number.to_string());
    record.set("attackers", attackers.0);
    record.set("defenders", defenders.0);
    record.set(
        "result",
        match result.winner {
            Some(Side::Attackers) => "1",
            Some(Side::Defenders) => "-1",
            None => "0",
        },
    );
    record.set("compiler", compiler());
    record.set("time-control", &format!("attackers {}, defenders {}", attackers.1, defenders.1));
    record.set("termination", &termination(played));
    record.set("variant", &settings.variant);
    record.set("start-comment", &start_comment(played));
    let rules =
        Rules { start: first.placement(), first: first.side(), ..(**first.rules()).clone() };
    record.set("rules", &rules_string::write(&rules)?);
    let mut game = first.clone();
    for mv in &played.moves {
        let text = move_text::write(&game, mv.mv);
        record.push(&text, &comment(mv, game.side()));
        game.play(mv.mv);
    }
    Ok(record)
}

fn compiler() -> &'static str {
    concat!("konakis ", env!("CARGO_PKG_VERSION"))
}

fn termination(played: &Played) -> String {
    match &played.fault {
        Some((fault, _)) => format!("{}: {}", played.result.ending, fault.detail),
        None => played.result.ending.to_string(),
    }
}

fn start_comment(played: &Played) -> String {
    let GameResult { slot, plies, overruns, .. } = &played.result;
    let micros = overruns.map(|overrun| overrun.as_micros());
    format!(
        "game {}, pair {}, opening {}, opening plies {}, plies {plies}, overrun {} {} us; scores \
         are for the attackers, distances in plies, times in ms",
        slot.number,
        slot.pair,
        slot.round + 1,
        played.opening_plies,
        micros[0],
        micros[1]
    )
}

/// What the player said: score for the attackers, depth, nodes, time.
fn comment(played: &PlayedMove, side: Side) -> String {
    let Some(time) = played.time else { return "opening".to_owned() };
    let mut words = Vec::new();
    if let Some(score) = played.score {
        let score = if side == Side::Attackers { score } else { -score };
        words.push(format!("score {}", score_text(score)));
    }
    words.extend(played.depth.map(|depth| format!("depth {depth}")));
    words.extend(played.nodes.map(|nodes| format!("nodes {nodes}")));
    words.push(format!("time {:.1}", time.as_secs_f64() * 1e3));
    words.join(" ")
}

/// `cp -35`, `mate 3`, `mate -4`, in plies.
pub fn score_text(score: Score) -> String {
    match score.kind() {
        ScoreKind::Centipawns(value) => format!("cp {value}"),
        ScoreKind::Win(plies) => format!("mate {plies}"),
        ScoreKind::Loss(plies) => format!("mate -{plies}"),
    }
}

/// The day in UTC, as OpenTafl writes it.
fn date(now: SystemTime) -> String {
    let days = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() / 86_400;
    // Years that begin in March have the leap day at their end.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day_of_month = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}.{month:02}.{day_of_month:02}", era * 400 + year + carry)
}

/// The file of a match.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchFile {
    /// From its first record.
    pub settings: Settings,
    /// The finished games, in the order of the file.
    pub results: Vec<GameResult>,
    /// How many bytes hold whole records.
    pub whole: usize,
    /// Is there a torn record behind them?
    pub torn: bool,
}

/// Reads the file of a match.
///
/// # Errors
/// If it cannot be read or is no such file; a torn last record is no error.
pub fn read_file(path: &Path) -> Result<MatchFile, String> {
    let place = |error: String| format!("{}: {error}", path.display());
    let bytes = std::fs::read(path).map_err(|error: io::Error| place(error.to_string()))?;
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) => text,
        // A letter of several bytes was cut in two.
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(bytes.get(..error.valid_up_to()).unwrap_or(&[])).unwrap_or("")
        }
        Err(error) => return Err(place(error.to_string())),
    };
    parse_file(text, bytes.len()).map_err(place)
}

fn parse_file(text: &str, length: usize) -> Result<MatchFile, String> {
    let mut read = read_all(text)?;
    if read.records.is_empty() {
        return Err("no whole record in it: no game is lost, begin anew".to_owned());
    }
    let first = read.records.remove(0);
    let comment = first.record.tag("start-comment").unwrap_or("");
    let settings = Settings::parse(comment)?;
    let (mut results, mut whole) = (Vec::new(), first.end);
    let count = read.records.len();
    for (i, placed) in read.records.into_iter().enumerate() {
        let comment = placed.record.tag("start-comment").unwrap_or("");
        if comment.starts_with(HEAD) {
            return Err("the settings stand in it twice".to_owned());
        }
        match parse_game(&placed.record, &settings) {
            Ok(result) => results.push(result),
            // Cut behind its tags a record looks whole, but its moves are missing.
            Err(_) if i + 1 == count && placed.record.moves.is_empty() => break,
            Err(error) => return Err(format!("record {}: {error}", i + 2)),
        }
        whole = placed.end;
    }
    Ok(MatchFile { settings, results, whole, torn: whole < length })
}

fn parse_game(record: &Record, settings: &Settings) -> Result<GameResult, String> {
    let tag = |name: &str| record.tag(name).ok_or_else(|| format!("no tag '{name}'"));
    let comment = tag("start-comment")?;
    let number = |key: &str| {
        let fields = comment.split([',', ';']).map(str::trim);
        let value = fields.filter_map(|field| field.strip_prefix(key)?.strip_prefix(' '));
        let found = value.filter_map(|value| value.parse::<usize>().ok()).next();
        found.ok_or_else(|| format!("no '{key}' in '{comment}'"))
    };
    let plies = number("plies")?;
    if record.moves.len() != plies {
        return Err(format!("{} moves; expected {plies}", record.moves.len()));
    }
    let overruns = comment.split("overrun ").nth(1).map(|rest| {
        let mut words = rest.split_whitespace().map(|word| word.parse().ok());
        [words.next(), words.next()].map(|word| Duration::from_micros(word.flatten().unwrap_or(0)))
    });
    let engine = |name: &str| {
        let at = settings.engines.iter().position(|engine| engine.name == name);
        at.ok_or_else(|| format!("no engine '{name}' in this match"))
    };
    let winner = match tag("result")? {
        "1" => Some(Side::Attackers),
        "-1" => Some(Side::Defenders),
        "0" => None,
        other => return Err(format!("result '{other}'; expected 1, 0 or -1")),
    };
    let termination = tag("termination")?;
    let name = termination.split(':').next().unwrap_or("");
    let ending = Ending::parse(name).ok_or_else(|| format!("unknown termination '{name}'"))?;
    let slot = Slot {
        number: number("game")?,
        pair: number("pair")?,
        round: number("opening")?.saturating_sub(1),
        players: [engine(tag("attackers")?)?, engine(tag("defenders")?)?],
    };
    Ok(GameResult { slot, winner, ending, plies, overruns: overruns.unwrap_or_default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::openings::{Opening, Source};
    use crate::arena::player::{FaultKind, Patience};
    use crate::arena::spec::EngineSpec;
    use crate::game::variants::variant;

    fn settings() -> Settings {
        let engine = |text| EngineSpec::parse(text, "tc=1+0.01").unwrap();
        Settings {
            variant: "tablut".to_owned(),
            rules: None,
            engines: vec![engine("x,name=Ödin"), engine("builtin:random,name=R")],
            gauntlet: false,
            pairs: 2,
            openings: Source::Start,
            openings_digest: 1,
            margin: 0,
            max_plies: 100,
            resign: None,
            draw: None,
            sprt: None,
            shard: None,
            patience: Patience::default(),
            concurrency: Some(2),
            strict: true,
        }
    }

    fn played(number: usize, fen: Option<&str>, moves: &[&str]) -> (Played, Game) {
        let start = Game::start(variant("tablut").unwrap()).unwrap();
        let opening = Opening { fen: fen.map(str::to_owned), moves: Vec::new() };
        let first = opening.game(&start);
        let mut game = first.clone();
        let mut list = Vec::new();
        for (ply, text) in moves.iter().enumerate() {
            let mv = game.read_move(text).unwrap();
            let book = ply == 0;
            list.push(PlayedMove {
                mv,
                time: (!book).then_some(Duration::from_micros(1_234)),
                score: Some(Score::win_in(3)),
                depth: Some(5),
                nodes: None,
            });
            game.play(mv);
        }
        let slot = Slot { number, pair: number.div_ceil(2), round: 0, players: [1, 0] };
        let overruns = [Duration::from_micros(15), Duration::ZERO];
        let ending = Ending::Fault(FaultKind::IllegalMove);
        let winner = Some(Side::Defenders);
        let result = GameResult { slot, winner, ending, plies: moves.len(), overruns };
        let fault = FaultKind::IllegalMove.because("'e1e9' [is] not legal");
        let fault = Some((fault, Vec::new()));
        let time = Duration::ZERO;
        let fen = fen.map(str::to_owned);
        let overruns = Vec::new();
        (Played { result, fen, moves: list, opening_plies: 1, overruns, fault, time }, first)
    }

    #[test]
    fn the_text_of_a_game() {
        let fen = "9/9/9/3ak4/9/9/9/9/1a7 a";
        let (game, first) = played(3, Some(fen), &["b1b2", "e6f6", "b2c2"]);
        let text = game_record(&settings(), &game, &first).unwrap().to_string();
        for line in [
            "[round:3]\n[attackers:R]\n[defenders:Ödin]\n[result:-1]\n",
            "[time-control:attackers -, defenders tc=1+0.01]\n",
            "[termination:illegal-move: 'e1e9' (is) not legal]\n",
            "[rules:dim:9 name:tablut esc:e surf:n ka:n cenhe:K cenh: cens: cor: \
             starti:/9/9/9/3tK4/9/9/9/9/1t7/]\n\n",
            "1. b1-b2 Ke6-f6-\n[opening|score mate -3 depth 5 time 1.2]\n",
            "2. b2-c2\n[score mate 3 depth 5 time 1.2]\n\n",
        ] {
            assert!(text.contains(line), "{line} is not in {text}");
        }
    }

    #[test]
    fn dates() {
        let day = |days: u64| date(UNIX_EPOCH + Duration::from_secs(days * 86_400 + 86_399));
        assert_eq!(day(0), "1970.01.01");
        assert_eq!(day(11_016), "2000.02.29");
        assert_eq!(day(19_723), "2024.01.01");
        assert_eq!(day(20_088), "2024.12.31");
    }

    #[test]
    fn a_file_cut_anywhere_loses_the_torn_game_alone() {
        let settings = settings();
        let start = Game::start(variant("tablut").unwrap()).unwrap();
        let games = [
            played(1, None, &["e4b4", "d1b1", "b4c4"]),
            played(2, None, &[]),
            played(4, None, &["e4b4", "d1b1"]),
        ];
        let mut text = settings_record(&settings, &start).unwrap().to_string();
        let mut ends = vec![text.len()];
        for (game, first) in &games {
            text += &game_record(&settings, game, first).unwrap().to_string();
            ends.push(text.len());
        }
        let path = std::env::temp_dir().join(format!("konakis-torn-{}.otg", std::process::id()));
        for cut in ends[0]..=text.len() {
            std::fs::write(&path, &text.as_bytes()[..cut]).unwrap();
            let file = read_file(&path).unwrap();
            let finished = ends.iter().filter(|&&end| end <= cut).count() - 1;
            let expected: Vec<GameResult> =
                games[..finished].iter().map(|(game, _)| game.result).collect();
            assert_eq!(file.results, expected, "cut at {cut}");
            assert_eq!((file.whole, file.torn), (ends[finished], cut > ends[finished]));
            assert_eq!(file.settings, settings);
        }
        std::fs::write(&path, &text[..ends[0] - 1]).unwrap();
        assert!(read_file(&path).unwrap_err().contains("begin anew"));
        std::fs::remove_file(&path).unwrap();
    }
}
