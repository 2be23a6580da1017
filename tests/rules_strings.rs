//! OpenTafl's rules strings: every key, what is refused, and that reading and writing agree.

mod common;
mod engine;

use std::path::PathBuf;
use std::process::Command;

use konakis::game::rules::{
    Goal, Kind, Kinds, KingCapture, Repetition, RepetitionResult, Rules, Shieldwall, Side, Zone,
};
use konakis::game::variants::{variant, variants};
use konakis::notation::rules_string::{chosen, read, read_file, write};

use common::Rng;
use engine::Engine;

fn defenders() -> Kinds {
    Kinds::D.with(Kind::King)
}

const TABLUT: &str = "starti:/3ttt3/4t4/4T4/t3T3t/ttTTKTTtt/t3T3t/4T4/4t4/3ttt3/";

fn rules(keys: &str) -> Rules {
    read(&format!("dim:9 {keys} {TABLUT}")).unwrap()
}

#[test]
fn named_rule_sets_are_read_back() {
    for rules in variants() {
        let text = write(rules).unwrap();
        assert_eq!(read(&text).as_ref(), Ok(&**rules), "{text}");
    }
}

#[test]
fn defaults_are_those_of_the_grammar() {
    let plain = rules("name:anything");
    assert_eq!(plain.id, "custom");
    assert_eq!((plain.first, plain.goal), (Side::Attackers, Goal::Corners));
    assert!(plain.encirclement && plain.hammer && plain.anvil);
    assert!(!plain.linnaean && !plain.exit_fort && !plain.edge_walls_king);
    assert_eq!(plain.shieldwall, Shieldwall::No);
    assert_eq!(plain.repetition.limit, 3);
    assert_eq!(plain.repetition.result, RepetitionResult::Draw);
    assert_eq!(plain.elsewhere, KingCapture::Surround);
    let Zone { stop, pass, hostile_empty, hostile_occupied, .. } = plain.throne;
    assert_eq!(
        (stop, pass, hostile_empty, hostile_occupied),
        (Kinds::K, Kinds::ALL, Kinds::ALL, Kinds::A)
    );
    let Zone { stop, pass, hostile_empty, ref groups, .. } = plain.corners;
    assert_eq!((stop, pass, hostile_empty), (Kinds::K, Kinds::K, Kinds::ALL));
    assert_eq!(groups.len(), 1);
    assert_eq!(groups[0].len(), 4);
    assert_eq!(plain.attacker_camps, Zone::default());
    let camps = rules("afor:a1,b1, dfor:c1");
    assert_eq!(camps.attacker_camps.hostile_empty, defenders());
    assert_eq!(camps.attacker_camps.hostile_occupied, defenders());
    assert_eq!((camps.attacker_camps.pass, camps.attacker_camps.stop), (Kinds::ALL, Kinds::ALL));
    assert_eq!(camps.defender_camps.hostile_empty, Kinds::A);
    assert_eq!((camps.defender_camps.pass, camps.defender_camps.stop), (defenders(), defenders()));
}

