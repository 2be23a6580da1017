//! The tactical suite, `tests/data/tactics.tsv` (made by `scripts/tactics.py`): what it claims is
//! proven here without any search of ours, and the search finds each move within its budget.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use konakis::game::any_size::Game;
use konakis::game::moves::Move;
use konakis::game::symmetry::canonical;
use konakis::search::Searcher;
use konakis::search::score::ScoreKind;

use crate::prover::Prover;
use crate::{nodes, position, search_with};

/// Up to so many plies the proofs are exact.
const EXACT: u32 = 5;

/// What a position of the suite asks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    /// One move wins by force.
    Win,
    /// One move does not lose by force.
    Save,
}

/// A row of the suite.
#[derive(Debug)]
struct Puzzle {
    game: Game,
    kind: Kind,
    best: Move,
    /// Of the shortest win, or of the longest loss of the other moves.
    plies: u32,
    /// Nodes.
    budget: u64,
    /// The number of the game that it is from.
    origin: u32,
}

fn suite() -> Vec<Puzzle> {
    let text = include_str!("../data/tactics.tsv");
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(|row| {
        let fields: Vec<_> = row.split('\t').collect();
        let [id, fen, kind, best, plies, budget, origin] = fields[..] else { panic!("{row}") };
        let game = position(id, fen);
        let kind = match kind {
            "win" => Kind::Win,
            "save" => Kind::Save,
            _ => panic!("{row}"),
        };
        let best = game.read_move(best).unwrap_or_else(|error| panic!("{row}: {error}"));
        let number = |text: &str| text.parse().unwrap_or_else(|error| panic!("{row}: {error}"));
        Puzzle {
            best,
            kind,
            plies: number(plies),
            budget: u64::from(number(budget)),
            origin: number(origin),
            game,
        }
    })
    .collect()
}

fn name(puzzle: &Puzzle) -> String {
    let Puzzle { game, kind, best, .. } = puzzle;
    format!("{} {} {kind:?} {}", game.rules().id, game.fen(), best.on(game.size()))
}

/// What is wrong with the claim of a puzzle. Long ones are proven with advice, which does not tell
/// whether other moves win too or whether there is a shorter way.
fn fault(puzzle: &Puzzle) -> Option<String> {
    let Puzzle { best, plies, kind, .. } = *puzzle;
    let is_exact = plies <= EXACT;
    let mut prover = if is_exact { Prover::exact() } else { Prover::advised() };
    let mut game = puzzle.game.clone();
    let size = game.size();
    let text = |mv: Move| mv.on(size).to_string();
    let others: Vec<_> = game.legal_moves().into_iter().filter(|&mv| mv != best).collect();
    match kind {
        Kind::Win => {
            if !prover.wins_by(&mut game, best, plies) {
                return Some(format!("is no win in {plies}"));
            }
            if is_exact && prover.wins(&mut game, plies - 2) {
                return Some(format!("wins faster than in {plies}"));
            }
            let mut too = others.into_iter().filter(|_| is_exact);
            let too = too.find(|&mv| prover.wins_by(&mut game, mv, plies));
            too.map(|mv| format!("{} wins too", text(mv)))
        }
        Kind::Save => {
            let mut longest = 0;
            for mv in others {
                let mut distances = (2..=plies).step_by(2);
                let loss = distances.find(|&plies| prover.loses_by(&mut game, mv, plies));
                let Some(loss) = loss else { return Some(format!("{} saves too", text(mv))) };
                longest = longest.max(loss);
            }
            if longest != plies && is_exact {
                return Some(format!("the longest loss takes {longest}"));
            }
            prover.loses_by(&mut game, best, plies).then(|| "loses as well".to_owned())
        }
    }
}

/// The faults of some puzzles.
fn faults(puzzles: &[Puzzle]) -> Vec<String> {
    let describe = |puzzle: &Puzzle| {
        let begun = Instant::now();
        let fault = fault(puzzle);
        if begun.elapsed().as_secs() >= 5 {
            eprintln!("{:.0?} for {} ({} plies)", begun.elapsed(), name(puzzle), puzzle.plies);
        }
        fault.map(|fault| format!("{}: {fault}", name(puzzle)))
    };
    puzzles.iter().filter_map(describe).collect()
}

#[test]
fn the_suite_is_as_varied_as_it_should_be() {
    let suite = suite();
    assert_eq!(suite.len(), 100);
    let mut seen = HashSet::new();
    let mut origins = HashSet::new();
    let mut counts: HashMap<_, usize> = HashMap::new();
    for puzzle in &suite {
        let case = name(puzzle);
        let id = puzzle.game.rules().id.clone();
        assert!(seen.insert((id.clone(), canonical(&puzzle.game))), "an image of another: {case}");
        assert!(origins.insert((id.clone(), puzzle.origin)), "from the game of another: {case}");
        let in_range = match puzzle.kind {
            Kind::Win => [3, 5, 7, 9].contains(&puzzle.plies),
            Kind::Save => [4, 6, 8].contains(&puzzle.plies),
        };
        assert!(in_range && puzzle.budget >= 1_000, "{case}");
        *counts.entry(format!("{:?} {:?}", puzzle.kind, puzzle.game.side())).or_default() += 1;
        *counts.entry(id.to_string()).or_default() += 1;
    }
    for side in ["Attackers", "Defenders"] {
        assert!(counts[&format!("Win {side}")] >= 25, "{counts:?}");
        assert!(counts[&format!("Save {side}")] >= 4, "{counts:?}");
    }
    for id in ["tablut", "tablut-pijanowski", "tablut-corner", "tablut-ashton", "brandubh"] {
        assert!(counts[id] >= 5, "{id}: {counts:?}");
    }
}

#[test]
fn the_claims_of_the_suite_hold_against_every_answer() {
    let suite = suite();
    assert!(suite.iter().filter(|puzzle| puzzle.plies <= EXACT).count() >= 40);
    let faults = faults(&suite);
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn each_move_of_the_suite_is_found_within_its_budget() {
    let missed: Vec<_> = suite()
        .iter()
        .filter_map(|puzzle| {
            let mut searcher = Searcher::new(4);
            let (found, _) = search_with(&mut searcher, &puzzle.game, &nodes(puzzle.budget));
            let proven = matches!(found.score.kind(), ScoreKind::Win(_));
            let right = found.best == Some(puzzle.best) && (puzzle.kind == Kind::Save || proven);
            let played = found.best.map(|mv| mv.on(puzzle.game.size()));
            (!right).then(|| {
                format!("{}: {played:?} {} at depth {}", name(puzzle), found.score, found.depth)
            })
        })
        .collect();
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}
