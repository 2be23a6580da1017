//! The engine as the client of a TCP host, which sends what the opponent plays and asks for moves.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use anyhow::{Context, bail};

use super::engine::{Answer, Engine};
use super::message::{Command, play_line};
use super::{Settings, say};
use crate::protocol::error::shown;

/// The longest line that a host may send, in bytes.
const LONGEST: u64 = 64 << 10;

/// Plays for the host at `address`, `HOST:PORT`, until the game is over.
///
/// # Errors
/// If there is no such host, it goes away during the game, or sends what cannot be carried out.
pub fn serve(settings: Settings, address: &str) -> anyhow::Result<()> {
    let mut engine = Engine::new(settings);
    let stream = TcpStream::connect(address)
        .with_context(|| format!("{address} cannot be reached (expected HOST:PORT)"))?;
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut writer = stream;
    say(&format!("connected to {address}\n"))?;
    let mut size = 11;
    while engine.final_status().map_err(anyhow::Error::msg)? == "ongoing" {
        let Some(line) = next_line(&mut reader).context("the host cannot be read any more")? else {
            bail!("the host closed the connection before the game was over");
        };
        let command = Command::parse(&line, size);
        match &command {
            Ok(Some(Command::GenerateMove)) => {
                let side = engine.turn().map_err(anyhow::Error::msg)?;
                let play = engine.generate().map_err(anyhow::Error::msg)?;
                let line = play_line(side, play, size);
                if let Err(error) = writer.write_all(format!("{line}\n").as_bytes()) {
                    // Not the quiet end of somebody who reads our standard output.
                    bail!("the host takes no more moves ({error})");
                }
                say(&format!("{line}\n"))?;
                continue;
            }
            Ok(Some(Command::BoardSize(new))) => size = *new,
            _ => {}
        }
        match engine.answer(&line) {
            Answer::Leave => return Ok(()),
            Answer::Refusal(why) if matches!(command, Ok(Some(Command::Play(..)))) => {
                bail!("the host sent '{}': {why}", shown(line.trim()));
            }
            answer => say(&answer.text().unwrap_or_default())?,
        }
    }
    let status = engine.final_status().map_err(anyhow::Error::msg)?;
    Ok(say(&format!("the game is over: {status}\n"))?)
}

/// The next line; `None` at the end.
fn next_line(reader: &mut impl BufRead) -> anyhow::Result<Option<String>> {
    let mut line = Vec::new();
    reader.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.last() != Some(&b'\n') {
        let length = line.len() as u64;
        if length == LONGEST {
            bail!("it sent a line of more than {LONGEST} bytes");
        }
        bail!("it left in the middle of a line");
    }
    Ok(Some(String::from_utf8_lossy(&line).into_owned()))
}
