//! Sides on the command line.

use clap::ValueEnum;
use komadai::Color;
use komadai::bookgraph::frontier::BookSides;

/// Whose book it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Side {
    /// Black's (先手).
    Black,
    /// White's (後手).
    White,
    /// Both sides'.
    Both,
}

impl Side {
    /// The sides.
    pub(crate) fn colors(self) -> &'static [Color] {
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
