//! The classes of openings by the files of the rooks.

use std::fmt;

use komadai_core::{Color, PieceKind, Setup, Square};

use crate::record::Record;

/// The number of plies after which openings are classified.
const PLIES: usize = 24;

/// The class of a player's opening by the file of the rook after 24 plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum RookFile {
    /// Static rook (居飛車): the rook stands on its original file or on one of those beside it, up to
    /// the fourth.
    #[doc(alias = "居飛車")]
    Static,
    /// Central rook (中飛車).
    #[doc(alias = "中飛車")]
    Central,
    /// Fourth-file rook (四間飛車), seen from the other wing as usual.
    #[doc(alias = "四間飛車")]
    FourthFile,
    /// Third-file rook (三間飛車).
    #[doc(alias = "三間飛車")]
    ThirdFile,
    /// Opposing rook (向かい飛車).
    #[doc(alias = "向かい飛車")]
    Opposing,
    /// The rook has been captured, or stands on the far edge.
    Other,
}

impl RookFile {
    /// Classifies the openings of both players, Black's first. Returns `None` for games of fewer
    /// than 24 plies and those that do not start from the even position.
    pub fn of(record: &Record) -> Option<[Self; 2]> {
        if record.moves.len() < PLIES || record.setup != Setup::hirate() {
            return None;
        }
        // Both stand on the second file of their side.
        let mut rooks = [Some(Square::S28), Some(Square::S82)];
        debug_assert!(record.setup.board[Square::S28].is_some_and(|p| p.kind() == PieceKind::Rook));
        for (index, played) in record.moves[..PLIES].iter().enumerate() {
            let (own, other) = (index % 2, 1 - index % 2);
            let (from, to) = (played.m.from(), played.m.to());
            if rooks[own].is_some() && rooks[own] == from {
                rooks[own] = Some(to);
            }
            if rooks[other] == Some(to) {
                rooks[other] = None;
            }
        }
        let class = |color: Color| match rooks[color.index()] {
            None => Self::Other,
            Some(square) => Self::of_file(
                match color {
                    Color::Black => square,
                    Color::White => square.flipped(),
                }
                .file()
                .index()
                    + 1,
            ),
        };
        Some([class(Color::Black), class(Color::White)])
    }

    /// `file` is 1 to 9, seen by the owner.
    fn of_file(file: usize) -> Self {
        match file {
            1..=4 => Self::Static,
            5 => Self::Central,
            6 => Self::FourthFile,
            7 => Self::ThirdFile,
            8 => Self::Opposing,
            _ => Self::Other,
        }
    }
}

impl fmt::Display for RookFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Static => "static rook",
            Self::Central => "central rook",
            Self::FourthFile => "fourth-file rook",
            Self::ThirdFile => "third-file rook",
            Self::Opposing => "opposing rook",
            Self::Other => "other",
        })
    }
}
