//! [`Rules`]: the data that expresses every rule set. No rule set has code of its own.

use super::geometry::{Square, neighbours};

/// The two players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// The larger army, which hunts the king.
    Attackers,
    /// The king and his men.
    Defenders,
}

impl Side {
    /// The opponent.
    #[inline]
    pub const fn other(self) -> Self {
        match self {
            Self::Attackers => Self::Defenders,
            Self::Defenders => Self::Attackers,
        }
    }

    /// `attackers` or `defenders`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Attackers => "attackers",
            Self::Defenders => "defenders",
        }
    }

    /// The letter of the side in a FEN: `a` or `d`.
    pub const fn letter(self) -> char {
        match self {
            Self::Attackers => 'a',
            Self::Defenders => 'd',
        }
    }

    /// The kind of this side's ordinary men.
    #[inline]
    pub const fn soldier(self) -> Kind {
        match self {
            Self::Attackers => Kind::Attacker,
            Self::Defenders => Kind::Defender,
        }
    }
}

/// The three kinds of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A man of the attackers.
    Attacker,
    /// A man of the defenders.
    Defender,
    /// The king.
    King,
}

impl Kind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Self; 3] = [Self::Attacker, Self::Defender, Self::King];

    /// The letter of the piece in a FEN.
    pub const fn letter(self) -> char {
        match self {
            Self::Attacker => 'a',
            Self::Defender => 'd',
            Self::King => 'k',
        }
    }

    /// The side the piece belongs to.
    pub const fn side(self) -> Side {
        match self {
            Self::Attacker => Side::Attackers,
            _ => Side::Defenders,
        }
    }

    /// What people call the piece.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Attacker => "attacker",
            Self::Defender => "defender",
            Self::King => "king",
        }
    }
}

/// A set of piece kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Kinds(u8);

impl Kinds {
    /// Nobody.
    pub const NONE: Self = Self(0);
    /// Attackers, defenders and the king.
    pub const ALL: Self = Self(7);
    /// Attackers.
    pub const A: Self = Self(1);
    /// Defenders without the king.
    pub const D: Self = Self(2);
    /// The king.
    pub const K: Self = Self(4);

    /// The set with one more kind.
    pub const fn with(self, kind: Kind) -> Self {
        Self(self.0 | 1 << kind as u8)
    }

    /// Is the kind in the set?
    #[inline]
    pub const fn has(self, kind: Kind) -> bool {
        self.0 >> kind as u8 & 1 != 0
    }
}

/// Special squares of one sort (throne, corners, or one of the two sorts of camps) and their law.
///
/// A piece may stop on a square of the zone if its kind is in `stop`, and cross the square when it
/// is empty if its kind is in `pass`. If its kind is not in `reenter` it may do either only when
/// its move starts on a square of the same group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Zone {
    /// The squares, in groups.
    pub groups: Vec<Vec<Square>>,
    /// Who may stop here. A king on the throne may stand there whatever this says; it is coming back
    /// that needs leave.
    pub stop: Kinds,
    /// Who may pass over an empty square of the zone.
    pub pass: Kinds,
    /// Who may come in from outside the group.
    pub reenter: Kinds,
    /// To whom an empty square of the zone is hostile.
    pub hostile_empty: Kinds,
    /// To whom an occupied one is hostile. On the throne this counts only while the king is there.
    pub hostile_occupied: Kinds,
    /// Squares of the zone that are friendly to the kinds in `spares` all the same.
    pub lenient: Vec<Square>,
    /// To whom the `lenient` squares are not hostile.
    pub spares: Kinds,
}

impl Default for Zone {
    /// An empty zone, that is: squares like any other.
    fn default() -> Self {
        Self {
            groups: Vec::new(),
            stop: Kinds::ALL,
            pass: Kinds::ALL,
            reenter: Kinds::ALL,
            hostile_empty: Kinds::NONE,
            hostile_occupied: Kinds::NONE,
            lenient: Vec::new(),
            spares: Kinds::NONE,
        }
    }
}

impl Zone {
    /// The squares of all groups.
    pub fn squares(&self) -> impl Iterator<Item = Square> + '_ {
        self.groups.iter().flatten().copied()
    }

    /// Is the square in the zone?
    pub fn contains(&self, square: Square) -> bool {
        self.squares().any(|other| other == square)
    }

    /// Is a square of the zone hostile to a piece of this kind?
    pub fn hostile(&self, square: Square, kind: Kind, occupied: bool) -> bool {
        let mask = if occupied { self.hostile_occupied } else { self.hostile_empty };
        mask.has(kind) && !(self.spares.has(kind) && self.lenient.contains(&square))
    }

    /// Does the zone let a piece that starts its move on `from` in at `square`, if `list` (stop or
    /// pass) does?
    pub fn admits(&self, list: Kinds, kind: Kind, from: Square, square: Square) -> bool {
        let from_inside = || self.groups.iter().any(|g| g.contains(&square) && g.contains(&from));
        list.has(kind) && (self.reenter.has(kind) || from_inside())
    }
}

