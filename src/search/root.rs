//! The root: which move to play, deeper and deeper (iterative deepening), with the lines of the
//! best few.

use super::finding::{Finding, Line, elect};
use super::limits::{Bound, Found, Info, Limits, Reporter};
use super::score::{MAX_PLY, Score, ScoreKind};
use super::time::{Budget, Pace};
use super::window::Window;
use super::worker::{Searched, Stopped, Worker};
use crate::eval::Evaluation;
use crate::game::geometry::Geometry;
use crate::game::moves::Move;
use crate::game::position::Position;

/// Half the width of the first window around the score of the iteration before, in centipawns.
const ASPIRATION: i32 = 40;
/// The first depth at which the last score is trusted that far.
const ASPIRATION_DEPTH: u32 = 4;
/// Beyond this depth an iteration that brings nothing new and took next to no time is not told.
const TELL_ALWAYS: u32 = 24;
const TELL_AFTER_MS: u128 = 10;

/// How many plies deeper than the win that is asked for the search looks, since it looks at late
/// moves less deeply; then there is none, as far as it can tell.
const BEYOND_MATE: u32 = 2;

/// A move at the root with what is known of it.
#[derive(Clone, Debug)]
struct RootMove {
    mv: Move,
    line: Line,
    /// Nodes of this iteration behind it.
    nodes: u64,
}

/// Iterative deepening over the root moves of one worker.
pub struct Root<'w, 'a, G: Geometry, E> {
    worker: &'w mut Worker<'a, G, E>,
    limits: &'a Limits,
    moves: Vec<RootMove>,
    /// The best lines of the last finished iteration, best first, or what there is before that.
    best: Vec<Line>,
    /// Plies searched in full.
    depth: u32,
    /// The best line of the unfinished iteration, if it is known to be better than the last one's.
    better: Option<Line>,
    told: Option<Told>,
}

/// What was reported last.
struct Told {
    best: Vec<Line>,
    depth: u32,
    nodes: u64,
    at_ms: u128,
}

impl<'w, 'a, G: Geometry, E: Evaluation<G>> Root<'w, 'a, G, E> {
    /// For a worker on the root position and its candidates, of which there is at least one.
    pub fn new(worker: &'w mut Worker<'a, G, E>, candidates: &[Move]) -> Self {
        let moves: Vec<_> = first_order(worker, candidates);
        let best = moves.iter().take(1).map(|root| root.line.clone()).collect();
        let limits = worker.shared.limits;
        Self { worker, limits, moves, best, depth: 0, better: None, told: None }
    }

    /// Searches, as the main worker, until a limit is reached or nothing more can be found. After
    /// the first iteration, if there is more to do, `call_help` is called.
    pub fn deepen(
        &mut self,
        budget: Budget,
        reporter: &mut dyn Reporter,
        call_help: &mut dyn FnMut(),
    ) {
        let most = self.most();
        let mut pace = Pace::new(budget, self.moves.len() > 1);
        while self.depth < most {
            if self.deepen_to(self.depth + 1).is_err() {
                break;
            }
            if self.is_worth_telling() {
                self.tell(reporter);
            }
            let best = &self.best[0];
            pace.note(best.moves[0], best.score, self.effort());
            if self.is_settled() || pace.is_over(self.worker.shared.elapsed()) {
                break;
            }
            call_help();
        }
    }

    /// Searches, as a helper, until the main worker ends or nothing more can be found; each time
    /// one ply deeper than the deepest iteration that any worker has finished, or two plies
    /// (`ahead`).
    pub fn help(&mut self, ahead: bool) {
        let most = self.most();
        while self.depth < most {
            let finished = self.depth.max(self.worker.shared.deepest());
            let depth = finished + 1 + u32::from(ahead);
            if self.deepen_to(depth.min(most)).is_err() || self.is_settled() {
                break;
            }
        }
    }

    /// The most plies that are worth searching.
    fn most(&self) -> u32 {
        let mate = self.limits.mate.map_or(u32::MAX, |plies| plies.saturating_add(BEYOND_MATE));
        self.limits.depth.unwrap_or(u32::MAX).min(mate).min(MAX_PLY as u32 - 1)
    }

    /// Finishes an iteration of this depth or, if another worker does so earlier, takes over what
    /// that one has found.
    fn deepen_to(&mut self, depth: u32) -> Searched<()> {
        // An iteration that was given up leaves its moves.
        self.worker.moves.clear();
        self.worker.judged = false;
        self.worker.longest_line = 2 * depth as usize;
        self.worker.iteration = depth;
        match self.iterate(depth) {
            Ok(()) => {
                self.depth = depth;
                if self.worker.shared.has_helpers() {
                    self.worker.shared.publish(&self.finding());
                }
                Ok(())
            }
            Err(Stopped) => {
                let finding = self.worker.shared.overtaking(depth).ok_or(Stopped)?;
                self.adopt(finding);
                Ok(())
            }
        }
    }

