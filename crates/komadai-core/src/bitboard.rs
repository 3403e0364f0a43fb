//! Sets of squares.

use core::fmt;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

use crate::color::Color;
use crate::square::{File, Rank, Square};

/// A set of squares.
///
/// Two 64-bit lanes: files 1 to 7 in the first 63 bits of the first lane, files 8 and 9 in the
/// first 18 bits of the second. No file crosses from one lane to the other, so a step along a file
/// is a plain shift of both lanes, and a file's occupancy is nine adjacent bits.
///
/// **Invariant:** bits that do not belong to a square are never set. Every constructor keeps it.
///
/// # Examples
///
/// ```
/// use komadai_core::{Bitboard, Square};
///
/// let set: Bitboard = [Square::S55, Square::S77].into_iter().collect();
/// assert!(set.contains(Square::S77));
/// assert_eq!(set.len(), 2);
/// assert_eq!(set.up().iter().collect::<Vec<_>>(), [Square::S54, Square::S76]);
/// assert_eq!(
///     set.to_string(),
///     ". . . . . . . . .\n\
///      . . . . . . . . .\n\
///      . . . . . . . . .\n\
///      . . . . . . . . .\n\
///      . . . . * . . . .\n\
///      . . . . . . . . .\n\
///      . . * . . . . . .\n\
///      . . . . . . . . .\n\
///      . . . . . . . . .\n",
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(C, align(16))]
pub struct Bitboard([u64; 2]);

/// The bits of the first lane that belong to squares.
const LANE_0: u64 = (1 << 63) - 1;
/// The bits of the second lane that belong to squares.
const LANE_1: u64 = (1 << 18) - 1;

impl Bitboard {
    /// No squares.
    pub const EMPTY: Self = Self([0; 2]);

    /// All 81 squares.
    pub const ALL: Self = Self([LANE_0, LANE_1]);

    /// The set of one square.
    #[inline]
    pub const fn from_square(square: Square) -> Self {
        // A load beats two variable shifts and two selects: the table is 1.3 KB and always hot.
        const SINGLE: [Bitboard; Square::COUNT] = {
            let mut table = [Bitboard::EMPTY; Square::COUNT];
            let mut i = 0;
            while i < Square::COUNT {
                table[i].0[i / 63] = 1 << (i % 63);
                i += 1;
            }
            table
        };
        static TABLE: [Bitboard; Square::COUNT] = SINGLE;
        TABLE[square as usize]
    }

    /// All squares of a file.
    #[inline]
    pub const fn file(file: File) -> Self {
        let index = file as usize;
        if index < 7 {
            Self([0x1ff << (index * 9), 0])
        } else {
            Self([0, 0x1ff << ((index - 7) * 9)])
        }
    }

    /// All squares of a rank.
    #[inline]
    pub const fn rank(rank: Rank) -> Self {
        const FIRST: [u64; 2] = [0x0040_2010_0804_0201, 0x201];
        Self([FIRST[0] << rank as usize, FIRST[1] << rank as usize])
    }

    /// The `count` ranks farthest from `color`'s own side, where its pieces promote.
    ///
    /// `far_ranks(Color::Black, 3)` is ranks 1 to 3, `far_ranks(Color::White, 1)` is rank 9. All
    /// ranks for a `count` of 9 or more.
    #[inline]
    pub const fn far_ranks(color: Color, count: usize) -> Self {
        let count = if count > 9 { 9 } else { count };
        let mut bits = Self::EMPTY;
        let mut i = 0;
        while i < count {
            let rank = match color {
                Color::Black => Rank::ALL[i],
                Color::White => Rank::ALL[8 - i],
            };
            bits = bits.union(Self::rank(rank));
            i += 1;
        }
        bits
    }

    /// The set with these lanes; bits that do not belong to a square are cleared.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Bitboard, Rank};
    ///
    /// let camp = Bitboard::rank(Rank::R1);
    /// assert_eq!(Bitboard::from_lanes(camp.lanes()), camp);
    /// assert_eq!(Bitboard::from_lanes([u64::MAX; 2]), Bitboard::ALL);
    /// ```
    #[inline]
    pub const fn from_lanes(lanes: [u64; 2]) -> Self {
        Self([lanes[0] & LANE_0, lanes[1] & LANE_1])
    }

