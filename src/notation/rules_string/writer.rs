//! Writing: a key where its value is not the default.

use super::DEFENDERS;
use super::squares::pieces;
use crate::game::rules::{
    Goal, Kind, Kinds, KingCapture, RepetitionResult, Rules, Shieldwall, Side, Zone,
};
use crate::game::variants::variant;

/// The rules string of a rule set, its start position and first mover included.
///
/// # Errors
/// If the keys cannot say it and it is not in the catalogue either.
pub fn write(rules: &Rules) -> Result<String, String> {
    let mut keys = Vec::new();
    let exact = write_keys(rules, &mut keys);
    if !exact {
        let named = variant(&rules.id).is_some_and(|named| same_but_start(&named, rules));
        if !named {
            return Err(format!("the rules of '{}' cannot be said in OpenTafl's keys", rules.id));
        }
        keys.push(format!("x-variant:{}", rules.id));
    }
    keys.push(format!("starti:/{}/", pieces(&rules.start)));
    Ok(keys.join(" "))
}

/// The nearest rules string without keys of our own kind, for readers that do not know them.
pub fn nearest(rules: &Rules) -> String {
    let mut keys = Vec::new();
    write_keys(rules, &mut keys);
    keys.push(format!("starti:/{}/", pieces(&rules.start)));
    keys.join(" ")
}

/// Start position and first mover are written in any case.
pub(super) fn same_but_start(named: &Rules, rules: &Rules) -> bool {
    *named == Rules { start: named.start.clone(), first: named.first, ..rules.clone() }
}

/// Writes every key but the last two; is what they say exactly the rule set?
fn write_keys(rules: &Rules, keys: &mut Vec<String>) -> bool {
    keys.push(format!("dim:{}", rules.size));
    keys.push(format!("name:{}", rules.id));
    let mut flag = |written: bool, text: &str| {
        if written {
            keys.push(text.to_owned());
        }
    };
    flag(rules.goal == Goal::Edge, "esc:e");
    flag(!rules.encirclement, "surf:n");
    flag(rules.first == Side::Defenders, "atkf:n");
    match (rules.hammer, rules.anvil) {
        (true, true) => {}
        (false, false) => flag(true, "ka:n"),
        (true, false) => flag(true, "ka:h"),
        (false, true) => flag(true, "ka:a"),
    }
    flag(rules.linnaean, "linc:y");
    flag(rules.exit_fort, "efe:y");
    flag(rules.shieldwall == Shieldwall::CornersClose, "sw:s");
    flag(rules.shieldwall == Shieldwall::MenClose, "sw:w");
    // Every part is written, also after one that is not exact: the string is then the nearest.
    let exact = [
        king_strength(rules, keys),
        repetition(rules, keys),
        speed(rules, keys),
        throne(rules, keys),
        corners(rules, keys),
        // The attackers' camps are open to everybody by default, the defenders' to their own side.
        camps(rules, "afor", &rules.attacker_camps, DEFENDERS, Kinds::ALL, keys),
        camps(rules, "dfor", &rules.defender_camps, Kinds::A, DEFENDERS, keys),
    ];
    exact.iter().all(|&part| part) && !rules.depends_on_past()
}

fn king_strength(rules: &Rules, keys: &mut Vec<String>) -> bool {
    use KingCapture::{Custodial, Surround};
    let modes = [rules.on_throne, rules.beside_throne, rules.elsewhere];
    let (text, exact) = match (modes, rules.edge_walls_king) {
        ([Surround, Surround, Surround], false) => (None, true),
        ([Surround, Surround, Surround], true) => (Some("ks:m"), true),
        ([Custodial, Custodial, Custodial], walls) => (Some("ks:w"), !walls),
        ([Surround, Surround, Custodial], walls) => (Some("ks:c"), !walls),
        ([.., Surround], walls) => (walls.then_some("ks:m"), false),
        ([.., Custodial], _) => (Some("ks:c"), false),
    };
    keys.extend(text.map(str::to_owned));
    exact
}

fn repetition(rules: &Rules, keys: &mut Vec<String>) -> bool {
    let repetition = rules.repetition;
    if repetition.limit == 0 {
        keys.push("tfr:i".to_owned());
        return true;
    }
    let text = match repetition.result {
        RepetitionResult::Draw => None,
        RepetitionResult::AttackersWin => Some("tfr:a"),
        RepetitionResult::MoverLoses => Some("tfr:l"),
        RepetitionResult::MoverWins => Some("tfr:w"),
    };
    keys.extend(text.map(str::to_owned));
    repetition.limit == 3 && repetition.counts_start
}

fn speed(rules: &Rules, keys: &mut Vec<String>) -> bool {
    let number = |speed: Option<usize>| speed.map_or(-1, |squares| squares as i64);
    let [a, d, k] = rules.speed.map(number);
    if [a, d, k] != [-1; 3] {
        keys.push(match (a == d, d == k) {
            (true, true) => format!("spd:{a}"),
            (false, true) => format!("spd:{a},{d}"),
            _ => format!("spd:{a},-1,-1,-1,{d},-1,-1,{k}"),
        });
    }
    true
}

fn throne(rules: &Rules, keys: &mut Vec<String>) -> bool {
    let throne = &rules.throne;
    let centre = rules.squares().nth(rules.size * rules.size / 2);
    let squares: Vec<_> = throne.squares().collect();
    if squares.iter().copied().ne(centre) {
        keys.push(list("cen", rules, throne));
    }
    if squares.is_empty() {
        return true;
    }
    mask(keys, "cenhe", throne.hostile_empty, Kinds::ALL);
    mask(keys, "cenh", throne.hostile_occupied, Kinds::A);
    access(keys, "cen", throne, [Kinds::ALL, Kinds::K]);
    is_plain(throne)
}

