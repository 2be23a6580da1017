//! The yardsticks: players that never change, so that figures of different years compare.
//!
//! They use nothing of the engine but its rules, sort the moves themselves, and draw from a stream
//! that depends on their option `Seed` and the number of the game alone: the same game always comes
//! out the same.

use std::time::{Duration, Instant};

use super::player::{Failure, Player, Thought, Turn};
use super::rng::Rng;
use super::spec::Yardstick;
use crate::game::any_size::Game;
use crate::game::moves::Move;
use crate::game::rules::{Kind, Side};
use crate::search::score::Score;

/// What a defender is worth in the count of men; an attacker is worth 100. The attackers have twice
/// as many men in nearly every rule set.
const DEFENDER: i32 = 200;
const ATTACKER: i32 = 100;
/// Beyond every count of men.
const WIN: i32 = 1_000_000;

/// A player inside the arena.
#[derive(Debug)]
pub struct Builtin {
    yardstick: Yardstick,
    seed: u64,
    rng: Rng,
    /// The last positions it was asked about, in place of a conversation.
    asked: Option<String>,
}

impl Builtin {
    /// A yardstick; players with different seeds draw differently.
    pub fn new(yardstick: Yardstick, seed: u64) -> Self {
        Self { yardstick, seed, rng: Rng::of(&[seed]), asked: None }
    }
}

impl Player for Builtin {
    fn new_game(&mut self, number: usize) -> Result<(), Failure> {
        self.rng = Rng::of(&[self.seed, number as u64]);
        Ok(())
    }

    fn think(&mut self, turn: &Turn<'_>) -> Result<Thought, Failure> {
        let start = Instant::now();
        self.asked = Some(turn.game.fen());
        let moves = sorted_moves(turn.game);
        let (mv, score) = match self.yardstick {
            Yardstick::Random => (self.rng.choose(&moves), None),
            Yardstick::Greedy => (greedy(turn.game, &moves, &mut self.rng), None),
            Yardstick::Material(depth) => material(turn.game, &moves, depth, &mut self.rng),
        };
        let text = mv.map(|mv| mv.on(turn.game.size()).to_string());
        let depth = match self.yardstick {
            Yardstick::Material(depth) => Some(depth),
            _ => None,
        };
        let mv = text.unwrap_or_default();
        let elapsed: Duration = start.elapsed();
        Ok(Thought { mv, elapsed, score, depth, nodes: None })
    }

    fn conversation(&self) -> Vec<String> {
        self.asked.iter().map(|fen| format!("> {fen}")).collect()
    }
}

fn sorted_moves(game: &Game) -> Vec<Move> {
    let mut moves = game.legal_moves();
    moves.sort_unstable();
    moves
}

/// Escapes or takes the king if it can, else takes as many men as it can, else moves at random.
fn greedy(game: &Game, moves: &[Move], rng: &mut Rng) -> Option<Move> {
    let mut game = game.clone();
    let side = game.side();
    let mut best = (0, Vec::new());
    for &mv in moves {
        let men = game.captured_by(mv).len();
        game.play(mv);
        let wins = game.outcome().is_some_and(|outcome| outcome.winner == Some(side));
        game.undo();
        let gain = if wins { usize::MAX } else { men };
        if gain > best.0 {
            best = (gain, Vec::new());
        }
        if gain == best.0 {
            best.1.push(mv);
        }
    }
    rng.choose(&best.1)
}

/// The best move of a search of `depth` plies that counts men, one of several equals at random.
fn material(
    game: &Game,
    moves: &[Move],
    depth: u32,
    rng: &mut Rng,
) -> (Option<Move>, Option<Score>) {
    let mut game = game.clone();
    let (mut best, mut equals) = (-WIN * 2, Vec::new());
    for &mv in moves {
        game.play(mv);
        // One below the best, so that equals come out exact.
        let value = -search(&mut game, depth - 1, -WIN * 2, 1 - best);
        game.undo();
        if value > best {
            best = value;
            equals.clear();
        }
        if value == best {
            equals.push(mv);
        }
    }
    let chosen = rng.choose(&equals);
    (chosen, chosen.map(|_| shown(best, depth)))
}

