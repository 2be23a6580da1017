//! `konakis prove`: who wins by force?

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};

use super::interrupt::Interrupt;
use crate::arena::args::RuleSetArgs;
use crate::game::any_size::Game;
use crate::game::explain::ending;
use crate::game::rules::Side;
use crate::search::proof::{Answer, Effort, Flaw, Open, Proof, Prover, Verdict};

/// What `konakis prove` is told.
#[derive(Args, Clone, Debug)]
pub struct ProveArgs {
    /// The position [default: the start of the rule set]
    #[arg(num_args = 0..)]
    fen: Vec<String>,
    #[command(flatten)]
    rule_set: RuleSetArgs,
    /// Moves to be played first; their past counts where repetition does
    #[arg(long, value_name = "MOVES", value_delimiter = ' ')]
    moves: Vec<String>,
    /// Memory of the search, MiB
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: u32,
    /// Time, in seconds
    #[arg(long, value_name = "S", default_value = "60", value_parser = seconds, allow_negative_numbers = true)]
    time: Duration,
    /// Positions to look at, at the most
    #[arg(long)]
    nodes: Option<u64>,
    /// Write the answer as JSON, one line
    #[arg(long)]
    json: bool,
}

/// Seconds, perhaps with a fraction.
fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = || "expected seconds, such as 10 or 0.5".to_owned();
    let seconds: f64 = text.parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

impl ProveArgs {
    /// Looks for a proof and says what was found.
    ///
    /// # Errors
    /// If the position or the rule set is wrong.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let start = Game::start(self.rule_set.rules()?)?;
        let mut game = match self.fen.as_slice() {
            [] => start,
            words => start.with_fen(&words.join(" "))?,
        };
        for text in &self.moves {
            let mv = game.read_move(text)?;
            game.play(mv);
        }
        let interrupt = Interrupt::listen()?;
        let effort = Effort { nodes: self.nodes, time: Some(self.time) };
        let mut prover = Prover::new(self.hash as usize);
        let answer = prover.prove(&game, effort, &interrupt.control);
        let lines = match self.json {
            true => vec![event(&game, &answer).to_string()],
            false => told(&game, &answer),
        };
        let mut out = io::stdout().lock();
        for line in lines {
            writeln!(out, "{line}")?;
        }
        out.flush()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The answer in words.
pub fn told(game: &Game, answer: &Answer) -> Vec<String> {
    let mut lines = match &answer.verdict {
        Verdict::Over(outcome) => vec![format!("the game is over: {}", ending(*outcome))],
        Verdict::Proven(proof) => proven(game, proof),
        Verdict::NobodyWins => {
            vec!["not proven: neither side can force a win".to_owned()]
        }
        Verdict::Open(open) => vec![format!("not proven: {}", why_open(*open))],
    };
    lines.push(format!("effort {} nodes, {} ms", answer.nodes, answer.time.as_millis()));
    lines
}

fn proven(game: &Game, proof: &Proof) -> Vec<String> {
    let side = game.side();
    let result = if proof.winner == side { "win" } else { "loss" };
    let plies = match proof.plies {
        1 => "1 ply".to_owned(),
        plies => format!("{plies} plies"),
    };
    let length = if proof.is_minimal() {
        format!("no win takes fewer plies{}", repetition_aside(game, proof))
    } else {
        format!(
            "no win takes fewer than {}; whether one takes fewer than this is open",
            proof.at_least
        )
    };
    let line: Vec<String> = proof.line.iter().map(|mv| mv.on(game.size()).to_string()).collect();
    vec![
        format!("proven: {result} in {plies} for the {}, who are to move", side.name()),
        format!("length {length}"),
        format!("line {}", line.join(" ")),
        format!("proof {} positions, played out against every answer", proof.positions),
    ]
}

/// A win by repetition is not looked for; it takes two rounds of four plies at least.
fn repetition_aside(game: &Game, proof: &Proof) -> &'static str {
    use crate::game::rules::RepetitionResult;
    let rule = game.rules().repetition;
    let may_win = match rule.result {
        _ if rule.limit == 0 => false,
        RepetitionResult::Draw => false,
        RepetitionResult::AttackersWin => proof.winner == Side::Attackers,
        RepetitionResult::MoverLoses | RepetitionResult::MoverWins => true,
    };
    if may_win && (proof.plies > 8 || game.plies() > 0) { " (by repetition aside)" } else { "" }
}

fn why_open(open: Open) -> &'static str {
    match open {
        Open::Interrupted => "interrupted",
        Open::Spent => "the effort is used up",
        Open::OnlyRepetition => "all that is left to try repeats positions",
        Open::Unconfirmed(Flaw::Stopped) => {
            "a win was found, but the effort was used up before it was played out"
        }
        Open::Unconfirmed(Flaw::TooLarge) => {
            "a win was found, but it is too large to be played out with this --hash"
        }
        Open::Unconfirmed(Flaw::Refuted) => {
            "a win was found, but it does not hold on every way to a position"
        }
    }
}

/// The answer for programs.
fn event(game: &Game, answer: &Answer) -> Value {
    let mut event = json!({
        "fen": game.fen(),
        "variant": game.rules().id,
        "side": game.side().name(),
        "nodes": answer.nodes,
        "ms": answer.time.as_millis() as u64,
    });
    let more = match &answer.verdict {
        Verdict::Over(outcome) => json!({
            "verdict": "over", "winner": outcome.winner_name(), "reason": outcome.reason.name(),
        }),
        Verdict::Proven(proof) => {
            let line: Vec<String> =
                proof.line.iter().map(|mv| mv.on(game.size()).to_string()).collect();
            json!({
                "verdict": "proven", "winner": proof.winner.name(), "plies": proof.plies,
                "at_least": proof.at_least, "minimal": proof.is_minimal(), "line": line,
                "positions": proof.positions,
            })
        }
        Verdict::NobodyWins => json!({ "verdict": "nobody-wins" }),
        Verdict::Open(open) => json!({ "verdict": "open", "reason": why_open(*open) }),
    };
    if let (Value::Object(event), Value::Object(more)) = (&mut event, more) {
        event.extend(more);
    }
    event
}
