//! [`Board`]: the pieces, the side to move and the key, which change together or not at all.

use super::bits::Bits;
use super::capture::Captured;
use super::geometry::{Geometry, Line, MAX_SIZE, Square};
use super::moves::Move;
use super::rules::{Kind, Side};
use super::tables::RuleTables;
use super::zobrist;

const NO_KING: u16 = u16::MAX;

/// The pieces on a board and whose turn it is.
#[derive(Clone, Debug)]
pub struct Board<G: Geometry> {
    /// Attackers; defenders without the king.
    men: [G::Bits; 2],
    king: u16,
    side: Side,
    key: u64,
    /// The occupied squares of each rank and of each file, so that a line is one load.
    rows: [Line; MAX_SIZE],
    columns: [Line; MAX_SIZE],
}

/// What [`Board::play`] changed, for [`Board::undo`].
#[derive(Clone, Copy, Debug)]
pub struct Undo<B> {
    /// The move.
    pub mv: Move,
    /// What it captured.
    pub captured: Captured<B>,
    /// The key of the position before.
    pub key: u64,
    king: u16,
}

impl<B> Undo<B> {
    /// Was it a pass? Its move then goes from a square to the same square.
    #[inline]
    pub fn is_pass(&self) -> bool {
        self.mv.from == self.mv.to
    }
}

impl<G: Geometry> Board<G> {
    /// A board without pieces.
    pub fn empty(side: Side) -> Self {
        Self {
            men: [G::Bits::EMPTY; 2],
            king: NO_KING,
            side,
            key: if side == Side::Attackers { zobrist::ATTACKERS_TO_MOVE } else { 0 },
            rows: [0; MAX_SIZE],
            columns: [0; MAX_SIZE],
        }
    }

    /// Puts a piece on an empty square. There is at most one king: a second one is not put.
    pub fn put(&mut self, kind: Kind, square: Square) {
        if self.piece_at(square).is_some() || kind == Kind::King && self.king != NO_KING {
            return;
        }
        self.toggle(kind, square);
        if kind == Kind::King {
            self.king = square.0;
        }
    }

    /// The men of a side, without the king.
    #[inline]
    pub fn men(&self, side: Side) -> G::Bits {
        self.men[side as usize]
    }

    /// Where the king is, if he is on the board.
    #[inline]
    pub fn king(&self) -> Option<Square> {
        (self.king != NO_KING).then_some(Square(self.king))
    }

    /// The king as a set of at most one square.
    #[inline]
    pub fn king_set(&self) -> G::Bits {
        if self.king == NO_KING { G::Bits::EMPTY } else { G::Bits::bit(self.king as usize) }
    }

    /// Every occupied square.
    #[inline]
    pub fn occupied(&self) -> G::Bits {
        self.men[0] | self.men[1] | self.king_set()
    }

    /// Whose turn it is.
    #[inline]
    pub fn side(&self) -> Side {
        self.side
    }

    /// The key of pieces and side to move.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The key, computed from the pieces.
    pub fn computed_key(&self) -> u64 {
        let squares = (0..G::SQUARES as u16).map(Square);
        let pieces = squares.filter_map(|square| Some((self.piece_at(square)?, square)));
        let side = if self.side == Side::Attackers { zobrist::ATTACKERS_TO_MOVE } else { 0 };
        pieces.fold(side, |key, (kind, square)| key ^ zobrist::piece(kind, square))
    }

    /// The piece on a square.
    pub fn piece_at(&self, square: Square) -> Option<Kind> {
        if self.king == square.0 {
            Some(Kind::King)
        } else if self.men[0].has(square.index()) {
            Some(Kind::Attacker)
        } else if self.men[1].has(square.index()) {
            Some(Kind::Defender)
        } else {
            None
        }
    }

    /// The kind of the piece of the side to move that stands on an occupied square.
    #[inline]
    pub(super) fn mover(&self, from: Square) -> Kind {
        match self.side {
            Side::Attackers => Kind::Attacker,
            Side::Defenders if self.king == from.0 => Kind::King,
            Side::Defenders => Kind::Defender,
        }
    }

    /// The occupied squares of a rank.
    #[inline]
    pub(crate) fn row(&self, rank: usize) -> Line {
        self.rows[rank]
    }

