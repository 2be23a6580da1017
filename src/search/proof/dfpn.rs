//! Depth-first proof-number search (A. Nagai, 2002): of all open positions the one is looked at next
//! that is nearest to a proof or a disproof, and only what fits into a table is remembered.
//!
//! The question is whether one side, the goal, forces a win. A position that comes back on the way
//! from the root counts as no win, whatever the rules make of it: who can win by force can do so
//! without passing any position twice. So a proof holds however a position came about, and may be
//! remembered. A failure that rests on such a return holds only on its way; it is remembered for one
//! pass of the search, and forgotten before the next.
//!
//! With a bound on the plies a position and the plies left stand for each other: nothing comes back,
//! and disproofs hold as well as proofs.

use std::time::Instant;

use super::table::{Entry, Numbers, Table};
use crate::game::bits::Bits;
use crate::game::geometry::Geometry;
use crate::game::moves::Move;
use crate::game::position::Position;
use crate::game::rules::Side;
use crate::search::limits::Control;
use crate::search::strength::mixed;

/// As many plies as it takes.
pub const UNBOUNDED: u16 = u16::MAX;
/// A way so long, in plies, is given up.
const LONGEST: usize = 500;
/// Nodes between looks at the clock.
const POLL: u64 = 2_000;

/// The search was told to stop, or has used up its effort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// What ends a proof search early.
#[derive(Clone, Copy, Debug)]
pub struct Watch<'a> {
    /// Who may say stop.
    pub control: &'a Control,
    /// When the time is up.
    pub deadline: Option<Instant>,
}

impl Watch<'_> {
    /// Is it over?
    pub fn is_over(&self) -> bool {
        self.control.is_stopped()
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// A move of a position, with the numbers of what it leads to.
#[derive(Clone, Copy, Debug)]
struct Child {
    mv: Move,
    numbers: Numbers,
}

/// The search for a win of one side from one position.
pub struct Solver<'a, G: Geometry> {
    /// The position looked at.
    pub position: Position<G>,
    /// Who is to win.
    pub goal: Side,
    /// Plies of the game before the root.
    pub(super) root: usize,
    /// May a position from before the root come about so often that the goal wins by it?
    pub(super) past_may_win: bool,
    table: &'a mut Table,
    /// Tells the entries of this question from all others.
    salt: u64,
    /// Positions looked at.
    pub nodes: u64,
    /// Where to stop.
    pub most_nodes: u64,
    next_poll: u64,
    watch: Watch<'a>,
    /// Failures that rest on a return are believed in one pass only.
    pub(super) pass: u8,
    /// Positions proven so far.
    proofs: u64,
    /// For each ply the moves that decided a position last.
    killers: Vec<[Option<Move>; 2]>,
}

impl<'a, G: Geometry> Solver<'a, G> {
    /// For a question that nobody has asked with this `salt` before.
    pub fn new(
        position: Position<G>,
        goal: Side,
        table: &'a mut Table,
        salt: u64,
        watch: Watch<'a>,
    ) -> Self {
        let past_may_win = position.repeatable_keys().nth(1).is_some();
        Self {
            root: position.plies(),
            past_may_win,
            goal,
            table,
            salt: mixed(salt ^ (goal as u64) << 63),
            nodes: 0,
            most_nodes: u64::MAX,
            next_poll: 0,
            watch,
            pass: 0,
            proofs: 0,
            killers: Vec::new(),
            position,
        }
    }

    /// Searches on, up to `most_nodes` nodes, with so many plies left. What it returns is open if it
    /// stopped; a failure is one for ever or rests on returns, in which case nothing is left to
    /// try.
    pub fn search(&mut self, left: u16) -> Result<Numbers, Stopped> {
        loop {
            let before = self.proofs;
            let numbers = match self.settled(left) {
                Some(numbers) => numbers,
                None => self.expand_root(left)?,
            };
            if !numbers.has_failed() || numbers.is_disproven() || self.proofs == before {
                return Ok(numbers);
            }
            // With what has been proven since, what failed may succeed.
            self.pass = self.pass.wrapping_add(1);
        }
    }

    fn expand_root(&mut self, left: u16) -> Result<Numbers, Stopped> {
        let all = Numbers::open(Numbers::SOFT, Numbers::SOFT);
        self.visit(all, left, 0)
    }

    /// The key of the position with so many plies left.
    fn key(&self, left: u16) -> u64 {
        let bound = if left == UNBOUNDED { 0 } else { mixed(u64::from(left)) };
        self.position.key() ^ self.salt ^ bound
    }

    /// What the table knows of the position.
    pub fn known(&self, left: u16) -> Option<&Entry> {
        let entry = self.table.probe(self.key(left))?;
        let rests_on_return = entry.numbers.has_failed() && !entry.numbers.is_disproven();
        (!rests_on_return || entry.pass == self.pass).then_some(entry)
    }

    /// The size of the table, in bytes.
    pub fn table_bytes(&self) -> usize {
        self.table.capacity() * size_of::<Entry>()
    }

