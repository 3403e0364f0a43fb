//! A list of moves on the stack, without allocation and without initialisation.
//!
//! Initialising the storage of each list costs 12 % of listing the start position's moves into a
//! new list, 5 % over the five positions of `benches/peers`, and 3 % of perft with every leaf made
//! (2026-11-21, Rocket Lake, one run).
#![expect(unsafe_code, reason = "reading written entries of uninitialised storage as moves")]

use std::fmt;
use std::mem::MaybeUninit;
use std::ops::{ControlFlow, Deref};

use komadai_core::{Bitboard, Color, Move, PieceKind, Square};

use crate::sink::{Drops, MoveSink, Promotion, Step};

/// The number of moves that a list holds. A position with the game's forty pieces has at most 593
/// legal moves. A power of two lets the writer mask its index, which keeps every write in bounds
/// without a branch, for any position.
const CAPACITY: usize = 1024;

/// The number of entries beyond the end that a write may touch: drops are written eight at a time.
const SLACK: usize = 8;

/// A list of moves on the stack.
///
/// Dereferences to a slice of [`Move`]. Creating a list costs nothing, because its 2 KB are not
/// initialised.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_movegen::{MoveList, generate_legal};
///
/// let mut list = MoveList::new();
/// generate_legal(&Position::hirate(), &mut list);
/// assert_eq!(list.len(), 30);
/// ```
#[derive(Clone)]
pub struct MoveList {
    /// Entries below `len.min(CAPACITY)` are written, each with the bits of a move.
    moves: [MaybeUninit<u16>; CAPACITY + SLACK],
    len: usize,
}

/// The flags of a move: see [`Move`].
const DROP: u16 = 1 << 14;
const PROMOTION: u16 = 1 << 15;

impl MoveList {
    /// An empty list.
    #[inline]
    pub const fn new() -> Self {
        Self { moves: [const { MaybeUninit::uninit() }; CAPACITY + SLACK], len: 0 }
    }

    /// Removes all moves.
    #[inline]
    pub const fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds one move; a move beyond the 1,024th is ignored.
    #[inline]
    pub fn push(&mut self, m: Move) {
        if self.len < CAPACITY {
            self.write(m.to_bits());
        }
    }

    /// Writes one entry. The masked index stays in bounds even for an invalid position.
    #[inline(always)]
    fn write(&mut self, bits: u16) {
        self.moves[self.len & (CAPACITY - 1)].write(bits);
        self.len += 1;
    }

    /// Writes `bits(index)` for the index of each square of `squares`.
    #[inline(always)]
    fn write_each(&mut self, squares: Bitboard, bits: impl Fn(u16) -> u16) {
        // A local length stays in a register. The compiler would reload the field after each store,
        // because it cannot exclude that the stored entries alias it.
        let mut len = self.len;
        let [mut low, mut high] = squares.lanes();
        while low != 0 {
            self.moves[len & (CAPACITY - 1)].write(bits(low.trailing_zeros() as u16));
            len += 1;
            low &= low - 1;
        }
        while high != 0 {
            self.moves[len & (CAPACITY - 1)].write(bits(high.trailing_zeros() as u16 + 63));
            len += 1;
            high &= high - 1;
        }
        self.len = len;
    }

    /// Writes the first `count` entries of `kinds` for each square.
    #[inline(always)]
    fn write_drops(&mut self, squares: Bitboard, kinds: &[u16; SLACK], count: usize) {
        if count == 0 {
            return;
        }
        let mut len = self.len;
        let [low, high] = squares.lanes();
        for (mut lane, base) in [(low, 0), (high, 63)] {
            while lane != 0 {
                let to = lane.trailing_zeros() as u16 + base;
                let at = len & (CAPACITY - 1);
                // One store of eight entries; the next one overwrites those beyond `count`.
                let entries = kinds.map(|kind| MaybeUninit::new(kind | to));
                self.moves[at..at + SLACK].copy_from_slice(&entries);
                len += count;
                lane &= lane - 1;
            }
        }
        self.len = len;
    }

    /// The moves.
    #[inline]
    pub const fn as_slice(&self) -> &[Move] {
        let len = if self.len < CAPACITY { self.len } else { CAPACITY };
        // SAFETY: the first `len` entries are written: `write` and `write_drops` raise `len` only
        // by as many entries as they have just written at its old value. Each has the bits of a
        // move, as `Move` demands of transmuted numbers: `push` takes them from one; `steps` has
        // destinations whose origin, `delta ≠ 0` squares back, is on the board; `moves` has an
        // origin and other destinations; `drops` has templates of the seven kinds and destinations.
        // (Members of a `Bitboard` are squares, by its invariant.)
        unsafe { std::slice::from_raw_parts(self.moves.as_ptr().cast::<Move>(), len) }
    }
}

