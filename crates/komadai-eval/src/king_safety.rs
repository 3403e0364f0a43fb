//! How safe a king is: who attacks and who defends the squares around it.
//!
//! Every square near a king counts by its distance: an attack by the opponent is bad, a guard by
//! an own piece good, and each matters more when it is doubled. On the eight squares next to the
//! king, those which are attacked and which only the king guards are counted together: one hole can
//! be lived with, three are mate. A hole is the worse the more the opponent can drop into it.

use komadai_core::{Bitboard, Color, Hand, PieceKind, Position, Square};

use crate::attack_map::AttackMap;

/// How safe both kings are: centipawns, Black's minus White's. A missing king counts nothing.
pub(crate) fn black_lead(position: &Position) -> i32 {
    let maps = Color::ALL.map(|color| AttackMap::new(position, color));
    let safety = |color: Color| {
        position
            .king_square(color)
            .map_or(0, |king| safety(king, &maps[color], &maps[!color], position.hand(!color)))
    };
    safety(Color::Black) - safety(Color::White)
}

/// Centipawns by distance from the king (1, 2, 3) for each square attacked once, and more for each
/// attacked twice.
struct Weights {
    once: [i32; RADIUS],
    twice: [i32; RADIUS],
}

const ENEMY: Weights = Weights { once: [-22, -14, -6], twice: [-18, -8, -2] };
const OWN: Weights = Weights { once: [20, 8, 3], twice: [8, 4, 1] };

/// `[holes]`, centipawns, with an empty hand of the opponent's; each unit of
/// [`dropping_power`] adds a sixteenth.
const HOLES: [i32; 9] = [0, -10, -30, -60, -95, -130, -160, -185, -205];

/// How safe a king is, in centipawns.
fn safety(king: Square, own: &AttackMap, enemy: &AttackMap, enemy_hand: Hand) -> i32 {
    let mut sum = 0;
    for (distance, &ring) in RINGS[king].iter().enumerate() {
        sum += ENEMY.once[distance] * len_near(enemy.once & ring);
        sum += ENEMY.twice[distance] * len_near(enemy.twice & ring);
        sum += OWN.once[distance] * len_near(own.once & ring);
        sum += OWN.twice[distance] * len_near(own.twice & ring);
    }
    let holes = len_near((enemy.once & RINGS[king][0]) - own.once);
    sum + HOLES[holes as usize] * (16 + dropping_power(enemy_hand)) / 16
}

/// How much a hand helps an attack on a king, in sixteenths.
fn dropping_power(hand: Hand) -> i32 {
    const POWER: [(PieceKind, i32); 6] = [
        (PieceKind::Gold, 6),
        (PieceKind::Silver, 5),
        (PieceKind::Rook, 6),
        (PieceKind::Bishop, 4),
        (PieceKind::Knight, 2),
        (PieceKind::Lance, 2),
    ];
    POWER.into_iter().map(|(kind, power)| hand.count(kind) as i32 * power).sum::<i32>().min(32)
}

/// The largest distance that counts.
const RADIUS: usize = 3;

/// `[king][distance − 1]`: the squares at each distance.
static RINGS: [[Bitboard; RADIUS]; Square::COUNT] = {
    let mut rings = [[Bitboard::EMPTY; RADIUS]; Square::COUNT];
    let mut king = 0;
    while king < Square::COUNT {
        let mut s = 0;
        while s < Square::COUNT {
            let square = Square::ALL[s];
            let distance = Square::ALL[king].distance(square) as usize;
            if distance >= 1 && distance <= RADIUS {
                let ring = &mut rings[king][distance - 1];
                *ring = ring.union(Bitboard::from_square(square));
            }
            s += 1;
        }
        king += 1;
    }
    rings
};

/// The number of squares of a set that lies within [`RADIUS`] of one square.
///
/// Such a set is at most seven files wide, so its two lanes (files 1–7 and 8–9) have no bit in
/// common and one population count does for both.
#[inline]
fn len_near(set: Bitboard) -> i32 {
    let [low, high] = set.lanes();
    debug_assert!(low & high == 0, "the set is seven files wide");
    (low | high).count_ones() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_can_be_counted_in_one_lane() {
        for rings in &RINGS {
            for &ring in rings {
                assert_eq!(len_near(ring), ring.len() as i32);
            }
        }
    }

    fn lead(sfen: &str) -> i32 {
        black_lead(&Position::from_sfen(sfen).unwrap())
    }

    #[test]
    fn guards_are_good_and_attackers_bad() {
        let bare = lead("4k4/9/9/9/9/9/9/9/4K4 b - 1");
        assert_eq!(bare, 0);
        assert!(lead("4k4/9/9/9/9/9/9/9/3GK4 b - 1") > bare);
        assert!(lead("4k4/9/9/9/9/9/4s4/9/4K4 b - 1") < bare);
        assert!(lead("4k4/9/9/9/9/9/4s4/9/4K4 b g 1") < lead("4k4/9/9/9/9/9/4s4/9/4K4 b - 1"));
    }

    #[test]
    fn a_missing_king_counts_nothing() {
        assert_eq!(lead("9/9/9/4S4/9/9/9/9/4K4 b - 1"), 0);
        assert!(lead("4k4/9/4S4/9/9/9/9/9/9 b - 1") > 0);
    }
}