#[test]
fn what_keys_say() {
    let speed = |keys: &str| rules(keys).speed;
    assert_eq!(speed("spd:1"), [Some(1); 3]);
    assert_eq!(speed("spd:-1,2"), [None, Some(2), Some(2)]);
    assert_eq!(speed("spd:1,9,9,9,2,9,9,3"), [Some(1), Some(2), Some(3)]);
    assert_eq!(speed("spd:1,9,9,9,9,2,9,9,3,9"), [Some(1), Some(2), Some(3)]);
    assert_eq!(speed("spd:1,9,9,9,9,9,2,9,9,3,9,9"), [Some(1), Some(2), Some(3)]);
    assert_eq!(rules("ks:y"), rules("ks:s"));
    assert_eq!(rules("ks:n"), rules("ks:w"));
    assert!(rules("ks:m").edge_walls_king);
    assert_eq!((rules("ka:a").hammer, rules("ka:a").anvil), (false, true));
    assert_eq!((rules("ka:h").hammer, rules("ka:h").anvil), (true, false));
    assert_eq!(rules("tfr:i").repetition.limit, 0);
    assert_eq!(rules("tfr:w").repetition.result, RepetitionResult::MoverWins);
    assert_eq!(rules("tfr:l").repetition.result, RepetitionResult::MoverLoses);
    assert_eq!(rules("tfr:a").repetition.result, RepetitionResult::AttackersWin);
    assert_eq!(rules("sw:w").shieldwall, Shieldwall::MenClose);
    assert_eq!(rules("cen: cor:").throne, Zone::default());
    // Kinds that are not there, the attackers' king among them, name nobody.
    assert_eq!(rules("cenhe:kcnmgCNMG").throne.hostile_empty, Kinds::NONE);
    assert_eq!(rules("nj:n cj:n mj:c gj:c"), rules(""));
    // A host writes names of its own.
    let brandubh = "dim:7 name:Brandubh atkf:y ks:c nj:n cj:n tfr:w \
                    starti:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
    let expected = (*variant("brandubh").unwrap()).clone();
    let repetition = Repetition { result: RepetitionResult::MoverWins, ..expected.repetition };
    assert_eq!(read(brandubh), Ok(Rules { id: "custom".to_owned(), repetition, ..expected }));
}

#[test]
fn the_first_rank_may_come_first() {
    let below = read("dim:7 start:/1K5/7/7/2t4/7/7/1tTTtt1").unwrap();
    assert_eq!(below.start, "1addaa1/7/7/2a4/7/7/1k5");
    assert_eq!(read("dim:7 starti:1tTTtt1/7/7/2t4/7/7/1K5/"), Ok(below));
}

#[test]
fn another_rule_set_is_only_named() {
    let ashton = variant("tablut-ashton").unwrap();
    let read_as = |keys: &str| read(&format!("dim:9 {keys} x-variant:ashton {TABLUT}"));
    assert_eq!(read_as("esc:c ka:n kj:c tfr:a atkf:y").as_ref(), Ok(&*ashton));
    let mut moved = (*ashton).clone();
    moved.start = "9/9/9/9/4k4/9/9/a8/9".to_owned();
    moved.first = Side::Attackers;
    assert_eq!(read(&write(&moved).unwrap()), Ok(moved));
}

#[test]
fn refusals_name_the_key() {
    for (text, key, part) in [
        ("", "dim", "missing"),
        ("name:x dim:9", "dim", "first"),
        ("dim:8", "dim", "'8'"),
        ("dim:21", "dim", "7 to 19"),
        ("dim:5", "dim", "'5'"),
        ("dim:nine", "dim", "odd number"),
        ("dim:9", "starti", "missing"),
        ("dim:9 kj:y", "kj", "does not jump"),
        ("dim:9 ber:c", "ber", "berserk"),
        ("dim:9 swf:n", "swf", "expected y"),
        ("dim:9 foo:n", "foo", "no such key"),
        ("dim:9 esc", "esc", "no key and value"),
        ("dim:9 esc:x", "esc", "one of c, e"),
        ("dim:9 ka:x", "ka", "one of y, n, a, h"),
        ("dim:9 esc:c esc:e", "esc", "twice"),
        ("dim:9 cor:a1,a10", "cor", "'a10' is no square"),
        ("dim:9 cen:e5,,e6", "cen", "'' is no square"),
        ("dim:9 afor:a1,a1", "afor", "twice"),
        ("dim:9 aforh:xyz", "aforh", "'x' is no piece"),
        ("dim:9 spd:1,2,3", "spd", "3 numbers"),
        ("dim:9 spd:-2", "spd", "'-2'"),
        ("dim:9 tfr:q", "tfr", "one of d, w, l, a, i"),
        ("dim:9 starti:/9/9/9/9/4k4/9/9/9/9/", "starti", "no king here"),
        ("dim:9 starti:/9/9/9/9/4C4/9/9/9/9/", "starti", "commanders"),
        ("dim:9 start:/9/9/9/9/4x4/9/9/9/9/", "start", "no piece"),
        ("dim:9 starti:/9/9/9/9/4t4/9/9/9/9/", "starti", "may stand on the throne"),
        ("dim:9 starti:/9/9/9/9/3t5/9/9/9/9/", "starti", "no king"),
        ("dim:9 starti:/9/9/9/9/3K1K3/9/9/9/9/", "starti", "two kings"),
        ("dim:9 starti:/9/9/9/", "starti", "3 ranks"),
        ("dim:9 starti:/9/ start:/9/", "start", "starti"),
        ("dim:9 x-variant:chess", "x-variant", "no rule set"),
        ("dim:7 x-variant:tablut-ashton", "x-variant", "dim:9"),
    ] {
        let error = read(text).unwrap_err();
        assert_eq!(error.key, key, "{text}: {error}");
        assert!(error.why.contains(part), "{text}: {error}");
    }
}

