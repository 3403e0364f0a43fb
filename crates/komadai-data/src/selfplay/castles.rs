//! Castles (囲い): whole armies of one side, and starts composed of two of them.

use komadai_core::{Position, SplitMix64};

/// Name, Japanese name, wing of the rook, and ranks 6 to 9 of Black as in an SFEN. A bishop that is
/// not on them is in hand.
const TABLE: &str = include_str!("castles.tsv");

/// Returns a position of two castles, each chosen at random, with a random side to move.
pub(super) fn castles(random: &mut SplitMix64) -> Option<Position> {
    let armies: Vec<&str> =
        TABLE.lines().skip(1).filter_map(|line| line.split('\t').nth(3)).collect();
    let mut army = || armies.get(random.below(armies.len() as u64) as usize).copied();
    let (black, white) = (army()?, army()?);
    let side = if random.below(2) == 0 { 'b' } else { 'w' };
    Position::from_sfen(&compose(black, white, side)).ok()
}

/// Returns the SFEN of two armies, each as Black's ranks 6 to 9.
fn compose(black: &str, white: &str, side: char) -> String {
    // A board rotated by 180 degrees is its text read backwards.
    let rotated: String = white.chars().rev().map(|c| c.to_ascii_lowercase()).collect();
    let in_hand = |army: &str, bishop| (!army.contains('B')).then_some(bishop);
    let hands: String = [in_hand(black, 'B'), in_hand(white, 'b')].into_iter().flatten().collect();
    let hands = if hands.is_empty() { "-" } else { &hands };
    format!("{rotated}/9/{black} {side} {hands} 1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn castles_are_positions_and_most_pairs_are() {
        let armies: Vec<&str> =
            TABLE.lines().skip(1).map(|line| line.split('\t').nth(3).unwrap()).collect();
        assert!(armies.len() > 40);
        let mut pairs = 0;
        for black in &armies {
            let mut fitting = 0;
            for white in &armies {
                let is_position = |side| Position::from_sfen(&compose(black, white, side)).is_ok();
                fitting += usize::from(is_position('b') && is_position('w'));
            }
            // In the others a bishop gives check to the side that is not to move.
            assert!(fitting > armies.len() / 2, "{black}: {fitting}");
            pairs += fitting;
        }
        assert!(pairs * 10 > armies.len() * armies.len() * 9, "{pairs}");
    }
}
