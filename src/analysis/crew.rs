//! [`Crew`]: threads that look at positions, each with a searcher of its own.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

use super::look::{Effort, Look};
use crate::game::any_size::Game;
use crate::search::Searcher;
use crate::search::limits::Control;

/// A search recurses once a ply and lives on its own stack.
const STACK: usize = 64 << 20;

/// How a crew works.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Work {
    /// Positions looked at at the same time, each on one thread.
    pub workers: usize,
    /// Threads of each search.
    pub threads: usize,
    /// Size of each worker's table, MiB.
    pub hash: usize,
    /// How long to look at each.
    pub effort: Effort,
}

struct Task {
    number: u64,
    game: Game,
    lines: usize,
}

/// Threads that look at positions.
pub struct Crew {
    tasks: Option<Sender<Task>>,
    answers: Receiver<(u64, Option<Look>)>,
    control: Arc<Control>,
    threads: Vec<JoinHandle<()>>,
}

impl Crew {
    /// Starts the threads; `control` stops their searches.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn new(work: Work, control: &Arc<Control>) -> io::Result<Self> {
        let (tasks, todo) = channel::<Task>();
        let (done, answers) = channel();
        let todo = Arc::new(Mutex::new(todo));
        let mut crew =
            Self { tasks: Some(tasks), answers, control: Arc::clone(control), threads: Vec::new() };
        for _ in 0..work.workers.max(1) {
            let (todo, done, control) = (Arc::clone(&todo), done.clone(), Arc::clone(control));
            let thread =
                Builder::new().name("analyst".to_owned()).stack_size(STACK).spawn(move || {
                    let mut searcher = Searcher::new(work.hash);
                    if work.threads > 1 {
                        searcher.set_threads(work.threads);
                    }
                    loop {
                        let task = todo.lock().unwrap_or_else(PoisonError::into_inner).recv();
                        let Ok(Task { number, game, lines }) = task else { return };
                        let look = Look::take(&mut searcher, &game, work.effort, lines, &control);
                        if done.send((number, look)).is_err() {
                            return;
                        }
                    }
                });
            match thread {
                Ok(thread) => crew.threads.push(thread),
                Err(error) if crew.threads.is_empty() => return Err(error),
                // Fewer will do.
                Err(_) => break,
            }
        }
        Ok(crew)
    }

    /// How many threads look at positions.
    pub fn size(&self) -> usize {
        self.threads.len()
    }

    /// Has a position looked at for its best lines; the answer bears the number.
    pub fn ask(&self, number: u64, game: Game, lines: usize) {
        if let Some(tasks) = &self.tasks {
            // Threads end with the crew alone.
            let _ = tasks.send(Task { number, game, lines });
        }
    }

    /// Have the searches been told to stop?
    pub fn is_stopped(&self) -> bool {
        self.control.is_stopped()
    }

    /// Waits for the next answer; there is no look if the search was stopped or failed.
    pub fn answer(&self) -> Option<(u64, Option<Look>)> {
        self.answers.recv().ok()
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.control.stop();
        self.tasks = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}
