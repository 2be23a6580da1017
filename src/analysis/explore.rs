//! `konakis explore`: its arguments, and the tree as text and JSON.

use std::fs::File;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Args;
use serde_json::{Value, json};

use super::analyse::SourceArgs;
use super::explorer::{Counts, Explorer, Node};
use super::input::{Input, name_of};
use super::json::outcome;
use crate::arena::console::tell;
use crate::game::any_size::Game;
use crate::game::rules::Rules;
use crate::notation::lines;
use crate::notation::recorded::RuleBook;

/// What `konakis explore` is told.
#[derive(Args, Clone, Debug)]
pub struct ExploreArgs {
    /// Files of games; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    #[command(flatten)]
    source: SourceArgs,
    /// Begin behind these moves ('d6c6 e4e1'), at a FEN, or at a FEN with moves behind it
    #[arg(long, value_name = "POSITION", default_value = "startpos", hide_default_value = true)]
    from: String,
    /// Plies of the tree
    #[arg(long, value_name = "PLIES", default_value_t = 3)]
    depth: usize,
    /// Leave out what fewer games came to
    #[arg(long, value_name = "GAMES", default_value_t = 2)]
    min: u64,
    /// Write a line a position as JSON to a file or, without one, to standard output instead of the
    /// text
    ///
    /// moves (from where the tree begins), fen, side, games, attackers, defenders, draws (games won
    /// and drawn), unknown (games without a result), score (the mean of what records say, in
    /// centipawns for the attackers, or null), outcome (or null), again (its continuations stand
    /// behind an earlier line, which came to the same position).
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    json: Option<String>,
}

/// Runs `konakis explore` and returns its exit code: 1 if a game is broken.
///
/// # Errors
/// If a file cannot be read, or there is no game.
pub fn run(args: &ExploreArgs) -> anyhow::Result<ExitCode> {
    let mut book = Book { rules: args.source.chosen()?, ..Book::default() };
    for file in &args.files {
        book.read(file, args)?;
    }
    let rules = match book.rules {
        Some(rules) if book.explorer.games() > 0 => rules,
        _ => bail!("{}: there is no game in it", names(&args.files)),
    };
    if book.left_out > 0 {
        tell(format_args!(
            "{} games of other rule sets than {} are left out",
            book.left_out, rules.id
        ));
    }
    let from = position(&args.from, &rules)?;
    let nodes = book.explorer.tree(&from, args.depth, args.min);
    match args.json.as_deref() {
        None => print(&text(&rules, &book.explorer, &nodes))?,
        Some("-") => print(&nodes.iter().map(line).collect::<Vec<_>>())?,
        Some(name) => {
            let lines: String = nodes.iter().map(|node| line(node) + "\n").collect();
            let mut file = File::create_new(name)
                .with_context(|| format!("--json={name}: cannot be written as a new file"))?;
            file.write_all(lines.as_bytes()).with_context(|| name.to_owned())?;
        }
    }
    Ok(if book.broken > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

#[derive(Default)]
struct Book {
    explorer: Explorer,
    /// The rules that were chosen, or those of the first game.
    rules: Option<Arc<Rules>>,
    left_out: usize,
    broken: usize,
}

impl Book {
    fn read(&mut self, file: &str, args: &ExploreArgs) -> anyhow::Result<()> {
        for (number, game) in Input::read(file, args.source.format, args.source.chosen()?)? {
            let game = match game {
                Ok(game) => game,
                Err(error) => {
                    self.broken += 1;
                    tell(format_args!("error: {}: game {number}, {error}", name_of(file)));
                    continue;
                }
            };
            let rules = game.first.rules();
            if self.rules.get_or_insert_with(|| Arc::clone(rules)) == rules {
                self.explorer.add(&game);
            } else {
                self.left_out += 1;
            }
        }
        Ok(())
    }
}

fn names(files: &[String]) -> String {
    files.iter().map(|file| name_of(file)).collect::<Vec<_>>().join(", ")
}

/// The position where the tree begins.
fn position(text: &str, rules: &Arc<Rules>) -> anyhow::Result<Game> {
    let mut book = RuleBook::new(Some(Arc::clone(rules))).map_err(anyhow::Error::msg)?;
    let mut entries = lines::read(text).into_iter();
    let (Some(entry), None) = (entries.next(), entries.next()) else {
        bail!("--from: expected moves or a FEN on one line");
    };
    let game = entry.and_then(|entry| book.play(&entry)).map_err(|error| {
        let place = error.place.column;
        anyhow::anyhow!("--from: column {place}: {}", error.what)
    })?;
    Ok(game.last())
}

fn text(rules: &Rules, explorer: &Explorer, nodes: &[Node]) -> Vec<String> {
    let (games, positions) = (explorer.games(), explorer.positions());
    let mut lines = vec![
        format!(
            "{}: {games} game{}, {positions} positions; scores for the attackers",
            rules.id,
            if games == 1 { "" } else { "s" }
        ),
        format!(
            "{:>7} {:>10} {:>6} {:>10} {:>8} {:>7}  moves",
            "games", "attackers", "draw", "defenders", "unknown", "score"
        ),
    ];
    lines.extend(nodes.iter().map(|node| row(node, rules.size)));
    lines
}

fn row(node: &Node, size: usize) -> String {
    let Counts { games, attackers, defenders, draws, .. } = node.counts;
    let known = attackers + defenders + draws;
    let share = |part: u64| match known {
        0 => "-".to_owned(),
        known => format!("{:.1} %", part as f64 * 100.0 / known as f64),
    };
    let score = node.counts.score().map_or(String::new(), |score| format!("{score:+.0}"));
    let what = match node.path.last() {
        None => node.game.fen(),
        Some(mv) => format!("{}{}", "  ".repeat(node.path.len() - 1), mv.on(size)),
    };
    let again = if node.again { " (goes on as above)" } else { "" };
    let end = node.game.outcome().map_or(String::new(), |end| format!(" ({})", outcome(end)));
    format!(
        "{games:>7} {:>10} {:>6} {:>10} {:>8} {score:>7}  {what}{end}{again}",
        share(attackers),
        share(draws),
        share(defenders),
        node.counts.unknown(),
    )
}

fn line(node: &Node) -> String {
    let Counts { games, attackers, defenders, draws, .. } = node.counts;
    let size = node.game.size();
    let moves: Vec<String> = node.path.iter().map(|mv| mv.on(size).to_string()).collect();
    let score = node.counts.score().map(|score| (score * 10.0).round() / 10.0);
    let fields: [(&str, Value); 11] = [
        ("moves", json!(moves)),
        ("fen", json!(node.game.fen())),
        ("side", json!(node.game.side().name())),
        ("games", json!(games)),
        ("attackers", json!(attackers)),
        ("defenders", json!(defenders)),
        ("draws", json!(draws)),
        ("unknown", json!(node.counts.unknown())),
        ("score", json!(score)),
        ("outcome", json!(node.game.outcome().map(outcome))),
        ("again", json!(node.again)),
    ];
    let fields: Vec<String> =
        fields.into_iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", fields.join(","))
}

fn print(lines: &[String]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))
}
