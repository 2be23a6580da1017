//! Squares that are the same to the evaluation: those which symmetry takes into each other.

/// How many classes of squares a board of `size` has under its eight symmetries.
pub const fn classes(size: usize) -> usize {
    let middle = size / 2;
    (middle + 1) * (middle + 2) / 2
}

/// How far a line is from the nearer edge.
pub const fn edge_distance(line: usize, size: usize) -> usize {
    let other = size - 1 - line;
    if line < other { line } else { other }
}

/// The class of a square of a board of `size` among those of a board of `reference`, from the corner
/// (0) to the middle.
pub const fn class(file: usize, rank: usize, size: usize, reference: usize) -> usize {
    let a = scaled(edge_distance(file, size), size / 2, reference / 2);
    let b = scaled(edge_distance(rank, size), size / 2, reference / 2);
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    high * (high + 1) / 2 + low
}

/// A distance of `middle` at the most as one of `other` at the most, rounded.
pub const fn scaled(distance: usize, middle: usize, other: usize) -> usize {
    (2 * distance * other + middle) / (2 * middle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_numbered_without_gaps() {
        for size in [7, 9, 11, 13, 15, 17, 19] {
            let mut seen = vec![0; classes(size)];
            for (file, rank) in (0..size).flat_map(|file| (0..size).map(move |rank| (file, rank))) {
                let here = class(file, rank, size, size);
                seen[here] += 1;
                assert_eq!(class(rank, size - 1 - file, size, size), here);
            }
            assert!(seen.iter().all(|&count| matches!(count, 1 | 4 | 8)), "{size} {seen:?}");
        }
        // Edge, corner and middle of one board are those of every other.
        assert_eq!(class(0, 0, 11, 7), 0);
        assert_eq!(class(5, 5, 11, 7), class(3, 3, 7, 7));
        assert_eq!(class(0, 5, 11, 9), class(0, 4, 9, 9));
    }
}
