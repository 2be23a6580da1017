//! The tree above the horizon: alpha-beta in its negamax form, with null windows for all moves but
//! the first (principal variation search, Marsland and Campbell 1982).

use super::busy::Work;
use super::limits::Bound;
use super::ordering::{Character, pick};
use super::pruning;
use super::score::{MAX_PLY, Score};
use super::tt::{DEEPEST_ENTRY, Entry};
use super::window::Window;
use super::worker::{Searched, Worker};
use crate::eval::Evaluation;
use crate::game::bits::Bits;
use crate::game::geometry::Geometry;
use crate::game::moves::Move;
use crate::game::rules::Side;

/// What the side to move has to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Task {
    /// Nothing special.
    Any,
    /// The attackers have to close the king's way: nothing else is tried.
    CloseWay,
    /// The defenders have to save the king: nothing else is tried.
    SaveKing,
}

/// A node whose moves are being tried.
#[derive(Clone, Copy, Debug)]
struct Node {
    ply: usize,
    depth: i32,
    /// The move to try first, from the table: a legal one.
    table_move: Option<Move>,
    /// By how many plies the move from the table is searched deeper than the others.
    extension: i32,
    /// A move that is not to be tried: the node is searched to learn how good the others are.
    excluded: Option<Move>,
    /// What the side to move has to do.
    task: Task,
    /// The worth without a search, in centipawns for the side to move; none where a way is open or
    /// the king may be taken, since it would mean nothing there.
    judgement: Option<i32>,
    /// Does the side to move stand better than two plies ago?
    improving: bool,
}

