//! A position that has not been validated.

use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::hand::Hand;
use crate::piece::{Piece, PieceKind};
use crate::square::Square;

/// The contents of a position text: pieces, hands, side to move and move number, not validated.
///
/// A `Setup` may break every rule; [`Position::from_setup`](crate::Position::from_setup) validates
/// it and returns the rule that it breaks.
///
/// # Examples
///
/// ```
/// use komadai_core::{Color, Piece, Position, Setup, Square};
///
/// let mut setup = Setup::empty();
/// setup.board[Square::S51] = Some(Piece::WhiteKing);
/// setup.board[Square::S59] = Some(Piece::BlackKing);
/// let position = Position::from_setup(&setup)?;
/// assert_eq!(position.king_square(Color::Black), Some(Square::S59));
/// # Ok::<(), komadai_core::PositionError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The piece on each square.
    pub board: [Option<Piece>; Square::COUNT],
    /// The hand of each side, Black first.
    pub hands: [Hand; 2],
    /// The side to move.
    pub side: Color,
    /// The number of the next move, from 1.
    pub ply: u32,
}

impl Setup {
    /// The largest move number in a text: that of a signed 32-bit number, which other programs use.
    pub const MAX_PLY: u32 = i32::MAX as u32;

    /// A setup without pieces, Black to move, move 1.
    pub const fn empty() -> Self {
        Self { board: [None; Square::COUNT], hands: [Hand::EMPTY; 2], side: Color::Black, ply: 1 }
    }

    /// The even game's start (平手, hirate).
    pub const fn hirate() -> Self {
        use PieceKind::{Gold, King, Knight, Lance, Silver};
        const BACK: [PieceKind; 9] =
            [Lance, Knight, Silver, Gold, King, Gold, Silver, Knight, Lance];
        let mut setup = Self::empty();
        let mut file = 0;
        while file < 9 {
            setup.board[file * 9] = Some(Piece::new(Color::White, BACK[file]));
            setup.board[file * 9 + 2] = Some(Piece::WhitePawn);
            setup.board[file * 9 + 6] = Some(Piece::BlackPawn);
            setup.board[file * 9 + 8] = Some(Piece::new(Color::Black, BACK[file]));
            file += 1;
        }
        setup.board[Square::S22 as usize] = Some(Piece::WhiteBishop);
        setup.board[Square::S82 as usize] = Some(Piece::WhiteRook);
        setup.board[Square::S88 as usize] = Some(Piece::BlackBishop);
        setup.board[Square::S28 as usize] = Some(Piece::BlackRook);
        setup
    }

    /// The setup seen from the other side: the board turned by 180 degrees, the
    /// colours of all pieces, hands and the side to move exchanged.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let mut flipped = Self { side: !self.side, ply: self.ply, ..Self::empty() };
        for square in Square::ALL {
            flipped.board[square.flipped()] = self.board[square].map(Piece::flipped);
        }
        flipped.hands = [self.hands[1], self.hands[0]];
        flipped
    }

    /// The setup mirrored left to right; the colours stay.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut mirrored = self.clone();
        for square in Square::ALL {
            mirrored.board[square.mirrored()] = self.board[square];
        }
        mirrored
    }

    /// The squares with a piece.
    #[inline]
    pub(crate) fn occupied(&self) -> Bitboard {
        // No branch per square, because a processor cannot predict which squares are empty.
        let lane = |squares: &[Option<Piece>]| {
            let bits = squares.iter().enumerate();
            bits.fold(0, |lane, (at, piece)| lane | u64::from(piece.is_some()) << at)
        };
        // The first lane of a bitboard holds files 1 to 7.
        let (first, second) = self.board.split_at(63);
        Bitboard::from_lanes([lane(first), lane(second)])
    }

    /// The number of pieces of this unpromoted kind on the board and in both hands.
    pub fn count(&self, kind: PieceKind) -> u32 {
        self.counts().of(kind)
    }

    /// The number of pieces of each unpromoted kind on the board and in both hands: the same as
    /// [`count`](Self::count) for all kinds, in one pass over the board.
    pub(crate) fn counts(&self) -> KindCounts {
        let mut counts = KindCounts::default();
        let pieces = self.occupied().iter().filter_map(|square| self.board[square]);
        pieces.for_each(|piece| counts.add(piece));
        for hand in self.hands {
            hand.iter().for_each(|(kind, held)| counts.add_many(kind, held));
        }
        counts
    }
}

/// The numbers of pieces by unpromoted kind, eight bits each in one number. Eight bits suffice for
/// 81 squares and the at most 38 pieces of each of two hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct KindCounts(u64);

/// The summand of one piece, by [`Piece`].
static ONE: [u64; 32] = {
    let mut ones = [0; 32];
    let mut kind = 0;
    while kind < PieceKind::COUNT {
        let one = 1 << (8 * PieceKind::ALL[kind].unpromoted() as u32);
        ones[kind] = one;
        ones[kind + 16] = one;
        kind += 1;
    }
    ones
};

/// Copies the setup.
impl From<&Setup> for Setup {
    fn from(setup: &Setup) -> Self {
        setup.clone()
    }
}

impl KindCounts {
    pub(crate) const NONE: Self = Self(0);

    /// Counts a piece of either colour under its unpromoted kind.
    #[inline]
    pub(crate) fn add(&mut self, piece: Piece) {
        self.0 += ONE[piece as usize & 31];
    }

    pub(crate) fn add_many(&mut self, kind: PieceKind, count: u32) {
        self.0 += ONE[kind as usize] * u64::from(count);
    }

    /// The number of pieces of an unpromoted kind.
    #[inline]
    pub(crate) fn of(self, kind: PieceKind) -> u32 {
        (self.0 >> (8 * kind.unpromoted() as u32)) as u32 & 0xff
    }
}
