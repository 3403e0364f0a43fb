//! Arguments that several programs share.

use std::num::NonZero;
use std::thread::available_parallelism;

use clap::ValueEnum;
use komadai::Color;
use komadai::bookgraph::frontier::{BookSides, OwnMoves, Window};
use komadai::kifu::Tolerance;

/// The sides for which a book is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Side {
    /// Black (先手).
    Black,
    /// White (後手).
    White,
    /// Both sides.
    Both,
}

impl Side {
    /// Returns the sides as colours.
    pub fn colors(self) -> &'static [Color] {
        BookSides::from(self).colors()
    }
}

impl From<Side> for BookSides {
    fn from(side: Side) -> Self {
        match side {
            Side::Black => Self::Black,
            Side::White => Self::White,
            Side::Both => Self::Both,
        }
    }
}

/// The moves of the opponent that are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WindowName {
    /// Moves near the best move of the position, for both sides.
    Free,
    /// Moves near the best move of the position.
    Best,
    /// Moves near the value of the root.
    Root,
}

impl From<WindowName> for Window {
    fn from(name: WindowName) -> Self {
        match name {
            WindowName::Free => Self::Free,
            WindowName::Best => Self::Best,
            WindowName::Root => Self::Root,
        }
    }
}

/// Returns the moves that the book's own side follows.
pub fn own_moves(ties: bool) -> OwnMoves {
    if ties { OwnMoves::AllBest } else { OwnMoves::First }
}

/// Returns the treatment of faulty input.
pub fn tolerance(is_strict: bool) -> Tolerance {
    if is_strict { Tolerance::Strict } else { Tolerance::Lenient }
}

/// Returns a number of threads, by default that of the processors.
pub fn threads(given: Option<NonZero<usize>>) -> NonZero<usize> {
    given.or_else(|| available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN)
}