impl<G: Geometry, E: Evaluation<G>> Worker<'_, G, E> {
    /// The score of the position for the side to move, looking `depth` plies ahead. `PV`: the node
    /// is on the principal variation, so its line is noted and its score must not come from the
    /// table.
    pub(super) fn negamax<const PV: bool>(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Searched {
        if ply >= MAX_PLY - 1 || depth <= 0 && !self.is_king_in_danger() {
            return self.quiesce::<PV>(window, ply);
        }
        self.visit(ply)?;
        if PV {
            self.lines.clear(ply);
        }
        if let Some(score) = self.ended(ply) {
            return Ok(score);
        }
        let window = window.clipped(ply);
        if window.is_empty() {
            return Ok(window.alpha);
        }
        let exits = self.position.board().king_exits(self.position.tables());
        if let Some(score) = self.recognised::<PV>(ply, exits) {
            return Ok(score);
        }
        let depth = depth.max(1);
        let known = self.table.probe(self.position.key());
        if let Some(known) = known.filter(|known| !PV && i32::from(known.depth) >= depth)
            && let Some(score) = known.settles(window, ply)
        {
            self.judged |= !score.is_proven();
            return Ok(score);
        }
        // Defenders with an open way have been recognised as winners above.
        let in_danger = self.position.side() == Side::Defenders
            && self.position.board().king_can_be_taken(self.position.tables());
        let task = if exits > 0 && self.position.side() == Side::Attackers && self.ways_are_forcing
        {
            Task::CloseWay
        } else if in_danger && self.is_danger_forcing() {
            Task::SaveKing
        } else {
            Task::Any
        };
        let judgement = if in_danger || task != Task::Any {
            None
        } else {
            let known = known.and_then(|known| known.judgement).map(i32::from);
            Some(known.unwrap_or_else(|| self.evaluation.evaluate(&self.position)))
        };
        let improving = self.note_judgement(ply, judgement);
        if !PV
            && let Some(judgement) = judgement
            && let Some(score) = self.prune_node(window, depth, ply, judgement)?
        {
            return Ok(score);
        }
        let table_move = known.and_then(|known| known.mv);
        // An answer that is forced costs no depth, as long as the line does not grow too long. A
        // node of which nothing is known is hardly worth its depth.
        let depth = if task == Task::CloseWay && ply < self.longest_line {
            depth + 1
        } else if table_move.is_none() && depth >= pruning::UNKNOWN_DEPTH {
            depth - 1
        } else {
            depth
        };
        let table_move = table_move.filter(|&mv| {
            let (board, tables) = (self.position.board(), self.position.tables());
            board.is_move(tables, mv)
                && (task != Task::CloseWay || board.king_exit_squares(tables).has(mv.to.index()))
        });
        let (extension, excluded) = (0, None);
        let mut node =
            Node { ply, depth, table_move, extension, excluded, task, judgement, improving };
        if let Some(known) = known
            && self.is_singular(node, known)?
        {
            node.extension = 1;
        }
        self.try_moves::<PV>(window, node)
    }

    /// Is the move from the table better by some margin than all others, as far as a shallower
    /// search can tell (singular extensions, Anantharaman, Campbell and Hsu 1988)?
    fn is_singular(&mut self, node: Node, known: Entry) -> Searched<bool> {
        let Node { ply, depth, table_move, .. } = node;
        let score = known.score.from_root(ply as u32);
        if table_move.is_none()
            || depth < pruning::SINGULAR_DEPTH
            || ply >= self.longest_line
            || i32::from(known.depth) < depth - pruning::SINGULAR_SHALLOWER
            || known.bound == Bound::Upper
            || score.is_proven()
        {
            return Ok(false);
        }
        let margin = pruning::SINGULAR_MARGIN * depth;
        let alpha = Score::centipawns(score.value() - margin);
        let others =
            Node { depth: (depth - 1) / 2, table_move: None, excluded: table_move, ..node };
        Ok(self.try_moves::<false>(Window::null(alpha), others)? <= alpha)
    }

    /// Does a king in danger have to be saved by one of the moves that are listed for it? A fort on
    /// the edge ends the game before he is taken.
    fn is_danger_forcing(&self) -> bool {
        let (board, tables) = (self.position.board(), self.position.tables());
        self.danger_is_forcing && !(tables.rules.exit_fort && board.king_set().meets(tables.edge))
    }

    /// Notes the judgement of a node and says whether the side to move stands better than two plies
    /// ago.
    fn note_judgement(&mut self, ply: usize, judgement: Option<i32>) -> bool {
        self.judgements[ply] = judgement;
        let before = ply.checked_sub(2).and_then(|ply| self.judgements[ply]);
        judgement.zip(before).is_none_or(|(now, before)| now > before)
    }

    /// The score of a node that need not be searched, if its judgement is far enough from the
    /// window.
    fn prune_node(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
        judgement: i32,
    ) -> Searched<Option<Score>> {
        let Window { alpha, beta } = window;
        if !beta.is_proven()
            && depth <= pruning::REVERSE_DEPTH
            && judgement - pruning::REVERSE_MARGIN * depth >= beta.value()
        {
            self.judged = true;
            return Ok(Some(Score::centipawns(judgement)));
        }
        if !alpha.is_proven()
            && depth <= pruning::RAZOR_DEPTH
            && judgement + pruning::RAZOR_MARGIN * depth <= alpha.value()
        {
            let score = self.quiesce::<false>(window, ply)?;
            if score <= alpha {
                return Ok(Some(score));
            }
        }
        if !beta.is_proven()
            && depth >= pruning::NULL_DEPTH
            && judgement >= beta.value()
            && self.may_pass()
        {
            self.pass();
            let null = Window::null(beta.previous()).flipped();
            let score =
                self.negamax::<false>(null, depth - pruning::null_reduction(depth), ply + 1);
            self.undo();
            let score = -score?;
            if score >= beta {
                self.judged = true;
                return Ok(Some(if score.is_proven() { beta } else { score }));
            }
        }
        Ok(None)
    }

    /// Is it likely that some move is better than none?
    fn may_pass(&self) -> bool {
        let (board, tables) = (self.position.board(), self.position.tables());
        self.position.last().is_none_or(|last| !last.is_pass())
            && board.count_moves(tables) >= pruning::NULL_MOVES
    }

    /// The best score of a node's moves.
    fn try_moves<const PV: bool>(&mut self, window: Window, node: Node) -> Searched {
        let Node { ply, depth, table_move, excluded, task, .. } = node;
        let Window { mut alpha, beta } = window;
        let first = self.moves.len();
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut tried = 0;
        if let Some(mv) = table_move {
            // Often enough it is the only one needed.
            best = self.try_first::<PV>(window, node, mv)?;
            tried = 1;
            if best > alpha {
                alpha = best;
                best_move = Some(mv);
                if PV {
                    self.lines.extend(ply, mv);
                }
            }
        }
        // Where nothing quiet can reach the window, quiet moves are not even listed.
        let mut good = 0;
        let reach = if PV || best >= beta { None } else { self.futile_reach(window, node) };
        if best < beta {
            let done = table_move.or(excluded);
            good = match task {
                Task::CloseWay => {
                    let ways = self.position.board().king_exit_squares(self.position.tables());
                    self.list_moves_to(ways, ply, done)
                }
                Task::SaveKing => self.list_rescues(ply, done),
                Task::Any if reach.is_some() => self.list_lively(ply, done),
                Task::Any => self.list_moves(ply, done),
            };
            let nothing = tried == 0 && self.moves.len() == first && excluded.is_none();
            if nothing
                && (reach.is_none() || !self.position.board().has_move(self.position.tables()))
            {
                return Ok(self.helpless::<PV>(ply));
            }
            best = best.max(reach.unwrap_or(best));
        }
        let mut quiet = 0;
        let count = if best < beta { self.moves.len() - first } else { 0 };
        // Moves that are put off come once more behind the others.
        let may_put_off = depth >= pruning::SHARED_DEPTH && self.shared.has_helpers();
        let mut i = 0;
        while i < self.moves.len() - first && count > 0 {
            let at = i;
            i += 1;
            let candidate = if at < good {
                pick(&mut self.moves[first..first + good], at)
            } else {
                self.moves[first + at]
            };
            let window = Window { alpha, beta };
            if !PV && at < count && candidate.character == Character::Quiet {
                quiet += 1;
                if self.is_late(window, node, best, quiet) {
                    self.moves[first + at].rank = LEFT_OUT;
                    continue;
                }
            }
            let work = may_put_off
                .then(|| Work::new(self.position.board().key_after(candidate.mv), depth));
            if let Some(work) = work {
                if tried > 0 && at < count && self.shared.busy.has(work) {
                    self.moves[first + at].rank = LEFT_OUT;
                    self.moves.push(candidate);
                    continue;
                }
                self.shared.busy.begin(work);
            }
            let reduction = if task != Task::Any {
                0
            } else {
                pruning::reduction(depth, tried, candidate, PV, node.improving)
            };
            // While this move is searched, memory brings what is known of the next one.
            if let Some(next) = self.moves.get(first + i) {
                self.table.prefetch(self.position.board().key_after(next.mv));
            }
            self.play(candidate.mv);
            let score = self.try_move::<PV>(window, depth - 1, reduction, ply + 1, tried == 0);
            self.undo();
            if let Some(work) = work {
                self.shared.busy.end(work);
            }
            let score = score?;
            tried += 1;
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(candidate.mv);
                    if PV {
                        self.lines.extend(ply, candidate.mv);
                    }
                    if score >= beta {
                        self.credit(node, first, at);
                        break;
                    }
                }
            }
        }
        self.moves.truncate(first);
        if count == 0 && best >= beta && table_move.is_some() {
            self.credit_table_move(node);
        }
        if excluded.is_none() {
            self.remember(window, node, best, best_move);
        }
        Ok(best)
    }

    /// The score of the move from the table.
    fn try_first<const PV: bool>(&mut self, window: Window, node: Node, mv: Move) -> Searched {
        let depth = node.depth + node.extension;
        self.play(mv);
        let score = self.try_move::<PV>(window, depth - 1, 0, node.ply + 1, true);
        self.undo();
        score
    }

    /// The most that a quiet move is thought to reach at a shallow node, if that is not in the
    /// window.
    fn futile_reach(&mut self, window: Window, node: Node) -> Option<Score> {
        let margin = pruning::FUTILITY_BASE + pruning::FUTILITY_MARGIN * node.depth;
        let reach = Score::centipawns(node.judgement? + margin);
        let futile = node.depth <= pruning::FUTILITY_DEPTH
            && !window.alpha.is_proven()
            && reach <= window.alpha;
        self.judged |= futile;
        futile.then_some(reach)
    }

    /// Have enough moves of a shallow node been tried that a quiet one, the `quiet`-th of the node,
    /// is not worth a look? Never where the others lose by force: then it has to be known whether it
    /// does too.
    fn is_late(&mut self, window: Window, node: Node, best: Score, quiet: usize) -> bool {
        let late = node.judgement.is_some()
            && best > -Score::LEAST_PROVEN
            && !window.alpha.is_proven()
            && node.depth <= pruning::LATE_DEPTH
            && quiet > pruning::late_move_count(node.depth, node.improving);
        self.judged |= late;
        late
    }

    /// The score, for the side that has just moved, of the move just made.
    pub(super) fn try_move<const PV: bool>(
        &mut self,
        window: Window,
        depth: i32,
        reduction: i32,
        ply: usize,
        is_first: bool,
    ) -> Searched {
        if is_first {
            return Ok(-self.negamax::<PV>(window.flipped(), depth, ply)?);
        }
        let null = window.at_alpha().flipped();
        let mut score = -self.negamax::<false>(null, depth - reduction, ply)?;
        if reduction > 0 && score > window.alpha {
            score = -self.negamax::<false>(null, depth, ply)?;
        }
        if PV && score > window.alpha {
            score = -self.negamax::<PV>(window.flipped(), depth, ply)?;
        }
        Ok(score)
    }

    /// The score of a side without a move, or without an answer to the opponent's threat to win.
    pub(super) fn helpless<const PV: bool>(&mut self, ply: usize) -> Score {
        if !self.position.board().has_move(self.position.tables()) {
            return Score::loss_in(ply as u32);
        }
        if PV {
            self.note_vain_move(ply);
        }
        Score::loss_in(ply as u32 + 2)
    }

    /// The defenders are to move and the attackers threaten to take the king: no moment to judge.
    fn is_king_in_danger(&self) -> bool {
        let (board, tables) = (self.position.board(), self.position.tables());
        board.side() == Side::Defenders
            && board.king_exits(tables) == 0
            && board.king_can_be_taken(tables)
    }

    /// The `at`-th move from `first` on refuted the node: it gains credit, and those tried before it
    /// lose some.
    fn credit(&mut self, node: Node, first: usize, at: usize) {
        let refuter = self.moves[first + at];
        let bonus = bonus(node.depth);
        self.reward(refuter, bonus);
        let earlier = first..first + at;
        for i in earlier {
            let earlier = self.moves[i];
            if earlier.rank != LEFT_OUT && (refuter.is_quiet() || !earlier.is_quiet()) {
                self.reward(earlier, -bonus);
            }
        }
        if refuter.is_quiet() {
            self.killers.remember(node.ply, refuter.mv);
        }
    }

    /// The move from the table refuted the node.
    fn credit_table_move(&mut self, node: Node) {
        let Some(mv) = node.table_move else { return };
        let ranked = self.ranked(node.ply, mv);
        self.reward(ranked, bonus(node.depth));
        if ranked.is_quiet() {
            self.killers.remember(node.ply, mv);
        }
    }

    /// Writes what was found into the table.
    fn remember(&self, window: Window, node: Node, best: Score, mv: Option<Move>) {
        let bound = if best >= window.beta {
            Bound::Lower
        } else if best > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // The move is worth keeping also where the score is not.
        let depth = if self.rests_on_repetition(best) { 0 } else { node.depth.min(DEEPEST_ENTRY) };
        let score = best.from_node(node.ply as u32);
        let judgement = node.judgement.and_then(|judgement| i16::try_from(judgement).ok());
        let entry = Entry { mv, score, bound, depth: depth as u8, judgement };
        self.table.store(self.position.key(), entry);
    }
}

/// The rank of a move that was not tried.
const LEFT_OUT: i32 = i32::MIN;

/// What a move gains that refutes a node of this depth.
fn bonus(depth: i32) -> i32 {
    (depth * depth * 16 + 32 * depth).min(1_600)
}
