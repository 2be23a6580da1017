//! Games saved as OpenTafl records.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use crate::game::any_size::Game;
use crate::game::rules::Side;
use crate::notation::recorded::RecordedGame;

/// What is saved.
pub struct Saved<'a> {
    /// The game, with its moves.
    pub game: &'a Game,
    /// Where it began.
    pub first: &'a Game,
    /// Who plays the attackers and who the defenders.
    pub players: [String; 2],
    /// Who has resigned.
    pub resigned: Option<Side>,
}

impl Saved<'_> {
    /// The record as text.
    ///
    /// # Errors
    /// If the rule set cannot be written.
    fn text(&self) -> Result<String, String> {
        let mut record = RecordedGame::new(self.first.clone(), self.game.moves_made());
        let [attackers, defenders] = self.players.clone();
        let mut tag =
            |name: &str, value: &str| record.tags.push((name.to_owned(), value.to_owned()));
        tag("event", "konakis play");
        tag("attackers", &attackers);
        tag("defenders", &defenders);
        let winner = match (self.resigned, self.game.outcome()) {
            (_, Some(outcome)) => Some(outcome.winner),
            (Some(side), None) => Some(Some(side.other())),
            (None, None) => None,
        };
        if let Some(winner) = winner {
            let value = match winner {
                Some(Side::Attackers) => "1",
                Some(Side::Defenders) => "-1",
                None => "0",
            };
            tag("result", value);
        }
        let how = match (self.game.outcome(), self.resigned) {
            (Some(outcome), _) => outcome.reason.name(),
            (None, Some(_)) => "resigned",
            (None, None) => "unfinished",
        };
        tag("termination", how);
        tag("compiler", concat!("konakis ", env!("CARGO_PKG_VERSION")));
        record.to_record().map(|record| record.to_string())
    }

    /// Writes the game to a file, to one that is there already only if `over`.
    ///
    /// # Errors
    /// Says what is wrong and what would help.
    pub fn write(&self, name: &str, over: bool) -> Result<(), String> {
        let text = self.text()?;
        let path = Path::new(name);
        let file = if over { File::create(path) } else { File::create_new(path) };
        let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => format!(
                "{name} is there already; choose another name, or write over it with save! {name}"
            ),
            _ => format!("{name} cannot be written: {error}"),
        })
    }
}
