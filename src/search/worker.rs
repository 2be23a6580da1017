//! [`Worker`]: one thread's search and everything it needs on the way.

use std::iter;

use rustc_hash::FxHashSet;

use super::history::{Arrival, History, Killers};
use super::ordering::{Character, Ranked};
use super::pv::Lines;
use super::score::{MAX_PLY, Score};
use super::shared::Shared;
use super::strength::Strength;
use super::tt::Table;
use crate::eval::Evaluation;
use crate::game::bits::Bits;
use crate::game::geometry::{Geometry, Square};
use crate::game::moves::Move;
use crate::game::position::Position;
use crate::game::rules::{Kind, RepetitionResult, Side};
use crate::game::tables::RuleTables;

/// What a win by repetition inside the tree counts: as good as a win, but its distance is not
/// known, since the game ends only when the position has occurred often enough.
pub const REPETITION_WIN: Score = Score::centipawns(i32::MAX);

/// The search was told to stop: what it was doing is unfinished and worth nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// What a part of the search returns.
pub type Searched<T = Score> = Result<T, Stopped>;

/// A search on one thread.
pub struct Worker<'a, G: Geometry, E> {
    /// The position looked at.
    pub position: Position<G>,
    pub(super) evaluation: E,
    pub(super) table: &'a Table,
    pub(super) history: &'a mut History,
    pub(super) killers: Killers,
    /// The judgements of the nodes of the current line, in centipawns for the side to move there.
    pub(super) judgements: [Option<i32>; MAX_PLY],
    /// What arrived where on the way from the root; nothing where a side passed.
    arrivals: Vec<Option<Arrival>>,
    /// The moves still to be tried at the nodes of the current line, one list behind the other.
    pub(super) moves: Vec<Ranked>,
    /// The best lines so far.
    pub lines: Lines,
    /// Nodes searched.
    pub nodes: u64,
    /// The longest line looked at, in plies.
    pub sel_depth: usize,
    /// Did anything rest on judgement since this was last reset? If not, searching deeper finds
    /// nothing new.
    pub judged: bool,
    /// Plies of the game before the root.
    root: usize,
    /// The keys of the root and of the positions before it that can occur again, so that a long
    /// game need not be looked through at each node.
    before: FxHashSet<u64>,
    /// Does the result of a repetition depend on who repeats?
    mover_matters: bool,
    /// Forced answers cost no depth in lines shorter than this, in plies.
    pub(super) longest_line: usize,
    /// Is it sure that only a man on the king's way closes it, and that nothing else answers it?
    pub(super) ways_are_forcing: bool,
    /// Is it sure that a king who can be taken has to be saved, and that nothing else helps?
    pub(super) danger_is_forcing: bool,
    pub(super) shared: &'a Shared<'a>,
    /// Which of the workers it is.
    number: usize,
    /// Plies of the iteration it is at.
    pub(super) iteration: u32,
    next_poll: u64,
}

impl<'a, G: Geometry, E: Evaluation<G>> Worker<'a, G, E> {
    /// A search from `position`, by the worker of this number.
    pub fn new(
        position: Position<G>,
        mut evaluation: E,
        history: &'a mut History,
        shared: &'a Shared<'a>,
        number: usize,
    ) -> Self {
        let missed = missed_win(&position);
        evaluation.reset(&position);
        Self {
            root: position.plies(),
            before: position.repeatable_keys().collect(),
            mover_matters: matches!(
                position.rules().repetition.result,
                RepetitionResult::MoverLoses | RepetitionResult::MoverWins
            ),
            ways_are_forcing: ways_are_forcing(position.tables()) && !missed,
            danger_is_forcing: !position.rules().exit_fort && !missed,
            evaluation,
            table: shared.table,
            history,
            killers: Killers::new(),
            judgements: [None; MAX_PLY],
            arrivals: Vec::with_capacity(MAX_PLY),
            moves: Vec::with_capacity(4096),
            lines: Lines::new(),
            nodes: 0,
            sel_depth: 0,
            judged: false,
            longest_line: 0,
            shared,
            number,
            iteration: 0,
            next_poll: 0,
            position,
        }
    }

    /// Counts a node, unless the search has to stop.
    #[inline]
    pub(super) fn visit(&mut self, ply: usize) -> Searched<()> {
        if self.nodes >= self.next_poll {
            self.poll()?;
        }
        self.nodes += 1;
        self.sel_depth = self.sel_depth.max(ply);
        Ok(())
    }

    #[cold]
    fn poll(&mut self) -> Searched<()> {
        // A weak player looks at every move once, whatever that takes.
        let is_enough = |strength: Strength| self.iteration > 1 && self.nodes >= strength.nodes();
        let overtaken = self.shared.deepest() > 0 && self.shared.deepest() >= self.iteration;
        if overtaken || self.shared.limits.strength.is_some_and(is_enough) {
            return Err(Stopped);
        }
        let more = self.shared.go_on(self.number, self.nodes, self.sel_depth).ok_or(Stopped)?;
        self.next_poll = self.nodes + more;
        Ok(())
    }

