//! [`Explorer`]: what records say of positions: how often, with what results, with what scores.
//!
//! Positions that are the same up to the symmetries of their rules are one; a game that comes to a
//! position twice counts once.

use std::hash::{DefaultHasher, Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::game::any_size::Game;
use crate::game::moves::Move;
use crate::game::rules::Side;
use crate::game::symmetry::canonical;
use crate::notation::recorded::RecordedGame;

/// Scores count as no more than this, in centipawns; proven wins and losses count as this.
pub const MOST: i64 = 2_000;

/// What records say of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Games with it.
    pub games: u64,
    /// Games with it that the attackers won.
    pub attackers: u64,
    /// Games with it that the defenders won.
    pub defenders: u64,
    /// Games with it that were drawn.
    pub draws: u64,
    /// How many scores there are.
    pub scores: u64,
    /// Their sum, in centipawns for the attackers.
    sum: i64,
}

impl Counts {
    /// Games with it of which the result is not known.
    pub const fn unknown(&self) -> u64 {
        self.games - self.attackers - self.defenders - self.draws
    }

    /// The mean of the scores that records give, in centipawns for the attackers.
    pub fn score(&self) -> Option<f64> {
        (self.scores > 0).then(|| self.sum as f64 / self.scores as f64)
    }

    fn add(&mut self, result: Option<Option<Side>>, score: Option<i64>) {
        self.games += 1;
        match result {
            Some(Some(Side::Attackers)) => self.attackers += 1,
            Some(Some(Side::Defenders)) => self.defenders += 1,
            Some(None) => self.draws += 1,
            None => {}
        }
        if let Some(score) = score {
            self.scores += 1;
            self.sum += score.clamp(-MOST, MOST);
        }
    }
}

/// A position in the tree of an explorer.
#[derive(Clone, Debug)]
pub struct Node {
    /// The moves from where the tree begins.
    pub path: Vec<Move>,
    /// The position.
    pub game: Game,
    /// What records say of it.
    pub counts: Counts,
    /// Another way led to it before, and what follows was told there.
    pub again: bool,
}

/// What records say of all their positions.
#[derive(Debug, Default)]
pub struct Explorer {
    positions: FxHashMap<u64, Counts>,
    /// By the key of a position: those of the positions that follow it.
    followers: FxHashMap<u64, Vec<u64>>,
    games: u64,
}

impl Explorer {
    /// Adds a game.
    pub fn add(&mut self, game: &RecordedGame) {
        let result = game.result();
        let mut seen = FxHashSet::default();
        let mut position = game.first.clone();
        let mut before = None;
        for ply in 0..=game.moves.len() {
            let key = key(&position);
            if let Some(before) = before.replace(key) {
                let followers = self.followers.entry(before).or_default();
                if !followers.contains(&key) {
                    followers.push(key);
                }
            }
            if seen.insert(key) {
                let score = game.comments.get(ply).and_then(|comment| score(comment));
                self.positions.entry(key).or_default().add(result, score);
            }
            if let Some(&mv) = game.moves.get(ply) {
                position.play(mv);
            }
        }
        self.games += 1;
    }

    /// How many games there are.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// How many different positions there are.
    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    /// What records say of a position.
    pub fn counts(&self, game: &Game) -> Counts {
        self.positions.get(&key(game)).copied().unwrap_or_default()
    }

    /// The positions that follow a position in records, the most frequent first, each with its
    /// continuations behind it; of moves that lead to the same position the first one is told.
    /// At the most `depth` plies, and none that fewer than `least` games came to. What follows a
    /// position is told once, as far as that went deep enough.
    pub fn tree(&self, from: &Game, depth: usize, least: u64) -> Vec<Node> {
        let counts = self.counts(from);
        let mut nodes = vec![Node { path: Vec::new(), game: from.clone(), counts, again: false }];
        let mut told = FxHashMap::default();
        self.grow(&mut nodes, &mut told, 0, depth, least.max(1));
        nodes
    }

