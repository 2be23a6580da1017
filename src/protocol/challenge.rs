//! The Tablut Challenge of the University of Bologna: a player for its server, one TCP connection,
//! length-prefixed JSON, the rule set `tablut-ashton`.

mod frame;
mod player;
mod state;

use std::io::{self, Write};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context, bail};

use super::thinker::Means;
use crate::game::rules::Side;
use player::{Player, Turn};
use state::State;

/// What the player is told when it is started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// What it may use.
    pub means: Means,
    /// Its side: white are the defenders.
    pub side: Side,
    /// The time for a move, after which the server ends the game.
    pub timeout: Duration,
    /// The time to think about a move, if it is to be less than the timeout allows.
    pub movetime: Option<Duration>,
    /// The server.
    pub host: String,
    /// Its port; `None` is the usual one of the side.
    pub port: Option<u16>,
    /// The name to play under.
    pub name: String,
}

/// Plays one game.
///
/// # Errors
/// If the server cannot be reached, goes away during the game, or sends what is no state of it.
pub fn serve(settings: &Settings) -> anyhow::Result<()> {
    let movetime = player::movetime(settings.timeout, settings.movetime);
    let mut player = Player::new(settings.means, settings.side, movetime)?;
    let usual = if settings.side == Side::Defenders { 5800 } else { 5801 };
    let port = settings.port.unwrap_or(usual);
    let role = state::role(settings.side);
    let mut stream = TcpStream::connect((settings.host.as_str(), port)).with_context(|| {
        format!("the server at {}, port {port}, cannot be reached as {role}", settings.host)
    })?;
    stream.set_nodelay(true)?;
    let name = serde_json::to_string(&settings.name)?;
    if let Err(error) = frame::write(&mut stream, &name) {
        bail!("the server refuses our name ({error})");
    }
    say(&format!("connected as {role}"))?;
    loop {
        let Some(text) = frame::read(&mut stream).context("the server cannot be understood")?
        else {
            bail!("the server closed the connection before the game was over");
        };
        let state = State::parse(&text).map_err(anyhow::Error::msg)?;
        match player.hear(&state) {
            Turn::Theirs => {}
            Turn::Over(result) => return Ok(say(&result)?),
            Turn::Ours => {
                let answer = player.think()?;
                if let Err(error) = frame::write(&mut stream, &answer.json) {
                    // Not the quiet end of somebody who reads our standard output.
                    bail!("the server takes no more moves ({error})");
                }
                say(&answer.line)?;
            }
        }
        for note in player.take_notes() {
            say(&note)?;
        }
    }
}

fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}
