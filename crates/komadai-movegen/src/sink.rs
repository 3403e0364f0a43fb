//! Receivers of generated moves ("sinks"), and the groups in which the generator writes moves.

use std::ops::ControlFlow;

use komadai_core::{Bitboard, Color, Hand, Move, PieceKind, Square};

/// The promotion of all moves of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Promotion {
    /// The piece does not promote.
    Stay,
    /// The piece promotes.
    Promote,
}

/// One of the ten directions in which pieces step or jump, for either side.
///
/// Pieces that step in the same direction step together. A group of such moves is a set of
/// destinations and one `Step`, because each origin lies the same number of squares back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    delta: i8,
    targets: Bitboard,
}

impl Step {
    /// The step of `files` towards file 9 and `ranks` towards rank 9.
    pub(crate) const fn new(files: i8, ranks: i8) -> Self {
        assert!(files != 0 || ranks != 0);
        let mut targets = Bitboard::EMPTY;
        let mut i = 0;
        while i < Square::COUNT {
            if let Some(to) = Square::ALL[i].offset(files, ranks) {
                targets = targets.union(Bitboard::from_square(to));
            }
            i += 1;
        }
        Self { delta: files * 9 + ranks, targets }
    }

    /// The index of the destination minus that of the origin; never 0.
    #[inline]
    pub(crate) const fn delta(self) -> i8 {
        self.delta
    }

    /// The squares such a step can end on.
    #[must_use]
    #[inline]
    pub const fn targets(self) -> Bitboard {
        self.targets
    }

    /// The origins and destinations of the pieces that stepped to these squares.
    #[inline]
    pub fn moves(self, to: Bitboard) -> impl Iterator<Item = (Square, Square)> {
        let origin = move |to: Square| to.index() as i32 - i32::from(self.delta);
        (to & self.targets)
            .iter()
            .filter_map(move |to| Some((Square::from_index(origin(to) as usize)?, to)))
    }
}

/// The drops of one position: the kinds and their destinations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drops {
    /// The side that drops.
    pub color: Color,
    /// Its hand.
    pub hand: Hand,
    /// The empty squares to drop on. For lances and knights, the ranks from which they could never
    /// move must still be excluded: see [`targets`](Self::targets).
    pub squares: Bitboard,
    /// The squares on which a pawn may be dropped; empty if no pawn is held.
    pub pawn_squares: Bitboard,
}

impl Drops {
    /// The squares on which a piece of `kind` may be dropped; empty if none is held.
    #[inline]
    pub fn targets(&self, kind: PieceKind) -> Bitboard {
        if !self.hand.has(kind) {
            return Bitboard::EMPTY;
        }
        match kind {
            PieceKind::Pawn => self.pawn_squares,
            PieceKind::Lance => self.squares - Bitboard::far_ranks(self.color, 1),
            PieceKind::Knight => self.squares - Bitboard::far_ranks(self.color, 2),
            _ => self.squares,
        }
    }
}

/// A receiver of the generator's moves in groups.
///
/// Counting needs no list, and a search can stop at the first move: every method may return
/// [`ControlFlow::Break`] to end the generation.
///
/// # Examples
///
/// The sinks of this crate suffice for most purposes: a count, a test for any move, a closure.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use komadai_core::{Move, Position, Square};
/// use komadai_movegen::{Count, ForEach, generate_into};
///
/// let position = Position::hirate();
/// let mut count = Count::default();
/// let _ = generate_into(&position, &mut count);
/// assert_eq!(count.0, 30);
///
/// let mut rook_moves = 0;
/// let mut sink = ForEach(|m: Move| {
///     rook_moves += u32::from(m.from() == Some(Square::S28));
///     ControlFlow::Continue(())
/// });
/// let _ = generate_into(&position, &mut sink);
/// assert_eq!(rook_moves, 6);
/// ```
pub trait MoveSink {
    /// Receives one move to each square of `to`, from the square one `step` back.
    fn steps(&mut self, to: Bitboard, step: Step, promotion: Promotion) -> ControlFlow<()>;

