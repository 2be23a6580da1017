//! [`Window`]: the scores a search cares to tell apart.

use super::score::Score;

/// An open interval of scores: what is at most `alpha` or at least `beta` need not be known better.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// The side to move has this elsewhere.
    pub alpha: Score,
    /// The opponent allows no more than this.
    pub beta: Score,
}

impl Window {
    /// Every score.
    pub fn full() -> Self {
        Self { alpha: -Score::INFINITE, beta: Score::INFINITE }
    }

    /// The scores within `margin` centipawns of a score.
    pub fn around(score: Score, margin: i32) -> Self {
        Self {
            alpha: Score::from_value(score.value() - margin).max(-Score::INFINITE),
            beta: Score::from_value(score.value() + margin).min(Score::INFINITE),
        }
    }

    /// The question whether the score is above `alpha`.
    pub fn null(alpha: Score) -> Self {
        Self { alpha, beta: alpha.next() }
    }

    /// The lower end as a null window.
    pub fn at_alpha(self) -> Self {
        Self::null(self.alpha)
    }

    /// The window seen by the opponent.
    pub fn flipped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// Without the scores that no line through a node `ply` plies down can have: being lost there
    /// already is the worst, a win by the next move the best (mate distance pruning).
    pub fn clipped(self, ply: usize) -> Self {
        Self {
            alpha: self.alpha.max(Score::loss_in(ply as u32)),
            beta: self.beta.min(Score::win_in(ply as u32 + 1)),
        }
    }

    /// Is no score left inside?
    pub fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_narrow_and_flip() {
        let window = Window::around(Score::centipawns(10), 30);
        assert_eq!((window.alpha.value(), window.beta.value()), (-20, 40));
        assert_eq!(window.flipped().flipped(), window);
        assert_eq!(window.flipped().alpha.value(), -40);
        assert_eq!(Window::around(Score::win_in(1), 100).beta, Score::INFINITE);
        assert!(Window { alpha: Score::win_in(3), ..Window::full() }.clipped(2).is_empty());
        assert!(!Window { alpha: Score::win_in(4), ..Window::full() }.clipped(2).is_empty());
        assert!(Window::null(Score::ZERO).alpha < Window::null(Score::ZERO).beta);
    }
}