/// A rules string of keys and values thrown by dice, most of them legal.
fn any_string(rng: &mut Rng) -> String {
    let size = rng.pick(&[7, 9, 11, 13, 15, 17, 19]);
    let mut words = vec![format!("dim:{size}"), "name:dice".to_owned()];
    let square = |rng: &mut Rng| {
        format!("{}{}", char::from(b'a' + rng.below(size) as u8), rng.below(size) + 1)
    };
    let squares = |rng: &mut Rng| {
        let mut list: Vec<String> = (0..rng.below(6)).map(|_| square(rng)).collect();
        list.sort();
        list.dedup();
        list.join(",") + if rng.percent(20) && !list.is_empty() { "," } else { "" }
    };
    let pieces =
        |rng: &mut Rng| "tcnkmgTCNKMG".chars().filter(|_| rng.percent(40)).collect::<String>();
    for (key, values) in [
        ("esc", "c e"),
        ("surf", "y n"),
        ("atkf", "y n"),
        ("tfr", "d w l i a"),
        ("ka", "y n a h"),
        ("ks", "s w c m y n"),
        ("linc", "y n"),
        ("efe", "y n"),
        ("sw", "n s w"),
        ("spd", "1 2 -1,3 1,2 1,-1,-1,-1,2,-1,-1,3 0,-1,-1,-1,-1,4,-1,-1,-1,-1"),
    ] {
        if rng.percent(50) {
            let values: Vec<&str> = values.split(' ').collect();
            words.push(format!("{key}:{}", rng.pick(&values)));
        }
    }
    for key in ["cor", "cen", "afor", "dfor"] {
        if rng.percent(40) {
            words.push(format!("{key}:{}", squares(rng)));
        }
        let lists: &[&str] =
            if key == "cen" { &["h", "he", "p", "s", "re"] } else { &["h", "p", "s", "re"] };
        for list in lists {
            if rng.percent(40) {
                words.push(format!("{key}{list}:{}", pieces(rng)));
            }
        }
    }
    let mut board = vec![vec!['1'; size]; size];
    for _ in 0..rng.below(3 * size) {
        board[rng.below(size)][rng.below(size)] = rng.pick(&['t', 'T']);
    }
    board[rng.below(size)][rng.below(size)] = 'K';
    let ranks = board.into_iter().map(|rank| squeezed(&rank)).collect::<Vec<_>>();
    words.push(format!("{}:/{}/", rng.pick(&["start", "starti"]), ranks.join("/")));
    words.join(" ")
}

/// A rank with its empty squares counted.
fn squeezed(rank: &[char]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for &c in rank.iter().chain(&['|']) {
        if c == '1' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        empty = 0;
        if c != '|' {
            text.push(c);
        }
    }
    text
}

#[test]
fn what_is_read_is_written_and_read_again() {
    let mut rng = Rng(77);
    let mut read_at_all = 0;
    for _ in 0..3_000 {
        let text = any_string(&mut rng);
        // A man thrown onto a square where he may not stand is refused.
        let rules = match read(&text) {
            Ok(rules) => rules,
            Err(error) => {
                assert!(error.key.starts_with("start"), "{text}: {error}");
                continue;
            }
        };
        read_at_all += 1;
        let written = write(&rules).unwrap();
        assert_eq!(read(&written).as_ref(), Ok(&rules), "{text}\n{written}");
    }
    assert!(read_at_all > 1_000, "{read_at_all}");
}

