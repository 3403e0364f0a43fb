//! The generator of captures and promotions, piece by piece.
//!
//! Few pieces have such a move, and most lists are short. The generator of all moves, which steps
//! with all pieces in one direction together, is the faster way to write many moves; here it would
//! walk through much code of each side to find most groups empty. One function for both sides stays
//! in the cache of instructions.

use std::ops::ControlFlow;

use komadai_core::{Bitboard, Color, Position, Square, attacks};

use crate::generate::Generator;
use crate::king_danger::danger_of;
use crate::sink::{MoveSink, Promotion};

/// The ranks on which a piece of each side promotes.
pub(crate) const ZONES: [Bitboard; 2] =
    [Bitboard::far_ranks(Color::Black, 3), Bitboard::far_ranks(Color::White, 3)];

/// The last two ranks of each side.
const LAST_TWOS: [Bitboard; 2] =
    [Bitboard::far_ranks(Color::Black, 2), Bitboard::far_ranks(Color::White, 2)];

/// Writes the legal captures and promotions without pointless non-promotions; the side to move is
/// not in check.
#[inline(never)]
pub(crate) fn tactical<S: MoveSink>(position: &Position, sink: &mut S) -> ControlFlow<()> {
    use komadai_core::PieceKind::*;
    debug_assert!(!position.in_check());
    let us = position.side();
    let (own, enemies) = (position.color(us), position.color(!us));
    let occupied = position.occupied();
    let (zone, last_two) = (ZONES[us as usize], LAST_TWOS[us as usize]);
    let mut free = own;
    if let Some(king) = position.king_square(us) {
        let steps = attacks::king(king) & enemies;
        if !steps.is_empty() {
            let danger = danger_of(us, position, king, occupied - king.into());
            sink.moves(king, steps - danger, Promotion::Stay)?;
        }
        let pinned = position.blockers(!us, king) & own;
        if !pinned.is_empty() {
            pinned_tactical(position, pinned, king, sink)?;
            free = own - pinned;
        }
    }
    // Captures end on enemies, promotions in the zone, or anywhere if they begin there.
    let targets = (enemies | zone) - own;
    let promoting_from = |from| if zone.contains(from) { !own } else { zone - own };

    // The pawns and knights whose steps end on no target are not looked at one by one.
    let (before, jumps) = match us {
        Color::Black => (targets.down(), targets.down_down_left() | targets.down_down_right()),
        Color::White => (targets.up(), targets.up_up_left() | targets.up_up_right()),
    };
    for from in position.kind(Pawn) & free & before {
        let to = attacks::pawn(us, from);
        sink.moves(from, to - zone, Promotion::Stay)?;
        sink.moves(from, to & zone, Promotion::Promote)?;
    }
    let knights = position.kind(Knight) & free & jumps;
    for from in position.kind(Lance) & free | knights {
        let reached = if knights.contains(from) {
            attacks::knight(us, from)
        } else {
            attacks::lance(us, from, occupied)
        };
        let to = reached & targets;
        if !to.is_empty() {
            sink.moves(from, (to & enemies) - last_two, Promotion::Stay)?;
            sink.moves(from, to & zone, Promotion::Promote)?;
        }
    }
    for from in position.kind(Silver) & free {
        let promoting = promoting_from(from);
        let to = attacks::silver(us, from);
        sink.moves(from, to & enemies, Promotion::Stay)?;
        sink.moves(from, to & promoting, Promotion::Promote)?;
    }
    for from in position.gold_movers() & free {
        sink.moves(from, attacks::gold(us, from) & enemies, Promotion::Stay)?;
    }
    let horses = position.kind(Horse);
    let diagonal = position.kind(Bishop) | horses;
    let promoted = horses | position.kind(Dragon);
    for from in (diagonal | promoted | position.kind(Rook)) & free {
        let reached = if diagonal.contains(from) {
            attacks::bishop(from, occupied)
        } else {
            attacks::rook(from, occupied)
        };
        if promoted.contains(from) {
            let to = reached | attacks::king(from);
            sink.moves(from, to & enemies, Promotion::Stay)?;
        } else {
            let promoting = promoting_from(from);
            sink.moves(from, (reached & enemies) - promoting, Promotion::Stay)?;
            sink.moves(from, reached & promoting, Promotion::Promote)?;
        }
    }
    ControlFlow::Continue(())
}

/// Writes the captures and promotions of pinned pieces.
#[cold]
fn pinned_tactical<S: MoveSink>(
    position: &Position,
    pinned: Bitboard,
    king: Square,
    sink: &mut S,
) -> ControlFlow<()> {
    let us = position.side();
    let stay = position.color(!us);
    let promote = !position.color(us);
    match us {
        Color::Black => {
            Generator::<true, false, true> { position, stay, promote }.pinned(pinned, king, sink)
        }
        Color::White => {
            Generator::<false, false, true> { position, stay, promote }.pinned(pinned, king, sink)
        }
    }
}