    /// Goes on from what another worker has found.
    fn adopt(&mut self, finding: Finding) {
        for line in finding.lines.iter().rev() {
            let Some(at) = self.moves.iter().position(|root| root.line.moves[0] == line.moves[0])
            else {
                continue;
            };
            self.moves[at].line = line.clone();
            self.moves[..=at].rotate_right(1);
        }
        self.depth = finding.depth;
        self.worker.judged = finding.judged;
        self.best = finding.lines;
        self.better = None;
    }

    fn finding(&self) -> Finding {
        Finding { lines: self.best.clone(), depth: self.depth, judged: self.worker.judged }
    }

    /// What there is in the end, the unfinished iteration included.
    pub fn into_finding(mut self) -> Finding {
        if let (Some(better), Some(best)) = (self.better.take(), self.best.first_mut()) {
            *best = better;
        }
        self.finding()
    }

    /// Decides between the own finding and those of the helpers, which have ended, and says so. What
    /// a weaker player plays depends on `seed`.
    pub fn conclude(
        mut self,
        helpers: Vec<Finding>,
        seed: u64,
        reporter: &mut dyn Reporter,
    ) -> Found {
        if let Some(better) = self.better.take() {
            self.best[0] = better;
        }
        let mut findings = vec![self.finding()];
        findings.extend(helpers);
        if let Some(chosen) = elect(&findings) {
            self.depth = chosen.depth;
            self.best.clone_from(&chosen.lines);
        }
        let strength = self.limits.strength;
        let told = if self.limits.multi_pv > 1 { self.limits.multi_pv } else { self.best.len() };
        let choice = &self.best[..told.min(self.best.len())];
        let mut played = strength.map_or(0, |strength| strength.choose(choice, seed));
        if self.limits.multi_pv <= 1 {
            // The only line that is told is the one that is played.
            self.best.swap(0, played);
            played = 0;
        }
        let nodes = self.worker.all_nodes();
        if self.told.as_ref().is_none_or(|told| {
            told.nodes != nodes || told.depth != self.depth || told.best != self.best
        }) {
            self.tell(reporter);
        }
        let Line { score, moves, .. } = self.best.swap_remove(played);
        Found {
            best: moves.first().copied(),
            ponder: moves.get(1).copied(),
            score,
            depth: self.depth,
            nodes,
        }
    }

    /// Searches the best moves to a depth.
    fn iterate(&mut self, depth: u32) -> Searched<()> {
        let count = self.limits.lines().clamp(1, self.moves.len());
        self.better = None;
        for root in &mut self.moves {
            root.nodes = 0;
        }
        for rank in 0..count {
            self.search_rank(depth, rank, count == 1)?;
        }
        self.better = None;
        self.moves[..count].sort_by_key(|root| std::cmp::Reverse(root.line.score));
        self.best = self.moves[..count].iter().map(|root| root.line.clone()).collect();
        Ok(())
    }

    /// Finds the best of the moves from `rank` on and puts it there.
    fn search_rank(&mut self, depth: u32, rank: usize, is_only: bool) -> Searched<()> {
        let last = self.best.get(rank).map_or(Score::ZERO, |line| line.score);
        let mut margin = ASPIRATION;
        let mut window = if depth < ASPIRATION_DEPTH || last.is_proven() {
            Window::full()
        } else {
            Window::around(last, margin)
        };
        loop {
            let score = self.search_moves(window, depth, rank, is_only)?;
            margin *= 4;
            let wide = |bound: Score| if margin > 1_000 { Score::INFINITE } else { bound };
            if score <= window.alpha && window.alpha > -Score::INFINITE {
                window.alpha = -wide(-Window::around(score, margin).alpha);
            } else if score >= window.beta && window.beta < Score::INFINITE {
                window.beta = wide(Window::around(score, margin).beta);
            } else {
                return Ok(());
            }
        }
    }

