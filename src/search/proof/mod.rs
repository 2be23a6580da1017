//! Proofs: does a side win by force? Nothing here rests on judgement.
//!
//! [`Prover`] asks two kinds of questions. *Does either side win?* is asked without a bound (`dfpn`),
//! for both sides in turns; the usual search is asked as well, now and then, and where it sees a win it
//! names the moves (`adviser`). *Does this side win within so many plies?* is answered by yes or no, and
//! the no is exact as well. Every yes is played out against all answers by the rules alone (`check`)
//! before anybody hears of it.
//!
//! A win that only repetition gives (where the third occurrence is a win) is not looked for, and a
//! position that comes back is no win for anybody: a side that can win by force can do it without.
//! Where a game has a past, the positions that would end it by repetition are known and count as
//! what they are.

mod adviser;
mod answer;
mod check;
mod choice;
mod dfpn;
mod leaf;
mod table;

use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};
use std::time::Instant;

use adviser::Adviser;
use check::{Checked, Checker};
use dfpn::{Solver, UNBOUNDED, Watch};
use table::{Numbers, Table};

pub use answer::{Answer, Effort, Open, Proof, Verdict, Within};
pub use check::Flaw;

use super::Searcher;
use super::limits::Control;
use crate::game::any_size::Game;
use crate::game::geometry::Geometry;
use crate::game::position::Position;
use crate::game::rules::Side;
use crate::with_position;

/// Nodes of the first turn of a side; each further turn takes twice as many.
const FIRST_TURN: u64 = 20_000;
/// Nodes that a look for a shorter win may cost at least.
const MORE_FOR_LENGTH: u64 = 20_000_000;
/// A proof search recurses once a ply; its stack, in bytes.
const STACK: usize = 64 << 20;
/// Bytes that a position of a proof takes while it is played out, about.
const BYTES_A_POSITION: usize = 32;
/// The longest win that is asked for with a bound, in plies.
pub const LONGEST_BOUND: u32 = 999;

/// A proof search with its memory.
#[derive(Debug)]
pub struct Prover {
    table: Table,
    /// An adviser, made when it is first asked.
    searcher: Option<Searcher>,
    /// The size of its table, in MiB.
    advice_hash: usize,
    /// Questions asked: entries of one are of no use to another.
    questions: u64,
}

/// The questions' common ground.
struct Asked<'a, G: Geometry> {
    position: &'a Position<G>,
    control: &'a Control,
    begun: Instant,
    effort: Effort,
    salt: u64,
}

impl<G: Geometry> Asked<'_, G> {
    fn solver<'t>(&'t self, goal: Side, table: &'t mut Table) -> Solver<'t, G> {
        Solver::new(self.position.clone(), goal, table, self.salt, self.watch())
    }

    fn watch(&self) -> Watch<'_> {
        let deadline = self.effort.time.and_then(|time| self.begun.checked_add(time));
        Watch { control: self.control, deadline }
    }

    fn most_nodes(&self) -> u64 {
        self.effort.nodes.unwrap_or(u64::MAX)
    }

    fn is_late(&self) -> bool {
        self.effort.time.is_some_and(|time| self.begun.elapsed() >= time)
    }
}

impl Prover {
    /// With so many MiB, at least 2, or less if the memory cannot be had. A quarter of it is an
    /// adviser's.
    pub fn new(hash: usize) -> Self {
        let advice_hash = (hash / 4).clamp(1, 256);
        let table = Table::new(hash.saturating_sub(advice_hash).max(1));
        Self { table, searcher: None, advice_hash, questions: 0 }
    }

    /// How many positions it remembers.
    pub fn capacity(&self) -> usize {
        self.table.capacity()
    }

    /// Looks for a forced win of either side, and for the shortest one.
    pub fn prove(&mut self, game: &Game, effort: Effort, control: &Control) -> Answer {
        let begun = Instant::now();
        self.questions += 1;
        let salt = self.questions;
        let (verdict, nodes) = deep(|| {
            with_position!(game, position => {
                let asked = Asked { position, control, begun, effort, salt };
                self.prove_position(&asked)
            })
        });
        Answer { verdict, nodes, time: begun.elapsed() }
    }