    /// Counts a position, unless the search has to stop.
    pub fn count(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            self.next_poll = (self.nodes + POLL).min(self.most_nodes);
            if self.nodes >= self.most_nodes || self.watch.is_over() {
                self.next_poll = 0;
                return Err(Stopped);
            }
        }
        Ok(())
    }

    /// Searches below an open position until it is decided or its numbers reach the thresholds.
    fn visit(&mut self, most: Numbers, left: u16, ply: usize) -> Result<Numbers, Stopped> {
        let before = self.nodes;
        let ours = self.position.side() == self.goal;
        let mut children = match self.expand(left, ply)? {
            Expanded::Decided(mv, numbers) => {
                self.keep(left, numbers, Some(mv), before);
                return Ok(numbers);
            }
            Expanded::Open(children) => children,
        };
        loop {
            let Choice { at, numbers, most: next } = choose(&children, ours, most);
            let mv = children.get(at).map(|child| child.mv);
            let Some(next) = next else {
                self.keep(left, numbers, mv, before);
                if let Some(mv) = mv.filter(|_| numbers.is_proven() == ours) {
                    self.note(ply, mv);
                }
                return Ok(numbers);
            };
            let Some(child) = children.get_mut(at) else { return Ok(numbers) };
            self.position.play(child.mv);
            let found = self.visit(next, one_less(left), ply + 1);
            self.position.undo();
            match found {
                Ok(found) => child.numbers = found,
                Err(Stopped) => {
                    // What is known so far is of use when the search goes on.
                    self.keep(left, numbers, mv, before);
                    return Err(Stopped);
                }
            }
        }
    }

    fn keep(&mut self, left: u16, numbers: Numbers, mv: Option<Move>, before: u64) {
        self.proofs += u64::from(numbers.is_proven());
        let nodes = self.nodes - before;
        self.table.store(Entry::new(self.key(left), numbers, mv, self.pass, nodes));
    }

    /// The moves of an open position with their numbers, unless one of them decides it.
    fn expand(&mut self, left: u16, ply: usize) -> Result<Expanded, Stopped> {
        let ours = self.position.side() == self.goal;
        let too_long = ply >= LONGEST;
        let moves = self.ordered(left, ply);
        let mut children = Vec::with_capacity(moves.len());
        for mv in moves {
            self.count()?;
            self.position.play(mv);
            let numbers = match self.look(one_less(left)) {
                numbers if too_long && !numbers.is_proven() => Numbers::FAILED_HERE,
                numbers => numbers,
            };
            self.position.undo();
            if ours && numbers.is_proven() {
                self.note(ply, mv);
                return Ok(Expanded::Decided(mv, Numbers::proven(numbers.len + 1)));
            }
            if !ours && numbers.has_failed() {
                self.note(ply, mv);
                let numbers = if numbers.is_disproven() { numbers } else { Numbers::FAILED_HERE };
                return Ok(Expanded::Decided(mv, numbers));
            }
            children.push(Child { mv, numbers });
        }
        Ok(Expanded::Open(children))
    }

    /// The numbers of the position just reached.
    fn look(&mut self, left: u16) -> Numbers {
        if let Some(numbers) = self.settled(left) {
            return numbers;
        }
        match self.known(left) {
            Some(entry) => entry.numbers,
            None => self.guess(),
        }
    }

    /// The moves, the likely ones first: only the order rests on it.
    fn ordered(&mut self, left: u16, ply: usize) -> Vec<Move> {
        let first = self.known(left).and_then(Entry::mv);
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        let (board, tables) = (self.position.board(), self.position.tables());
        let mut moves = Vec::with_capacity(96);
        board.moves(tables, &mut moves);
        let side = board.side();
        let captures = board.capture_squares(tables, side);
        let answers = match side {
            Side::Attackers => board.king_exit_squares(tables),
            Side::Defenders if board.king_can_be_taken(tables) => board.king_rescue(tables).0,
            Side::Defenders => board.king_set(),
        };
        let king = board.king();
        let near = king.map_or(G::Bits::EMPTY, |king| tables.near[king.index()]);
        moves.sort_by_cached_key(|mv| {
            let to = mv.to.index();
            if Some(*mv) == first {
                0_u8
            } else if killers.contains(&Some(*mv)) {
                1
            } else if answers.has(to) || side == Side::Defenders && Some(mv.from) == king {
                2
            } else if captures.has(to) || side == Side::Attackers && near.has(to) {
                3
            } else {
                4
            }
        });
        moves
    }

    fn note(&mut self, ply: usize, mv: Move) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        if let Some([first, second]) = self.killers.get_mut(ply)
            && *first != Some(mv)
        {
            *second = first.replace(mv);
        }
    }
}

/// The moves of a position.
enum Expanded {
    /// One move decides it.
    Decided(Move, Numbers),
    /// No move does.
    Open(Vec<Child>),
}

/// Plies left after a move.
pub fn one_less(left: u16) -> u16 {
    if left == UNBOUNDED { left } else { left.saturating_sub(1) }
}

/// What to do with a position whose moves have been looked at.
struct Choice {
    /// The move to look at next, or the one that decided.
    at: usize,
    /// The numbers of the position.
    numbers: Numbers,
    /// The thresholds of that move, if the position's own are not reached.
    most: Option<Numbers>,
}

/// The numbers of a position from those of its moves, and which to look at next, with which
/// thresholds. `ours`: the goal's side is to move.
///
/// What has to be proven together is not added up but counted as the dearest and one for each of
/// the others (weak proof-number search; Ueda, Hashimoto, Hashimoto and Iida 2008): the same
/// position often comes about by many of the moves, and a sum would count it as often. The move
/// that is looked at is kept until it is a quarter worse than the second best (the 1+ε trick;
/// Pawlewicz and Lew 2007).
fn choose(children: &[Child], ours: bool, most: Numbers) -> Choice {
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
