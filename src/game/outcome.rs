//! How a game ends, in the order of the rules, and the announcements.

use super::bits::Bits;
use super::board::Board;
use super::geometry::{Geometry, Square};
use super::rules::Side;
use super::tables::RuleTables;

/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The attackers took the king.
    KingCaptured,
    /// The king reached a goal square.
    KingEscaped,
    /// The king sits in a fort on the edge that cannot be broken.
    ExitFort,
    /// The king and all defenders are cut off from the edge.
    Encirclement,
    /// The position occurred too often.
    Repetition,
    /// The side to move has no legal move.
    NoMoves,
    /// As many moves have been made as a game may have.
    PlyLimit,
}

impl Reason {
    /// The reason in the words of the rules, such as `king-captured`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::KingCaptured => "king-captured",
            Self::KingEscaped => "king-escaped",
            Self::ExitFort => "exit-fort",
            Self::Encirclement => "encirclement",
            Self::Repetition => "repetition",
            Self::NoMoves => "no-moves",
            Self::PlyLimit => "ply-limit",
        }
    }
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// Who won; `None` is a draw.
    pub winner: Option<Side>,
    /// Why.
    pub reason: Reason,
}

impl Outcome {
    /// The draw after the last ply of a game.
    pub const PLY_LIMIT: Self = Self { winner: None, reason: Reason::PlyLimit };

    /// The loss of `side`, which is to move and has no legal move.
    pub const fn no_moves(side: Side) -> Self {
        Self::win(side.other(), Reason::NoMoves)
    }

    /// A win of `side`.
    pub const fn win(side: Side, reason: Reason) -> Self {
        Self { winner: Some(side), reason }
    }

    /// `attackers`, `defenders` or `draw`.
    pub const fn winner_name(self) -> &'static str {
        match self.winner {
            Some(side) => side.name(),
            None => "draw",
        }
    }
}

/// What a player announces. It never changes what is legal and never ends a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Call {
    /// The king has one way to a goal square, were it his turn.
    Raichi,
    /// The king has two or more.
    Tuichi,
    /// The attackers could take the king, were it their turn.
    WatchYourKing,
}

impl Call {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Raichi, Self::Tuichi, Self::WatchYourKing];

    /// `raichi`, `tuichi` or `watch-your-king`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Raichi => "raichi",
            Self::Tuichi => "tuichi",
            Self::WatchYourKing => "watch-your-king",
        }
    }
}

impl<G: Geometry> Board<G> {
    /// How the game has ended by what stands on the board, the last mover being the side not to
    /// move. Whether the side to move has a move, and repetition, are not asked.
    #[inline]
    pub fn decided(&self, tables: &RuleTables<G>) -> Option<Outcome> {
        let Some(king) = self.king() else {
            return Some(Outcome::win(Side::Attackers, Reason::KingCaptured));
        };
        if tables.goals.has(king.index()) {
            return Some(Outcome::win(Side::Defenders, Reason::KingEscaped));
        }
        match self.side() {
            Side::Attackers if tables.rules.exit_fort && self.is_exit_fort(tables, king) => {
                Some(Outcome::win(Side::Defenders, Reason::ExitFort))
            }
            Side::Defenders if tables.rules.encirclement && self.is_encircled(tables) => {
                Some(Outcome::win(Side::Attackers, Reason::Encirclement))
            }
            _ => None,
        }
    }

    /// The loss of the side to move if it has no move.
    #[inline]
    pub fn stuck(&self, tables: &RuleTables<G>) -> Option<Outcome> {
        (!self.has_move(tables)).then(|| Outcome::no_moves(self.side()))
    }

    /// Are the king and all defenders cut off from the edge by attackers?
    fn is_encircled(&self, tables: &RuleTables<G>) -> bool {
        let inside = self.men(Side::Defenders) | self.king_set();
        let free = tables.board.minus(self.men(Side::Attackers));
        let mut reached = inside;
        loop {
            if reached.meets(tables.edge) {
                return false;
            }
            let next = reached | tables.spread(reached) & free;
            if next == reached {
                return true;
            }
            reached = next;
        }
    }

    /// Is the king in a fort on the edge that no attacker can ever open?
    fn is_exit_fort(&self, tables: &RuleTables<G>, king: Square) -> bool {
        if !tables.edge.minus(tables.corners).has(king.index()) {
            return false;
        }
        let empty = tables.board.minus(self.occupied());
        if !tables.near[king.index()].meets(empty) {
            return false;
        }
        let fort = tables.flood(self.king_set(), empty);
        let around = tables.spread(fort);
        if around.meets(self.men(Side::Attackers)) {
            return false;
        }
        let safe = fort | self.men(Side::Defenders);
        (around & self.men(Side::Defenders)).squares().all(|wall| {
            let (file, rank) = Square(wall as u16).file_rank(G::SIZE);
            let inner = 1..G::SIZE - 1;
            let exposed = |on_board: bool, step: usize| {
                on_board && !safe.has(wall - step) && !safe.has(wall + step)
            };
            !exposed(inner.contains(&file), 1) && !exposed(inner.contains(&rank), G::SIZE)
        })
    }

    /// What is announced in a game that is not over.
    pub fn call(&self, tables: &RuleTables<G>) -> Option<Call> {
        match self.side() {
            Side::Attackers => match self.king_exits(tables) {
                0 => None,
                1 => Some(Call::Raichi),
                _ => Some(Call::Tuichi),
            },
            Side::Defenders => self.king_can_be_taken(tables).then_some(Call::WatchYourKing),
        }
    }
}
