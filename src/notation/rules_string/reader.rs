//! Reading: first the keys, then what they say.

use std::sync::Arc;

use super::DEFENDERS;
use super::keys::{Keys, RulesStringError, refuse};
use super::squares::{corners, piece_list, placement, placement_from_below, shown, square_list};
use super::writer::same_but_start;
use crate::game::any_size::Game;
use crate::game::geometry::{MAX_SIZE, MIN_SIZE, Square};
use crate::game::rules::{
    Goal, Kinds, KingCapture, Repetition, RepetitionResult, Rules, Shieldwall, Side, Zone,
};
use crate::game::variants::{CUSTOM, variant};

/// The rule set of a rules string.
///
/// Its id is the one of the catalogue whose `name` it bears, if it is that rule set (another start
/// position aside), and else `custom`.
///
/// # Errors
/// Names the key that is wrong, missing or not played here, and says what would be right.
pub fn read(text: &str) -> Result<Rules, RulesStringError> {
    let keys = Keys::read(text)?;
    if let Some(id) = keys.get("x-variant") {
        return keys.named(id);
    }
    let mut rules = keys.rules()?;
    let named = keys.get("name").and_then(variant);
    if let Some(named) = named {
        let renamed = Rules { id: named.id.clone(), ..rules.clone() };
        if same_but_start(&named, &renamed) {
            rules.id = renamed.id;
        }
    }
    Ok(rules)
}

