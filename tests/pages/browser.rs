//! A headless browser.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Demands a browser, and names it.
const DEMAND: &str = "KONAKIS_BROWSER";
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// A browser that shows pages to nobody.
pub struct Browser {
    program: String,
    /// Its settings and caches.
    profile: tempfile::TempDir,
}

impl Browser {
    /// The browser that is demanded, or one that is there.
    pub fn find() -> Option<Self> {
        let demanded = std::env::var(DEMAND).ok().filter(|name| !name.is_empty());
        let answers = |name: &str| {
            let version = Command::new(name).arg("--version").stderr(Stdio::null()).output();
            version.is_ok_and(|output| output.status.success())
        };
        let program = match demanded {
            Some(name) => {
                assert!(answers(&name), "{DEMAND} demands {name}, which cannot be started");
                Some(name)
            }
            None => NAMES.iter().find(|name| answers(name)).map(|name| (*name).to_owned()),
        };
        if program.is_none() {
            // Not by a macro of std, whose words are kept back where a test passes.
            let names = NAMES.join(", ");
            let _ = writeln!(std::io::stderr(), "skipped: none of the browsers {names} is here");
        }
        let profile = tempfile::tempdir().expect("a folder");
        program.map(|program| Self { program, profile })
    }

    /// The page of a file after its scripts have run, as text.
    pub fn dom(&self, path: &Path, hash: &str) -> String {
        let path = path.canonicalize().expect("a page");
        let output = Command::new(&self.program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
            .args(["--no-first-run", "--disable-extensions", "--disable-background-networking"])
            .args(["--virtual-time-budget=3000", "--window-size=1200,900", "--dump-dom"])
            .arg(format!("--user-data-dir={}", self.profile.path().display()))
            .arg(format!("file://{}{hash}", path.display()))
            .output()
            .expect("the browser starts");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{errors}");
        String::from_utf8(output.stdout).expect("text")
    }
}
