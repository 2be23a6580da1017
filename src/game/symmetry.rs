//! Positions that are mirror images or rotations of each other.

use super::any_size::Game;
use super::geometry::Square;
use super::rules::{Rules, Zone};

/// The image of a square of a board of `size` under one of the eight symmetries, 0 to 7.
pub fn image(square: Square, symmetry: u32, size: usize) -> Square {
    let (mut file, mut rank) = square.file_rank(size);
    if symmetry & 1 != 0 {
        file = size - 1 - file;
    }
    if symmetry & 2 != 0 {
        rank = size - 1 - rank;
    }
    if symmetry & 4 != 0 {
        (file, rank) = (rank, file);
    }
    Square::at(file, rank, size)
}

/// Does the symmetry leave the rules as they are? It must take every zone to itself.
fn preserves(rules: &Rules, symmetry: u32) -> bool {
    let sets = |zone: &Zone, symmetry: Option<u32>| {
        let mut groups: Vec<Vec<Square>> =
            zone.groups.iter().chain([&zone.lenient]).cloned().collect();
        for group in &mut groups {
            for square in group.iter_mut() {
                *square = symmetry.map_or(*square, |symmetry| image(*square, symmetry, rules.size));
            }
            group.sort_unstable();
        }
        groups.sort_unstable();
        groups
    };
    rules.zones().iter().all(|zone| sets(zone, Some(symmetry)) == sets(zone, None))
}

/// A text that is the same for positions which are the same up to the symmetries of their rules,
/// and only for those.
pub fn canonical(game: &Game) -> String {
    let (rules, size) = (game.rules(), game.size());
    let seen_through = |symmetry| -> String {
        let squares = rules.squares().map(|square| image(square, symmetry, size));
        squares.map(|square| game.piece_at(square).map_or('.', |kind| kind.letter())).collect()
    };
    let symmetries = (0..8).filter(|&symmetry| preserves(rules, symmetry));
    let least = symmetries.map(seen_through).min().unwrap_or_default();
    format!("{least} {}", game.side().letter())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variants::{variant, variants};
    use std::sync::Arc;

    #[test]
    fn the_eight_images_are_one() {
        let start = Game::start(variant("tablut").unwrap()).unwrap();
        let after = |mv: &str| {
            let mut game = start.clone();
            game.play(game.read_move(mv).unwrap());
            canonical(&game)
        };
        let images = ["e4b4", "e4h4", "e6b6", "e6h6", "d5d2", "d5d8", "f5f2", "f5f8"].map(after);
        assert!(images.iter().all(|image| *image == images[0]));
        assert_ne!(after("e4c4"), images[0]);
        let other_side = start.with_fen(&format!("{} a", start.placement())).unwrap();
        assert_ne!(canonical(&other_side), canonical(&start));
    }

    #[test]
    fn only_symmetries_of_the_rules_count() {
        for rules in variants() {
            assert!((0..8).all(|symmetry| preserves(rules, symmetry)), "{}", rules.id);
        }
        let mut rules = (*variant("tablut-ashton").unwrap()).clone();
        rules.attacker_camps.groups.pop();
        let game = Game::start(Arc::new(rules)).unwrap();
        let kept = (0..8).filter(|&symmetry| preserves(game.rules(), symmetry)).count();
        // Only mirroring left and right still fits three camps.
        assert_eq!(kept, 2);
    }
}
