//! Keys of positions: one random number a piece and square, one for the side to move (Zobrist 1970).

use super::geometry::{MAX_SIZE, Square};
use super::rules::Kind;

const SQUARES: usize = MAX_SIZE * MAX_SIZE;

/// Toggled when the attackers are to move.
pub const ATTACKERS_TO_MOVE: u64 = 0x9d39_247e_3377_6d41;

static PIECES: [[u64; SQUARES]; 3] = generate();

/// The key of one piece on one square.
#[inline]
pub fn piece(kind: Kind, square: Square) -> u64 {
    PIECES[kind as usize][square.index()]
}

/// SplitMix64 (Steele, Lea and Flood 2014), run by the compiler.
const fn generate() -> [[u64; SQUARES]; 3] {
    let mut keys = [[0; SQUARES]; 3];
    let mut state: u64 = 0x6b6f_6e61_6b69_7300;
    let mut kind = 0;
    while kind < 3 {
        let mut square = 0;
        while square < SQUARES {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            keys[kind][square] = z ^ (z >> 31);
            square += 1;
        }
        kind += 1;
    }
    keys
}
