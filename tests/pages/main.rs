//! The pages of analysed games, in a real browser.
//!
//! Where no browser is found the tests of it say so and are skipped, unless the environment variable
//! `KONAKIS_BROWSER` demands one: it holds the name of the program.

mod browser;
mod report;
mod written;

use std::fs;

use konakis::analysis::page::page;
use konakis::game::variants::variants;
use konakis::search::score::Score;

use browser::Browser;
use report::{HOSTILE, played};

/// Runs in the page behind its own script, and writes what it sees into the page.
const PROBE: &str = r##"<script>
(function () {
  const log = [];
  const byId = function (id) { return document.getElementById(id); };
  const seen = function (what) {
    const current = document.querySelectorAll('#moves a[aria-current="true"]');
    log.push([what, document.body.dataset.ply, current.length, current[0] && current[0].dataset.ply,
      document.querySelectorAll("#pieces use").length, location.hash, byId("state").textContent,
      document.querySelectorAll("#last rect").length, document.querySelectorAll("#arrows path").length,
      byId("back").disabled, byId("next").disabled].join("|"));
  };
  const key = function (name, more) {
    document.body.dispatchEvent(new KeyboardEvent("keydown",
      Object.assign({ key: name, bubbles: true, cancelable: true }, more || {})));
  };
  seen("begin");
  key("ArrowRight"); seen("right");
  key("ArrowRight"); seen("right");
  key("ArrowLeft"); seen("left");
  key("ArrowLeft"); key("ArrowLeft"); seen("beyond the beginning");
  key("ArrowRight", { ctrlKey: true }); seen("not ours");
  key("End"); seen("end");
  key("ArrowRight"); seen("beyond the end");
  key("Home"); seen("home");
  key("ArrowDown"); seen("down");
  document.querySelector('#moves a[data-ply="3"]').click(); seen("move clicked");
  byId("next").click(); seen("next clicked");
  byId("back").click(); seen("back clicked");
  byId("end").click(); seen("end clicked");
  byId("first").click(); seen("first clicked");
  const box = byId("curve").getBoundingClientRect();
  byId("curve").dispatchEvent(new MouseEvent("click",
    { bubbles: true, clientX: box.left + box.width - 1, clientY: box.top + 5 }));
  seen("graph clicked");
  log.push("pwned|" + String(window.pwned) + "|" + document.images.length + "|" +
    document.scripts.length + "|" + document.querySelectorAll("iframe, object, embed, link").length);
  log.push("faults|" + String(window.faults));
  const text = document.createElement("pre");
  text.id = "seen";
  text.textContent = log.join("\n");
  document.body.appendChild(text);
})();
</script>"##;

/// Stands before everything else, to hear of faults.
const WATCH: &str = "<script>window.faults = 0; \
                     window.addEventListener('error', function () { window.faults += 1; });</script>";

fn probed(page: &str) -> String {
    let page = page.replacen("<head>", &format!("<head>{WATCH}"), 1);
    page.replacen("</body>", &format!("{PROBE}</body>"), 1)
}