    /// The occupied squares of a file.
    #[inline]
    pub(crate) fn column(&self, file: usize) -> Line {
        self.columns[file]
    }

    /// Makes a move that is in the list of moves.
    #[inline]
    pub fn play(&mut self, tables: &RuleTables<G>, mv: Move) -> Undo<G::Bits> {
        let (key, king) = (self.key, self.king);
        let kind = self.shift(mv.from, mv.to);
        let captured = self.captures(tables, mv.to, kind);
        if captured.any() {
            self.toggle_captured(&captured);
        }
        self.side = self.side.other();
        self.key ^= zobrist::ATTACKERS_TO_MOVE;
        Undo { mv, captured, key, king }
    }

    /// The key after a move, if it captures nothing.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let kind = self.mover(mv.from);
        let moved = zobrist::piece(kind, mv.from) ^ zobrist::piece(kind, mv.to);
        self.key ^ moved ^ zobrist::ATTACKERS_TO_MOVE
    }

    /// Takes the last move, or a pass, back.
    #[inline]
    pub fn undo(&mut self, undo: &Undo<G::Bits>) {
        self.side = self.side.other();
        self.king = undo.king;
        if undo.is_pass() {
            self.key = undo.key;
            return;
        }
        if undo.captured.any() {
            self.toggle_captured(&undo.captured);
            self.king = undo.king;
        }
        let (from, to) = (undo.mv.to, undo.mv.from);
        if undo.king != to.0 {
            self.move_man(self.side, from, to);
        }
        self.move_occupant(from, to);
        self.key = undo.key;
    }

    /// Lets the other side move, as a search does to see what a position threatens.
    pub fn pass(&mut self) -> Undo<G::Bits> {
        let nowhere = Square(0);
        let mv = Move { from: nowhere, to: nowhere };
        let undo = Undo { mv, captured: Captured::default(), key: self.key, king: self.king };
        self.side = self.side.other();
        self.key ^= zobrist::ATTACKERS_TO_MOVE;
        undo
    }

    /// Moves the piece of the side to move from one square to another.
    #[inline]
    fn shift(&mut self, from: Square, to: Square) -> Kind {
        let kind = self.mover(from);
        self.key ^= zobrist::piece(kind, from) ^ zobrist::piece(kind, to);
        if kind == Kind::King {
            self.king = to.0;
        } else {
            self.move_man(self.side, from, to);
        }
        self.move_occupant(from, to);
        kind
    }

    #[inline]
    fn move_man(&mut self, side: Side, from: Square, to: Square) {
        let men = &mut self.men[side as usize];
        *men = *men ^ G::Bits::bit(from.index()) ^ G::Bits::bit(to.index());
    }

    #[inline]
    fn move_occupant(&mut self, from: Square, to: Square) {
        let (from_file, from_rank) = from.file_rank(G::SIZE);
        let (to_file, to_rank) = to.file_rank(G::SIZE);
        self.rows[from_rank] ^= 1 << from_file;
        self.columns[from_file] ^= 1 << from_rank;
        self.rows[to_rank] ^= 1 << to_file;
        self.columns[to_file] ^= 1 << to_rank;
    }

    /// Takes the captured pieces off, or puts them back.
    fn toggle_captured(&mut self, captured: &Captured<G::Bits>) {
        let victim = self.side.other().soldier();
        for square in captured.men.squares() {
            self.toggle(victim, Square(square as u16));
        }
        if let Some(square) = captured.king {
            self.toggle(Kind::King, square);
            self.king = NO_KING;
        }
    }

    #[inline]
    fn toggle(&mut self, kind: Kind, square: Square) {
        let (file, rank) = square.file_rank(G::SIZE);
        self.rows[rank] ^= 1 << file;
        self.columns[file] ^= 1 << rank;
        self.key ^= zobrist::piece(kind, square);
        if kind != Kind::King {
            let men = &mut self.men[kind as usize];
            *men = *men ^ G::Bits::bit(square.index());
        }
    }
}

impl<G: Geometry> PartialEq for Board<G> {
    fn eq(&self, other: &Self) -> bool {
        (self.men, self.king, self.side) == (other.men, other.king, other.side)
            && (self.key, self.rows, self.columns) == (other.key, other.rows, other.columns)
    }
}

impl<G: Geometry> Eq for Board<G> {}
