//! A rule set in words that a player understands.

use crate::game::rules::{
    Goal, Kind, Kinds, KingCapture, RepetitionResult, Rules, Shieldwall, Side, Zone,
};

/// The rules, a sentence or two a line.
pub fn in_words(rules: &Rules) -> Vec<String> {
    let mut lines = vec![
        format!(
            "{0}x{0}. The {1} move first. Every piece moves along a rank or file over empty squares, \
             {2}.",
            rules.size,
            rules.first.name(),
            speed(rules)
        ),
        "A man is captured between an enemy who arrives beside him and a second enemy, or a hostile \
         square, on the opposite side. Moving in between two enemies is safe."
            .to_owned(),
        king_arms(rules).to_owned(),
        king_capture(rules),
        goal(rules),
    ];
    lines.extend(special_squares(rules));
    if rules.linnaean {
        lines.push(
            "A defender beside the king on the throne is captured against him when attackers stand \
             on the king's three other sides."
                .to_owned(),
        );
    }
    if rules.encirclement {
        lines.push(
            "The attackers win by a move after which the king and all defenders are cut off from the \
             edge."
                .to_owned(),
        );
    }
    lines.extend(shieldwall(rules).map(str::to_owned));
    if rules.exit_fort {
        lines.push(
            "The defenders win by a fort: the king on the edge, able to move, in a space that no \
             attacker touches, behind men of whom none can ever be captured."
                .to_owned(),
        );
    }
    lines.push(repetition(rules));
    if rules.defenders_may_not_repeat {
        lines.push(
            "The defenders may not make a move after which the board, before anything is captured, \
             is one that has been there before."
                .to_owned(),
        );
    }
    lines.extend(rules.draw_after.map(|plies| format!("The game is drawn after {plies} plies.")));
    lines.push("A side that has no legal move loses.".to_owned());
    lines
}

fn speed(rules: &Rules) -> String {
    let squares = |limit: usize| match limit {
        1 => "one square".to_owned(),
        limit => format!("{limit} squares"),
    };
    match rules.speed {
        [None, None, None] => "any distance".to_owned(),
        [Some(a), Some(d), Some(k)] if a == d && d == k => format!("{} at the most", squares(a)),
        each => {
            let limits: Vec<String> = Kind::ALL
                .iter()
                .zip(each)
                .filter_map(|(kind, limit)| {
                    Some(format!("{} {} at the most", plural(*kind), squares(limit?)))
                })
                .collect();
            format!("any distance, but {}", limits.join(", "))
        }
    }
}

fn plural(kind: Kind) -> &'static str {
    match kind {
        Kind::Attacker => "attackers",
        Kind::Defender => "defenders",
        Kind::King => "the king",
    }
}

fn king_arms(rules: &Rules) -> &'static str {
    match (rules.hammer, rules.anvil) {
        (true, true) => "The king captures like his men.",
        (true, false) => "The king captures by his own move, but is no second captor for others.",
        (false, true) => {
            "The king's own move captures nothing, but he is a second captor for others."
        }
        (false, false) => "The king takes no part in captures.",
    }
}

fn king_capture(rules: &Rules) -> String {
    let how = |capture: KingCapture| match capture {
        KingCapture::Surround => "when every square beside him is an attacker or hostile to him",
        KingCapture::Custodial => {
            "like a man, between the one who arrives and a second attacker, or a square hostile to \
             him, on the opposite side"
        }
    };
    let by_three_places = [rules.on_throne, rules.beside_throne, rules.elsewhere];
    let has_throne = rules.throne.squares().next().is_some();
    let places = if !has_throne || by_three_places == [rules.elsewhere; 3] {
        how(rules.elsewhere).to_owned()
    } else {
        let [on, beside, elsewhere] = by_three_places.map(how);
        format!("on the throne {on}; beside the throne {beside}; elsewhere {elsewhere}")
    };
    let edge = match (by_three_places.contains(&KingCapture::Surround), rules.edge_walls_king) {
        (false, _) => "",
        (true, false) => " On the side of the board he cannot be surrounded.",
        (true, true) => " The side of the board counts as an attacker there.",
    };
    format!("The king is captured by an attacker who arrives beside him: {places}.{edge}")
}

fn goal(rules: &Rules) -> String {
    let place = match rules.goal {
        Goal::Corners => "a corner".to_owned(),
        Goal::Edge => {
            let goals = rules.squares().filter(|square| rules.is_goal(*square)).count();
            format!("one of the {goals} free squares of the edge")
        }
    };
    format!("The defenders win when the king reaches {place}.")
}

