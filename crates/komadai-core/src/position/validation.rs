//! Validation of a setup, which makes it a position or finds the rule that it breaks.

use thiserror::Error;

use super::{FEW_PLIES, Ply, Position};
use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::hand::{Hand, Hands};
use crate::piece::{Piece, PieceKind};
use crate::setup::{KindCounts, Setup};
use crate::square::{File, Rank, Square};
use crate::zobrist::{self, Keys};

/// The rule that a [`Setup`] breaks, so that it is not a [`Position`].
///
/// # Examples
///
/// ```
/// use komadai_core::{Position, PositionError, Setup};
///
/// // Two pawns of Black on file 5.
/// let setup = Setup::from_sfen("4k4/9/9/9/4P4/9/4P4/9/4K4 b - 1")?;
/// let error = Position::from_setup(&setup).unwrap_err();
/// assert!(matches!(error, PositionError::Nifu { .. }));
/// assert_eq!(error.to_string(), "Black has two unpromoted pawns on file 5");
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PositionError {
    /// More pieces of a kind, promoted ones and those in hand included, than the game has.
    #[error("{count} pieces of kind {kind:?}, but the game has {max}")]
    TooManyPieces {
        /// The unpromoted kind.
        kind: PieceKind,
        /// The number found.
        count: u32,
        /// The number of such pieces in the game.
        max: u32,
    },
    /// Neither side has a king.
    #[error("no king on the board, but at least one side needs one")]
    NoKing,
    /// A side has two kings.
    #[error("{color:?} has kings on {first} and {second}, but may have one")]
    TwoKings {
        /// Their owner.
        color: Color,
        /// The square of the first.
        first: Square,
        /// The square of the second.
        second: Square,
    },
    /// Two unpromoted pawns of one side on one file (二歩, nifu).
    #[error("{color:?} has two unpromoted pawns on file {}", *.file as u8 + 1)]
    Nifu {
        /// Their owner.
        color: Color,
        /// Their file.
        file: File,
    },
    /// A piece that could never move again (行き所のない駒).
    #[error("{}'s {:?} on {square} could never move", .piece.color(), .piece.kind())]
    NoFutureMove {
        /// The piece.
        piece: Piece,
        /// Its square.
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
    /// Validates a setup and makes it a position without history.
    ///
    /// Accepts any number of pieces up to the game's total, one king or two, and any number of
    /// checks against the side to move. A move number out of range (1 to [`Setup::MAX_PLY`]) is
    /// clamped.
    ///
    /// # Errors
    ///
    /// Returns the rule that the setup breaks: see [`PositionError`].
    pub fn from_setup(setup: &Setup) -> Result<Self, PositionError> {
        Self::from_placed(setup, &PlacedPieces::of_setup(setup))
    }

    /// Validates a setup whose pieces on the board are also given by their squares.
    pub(crate) fn from_placed(setup: &Setup, pieces: &PlacedPieces) -> Result<Self, PositionError> {
        // The test of whole sets is fast. Only a setup that fails it is searched square by square
        // for the fault to report.
        if pieces.break_a_rule(setup.hands)
            && let Some(fault) = first_fault(setup, Strictness::Rules)
        {
            return Err(fault);
        }
        Self::with_pieces(setup, pieces)
    }

    /// Makes a setup a position without history, also if no game reaches it: with several
    /// unpromoted pawns of a side on one file, or with pieces that can never move again.
    ///
    /// Compositions have such positions, and positions after a foul. Everything else is validated
    /// as by [`from_setup`](Self::from_setup). A position that this function accepts and
    /// `from_setup` does not is [irregular](Self::is_irregular):
    ///
    /// - Moves, checks, mates and repetitions are those of the rules; a piece that cannot move has
    ///   no moves, and pawns are not dropped on a file with an own pawn, however many there are.
    ///   Searches, mate solvers and evaluations work on it.
    /// - SFEN and the packed forms write it, but their functions that return a position
    ///   ([`from_sfen`](Self::from_sfen), [`PackedSfen::position`](crate::PackedSfen::position))
    ///   refuse it; those that return a [`Setup`] do not. Books and training data therefore do not
    ///   accept it.
    ///
    /// # Errors
    ///
    /// Returns the rule that the setup breaks: too many pieces of a kind, two kings of a side, no
    /// king at all, or a check against the side that is not to move.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Position, PositionError, Setup};
    ///
    /// // Nine pawns of Black on file 5, the last of which can never move.
    /// let setup = Setup::from_sfen("4P3k/4P4/4P4/4P4/4P4/4P4/4P4/4P4/4P4 b - 1")?;
    /// assert!(Position::from_setup(&setup).is_err());
    /// let position = Position::from_setup_leniently(&setup)?;
    /// assert!(position.is_irregular());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_setup_leniently(setup: &Setup) -> Result<Self, PositionError> {
        let pieces = PlacedPieces::of_setup(setup);
        if pieces.break_a_rule(setup.hands)
            && let Some(fault) = first_fault(setup, Strictness::Board)
        {
            return Err(fault);
        }
        Self::with_pieces(setup, &pieces)
    }

    /// Returns whether no game reaches the position: it has several unpromoted pawns of a side on
    /// one file, or a piece that can never move again. Only
    /// [`from_setup_leniently`](Self::from_setup_leniently) makes such positions.
    pub fn is_irregular(&self) -> bool {
        Color::ALL.into_iter().any(|color| {
            let of = |kind| self.kind(kind) & self.color(color);
            let [pawns, lances, knights] =
                [PieceKind::Pawn, PieceKind::Lance, PieceKind::Knight].map(of);
            are_misplaced(color, pawns, lances, knights)
        })
    }

    /// Makes a position of a setup whose pieces have been validated.
    fn with_pieces(setup: &Setup, pieces: &PlacedPieces) -> Result<Self, PositionError> {
        let mut position = Self {
            kinds: PieceKind::ALL
                .map(|kind| pieces.of(Color::Black, kind) | pieces.of(Color::White, kind)),
            colors: Color::ALL.map(|color| pieces.all_of(color)),
            board: setup.board,
            kings: Color::ALL.map(|color| pieces.of(color, PieceKind::King).first()),
            side: setup.side,
            hands: Hands::new(setup.hands),
            first_ply: setup.ply.clamp(1, Setup::MAX_PLY),
            plies: Vec::with_capacity(FEW_PLIES),
        };
        position.validate_kings()?;
        let checkers = position.kings[position.side].map_or(Bitboard::EMPTY, |king| {
            position.attackers_to(!position.side, king, position.occupied())
        });
        let keys = pieces.keys ^ if setup.side == Color::White { Keys::SIDE } else { Keys::NONE };
        let past = Ply::without_past(position.hands);
        position.plies.push(Ply { checkers, keys, ..past });
        Ok(position)
    }

    /// Makes a position of a setup that is known to be one: the start of the game, or a position
    /// flipped or mirrored, which may be irregular as the one that it was made from.
    pub(super) fn from_valid(setup: &Setup) -> Self {
        Self::from_setup_leniently(setup).expect("the setup breaks no rule")
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

/// The squares of the pieces of a setup, with what else a position needs of all its pieces.
///
/// A reader of a setup adds each piece when it places it, which saves a pass over the board.
pub(crate) struct PlacedPieces {
    /// `[piece]`. A set for each piece instead of one for each kind and colour takes one addition a
    /// piece, and additions to different sets do not wait for each other.
    squares: [Bitboard; 32],
    /// The keys of the pieces, without the side to move.
    keys: Keys,
    /// The pieces of each kind, without those in hand.
    counts: KindCounts,
}

impl PlacedPieces {
    pub(crate) const fn none() -> Self {
        Self { squares: [Bitboard::EMPTY; 32], keys: Keys::NONE, counts: KindCounts::NONE }
    }

    fn of_setup(setup: &Setup) -> Self {
        let mut pieces = Self::none();
        for square in setup.occupied() {
            let Some(piece) = setup.board[square] else { continue };
            pieces.add(square, piece);
        }
        pieces
    }

    #[inline]
    pub(crate) fn add(&mut self, square: Square, piece: Piece) {
        self.squares[piece as usize & 31] |= Bitboard::from_square(square);
        self.keys = self.keys ^ zobrist::keys(piece, square);
        self.counts.add(piece);
    }

    #[inline]
    fn of(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.squares[Piece::new(color, kind) as usize & 31]
    }

    fn all_of(&self, color: Color) -> Bitboard {
        PieceKind::ALL.into_iter().fold(Bitboard::EMPTY, |all, kind| all | self.of(color, kind))
    }

    /// The pieces on the board by unpromoted kind.
    pub(crate) fn counts(&self) -> KindCounts {
        self.counts
    }

    /// Returns whether there are too many pieces of a kind, those in hand included, or a piece
    /// stands on a square that is forbidden to it.
    fn break_a_rule(&self, hands: [Hand; 2]) -> bool {
        let too_many = |kind: PieceKind| {
            let held: u32 = hands.iter().map(|hand| hand.count(kind)).sum();
            self.counts.of(kind) + held > PieceKind::TOTALS[kind as usize]
        };
        let misplaced = |color| {
            let [pawns, lances, knights] = [PieceKind::Pawn, PieceKind::Lance, PieceKind::Knight]
                .map(|kind| self.of(color, kind));
            are_misplaced(color, pawns, lances, knights)
                || self.of(color, PieceKind::King).has_many()
        };
        PieceKind::HAND.into_iter().any(too_many) || Color::ALL.into_iter().any(misplaced)
    }
}

/// Returns whether one of these pieces of a side can never move again, or two pawns are on one
/// file.
#[inline]
fn are_misplaced(color: Color, pawns: Bitboard, lances: Bitboard, knights: Bitboard) -> bool {
    let stuck =
        (pawns | lances) & Bitboard::far_ranks(color, 1) | knights & Bitboard::far_ranks(color, 2);
    // Two pawns on one file share one square of this rank.
    let files = pawns.files() & Bitboard::rank(Rank::R1);
    !stuck.is_empty() || files.len() < pawns.len()
}

/// The rules by which the pieces of a setup are validated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strictness {
    /// All rules of the game.
    Rules,
    /// The pieces of the game, at most one king a side, on any squares.
    Board,
}

/// The first fault, square by square, of a setup that
/// [breaks a rule](PlacedPieces::break_a_rule). Too many pieces come before all other faults.
fn first_fault(setup: &Setup, strictness: Strictness) -> Option<PositionError> {
    let counts = setup.counts();
    for kind in PieceKind::HAND {
        let count = counts.of(kind);
        let max = PieceKind::TOTALS[kind as usize];
        if count > max {
            return Some(PositionError::TooManyPieces { kind, count, max });
        }
    }
    let mut before: Vec<(Square, Piece)> = Vec::new();
    for square in setup.occupied() {
        let Some(piece) = setup.board[square] else { continue };
        let must_be_valid = strictness == Strictness::Rules || piece.kind() == PieceKind::King;
        if must_be_valid && let Some(fault) = fault_of(piece, square, &before) {
            return Some(fault);
        }
        before.push((square, piece));
    }
    None
}

/// The fault of a piece, given the pieces on the squares `before` it.
fn fault_of(piece: Piece, square: Square, before: &[(Square, Piece)]) -> Option<PositionError> {
    let color = piece.color();
    let kind = piece.kind();
    let far = square.rank().from_far_side(color);
    let is_stuck = match kind {
        PieceKind::Pawn | PieceKind::Lance => far == 0,
        PieceKind::Knight => far < 2,
        _ => false,
    };
    if is_stuck {
        return Some(PositionError::NoFutureMove { piece, square });
    }
    let mut same = before.iter().filter(|(_, other)| *other == piece).map(|(other, _)| *other);
    match kind {
        PieceKind::Pawn => same
            .any(|other| other.file() == square.file())
            .then(|| PositionError::Nifu { color, file: square.file() }),
        PieceKind::King => {
            same.next().map(|first| PositionError::TwoKings { color, first, second: square })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_setup() -> impl Strategy<Value = Setup> {
        let pieces = prop::collection::vec((0..Square::COUNT, 0..2 * PieceKind::COUNT), 0..60);
        let pawns = prop::collection::vec((0..Square::COUNT, 0usize..2), 0..12);
        (pieces, pawns, 0u32..=18).prop_map(|(pieces, pawns, held)| {
            let mut setup = Setup::empty();
            let pawns = pawns.into_iter().map(|(at, color)| (at, color * PieceKind::COUNT));
            for (at, piece) in pieces.into_iter().chain(pawns) {
                let (color, kind) = (piece / PieceKind::COUNT, piece % PieceKind::COUNT);
                let piece = Piece::new(Color::ALL[color], PieceKind::ALL[kind]);
                setup.board[at] = Some(piece);
            }
            setup.hands[1] = Hand::EMPTY.with(PieceKind::Pawn, held);
            setup
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5_000))]

        #[test]
        fn a_rule_is_broken_where_a_fault_is_found(setup in any_setup()) {
            let breaks = PlacedPieces::of_setup(&setup).break_a_rule(setup.hands);
            prop_assert_eq!(breaks, first_fault(&setup, Strictness::Rules).is_some());
            // A lenient reading accepts no less, and what it accepts differs only in pawns, lances
            // and knights.
            let (strict, lenient) =
                (Position::from_setup(&setup), Position::from_setup_leniently(&setup));
            match (strict, lenient) {
                (Ok(strict), lenient) => {
                    prop_assert!(!strict.is_irregular());
                    prop_assert_eq!(lenient, Ok(strict));
                }
                (Err(error), Ok(position)) => {
                    let is_admitted = matches!(
                        error,
                        PositionError::Nifu { .. } | PositionError::NoFutureMove { .. }
                    );
                    prop_assert!(is_admitted && position.is_irregular());
                    prop_assert_eq!(&position.to_setup(), &setup);
                }
                (Err(_), Err(_)) => {}
            }
        }
    }
}