/// How many captors the king needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KingCapture {
    /// Each neighbour is an attacker or hostile.
    Surround,
    /// The mover and the square opposite.
    Custodial,
}

/// What the king has to reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Any edge square he may stop on.
    Edge,
    /// Any corner he may stop on.
    Corners,
}

/// The shieldwall capture along the edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shieldwall {
    /// There is none.
    No,
    /// A man or an empty corner closes the wall.
    CornersClose,
    /// Only a man closes it.
    MenClose,
}

/// What a repetition that ends the game means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RepetitionResult {
    /// A draw.
    Draw,
    /// The attackers win, whoever repeated.
    AttackersWin,
    /// The side whose move repeats the position loses.
    MoverLoses,
    /// The side whose move repeats the position wins.
    MoverWins,
}

/// When a repeated position ends the game, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Repetition {
    /// The occurrence that ends the game; 0 if none does.
    pub limit: u32,
    /// What it means.
    pub result: RepetitionResult,
    /// Is the start position (or the FEN given) its own first occurrence?
    pub counts_start: bool,
}

/// A rule set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Its id in the catalogue, or `custom`.
    pub id: String,
    /// Squares on a side, odd, 7 to 19.
    pub size: usize,
    /// Who begins.
    pub first: Side,
    /// The start position: the board part of a FEN.
    pub start: String,
    /// The throne.
    pub throne: Zone,
    /// The corners.
    pub corners: Zone,
    /// The attackers' camps.
    pub attacker_camps: Zone,
    /// The defenders' camps.
    pub defender_camps: Zone,
    /// What the king has to reach.
    pub goal: Goal,
    /// May the king's own move capture?
    pub hammer: bool,
    /// May the king be the standing second captor?
    pub anvil: bool,
    /// How the king is taken on the throne.
    pub on_throne: KingCapture,
    /// How the king is taken beside the throne.
    pub beside_throne: KingCapture,
    /// How the king is taken elsewhere.
    pub elsewhere: KingCapture,
    /// Does the side of the board help to surround the king?
    pub edge_walls_king: bool,
    /// How far each kind moves at the most, in squares; `None` is as far as the line is free.
    pub speed: [Option<usize>; 3],
    /// A defender is taken against the king who sits on the throne among three attackers.
    pub linnaean: bool,
    /// Attackers win who cut off the king and all defenders from the edge.
    pub encirclement: bool,
    /// The shieldwall capture.
    pub shieldwall: Shieldwall,
    /// The defenders win by a fort on the edge that cannot be broken.
    pub exit_fort: bool,
    /// Repetition.
    pub repetition: Repetition,
    /// Are the defenders forbidden to move so that the board, before anything is captured, is one
    /// that has been there before, whoever was to move then?
    pub defenders_may_not_repeat: bool,
    /// The game is drawn after so many plies if nothing else has ended it; `None` is no such limit.
    pub draw_after: Option<u32>,
}

impl Rules {
    /// The four zones.
    pub fn zones(&self) -> [&Zone; 4] {
        [&self.throne, &self.corners, &self.attacker_camps, &self.defender_camps]
    }

    /// Does what has been decide which moves are legal, or do the plies that have been made?
    #[inline]
    pub const fn depends_on_past(&self) -> bool {
        self.defenders_may_not_repeat || self.draw_after.is_some()
    }

    /// All squares of the board.
    pub fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        (0..(self.size * self.size) as u16).map(Square)
    }

    /// Is the square on the side of the board?
    pub fn is_edge(&self, square: Square) -> bool {
        neighbours(square, self.size).count() < 4
    }

    /// Is the square an orthogonal neighbour of the throne, outside it?
    pub fn is_beside_throne(&self, square: Square) -> bool {
        !self.throne.contains(square)
            && neighbours(square, self.size).any(|next| self.throne.contains(next))
    }

    /// Does the king win by standing on the square?
    pub fn is_goal(&self, square: Square) -> bool {
        let place = match self.goal {
            Goal::Edge => self.is_edge(square),
            Goal::Corners => self.corners.contains(square),
        };
        place && self.may_stop(Kind::King, square)
    }

    /// Do the zones let a piece of this kind stand on the square at all?
    pub fn may_stop(&self, kind: Kind, square: Square) -> bool {
        self.zones().iter().all(|zone| !zone.contains(square) || zone.stop.has(kind))
    }

    /// How the king is taken when he stands on the square.
    pub fn king_capture_at(&self, square: Square) -> KingCapture {
        if self.throne.contains(square) {
            self.on_throne
        } else if self.is_beside_throne(square) {
            self.beside_throne
        } else {
            self.elsewhere
        }
    }
}