impl Keys<'_> {
    fn size(&self) -> Result<usize, RulesStringError> {
        let value = self.get("dim").unwrap_or("");
        match value.parse() {
            Ok(size) if size % 2 == 1 && (MIN_SIZE..=MAX_SIZE).contains(&size) => Ok(size),
            _ => refuse(
                "dim",
                format!("'{}'; expected an odd number from {MIN_SIZE} to {MAX_SIZE}", shown(value)),
            ),
        }
    }

    /// What is not played here is refused, not ignored.
    fn refuse_unplayed(&self) -> Result<(), RulesStringError> {
        let unplayed = [
            ("kj", "n", "the king does not jump here; expected n"),
            ("ber", "n", "berserk moves are not played here; expected n"),
            ("swf", "y", "a shieldwall takes only its flanked men here; expected y"),
        ];
        for (key, played, why) in unplayed {
            if self.get(key).is_some_and(|value| value != played) {
                return refuse(key, why);
            }
        }
        Ok(())
    }

    fn rules(&self) -> Result<Rules, RulesStringError> {
        use KingCapture::{Custodial, Surround};
        const SURROUND: [KingCapture; 3] = [Surround; 3];
        const CUSTODIAL: [KingCapture; 3] = [Custodial; 3];
        const STRONG_AT_THRONE: [KingCapture; 3] = [Surround, Surround, Custodial];

        let size = self.size()?;
        self.refuse_unplayed()?;
        let strengths = [
            ("s", (SURROUND, false)),
            ("w", (CUSTODIAL, false)),
            ("c", (STRONG_AT_THRONE, false)),
            ("m", (SURROUND, true)),
            ("y", (SURROUND, false)),
            ("n", (CUSTODIAL, false)),
        ];
        let (modes, edge_walls_king) = self.choice("ks", (SURROUND, false), &strengths)?;
        let [on_throne, beside_throne, elsewhere] = modes;
        let arms = [
            ("y", (true, true)),
            ("n", (false, false)),
            ("a", (false, true)),
            ("h", (true, false)),
        ];
        let (hammer, anvil) = self.choice("ka", (true, true), &arms)?;
        let goals = [("c", Goal::Corners), ("e", Goal::Edge)];
        let walls =
            [("n", Shieldwall::No), ("s", Shieldwall::CornersClose), ("w", Shieldwall::MenClose)];
        let rules = Rules {
            id: CUSTOM.to_owned(),
            size,
            first: self.first()?,
            start: String::new(),
            throne: self.throne(size)?,
            corners: self.corners(size)?,
            attacker_camps: self.camps("afor", size, [DEFENDERS, Kinds::ALL])?,
            defender_camps: self.camps("dfor", size, [Kinds::A, DEFENDERS])?,
            goal: self.choice("esc", Goal::Corners, &goals)?,
            hammer,
            anvil,
            on_throne,
            beside_throne,
            elsewhere,
            edge_walls_king,
            speed: self.speed()?,
            linnaean: self.flag("linc", false)?,
            encirclement: self.flag("surf", true)?,
            shieldwall: self.choice("sw", Shieldwall::No, &walls)?,
            exit_fort: self.flag("efe", false)?,
            repetition: self.repetition()?,
            defenders_may_not_repeat: false,
            draw_after: None,
        };
        self.with_start(rules)
    }

    fn repetition(&self) -> Result<Repetition, RulesStringError> {
        let results = [
            ("d", Some(RepetitionResult::Draw)),
            ("w", Some(RepetitionResult::MoverWins)),
            ("l", Some(RepetitionResult::MoverLoses)),
            ("a", Some(RepetitionResult::AttackersWin)),
            ("i", None),
        ];
        let result = self.choice("tfr", Some(RepetitionResult::Draw), &results)?;
        Ok(Repetition {
            limit: if result.is_some() { 3 } else { 0 },
            result: result.unwrap_or(RepetitionResult::Draw),
            counts_start: true,
        })
    }

    /// Speeds of attackers, defenders and king. The longer lists name each kind of the attackers,
    /// then each of the defenders: soldier, commander, knight, king, and so on.
    fn speed(&self) -> Result<[Option<usize>; 3], RulesStringError> {
        let Some(value) = self.get("spd") else { return Ok([None; 3]) };
        let mut speeds = Vec::new();
        for word in value.split(',') {
            speeds.push(match word.parse::<i32>() {
                Ok(-1) => None,
                Ok(squares @ 0..=99) => Some(squares as usize),
                _ => {
                    let why = format!("'{}'; expected -1 (no limit) or 0 to 99", shown(word));
                    return refuse("spd", why);
                }
            });
        }
        match speeds.as_slice() {
            &[all] => Ok([all; 3]),
            &[attackers, defenders] => Ok([attackers, defenders, defenders]),
            &[a, _, _, _, d, _, _, k]
            | &[a, _, _, _, _, d, _, _, k, _]
            | &[a, _, _, _, _, _, d, _, _, k, _, _] => Ok([a, d, k]),
            _ => refuse("spd", format!("{} numbers; expected 1, 2, 8, 10 or 12", speeds.len())),
        }
    }

    fn throne(&self, size: usize) -> Result<Zone, RulesStringError> {
        let centre = vec![Square::at(size / 2, size / 2, size)];
        let zone = Zone {
            groups: self.squares("cen", size, centre)?,
            hostile_empty: self.pieces("cenhe", Kinds::ALL)?,
            hostile_occupied: self.pieces("cenh", Kinds::A)?,
            ..self.access("cen", [Kinds::ALL, Kinds::K])?
        };
        Ok(unless_empty(zone))
    }

    fn corners(&self, size: usize) -> Result<Zone, RulesStringError> {
        let zone = Zone {
            groups: self.squares("cor", size, corners(size))?,
            hostile_empty: self.pieces("corh", Kinds::ALL)?,
            ..self.access("cor", [Kinds::K, Kinds::K])?
        };
        Ok(unless_empty(zone))
    }

    /// Camps, by default hostile to the first kinds and open to the second ones.
    fn camps(
        &self,
        key: &str,
        size: usize,
        [hostile, open]: [Kinds; 2],
    ) -> Result<Zone, RulesStringError> {
        let hostile = self.pieces(&format!("{key}h"), hostile)?;
        let zone = Zone {
            groups: self.squares(key, size, Vec::new())?,
            hostile_empty: hostile,
            hostile_occupied: hostile,
            ..self.access(key, [open, open])?
        };
        Ok(unless_empty(zone))
    }

    /// Who may pass, stop and come in; `[pass, stop]` are the defaults.
    fn access(&self, key: &str, [pass, stop]: [Kinds; 2]) -> Result<Zone, RulesStringError> {
        Ok(Zone {
            pass: self.pieces(&format!("{key}p"), pass)?,
            stop: self.pieces(&format!("{key}s"), stop)?,
            reenter: self.pieces(&format!("{key}re"), Kinds::ALL)?,
            ..Zone::default()
        })
    }

    /// The squares of a zone as one group.
    fn squares(
        &self,
        key: &str,
        size: usize,
        default: Vec<Square>,
    ) -> Result<Vec<Vec<Square>>, RulesStringError> {
        let Some(value) = self.get(key) else { return Ok(as_groups(default)) };
        square_list(value, size).map(as_groups).or_else(|why| refuse(key, why))
    }

    fn pieces(&self, key: &str, default: Kinds) -> Result<Kinds, RulesStringError> {
        let Some(value) = self.get(key) else { return Ok(default) };
        piece_list(value).or_else(|why| refuse(key, why))
    }

    /// Who is to move in the start position.
    fn first(&self) -> Result<Side, RulesStringError> {
        let attackers = self.flag("atkf", true)?;
        Ok(if attackers { Side::Attackers } else { Side::Defenders })
    }

    /// The rules with the start position, which must be a legal board with a king.
    fn with_start(&self, mut rules: Rules) -> Result<Rules, RulesStringError> {
        let (key, start) = match (self.get("starti"), self.get("start")) {
            (Some(_), Some(_)) => return refuse("start", "starti is there as well"),
            (Some(text), None) => ("starti", placement(text)),
            (None, Some(text)) => ("start", placement_from_below(text)),
            (None, None) => {
                return refuse("starti", "it is missing; expected starti:/…/ at the end");
            }
        };
        rules.start = start.or_else(|why| refuse(key, why))?;
        match Game::start(Arc::new(rules.clone())) {
            Err(error) => refuse(key, error.to_string()),
            Ok(game) if !game.placement().contains('k') => {
                refuse(key, "there is no king; expected one K")
            }
            // As everybody writes it, however it was written here.
            Ok(game) => Ok(Rules { start: game.placement(), ..rules }),
        }
    }

    /// The rule set of the catalogue on the start position that is given. Who is to move belongs to
    /// a position: only in the rule set's own one that is known already.
    fn named(&self, id: &str) -> Result<Rules, RulesStringError> {
        let Some(named) = variant(id) else {
            return refuse("x-variant", format!("there is no rule set '{}'", shown(id)));
        };
        if named.size != self.size()? {
            let why = format!("{} is played on dim:{}", named.id, named.size);
            return refuse("x-variant", why);
        }
        let rules = self.with_start((*named).clone())?;
        let first = if rules.start == named.start { named.first } else { self.first()? };
        Ok(Rules { first, ..rules })
    }
}

/// No squares are no group.
fn as_groups(squares: Vec<Square>) -> Vec<Vec<Square>> {
    if squares.is_empty() { Vec::new() } else { vec![squares] }
}

/// What holds on no square is not said.
fn unless_empty(zone: Zone) -> Zone {
    if zone.groups.is_empty() { Zone::default() } else { zone }
}