    /// The set with these lanes, for callers whose bits all belong to squares by construction.
    #[inline]
    pub(crate) const fn from_lanes_unmasked(lanes: [u64; 2]) -> Self {
        debug_assert!(lanes[0] & !LANE_0 == 0 && lanes[1] & !LANE_1 == 0);
        Self(lanes)
    }

    /// The two lanes: squares 0–62 and 63–80.
    #[must_use]
    #[inline]
    pub const fn lanes(self) -> [u64; 2] {
        self.0
    }

    /// Returns whether `square` is in the set.
    #[must_use]
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        !self.is_disjoint(Self::from_square(square))
    }

    /// Returns whether the set is empty.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] == 0
    }

    /// Returns whether the two sets share no square.
    #[must_use]
    #[inline]
    pub const fn is_disjoint(self, other: Self) -> bool {
        self.intersection(other).is_empty()
    }

    /// Returns whether every square of `self` is in `other`.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Bitboard, Color, Square};
    ///
    /// let camp = Bitboard::far_ranks(Color::Black, 3);
    /// assert!(Bitboard::from_square(Square::S53).is_subset(camp));
    /// assert!(!Bitboard::far_ranks(Color::Black, 4).is_subset(camp));
    /// ```
    #[must_use]
    #[inline]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0[0] & !other.0[0] | self.0[1] & !other.0[1] == 0
    }

    /// The number of squares in the set.
    #[must_use]
    #[inline]
    pub const fn len(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones()
    }

    /// Returns whether the set has at least two squares.
    #[must_use]
    #[inline]
    pub const fn has_many(self) -> bool {
        // `x & (x - 1)` clears the lowest bit of a lane. The set has many squares exactly if a bit
        // remains in one of the lanes, or if neither lane is empty.
        (self.0[0] & self.0[0].wrapping_sub(1)) | (self.0[1] & self.0[1].wrapping_sub(1)) != 0
            || (self.0[0] != 0 && self.0[1] != 0)
    }

    /// The square with the lowest index, if any.
    #[must_use]
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0[0] != 0 {
            Square::from_index(self.0[0].trailing_zeros() as usize)
        } else if self.0[1] != 0 {
            Square::from_index(63 + self.0[1].trailing_zeros() as usize)
        } else {
            None
        }
    }

    /// The squares in index order.
    #[must_use]
    #[inline]
    pub const fn iter(self) -> Squares {
        Squares(self)
    }

    /// The squares of either set; usable in constants.
    #[must_use]
    #[inline]
    pub const fn union(self, other: Self) -> Self {
        Self([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }

    /// The squares in both sets; usable in constants.
    #[must_use]
    #[inline]
    pub const fn intersection(self, other: Self) -> Self {
        Self([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }

    /// All squares shifted one rank up the board, towards rank 1; those on rank 1 are dropped.
    #[must_use]
    #[inline]
    pub const fn up(self) -> Self {
        let kept = self.without_rank(Rank::R1);
        Self([kept.0[0] >> 1, kept.0[1] >> 1])
    }

    /// All squares shifted one rank down the board, towards rank 9; those on rank 9 are dropped.
    #[must_use]
    #[inline]
    pub const fn down(self) -> Self {
        let kept = self.without_rank(Rank::R9);
        Self([kept.0[0] << 1, kept.0[1] << 1])
    }

    /// All squares shifted one file to Black's left, towards file 9; those on file 9 are dropped.
    #[must_use]
    #[inline]
    pub const fn left(self) -> Self {
        self.raised::<9>()
    }

    /// All squares shifted one file to Black's right, towards file 1; those on file 1 are dropped.
    #[must_use]
    #[inline]
    pub const fn right(self) -> Self {
        self.lowered::<9>()
    }

    /// All squares shifted one rank up and one file left (towards rank 1 and file 9).
    #[must_use]
    #[inline]
    pub const fn up_left(self) -> Self {
        self.without_rank(Rank::R1).raised::<8>()
    }

    /// All squares shifted one rank up and one file right (towards rank 1 and file 1).
    #[must_use]
    #[inline]
    pub const fn up_right(self) -> Self {
        self.without_rank(Rank::R1).lowered::<10>()
    }

    /// All squares shifted one rank down and one file left (towards rank 9 and file 9).
    #[must_use]
    #[inline]
    pub const fn down_left(self) -> Self {
        self.without_rank(Rank::R9).raised::<10>()
    }

    /// All squares shifted one rank down and one file right (towards rank 9 and file 1).
    #[must_use]
    #[inline]
    pub const fn down_right(self) -> Self {
        self.without_rank(Rank::R9).lowered::<8>()
    }

    /// All squares shifted two ranks up and one file left: a Black knight's jump towards file 9.
    #[must_use]
    #[inline]
    pub const fn up_up_left(self) -> Self {
        self.without_rank(Rank::R1).without_rank(Rank::R2).raised::<7>()
    }

    /// All squares shifted two ranks up and one file right: a Black knight's jump towards file 1.
    #[must_use]
    #[inline]
    pub const fn up_up_right(self) -> Self {
        self.without_rank(Rank::R1).without_rank(Rank::R2).lowered::<11>()
    }

    /// All squares shifted two ranks down and one file left: a White knight's jump towards file 9.
    #[must_use]
    #[inline]
    pub const fn down_down_left(self) -> Self {
        self.without_rank(Rank::R9).without_rank(Rank::R8).raised::<11>()
    }

    /// All squares shifted two ranks down and one file right: a White knight's jump towards file 1.
    #[must_use]
    #[inline]
    pub const fn down_down_right(self) -> Self {
        self.without_rank(Rank::R9).without_rank(Rank::R8).lowered::<7>()
    }

    /// All squares of the files on which the set has a square.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Bitboard, File, Square};
    ///
    /// let pawns = Bitboard::from_square(Square::S77);
    /// assert_eq!(pawns.files(), Bitboard::file(File::F7));
    /// ```
    #[must_use]
    #[inline]
    pub const fn files(self) -> Self {
        // Adding 0x0ff to nine bits carries into the ninth exactly when one of the lower eight is
        // set; with the ninth itself this marks each file's last rank, and multiplying the marks
        // (shifted to the first rank) by 0x1ff fills the file.
        const TOP: Bitboard = Bitboard::rank(Rank::R9);
        let mut lanes = [0; 2];
        let mut i = 0;
        while i < 2 {
            let top = TOP.0[i];
            let low = self.0[i] & !top;
            let marked = ((low + (top - (top >> 8))) | self.0[i]) & top;
            lanes[i] = (marked >> 8) * 0x1ff;
            i += 1;
        }
        Self(lanes)
    }

    /// The set turned by 180 degrees.
    #[must_use]
    #[inline]
    pub const fn flipped(self) -> Self {
        // Square `i` turns to `80 - i`: as one number of 81 bits, the set is bit-reversed.
        let squares = (self.0[0] as u128 | (self.0[1] as u128) << 63).reverse_bits() >> (128 - 81);
        Self([squares as u64 & LANE_0, (squares >> 63) as u64])
    }

    const fn without_rank(self, rank: Rank) -> Self {
        let gone = Self::rank(rank);
        Self([self.0[0] & !gone.0[0], self.0[1] & !gone.0[1]])
    }

    /// Every index raised by `BY`; indices above 80 are dropped.
    const fn raised<const BY: u32>(self) -> Self {
        Self([self.0[0] << BY & LANE_0, (self.0[1] << BY | self.0[0] >> (63 - BY)) & LANE_1])
    }

    /// Every index lowered by `BY`; indices below 0 are dropped.
    const fn lowered<const BY: u32>(self) -> Self {
        Self([(self.0[0] >> BY | self.0[1] << (63 - BY)) & LANE_0, self.0[1] >> BY])
    }
}

impl BitAnd for Bitboard {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        self.intersection(other)
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        self.union(other)
    }
}

impl BitXor for Bitboard {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self([self.0[0] ^ other.0[0], self.0[1] ^ other.0[1]])
    }
}

/// Set difference.
impl Sub for Bitboard {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self([self.0[0] & !other.0[0], self.0[1] & !other.0[1]])
    }
}

impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self::ALL - self
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl BitXorAssign for Bitboard {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        *self = *self ^ other;
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::from_square(square))
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        Self::from_square(square)
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;
    #[inline]
    fn into_iter(self) -> Squares {
        self.iter()
    }
}

/// Nine lines, rank 1 first and file 9 at the left as in a diagram; `*` marks members.
impl fmt::Display for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL {
            for file in File::ALL.into_iter().rev() {
                let mark = if self.contains(Square::new(file, rank)) { '*' } else { '.' };
                write!(f, "{}{mark}", if file == File::F9 { "" } else { " " })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// The squares of a [`Bitboard`], lowest index first.
#[derive(Debug, Clone)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let lanes = &mut self.0.0;
        if lanes[0] != 0 {
            let index = lanes[0].trailing_zeros() as usize;
            lanes[0] &= lanes[0] - 1;
            Square::from_index(index)
        } else if lanes[1] != 0 {
            let index = 63 + lanes[1].trailing_zeros() as usize;
            lanes[1] &= lanes[1] - 1;
            Square::from_index(index)
        } else {
            None
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len() as usize, Some(self.0.len() as usize))
    }
}

impl ExactSizeIterator for Squares {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_bitboard() -> impl Strategy<Value = Bitboard> {
        [any::<u64>(), any::<u64>()].prop_map(Bitboard::from_lanes)
    }

