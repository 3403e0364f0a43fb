//! Generation of the legal moves of a class: captures, promotions, quiet moves, drops, checks.

use std::ops::ControlFlow;

use bitflags::bitflags;
use komadai_core::{Bitboard, Color, PieceKind, Position, Square};

use crate::checks::checks;
use crate::generate::{Within, legal};
use crate::move_list::MoveList;
use crate::sink::{Drops, MoveSink, Promotion, Step};
use crate::tactical::tactical;

bitflags! {
    /// A set of kinds of moves, with restrictions.
    ///
    /// Every legal move is of exactly one of the four kinds [`CAPTURES`](Self::CAPTURES),
    /// [`PROMOTIONS`](Self::PROMOTIONS), [`QUIETS`](Self::QUIETS) and [`DROPS`](Self::DROPS).
    /// [`CHECKS`](Self::CHECKS) and [`USEFUL`](Self::USEFUL) restrict the given kinds; without any
    /// kind they restrict [`ALL`](Self::ALL).
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Position;
    /// use komadai_movegen::{MoveClass, MoveList, generate_class};
    ///
    /// let position = Position::from_sfen("4k4/4p4/9/4P4/9/9/9/9/4K4 b G 1")?;
    /// let mut list = MoveList::new();
    /// generate_class(&position, MoveClass::DROPS | MoveClass::CHECKS, &mut list);
    /// let mut drops: Vec<String> = list.iter().map(ToString::to_string).collect();
    /// drops.sort_unstable();
    /// assert_eq!(drops, ["G*4a", "G*4b", "G*6a", "G*6b"]);
    /// # Ok::<(), komadai_core::SfenError>(())
    /// ```
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct MoveClass: u8 {
        /// Captures, with or without promotion.
        const CAPTURES = 1;
        /// Promotions that capture nothing.
        const PROMOTIONS = 1 << 1;
        /// Board moves that neither capture nor promote, including those of the king.
        const QUIETS = 1 << 2;
        /// Drops.
        const DROPS = 1 << 3;
        /// Only moves that give check.
        const CHECKS = 1 << 4;
        /// Without pointless non-promotions: those of pawns, bishops and rooks that could promote,
        /// and those of lances that reach the last two ranks.
        const USEFUL = 1 << 5;

        /// Board moves.
        const BOARD = Self::CAPTURES.bits() | Self::PROMOTIONS.bits() | Self::QUIETS.bits();
        /// All legal moves.
        const ALL = Self::BOARD.bits() | Self::DROPS.bits();
        /// All legal moves of a position in check, in which every class contains evasions only.
        const EVASIONS = Self::ALL.bits();
        /// Captures and promotions without pointless non-promotions, as a quiescence search needs
        /// them.
        const TACTICAL = Self::CAPTURES.bits() | Self::PROMOTIONS.bits() | Self::USEFUL.bits();
    }
}

impl MoveClass {
    /// The kinds of moves in the class.
    #[inline]
    fn kinds(self) -> Self {
        let kinds = self.intersection(Self::ALL);
        if kinds.is_empty() && !self.is_empty() { Self::ALL } else { kinds }
    }
}

/// Adds the legal moves of `class` to `list`.
#[inline]
pub fn generate_class(position: &Position, class: MoveClass, list: &mut MoveList) {
    let _ = generate_class_into(position, class, list);
}

/// Adds the legal moves without pointless non-promotions to `list`: the moves that an engine
/// searches.
///
/// Pawns, bishops and rooks always promote if they can, lances if they reach the last two ranks. In
/// exceptional positions, most of them composed, only such a non-promotion saves the game, because
/// it avoids a mate by a dropped pawn.
#[inline]
pub fn generate_useful(position: &Position, list: &mut MoveList) {
    let _ = dispatch::<false, false, _>(position, Within::BOARD, list);
}

/// Adds the legal moves that give check to `list`, with all non-promotions.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_movegen::{MoveList, generate_checks};
///
/// // Wherever the knight goes, the rook behind it gives check.
/// let position = Position::from_sfen("4k4/9/9/9/4N4/4R4/9/9/4K4 b - 1")?;
/// let mut list = MoveList::new();
/// generate_checks(&position, &mut list);
/// assert_eq!(list.len(), 4);
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[inline]
pub fn generate_checks(position: &Position, list: &mut MoveList) {
    let _ = checks::<true, _>(position, list);
}

/// Writes the legal moves of `class` to a sink, until the sink returns
/// [`Break`](ControlFlow::Break).
#[inline]
pub fn generate_class_into<S: MoveSink>(
    position: &Position,
    class: MoveClass,
    sink: &mut S,
) -> ControlFlow<()> {
    if class == MoveClass::TACTICAL && !position.in_check() {
        return tactical(position, &mut Sparse(sink));
    }
    any_class(position, class, sink)
}