    /// Searches the moves from `rank` on and puts the best one first.
    fn search_moves(
        &mut self,
        window: Window,
        depth: u32,
        rank: usize,
        is_only: bool,
    ) -> Searched<Score> {
        self.worker.visit(0)?;
        let Window { mut alpha, beta } = window;
        let mut best = -Score::INFINITE;
        let mut best_at = rank;
        for at in rank..self.moves.len() {
            let mv = self.moves[at].mv;
            let before = self.worker.nodes;
            let score = self.worker.root_move(mv, Window { alpha, beta }, depth, at == rank)?;
            self.moves[at].nodes += self.worker.nodes - before;
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_at = at;
                    let line = self.line(mv, score, beta);
                    if is_only {
                        self.better = Some(line.clone());
                    }
                    self.moves[at].line = line;
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        // The others keep their order.
        self.moves[rank..=best_at].rotate_right(1);
        Ok(best)
    }

    fn line(&self, mv: Move, score: Score, beta: Score) -> Line {
        let mut moves = vec![mv];
        moves.extend_from_slice(self.worker.lines.from(1));
        let bound = if score >= beta { Bound::Lower } else { Bound::Exact };
        Line { score, bound, moves }
    }

    /// Would another iteration change nothing?
    fn is_settled(&self) -> bool {
        let first = self.best[0].score;
        let proven = |score: Score| match score.kind() {
            ScoreKind::Win(plies) | ScoreKind::Loss(plies) => Some(plies),
            ScoreKind::Centipawns(_) => None,
        };
        let within = |most: u32| move |score: Score| proven(score).is_some_and(|n| n <= most);
        !self.worker.judged
            || self.best.iter().all(|line| within(self.depth)(line.score))
            || self.limits.mate.is_some_and(|plies| within(plies)(first))
    }

    /// The part of the nodes of the last iteration behind its best move, 0 to 1.
    fn effort(&self) -> f64 {
        let all: u64 = self.moves.iter().map(|root| root.nodes).sum();
        self.moves[0].nodes as f64 / all.max(1) as f64
    }

    /// Deep iterations of a small tree follow each other too fast for anybody to read.
    fn is_worth_telling(&self) -> bool {
        self.told.as_ref().is_none_or(|told| {
            self.depth <= TELL_ALWAYS
                || told.best != self.best
                || self.limits.start.elapsed().as_millis() >= told.at_ms + TELL_AFTER_MS
        })
    }

    fn tell(&mut self, reporter: &mut dyn Reporter) {
        let time = self.limits.start.elapsed();
        let nodes = self.worker.all_nodes();
        for (rank, line) in self.best.iter().take(self.limits.multi_pv.max(1)).enumerate() {
            reporter.info(&Info {
                depth: self.depth,
                sel_depth: self.worker.shared.sel_depth().max(line.moves.len()) as u32,
                multi_pv: rank + 1,
                score: line.score,
                bound: line.bound,
                nodes,
                time,
                hash_full: self.worker.table.hash_full(),
                pv: line.moves.clone(),
            });
        }
        self.told = Some(Told {
            best: self.best.clone(),
            depth: self.depth,
            nodes,
            at_ms: time.as_millis(),
        });
    }
}

impl<G: Geometry, E: Evaluation<G>> Worker<'_, G, E> {
    /// The score of a root move for the side that makes it.
    fn root_move(&mut self, mv: Move, window: Window, depth: u32, is_first: bool) -> Searched {
        self.play(mv);
        let score = self.try_move::<true>(window, depth as i32 - 1, 0, 1, is_first);
        self.undo();
        score
    }
}

/// The candidates in the order in which the first iteration tries them: moves that win at once
/// first. The scores are what is known without a search.
fn first_order<G: Geometry, E: Evaluation<G>>(
    worker: &mut Worker<'_, G, E>,
    candidates: &[Move],
) -> Vec<RootMove> {
    let judgement = worker.judge();
    let known = worker.table.probe(worker.position.key()).and_then(|entry| entry.mv);
    worker.list_moves(0, None);
    let ranks = std::mem::take(&mut worker.moves);
    let mut moves: Vec<_> = candidates
        .iter()
        .map(|&mv| {
            let rank = if known == Some(mv) {
                i32::MAX
            } else {
                ranks.iter().find(|ranked| ranked.mv == mv).map_or(0, |ranked| ranked.rank)
            };
            let wins = wins_at_once(&mut worker.position, mv);
            let score = if wins { Score::win_in(1) } else { judgement };
            (
                wins,
                rank,
                RootMove {
                    mv,
                    line: Line { score, bound: Bound::Exact, moves: vec![mv] },
                    nodes: 0,
                },
            )
        })
        .collect();
    moves.sort_by_key(|(wins, rank, _)| std::cmp::Reverse((*wins, *rank)));
    moves.into_iter().map(|(_, _, root)| root).collect()
}

fn wins_at_once<G: Geometry>(position: &mut Position<G>, mv: Move) -> bool {
    let us = position.side();
    position.play(mv);
    let wins = position.outcome().is_some_and(|outcome| outcome.winner == Some(us));
    position.undo();
    wins
}
