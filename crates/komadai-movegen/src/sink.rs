//! Where generated moves go.

use std::ops::ControlFlow;

use komadai_core::{Bitboard, Color, Hand, Move, PieceKind, Square};

/// Whether the moves of a group promote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Promotion {
    /// The piece stays as it is.
    Stay,
    /// The piece promotes.
    Promote,
}

/// One of the ten ways a piece steps or jumps, for either side.
///
/// Pieces that step the same way step together, so that a group of moves is a set of destinations
/// and one `Step`: each origin lies the same number of squares back.
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

    /// How much larger the destination's index is than the origin's; never 0.
    #[must_use]
    #[inline]
    pub const fn delta(self) -> i8 {
        self.delta
    }

    /// The squares such a step can end on.
    #[must_use]
    #[inline]
    pub const fn targets(self) -> Bitboard {
        self.targets
    }

    /// Where a piece that stepped to `to` came from; `None` when no square lies there.
    #[must_use]
    #[inline]
    pub fn origin(self, to: Square) -> Option<Square> {
        if !self.targets.contains(to) {
            return None;
        }
        Square::from_index((to.index() as i32 - i32::from(self.delta)) as usize)
    }
}

/// The drops of one position: which kinds, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drops {
    /// The side that drops.
    pub color: Color,
    /// What it holds.
    pub hand: Hand,
    /// The empty squares to drop on. Lances and knights must still be kept off the ranks they
    /// could never leave: see [`targets`](Self::targets).
    pub squares: Bitboard,
    /// The squares a pawn may be dropped on; empty when no pawn is held.
    pub pawn_squares: Bitboard,
}

impl Drops {
    /// Where a piece of `kind` may be dropped; empty when none is held.
    #[must_use]
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

/// Receives the generator's moves in groups, so that counting needs no list and a search can stop
/// at the first move.
///
/// Every method may answer [`ControlFlow::Break`] to end the generation.
pub trait MoveSink {
    /// One move to each square of `to`, from the square one `step` back.
    fn steps(&mut self, to: Bitboard, step: Step, promotion: Promotion) -> ControlFlow<()>;

    /// One move from `from` to each square of `to`.
    fn moves(&mut self, from: Square, to: Bitboard, promotion: Promotion) -> ControlFlow<()>;

    /// Drops of several kinds, which share most of their squares.
    fn drops(&mut self, drops: Drops) -> ControlFlow<()>;

    /// One drop of `kind`, which can be held in hand, to each square of `to`.
    fn drops_of(&mut self, kind: PieceKind, to: Bitboard) -> ControlFlow<()>;
}

/// Counts moves without writing them.
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

/// Stops at the first move.
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

/// Hands each move to a closure, which may stop the generation.
#[derive(Debug, Clone)]
pub struct ForEach<F>(
    /// Called with each move.
    pub F,
);

impl<F: FnMut(Move) -> ControlFlow<()>> MoveSink for ForEach<F> {
    fn steps(&mut self, to: Bitboard, step: Step, promotion: Promotion) -> ControlFlow<()> {
        for to in to {
            let Some(from) = step.origin(to) else { continue };
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
