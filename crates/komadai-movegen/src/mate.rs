//! Complete detection of mate in one move (一手詰め).

use std::ops::ControlFlow;

use komadai_core::{Bitboard, Move, Position, Square, attacks};

use crate::checks::{Useful, checks_that};
use crate::generate::generate_into;
use crate::gives_check::kind_after;
use crate::king_danger::danger_of;
use crate::move_list::{MoveList, MoveListIter};
use crate::sink::{AnyMove, ForEach};

/// A move that gives mate, if there is one.
///
/// Finds every kind of mate: by drops, by distant, discovered and double checks, by moves that also
/// parry a check against the own king, and by pieces that do not promote. A pawn drop never mates
/// (打ち歩詰め). The choice among several mates is unspecified but deterministic.
///
/// Only checks are generated. A check from which the king can step away, as from most checks, is
/// rejected without doing the move.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_movegen::MoveGen;
///
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1")?;
/// assert_eq!(position.mate_in_one(), Some("G*5b".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("一手詰め", "1手詰め", "ittezume"))]
pub fn mate_in_one(position: &Position) -> Option<Move> {
    let king = position.king_square(!position.side())?;
    let mut escapes = None;
    first_mate(position, Useful::ALL, || {
        *escapes.get_or_insert_with(|| Escapes::new(position, king))
    })
}

/// A move that gives mate, like [`mate_in_one`], but `None` at once if the king has more than
/// `most` unguarded squares to go to.
///
/// This saves most of the work in a search that tests for mate at every node: most kings in a
/// search have three or more such squares, and few of these can be mated in one.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_movegen::mate::{mate_in_one, mate_of_confined_king};
///
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1")?;
/// let mate = mate_in_one(&position);
/// assert!(mate.is_some());
/// assert_eq!(mate_of_confined_king(&position, 4), mate);
/// assert_eq!(mate_of_confined_king(&position, 1), None, "the pawn guards one of five squares");
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
pub fn mate_of_confined_king(position: &Position, most: u32) -> Option<Move> {
    let king = position.king_square(!position.side())?;
    let escapes = Escapes::new(position, king);
    if escapes.unguarded.len() > most {
        return None;
    }
    first_mate(position, escapes.useful_checks(), || escapes)
}

/// All moves that give mate, in an unspecified but deterministic order.
///
/// [`mate_in_one`] returns the first of them. A promotion and the same move without it are two
/// moves.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_movegen::mate::mates_in_one;
///
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b GS 1")?;
/// let mates: Vec<_> = mates_in_one(&position).map(|m| m.to_string()).collect();
/// assert_eq!(mates, ["G*5b"]);
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
pub fn mates_in_one(position: &Position) -> MoveListIter {
    let mut mates = MoveList::new();
    if let Some(king) = position.king_square(!position.side()) {
        let escapes = Escapes::new(position, king);
        each_mate(
            position,
            escapes.useful_checks(),
            || escapes,
            |m| {
                mates.push(m);
                ControlFlow::Continue(())
            },
        );
    }
    mates.into_iter()
}

/// The first check that mates.
#[inline]
fn first_mate<'a>(
    position: &'a Position,
    checks: Useful,
    escapes: impl FnMut() -> Escapes<'a>,
) -> Option<Move> {
    let mut mate = None;
    each_mate(position, checks, escapes, |m| {
        mate = Some(m);
        ControlFlow::Break(())
    });
    mate
}

/// Calls `on_mate` with each check that mates, until it breaks.
#[inline]
fn each_mate<'a>(
    position: &'a Position,
    checks: Useful,
    mut escapes: impl FnMut() -> Escapes<'a>,
    mut on_mate: impl FnMut(Move) -> ControlFlow<()>,
) {
    let mut scratch = None;
    let mut sink = ForEach(|m| {
        if !escapes().remain_after(m) {
            let next = scratch.get_or_insert_with(|| position.without_history());
            next.do_move(m);
            let is_mate = generate_into(next, &mut AnyMove).is_continue();
            next.undo_move();
            if is_mate {
                return on_mate(m);
            }
        }
        ControlFlow::Continue(())
    });
    let _ = checks_that::<true, _>(position, checks, &mut sink);
}

/// The squares to which the king to be mated can go.
#[derive(Clone, Copy)]
struct Escapes<'a> {
    position: &'a Position,
    king: Square,
    /// Its neighbours that no piece guards before the check is given.
    unguarded: Bitboard,
    /// Its neighbours that a piece guards, and perhaps other squares.
    guarded: Bitboard,
}

impl<'a> Escapes<'a> {
    fn new(position: &'a Position, king: Square) -> Self {
        let them = !position.side();
        let occupied = position.occupied() - king.into();
        let danger = danger_of(them, position, king, occupied);
        let unguarded = attacks::king(king) - position.color(them) - danger;
        Self { position, king, unguarded, guarded: danger }
    }

    /// Returns the checks that can mate: a piece next to the king is guarded, and a dropped one,
    /// which is no pawn, takes the unguarded squares from the king.
    fn useful_checks(&self) -> Useful {
        let to = self.guarded | !attacks::king(self.king);
        Useful { to, covering: self.unguarded, pawn_drops: false }
    }

    /// Returns whether the king has a square to go to after `m`, including that of the checking
    /// piece.
    fn remain_after(&self, m: Move) -> bool {
        let Self { position, king, unguarded, .. } = *self;
        let us = position.side();
        let to = Bitboard::from_square(m.to());
        let Some(kind) = kind_after(position, m) else { return true };
        let (from, opened) = match m.from() {
            Some(from) => (from.into(), attacks::rook_lines(from) | attacks::bishop_lines(from)),
            None => (Bitboard::EMPTY, Bitboard::EMPTY),
        };
        // Without the king, so that a slider also guards the squares behind it.
        let occupied = (position.occupied() | to) - from - king.into();
        let guarded = attacks::of(us, kind, m.to(), occupied);
        // An unguarded square stays unguarded, unless the moved piece or a slider behind its origin
        // guards it now. This decides most checks; the exact test follows.
        if !(unguarded - guarded - opened).is_empty() {
            return true;
        }
        let own = position.color(!us) - to;
        let squares = attacks::king(king) - own - guarded;
        squares.iter().any(|square| (position.attackers_to(us, square, occupied) - from).is_empty())
    }
}
