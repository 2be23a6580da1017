//! [`Game`]: a position of any size, for everybody who learns the rule set only at run time.

use std::fmt;
use std::sync::Arc;

use super::fen::{self, FenError};
use super::geometry::{
    MAX_SIZE, MIN_SIZE, Size7, Size9, Size11, Size13, Size15, Size17, Size19, Square,
};
use super::moves::Move;
use super::outcome::{Call, Outcome};
use super::position::Position;
use super::rules::{Kind, Rules, Side};
use super::tables::RuleTables;

/// A position under its rules with its past, on a board of any size.
#[derive(Clone, Debug)]
pub enum Game {
    /// 7x7.
    Size7(Position<Size7>),
    /// 9x9.
    Size9(Position<Size9>),
    /// 11x11.
    Size11(Position<Size11>),
    /// 13x13.
    Size13(Position<Size13>),
    /// 15x15.
    Size15(Position<Size15>),
    /// 17x17.
    Size17(Position<Size17>),
    /// 19x19.
    Size19(Position<Size19>),
}

/// Evaluates an expression for the [`Position`](crate::game::position::Position) inside a
/// [`Game`](crate::game::any_size::Game), whatever its size.
#[macro_export]
macro_rules! with_position {
    ($game:expr, $position:ident => $body:expr) => {{
        use $crate::game::any_size::Game;
        match $game {
            Game::Size7($position) => $body,
            Game::Size9($position) => $body,
            Game::Size11($position) => $body,
            Game::Size13($position) => $body,
            Game::Size15($position) => $body,
            Game::Size17($position) => $body,
            Game::Size19($position) => $body,
        }
    }};
}

/// Why a move cannot be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveError {
    /// The text is no move of this board.
    Malformed(String),
    /// The move is not legal here.
    Illegal(String),
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(text) => {
                write!(f, "'{text}' is no move; expected two squares, such as e5e8")
            }
            Self::Illegal(text) => write!(f, "'{text}' is not legal here"),
        }
    }
}

impl std::error::Error for MoveError {}

impl Game {
    /// The start position of a rule set.
    ///
    /// # Errors
    /// If the size is none of 7, 9, … 19 or the start position is not a legal board.
    pub fn start(rules: Arc<Rules>) -> Result<Self, FenError> {
        macro_rules! start {
            ($($size:literal $variant:ident),*) => {
                match rules.size {
                    $($size => Position::start(Arc::new(RuleTables::new(rules))).map(Self::$variant),)*
                    size => Err(FenError::size(size, MIN_SIZE, MAX_SIZE)),
                }
            };
        }
        start!(7 Size7, 9 Size9, 11 Size11, 13 Size13, 15 Size15, 17 Size17, 19 Size19)
    }

    /// The position of a FEN under the rules of this game.
    ///
    /// # Errors
    /// Says what is wrong with the FEN, where, and what would be right.
    pub fn with_fen(&self, text: &str) -> Result<Self, FenError> {
        macro_rules! each {
            ($($variant:ident),*) => {
                match self {
                    $(Self::$variant(position) => position.with_fen(text).map(Self::$variant),)*
                }
            };
        }
        each!(Size7, Size9, Size11, Size13, Size15, Size17, Size19)
    }

    /// The start position of this game's rules.
    ///
    /// # Errors
    /// None for a game that was itself made by [`Game::start`].
    pub fn restarted(&self) -> Result<Self, FenError> {
        self.with_fen(&self.rules().start)
    }

    /// The rule set.
    pub fn rules(&self) -> &Arc<Rules> {
        with_position!(self, position => position.rules())
    }

    /// Squares on a side of the board.
    pub fn size(&self) -> usize {
        self.rules().size
    }

    /// Whose turn it is.
    pub fn side(&self) -> Side {
        with_position!(self, position => position.side())
    }

    /// The key of pieces and side to move.
    pub fn key(&self) -> u64 {
        with_position!(self, position => position.key())
    }

    /// The canonical FEN.
    pub fn fen(&self) -> String {
        with_position!(self, position => position.fen())
    }

    /// The board part of the FEN.
    pub fn placement(&self) -> String {
        with_position!(self, position => fen::placement(position.board()))
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Kind> {
        with_position!(self, position => position.piece_at(square))
    }

    /// How many moves have been made since the first position.
    pub fn plies(&self) -> usize {
        with_position!(self, position => position.plies())
    }

    /// The moves since the first position.
    pub fn moves_made(&self) -> Vec<Move> {
        with_position!(self, position => position.moves_made().collect())
    }

    /// The legal moves, in a fixed order.
    pub fn legal_moves(&self) -> Vec<Move> {
        with_position!(self, position => position.legal_moves())
    }

    /// Is the move legal?
    pub fn is_legal(&self, mv: Move) -> bool {
        with_position!(self, position => position.is_legal(mv))
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: Move) {
        with_position!(self, position => position.play(mv));
    }

    /// Takes the last move back; without one nothing changes.
    pub fn undo(&mut self) {
        with_position!(self, position => position.undo());
    }

    /// Reads a move, which must be legal.
    ///
    /// # Errors
    /// If the text is no move or the move is not legal.
    pub fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        let shown = || text.chars().take(40).flat_map(char::escape_default).collect();
        let mv = Move::parse(text, self.size()).ok_or_else(|| MoveError::Malformed(shown()))?;
        if self.is_legal(mv) { Ok(mv) } else { Err(MoveError::Illegal(shown())) }
    }

    /// The squares that a legal move captures, a captured king's too.
    pub fn captured_by(&self, mv: Move) -> Vec<Square> {
        with_position!(self, position => position.captured_by(mv))
    }

    /// How the game has ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        with_position!(self, position => position.outcome())
    }

    /// How often the position has occurred, this time included.
    pub fn occurrences(&self) -> u32 {
        with_position!(self, position => position.occurrences())
    }

    /// What is announced.
    pub fn call(&self) -> Option<Call> {
        with_position!(self, position => position.call())
    }
}
