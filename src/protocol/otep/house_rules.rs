//! OpenTafl's own reading of rules strings, where it is not what their text says. In a conversation
//! with that program its behaviour is the rule of the game.

use crate::game::rules::{Kinds, RepetitionResult, Rules, Shieldwall, Zone};

/// The rules as OpenTafl plays them, and what there is to tell about it.
pub fn as_opentafl_plays(rules: &Rules) -> (Rules, Vec<&'static str>) {
    let mut house = rules.clone();
    let mut notes = Vec::new();
    let repetition = &mut house.repetition;
    if repetition.limit == 0 {
        repetition.limit = 3;
        repetition.result = RepetitionResult::Draw;
        notes.push("tfr:i draws at the third occurrence");
    } else {
        let swapped = match repetition.result {
            RepetitionResult::MoverWins => Some(RepetitionResult::MoverLoses),
            RepetitionResult::MoverLoses => Some(RepetitionResult::MoverWins),
            RepetitionResult::Draw | RepetitionResult::AttackersWin => None,
        };
        if let Some(result) = swapped {
            repetition.result = result;
            notes.push("tfr:w and tfr:l are swapped");
        }
    }
    let zones = [
        &mut house.throne,
        &mut house.corners,
        &mut house.attacker_camps,
        &mut house.defender_camps,
    ];
    if zones.into_iter().map(without_king_alone).fold(false, |any, changed| any | changed) {
        notes.push("no square is hostile to the king alone");
    }
    if house.shieldwall != Shieldwall::No {
        notes.push("shieldwalls are its own: the board it sends counts");
    }
    if house.encirclement {
        notes.push("it calls an encirclement when nobody inside can move to the edge");
    }
    (house, notes)
}

/// Takes back what is hostile to the king and nobody else. Was there any?
fn without_king_alone(zone: &mut Zone) -> bool {
    let mut changed = false;
    for hostile in [&mut zone.hostile_empty, &mut zone.hostile_occupied] {
        if *hostile == Kinds::K {
            *hostile = Kinds::NONE;
            changed = true;
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variants::variant;

    #[test]
    fn what_differs_is_told() {
        let tablut = variant("tablut").unwrap();
        let (house, notes) = as_opentafl_plays(&tablut);
        assert_eq!(house.throne.hostile_empty, Kinds::NONE);
        assert_eq!(notes, ["no square is hostile to the king alone"]);
        let mut rules = (*variant("skalk").unwrap()).clone();
        rules.repetition.result = RepetitionResult::MoverWins;
        let (house, notes) = as_opentafl_plays(&rules);
        assert_eq!(house.repetition.result, RepetitionResult::MoverLoses);
        assert_eq!(notes.len(), 1);
        rules.repetition.limit = 0;
        let (house, _) = as_opentafl_plays(&rules);
        assert_eq!((house.repetition.limit, house.repetition.result), (3, RepetitionResult::Draw));
        // Nothing differs, nothing is told.
        let skalk = variant("skalk").unwrap();
        assert_eq!(as_opentafl_plays(&skalk), ((*skalk).clone(), Vec::new()));
    }
}
