//! The rules a second time, from their text and for clarity alone: a plain board that is walked
//! square by square. It shares the data of a rule set ([`Rules`]) with the engine and no code.

use std::collections::BTreeSet;
use std::sync::Arc;

use konakis::game::outcome::{Outcome, Reason};
use konakis::game::rules::{
    Goal, Kind, Kinds, KingCapture, RepetitionResult, Rules, Shieldwall, Side, Zone,
};

use konakis::game::geometry::Square;
use konakis::game::moves::Move;

/// File and rank, both from 0; off the board too.
pub type Cell = (i32, i32);

const WAYS: [Cell; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

fn step(cell: Cell, way: Cell) -> Cell {
    (cell.0 + way.0, cell.1 + way.1)
}

fn around(cell: Cell) -> [Cell; 4] {
    WAYS.map(|way| step(cell, way))
}

/// What a move takes, by the rule that takes it.
#[derive(Default, Debug)]
pub struct Taken {
    pub custodial: BTreeSet<Cell>,
    pub linnaean: BTreeSet<Cell>,
    pub shieldwall: BTreeSet<Cell>,
    pub king: Option<Cell>,
}

impl Taken {
    pub fn all(&self) -> BTreeSet<Cell> {
        let men = self.custodial.iter().chain(&self.linnaean).chain(&self.shieldwall);
        men.chain(&self.king).copied().collect()
    }
}

/// A position and the positions before it.
#[derive(Clone)]
pub struct Reference {
    rules: Arc<Rules>,
    men: Vec<Option<Kind>>,
    side: Side,
    /// The list in which a repetition is looked up; the last entry is the position itself.
    seen: Vec<(Vec<Option<Kind>>, Side)>,
    /// Every board so far, the first and the present one included.
    boards: Vec<Vec<Option<Kind>>>,
}

impl Reference {
    /// Reads a canonical FEN.
    pub fn new(rules: &Arc<Rules>, fen: &str) -> Self {
        let (placement, side) = fen.split_once(' ').expect("a canonical FEN");
        let mut men = vec![None; rules.size * rules.size];
        for (down, line) in placement.split('/').enumerate() {
            let mut file = 0;
            let mut empty = 0;
            for c in line.chars().chain(['.']) {
                if let Some(digit) = c.to_digit(10) {
                    empty = 10 * empty + digit as usize;
                    continue;
                }
                file += std::mem::take(&mut empty);
                if let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.letter() == c) {
                    men[(rules.size - 1 - down) * rules.size + file] = Some(kind);
                    file += 1;
                }
            }
        }
        let side = if side == "a" { Side::Attackers } else { Side::Defenders };
        let boards = vec![men.clone()];
        let mut new = Self { rules: Arc::clone(rules), men, side, seen: Vec::new(), boards };
        if rules.repetition.counts_start {
            new.seen.push((new.men.clone(), side));
        }
        new
    }

    pub fn fen(&self) -> String {
        let mut ranks = Vec::new();
        for rank in (0..self.size()).rev() {
            let letters: String = (0..self.size())
                .map(|file| self.at((file, rank)).map_or('.', |kind| kind.letter()))
                .collect();
            let mut text = letters;
            for empty in (1..=self.rules.size).rev() {
                text = text.replace(&".".repeat(empty), &empty.to_string());
            }
            ranks.push(text);
        }
        format!("{} {}", ranks.join("/"), self.side.letter())
    }

    fn size(&self) -> i32 {
        self.rules.size as i32
    }

    fn on_board(&self, cell: Cell) -> bool {
        (0..self.size()).contains(&cell.0) && (0..self.size()).contains(&cell.1)
    }

    fn index(&self, cell: Cell) -> usize {
        (cell.1 * self.size() + cell.0) as usize
    }

    fn square(&self, cell: Cell) -> Square {
        Square::at(cell.0 as usize, cell.1 as usize, self.rules.size)
    }

    pub fn cell(&self, square: Square) -> Cell {
        let (file, rank) = square.file_rank(self.rules.size);
        (file as i32, rank as i32)
    }

    fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let size = self.size();
        (0..size).flat_map(move |rank| (0..size).map(move |file| (file, rank)))
    }

    fn at(&self, cell: Cell) -> Option<Kind> {
        if self.on_board(cell) { self.men[self.index(cell)] } else { None }
    }

    fn is_empty(&self, cell: Cell) -> bool {
        self.on_board(cell) && self.at(cell).is_none()
    }

    fn is_edge(&self, cell: Cell) -> bool {
        let last = self.size() - 1;
        cell.0 == 0 || cell.1 == 0 || cell.0 == last || cell.1 == last
    }

    pub fn king(&self) -> Option<Cell> {
        self.cells().find(|&cell| self.at(cell) == Some(Kind::King))
    }

    fn in_zone(&self, zone: &Zone, cell: Cell) -> bool {
        self.on_board(cell) && zone.groups.iter().any(|group| group.contains(&self.square(cell)))
    }

    fn zones_at(&self, cell: Cell) -> impl Iterator<Item = &Zone> {
        let rules = &self.rules;
        let zones = [&rules.throne, &rules.corners, &rules.attacker_camps, &rules.defender_camps];
        zones.into_iter().filter(move |zone| self.in_zone(zone, cell))
    }

    fn lets_in(&self, list: impl Fn(&Zone) -> Kinds, kind: Kind, from: Cell, cell: Cell) -> bool {
        let (from, square) = (self.square(from), self.square(cell));
        self.zones_at(cell).all(|zone| {
            let same_group =
                zone.groups.iter().any(|group| group.contains(&from) && group.contains(&square));
            list(zone).has(kind) && (zone.reenter.has(kind) || same_group)
        })
    }

    /// Where a piece of this kind could go from here, whoever's turn it is.
    fn walks(&self, kind: Kind, from: Cell) -> Vec<Cell> {
        let mut targets = Vec::new();
        for way in WAYS {
            let mut cell = step(from, way);
            let mut entered = 1;
            while self.is_empty(cell)
                && self.rules.speed[kind as usize].is_none_or(|most| entered <= most)
            {
                if self.lets_in(|zone| zone.stop, kind, from, cell) {
                    targets.push(cell);
                }
                if !self.lets_in(|zone| zone.pass, kind, from, cell) {
                    break;
                }
                cell = step(cell, way);
                entered += 1;
            }
        }
        targets
    }

    /// What the pieces of a side could do, were it its turn.
    pub fn moves_of(&self, side: Side) -> BTreeSet<Move> {
        let mut moves = BTreeSet::new();
        for from in self.cells() {
            let Some(kind) = self.at(from).filter(|kind| kind.side() == side) else { continue };
            for to in self.walks(kind, from) {
                moves.insert(Move { from: self.square(from), to: self.square(to) });
            }
        }
        moves
    }

    /// The legal moves: none in a game that has ended otherwise than by repetition.
    pub fn legal_moves(&self) -> BTreeSet<Move> {
        if self.decided().is_some() || self.is_at_ply_limit() {
            return BTreeSet::new();
        }
        self.allowed_moves()
    }

    /// What the pieces of the side to move could do, without what its past forbids.
    fn allowed_moves(&self) -> BTreeSet<Move> {
        let mut moves = self.moves_of(self.side);
        if self.rules.defenders_may_not_repeat && self.side == Side::Defenders {
            moves.retain(|&mv| !self.boards.contains(&self.moved(mv)));
        }
        moves
    }

    /// The board after a move and before its captures.
    fn moved(&self, mv: Move) -> Vec<Option<Kind>> {
        let mut men = self.men.clone();
        let (from, to) = (self.index(self.cell(mv.from)), self.index(self.cell(mv.to)));
        men[to] = men[from].take();
        men
    }

    fn is_at_ply_limit(&self) -> bool {
        self.rules.draw_after.is_some_and(|limit| self.boards.len() > limit as usize)
    }

    /// Is a special square hostile to a piece of this kind?
    fn is_hostile_square(&self, cell: Cell, kind: Kind) -> bool {
        self.zones_at(cell).any(|zone| {
            let is_throne = std::ptr::eq(zone, &self.rules.throne);
            let mask = match self.at(cell) {
                None => zone.hostile_empty,
                Some(piece) if is_throne && piece != Kind::King => Kinds::NONE,
                Some(_) => zone.hostile_occupied,
            };
            let spared = zone.lenient.contains(&self.square(cell)) && zone.spares.has(kind);
            mask.has(kind) && !spared
        })
    }

    /// What a move takes, whoever's turn it is. It must be one of the moves of its piece.
    pub fn taken(&self, mv: Move) -> Taken {
        let (rules, men) = (Arc::clone(&self.rules), self.men.clone());
        let mut after = Self { rules, men, side: self.side, seen: Vec::new(), boards: Vec::new() };
        let (from, to) = (self.cell(mv.from), self.cell(mv.to));
        let kind = after.at(from).expect("a piece to move");
        let (from_index, to_index) = (after.index(from), after.index(to));
        after.men[from_index] = None;
        after.men[to_index] = Some(kind);
        after.taken_by_arrival(kind, to)
    }

    /// What the piece takes that has just arrived.
    fn taken_by_arrival(&self, kind: Kind, to: Cell) -> Taken {
        let mut taken = Taken::default();
        if kind != Kind::King || self.rules.hammer {
            taken.custodial = self.custodial(kind.side(), to);
            if self.rules.shieldwall != Shieldwall::No && self.is_edge(to) {
                taken.shieldwall = self.shieldwall(kind.side(), to);
            }
        }
        if kind == Kind::Attacker {
            if self.rules.linnaean {
                taken.linnaean = self.linnaean(to);
            }
            taken.king = self.king().filter(|&king| self.takes_king(to, king));
        }
        taken
    }

    fn custodial(&self, us: Side, to: Cell) -> BTreeSet<Cell> {
        let victim = us.other().soldier();
        let mut taken = BTreeSet::new();
        for way in WAYS {
            let near = step(to, way);
            let far = step(near, way);
            if self.at(near) != Some(victim) || !self.on_board(far) {
                continue;
            }
            let captor = match self.at(far) {
                Some(Kind::King) => us == Side::Defenders && self.rules.anvil,
                Some(kind) => kind.side() == us,
                None => false,
            };
            if captor || self.is_hostile_square(far, victim) {
                taken.insert(near);
            }
        }
        taken
    }

    fn linnaean(&self, to: Cell) -> BTreeSet<Cell> {
        let mut taken = BTreeSet::new();
        let Some(king) = self.king().filter(|&king| self.in_zone(&self.rules.throne, king)) else {
            return taken;
        };
        for way in WAYS {
            let fourth = step(king, way);
            let others = WAYS.iter().filter(|&&other| other != way);
            let three =
                others.filter(|&&other| self.at(step(king, other)) == Some(Kind::Attacker)).count()
                    == 3;
            if three && self.at(fourth) == Some(Kind::Defender) && step(fourth, way) == to {
                taken.insert(fourth);
            }
        }
        taken
    }

    fn shieldwall(&self, us: Side, to: Cell) -> BTreeSet<Cell> {
        let is_side =
            |cell: Cell, side: Side| self.at(cell).is_some_and(|kind| kind.side() == side);
        let mut taken = BTreeSet::new();
        for way in WAYS {
            for inside in [(way.1, way.0), (-way.1, -way.0)] {
                // The edge runs along `way` if the square on its other side is off the board.
                let outside = (to.0 - inside.0, to.1 - inside.1);
                if self.on_board(outside) {
                    continue;
                }
                let mut run = Vec::new();
                let mut cell = step(to, way);
                while is_side(cell, us.other()) && is_side(step(cell, inside), us) {
                    run.push(cell);
                    cell = step(cell, way);
                }
                let empty_corner = self.rules.shieldwall == Shieldwall::CornersClose
                    && self.is_empty(cell)
                    && self.in_zone(&self.rules.corners, cell);
                if run.len() >= 2 && (is_side(cell, us) || empty_corner) {
                    taken.extend(run.into_iter().filter(|&c| self.at(c) != Some(Kind::King)));
                }
            }
        }
        taken
    }

    fn takes_king(&self, to: Cell, king: Cell) -> bool {
        let Some(way) = WAYS.into_iter().find(|&way| step(king, way) == to) else { return false };
        let serves = |cell: Cell| {
            self.at(cell) == Some(Kind::Attacker) || self.is_hostile_square(cell, Kind::King)
        };
        let throne = |cell: Cell| self.in_zone(&self.rules.throne, cell);
        let mode = if throne(king) {
            self.rules.on_throne
        } else if around(king).into_iter().any(throne) {
            self.rules.beside_throne
        } else {
            self.rules.elsewhere
        };
        match mode {
            KingCapture::Custodial => serves((king.0 - way.0, king.1 - way.1)),
            KingCapture::Surround => around(king).into_iter().all(|cell| {
                if self.on_board(cell) { serves(cell) } else { self.rules.edge_walls_king }
            }),
        }
    }

    /// Makes a legal move.
    pub fn play(&mut self, mv: Move) {
        let taken = self.taken(mv).all();
        self.men = self.moved(mv);
        for &cell in &taken {
            let index = self.index(cell);
            self.men[index] = None;
        }
        self.side = self.side.other();
        if !taken.is_empty() && !self.rules.repetition.counts_start {
            self.seen.clear();
        }
        self.seen.push((self.men.clone(), self.side));
        self.boards.push(self.men.clone());
    }

    pub fn occurrences(&self) -> u32 {
        let now = |(men, side): &&(Vec<Option<Kind>>, Side)| *men == self.men && *side == self.side;
        self.seen.iter().filter(now).count() as u32
    }

    fn is_goal(&self, cell: Cell) -> bool {
        let place = match self.rules.goal {
            Goal::Edge => self.is_edge(cell),
            Goal::Corners => self.in_zone(&self.rules.corners, cell),
        };
        place && self.zones_at(cell).all(|zone| zone.stop.has(Kind::King))
    }

    /// The outcomes that the board alone decides, in their order.
    fn decided(&self) -> Option<Outcome> {
        let Some(king) = self.king() else {
            return Some(Outcome::win(Side::Attackers, Reason::KingCaptured));
        };
        let mover = self.side.other();
        if self.is_goal(king) {
            return Some(Outcome::win(Side::Defenders, Reason::KingEscaped));
        }
        if mover == Side::Defenders && self.rules.exit_fort && self.is_exit_fort(king) {
            return Some(Outcome::win(Side::Defenders, Reason::ExitFort));
        }
        if mover == Side::Attackers && self.rules.encirclement && self.is_encircled() {
            return Some(Outcome::win(Side::Attackers, Reason::Encirclement));
        }
        None
    }

    pub fn outcome(&self) -> Option<Outcome> {
        if let Some(outcome) = self.decided() {
            return Some(outcome);
        }
        let mover = self.side.other();
        let repetition = self.rules.repetition;
        if repetition.limit > 0 && self.occurrences() >= repetition.limit {
            let winner = match repetition.result {
                RepetitionResult::Draw => None,
                RepetitionResult::AttackersWin => Some(Side::Attackers),
                RepetitionResult::MoverLoses => Some(self.side),
                RepetitionResult::MoverWins => Some(mover),
            };
            return Some(Outcome { winner, reason: Reason::Repetition });
        }
        if self.allowed_moves().is_empty() {
            return Some(Outcome::win(mover, Reason::NoMoves));
        }
        self.is_at_ply_limit().then_some(Outcome { winner: None, reason: Reason::PlyLimit })
    }

    /// The squares reached from `from` through squares that pass the test.
    fn flood(&self, from: Vec<Cell>, through: impl Fn(Cell) -> bool) -> BTreeSet<Cell> {
        let mut reached: BTreeSet<Cell> = from.iter().copied().collect();
        let mut open = from;
        while let Some(cell) = open.pop() {
            for next in around(cell) {
                if self.on_board(next) && through(next) && reached.insert(next) {
                    open.push(next);
                }
            }
        }
        reached
    }

    fn is_encircled(&self) -> bool {
        let inside = self
            .cells()
            .filter(|&cell| self.at(cell).is_some_and(|kind| kind.side() == Side::Defenders));
        let reached = self.flood(inside.collect(), |cell| self.at(cell) != Some(Kind::Attacker));
        !reached.into_iter().any(|cell| self.is_edge(cell))
    }

    fn is_exit_fort(&self, king: Cell) -> bool {
        if !self.is_edge(king) || self.in_zone(&self.rules.corners, king) {
            return false;
        }
        if !around(king).into_iter().any(|cell| self.is_empty(cell)) {
            return false;
        }
        let fort = self.flood(vec![king], |cell| self.is_empty(cell));
        let mut walls = BTreeSet::new();
        for cell in fort.iter().flat_map(|&cell| around(cell)) {
            match self.at(cell) {
                Some(Kind::Attacker) => return false,
                Some(Kind::Defender) => _ = walls.insert(cell),
                _ => {}
            }
        }
        let danger = |cell: Cell| {
            self.on_board(cell) && !fort.contains(&cell) && self.at(cell) != Some(Kind::Defender)
        };
        let takeable = |(file, rank): Cell| {
            danger((file - 1, rank)) && danger((file + 1, rank))
                || danger((file, rank - 1)) && danger((file, rank + 1))
        };
        !walls.into_iter().any(takeable)
    }

    /// In how many directions the king reaches a goal square, were it his turn.
    pub fn king_exits(&self) -> u32 {
        let Some(king) = self.king() else { return 0 };
        let goals = self.walks(Kind::King, king).into_iter().filter(|&cell| self.is_goal(cell));
        let ways: BTreeSet<Cell> = goals
            .map(|(file, rank)| ((file - king.0).signum(), (rank - king.1).signum()))
            .collect();
        ways.len() as u32
    }

    /// Could some attacker take the king, were it the attackers' turn?
    pub fn king_can_be_taken(&self) -> bool {
        self.moves_of(Side::Attackers).into_iter().any(|mv| self.taken(mv).king.is_some())
    }
}