    /// The nodes of all workers.
    pub fn all_nodes(&self) -> u64 {
        self.shared.note(self.number, self.nodes, self.sel_depth);
        self.shared.nodes()
    }

    #[inline]
    pub(super) fn play(&mut self, mv: Move) {
        // As early as possible: memory takes longer than the move.
        self.table.prefetch(self.position.board().key_after(mv));
        self.arrivals.push(Some(self.arrival(mv)));
        self.position.play(mv);
        if self.position.last().is_some_and(|last| last.captured.any()) {
            self.table.prefetch(self.position.key());
        }
        self.evaluation.played(&self.position);
    }

    /// Lets the other side move.
    pub(super) fn pass(&mut self) {
        self.arrivals.push(None);
        self.position.pass();
        self.evaluation.played(&self.position);
    }

    /// Takes back a move or a pass.
    #[inline]
    pub(super) fn undo(&mut self) {
        self.arrivals.pop();
        self.position.undo();
        self.evaluation.undone(&self.position);
    }

    /// What a move of the side to move brings where.
    #[inline]
    fn arrival(&self, mv: Move) -> Arrival {
        Arrival::new(self.kind_of(mv), mv.to.index(), G::SQUARES)
    }

    #[inline]
    pub(super) fn kind_of(&self, mv: Move) -> Kind {
        let board = self.position.board();
        if board.king() == Some(mv.from) { Kind::King } else { board.side().soldier() }
    }

    /// The arrivals of the last two plies, the last first.
    #[inline]
    pub(super) fn before(&self) -> [Option<Arrival>; 2] {
        let mut last = self.arrivals.iter().rev().copied();
        [last.next().flatten(), last.next().flatten()]
    }

    /// Rewards a move of the side to move, or punishes it.
    pub(super) fn reward(&mut self, mv: Ranked, bonus: i32) {
        let side = self.position.side();
        if mv.character == Character::Capture {
            self.history.reward_capture(side, mv.mv, bonus);
            return;
        }
        self.history.reward_quiet(side, mv.mv, bonus);
        let now = self.arrival(mv.mv);
        for then in self.before().into_iter().flatten() {
            self.history.reward_continuation(then, now, bonus);
        }
    }

    /// The judgement of the position for the side to move.
    #[inline]
    pub(super) fn judge(&mut self) -> Score {
        self.judged = true;
        Score::centipawns(self.evaluation.evaluate(&self.position))
    }

    /// The score of a node at which the game is over, or which repeats a position so that it counts
    /// as over.
    #[inline]
    pub(super) fn ended(&self, ply: usize) -> Option<Score> {
        if self.position.rules().depends_on_past()
            && let Some(score) = self.ended_by_past(ply)
        {
            return Some(score);
        }
        if let Some(outcome) = self.position.board().decided(self.position.tables()) {
            let won = outcome.winner == Some(self.position.side());
            return Some(decided_score(won, ply));
        }
        self.repeated(ply)
    }

    /// The score of a node where the rules look at the past of the game. A move that it forbids is
    /// made all the same, being in the list of moves, and is worth as little as having no move.
    #[cold]
    fn ended_by_past(&self, ply: usize) -> Option<Score> {
        let (board, tables) = (self.position.board(), self.position.tables());
        if ply > 0 && self.position.last_was_forbidden() {
            return Some(Score::win_in(ply as u32 - 1));
        }
        let drawn = self.position.is_at_ply_limit()
            && board.decided(tables).is_none()
            && board.has_move(tables);
        drawn.then_some(Score::ZERO)
    }

    /// The score of a root without a move to choose: the game is over, or moves were ruled out.
    pub fn score_without_moves(&mut self) -> Score {
        match self.ended(0) {
            Some(score) => score,
            None if !self.position.board().has_move(self.position.tables()) => Score::loss_in(0),
            None => self.judge(),
        }
    }

    /// A position that repeats one after the root counts as the end of the game: whoever had
    /// something better this time had it the first time. One that repeats positions before the root
    /// counts only when it has occurred often enough.
    ///
    /// Where the result depends on who repeats, it is the one whose move would end the game if both
    /// went on; the root begins such a round too, since whose turn it is to repeat depends on it.
    fn repeated(&self, ply: usize) -> Option<Score> {
        let rule = self.position.rules().repetition;
        if ply == 0 || rule.limit == 0 {
            return None;
        }
        let over = self.before.contains(&self.position.key()) && self.position.is_repetition();
        let mover = if over {
            self.position.side().other()
        } else if self.mover_matters {
            self.position.round_ends_with(self.root)?
        } else if self.position.occurred_after(self.root) {
            self.position.side().other()
        } else {
            return None;
        };
        Some(match self.position.repetition_by(mover).winner {
            None => Score::ZERO,
            // The game is over by the next move: that is as proven as any other win.
            Some(winner) if over && ply == 1 => decided_score(winner == self.position.side(), 1),
            Some(winner) if winner == self.position.side() => REPETITION_WIN,
            Some(_) => -REPETITION_WIN,
        })
    }

