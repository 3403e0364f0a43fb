//! Files, ranks and squares (筋, 段, 升).

use core::fmt;
use core::ops::{Index, IndexMut};

use crate::color::Color;

/// A file (筋), counted from Black's right: 1 to 9.
///
/// # Examples
///
/// ```
/// use komadai_core::{File, Square};
///
/// assert_eq!(Square::S76.file(), File::F7);
/// assert_eq!(File::ALL.map(File::index), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "each name is its number")]
pub enum File {
    F1,
    F2,
    F3,
    F4,
    F5,
    F6,
    F7,
    F8,
    F9,
}

/// A rank (段), counted from White's side: 1 (`a`) to 9 (`i`).
///
/// # Examples
///
/// ```
/// use komadai_core::{Color, Rank, Square};
///
/// assert_eq!(Square::S76.rank(), Rank::R6);
/// assert_eq!(Square::S76, Square::new(Square::S71.file(), Rank::R6));
/// // Three ranks from the far side of Black, six from that of White.
/// assert_eq!(Rank::R3.from_far_side(Color::Black), 2);
/// assert_eq!(Rank::R3.from_far_side(Color::White), 6);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "each name is its number")]
pub enum Rank {
    R1,
    R2,
    R3,
    R4,
    R5,
    R6,
    R7,
    R8,
    R9,
}

/// A square (升), named file then rank as a player writes it: 7六 is `S76`, in USI `7f`.
///
/// Squares are numbered file by file: `(file − 1) · 9 + (rank − 1)`, so 1一 is 0 and 9九 is 80.
/// Every wire format of the field uses this order.
///
/// # Examples
///
/// ```
/// use komadai_core::{File, Rank, Square};
///
/// assert_eq!(Square::new(File::F7, Rank::R6), Square::S76);
/// assert_eq!("7f".parse(), Ok(Square::S76));
/// assert_eq!(Square::S76.to_string(), "7f");
/// assert_eq!(Square::S76.flipped(), Square::S34);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[rustfmt::skip]
#[expect(missing_docs, reason = "each name is its file and rank")]
pub enum Square {
    S11, S12, S13, S14, S15, S16, S17, S18, S19,
    S21, S22, S23, S24, S25, S26, S27, S28, S29,
    S31, S32, S33, S34, S35, S36, S37, S38, S39,
    S41, S42, S43, S44, S45, S46, S47, S48, S49,
    S51, S52, S53, S54, S55, S56, S57, S58, S59,
    S61, S62, S63, S64, S65, S66, S67, S68, S69,
    S71, S72, S73, S74, S75, S76, S77, S78, S79,
    S81, S82, S83, S84, S85, S86, S87, S88, S89,
    S91, S92, S93, S94, S95, S96, S97, S98, S99,
}

impl File {
    /// Every file, 1 first.
    pub const ALL: [Self; 9] =
        [Self::F1, Self::F2, Self::F3, Self::F4, Self::F5, Self::F6, Self::F7, Self::F8, Self::F9];

    /// The number of the file minus 1: 0 for file 1, 8 for file 9.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Rank {
    /// Every rank, 1 first.
    pub const ALL: [Self; 9] =
        [Self::R1, Self::R2, Self::R3, Self::R4, Self::R5, Self::R6, Self::R7, Self::R8, Self::R9];

    /// 0 for rank 1 … 8 for rank 9.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The rank counted from `color`'s far side: 0 is where its pawns have nowhere to go.
    #[must_use]
    #[inline]
    pub const fn from_far_side(self, color: Color) -> usize {
        match color {
            Color::Black => self as usize,
            Color::White => 8 - self as usize,
        }
    }
}

impl Square {
    /// The number of squares.
    pub const COUNT: usize = 81;