#[test]
fn spoiled_strings_end_in_a_message() {
    let mut rng = Rng(78);
    let mut refused = 0;
    for _ in 0..6_000 {
        let mut text = match rng.below(2) {
            0 => any_string(&mut rng),
            _ => write(&variants()[rng.below(variants().len())]).unwrap(),
        }
        .into_bytes();
        for _ in 0..1 + rng.below(3) {
            let at = rng.below(text.len());
            match rng.below(3) {
                0 => text[at] = rng.next() as u8,
                1 => text.truncate(at.max(1)),
                _ => text.insert(at, b": 19tK/,x"[rng.below(9)]),
            }
        }
        let text = String::from_utf8_lossy(&text);
        if let Err(error) = read(&text) {
            refused += 1;
            assert!(!error.key.is_empty() && !error.why.is_empty(), "{text}");
            assert!(!error.to_string().contains(['\n', '\r']), "{error}");
        }
    }
    assert!(refused > 3_000, "{refused}");
}

/// A file that is gone when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("konakis-{}-{name}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn rule_sets_come_from_files() {
    let skalk = write(&variant("skalk").unwrap()).unwrap();
    let file = Scratch::new("one.rules", &format!("# the corner game\n\n  {skalk}\n"));
    let at = format!("@{}", file.0.display());
    assert_eq!(chosen("tablut", Some(&at)).unwrap(), variant("skalk").unwrap());
    assert_eq!(chosen("ashton", None).unwrap(), variant("tablut-ashton").unwrap());
    assert!(chosen("chess", None).unwrap_err().contains("no rule set 'chess'"));
    assert!(chosen("tablut", Some("dim:9 kj:y")).unwrap_err().contains("kj: "));
    assert!(chosen("tablut", Some("@/no/such/file")).unwrap_err().contains("cannot be read"));
    let two = Scratch::new("two.rules", &format!("{skalk}\n{skalk}\n"));
    let at = format!("@{}", two.0.display());
    assert!(chosen("tablut", Some(&at)).unwrap_err().contains("line 2"));
}

#[test]
fn a_list_of_named_rule_sets_is_read() {
    let mine = format!("dim:9 name:my-tablut esc:e ka:h {TABLUT}");
    let skalk = write(&variant("skalk").unwrap()).unwrap();
    let file = Scratch::new("list.rules", &format!("# mine\n{mine}\n\n{skalk}\n"));
    let list = read_file(&file.0).unwrap();
    // What the catalogue has already is not added.
    assert_eq!(list.len(), 1);
    assert_eq!(list[0].id, "my-tablut");
    assert_eq!((list[0].hammer, list[0].goal), (true, Goal::Edge));
    for (text, part) in [
        (format!("{mine}\n{mine}\n"), "line 2: name: another rule set"),
        (mine.replace("my-tablut", "Tablut"), "line 1: name: another rule set"),
        (mine.replace("name:my-tablut ", ""), "line 1: name: it is missing"),
        (mine.replace("esc:e", "esc:q"), "line 1: esc: 'q'"),
    ] {
        let file = Scratch::new("wrong.rules", &text);
        let error = read_file(&file.0).unwrap_err();
        assert!(error.contains(part), "{error}");
    }
}

/// An edge game on Brandubh's board.
const EDGE: &str = "dim:7 name:mine esc:e cor: starti:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";

#[test]
fn a_session_plays_what_is_written() {
    let mut engine = Engine::start();
    engine.send(&format!("setoption name Rules value {EDGE}"));
    assert_eq!(engine.query("variant"), "custom");
    assert_eq!(engine.query("fen"), "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3 a");
    let board = engine.query("board");
    assert!(board.starts_with("size 7 throne d4 corners none camps none goals a1 b1"), "{board}");
    assert!(engine.go("depth 2").mv().len() == 4);
    // The last one set counts.
    engine.send("setoption name UCI_Variant value tablut");
    assert_eq!(engine.query("variant"), "tablut");
    engine.send(&format!("setoption name Rules value {EDGE}"));
    assert_eq!(engine.query("variant"), "custom");
    engine.send("setoption name Rules value dim:7 swf:n");
    let error = engine.line("info string error bad-value: Rules: swf: ");
    assert!(error.ends_with("the old value stays"), "{error}");
    assert_eq!(engine.query("variant"), "custom");
    engine.send("setoption name Rules value <empty>");
    assert_eq!(engine.query("variant"), "tablut");
    let ashton = write(&variant("tablut-ashton").unwrap()).unwrap();
    engine.send(&format!("setoption name Rules value {ashton}"));
    assert_eq!(engine.query("variant"), "tablut-ashton");
    assert!(engine.query("board").contains("camps d1 e1"));
}

