//! `konakis play`: a game against the engine, line by line, on a terminal or through a pipe.

// A person types here: nothing that is typed may end the program.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod command;
mod saving;
mod session;
mod words;

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context;
use clap::{Args, ValueEnum};

use crate::arena::args::RuleSetArgs;
use crate::arena::console::tell;
use crate::game::any_size::Game;
use crate::game::rules::Side;
use crate::search::Searcher;
use crate::search::strength::FULL;
use session::{Opponent, Session};

/// Exit code of a program that an interrupt ended.
const INTERRUPTED: i32 = 130;

/// What `konakis play` is told.
#[derive(Args, Clone, Debug)]
pub struct PlayArgs {
    #[command(flatten)]
    rule_set: RuleSetArgs,
    /// The side you play [default: the one that moves first]
    #[arg(long, value_enum)]
    side: Option<SideName>,
    /// How strong the engine plays, 0 to 20
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=i64::from(FULL)))]
    level: Option<u32>,
    /// Time that the engine takes for a move, in ms [default: 1000]
    #[arg(long, value_name = "MS", conflicts_with = "level")]
    movetime: Option<u64>,
    /// Begin with this position
    #[arg(long)]
    fen: Option<String>,
    /// Begin behind these moves
    #[arg(long, value_name = "MOVES", value_delimiter = ' ')]
    moves: Vec<String>,
    /// Size of the transposition table, MiB
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: u32,
    /// Threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
}

/// The two sides as they are typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum SideName {
    /// The larger army, which hunts the king
    Attackers,
    /// The king and his men
    Defenders,
}

impl From<SideName> for Side {
    fn from(name: SideName) -> Self {
        match name {
            SideName::Attackers => Self::Attackers,
            SideName::Defenders => Self::Defenders,
        }
    }
}

impl PlayArgs {
    /// Plays until the player leaves.
    ///
    /// # Errors
    /// If the position is wrong or nobody can read the output any more.
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let start = Game::start(self.rule_set.rules()?)?;
        let mut game = match &self.fen {
            Some(fen) => start.with_fen(fen).context("--fen")?,
            None => start,
        };
        for (i, text) in self.moves.iter().filter(|text| !text.is_empty()).enumerate() {
            let mv = game.read_move(text).with_context(|| format!("--moves, move {}", i + 1))?;
            game.play(mv);
        }
        let side = self.side.map_or(game.rules().first, Side::from);
        let mut searcher = Searcher::new(self.hash as usize);
        searcher.set_threads(usize::from(self.threads));
        let movetime = Duration::from_millis(self.movetime.unwrap_or(1000));
        let opponent = Opponent { searcher, level: self.level.unwrap_or(FULL), movetime };
        let unsaved = Arc::new(Mutex::new(None));
        tell_when_interrupted(&unsaved)?;
        let prompts = io::stdin().is_terminal() && io::stdout().is_terminal();
        let mut out = anstream::stdout();
        let mut session = Session::new(game, side, opponent, prompts, unsaved);
        session.run(&mut io::stdin().lock(), &mut out)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// What an interrupt says: that nothing is saved, and how the game can be taken up again.
fn tell_when_interrupted(unsaved: &Arc<Mutex<Option<String>>>) -> anyhow::Result<()> {
    let unsaved = Arc::clone(unsaved);
    ctrlc::set_handler(move || {
        let unsaved = unsaved.lock().unwrap_or_else(PoisonError::into_inner);
        match &*unsaved {
            Some(how) => {
                tell(format_args!("\ninterrupted; the game is not saved. To go on with it:\n{how}"))
            }
            None => tell(format_args!("\ninterrupted; nothing was left to save")),
        }
        std::process::exit(INTERRUPTED);
    })
    .context("interrupts cannot be heard")
}
