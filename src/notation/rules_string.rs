//! Rule sets as OpenTafl's rules strings, such as
//! `dim:9 name:tablut-corner surf:n atkf:n ks:m cenh: starti:/3ttt3/…/`: keys and values divided by
//! blanks, `dim` first; pieces are `t` attackers, `T` defenders, `K` the king.
//!
//! Two keys are our own. `tfr:a`: the third occurrence of a position wins for the attackers.
//! `x-variant:ID`: it is the rule set ID, which no other keys can say; what stands beside it is the
//! nearest string and does not count, except the start position.
//!
//! ```
//! use konakis::game::variants::variant;
//! use konakis::notation::rules_string::{read, write};
//! let rules = variant("copenhagen").unwrap();
//! let text = write(&rules).unwrap();
//! assert!(text.starts_with("dim:11 name:copenhagen efe:y sw:s tfr:a starti:/3ttttt3/"));
//! assert_eq!(read(&text).unwrap(), *rules);
//! assert_eq!(read("dim:8 starti:/8/").unwrap_err().key, "dim");
//! ```

mod keys;
mod named;
mod reader;
mod squares;
mod writer;

pub use keys::RulesStringError;
pub use named::{chosen, read_file};
pub use reader::read;
pub use squares::{read_position, write_position};
pub use writer::{nearest, write};

use crate::game::rules::{Kind, Kinds};

/// The defenders and their king.
const DEFENDERS: Kinds = Kinds::D.with(Kind::King);
