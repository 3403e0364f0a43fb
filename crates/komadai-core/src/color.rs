//! The two sides.

use core::fmt;
use core::ops::Not;

/// A side: Black (先手, sente) moves first in an even game, White (後手, gote) second.
///
/// Black's pieces advance towards rank 1 (`a`), White's towards rank 9 (`i`).
///
/// # Examples
///
/// ```
/// use komadai_core::{Color, Position};
///
/// assert_eq!(Position::hirate().side(), Color::Black);
/// assert_eq!(!Color::Black, Color::White);
/// // A colour is an index of arrays with an item for each side.
/// let points = [27, 28];
/// assert_eq!(points[Color::White], 28);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// 先手 (sente); 下手 in a handicap game.
    #[doc(alias("先手", "下手", "sente"))]
    Black = 0,
    /// 後手 (gote); 上手 in a handicap game, where White moves first.
    #[doc(alias("後手", "上手", "gote"))]
    White = 1,
}

/// Writes `Black` or `White`.
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Black => "Black",
            Self::White => "White",
        })
    }
}

impl Color {
    /// Both sides, Black first.
    pub const ALL: [Self; 2] = [Self::Black, Self::White];

    /// The other side; usable in constants, where `!color` is not.
    #[must_use]
    #[inline]
    pub const fn opponent(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// 0 for Black, 1 for White.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        self.opponent()
    }
}

impl<T> core::ops::Index<Color> for [T; 2] {
    type Output = T;

    #[inline]
    fn index(&self, color: Color) -> &T {
        &self[color as usize]
    }
}

impl<T> core::ops::IndexMut<Color> for [T; 2] {
    #[inline]
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self[color as usize]
    }
}
