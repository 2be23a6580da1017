//! The parallel search: helpers search the same root as the main worker, each on its own, and all
//! help each other through the table they share (lazy SMP; Hyatt 2013 and others).
//!
//! Nothing is divided: the workers drift apart by what they find in the table, half of the helpers
//! search one ply ahead, what one is searching the others put off (see [`super::busy`]), and an
//! iteration that any of them has finished is finished for all.

use std::panic::resume_unwind;
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::finding::Finding;
use super::history::History;
use super::limits::{Found, Reporter};
use super::root::Root;
use super::shared::Shared;
use super::time::Budget;
use super::tt::Table;
use crate::eval::Evaluation;
use crate::game::geometry::Geometry;

/// A search recurses once a ply; its stack, in bytes.
const STACK: usize = 16 << 20;

/// The threads of the helpers.
#[derive(Debug)]
pub struct Crew {
    pool: ThreadPool,
}

impl Crew {
    /// `helpers` threads, or as many as the system gives; `None` if that is none at all.
    pub fn new(mut helpers: usize) -> Option<Self> {
        while helpers > 0 {
            let pool = ThreadPoolBuilder::new()
                .num_threads(helpers)
                .stack_size(STACK)
                .thread_name(|number| format!("helper {}", number + 1))
                .build();
            match pool {
                Ok(pool) => return Some(Self { pool }),
                Err(_) => helpers /= 2,
            }
        }
        None
    }

    /// How many helpers there are.
    pub fn helpers(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Empties the table on all threads.
    pub fn clear(&self, table: &mut Table) {
        outside_pools(|| self.pool.install(|| table.clear_in_parallel()));
    }

    /// Runs the main worker on this thread and, once it has finished an iteration, one that helps
    /// with each of the histories; then elects what to believe. `help` is what a helper does; it is
    /// told its number, from 1.
    pub fn search<'h, G: Geometry, E: Evaluation<G>>(
        &self,
        mut main: Root<'_, '_, G, E>,
        budget: Budget,
        shared: &Shared<'_>,
        histories: &'h mut [History],
        help: &(impl Fn(usize, &'h mut History) -> Finding + Sync),
        reporter: &mut dyn Reporter,
    ) -> Found {
        let mut findings: Vec<Option<Finding>> = vec![None; histories.len()];
        let mut idle = Some(histories.iter_mut().zip(&mut findings).enumerate());
        self.pool.in_place_scope(|scope| {
            main.deepen(budget, reporter, &mut || {
                for (i, (history, finding)) in idle.take().into_iter().flatten() {
                    scope.spawn(move |_| *finding = Some(help(i + 1, history)));
                }
            });
            // The scope ends when the helpers have.
            shared.end();
        });
        main.conclude(findings.into_iter().flatten().collect(), 0, reporter)
    }
}

/// Does some work where rayon may be waited for: a thread of a pool that waits takes up other work
/// of its pool, which may itself wait for what this thread was doing. So the work gets a thread that
/// belongs to no pool.
pub fn outside_pools<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if rayon::current_thread_index().is_none() {
        return work();
    }
    thread::scope(|scope| {
        let thread = scope.spawn(work);
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}