    /// The oracle: each square moved by itself.
    fn moved(set: Bitboard, files: i8, ranks: i8) -> Bitboard {
        set.iter().filter_map(|square| square.offset(files, ranks)).collect()
    }

    proptest! {
        #[test]
        fn shifts_move_every_square(set in any_bitboard()) {
            prop_assert_eq!(set.up(), moved(set, 0, -1));
            prop_assert_eq!(set.down(), moved(set, 0, 1));
            prop_assert_eq!(set.left(), moved(set, 1, 0));
            prop_assert_eq!(set.right(), moved(set, -1, 0));
            prop_assert_eq!(set.up_left(), moved(set, 1, -1));
            prop_assert_eq!(set.up_right(), moved(set, -1, -1));
            prop_assert_eq!(set.down_left(), moved(set, 1, 1));
            prop_assert_eq!(set.down_right(), moved(set, -1, 1));
            prop_assert_eq!(set.up_up_left(), moved(set, 1, -2));
            prop_assert_eq!(set.up_up_right(), moved(set, -1, -2));
            prop_assert_eq!(set.down_down_left(), moved(set, 1, 2));
            prop_assert_eq!(set.down_down_right(), moved(set, -1, 2));
        }

        #[test]
        fn a_set_behaves_as_a_set(a in any_bitboard(), b in any_bitboard()) {
            for square in Square::ALL {
                let (in_a, in_b) = (a.contains(square), b.contains(square));
                prop_assert_eq!((a | b).contains(square), in_a || in_b);
                prop_assert_eq!((a & b).contains(square), in_a && in_b);
                prop_assert_eq!((a ^ b).contains(square), in_a != in_b);
                prop_assert_eq!((a - b).contains(square), in_a && !in_b);
                prop_assert_eq!((!a).contains(square), !in_a);
            }
            prop_assert_eq!(a.iter().count() as u32, a.len());
            prop_assert_eq!(a.iter().collect::<Bitboard>(), a);
            prop_assert_eq!(a.first(), a.iter().next());
            prop_assert_eq!(a.has_many(), a.len() > 1);
            prop_assert_eq!(a.flipped(), a.iter().map(Square::flipped).collect::<Bitboard>());
            prop_assert_eq!(a.is_subset(b), (a - b).is_empty());
        }

        #[test]
        fn files_fills_each_occupied_file(lanes in [any::<u64>(), any::<u64>()], thin in [any::<u64>(), any::<u64>()], thinner in [any::<u64>(), any::<u64>()]) {
            let set = Bitboard::from_lanes([lanes[0] & thin[0] & thinner[0], lanes[1] & thin[1] & thinner[1]]);
            let expected = set.iter().fold(Bitboard::EMPTY, |all, s| all | Bitboard::file(s.file()));
            prop_assert_eq!(set.files(), expected);
        }
    }

    #[test]
    fn files_and_ranks_hold_nine_squares() {
        for square in Square::ALL {
            assert!(Bitboard::file(square.file()).contains(square));
            assert!(Bitboard::rank(square.rank()).contains(square));
        }
        for i in 0..9 {
            assert_eq!(Bitboard::file(File::ALL[i]).len(), 9);
            assert_eq!(Bitboard::rank(Rank::ALL[i]).len(), 9);
        }
    }
}
