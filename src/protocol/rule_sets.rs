//! The rule sets that a front end can choose, and the one that it chose.

use std::path::Path;
use std::sync::Arc;

use super::error::shown;
use crate::game::rules::Rules;
use crate::game::variants::{DEFAULT_VARIANT, variant, variants};
use crate::notation::rules_string;

/// The catalogue, what a file has added to it, and the rule set that counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleSets {
    added: Vec<Arc<Rules>>,
    /// The id that was chosen last.
    named: String,
    /// The rules that were written out after that, if any.
    written: Option<Arc<Rules>>,
}

impl Default for RuleSets {
    fn default() -> Self {
        Self { added: Vec::new(), named: DEFAULT_VARIANT.to_owned(), written: None }
    }
}

impl RuleSets {
    /// The rule set that counts: the last one chosen or written. `None` cannot happen: the name was
    /// found when it was chosen.
    pub fn current(&self) -> Option<Arc<Rules>> {
        self.written.clone().or_else(|| self.find(&self.named))
    }

    /// The ids that may be chosen.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        variants().iter().chain(&self.added).map(|rules| rules.id.as_str())
    }

    fn find(&self, name: &str) -> Option<Arc<Rules>> {
        let added = || self.added.iter().find(|rules| rules.id.eq_ignore_ascii_case(name)).cloned();
        variant(name).or_else(added)
    }

    /// Chooses a rule set by its id or alias. Is it another one than before?
    ///
    /// # Errors
    /// If there is none of this name.
    pub fn choose(&mut self, name: &str) -> Result<bool, String> {
        let Some(rules) = self.find(name) else {
            let ids: Vec<&str> = self.ids().collect();
            return Err(format!(
                "'{}' is no rule set; expected one of {}",
                shown(name),
                ids.join(", ")
            ));
        };
        let before = self.current();
        self.named.clone_from(&rules.id);
        self.written = None;
        Ok(before != Some(rules))
    }

    /// Takes a rules string; none is the rule set chosen by name again. Is it another rule set than
    /// before?
    ///
    /// # Errors
    /// Names the key that is wrong and says what would be right.
    pub fn write(&mut self, text: Option<&str>) -> Result<bool, String> {
        let rules = text.map(rules_string::read).transpose().map_err(|error| error.to_string())?;
        let before = self.current();
        self.written = rules.map(Arc::new);
        Ok(before != self.current())
    }

    /// Adds the named rules strings of a file to those of the catalogue, in place of what another
    /// file had added.
    ///
    /// # Errors
    /// Names the line of the file that is wrong.
    pub fn add(&mut self, path: Option<&str>) -> Result<(), String> {
        let added =
            path.map_or_else(|| Ok(Vec::new()), |path| rules_string::read_file(Path::new(path)))?;
        let chosen = self.find(&self.named);
        self.added = added;
        // The game that is set up stays the game.
        if self.find(&self.named) != chosen {
            self.written = self.written.take().or(chosen);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGE: &str = "dim:7 esc:e starti:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";

    fn id(sets: &RuleSets) -> String {
        sets.current().unwrap().id.clone()
    }

    #[test]
    fn the_last_one_set_counts() {
        let mut sets = RuleSets::default();
        assert_eq!(sets.choose("brandubh"), Ok(true));
        assert_eq!(sets.choose("BRANDUBH"), Ok(false));
        assert_eq!(sets.write(Some(EDGE)), Ok(true));
        assert_eq!(sets.write(Some(EDGE)), Ok(false));
        assert_eq!(id(&sets), "custom");
        assert_eq!(sets.choose("brandubh"), Ok(true));
        assert_eq!(id(&sets), "brandubh");
        assert_eq!(sets.write(Some(EDGE)), Ok(true));
        assert_eq!(sets.write(None), Ok(true));
        assert_eq!(id(&sets), "brandubh");
        assert!(sets.write(Some("dim:8")).unwrap_err().starts_with("dim: "));
        assert!(sets.choose("chess").is_err());
        assert_eq!(id(&sets), "brandubh");
    }

    #[test]
    fn a_file_adds_names() {
        let path = std::env::temp_dir().join(format!("konakis-sets-{}", std::process::id()));
        std::fs::write(&path, EDGE.replace("dim:7", "dim:7 name:open")).unwrap();
        let mut sets = RuleSets::default();
        sets.add(path.to_str()).unwrap();
        assert_eq!(sets.ids().last(), Some("open"));
        assert_eq!(sets.choose("Open"), Ok(true));
        assert_eq!(id(&sets), "open");
        std::fs::write(&path, "nonsense").unwrap();
        assert!(sets.add(path.to_str()).unwrap_err().contains("line 1"));
        assert_eq!(id(&sets), "open");
        sets.add(None).unwrap();
        assert_eq!(id(&sets), "open");
        assert!(sets.ids().all(|id| id != "open"));
        std::fs::remove_file(&path).unwrap();
    }
}