impl MoveSink for MoveList {
    #[inline(always)]
    fn steps(&mut self, to: Bitboard, step: Step, promotion: Promotion) -> ControlFlow<()> {
        // `to | from << 7` with `from = to − delta`, as one multiplication and one addition.
        let flag = promotion_bit(promotion).wrapping_sub((step.delta() as i16 as u16) << 7);
        // Without the mask, squares that no such step reaches would have no origin.
        self.write_each(to & step.targets(), |to| to.wrapping_mul(129).wrapping_add(flag));
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn moves(&mut self, from: Square, to: Bitboard, promotion: Promotion) -> ControlFlow<()> {
        let bits = promotion_bit(promotion) | (from as u16) << 7;
        // A destination equal to the origin would not be a valid move.
        self.write_each(to - from.into(), |to| bits | to);
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn drops(&mut self, drops: Drops) -> ControlFlow<()> {
        if drops.hand.is_empty() {
            return ControlFlow::Continue(());
        }
        let held = |kind| usize::from(drops.hand.has(kind));
        let row = TEMPLATE_KINDS.iter().rev().fold(0, |row, &kind| row * 2 + held(kind));
        let template = &TEMPLATES[row & 63][0];
        let with_pawn = &TEMPLATES[row & 63][1];
        let lance = row >> 4 & 1;
        let knight = row >> 5 & 1;
        let anywhere = (row & 15).count_ones() as usize;

        let pawn = drops.pawn_squares;
        let other = drops.squares - drops.pawn_squares;
        let (first, second) = far_ranks(drops.color);
        let rest = !(first | second);
        self.write_drops(pawn & rest, with_pawn, anywhere + lance + 1 + knight);
        if anywhere + lance + knight > 0 {
            self.write_drops(pawn & second, with_pawn, anywhere + lance + 1);
            self.write_drops(other & rest, template, anywhere + lance + knight);
            self.write_drops(other & second, template, anywhere + lance);
            self.write_drops(other & first, template, anywhere);
        } else {
            self.write_drops(pawn & second, with_pawn, 1);
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn drops_of(&mut self, kind: PieceKind, to: Bitboard) -> ControlFlow<()> {
        debug_assert!(kind.is_hand_kind());
        // The drop bit makes every entry non-zero, as `Move` requires.
        self.write_each(to, |to| drop_bits(kind) | to);
        ControlFlow::Continue(())
    }
}

/// The kinds of a drop template, in order: those that may be dropped anywhere, then lance and
/// knight.
const TEMPLATE_KINDS: [PieceKind; 6] = [
    PieceKind::Gold,
    PieceKind::Silver,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::Lance,
    PieceKind::Knight,
];

/// The drops of every set of held kinds, without their destination: `[set][with a pawn]`, a set
/// having bit `i` for `TEMPLATE_KINDS[i]`.
///
/// Kinds that may be dropped anywhere come first, then lance, (pawn,) knight, so that the kinds
/// allowed on each rank are always a prefix.
static TEMPLATES: [[[u16; SLACK]; 2]; 64] = {
    let mut table = [[[DROP; SLACK]; 2]; 64];
    let mut row = 0;
    while row < 64 {
        let mut pawn = 0;
        while pawn < 2 {
            let mut length = 0;
            let mut k = 0;
            while k < TEMPLATE_KINDS.len() {
                if pawn == 1 && k == 5 {
                    table[row][pawn][length] = drop_bits(PieceKind::Pawn);
                    length += 1;
                }
                if row >> k & 1 != 0 {
                    table[row][pawn][length] = drop_bits(TEMPLATE_KINDS[k]);
                    length += 1;
                }
                k += 1;
            }
            pawn += 1;
        }
        row += 1;
    }
    table
};

#[inline(always)]
const fn promotion_bit(promotion: Promotion) -> u16 {
    match promotion {
        Promotion::Stay => 0,
        Promotion::Promote => PROMOTION,
    }
}

#[inline(always)]
const fn drop_bits(kind: PieceKind) -> u16 {
    DROP | (kind as u16 + 1) << 7
}

/// The last rank and the last but one for `color`.
#[inline(always)]
fn far_ranks(color: Color) -> (Bitboard, Bitboard) {
    let first = Bitboard::far_ranks(color, 1);
    (first, Bitboard::far_ranks(color, 2) - first)
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        self.as_slice()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = Move;
    type IntoIter = std::iter::Copied<std::slice::Iter<'a, Move>>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter().copied()
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = MoveListIter;

    #[inline]
    fn into_iter(self) -> MoveListIter {
        MoveListIter { list: self, next: 0 }
    }
}

/// An iterator over the moves of a [`MoveList`], which it owns.
#[derive(Debug, Clone)]
pub struct MoveListIter {
    list: MoveList,
    next: usize,
}

impl Iterator for MoveListIter {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let m = *self.list.get(self.next)?;
        self.next += 1;
        Some(m)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.list.len() - self.next;
        (left, Some(left))
    }
}

impl ExactSizeIterator for MoveListIter {}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.as_slice()).finish()
    }
}