#[test]
fn a_session_learns_names_from_a_file() {
    let file = Scratch::new("session.rules", &format!("# one\n{EDGE}\n"));
    let mut engine = Engine::start();
    engine.send(&format!("setoption name VariantPath value {}", file.0.display()));
    engine.send("uci");
    let options = engine.until("uciok");
    let variants = options.iter().find(|line| line.contains("UCI_Variant")).unwrap();
    assert!(variants.ends_with(" var htp-brandubh var mine"), "{variants}");
    engine.send("setoption name UCI_Variant value MINE");
    assert_eq!(engine.query("variant"), "mine");
    engine.send("setoption name VariantPath value /no/such/file");
    engine.line("info string error bad-value: VariantPath: /no/such/file: cannot be read");
    assert_eq!(engine.query("variant"), "mine");
}

fn konakis(arguments: &[&str]) -> (bool, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_konakis")).args(arguments).output().expect("it starts");
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).expect("text"))
}

#[test]
fn commands_take_what_is_written() {
    let brandubh = write(&variant("brandubh").unwrap()).unwrap();
    let (well, text) = konakis(&["rules", "brandubh"]);
    assert!(well && text.ends_with(&format!("\nrules {brandubh}\n")), "{text}");
    let (well, text) = konakis(&["rules", "--rules", EDGE]);
    assert!(well && text.contains("custom: a rule set of one's own"), "{text}");
    let (well, text) = konakis(&["perft", "2", "--rules", &brandubh]);
    assert!(well && text.contains("nodes 960 "), "{text}");
    let file = Scratch::new("command.rules", &brandubh);
    let at = format!("@{}", file.0.display());
    let (well, text) = konakis(&["perft", "2", "--rules", &at]);
    assert!(well && text.contains("nodes 960 "), "{text}");
    let (well, text) = konakis(&["bench", "--depth", "1", "--rules", EDGE]);
    assert!(well && text.starts_with("custom "), "{text}");
    for arguments in [
        &["perft", "2", "--rules", "dim:7 gk:y"][..],
        &["bench", "--rules", "dim:7 gk:y"],
        &["rules", "--rules", "dim:7 gk:y"],
        &["openings", "--rules", "dim:7 gk:y"],
        &["match", "--rules", "dim:7 gk:y", "--engine", "x", "--engine", "y", "--games", "2"],
        &["check", "x", "--rules", "dim:7 gk:y"],
    ] {
        let (well, text) = konakis(arguments);
        assert!(!well && text.contains("gk: there is no such key"), "{arguments:?}: {text}");
    }
    assert!(!konakis(&["perft", "2", "--variant", "tablut", "--rules", EDGE]).0);
}

#[test]
fn matches_are_played_and_resumed_on_what_is_written() {
    let file = Scratch::new("match.otg", "");
    std::fs::remove_file(&file.0).unwrap();
    let path = file.0.to_str().unwrap();
    let (well, text) = konakis(&[
        "match",
        "--rules",
        EDGE,
        "--engine",
        "builtin:konakis,depth=1",
        "--engine",
        "builtin:random",
        "--games",
        "2",
        "--concurrency",
        "1",
        "--out",
        path,
    ]);
    assert!(well && text.contains("match on custom"), "{text}");
    let record = std::fs::read_to_string(path).unwrap();
    assert!(record.contains("rules dim:7 name:custom esc:e cor: "), "{record}");
    let (well, text) = konakis(&["match", "--resume", path]);
    assert!(well && text.contains("2 games were played before"), "{text}");
}