fn corners(rules: &Rules, keys: &mut Vec<String>) -> bool {
    let corners = &rules.corners;
    let mut squares: Vec<_> = corners.squares().collect();
    squares.sort_unstable();
    let end = rules.size - 1;
    let is_corner = |at: (usize, usize)| [0, end].contains(&at.0) && [0, end].contains(&at.1);
    let four = rules.squares().filter(|square| is_corner(square.file_rank(rules.size)));
    if squares.iter().copied().ne(four) {
        keys.push(list("cor", rules, corners));
    }
    if squares.is_empty() {
        return true;
    }
    mask(keys, "corh", corners.hostile_empty, Kinds::ALL);
    access(keys, "cor", corners, [Kinds::K, Kinds::K]);
    corners.hostile_occupied == Kinds::NONE && is_plain(corners)
}

/// Camps of one sort, by default hostile to the kinds in `hostile` and open to those in `open`.
fn camps(
    rules: &Rules,
    key: &str,
    zone: &Zone,
    hostile: Kinds,
    open: Kinds,
    keys: &mut Vec<String>,
) -> bool {
    if zone.squares().next().is_none() {
        return true;
    }
    keys.push(list(key, rules, zone));
    mask(keys, &format!("{key}h"), zone.hostile_empty, hostile);
    access(keys, key, zone, [open, open]);
    zone.hostile_empty == zone.hostile_occupied && is_plain(zone)
}

/// The lists of those who may pass, stop and come in; `[pass, stop]` are the defaults.
fn access(keys: &mut Vec<String>, key: &str, zone: &Zone, [pass, stop]: [Kinds; 2]) {
    mask(keys, &format!("{key}p"), zone.pass, pass);
    mask(keys, &format!("{key}s"), zone.stop, stop);
    mask(keys, &format!("{key}re"), zone.reenter, Kinds::ALL);
}

/// Has the zone nothing that no key can say: groups of its own, lenient squares?
fn is_plain(zone: &Zone) -> bool {
    let grouped = zone.groups.len() > 1 && zone.reenter != Kinds::ALL;
    !grouped && (zone.lenient.is_empty() || zone.spares == Kinds::NONE)
}

fn mask(keys: &mut Vec<String>, key: &str, kinds: Kinds, default: Kinds) {
    if kinds == default {
        return;
    }
    let letters = Kind::ALL.into_iter().filter(|&kind| kinds.has(kind)).map(|kind| match kind {
        Kind::Attacker => 't',
        Kind::Defender => 'T',
        Kind::King => 'K',
    });
    keys.push(format!("{key}:{}", letters.collect::<String>()));
}

fn list(key: &str, rules: &Rules, zone: &Zone) -> String {
    let names: Vec<String> =
        zone.squares().map(|square| square.on(rules.size).to_string()).collect();
    format!("{key}:{}", names.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variants::variants;

    fn written(id: &str) -> String {
        write(&variant(id).unwrap()).unwrap()
    }

    #[test]
    fn known_strings() {
        let tablut = "starti:/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/";
        let rows = [
            ("tablut-corner", "dim:9 name:tablut-corner surf:n atkf:n ks:m cenh:"),
            ("tablut", "dim:9 name:tablut esc:e surf:n atkf:n ka:n cenhe:K cenh: cens: cor:"),
            ("sea-battle", "dim:9 name:sea-battle esc:e ka:n tfr:a cen: cor:"),
            ("tablut-saami", "dim:9 name:tablut-saami esc:e ks:c tfr:a cor:"),
            (
                "tablut-foteviken",
                "dim:9 name:tablut-foteviken esc:e surf:n atkf:n cenhe:K cenh: cenp: cens: cor: \
                 afor:a4,a5,a6,b5,d1,e1,f1,e2,i4,i5,i6,h5,d9,e9,f9,e8 aforh:K aforp:t afors:t \
                 aforre:",
            ),
        ];
        for (id, keys) in rows {
            assert_eq!(written(id), format!("{keys} {tablut}"));
        }
        assert_eq!(
            written("magpie"),
            "dim:7 name:magpie surf:n ks:m spd:-1,-1,-1,-1,-1,-1,-1,1 cenh: \
             starti:/3t3/1t3t1/3T3/t1TKT1t/3T3/1t3t1/3t3/"
        );
        assert!(written("ard-ri").contains(" spd:1 "));
        assert!(written("copenhagen").contains(" efe:y sw:s tfr:a starti:"));
        assert!(written("alea-evangelii").contains(" tfr:l "));
    }

    #[test]
    fn few_rule_sets_need_their_names() {
        for rules in variants() {
            let named = written(&rules.id).contains("x-variant:");
            let expected = rules.id == "tablut-ashton" || rules.id.starts_with("htp-");
            assert_eq!(named, expected, "{}", rules.id);
        }
        let ashton = written("tablut-ashton");
        assert!(ashton.contains(" x-variant:tablut-ashton starti:/"), "{ashton}");
    }

    #[test]
    fn the_start_position_is_not_part_of_the_name() {
        let mut rules = (*variant("tablut-ashton").unwrap()).clone();
        rules.start = "9/9/9/9/4k4/9/9/a8/9".to_owned();
        rules.first = Side::Attackers;
        let text = write(&rules).unwrap();
        assert!(text.contains("x-variant:tablut-ashton starti:/9/9/9/9/4K4/9/9/t8/9/"), "{text}");
        assert!(!text.contains("atkf:n"));
        rules.repetition.limit = 5;
        assert!(write(&rules).is_err());
    }
}