    /// Does `side` win within so many plies? Also says how many positions were looked at.
    ///
    /// A win by repetition is not looked for. Where the defenders may not repeat, a no to the attackers
    /// cannot be given.
    pub fn within(
        &mut self,
        game: &Game,
        side: Side,
        plies: u32,
        effort: Effort,
        control: &Control,
    ) -> (Within, u64) {
        let begun = Instant::now();
        self.questions += 1;
        let salt = self.questions;
        deep(|| {
            with_position!(game, position => {
                let asked = Asked { position, control, begun, effort, salt };
                self.within_plies(&asked, side, plies, asked.most_nodes())
            })
        })
    }

    fn prove_position<G: Geometry>(&mut self, asked: &Asked<'_, G>) -> (Verdict, u64) {
        let position = asked.position;
        if let Some(outcome) = position.outcome() {
            return (Verdict::Over(outcome), 0);
        }
        let mut quests = [position.side(), position.side().other()].map(Quest::new);
        let mut turn = FIRST_TURN;
        // Nodes of the adviser.
        let mut advised = 0;
        let mut refuted = false;
        loop {
            for i in 0..quests.len() {
                let all = quests.iter().map(|quest| quest.nodes).sum::<u64>() + advised;
                let others = all - quests[i].nodes;
                let quest = &mut quests[i];
                if quest.failed.is_some() {
                    continue;
                }
                let most = asked.most_nodes().saturating_sub(others);
                let mut solver = asked.solver(quest.goal, &mut self.table);
                (solver.pass, solver.nodes) = (quest.pass, quest.nodes);
                solver.most_nodes = (quest.nodes + turn).min(most);
                let found = solver.search(UNBOUNDED);
                let checked = match found {
                    Ok(numbers) if numbers.is_proven() => {
                        solver.most_nodes = most;
                        Some(confirm(&mut solver, UNBOUNDED))
                    }
                    _ => None,
                };
                (quest.pass, quest.nodes) = (solver.pass, solver.nodes);
                quest.failed = found.ok();
                let (goal, nodes) = (quest.goal, quest.nodes + others);
                match checked {
                    // Where the rules look at the past, the other side or the adviser may fare
                    // better.
                    Some(Err(Flaw::Refuted)) => {
                        quest.failed = Some(Numbers::FAILED_HERE);
                        refuted = true;
                    }
                    Some(checked) => return self.proven(asked, goal, checked, nodes),
                    None => {}
                }
                if asked.control.is_stopped() {
                    return (Verdict::Open(Open::Interrupted), nodes);
                }
                if asked.is_late() || nodes >= asked.most_nodes() {
                    return (Verdict::Open(Open::Spent), nodes);
                }
            }
            if let [Some(ours), Some(theirs)] = quests.map(|quest| quest.failed) {
                let nodes = quests.iter().map(|quest| quest.nodes).sum::<u64>() + advised;
                let never = ours.is_disproven() && theirs.is_disproven();
                let verdict = match (never, refuted) {
                    (true, _) => Verdict::NobodyWins,
                    (false, true) => Verdict::Open(Open::Unconfirmed(Flaw::Refuted)),
                    (false, false) => Verdict::Open(Open::OnlyRepetition),
                };
                return (verdict, nodes);
            }
            let nodes = quests.iter().map(|quest| quest.nodes).sum::<u64>() + advised;
            let (found, spent) =
                self.advised(asked, turn, asked.most_nodes().saturating_sub(nodes));
            advised += spent;
            if let Some((goal, checked)) = found {
                return self.proven(asked, goal, Ok(checked), nodes + spent);
            }
            turn *= 2;
        }
    }

    /// A win that the search sees in so many nodes, if it can be played out, and the nodes of all
    /// that, `most` at the most.
    fn advised<G: Geometry>(
        &mut self,
        asked: &Asked<'_, G>,
        turn: u64,
        most: u64,
    ) -> (Option<(Side, Checked)>, u64) {
        let watch = asked.watch();
        let searcher = self.searcher.get_or_insert_with(|| Searcher::new(self.advice_hash));
        if turn == FIRST_TURN {
            // What it remembers of another question would make the answers depend on it.
            searcher.clear();
        }
        let mut adviser = Adviser { searcher, watch, nodes: 0, most_nodes: most };
        let Some((goal, plies)) = adviser.forecast(asked.position, turn.min(most)) else {
            return (None, adviser.nodes);
        };
        let mut solver = asked.solver(goal, &mut self.table);
        solver.most_nodes = most.saturating_sub(adviser.nodes);
        let most_positions = solver.table_bytes() / BYTES_A_POSITION;
        let checker = Checker::new(&mut solver, Some(&mut adviser), most_positions);
        let checked = checker.check(UNBOUNDED, plies as u16).ok();
        let nodes = solver.nodes + adviser.nodes;
        (checked.map(|checked| (goal, checked)), nodes)
    }

