//! Attack sets: the squares that a piece attacks from a square, given the occupied squares.
//!
//! Attacks by steps are table look-ups. Attacks of sliders use subtraction: with the occupancy of
//! one line as a number, subtracting the slider's own bit borrows through the empty squares and
//! stops at the first blocker, so the bits that changed are the attacked squares above the slider.
//! The squares below are found in the same way on the byte-reversed number. This is exact because
//! no byte of a lane holds two squares of one rank or diagonal (neighbours lie 8, 9 or 10 bits
//! apart), so that reversing the bytes reverses the line. A file lies within one lane as nine
//! adjacent bits and needs only the lowest and the highest blocker. The tables take 8 KB, against
//! 9.5 MB for magic bitboards over 81 squares, and the code is the same on every processor.
//!
//! Sources: "Hyperbola quintessence" (G. Isenberg and A. Rolling, 2007, chess programming wiki) for
//! the reversed subtraction; "Qugiy" (mori, 2021, appeal document of the 31st World Computer Shogi
//! Championship) for its use on two lanes in shogi.
//!
//! # Examples
//!
//! ```
//! use komadai_core::{Bitboard, Color, Square, attacks};
//!
//! let blockers: Bitboard = [Square::S53, Square::S85].into_iter().collect();
//! let rook = attacks::rook(Square::S55, blockers);
//! assert!(rook.contains(Square::S53) && !rook.contains(Square::S52));
//! assert!(rook.contains(Square::S85) && !rook.contains(Square::S95));
//! assert_eq!(attacks::pawn(Color::Black, Square::S77), Square::S76.into());
//! ```

use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::piece::PieceKind;
use crate::square::Square;

type Table = [Bitboard; Square::COUNT];

/// `(files, ranks)` of each step, for Black.
const PAWN: &[(i8, i8)] = &[(0, -1)];
const KNIGHT: &[(i8, i8)] = &[(1, -2), (-1, -2)];
const SILVER: &[(i8, i8)] = &[(0, -1), (1, -1), (-1, -1), (1, 1), (-1, 1)];
const GOLD: &[(i8, i8)] = &[(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1)];
const KING: &[(i8, i8)] = &[(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1), (1, 1), (-1, 1)];

const fn step_table(color: Color, steps: &[(i8, i8)]) -> Table {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        let mut s = 0;
        while s < steps.len() {
            let ranks = match color {
                Color::Black => steps[s].1,
                Color::White => -steps[s].1,
            };
            if let Some(to) = Square::ALL[i].offset(steps[s].0, ranks) {
                table[i] = table[i].union(Bitboard::from_square(to));
            }
            s += 1;
        }
        i += 1;
    }
    table
}

const fn both(steps: &[(i8, i8)]) -> [Table; 2] {
    [step_table(Color::Black, steps), step_table(Color::White, steps)]
}

/// All squares in one direction, to the edge.
const fn ray_table(files: i8, ranks: i8) -> Table {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        let mut at = Square::ALL[i].offset(files, ranks);
        while let Some(square) = at {
            table[i] = table[i].union(Bitboard::from_square(square));
            at = square.offset(files, ranks);
        }
        i += 1;
    }
    table
}

const fn merged(a: Table, b: Table) -> Table {
    let mut table = a;
    let mut i = 0;
    while i < Square::COUNT {
        table[i] = a[i].union(b[i]);
        i += 1;
    }
    table
}

static PAWN_ATTACKS: [Table; 2] = both(PAWN);
static KNIGHT_ATTACKS: [Table; 2] = both(KNIGHT);
static SILVER_ATTACKS: [Table; 2] = both(SILVER);
static GOLD_ATTACKS: [Table; 2] = both(GOLD);
static KING_ATTACKS: Table = step_table(Color::Black, KING);

static ABOVE: Table = ray_table(0, -1);
static BELOW: Table = ray_table(0, 1);
/// The rank through a square without the square itself; likewise the two diagonals.
static RANK_LINE: Table = merged(ray_table(1, 0), ray_table(-1, 0));
static RISING_LINE: Table = merged(ray_table(1, 1), ray_table(-1, -1));
static FALLING_LINE: Table = merged(ray_table(1, -1), ray_table(-1, 1));

