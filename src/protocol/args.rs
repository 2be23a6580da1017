//! What the commands are told that make the engine a player of another world.

use std::time::Duration;

use clap::{Args, ValueEnum};

use super::thinker::Means;
use super::{challenge, htp, otep};
use crate::game::rules::Side;

/// What every one of these players may use.
#[derive(Args, Clone, Copy, Debug)]
pub struct MeansArgs {
    /// Size of the transposition table, MiB
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: u32,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
}

impl MeansArgs {
    fn means(self) -> Means {
        Means { hash: self.hash as usize, threads: self.threads.into() }
    }
}

/// What `konakis otep` is told.
#[derive(Args, Clone, Copy, Debug)]
pub struct OtepArgs {
    #[command(flatten)]
    means: MeansArgs,
    /// Time for a move, in ms, while the host says nothing about clocks
    #[arg(long, value_name = "MS", default_value_t = 5_000, value_parser = clap::value_parser!(u32).range(1..))]
    movetime: u32,
    /// Read rules strings by their text; otherwise where OpenTafl plays something else, so does the
    /// engine, and says so
    #[arg(long)]
    by_the_text: bool,
}

impl OtepArgs {
    /// Plays as an OTEP engine.
    ///
    /// # Errors
    /// If the host goes away or sends what cannot be read.
    pub fn run(self) -> anyhow::Result<()> {
        otep::serve(otep::Settings {
            means: self.means.means(),
            movetime: Duration::from_millis(self.movetime.into()),
            by_the_text: self.by_the_text,
        })
    }
}

/// What `konakis htp` is told.
#[derive(Args, Clone, Debug)]
pub struct HtpArgs {
    #[command(flatten)]
    means: MeansArgs,
    /// Time for a move of an un-timed game, in ms
    #[arg(long, value_name = "MS", default_value_t = 5_000, value_parser = clap::value_parser!(u32).range(1..))]
    movetime: u32,
    /// Play as the engine of a TCP host
    #[arg(long, value_name = "HOST:PORT")]
    connect: Option<String>,
}

impl HtpArgs {
    /// Plays as an HTP engine.
    ///
    /// # Errors
    /// If the host cannot be reached or goes away during a game.
    pub fn run(&self) -> anyhow::Result<()> {
        let settings = htp::Settings {
            means: self.means.means(),
            movetime: Duration::from_millis(self.movetime.into()),
        };
        match &self.connect {
            Some(address) => htp::serve_remote(settings, address),
            None => htp::serve(settings),
        }
    }
}

/// The side of a player of the Tablut Challenge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Role {
    /// The defenders and their king
    White,
    /// The attackers
    Black,
}

/// What `konakis challenge` is told.
#[derive(Args, Clone, Debug)]
pub struct ChallengeArgs {
    #[command(flatten)]
    means: MeansArgs,
    /// The side to play
    #[arg(value_enum, ignore_case = true)]
    role: Role,
    /// Seconds for a move, as the server counts them
    #[arg(value_parser = clap::value_parser!(u32).range(1..=86_400))]
    timeout: u32,
    /// Think so long about a move, in ms, if the timeout allows it [default: nearly the timeout]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..))]
    movetime: Option<u32>,
    /// Name or address of the server
    host: String,
    /// The name to play under
    #[arg(long, default_value = "Konakis")]
    name: String,
    /// The server's port [default: 5800 for white, 5801 for black]
    #[arg(long)]
    port: Option<u16>,
}

impl ChallengeArgs {
    /// Plays a game of the Tablut Challenge.
    ///
    /// # Errors
    /// If the server cannot be reached or goes away during the game.
    pub fn run(&self) -> anyhow::Result<()> {
        challenge::serve(&challenge::Settings {
            means: self.means.means(),
            side: if self.role == Role::White { Side::Defenders } else { Side::Attackers },
            timeout: Duration::from_secs(self.timeout.into()),
            movetime: self.movetime.map(|ms| Duration::from_millis(ms.into())),
            host: self.host.clone(),
            port: self.port,
            name: self.name.clone(),
        })
    }
}