    /// What to say of a win that was found after so many nodes, once a shorter one has been looked
    /// for.
    fn proven<G: Geometry>(
        &mut self,
        asked: &Asked<'_, G>,
        winner: Side,
        checked: Result<Checked, Flaw>,
        mut nodes: u64,
    ) -> (Verdict, u64) {
        let checked = match checked {
            Ok(checked) => checked,
            Err(Flaw::Stopped) if asked.control.is_stopped() => {
                return (Verdict::Open(Open::Interrupted), nodes);
            }
            Err(flaw) => return (Verdict::Open(Open::Unconfirmed(flaw)), nodes),
        };
        let mut proof = Proof::of(winner, checked);
        // Moves of the defenders that the past forbids are tried all the same: a no would say
        // nothing.
        if asked.position.rules().depends_on_past() {
            return (Verdict::Proven(proof), nodes);
        }
        let most = nodes.saturating_add(MORE_FOR_LENGTH.max(nodes.saturating_mul(4)));
        let most = most.min(asked.most_nodes());
        while proof.at_least < proof.plies {
            let left = most.saturating_sub(nodes);
            let (answer, spent) = self.within_plies(asked, winner, proof.at_least, left);
            nodes += spent;
            match answer {
                Within::No => proof.at_least += 2,
                Within::Yes(shorter) => {
                    let at_least = proof.at_least;
                    proof = Proof { at_least: at_least.min(shorter.plies), ..shorter };
                    break;
                }
                Within::Unknown => break,
            }
        }
        (Verdict::Proven(proof), nodes)
    }

    fn within_plies<G: Geometry>(
        &mut self,
        asked: &Asked<'_, G>,
        side: Side,
        plies: u32,
        nodes: u64,
    ) -> (Within, u64) {
        let left = plies.min(LONGEST_BOUND) as u16;
        let mut solver = asked.solver(side, &mut self.table);
        solver.most_nodes = nodes;
        let answer = match solver.search(left) {
            Ok(numbers) if numbers.is_proven() => match confirm(&mut solver, left) {
                Ok(checked) => Within::Yes(Proof::of(side, checked)),
                Err(_) => Within::Unknown,
            },
            // Where the past forbids moves of the defenders, those are tried all the same: a no to
            // the attackers would say nothing.
            Ok(numbers) if numbers.is_disproven() => {
                let forbids = asked.position.rules().defenders_may_not_repeat;
                if forbids && side == Side::Attackers { Within::Unknown } else { Within::No }
            }
            _ => Within::Unknown,
        };
        (answer, solver.nodes)
    }
}

/// Does some work on a stack that is deep enough for the longest way, or where we are if there is no
/// thread to be had.
fn deep<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let work = Mutex::new(Some(work));
    let take = || work.lock().unwrap_or_else(PoisonError::into_inner).take().map(|work| work());
    let done = thread::scope(|scope| {
        let thread = Builder::new().name("proof".to_owned()).stack_size(STACK);
        match thread.spawn_scoped(scope, take) {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(_) => None,
        }
    });
    done.or_else(take).unwrap_or_else(|| unreachable!("the work was done or is still there"))
}

/// Plays out what a solver has proven of its position.
fn confirm<G: Geometry>(solver: &mut Solver<'_, G>, left: u16) -> Result<Checked, Flaw> {
    let positions = solver.table_bytes() / BYTES_A_POSITION;
    let most = if left == UNBOUNDED { UNBOUNDED - 1 } else { left };
    Checker::new(solver, None, positions).check(left, most)
}

/// The search for a win of one side, turn by turn.
#[derive(Clone, Copy, Debug)]
struct Quest {
    goal: Side,
    /// Positions looked at.
    nodes: u64,
    pass: u8,
    /// What it came to, if it has failed.
    failed: Option<Numbers>,
}

impl Quest {
    const fn new(goal: Side) -> Self {
        Self { goal, nodes: 0, pass: 0, failed: None }
    }
}
