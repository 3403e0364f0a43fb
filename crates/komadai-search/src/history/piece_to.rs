//! Histories by the moved piece and its destination: the continuation, pawn and capture histories
//! and the counter moves.

use core::num::NonZero;
use core::sync::atomic::AtomicI16;

use komadai_core::{Color, Move, PieceKind, Position, Square};

use super::gravity::{Numbers, OwnNumbers, number};

/// Number of earlier plies whose moves the continuation history knows.
pub(crate) const PLIES_BACK: usize = 6;

/// A piece and the square it has moved to: the index of a move in the piece-to tables.
///
/// The piece is the one that stands on the destination afterwards, promoted if the move promotes.
/// One bit is always set, so that `Option<PieceTo>` takes no more space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PieceTo(NonZero<u16>);

const _: () = assert!(size_of::<Option<PieceTo>>() == 2);

impl PieceTo {
    /// The bit that is set besides the index.
    const MARK: NonZero<u16> = NonZero::new(1 << 15).unwrap();

    /// Number of indices: `[color][kind][square]`.
    pub(crate) const COUNT: usize = 2 * PieceKind::COUNT * Square::COUNT;

    /// Returns the piece that `m` leaves on its destination; `m` is legal and not yet done.
    #[inline]
    pub(crate) fn of(position: &Position, m: Move) -> Self {
        let kind = match m.from() {
            None => m.dropped(),
            Some(from) => position.piece_on(from).map(|piece| {
                let kind = piece.kind();
                if m.is_promotion() { kind.promoted().unwrap_or(kind) } else { kind }
            }),
        };
        Self::new(position.side(), kind.unwrap_or(PieceKind::King), m.to())
    }

    #[inline]
    pub(crate) fn new(color: Color, kind: PieceKind, to: Square) -> Self {
        Self(Self::MARK | (Self::first_index(color, kind) + to as usize) as u16)
    }

    /// Returns the index of a piece on the first square.
    #[inline]
    pub(crate) fn first_index(color: Color, kind: PieceKind) -> usize {
        (color as usize * PieceKind::COUNT + kind as usize) * Square::COUNT
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0.get() & !Self::MARK.get())
    }
}

/// A row of numbers by [`PieceTo`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct PieceToRow<'a>(&'a [AtomicI16; PieceTo::COUNT]);

impl PieceToRow<'_> {
    /// The row of a table that is not used.
    pub(crate) const ZEROS: Self = {
        static ZEROS: [AtomicI16; PieceTo::COUNT] = [const { AtomicI16::new(0) }; PieceTo::COUNT];
        Self(&ZEROS)
    };

    #[inline]
    pub(crate) fn get(&self, piece_to: PieceTo) -> i32 {
        self.at(piece_to.index())
    }

    /// Returns the number with this [index](PieceTo::index).
    #[inline(always)]
    pub(crate) fn at(&self, index: usize) -> i32 {
        number(&self.0[index])
    }
}

/// `[earlier piece and square][piece and square]`: the success of a quiet move after an earlier move
/// of the same line.
#[derive(Debug)]
pub(crate) struct ContinuationHistory(
    // 5.1 million numbers of 16 bits: 10 MiB.
    Numbers<{ Self::MAX }, { PieceTo::COUNT * PieceTo::COUNT }>,
);

impl ContinuationHistory {
    /// The largest number.
    pub(crate) const MAX: i32 = 30_000;

    pub(crate) fn new() -> Self {
        Self(Numbers::new())
    }

    /// Asks for huge pages.
    pub(crate) fn prefer_huge_pages(&self) {
        self.0.prefer_huge_pages();
    }

    /// Gets the memory from the system.
    pub(crate) fn populate(&self) {
        self.0.populate();
    }

    /// Resets all numbers to zero.
    pub(crate) fn clear(&self) {
        self.0.clear();
    }

    /// Returns the row of an earlier move. Without an earlier move the row is empty: all zeros.
    #[inline]
    pub(crate) fn row(&self, earlier: Option<PieceTo>) -> PieceToRow<'_> {
        earlier.map_or(PieceToRow::ZEROS, |earlier| PieceToRow(self.0.row(earlier.index())))
    }

    #[inline]
    pub(crate) fn update(&self, earlier: PieceTo, piece_to: PieceTo, bonus: i32) {
        self.0.update(earlier.index() * PieceTo::COUNT + piece_to.index(), bonus);
    }
}

/// `[pawn structure][piece][to]`: the success of a quiet move with these pawns on the board.
#[derive(Debug)]
pub(crate) struct PawnHistory(Numbers<{ Self::MAX }, { Self::STRUCTURES * PieceTo::COUNT }>);

impl PawnHistory {
    /// Number of pawn structures with a row of their own; others share a row by their key.
    ///
    /// The tree below one root holds few pawn structures, and a row takes 4.5 KiB.
    const STRUCTURES: usize = 512;

