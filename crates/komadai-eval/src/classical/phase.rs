//! How far the weights have moved from early to late.

use komadai_core::{Color, Position, Square};

use super::Phase;
use crate::attack_map::AttackMap;
use crate::progress::{AREAS, hand_weight};

/// The phases of one position.
///
/// They follow [`Progress`](crate::Progress), made cheaper in three ways that cost it nothing as a
/// measure: attacks on one square count to two, those of kings are left out, and files weigh alike.
/// Counting attackers exactly would take as long as the rest of the evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Phases {
    kings: [i32; 2],
}

/// The sum of both kings' danger from which on the late weights alone count.
const GAME_WHOLE: i32 = 128;
/// The same for one king.
const KING_WHOLE: i32 = 96;

impl Phases {
    #[inline]
    pub(crate) fn new(position: &Position, maps: &[AttackMap; 2]) -> Self {
        let danger = |color: Color| {
            let area =
                position.king_square(color).map_or(0, |king| attacks_near(king, &maps[!color]));
            area * 8 + hand_weight(position.hand(!color)) as i32
        };
        Self { kings: Color::ALL.map(danger) }
    }

    /// The phase and its whole.
    #[inline]
    pub(crate) fn get(self, phase: Phase) -> (i32, i32) {
        let [black, white] = self.kings;
        match phase {
            Phase::Game => ((black + white).min(GAME_WHOLE), GAME_WHOLE),
            Phase::BlackKing => (black.min(KING_WHOLE), KING_WHOLE),
            Phase::WhiteKing => (white.min(KING_WHOLE), KING_WHOLE),
        }
    }
}

/// The attacks on the five files by three ranks around a king, counted to two on each square.
#[inline]
fn attacks_near(king: Square, enemy: &AttackMap) -> i32 {
    let area = AREAS[king];
    // The area is five files wide, so that its two lanes (files 1–7 and 8–9) share no bit.
    let folded = |set: komadai_core::Bitboard| {
        let [low, high] = (set & area).lanes();
        low | high
    };
    let (once, twice) = (folded(enemy.once), folded(enemy.twice));
    // Three ranks further, where the area is not: one population count then does for both.
    let beside = if king.rank().index() < 5 { twice << 3 } else { twice >> 3 };
    (once | beside).count_ones() as i32
}

#[cfg(test)]
mod tests {
    use komadai_core::{Bitboard, Square};

    use super::*;

    #[test]
    fn both_counts_fit_one_number() {
        let everywhere = AttackMap {
            once: Bitboard::ALL,
            twice: Bitboard::ALL,
            by_pawn: Bitboard::EMPTY,
            by_minor: Bitboard::EMPTY,
            by_general: Bitboard::EMPTY,
        };
        for king in Square::ALL {
            assert_eq!(attacks_near(king, &everywhere), 30);
        }
    }
}
