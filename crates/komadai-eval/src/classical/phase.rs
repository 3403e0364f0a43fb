//! Phases: the interpolation between early and late weights.

use komadai_core::{Color, Position, Square};

use crate::attack_map::AttackMap;
use crate::progress::{AREAS, hand_weight};

/// The measure by which weights are interpolated from early to late.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The danger of both kings together.
    Game,
    /// The danger of Black's king.
    BlackKing,
    /// The danger of White's king.
    WhiteKing,
}

impl Phase {
    /// Returns the phase of the danger of `color`'s king.
    pub(crate) const fn of_king(color: Color) -> Self {
        match color {
            Color::Black => Self::BlackKing,
            Color::White => Self::WhiteKing,
        }
    }
}

/// The phases of one position.
///
/// They follow [`Progress`](crate::Progress) with three simplifications that do not make it a worse
/// measure: attacks on one square are counted to two, attacks of kings are ignored, and all files
/// have the same weight. An exact count of attackers would take as long as the rest of the
/// evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Phases {
    kings: [i32; 2],
}

/// The sum of both kings' dangers from which on only the late weights count: 16 · 8, the end of the
/// scale of [`Progress`](crate::Progress).
const GAME_WHOLE: i32 = 128;
/// The danger of one king from which on only the late weights count: three quarters of that for
/// both.
const KING_WHOLE: i32 = 96;

impl Phases {
    #[inline]
    pub(crate) fn new(position: &Position, maps: &[AttackMap; 2]) -> Self {
        let danger = |color: Color| {
            let area =
                position.king_square(color).map_or(0, |king| attacks_near(king, &maps[!color]));
            // 8 per attack, as in `Progress`.
            area * 8 + hand_weight(position.hand(!color)) as i32
        };
        // Written out: `Color::ALL.map` is not always inlined.
        Self { kings: [danger(Color::Black), danger(Color::White)] }
    }

    /// Returns the phase and its maximum.
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

/// Number of attacks on the five files by three ranks around a king, counted to two on each square.
#[inline]
fn attacks_near(king: Square, enemy: &AttackMap) -> i32 {
    let area = AREAS[king];
    // The area is five files wide, so that its two lanes (files 1–7 and 8–9) share no bit.
    let folded = |set: komadai_core::Bitboard| {
        let [low, high] = (set & area).lanes();
        low | high
    };
    let once = folded(enemy.once);
    let twice = folded(enemy.twice);
    // Shifted by three ranks, out of the area, so that one population count covers both sets.
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
