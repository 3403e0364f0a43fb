//! From a setup to a position, or the rule that the setup breaks.

use thiserror::Error;

use super::{Ply, Position};
use crate::setup::KindCounts;
use crate::{Bitboard, Color, File, Piece, PieceKind, Setup, Square, hand::Hands, zobrist};

/// Why a [`Setup`] is no [`Position`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PositionError {
    /// More pieces of a kind, promoted ones and those in hand included, than the game has.
    #[error("{count} pieces of kind {kind:?}, but the game has {max}")]
    TooManyPieces {
        /// The unpromoted kind.
        kind: PieceKind,
        /// How many there are.
        count: u32,
        /// How many there may be.
        max: u32,
    },
    /// Neither side has a king.
    #[error("no king on the board, but at least one side needs one")]
    NoKing,
    /// A side has two kings.
    #[error("{color:?} has kings on {first} and {second}, but may have one")]
    TwoKings {
        /// Whose they are.
        color: Color,
        /// The one.
        first: Square,
        /// The other.
        second: Square,
    },
    /// Two unpromoted pawns of one side on one file (二歩, nifu).
    #[error("{color:?} has two unpromoted pawns on file {}", *.file as u8 + 1)]
    Nifu {
        /// Whose they are.
        color: Color,
        /// Where they are.
        file: File,
    },
    /// A piece that could never move again (行き所のない駒).
    #[error("{piece:?} on {square} could never move")]
    NoFutureMove {
        /// The piece.
        piece: Piece,
        /// Where it stands.
        square: Square,
    },
    /// The side that has just moved is in check.
    #[error("{color:?} is not to move, but its king on {king} is in check from {checker}")]
    OpponentInCheck {
        /// The side in check.
        color: Color,
        /// Its king.
        king: Square,
        /// One of the checking pieces.
        checker: Square,
    },
}

impl Position {
    /// Checks a setup and makes it a position without history.
    ///
    /// Any number of pieces up to the game's total is accepted, one king or two, and any number of
    /// checks against the side to move. A move number that no text may say becomes the nearest one
    /// that it may.
    ///
    /// # Errors
    ///
    /// Says which rule the setup breaks: see [`PositionError`].
    pub fn from_setup(setup: &Setup) -> Result<Self, PositionError> {
        let mut position = Self {
            kinds: [Bitboard::EMPTY; PieceKind::COUNT],
            colors: [Bitboard::EMPTY; 2],
            board: setup.board,
            kings: [None; 2],
            side: setup.side,
            hands: Hands::new(setup.hands),
            first_ply: setup.ply.clamp(1, Setup::MAX_PLY),
            plies: Vec::new(),
        };
        let mut board_key = if setup.side == Color::White { zobrist::SIDE } else { 0 };
        let placed = position.place_all(setup, &mut board_key);
        // Too many pieces come before everything else that is wrong.
        let counts = match placed {
            Ok(()) => position.counts(),
            Err(_) => setup.counts(),
        };
        for kind in PieceKind::HAND {
            let (count, max) = (counts.of(kind), PieceKind::TOTALS[kind as usize]);
            if count > max {
                return Err(PositionError::TooManyPieces { kind, count, max });
            }
        }
        placed?;
        position.validate_kings()?;
        let checkers = position.kings[position.side].map_or(Bitboard::EMPTY, |king| {
            position.attackers_to(!position.side, king, position.occupied())
        });
        position.plies.push(Ply { checkers, board_key, ..Ply::without_past(position.hands) });
        Ok(position)
    }

    /// For setups that break no rule: the start of the game, or a position turned or mirrored.
    pub(super) fn from_valid(setup: &Setup) -> Self {
        Self::from_setup(setup).expect("the setup breaks no rule")
    }

    fn place_all(&mut self, setup: &Setup, board_key: &mut u64) -> Result<(), PositionError> {
        for square in Square::ALL {
            if let Some(piece) = setup.board[square] {
                self.place(piece, square)?;
                *board_key ^= zobrist::piece(piece, square);
            }
        }
        Ok(())
    }

    /// How many pieces there are of each unpromoted kind.
    fn counts(&self) -> KindCounts {
        let mut counts = KindCounts::default();
        for kind in PieceKind::ALL {
            counts.add_many(kind, self.kinds[kind].len());
        }
        for color in Color::ALL {
            let hand = self.hands.of(color);
            PieceKind::HAND.into_iter().for_each(|kind| counts.add_many(kind, hand.count(kind)));
        }
        counts
    }

    /// Puts a piece on an empty square while the position is built.
    fn place(&mut self, piece: Piece, square: Square) -> Result<(), PositionError> {
        let (color, kind) = (piece.color(), piece.kind());
        let far = square.rank().from_far_side(color);
        let stuck = match kind {
            PieceKind::Pawn | PieceKind::Lance => far == 0,
            PieceKind::Knight => far < 2,
            _ => false,
        };
        if stuck {
            return Err(PositionError::NoFutureMove { piece, square });
        }
        if kind == PieceKind::Pawn
            && !self.pieces(color, kind).is_disjoint(Bitboard::file(square.file()))
        {
            return Err(PositionError::Nifu { color, file: square.file() });
        }
        if kind == PieceKind::King {
            if let Some(first) = self.kings[color] {
                return Err(PositionError::TwoKings { color, first, second: square });
            }
            self.kings[color] = Some(square);
        }
        self.kinds[kind] |= square.into();
        self.colors[color] |= square.into();
        Ok(())
    }

    fn validate_kings(&self) -> Result<(), PositionError> {
        if self.kings == [None; 2] {
            return Err(PositionError::NoKing);
        }
        let color = !self.side;
        if let Some(king) = self.kings[color] {
            let attackers = self.attackers_to(self.side, king, self.occupied());
            if let Some(checker) = attackers.first() {
                return Err(PositionError::OpponentInCheck { color, king, checker });
            }
        }
        Ok(())
    }
}
