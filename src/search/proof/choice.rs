//! Which move of a position a proof search looks at next, and for how long.

use super::table::Numbers;
use crate::game::moves::Move;

/// A move of a position, with the numbers of what it leads to.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    /// The move.
    pub mv: Move,
    /// How near it is to being decided.
    pub numbers: Numbers,
}

/// What to do with a position whose moves have been looked at.
pub struct Choice {
    /// The move to look at next, or the one that decided.
    pub at: usize,
    /// The numbers of the position.
    pub numbers: Numbers,
    /// The thresholds of that move, if the position's own are not reached.
    pub most: Option<Numbers>,
}

/// The numbers of a position from those of its moves, and which to look at next, with which
/// thresholds. `ours`: the goal's side is to move.
///
/// What has to be proven together is not added up but counted as the dearest and one for each of
/// the others (weak proof-number search; Ueda, Hashimoto, Hashimoto and Iida 2008): the same
/// position often comes about by many of the moves, and a sum would count it as often. The move
/// that is looked at is kept until it is a quarter worse than the second best (the 1+ε trick;
/// Pawlewicz and Lew 2007).
pub fn choose(children: &[Child], ours: bool, most: Numbers) -> Choice {
    // Seen from the side to move: `easy` is what one move can reach, `hard` takes them all.
    let easy = |child: &Child| if ours { child.numbers.pn } else { child.numbers.dn };
    let hard = |child: &Child| if ours { child.numbers.dn } else { child.numbers.pn };
    let (mut at, mut best, mut second) = (0, Numbers::NEVER, Numbers::NEVER);
    let (mut dearest, mut open, mut longest) = (0, 0, 0);
    for (i, child) in children.iter().enumerate() {
        let (this, that) = (easy(child), hard(child));
        let better =
            this < best || this == best && children.get(at).is_some_and(|best| that < hard(best));
        if i == 0 || better {
            (at, second, best) = (i, best, this);
        } else {
            second = second.min(this);
        }
        if that > 0 {
            dearest = dearest.max(that);
            open += 1;
        }
        longest = longest.max(child.numbers.len);
    }
    let others = u32::max(open, 1) - 1;
    let together = match dearest {
        dearest if dearest >= Numbers::SOFT => dearest,
        dearest => dearest.saturating_add(others).min(Numbers::SOFT - 1),
    };
    let numbers = if ours {
        let len =
            if best == 0 { children.get(at).map_or(0, |child| child.numbers.len) + 1 } else { 0 };
        Numbers { pn: best, dn: together, len }
    } else {
        let len = if together == 0 { longest + 1 } else { 0 };
        Numbers { pn: together, dn: best, len }
    };
    let numbers = if numbers.is_proven() {
        Numbers::proven(numbers.len)
    } else if numbers.pn == Numbers::NEVER || numbers.is_disproven() {
        Numbers::DISPROVEN
    } else {
        numbers
    };
    if numbers.pn >= most.pn || numbers.dn >= most.dn {
        return Choice { at, numbers, most: None };
    }
    let (easy_most, hard_most) = if ours { (most.pn, most.dn) } else { (most.dn, most.pn) };
    let easy_next = easy_most.min(second.saturating_add(second / 4).saturating_add(1));
    let hard_next = hard_most - others.min(hard_most - 1);
    let next = if ours {
        Numbers::open(easy_next, hard_next)
    } else {
        Numbers::open(hard_next, easy_next)
    };
    Choice { at, numbers, most: Some(next) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::geometry::Square;

    fn children(numbers: &[(u32, u32)]) -> Vec<Child> {
        let child = |&(pn, dn): &(u32, u32)| Child {
            mv: Move { from: Square(0), to: Square(1) },
            numbers: Numbers { pn, dn, len: if pn == 0 { 4 } else { 0 } },
        };
        numbers.iter().map(child).collect()
    }

    const ALL: Numbers = Numbers::open(Numbers::SOFT, Numbers::SOFT);
    const NEVER: u32 = Numbers::NEVER;

    #[test]
    fn one_move_proves_and_all_disprove() {
        let choice = choose(&children(&[(3, 5), (1, 2), (NEVER, 0)]), true, ALL);
        // The dearest and one for the other.
        assert_eq!((choice.at, choice.numbers.pn, choice.numbers.dn), (1, 1, 6));
        assert_eq!(choice.most.map(|next| next.pn), Some(4));
        let choice = choose(&children(&[(3, 5), (0, NEVER)]), true, ALL);
        assert_eq!((choice.numbers, choice.at), (Numbers::proven(5), 1));
        let choice = choose(&children(&[(NEVER, 0), (NEVER, 0)]), true, ALL);
        assert_eq!(choice.numbers, Numbers::DISPROVEN);
    }

    #[test]
    fn all_answers_have_to_be_met() {
        let choice = choose(&children(&[(3, 5), (1, 2), (0, NEVER)]), false, ALL);
        assert_eq!((choice.at, choice.numbers.pn, choice.numbers.dn), (1, 4, 2));
        let choice = choose(&children(&[(0, NEVER), (0, NEVER)]), false, ALL);
        assert_eq!(choice.numbers, Numbers::proven(5));
        let choice = choose(&children(&[(0, NEVER), (NEVER, 0)]), false, ALL);
        assert_eq!(choice.numbers, Numbers::DISPROVEN);
    }

    #[test]
    fn a_failure_on_the_way_is_none_for_ever() {
        let soft = (Numbers::SOFT, 1);
        let choice = choose(&children(&[soft, (NEVER, 0)]), true, ALL);
        assert!(choice.numbers.has_failed() && !choice.numbers.is_disproven());
        assert!(choice.most.is_none());
        let choice = choose(&children(&[soft, (0, NEVER)]), false, ALL);
        assert!(choice.numbers.has_failed() && !choice.numbers.is_disproven());
    }
}