/// The square that a pawn (歩) of `color` on `square` attacks.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN_ATTACKS[color][square]
}

/// The squares that a knight (桂) of `color` on `square` attacks.
#[inline]
pub fn knight(color: Color, square: Square) -> Bitboard {
    KNIGHT_ATTACKS[color][square]
}

/// The squares that a silver (銀) of `color` on `square` attacks.
#[inline]
pub fn silver(color: Color, square: Square) -> Bitboard {
    SILVER_ATTACKS[color][square]
}

/// The squares that a gold (金) or a small promoted piece of `color` on `square` attacks.
#[inline]
pub fn gold(color: Color, square: Square) -> Bitboard {
    GOLD_ATTACKS[color][square]
}

/// The squares that a king (玉) on `square` attacks: its three to eight neighbours.
#[inline]
pub fn king(square: Square) -> Bitboard {
    KING_ATTACKS[square]
}

/// The squares that a lance (香) of `color` on `square` attacks, up to and including the first
/// blocker.
#[inline]
pub fn lance(color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match color {
        Color::Black => up_to_highest(ABOVE[square], occupied, square),
        Color::White => up_to_lowest(BELOW[square], occupied, square),
    }
}

/// The squares that a rook (飛) on `square` attacks, up to and including the first blocker in each
/// direction.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    file(square, occupied) | line(square, RANK_LINE[square], occupied)
}

/// The squares that a bishop (角) on `square` attacks, up to and including the first blocker in each
/// direction.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    line(square, RISING_LINE[square], occupied) | line(square, FALLING_LINE[square], occupied)
}

/// The squares that a horse (馬) on `square` attacks.
#[inline]
pub fn horse(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | king(square)
}

/// The squares that a dragon (龍) on `square` attacks.
#[inline]
pub fn dragon(square: Square, occupied: Bitboard) -> Bitboard {
    rook(square, occupied) | king(square)
}

/// The squares that a piece of `color` and `kind` on `square` attacks.
///
/// The contents of `square` itself make no difference.
///
/// # Examples
///
/// ```
/// use komadai_core::{Bitboard, Color, PieceKind, Square, attacks};
///
/// let tokin = attacks::of(Color::White, PieceKind::ProPawn, Square::S55, Bitboard::EMPTY);
/// assert_eq!(tokin, attacks::gold(Color::White, Square::S55));
/// ```
#[inline]
pub fn of(color: Color, kind: PieceKind, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Pawn => pawn(color, square),
        PieceKind::Lance => lance(color, square, occupied),
        PieceKind::Knight => knight(color, square),
        PieceKind::Silver => silver(color, square),
        PieceKind::Bishop => bishop(square, occupied),
        PieceKind::Rook => rook(square, occupied),
        PieceKind::Gold
        | PieceKind::ProPawn
        | PieceKind::ProLance
        | PieceKind::ProKnight
        | PieceKind::ProSilver => gold(color, square),
        PieceKind::King => king(square),
        PieceKind::Horse => horse(square, occupied),
        PieceKind::Dragon => dragon(square, occupied),
    }
}

/// The squares strictly between two squares of one line; empty when they share no line.
///
/// # Examples
///
/// ```
/// use komadai_core::{Square, attacks};
///
/// assert_eq!(attacks::between(Square::S55, Square::S58).len(), 2);
/// assert!(attacks::between(Square::S55, Square::S67).is_empty());
/// ```
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    static BETWEEN: [[Bitboard; Square::COUNT]; Square::COUNT] = {
        let mut table = [[Bitboard::EMPTY; Square::COUNT]; Square::COUNT];
        let mut i = 0;
        while i < Square::COUNT {
            let mut d = 0;
            while d < KING.len() {
                let mut passed = Bitboard::EMPTY;
                let mut at = Square::ALL[i].offset(KING[d].0, KING[d].1);
                while let Some(square) = at {
                    table[i][square as usize] = passed;
                    passed = passed.union(Bitboard::from_square(square));
                    at = square.offset(KING[d].0, KING[d].1);
                }
                d += 1;
            }
            i += 1;
        }
        table
    };
    BETWEEN[a][b]
}