    /// The largest number.
    pub(crate) const MAX: i32 = 8_192;

    pub(crate) fn new() -> Self {
        Self(Numbers::new())
    }

    /// Resets all numbers to zero.
    pub(crate) fn clear(&self) {
        self.0.clear();
    }

    /// Returns the row of a pawn structure.
    #[inline]
    pub(crate) fn row(&self, pawn_key: u16) -> PieceToRow<'_> {
        PieceToRow(self.0.row(Self::structure(pawn_key)))
    }

    #[inline]
    pub(crate) fn update(&self, pawn_key: u16, piece_to: PieceTo, bonus: i32) {
        self.0.update(Self::index(pawn_key, piece_to), bonus);
    }

    #[inline]
    fn index(pawn_key: u16, piece_to: PieceTo) -> usize {
        Self::structure(pawn_key) * PieceTo::COUNT + piece_to.index()
    }

    #[inline]
    fn structure(pawn_key: u16) -> usize {
        usize::from(pawn_key) % Self::STRUCTURES
    }
}

/// Number of captured kinds, and none.
const CAPTURED: usize = PieceKind::COUNT + 1;

/// `[piece][to][captured kind or none]`: the success of a capture anywhere in the
/// tree.
#[derive(Debug)]
pub(crate) struct CaptureHistory(OwnNumbers<{ Self::MAX }, { PieceTo::COUNT * CAPTURED }>);

impl CaptureHistory {
    /// The largest number.
    pub(crate) const MAX: i32 = 10_240;

    /// Returns the worth of a number in centipawns, from −853 to 853: nearly a rook on the board,
    /// since a capture that always works is as good as one that takes much.
    #[inline]
    pub(crate) const fn centipawns(number: i32) -> i32 {
        number / 12
    }

    pub(crate) fn new() -> Self {
        Self(OwnNumbers::new())
    }

    /// Resets all numbers to zero.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    #[inline]
    pub(crate) fn get(&self, piece_to: PieceTo, captured: Option<PieceKind>) -> i32 {
        self.0.get(capture_index(piece_to, captured))
    }

    #[inline]
    pub(crate) fn update(&mut self, piece_to: PieceTo, captured: Option<PieceKind>, bonus: i32) {
        self.0.update(capture_index(piece_to, captured), bonus);
    }
}

#[inline]
fn capture_index(piece_to: PieceTo, captured: Option<PieceKind>) -> usize {
    piece_to.index() * CAPTURED + captured.map_or(PieceKind::COUNT, |kind| kind as usize)
}

/// `[piece][to]`: the quiet move that most recently refuted the move of this piece to this square.
#[derive(Debug)]
pub(crate) struct CounterMoves(Box<[Option<Move>; PieceTo::COUNT]>);

impl CounterMoves {
    pub(crate) fn new() -> Self {
        let moves = vec![None; PieceTo::COUNT].into_boxed_slice().try_into();
        Self(moves.expect("the length is that of the array"))
    }

    /// Removes all moves.
    pub(crate) fn clear(&mut self) {
        self.0.fill(None);
    }

    #[inline]
    pub(crate) fn get(&self, refuted: Option<PieceTo>) -> Option<Move> {
        self.0[refuted?.index()]
    }

    #[inline]
    pub(crate) fn set(&mut self, refuted: Option<PieceTo>, counter_move: Move) {
        if let Some(refuted) = refuted {
            self.0[refuted.index()] = Some(counter_move);
        }
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::{Color, PieceKind, Square};

    use super::*;

    #[test]
    fn the_piece_is_the_one_after_the_move() {
        let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
        let promoted = PieceTo::of(&position, "5c5b+".parse().unwrap());
        assert_eq!(promoted, PieceTo::new(Color::Black, PieceKind::ProPawn, Square::S52));
        let dropped = PieceTo::of(&position, "G*5b".parse().unwrap());
        assert_eq!(dropped, PieceTo::new(Color::Black, PieceKind::Gold, Square::S52));
    }

    #[test]
    fn each_earlier_move_has_its_own_row() {
        let continuation = ContinuationHistory::new();
        let pawn = PieceTo::new(Color::Black, PieceKind::Pawn, Square::S76);
        let other = PieceTo::new(Color::Black, PieceKind::Pawn, Square::S26);
        let reply = PieceTo::new(Color::White, PieceKind::Dragon, Square::S99);
        continuation.update(pawn, reply, 500);
        assert_eq!(continuation.row(Some(pawn)).get(reply), 500);
        assert_eq!(continuation.row(Some(other)).get(reply), 0);
        assert_eq!(continuation.row(None).get(reply), 0);
        assert!(reply.index() < PieceTo::COUNT);
    }
}