/// Alpha-beta over counts of men; wins count more the earlier they come.
fn search(game: &mut Game, depth: u32, mut alpha: i32, beta: i32) -> i32 {
    if let Some(outcome) = game.outcome() {
        return match outcome.winner {
            None => 0,
            Some(side) if side == game.side() => WIN + depth as i32,
            Some(_) => -WIN - depth as i32,
        };
    }
    if depth == 0 {
        return balance(game);
    }
    let mut best = -WIN * 2;
    for mv in by_captures(game) {
        game.play(mv);
        let value = -search(game, depth - 1, -beta, -alpha);
        game.undo();
        best = best.max(value);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// The moves, those that take most first. The order changes how many moves are looked at, not what
/// the search finds.
fn by_captures(game: &Game) -> Vec<Move> {
    let mut moves = sorted_moves(game);
    moves.sort_by_cached_key(|&mv| std::cmp::Reverse(game.captured_by(mv).len()));
    moves
}

/// The men of the side to move against those of the other, the king aside.
fn balance(game: &Game) -> i32 {
    let value: i32 = game
        .rules()
        .squares()
        .filter_map(|square| game.piece_at(square))
        .map(|kind| match kind {
            Kind::Attacker => ATTACKER,
            Kind::Defender => -DEFENDER,
            Kind::King => 0,
        })
        .sum();
    if game.side() == Side::Attackers { value } else { -value }
}

fn shown(value: i32, depth: u32) -> Score {
    let plies = (WIN + depth as i32).abs_diff(value.abs());
    match value {
        WIN.. => Score::win_in(plies),
        v if v <= -WIN => Score::loss_in(plies),
        v => Score::centipawns(v),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::spec::TurnLimits;
    use crate::game::variants::variant;

    fn game(fen: &str) -> Game {
        Game::start(variant("tablut").unwrap()).unwrap().with_fen(fen).unwrap()
    }

    fn answers(yardstick: Yardstick, game: &Game) -> Vec<Thought> {
        let limits = TurnLimits::default();
        let turn = Turn { game, fen: None, clocks: [None; 2], limits: &limits, budget: None };
        let mut player = Builtin::new(yardstick, 0);
        let mut think = |number| {
            player.new_game(number).unwrap();
            player.think(&turn).unwrap()
        };
        (1..=20).map(&mut think).collect()
    }

    #[test]
    fn random_draws_legal_moves_by_the_number_of_the_game() {
        let game = game("3aaa3/4a4/4d4/a3d3a/aaddkddaa/a3d3a/4d4/4a4/3aaa3 d");
        let moves = |thoughts: Vec<Thought>| -> Vec<String> {
            thoughts.into_iter().map(|thought| thought.mv).collect()
        };
        let first = moves(answers(Yardstick::Random, &game));
        assert_eq!(first, moves(answers(Yardstick::Random, &game)));
        assert!(first.iter().all(|mv| game.read_move(mv).is_ok()));
        let different: std::collections::HashSet<_> = first.iter().collect();
        assert!(different.len() > 10, "{first:?}");
    }

    #[test]
    fn greedy_prefers_the_king_then_men() {
        // The king on e8 may walk out; a defender could take b2.
        let escape = game("9/4k4/9/8a/9/9/d8/1a7/1d7 d");
        for thought in answers(Yardstick::Greedy, &escape) {
            assert!(thought.mv.starts_with("e8"), "{}", thought.mv);
        }
        // The edge is closed; c3-c2 takes b2 against a2.
        let men = game("aaaaaaaaa/a7a/a7a/a3k3a/a7a/a7a/a1d5a/da6a/aaaaaaaaa d");
        for thought in answers(Yardstick::Greedy, &men) {
            assert_eq!(thought.mv, "c3c2");
        }
    }

    #[test]
    fn material_sees_as_far_as_it_says() {
        let escape = game("9/4k4/9/8a/9/9/d8/1a7/1d7 d");
        for depth in 1..=2 {
            for thought in answers(Yardstick::Material(depth), &escape) {
                assert_eq!(thought.score, Some(Score::win_in(1)));
            }
        }
        let men = game("aaaaaaaaa/a7a/a7a/a3k3a/a7a/a7a/a1d5a/da6a/aaaaaaaaa d");
        for thought in answers(Yardstick::Material(1), &men) {
            assert_eq!(thought.mv, "c3c2");
        }
    }

    #[test]
    fn ordering_and_cutoffs_do_not_change_the_value() {
        fn plain(game: &mut Game, depth: u32) -> i32 {
            if game.outcome().is_some() || depth == 0 {
                return search(game, depth, -WIN * 2, WIN * 2);
            }
            let mut best = -WIN * 2;
            for mv in game.legal_moves() {
                game.play(mv);
                best = best.max(-plain(game, depth - 1));
                game.undo();
            }
            best
        }
        let rules = variant("brandubh").unwrap();
        let mut game = Game::start(rules).unwrap();
        let mut rng = Rng::of(&[3]);
        for _ in 0..12 {
            for depth in 1..=2 {
                let value = plain(&mut game, depth);
                let (_, score) = material(&game, &sorted_moves(&game), depth, &mut rng);
                assert_eq!(score, Some(shown(value, depth)), "{}", game.fen());
            }
            let Some(mv) = rng.choose(&sorted_moves(&game)) else { break };
            game.play(mv);
            if game.outcome().is_some() {
                break;
            }
        }
    }
}