/// The whole line, edge to edge, through two squares; empty when they share no line.
#[inline]
pub fn line_through(a: Square, b: Square) -> Bitboard {
    let direction = DIRECTIONS[a][b] as usize;
    if direction == NO_DIRECTION {
        return Bitboard::EMPTY;
    }
    // The directions are listed in opposite pairs.
    RAYS[direction][a] | RAYS[direction ^ 1][a] | a.into()
}

/// The squares after `from` through `through` to the edge; empty if the two share no line.
///
/// # Examples
///
/// ```
/// use komadai_core::{Square, attacks};
///
/// assert_eq!(attacks::ray(Square::S55, Square::S54).len(), 4);
/// assert!(attacks::ray(Square::S55, Square::S43).is_empty());
/// ```
#[inline]
pub fn ray(from: Square, through: Square) -> Bitboard {
    RAYS[DIRECTIONS[from][through] as usize][from]
}

/// The eight directions in opposite pairs, and a ninth entry without squares.
static RAYS: [Table; 9] = [
    ray_table(0, -1),
    ray_table(0, 1),
    ray_table(1, 0),
    ray_table(-1, 0),
    ray_table(1, 1),
    ray_table(-1, -1),
    ray_table(1, -1),
    ray_table(-1, 1),
    [Bitboard::EMPTY; Square::COUNT],
];

const NO_DIRECTION: usize = 8;

/// The direction from the first square to the second: an index into [`RAYS`].
static DIRECTIONS: [[u8; Square::COUNT]; Square::COUNT] = {
    const STEPS: [(i8, i8); 8] =
        [(0, -1), (0, 1), (1, 0), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1)];
    let mut table = [[NO_DIRECTION as u8; Square::COUNT]; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        let mut d = 0;
        while d < STEPS.len() {
            let mut at = Square::ALL[i].offset(STEPS[d].0, STEPS[d].1);
            while let Some(square) = at {
                table[i][square as usize] = d as u8;
                at = square.offset(STEPS[d].0, STEPS[d].1);
            }
            d += 1;
        }
        i += 1;
    }
    table
};

/// The squares that share the file or the rank of `square`: rook attacks on an empty board.
#[inline]
pub fn rook_lines(square: Square) -> Bitboard {
    ABOVE[square] | BELOW[square] | RANK_LINE[square]
}

/// The squares that share a diagonal with `square`: bishop attacks on an empty board.
#[inline]
pub fn bishop_lines(square: Square) -> Bitboard {
    RISING_LINE[square] | FALLING_LINE[square]
}

/// The squares in front of `square` on its file: lance attacks of `color` on an empty board.
///
/// # Examples
///
/// The squares from which a lance of White would attack 5五 (on an empty board) are those that a
/// lance of Black attacks from there:
///
/// ```
/// use komadai_core::{Color, Square, attacks};
///
/// let in_front: Vec<Square> = attacks::lance_line(Color::Black, Square::S55).iter().collect();
/// assert_eq!(in_front, [Square::S51, Square::S52, Square::S53, Square::S54]);
/// ```
#[inline]
pub fn lance_line(color: Color, square: Square) -> Bitboard {
    match color {
        Color::Black => ABOVE[square],
        Color::White => BELOW[square],
    }
}

/// The attacks along the file of `square`, in both directions.
#[inline]
fn file(square: Square, occupied: Bitboard) -> Bitboard {
    up_to_highest(ABOVE[square], occupied, square) | up_to_lowest(BELOW[square], occupied, square)
}

/// The part of `above` from its highest blocker (included) upwards in index: attacks towards rank
/// 1.
#[inline]
fn up_to_highest(above: Bitboard, occupied: Bitboard, square: Square) -> Bitboard {
    let lane = (square as usize >= 63) as usize;
    let above = above.lanes()[lane];
    let occupied = occupied.lanes()[lane];
    // Bit 0 is either the last square of the file or lies outside `above`, so setting it adds no
    // blocker. It saves the test for a file without blockers, as `leading_zeros` is then below 64.
    let blockers = above & occupied | 1;
    in_lane(lane, above & (u64::MAX << (63 - blockers.leading_zeros())))
}

