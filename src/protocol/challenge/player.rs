//! The player: the game as far as it is known from the server's states, and our moves.

use std::time::{Duration, Instant};

use anyhow::Context;

use super::state::{State, StateTurn, move_json, role};
use crate::game::any_size::Game;
use crate::game::rules::Side;
use crate::game::variants::variant;
use crate::protocol::thinker::{Means, Thinker};
use crate::search::limits::Limits;

/// What a state of the server asks of us.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Turn {
    /// The other side is to move.
    Theirs,
    /// We are.
    Ours,
    /// The game is over; this says how.
    Over(String),
}

/// A move for the server, and a line about it for people.
pub struct Answer {
    pub json: String,
    pub line: String,
}

pub struct Player {
    side: Side,
    movetime: Duration,
    thinker: Thinker,
    game: Game,
    /// When it became our turn.
    since: Instant,
    notes: Vec<String>,
}

impl Player {
    /// Gets ready for a game in which it thinks about a move as long as `movetime`.
    ///
    /// # Errors
    /// None: the rule set is in the catalogue.
    pub fn new(means: Means, side: Side, movetime: Duration) -> anyhow::Result<Self> {
        let rules = variant("tablut-ashton").context("the rule set tablut-ashton is missing")?;
        Ok(Self {
            side,
            movetime,
            thinker: Thinker::new(means),
            game: Game::start(rules)?,
            since: Instant::now(),
            notes: Vec::new(),
        })
    }

    /// Lines for people about what has happened, once.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// Takes in a state of the server.
    pub fn hear(&mut self, state: &State) -> Turn {
        self.since = Instant::now();
        match state.turn {
            StateTurn::Over(winner) => Turn::Over(match winner {
                Some(winner) if winner == self.side => format!("won as {}", role(self.side)),
                Some(_) => format!("lost as {}", role(self.side)),
                None => format!("drawn as {}", role(self.side)),
            }),
            StateTurn::Side(side) => {
                self.follow(&state.placement, side);
                if side == self.side { Turn::Ours } else { Turn::Theirs }
            }
        }
    }

    /// Brings our game to the server's board. The server sends no history: as long as each board
    /// comes from the one before by a move, repetitions are known.
    fn follow(&mut self, placement: &str, side: Side) {
        if self.game.placement() == placement && self.game.side() == side {
            return;
        }
        let mut next = self.game.clone();
        let moves = next.legal_moves();
        let made = moves.into_iter().find(|&mv| {
            next.play(mv);
            let found = next.placement() == placement && next.side() == side;
            next.undo();
            found
        });
        if let Some(mv) = made {
            self.game.play(mv);
            let mover = role(side.other());
            self.notes.push(format!("{mover} plays {}", mv.on(self.game.size())));
            return;
        }
        match self.game.with_fen(&format!("{placement} {}", side.letter())) {
            Ok(game) => {
                self.game = game;
                self.notes.push("the server's board is not ours and counts from now on".to_owned());
            }
            Err(error) => self.notes.push(format!("the server's board cannot be set up: {error}")),
        }
    }

    /// Thinks about a move. Our own board has it only when the server shows it.
    ///
    /// # Errors
    /// If there is no move, or no thread can be started.
    pub fn think(&mut self) -> anyhow::Result<Answer> {
        let limits =
            Limits { start: self.since, movetime: Some(self.movetime), ..Limits::default() };
        let thought = self.thinker.think(&self.game, limits).context("no search")?;
        let mv = thought.best.context("there is no legal move on the server's board")?;
        let (depth, nodes) = thought.lines.first().map_or((0, 0), |line| (line.depth, line.nodes));
        let name = mv.on(self.game.size());
        Ok(Answer {
            json: move_json(mv, self.side),
            line: format!("our move {name}, depth {depth}, {nodes} nodes"),
        })
    }
}

/// The time to think about a move: what is wanted, but never more than the server's timeout allows.
pub fn movetime(timeout: Duration, wanted: Option<Duration>) -> Duration {
    let most = usable(timeout);
    wanted.map_or(most, |wanted| wanted.min(most))
}

/// The time to think when the server allows so much: it looks at its clock once a second and counts
/// whole ones, and the way there takes time too.
fn usable(timeout: Duration) -> Duration {
    let reserve = (timeout / 20).max(Duration::from_millis(600)).min(Duration::from_secs(3));
    timeout.saturating_sub(reserve).max(timeout / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(side: Side) -> Player {
        Player::new(Means { hash: 1, threads: 1 }, side, Duration::from_secs(1)).unwrap()
    }

    fn state(game: &Game) -> State {
        State { placement: game.placement(), turn: StateTurn::Side(game.side()) }
    }

    #[test]
    fn the_history_is_rebuilt_from_boards() {
        let mut player = player(Side::Attackers);
        let mut game = player.game.clone();
        for mv in ["e3f3", "d1c1", "f3e3", "c1c2", "e3f3"] {
            assert_eq!(
                player.hear(&state(&game)),
                match game.side() {
                    Side::Attackers => Turn::Ours,
                    Side::Defenders => Turn::Theirs,
                }
            );
            // Our own move comes back as well, and a state may come twice.
            player.hear(&state(&game));
            game.play(game.read_move(mv).unwrap());
        }
        player.hear(&state(&game));
        assert_eq!(player.game.plies(), 5);
        assert_eq!(player.game.fen(), game.fen());
        assert_eq!(player.take_notes().len(), 5);
    }

    #[test]
    fn the_server_s_board_wins() {
        let mut player = player(Side::Defenders);
        let placement = "9/9/9/4a4/4k4/4a4/9/9/4a4".to_owned();
        let strange =
            State { placement: placement.clone(), turn: StateTurn::Side(Side::Defenders) };
        assert_eq!(player.hear(&strange), Turn::Ours);
        assert_eq!(player.game.placement(), placement);
        assert!(player.take_notes()[0].contains("is not ours"));
        assert!(player.think().unwrap().json.contains("WHITE"));
        let over = State { placement, turn: StateTurn::Over(Some(Side::Attackers)) };
        assert_eq!(player.hear(&over), Turn::Over("lost as WHITE".to_owned()));
    }

    #[test]
    fn time_is_kept_back() {
        for seconds in [1, 2, 5, 60, 300] {
            let timeout = Duration::from_secs(seconds);
            assert!(usable(timeout) <= timeout - Duration::from_millis(600));
            assert!(usable(timeout) >= timeout / 4);
        }
    }

    #[test]
    fn the_time_that_is_wanted_is_cut_to_the_timeout() {
        let ten = Duration::from_secs(10);
        assert_eq!(movetime(ten, None), usable(ten));
        assert_eq!(movetime(ten, Some(Duration::from_millis(50))), Duration::from_millis(50));
        assert_eq!(movetime(ten, Some(Duration::from_secs(60))), usable(ten));
    }
}