    /// Does a score rest on a repetition? Such a score depends on how the position came about, so it
    /// says nothing to those who reach it another way.
    #[inline]
    pub(super) fn rests_on_repetition(&self, score: Score) -> bool {
        match self.position.rules().repetition.result {
            RepetitionResult::Draw => score == Score::ZERO,
            _ => score == REPETITION_WIN || score == -REPETITION_WIN,
        }
    }

    /// The result of a node whose side to move can win or cannot avoid to lose by force, found
    /// without looking ahead. With `PV` the line to the end is noted.
    #[inline]
    pub(super) fn recognised<const PV: bool>(&mut self, ply: usize, exits: u32) -> Option<Score> {
        let (board, tables) = (self.position.board(), self.position.tables());
        match self.position.side() {
            Side::Defenders if exits > 0 => {
                if PV {
                    let mv = self.escape();
                    self.lines.set(ply, mv.as_slice());
                }
                Some(Score::win_in(ply as u32 + 1))
            }
            Side::Attackers if board.king_can_be_taken(tables) => {
                if PV {
                    let mv = self.king_capture();
                    self.lines.set(ply, mv.as_slice());
                }
                Some(Score::win_in(ply as u32 + 1))
            }
            // One man cannot close two ways.
            Side::Attackers if exits >= 2 && self.ways_are_forcing && board.has_move(tables) => {
                if PV {
                    self.note_vain_move(ply);
                }
                Some(Score::loss_in(ply as u32 + 2))
            }
            Side::Defenders if self.ways_are_forcing => {
                let (mv, forks) = (self.position.board().king()?, board.king_forks(tables));
                if forks.is_empty() {
                    return None;
                }
                self.winning_fork::<PV>(ply, mv, forks)
            }
            _ => None,
        }
    }

    /// The score of defenders to move whose king goes to one of some squares where he threatens to
    /// win in two directions and cannot be taken: one man cannot close two ways.
    fn winning_fork<const PV: bool>(
        &mut self,
        ply: usize,
        king: Square,
        forks: G::Bits,
    ) -> Option<Score> {
        forks.squares().map(|to| Move { from: king, to: Square(to as u16) }).find_map(|mv| {
            self.position.play(mv);
            let (board, tables) = (self.position.board(), self.position.tables());
            let wins = board.king_exits(tables) >= 2
                && board.decided(tables).is_none()
                && !board.king_can_be_taken(tables)
                && board.has_move(tables)
                && self.repeated(ply + 1).is_none();
            if wins && PV {
                self.note_vain_move(ply + 1);
                self.lines.extend(ply, mv);
            }
            self.position.undo();
            wins.then(|| Score::win_in(ply as u32 + 3))
        })
    }

    /// The king's winning move.
    fn escape(&self) -> Option<Move> {
        let (board, tables) = (self.position.board(), self.position.tables());
        Some(Move { from: board.king()?, to: board.king_exit(tables)? })
    }

    /// The move that takes the king.
    fn king_capture(&self) -> Option<Move> {
        let (board, tables) = (self.position.board(), self.position.tables());
        board.king_capture_squares(tables).squares().find_map(|to| {
            let to = Square(to as u16);
            let (_, from) = board.movers_to(tables, Side::Attackers, to).next()?;
            Some(Move { from, to })
        })
    }

    /// Notes some move of the side to move and the one by which the opponent wins after it.
    #[cold]
    pub(super) fn note_vain_move(&mut self, ply: usize) {
        let mut moves = Vec::new();
        self.position.board().moves(self.position.tables(), &mut moves);
        if let Some(&mv) = moves.first() {
            self.position.play(mv);
            let answer = match self.position.side() {
                Side::Attackers => self.king_capture(),
                Side::Defenders => self.escape(),
            };
            let line: Vec<_> = iter::once(mv).chain(answer).collect();
            self.position.undo();
            self.lines.set(ply, &line);
        }
    }
}

fn decided_score(won: bool, ply: usize) -> Score {
    if won { Score::win_in(ply as u32) } else { Score::loss_in(ply as u32) }
}

/// An open way of the king to a goal can be answered by a man on it or by taking the king. The one
/// thing else, encirclement, is out of question if an open way leads to the edge.
fn ways_are_forcing<G: Geometry>(tables: &RuleTables<G>) -> bool {
    let rules = &tables.rules;
    let barred = rules.squares().filter(|&square| !rules.may_stop(Kind::Attacker, square));
    let barred = barred.fold(G::Bits::EMPTY, |set, square| set | G::Bits::bit(square.index()));
    let joined_to_edge = tables.flood(tables.edge, barred);
    !rules.encirclement || tables.goals.minus(joined_to_edge).is_empty()
}

/// Is there a position that can occur again in which a side did not win at once though it could?
/// An answer to such a threat may then end the game by repetition, whatever else is threatened.
fn missed_win<G: Geometry>(position: &Position<G>) -> bool {
    let mut earlier = position.clone();
    for _ in 1..position.repeatable_keys().count() {
        earlier.undo();
        let (board, tables) = (earlier.board(), earlier.tables());
        let missed = match board.side() {
            Side::Attackers => board.king_can_be_taken(tables),
            Side::Defenders => board.king_exits(tables) > 0,
        };
        if missed {
            return true;
        }
    }
    false
}