/// The part of `below` up to its lowest blocker (included): attacks towards rank 9.
#[inline]
fn up_to_lowest(below: Bitboard, occupied: Bitboard, square: Square) -> Bitboard {
    let lane = (square as usize >= 63) as usize;
    let below = below.lanes()[lane];
    let occupied = occupied.lanes()[lane];
    let blockers = below & occupied;
    // `x ^ (x - 1)` is the lowest set bit and all bits below it, and all bits if `x` is 0.
    in_lane(lane, below & (blockers ^ blockers.wrapping_sub(1)))
}

#[inline]
fn in_lane(lane: usize, bits: u64) -> Bitboard {
    Bitboard::from_lanes_unmasked(if lane == 0 { [bits, 0] } else { [0, bits] })
}

/// The attacks along one rank or diagonal; `mask` is that line without `square`.
#[inline]
fn line(square: Square, mask: Bitboard, occupied: Bitboard) -> Bitboard {
    let own = Bitboard::from_square(square).lanes();
    let mask = mask.lanes();
    let occupied = occupied.lanes();
    let blockers = [occupied[0] & mask[0], occupied[1] & mask[1]];
    let upward = subtract(blockers, own);
    let downward = reverse(subtract(reverse(blockers), reverse(own)));
    // Each difference leaves the bits on its far side unchanged, so these cancel.
    Bitboard::from_lanes_unmasked([
        (upward[0] ^ downward[0]) & mask[0],
        (upward[1] ^ downward[1]) & mask[1],
    ])
}

#[inline]
fn subtract(a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
    let (low, borrow) = a[0].overflowing_sub(b[0]);
    [low, a[1].wrapping_sub(b[1]).wrapping_sub(borrow as u64)]
}

#[inline]
fn reverse(lanes: [u64; 2]) -> [u64; 2] {
    [lanes[1].swap_bytes(), lanes[0].swap_bytes()]
}

/// The relation of two squares: the kinds that attack one from the other on an empty board, and
/// whether the two share a line.
///
/// `do_move` needs one such 16-bit value for two tests: whether the moved piece can give check from
/// its new square, and whether leaving its old square can uncover a check.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Relation(u16);

impl Relation {
    const ALIGNED: u16 = 1 << 14;

    /// Returns whether a piece of `kind` on the second square attacks the first on an empty board.
    #[inline]
    pub(crate) fn attacked_by(self, kind: PieceKind) -> bool {
        self.0 >> kind as u32 & 1 != 0
    }

    /// Returns whether the squares share a line.
    #[inline]
    pub(crate) fn is_aligned(self) -> bool {
        self.0 >= Self::ALIGNED
    }
}

const fn relation_table(color: Color) -> [[u16; Square::COUNT]; Square::COUNT] {
    let mut table = [[0; Square::COUNT]; Square::COUNT];
    let steps: [(PieceKind, &[(i8, i8)]); 11] = [
        (PieceKind::Pawn, PAWN),
        (PieceKind::Knight, KNIGHT),
        (PieceKind::Silver, SILVER),
        (PieceKind::Gold, GOLD),
        (PieceKind::ProPawn, GOLD),
        (PieceKind::ProLance, GOLD),
        (PieceKind::ProKnight, GOLD),
        (PieceKind::ProSilver, GOLD),
        (PieceKind::King, KING),
        (PieceKind::Horse, KING),
        (PieceKind::Dragon, KING),
    ];
    let mut target = 0;
    while target < Square::COUNT {
        let mut k = 0;
        while k < steps.len() {
            let mut s = 0;
            while s < steps[k].1.len() {
                let (files, ranks) = steps[k].1[s];
                let ranks = if matches!(color, Color::Black) { ranks } else { -ranks };
                if let Some(from) = Square::ALL[target].offset(-files, -ranks) {
                    table[target][from as usize] |= 1 << steps[k].0 as u16;
                }
                s += 1;
            }
            k += 1;
        }
        let mut d = 0;
        while d < KING.len() {
            let (files, ranks) = KING[d];
            let bits = if files == 0 {
                let behind = if matches!(color, Color::Black) { 1 } else { -1 };
                let lance = if ranks == behind { 1 << PieceKind::Lance as u16 } else { 0 };
                Relation::ALIGNED
                    | lance
                    | 1 << PieceKind::Rook as u16
                    | 1 << PieceKind::Dragon as u16
            } else if ranks == 0 {
                Relation::ALIGNED | 1 << PieceKind::Rook as u16 | 1 << PieceKind::Dragon as u16
            } else {
                Relation::ALIGNED | 1 << PieceKind::Bishop as u16 | 1 << PieceKind::Horse as u16
            };
            let mut at = Square::ALL[target].offset(files, ranks);
            while let Some(square) = at {
                table[target][square as usize] |= bits;
                at = square.offset(files, ranks);
            }
            d += 1;
        }
        target += 1;
    }
    table
}