    /// Every square, in index order.
    #[rustfmt::skip]
    pub const ALL: [Self; Self::COUNT] = [
        Self::S11, Self::S12, Self::S13, Self::S14, Self::S15, Self::S16, Self::S17, Self::S18, Self::S19,
        Self::S21, Self::S22, Self::S23, Self::S24, Self::S25, Self::S26, Self::S27, Self::S28, Self::S29,
        Self::S31, Self::S32, Self::S33, Self::S34, Self::S35, Self::S36, Self::S37, Self::S38, Self::S39,
        Self::S41, Self::S42, Self::S43, Self::S44, Self::S45, Self::S46, Self::S47, Self::S48, Self::S49,
        Self::S51, Self::S52, Self::S53, Self::S54, Self::S55, Self::S56, Self::S57, Self::S58, Self::S59,
        Self::S61, Self::S62, Self::S63, Self::S64, Self::S65, Self::S66, Self::S67, Self::S68, Self::S69,
        Self::S71, Self::S72, Self::S73, Self::S74, Self::S75, Self::S76, Self::S77, Self::S78, Self::S79,
        Self::S81, Self::S82, Self::S83, Self::S84, Self::S85, Self::S86, Self::S87, Self::S88, Self::S89,
        Self::S91, Self::S92, Self::S93, Self::S94, Self::S95, Self::S96, Self::S97, Self::S98, Self::S99,
    ];

    /// The square on `file` and `rank`.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self::ALL[file as usize * 9 + rank as usize]
    }

    /// The square with this index, or `None` above 80.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Self::from_index_clamped(index as u8)) } else { None }
    }

    /// The square's number, 0 to 80.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The file.
    #[must_use]
    #[inline]
    pub const fn file(self) -> File {
        File::ALL[self as usize / 9]
    }

    /// The rank.
    #[must_use]
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::ALL[self as usize % 9]
    }

    /// The square after turning the board by 180 degrees.
    #[must_use]
    #[inline]
    pub const fn flipped(self) -> Self {
        Self::from_index_clamped(80 - self as u8)
    }

    /// The square mirrored left to right: file 1 becomes file 9.
    #[must_use]
    #[inline]
    pub const fn mirrored(self) -> Self {
        Self::ALL[(8 - self as usize / 9) * 9 + self as usize % 9]
    }

    /// The square `files` to Black's left (towards file 9) and `ranks` down (towards rank 9),
    /// or `None` off the board.
    #[must_use]
    #[inline]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        let file = (self as usize / 9) as i8 + files;
        let rank = (self as usize % 9) as i8 + ranks;
        if file < 0 || file > 8 || rank < 0 || rank > 8 {
            return None;
        }
        Self::from_index(file as usize * 9 + rank as usize)
    }

    /// Returns whether the square lies in the three ranks where `color` promotes.
    #[must_use]
    #[inline]
    pub const fn is_promotion_zone(self, color: Color) -> bool {
        // A table: the rank of a square takes a division.
        const ZONES: [[bool; Square::COUNT]; 2] = {
            let mut zones = [[false; Square::COUNT]; 2];
            let mut i = 0;
            while i < Square::COUNT {
                zones[0][i] = i % 9 < 3;
                zones[1][i] = i % 9 > 5;
                i += 1;
            }
            zones
        };
        ZONES[color as usize][self as usize]
    }

    /// The number of king's steps between two squares.
    #[must_use]
    #[inline]
    pub const fn distance(self, other: Self) -> u8 {
        let files = (self as u8 / 9).abs_diff(other as u8 / 9);
        let ranks = (self as u8 % 9).abs_diff(other as u8 % 9);
        if files > ranks { files } else { ranks }
    }
}

/// USI: file digit, rank letter.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = b'1' + self.file() as u8;
        let rank = b'a' + self.rank() as u8;
        write!(f, "{}{}", file as char, rank as char)
    }
}

impl<T> Index<Square> for [T; Square::COUNT] {
    type Output = T;

    #[inline]
    fn index(&self, square: Square) -> &T {
        &self[square as usize]
    }
}

impl<T> IndexMut<Square> for [T; Square::COUNT] {
    #[inline]
    fn index_mut(&mut self, square: Square) -> &mut T {
        &mut self[square as usize]
    }
}

const _: () = assert!(size_of::<Option<Square>>() == 1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_files_and_ranks_agree() {
        for (index, square) in Square::ALL.into_iter().enumerate() {
            assert_eq!(square.index(), index);
            assert_eq!(Square::new(square.file(), square.rank()), square);
            assert_eq!(square.flipped().flipped(), square);
            assert_eq!(square.mirrored().mirrored(), square);
        }
    }
}