    /// Receives one move from `from` to each square of `to`.
    fn moves(&mut self, from: Square, to: Bitboard, promotion: Promotion) -> ControlFlow<()>;

    /// Receives the drops of several kinds, which share most of their squares.
    fn drops(&mut self, drops: Drops) -> ControlFlow<()>;

    /// Receives one drop of `kind`, which can be held in hand, to each square of `to`.
    fn drops_of(&mut self, kind: PieceKind, to: Bitboard) -> ControlFlow<()>;
}

/// A sink that counts moves without writing them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count(
    /// The number of moves so far.
    pub u64,
);

impl MoveSink for Count {
    #[inline(always)]
    fn steps(&mut self, to: Bitboard, _: Step, _: Promotion) -> ControlFlow<()> {
        self.0 += u64::from(to.len());
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn moves(&mut self, _: Square, to: Bitboard, _: Promotion) -> ControlFlow<()> {
        self.0 += u64::from(to.len());
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn drops(&mut self, drops: Drops) -> ControlFlow<()> {
        use PieceKind::{Bishop, Gold, Knight, Lance, Rook, Silver};
        let anywhere = [Silver, Bishop, Rook, Gold].map(|kind| u32::from(drops.hand.has(kind)));
        let mut count = anywhere.iter().sum::<u32>() * drops.squares.len();
        count += drops.pawn_squares.len();
        if drops.hand.has(Lance) {
            count += drops.targets(Lance).len();
        }
        if drops.hand.has(Knight) {
            count += drops.targets(Knight).len();
        }
        self.0 += u64::from(count);
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn drops_of(&mut self, _: PieceKind, to: Bitboard) -> ControlFlow<()> {
        self.0 += u64::from(to.len());
        ControlFlow::Continue(())
    }
}

/// A sink that stops at the first move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AnyMove;

impl AnyMove {
    #[inline(always)]
    fn stop_unless(empty: bool) -> ControlFlow<()> {
        if empty { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

impl MoveSink for AnyMove {
    #[inline(always)]
    fn steps(&mut self, to: Bitboard, _: Step, _: Promotion) -> ControlFlow<()> {
        Self::stop_unless(to.is_empty())
    }

    #[inline(always)]
    fn moves(&mut self, _: Square, to: Bitboard, _: Promotion) -> ControlFlow<()> {
        Self::stop_unless(to.is_empty())
    }

    #[inline(always)]
    fn drops(&mut self, drops: Drops) -> ControlFlow<()> {
        let mut count = Count(0);
        let _ = count.drops(drops);
        Self::stop_unless(count.0 == 0)
    }

    #[inline(always)]
    fn drops_of(&mut self, _: PieceKind, to: Bitboard) -> ControlFlow<()> {
        Self::stop_unless(to.is_empty())
    }
}

/// A sink that passes each move to a closure, which may stop the generation.
#[derive(Debug, Clone)]
pub struct ForEach<F>(
    /// The closure, called with each move.
    pub F,
);

impl<F: FnMut(Move) -> ControlFlow<()>> MoveSink for ForEach<F> {
    fn steps(&mut self, to: Bitboard, step: Step, promotion: Promotion) -> ControlFlow<()> {
        for (from, to) in step.moves(to) {
            (self.0)(board_move(from, to, promotion))?;
        }
        ControlFlow::Continue(())
    }

    fn moves(&mut self, from: Square, to: Bitboard, promotion: Promotion) -> ControlFlow<()> {
        to.iter().try_for_each(|to| (self.0)(board_move(from, to, promotion)))
    }

    fn drops(&mut self, drops: Drops) -> ControlFlow<()> {
        PieceKind::HAND.into_iter().try_for_each(|kind| self.drops_of(kind, drops.targets(kind)))
    }

    fn drops_of(&mut self, kind: PieceKind, to: Bitboard) -> ControlFlow<()> {
        to.iter().try_for_each(|to| (self.0)(Move::drop(kind, to)))
    }
}

fn board_move(from: Square, to: Square, promotion: Promotion) -> Move {
    match promotion {
        Promotion::Stay => Move::new(from, to),
        Promotion::Promote => Move::promotion(from, to),
    }
}