/// What the probe wrote, a line a step, each in its parts.
fn seen(dom: &str) -> Vec<Vec<String>> {
    let text = dom.split("<pre id=\"seen\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let text = text.unwrap_or_else(|| panic!("the probe has written nothing: {dom}"));
    text.lines().map(|line| line.split('|').map(str::to_owned).collect()).collect()
}

#[test]
fn clicks_and_arrow_keys_go_through_the_moves() {
    let Some(browser) = Browser::find() else { return };
    let folder = tempfile::tempdir().unwrap();
    for (id, plies) in [("tablut", 12), ("alea-evangelii", 5)] {
        let report = played(id, plies);
        let path = folder.path().join(format!("{id}.html"));
        fs::write(&path, probed(&page(&report))).unwrap();
        let steps = seen(&browser.dom(&path, ""));
        let last = plies.to_string();
        let expected = [
            ("begin", "0"),
            ("right", "1"),
            ("right", "2"),
            ("left", "1"),
            ("beyond the beginning", "0"),
            ("not ours", "0"),
            ("end", &last),
            ("beyond the end", &last),
            ("home", "0"),
            ("down", "2"),
            ("move clicked", "3"),
            ("next clicked", "4"),
            ("back clicked", "3"),
            ("end clicked", &last),
            ("first clicked", "0"),
            ("graph clicked", &last),
        ];
        assert_eq!(steps.len(), expected.len() + 2, "{steps:?}");
        for (step, (what, ply)) in steps.iter().zip(expected) {
            let position = &report.positions[ply.parse::<usize>().unwrap()];
            let men = position.fen.split(' ').next().unwrap();
            let men = men.chars().filter(char::is_ascii_alphabetic).count().to_string();
            let hash = if what == "begin" { String::new() } else { format!("#ply={ply}") };
            let state = format!("after {ply} plies, {} to move", position.side.name());
            let last_move = if ply == "0" { "0" } else { "2" };
            let arrow = if position.best.is_some() { "2" } else { "0" };
            let (first, end) = ((ply == "0").to_string(), (ply == last).to_string());
            let expected: [&str; 11] =
                [what, ply, "1", ply, &men, &hash, &state, last_move, arrow, &first, &end];
            assert_eq!(step, &expected, "{id}");
        }
        assert_eq!(steps[expected.len() + 1], ["faults", "0"]);
    }
}

#[test]
fn the_address_names_a_position() {
    let Some(browser) = Browser::find() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.html");
    fs::write(&path, page(&played("brandubh", 6))).unwrap();
    for (hash, ply) in [("#ply=4", 4), ("#ply=99", 6), ("#ply=-1", 0), ("#<script>", 0), ("", 0)] {
        let dom = browser.dom(&path, hash);
        assert!(dom.contains(&format!("data-ply=\"{ply}\">")), "{hash}: {dom}");
        let current = format!("<a data-ply=\"{ply}\" href=\"#ply={ply}\" aria-current=\"true\">");
        assert!(dom.contains(&current), "{hash}");
    }
}

#[test]
fn what_a_record_says_is_text_and_nothing_else() {
    let report = {
        let mut report = played("tablut", 6);
        for name in ["attackers", "defenders", "event", "date"] {
            report.tags.push((name.to_owned(), HOSTILE.to_owned()));
        }
        for position in &mut report.positions {
            position.comment = HOSTILE.to_owned();
        }
        report.positions[2].text = HOSTILE.to_owned();
        report
    };
    let text = page(&report);
    assert!(!text.contains("<img") && !text.contains("onerror=\"win"), "{text}");
    // The scripts of the page and its data.
    assert_eq!(text.matches("<script").count(), 2);
    assert_eq!(text.matches("</script").count(), 2);
    let Some(browser) = Browser::find() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hostile.html");
    fs::write(&path, probed(&text)).unwrap();
    let dom = browser.dom(&path, "");
    let steps = seen(&dom);
    // Two scripts of the page, the data among them, and two of this test; no picture.
    assert_eq!(steps[steps.len() - 2], ["pwned", "undefined", "0", "4", "0"]);
    assert_eq!(steps[steps.len() - 1], ["faults", "0"]);
    let dom = browser.dom(&path, "#ply=3");
    assert!(dom.contains("&lt;/script&gt;&lt;img"), "{dom}");
}

#[test]
fn a_page_asks_for_nothing_from_anywhere() {
    for rules in variants() {
        let report = played(&rules.id, 3);
        let text = page(&report);
        let names = text.replace("http://www.w3.org/2000/svg", "");
        for word in ["http:", "https:", "src=", "url(", "@import", "fetch(", "XMLHttp"] {
            assert!(!names.contains(word), "{}: {word}", rules.id);
        }
        assert!(text.contains("default-src 'none'"));
    }
}

#[test]
fn a_game_without_moves_and_wild_scores_have_pages() {
    let mut report = played("copenhagen", 0);
    report.positions[0].score = Score::win_in(999);
    let Some(browser) = Browser::find() else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("short.html");
    fs::write(&path, page(&report)).unwrap();
    let dom = browser.dom(&path, "");
    assert!(dom.contains("after 0 plies"), "{dom}");
    assert!(dom.contains("win in 999 plies"), "{dom}");
}