#[inline(never)]
fn any_class<S: MoveSink>(position: &Position, class: MoveClass, sink: &mut S) -> ControlFlow<()> {
    let kinds = class.kinds();
    let enemies = position.color(!position.side());
    let empty = !position.occupied();
    let captures = when(kinds.contains(MoveClass::CAPTURES), enemies);
    let stay = captures | when(kinds.contains(MoveClass::QUIETS), empty);
    let promote = captures | when(kinds.contains(MoveClass::PROMOTIONS), empty);
    let drops = when(kinds.contains(MoveClass::DROPS), empty);

    let useful = class.contains(MoveClass::USEFUL);
    if class.contains(MoveClass::CHECKS) {
        let mut only = Only { stay, promote, drops: !drops.is_empty(), sink };
        return if useful {
            checks::<false, _>(position, &mut only)
        } else {
            checks::<true, _>(position, &mut only)
        };
    }
    let within = Within { stay, promote, drops };
    let sink = &mut Sparse(sink);
    match (useful, stay == promote) {
        (true, true) => dispatch::<false, false, _>(position, within, sink),
        (true, false) => dispatch::<false, true, _>(position, within, sink),
        (false, true) => dispatch::<true, false, _>(position, within, sink),
        (false, false) => dispatch::<true, true, _>(position, within, sink),
    }
}

fn dispatch<const ALL: bool, const SPLIT: bool, S: MoveSink>(
    position: &Position,
    within: Within,
    sink: &mut S,
) -> ControlFlow<()> {
    match position.side() {
        Color::Black => legal::<true, ALL, SPLIT, S>(position, within, sink),
        Color::White => legal::<false, ALL, SPLIT, S>(position, within, sink),
    }
}

#[inline]
fn when(included: bool, squares: Bitboard) -> Bitboard {
    if included { squares } else { Bitboard::EMPTY }
}

/// A sink for few moves: most groups are empty, and the code that writes the others is shared.
///
/// The code of a generator with a copy of the writing code for each group has 13 KiB for each side,
/// which a search does not keep in the cache of instructions.
#[derive(Debug)]
struct Sparse<'a, S>(&'a mut S);

impl<S: MoveSink> MoveSink for Sparse<'_, S> {
    #[inline(always)]
    fn steps(&mut self, to: Bitboard, step: Step, promotion: Promotion) -> ControlFlow<()> {
        if to.is_empty() { ControlFlow::Continue(()) } else { steps(self.0, to, step, promotion) }
    }

    #[inline(always)]
    fn moves(&mut self, from: Square, to: Bitboard, promotion: Promotion) -> ControlFlow<()> {
        if to.is_empty() { ControlFlow::Continue(()) } else { moves(self.0, from, to, promotion) }
    }

    #[inline(always)]
    fn drops(&mut self, drops: Drops) -> ControlFlow<()> {
        self::drops(self.0, drops)
    }

    #[inline(always)]
    fn drops_of(&mut self, kind: PieceKind, to: Bitboard) -> ControlFlow<()> {
        self.0.drops_of(kind, to)
    }
}

#[inline(never)]
fn steps<S: MoveSink>(
    sink: &mut S,
    to: Bitboard,
    step: Step,
    promotion: Promotion,
) -> ControlFlow<()> {
    sink.steps(to, step, promotion)
}

#[inline(never)]
fn moves<S: MoveSink>(
    sink: &mut S,
    from: Square,
    to: Bitboard,
    promotion: Promotion,
) -> ControlFlow<()> {
    sink.moves(from, to, promotion)
}

#[inline(never)]
fn drops<S: MoveSink>(sink: &mut S, drops: Drops) -> ControlFlow<()> {
    sink.drops(drops)
}

/// A sink that passes on the moves to allowed squares, which differ by promotion.
#[derive(Debug)]
struct Only<'a, S> {
    stay: Bitboard,
    promote: Bitboard,
    drops: bool,
    sink: &'a mut S,
}

impl<S> Only<'_, S> {
    #[inline]
    fn allowed(&self, promotion: Promotion) -> Bitboard {
        match promotion {
            Promotion::Stay => self.stay,
            Promotion::Promote => self.promote,
        }
    }
}

impl<S: MoveSink> MoveSink for Only<'_, S> {
    #[inline]
    fn steps(&mut self, to: Bitboard, step: Step, promotion: Promotion) -> ControlFlow<()> {
        let to = to & self.allowed(promotion);
        if to.is_empty() { ControlFlow::Continue(()) } else { self.sink.steps(to, step, promotion) }
    }

    #[inline]
    fn moves(&mut self, from: Square, to: Bitboard, promotion: Promotion) -> ControlFlow<()> {
        let to = to & self.allowed(promotion);
        if to.is_empty() { ControlFlow::Continue(()) } else { self.sink.moves(from, to, promotion) }
    }

    #[inline]
    fn drops(&mut self, drops: Drops) -> ControlFlow<()> {
        if self.drops { self.sink.drops(drops) } else { ControlFlow::Continue(()) }
    }

    #[inline]
    fn drops_of(&mut self, kind: PieceKind, to: Bitboard) -> ControlFlow<()> {
        if self.drops { self.sink.drops_of(kind, to) } else { ControlFlow::Continue(()) }
    }
}
