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

use super::choice::{Child, Choice, choose};
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