/// The relation of `from` to `target`, for pieces of `color` on `from`.
#[inline]
pub(crate) fn relation(color: Color, target: Square, from: Square) -> Relation {
    // The table takes 26 KB, but a game touches the rows of the two kings only, 162 bytes each, so
    // that the cache holds them.
    static RELATIONS: [[[u16; Square::COUNT]; Square::COUNT]; 2] =
        [relation_table(Color::Black), relation_table(Color::White)];
    Relation(RELATIONS[color][target][from])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The oracle: walk until the edge or a blocker.
    fn walked(square: Square, steps: &[(i8, i8)], color: Color, occupied: Bitboard) -> Bitboard {
        let mut seen = Bitboard::EMPTY;
        for &(files, ranks) in steps {
            let ranks = if color == Color::Black { ranks } else { -ranks };
            let mut at = square.offset(files, ranks);
            while let Some(next) = at {
                seen |= next.into();
                at = if occupied.contains(next) { None } else { next.offset(files, ranks) };
            }
        }
        seen
    }

    const ORTHOGONAL: &[(i8, i8)] = &[(0, -1), (0, 1), (1, 0), (-1, 0)];
    const DIAGONAL: &[(i8, i8)] = &[(1, 1), (1, -1), (-1, 1), (-1, -1)];

    proptest! {
        #[test]
        fn sliders_agree_with_walking(a in [any::<u64>(), any::<u64>()], b in [any::<u64>(), any::<u64>()]) {
            // One pair for dense occupancies, its conjunction for sparse ones.
            for lanes in [a, [a[0] & b[0], a[1] & b[1]]] {
                let occupied = Bitboard::from_lanes(lanes);
                for square in Square::ALL {
                    for color in Color::ALL {
                        prop_assert_eq!(lance(color, square, occupied), walked(square, PAWN, color, occupied));
                    }
                    prop_assert_eq!(rook(square, occupied), walked(square, ORTHOGONAL, Color::Black, occupied));
                    prop_assert_eq!(bishop(square, occupied), walked(square, DIAGONAL, Color::Black, occupied));
                }
            }
        }
    }

    #[test]
    fn lines_and_rays_agree_with_walking() {
        for a in Square::ALL {
            for b in Square::ALL {
                let ray_oracle = KING.iter().find_map(|&step| {
                    let ray = walked(a, &[step], Color::Black, Bitboard::EMPTY);
                    ray.contains(b).then_some((step, ray))
                });
                let Some((step, expected)) = ray_oracle else {
                    assert!(between(a, b).is_empty() && ray(a, b).is_empty());
                    assert!(line_through(a, b).is_empty());
                    assert!(!relation(Color::Black, a, b).is_aligned());
                    continue;
                };
                assert_eq!(ray(a, b), expected);
                let to_b = walked(a, &[step], Color::Black, b.into());
                assert_eq!(between(a, b), to_b - b.into());
                let back = walked(a, &[(-step.0, -step.1)], Color::Black, Bitboard::EMPTY);
                assert_eq!(line_through(a, b), expected | back | a.into());
                assert!(relation(Color::White, a, b).is_aligned());
            }
        }
    }

    #[test]
    fn relations_agree_with_attacks_on_an_empty_board() {
        for target in Square::ALL {
            for from in Square::ALL {
                for (color, kind) in
                    Color::ALL.into_iter().flat_map(|c| PieceKind::ALL.map(|k| (c, k)))
                {
                    let attacked = of(color, kind, from, Bitboard::EMPTY).contains(target);
                    assert_eq!(relation(color, target, from).attacked_by(kind), attacked);
                }
            }
        }
    }
}