fn special_squares(rules: &Rules) -> Vec<String> {
    let zones = [
        (&rules.throne, "throne"),
        (&rules.corners, "corners"),
        (&rules.attacker_camps, "camps"),
        (&rules.defender_camps, "defenders' camps"),
    ];
    zones
        .into_iter()
        .filter(|(zone, _)| zone.squares().next().is_some())
        .map(|(zone, name)| special(rules, zone, name))
        .collect()
}

fn special(rules: &Rules, zone: &Zone, name: &str) -> String {
    let list = |kinds: Kinds| match kinds {
        Kinds::NONE => "nobody".to_owned(),
        Kinds::ALL => "everybody".to_owned(),
        kinds => {
            let named: Vec<&str> =
                Kind::ALL.into_iter().filter(|kind| kinds.has(*kind)).map(plural).collect();
            named.join(" and ")
        }
    };
    let squares: Vec<String> =
        zone.squares().map(|square| square.on(rules.size).to_string()).collect();
    let mut text = format!("The {name} ({}): ", squares.join(" "));
    text.push_str(&format!(
        "may stop: {}; may pass when empty: {}; hostile when empty: {}",
        list(zone.stop),
        list(zone.pass),
        list(zone.hostile_empty)
    ));
    if zone.hostile_occupied != Kinds::NONE {
        let when = if name == "throne" { "with the king on it" } else { "when occupied" };
        text.push_str(&format!("; hostile {when}: {}", list(zone.hostile_occupied)));
    }
    if zone.reenter != Kinds::ALL {
        let which = match zone.groups.len() {
            1 => "any of these squares may enter and cross all of them".to_owned(),
            groups => format!("one of the {groups} groups may enter and cross that group alone"),
        };
        text.push_str(&format!(
            "; may come in from outside: {}, but a piece that stands on {which}",
            list(zone.reenter)
        ));
    }
    if !zone.lenient.is_empty() && zone.spares != Kinds::NONE {
        let squares: Vec<String> =
            zone.lenient.iter().map(|square| square.on(rules.size).to_string()).collect();
        text.push_str(&format!("; {} not hostile to {}", squares.join(" "), list(zone.spares)));
    }
    text.push('.');
    text
}

fn shieldwall(rules: &Rules) -> Option<&'static str> {
    match rules.shieldwall {
        Shieldwall::No => None,
        Shieldwall::CornersClose => Some(
            "Shieldwall: two or more enemies in a row on the edge, each with a man in front, are \
             captured by a man who arrives at one end of the row, when the other end is closed by a \
             man or an empty corner. A king among them stays.",
        ),
        Shieldwall::MenClose => Some(
            "Shieldwall: two or more enemies in a row on the edge, each with a man in front, are \
             captured by a man who arrives at one end of the row, when the other end is closed by a \
             man. A king among them stays.",
        ),
    }
}

fn repetition(rules: &Rules) -> String {
    let rule = rules.repetition;
    let ordinal = match rule.limit {
        0 => return "A position may occur any number of times.".to_owned(),
        1 => "first".to_owned(),
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        limit => format!("{limit}th"),
    };
    let result = match rule.result {
        RepetitionResult::Draw => "draws".to_owned(),
        RepetitionResult::AttackersWin => format!("wins for the {}", Side::Attackers.name()),
        RepetitionResult::MoverLoses => "loses for the side that makes it".to_owned(),
        RepetitionResult::MoverWins => "wins for the side that makes it".to_owned(),
    };
    let start = if rule.counts_start { "" } else { ", and the start position is not counted" };
    format!(
        "The {ordinal} occurrence of a position with the same side to move {result}. A capture \
         starts the count afresh{start}."
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variants::{variant, variants};

    #[test]
    fn every_rule_set_reads_differently() {
        let texts: std::collections::HashSet<Vec<String>> = variants()
            .iter()
            .map(|rules| in_words(rules).into_iter().chain([rules.start.clone()]).collect())
            .collect();
        // Two Welsh games differ by nothing but their start.
        assert_eq!(texts.len(), variants().len());
    }

    #[test]
    fn words_follow_the_data() {
        let words = |id: &str| in_words(&variant(id).unwrap()).join("\n");
        assert!(words("tablut").contains("The king takes no part in captures."));
        assert!(words("tablut").contains("32 free squares of the edge"));
        assert!(words("tablut-ashton").contains("second occurrence"));
        assert!(words("tablut-ashton").contains("20 free squares"));
        assert!(words("magpie").contains("the king one square at the most"));
        assert!(words("ard-ri").contains(", one square at the most"));
        assert!(words("alea-evangelii").contains("loses for the side that makes it"));
        assert!(words("copenhagen").contains("empty corner"));
    }
}
