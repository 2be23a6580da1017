//! How long the engine may think where a command asks it.

use std::time::Duration;

use anyhow::ensure;
use clap::Args;

use crate::search::Searcher;
use crate::search::limits::Limits;

/// The time of a search that is given no limit.
const USUAL: Duration = Duration::from_secs(1);

/// What a search may use.
#[derive(Args, Clone, Debug)]
pub struct EffortArgs {
    /// Time for a search, in ms [default: 1000, if no other limit is given]
    #[arg(long, value_name = "MS", help_heading = "Search")]
    pub movetime: Option<u64>,
    /// Nodes of a search
    #[arg(long, help_heading = "Search", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Plies that a search looks ahead
    #[arg(long, value_name = "PLIES", help_heading = "Search", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// Size of the transposition table, MiB
    #[arg(long, value_name = "MB", default_value_t = 64, help_heading = "Search", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub hash: u32,
    /// Threads
    #[arg(long, default_value_t = 1, help_heading = "Search", value_parser = clap::value_parser!(u16).range(1..=512))]
    pub threads: u16,
}

impl EffortArgs {
    /// The limits of a search that begins now.
    pub fn limits(&self) -> Limits {
        let free = self.movetime.is_none() && self.nodes.is_none() && self.depth.is_none();
        Limits {
            movetime: self.movetime.map(Duration::from_millis).or(free.then_some(USUAL)),
            nodes: self.nodes,
            depth: self.depth,
            ..Limits::default()
        }
    }

    /// The engine.
    ///
    /// # Errors
    /// If the system does not give so many threads.
    pub fn searcher(&self) -> anyhow::Result<Searcher> {
        let mut searcher = Searcher::new(self.hash as usize);
        let threads = searcher.set_threads(usize::from(self.threads));
        ensure!(
            threads == usize::from(self.threads),
            "--threads {}: the system gives {threads}",
            self.threads
        );
        Ok(searcher)
    }
}