    /// Tells what follows the node `at`, the last one of `nodes`; `told` has how many plies were told
    /// of positions.
    fn grow(
        &self,
        nodes: &mut Vec<Node>,
        told: &mut FxHashMap<u64, usize>,
        at: usize,
        depth: usize,
        least: u64,
    ) {
        let Some(node) = nodes.get_mut(at) else { return };
        let here = key(&node.game);
        let followers = self.followers.get(&here).map_or(&[][..], Vec::as_slice);
        if depth == 0 || followers.is_empty() {
            return;
        }
        if told.get(&here).is_some_and(|plies| *plies >= depth) {
            node.again = true;
            return;
        }
        told.insert(here, depth);
        let (from, path) = (node.game.clone(), node.path.clone());
        let mut seen = FxHashSet::default();
        let mut next = Vec::new();
        for mv in from.legal_moves() {
            if seen.len() == followers.len() {
                break;
            }
            let mut game = from.clone();
            game.play(mv);
            let key = key(&game);
            if !followers.contains(&key) || !seen.insert(key) {
                continue;
            }
            let counts = self.positions.get(&key).copied().unwrap_or_default();
            if counts.games >= least {
                let path = [&path[..], &[mv]].concat();
                next.push(Node { path, game, counts, again: false });
            }
        }
        next.sort_by_key(|node| std::cmp::Reverse(node.counts.games));
        for node in next {
            nodes.push(node);
            self.grow(nodes, told, nodes.len() - 1, depth - 1, least);
        }
    }
}

fn key(game: &Game) -> u64 {
    let mut hasher = DefaultHasher::new();
    canonical(game).hash(&mut hasher);
    hasher.finish()
}

/// The score in a comment, `score cp N` or `score mate N`, for the attackers.
fn score(comment: &str) -> Option<i64> {
    let mut words = comment.split([' ', ',', ';', '\n']).filter(|word| !word.is_empty());
    words.by_ref().find(|word| *word == "score")?;
    match (words.next()?, words.next()?.parse::<i64>().ok()?) {
        ("cp", value) => Some(value),
        ("mate", plies) if plies > 0 => Some(MOST),
        ("mate", _) => Some(-MOST),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variants::variant;

    fn game(moves: &[&str], result: &str, comment: &str) -> RecordedGame {
        let first = Game::start(variant("tablut").unwrap()).unwrap();
        let mut position = first.clone();
        let mut list = Vec::new();
        for text in moves {
            let mv = position.read_move(text).unwrap();
            position.play(mv);
            list.push(mv);
        }
        let mut game = RecordedGame::new(first, list);
        game.tags.push(("result".to_owned(), result.to_owned()));
        game.comments.fill(comment.to_owned());
        game
    }

    #[test]
    fn symmetric_games_are_one() {
        let mut explorer = Explorer::default();
        explorer.add(&game(&["e4b4", "d1b1"], "1", "score cp 100, best e4a4"));
        explorer.add(&game(&["e6h6", "d9b9"], "-1", "depth 3 score mate -4"));
        explorer.add(&game(&["e4c4"], "?", ""));
        let start = game(&[], "?", "").first;
        let nodes = explorer.tree(&start, 3, 1);
        let told: Vec<_> = nodes.iter().map(|n| (n.path.len(), n.counts.games)).collect();
        assert_eq!(told, [(0, 3), (1, 2), (2, 1), (2, 1), (1, 1)]);
        let Counts { attackers, defenders, draws, scores, .. } = nodes[1].counts;
        assert_eq!((attackers, defenders, draws, scores), (1, 1, 0, 2));
        assert_eq!(nodes[0].counts.unknown(), 1);
        assert_eq!(nodes[0].counts.score(), Some((100 - MOST) as f64 / 2.0));
        assert_eq!(nodes[4].counts.score(), None);
        assert_eq!(explorer.tree(&start, 3, 2).len(), 2);
        assert_eq!(explorer.tree(&start, 0, 1).len(), 1);
        assert_eq!((explorer.games(), explorer.positions()), (3, 5));
    }

    #[test]
    fn a_position_that_comes_back_counts_once() {
        let mut explorer = Explorer::default();
        explorer.add(&game(&["e4d4", "a4b4", "d4e4", "b4a4", "e4d4"], "0", ""));
        let start = game(&[], "?", "").first;
        assert_eq!(explorer.counts(&start).games, 1);
        assert_eq!(explorer.counts(&start).draws, 1);
    }
}
