//! Random play under any rule set, checked position by position against the reference.

#![allow(dead_code, reason = "each test binary uses its own part of this module")]

pub mod reference;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use konakis::game::any_size::Game;
use konakis::game::explain::why;
use konakis::game::geometry::Square;
use konakis::game::moves::Move;
use konakis::game::outcome::{Call, Outcome};
use konakis::game::rules::{Kind, Rules, Side, Zone};
use konakis::game::variants::variant;
use konakis::with_position;

use reference::{Cell, Reference};

/// SplitMix64: the same games on every machine.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// How often what was met, so that a test can insist on having met it.
#[derive(Default, Debug)]
pub struct Met(pub BTreeMap<&'static str, u64>);

impl Met {
    pub fn add(&mut self, what: &'static str) {
        *self.0.entry(what).or_default() += 1;
    }

    pub fn insist(&self, on: &[&str]) {
        for what in on {
            assert!(self.0.get(what).is_some_and(|&times| times >= 5), "{what} in {self:?}");
        }
    }
}

pub fn squares(size: usize) -> impl Iterator<Item = Square> {
    (0..size).flat_map(move |rank| (0..size).map(move |file| Square::at(file, rank, size)))
}

pub fn square(name: &str, size: usize) -> Square {
    Square::parse(name, size).unwrap_or_else(|| panic!("{name} is no square"))
}

/// The moves of a game in their own words.
pub fn move_names(game: &Game) -> BTreeSet<String> {
    game.legal_moves().iter().map(|mv| mv.on(game.size()).to_string()).collect()
}

pub fn status(outcome: Option<Outcome>) -> String {
    match outcome {
        None => "ongoing".to_owned(),
        Some(outcome) => format!("{} {}", outcome.winner_name(), outcome.reason.name()),
    }
}

/// What can be told of a game without looking behind its walls, to see that undoing restores it.
fn portrait(game: &Game) -> (String, u64, Vec<Move>, u32, Option<Outcome>, Vec<Move>) {
    let legal = game.legal_moves();
    (game.fen(), game.key(), game.moves_made(), game.occurrences(), game.outcome(), legal)
}

/// Compares everything the engine says of a position with the reference.
pub fn check(game: &mut Game, reference: &Reference, rng: &mut Rng, met: &mut Met) {
    let at = format!("{} {}", game.rules().id, game.fen());
    let size = game.size();
    assert_eq!(game.fen(), reference.fen(), "{at}");
    with_position!(&*game, p => assert_eq!(p.key(), p.board().computed_key(), "{at}: key"));
    assert_eq!(game.occurrences(), reference.occurrences(), "{at}: occurrences");
    let outcome = reference.outcome();
    assert_eq!(game.outcome(), outcome, "{at}: outcome");
    if let Some(outcome) = outcome {
        met.add(outcome.reason.name());
    }

    let list = game.legal_moves();
    let legal: BTreeSet<Move> = list.iter().copied().collect();
    assert_eq!(legal.len(), list.len(), "{at}: a move twice");
    assert_eq!(legal, reference.legal_moves(), "{at}: legal moves");
    if rng.percent(10) {
        for from in squares(size) {
            for to in squares(size) {
                let mv = Move { from, to };
                assert_eq!(game.is_legal(mv), legal.contains(&mv), "{at} {}", mv.on(size));
            }
        }
        // The sentence about a move says of every move what the list says.
        for _ in 0..40 {
            let square = |rng: &mut Rng| Square::at(rng.below(size), rng.below(size), size);
            let mv = Move { from: square(rng), to: square(rng) };
            let (name, known) = (mv.on(size).to_string(), legal.contains(&mv));
            assert_eq!(why(game, &name).starts_with("legal: "), known, "{at} {name}");
        }
    }

    check_king(game, reference, &at, met);
    for &mv in &list {
        let taken = reference.taken(mv);
        let ours: BTreeSet<Cell> =
            game.captured_by(mv).into_iter().map(|square| reference.cell(square)).collect();
        assert_eq!(ours, taken.all(), "{at} {}: captures", mv.on(size));
        for (what, some) in [
            ("custodial", !taken.custodial.is_empty()),
            ("linnaean", !taken.linnaean.is_empty()),
            ("shieldwall", !taken.shieldwall.is_subset(&taken.custodial)),
            ("the king", taken.king.is_some()),
        ] {
            if some {
                met.add(what);
            }
        }
        if !ours.is_empty() || rng.below(list.len()) < 4 {
            check_move(game, reference, mv, &at, met);
        }
    }
}

/// Makes one move, compares the position after it and takes it back.
fn check_move(game: &mut Game, reference: &Reference, mv: Move, at: &str, met: &mut Met) {
    let at = format!("{at} {}", mv.on(game.size()));
    let before = portrait(game);
    let board = with_position!(&*game, p => format!("{:?}", p.board()));
    game.play(mv);
    let mut after = reference.clone();
    after.play(mv);
    assert_eq!(game.fen(), after.fen(), "{at}: position after");
    let outcome = after.outcome();
    assert_eq!(game.outcome(), outcome, "{at}: outcome after");
    if let Some(outcome) = outcome {
        met.add(outcome.reason.name());
    }
    with_position!(&*game, p => assert_eq!(p.key(), p.board().computed_key(), "{at}: key after"));
    game.undo();
    assert_eq!(portrait(game), before, "{at}: undone");
    assert_eq!(with_position!(&*game, p => format!("{:?}", p.board())), board, "{at}: undone");
}

/// What is known of the king without making moves, against trying them all.
fn check_king(game: &Game, reference: &Reference, at: &str, met: &mut Met) {
    let exits = with_position!(game, p => p.board().king_exits(p.tables()));
    assert_eq!(exits, reference.king_exits(), "{at}: exits");
    let in_danger = with_position!(game, p => p.board().king_can_be_taken(p.tables()));
    assert_eq!(in_danger, reference.king_can_be_taken(), "{at}: can the king be taken?");
    // The engine's own moves once more, for a king who is on the board.
    let tried = with_position!(game, p => {
        let mut board = p.board().clone();
        if board.side() == Side::Defenders {
            board.pass();
        }
        let mut list = Vec::new();
        board.moves(p.tables(), &mut list);
        let here = board.king();
        here.is_some() && list.into_iter().any(|mv| {
            let undo = board.play(p.tables(), mv);
            let taken = board.king().is_none();
            board.undo(&undo);
            taken
        })
    });
    assert_eq!(in_danger, tried, "{at}: can the king be taken, by our own moves?");
    let call = match (game.outcome(), game.side(), exits) {
        (Some(_), _, _) | (None, Side::Attackers, 0) => None,
        (None, Side::Attackers, 1) => Some(Call::Raichi),
        (None, Side::Attackers, _) => Some(Call::Tuichi),
        (None, Side::Defenders, _) => in_danger.then_some(Call::WatchYourKing),
    };
    assert_eq!(game.call(), call, "{at}: call");
    if let Some(call) = call {
        met.add(call.name());
    }
}

/// A move to play on with: often a capture or back to where the piece came from, so that captures
/// and repetitions happen.
fn choose(game: &Game, list: &[Move], rng: &mut Rng) -> Move {
    if rng.percent(25) {
        let captures: Vec<_> =
            list.iter().copied().filter(|&mv| !game.captured_by(mv).is_empty()).collect();
        if !captures.is_empty() {
            return rng.pick(&captures);
        }
    }
    let made = game.moves_made();
    if rng.percent(30) && made.len() >= 2 {
        let Move { from, to } = made[made.len() - 2];
        let back = Move { from: to, to: from };
        if list.contains(&back) {
            return back;
        }
    }
    rng.pick(list)
}

/// Plays at random from a FEN and checks every position; returns the game.
pub fn play_checked(start: Game, plies: usize, rng: &mut Rng, met: &mut Met) -> Game {
    let mut game = start;
    let first = portrait(&game);
    let mut reference = Reference::new(game.rules(), &game.fen());
    let mut past_the_end = 0;
    for _ in 0..plies {
        check(&mut game, &reference, rng, met);
        if game.outcome().is_some() {
            // A repetition stops nobody; a few moves on, then enough.
            past_the_end += 1;
        }
        let list = game.legal_moves();
        if list.is_empty() || past_the_end > 6 {
            break;
        }
        let mv = choose(&game, &list, rng);
        game.play(mv);
        reference.play(mv);
    }
    let mut undone = game.clone();
    while undone.plies() > 0 {
        undone.undo();
    }
    assert_eq!(portrait(&undone), first, "{}: undone to the start", game.rules().id);
    game
}

/// Positions of the kinds in which rules go wrong, which random play from the start seldom meets.
#[derive(Clone, Copy, Debug)]
pub enum Scene {
    /// Men anywhere.
    Anywhere,
    /// A crowd along the edge, for shieldwalls.
    EdgeCrowd,
    /// The king on the edge among his men, for exit forts.
    Fort,
    /// Attackers all around, for encirclement.
    Ring,
    /// The king on or beside the centre, among attackers.
    Throne,
    /// The king with attackers beside him.
    Hunted,
}

impl Scene {
    pub const ALL: [Self; 6] =
        [Self::Anywhere, Self::EdgeCrowd, Self::Fort, Self::Ring, Self::Throne, Self::Hunted];
}

/// The FEN of a random legal board.
pub fn scatter(rules: &Rules, scene: Scene, rng: &mut Rng) -> String {
    let size = rules.size as i32;
    let (middle, last) = (size / 2, size - 1);
    let distance = |a: Cell, b: Cell| (a.0 - b.0).abs().max((a.1 - b.1).abs());
    let may_stand = |kind: Kind, (file, rank): Cell| {
        let square = Square::at(file as usize, rank as usize, rules.size);
        // The king may sit on the throne even where he could not come back to it.
        let seated = |zone| kind == Kind::King && std::ptr::eq(zone, &rules.throne);
        let bars = |zone: &&Zone| zone.contains(square) && !zone.stop.has(kind) && !seated(*zone);
        !rules.zones().iter().any(bars)
    };
    let place = |rng: &mut Rng| (rng.below(rules.size) as i32, rng.below(rules.size) as i32);
    // Where the scene wants him he may not be allowed to stand.
    let mut tries = 0;
    let king = loop {
        let (file, rank) = place(rng);
        tries += 1;
        let cell = match scene {
            _ if tries > 20 => (file, rank),
            Scene::Fort => rng.pick(&[(0, rank), (last, rank), (file, 0), (file, last)]),
            Scene::Throne if rng.percent(60) => (middle, middle),
            Scene::Throne => (middle + rng.below(3) as i32 - 1, middle + rng.below(3) as i32 - 1),
            Scene::Ring => (middle, middle),
            _ => (file, rank),
        };
        if may_stand(Kind::King, cell) {
            break cell;
        }
    };
    let (attackers, defenders) = (rng.below(45), rng.below(30));
    // Who crowds the edge; the other side stands inside of it.
    let besieged = if rng.percent(50) { (60, 15) } else { (15, 60) };
    let radius = 1 + rng.below(rules.size / 2) as i32;
    let mut ranks = Vec::new();
    for rank in (0..size).rev() {
        let mut text = String::new();
        let mut empty = 0;
        for file in 0..size {
            let cell = (file, rank);
            let from_edge = file.min(rank).min(last - file).min(last - rank);
            let (a, d) = match scene {
                Scene::Anywhere => (attackers, defenders),
                Scene::EdgeCrowd if from_edge == 0 => besieged,
                Scene::EdgeCrowd if from_edge == 1 => (besieged.1, besieged.0),
                Scene::Fort if distance(cell, king) <= 2 => (1, 62),
                Scene::Ring if distance(cell, king) == radius => (93, 2),
                Scene::Ring if distance(cell, king) < radius => (2, 25),
                Scene::Throne if (file - king.0).abs() + (rank - king.1).abs() == 1 => (72, 25),
                Scene::Hunted if distance(cell, king) <= 2 => (50, 15),
                _ => (12, 4),
            };
            let dice = rng.below(100);
            let kind = if cell == king {
                Some(Kind::King)
            } else if dice < a {
                Some(Kind::Attacker)
            } else {
                (dice < a + d).then_some(Kind::Defender)
            };
            match kind.filter(|&kind| may_stand(kind, cell)) {
                Some(kind) => {
                    if empty > 0 {
                        text.push_str(&empty.to_string());
                    }
                    empty = 0;
                    text.push(kind.letter());
                }
                None => empty += 1,
            }
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        ranks.push(text);
    }
    format!("{} {}", ranks.join("/"), rng.pick(&['a', 'd']))
}

/// Games from the start and from random boards under one rule set, all checked.
pub fn play_many(rules: &Arc<Rules>, games: usize, boards: usize, rng: &mut Rng, met: &mut Met) {
    let start = Game::start(Arc::clone(rules))
        .unwrap_or_else(|error| panic!("{}: start position: {error}", rules.id));
    for _ in 0..games {
        play_checked(start.clone(), 120, rng, met);
    }
    for i in 0..boards {
        let fen = scatter(rules, Scene::ALL[i % Scene::ALL.len()], rng);
        let game =
            start.with_fen(&fen).unwrap_or_else(|error| panic!("{} {fen}: {error}", rules.id));
        assert_eq!(game.fen(), fen, "{}: parse and print", rules.id);
        play_checked(game, 3, rng, met);
    }
}

/// A rule set of the catalogue, changed.
pub fn changed(id: &str, change: impl FnOnce(&mut Rules)) -> Arc<Rules> {
    let mut rules = variant(id).expect("a rule set of the catalogue").as_ref().clone();
    rules.id = "custom".to_owned();
    change(&mut rules);
    Arc::new(rules)
}

pub fn named(names: &str, size: usize) -> Vec<Square> {
    names.split(' ').map(|name| square(name, size)).collect()
}

pub fn block(
    files: std::ops::Range<usize>,
    ranks: std::ops::Range<usize>,
    size: usize,
) -> Vec<Square> {
    files.flat_map(|file| ranks.clone().map(move |rank| Square::at(file, rank, size))).collect()
}

pub fn game(rules: &Arc<Rules>, fen: &str) -> Game {
    let start = Game::start(Arc::clone(rules)).expect("start position");
    start.with_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Where the piece on `from` may go, in the order of the squares' names.
pub fn targets(rules: &Arc<Rules>, fen: &str, from: &str) -> String {
    let moves = move_names(&game(rules, fen));
    let targets: Vec<_> = moves.iter().filter_map(|name| name.strip_prefix(from)).collect();
    targets.join(" ")
}

/// Plays moves, which must be legal, and says how the game stands after each.
pub fn told(game: &mut Game, moves: &str) -> Vec<String> {
    let tell = |word| {
        let mv = game.read_move(word).unwrap_or_else(|error| panic!("{error} ({})", game.fen()));
        game.play(mv);
        status(game.outcome())
    };
    moves.split(' ').map(tell).collect()
}
