//! The table of weights as Rust source.

use std::fmt::Write;

use crate::eval::family::Family;
use crate::eval::features::{BLOCKS, COUNT};
use crate::eval::places::classes;
use crate::eval::table::{Weight, Weights, features};

/// The beginning of the file.
const HEAD: &str = "\
//! The weights of the evaluation, in centipawns for the attackers: on a full board, and on one that is
//! almost empty. `konakis tune fit` prints this file.

use super::table::Weights;
";

/// The file of weights as it is, but with new weights for some families.
pub fn file(fitted: &[(Family, Vec<Weight>)]) -> String {
    let mut text = HEAD.to_owned();
    for family in Family::ALL {
        let new = fitted.iter().find(|(other, _)| *other == family);
        let weights = new.map_or_else(|| known(family), |(_, weights)| weights.clone());
        // Writing to a string does not fail.
        let _ = table(&mut text, family, &weights);
    }
    text
}

/// The weights of a family as they are.
fn known(family: Family) -> Vec<Weight> {
    (0..features(family)).map(|feature| Weights::of(family).all(feature)).collect()
}

fn table(text: &mut String, family: Family, weights: &[Weight]) -> std::fmt::Result {
    writeln!(text, "\n/// {}", family.summary())?;
    writeln!(text, "#[rustfmt::skip]")?;
    writeln!(text, "pub const {}: Weights = Weights {{", family.name())?;
    writeln!(text, "    counts: [")?;
    for block in BLOCKS {
        writeln!(text, "        // {}", block.name)?;
        rows(text, weights.get(block.first..block.first + block.len).unwrap_or_default())?;
    }
    writeln!(text, "    ],")?;
    writeln!(text, "    squares: &[")?;
    let classes = classes(family.size());
    for (kind, name) in ["attackers", "defenders", "king"].into_iter().enumerate() {
        let first = COUNT + kind * classes;
        writeln!(text, "        // {name}, from the corner to the middle")?;
        let of_kind = weights.get(first..first + classes).unwrap_or_default();
        // A row for each distance of the farther line from the edge.
        let mut row = 0;
        let mut begin = 0;
        while begin < classes {
            rows(text, of_kind.get(begin..begin + row + 1).unwrap_or_default())?;
            row += 1;
            begin += row;
        }
    }
    writeln!(text, "    ],")?;
    writeln!(text, "}};")
}

/// Weights, at the most seven in a line.
fn rows(text: &mut String, weights: &[Weight]) -> std::fmt::Result {
    for row in weights.chunks(7) {
        let row: Vec<String> =
            row.iter().map(|(full, bare)| format!("({full}, {bare}),")).collect();
        writeln!(text, "        {}", row.join(" "))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is printed is the file as it stands when nothing changes.
    #[test]
    fn the_table_prints_itself() {
        let same = (Family::Corner, known(Family::Corner));
        assert_eq!(file(&[same]), include_str!("../eval/weights.rs"));
    }
}
