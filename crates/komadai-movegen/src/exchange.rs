//! Static exchange evaluation: the material that a move wins after all captures on its destination.
//!
//! After the move, the sides capture in turn on its destination, each with its least valuable
//! piece, and each may stop when another capture would lose material. A piece behind another takes
//! part once the line is open. The model contains these rules of shogi:
//!
//! - A capture counts twice, because the captor holds the piece that the owner loses: see
//!   [`capture_value`].
//! - A captor promotes wherever it can. Promotion costs nothing, because a promoted piece is
//!   captured as its unpromoted kind, and it gains if the piece is not captured.
//! - A piece that was pinned to its king before the move takes part only along the line of the pin;
//!   pins are not computed again during the exchange.
//! - A king captures only if the opponent has no attacker left.
//!
//! The model ignores checks during the exchange, and drops that guard the square.
//!
//! Source of the method: the swap algorithm, going back to Chess 4.5 (D. Slate and L. Atkin, "Chess
//! 4.5 – The Northwestern University Chess Program", in "Chess Skill in Man and Machine", 1977).

mod value;

use komadai_core::{Bitboard, Color, Move, PieceKind, Position, Square, attacks};

use self::value::promotion_value;
use crate::gives_check::kind_after;

pub use self::value::{capture_value, exchange_value};

/// The static exchange evaluation of `m`: the change of the material balance, in centipawns for the
/// side to move, when both sides then capture on its destination as long as they gain.
///
/// A drop or a quiet move of a piece that can be captured for free has the negative value of that
/// capture. For an illegal `m` the result is meaningless, but the function does not panic.
///
/// # Examples
///
/// ```
/// use komadai_core::PieceKind::{Pawn, Silver};
/// use komadai_core::Position;
/// use komadai_movegen::MoveGen;
/// use komadai_movegen::exchange::exchange_value;
///
/// // The silver takes a pawn that a gold guards.
/// let position = Position::from_sfen("4k4/9/5g3/4p4/4S4/9/9/9/4K4 b - 1")?;
/// let exchange = position.see("5e5d".parse()?);
/// assert_eq!(exchange, 2 * exchange_value(Pawn) - 2 * exchange_value(Silver));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("静的交換評価", "駒の取り合い"))]
pub fn see(position: &Position, m: Move) -> i32 {
    let Some((first, mut at_stake)) = first_gain(position, m) else { return 0 };
    // `gains[i]` is the gain of capture `i` for the side that makes it.
    let mut gains = [0; MOST_CAPTURES];
    let mut captures = 0;
    let Some(mut exchange) = Exchange::new(position, m) else { return first };
    while let Some(captor) = exchange.next_captor() {
        gains[captures] = capture_value(at_stake) + captor.promotion_gain;
        at_stake = captor.kind_after;
        captures += 1;
        if captures == MOST_CAPTURES {
            break;
        }
    }
    // From the last capture back to the first: a side captures only if it gains by that.
    let best = gains[..captures].iter().rev().fold(0, |reply, gain| (gain - reply).max(0));
    first - best
}

/// Returns whether [`see`] of `m` is at least `threshold` centipawns; stops as soon as that is
/// decided.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_movegen::MoveGen;
///
/// let position = Position::from_sfen("4k4/9/5g3/4p4/4S4/9/9/9/4K4 b - 1")?;
/// assert!(!position.see_at_least("5e5d".parse()?, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn see_at_least(position: &Position, m: Move, threshold: i32) -> bool {
    let Some((first, mut at_stake)) = first_gain(position, m) else { return threshold <= 0 };
    // The material that the opponent may win back without missing the threshold.
    let mut spare = first.saturating_sub(threshold);
    if spare < 0 {
        return false;
    }
    // The recapture cannot win more than this, and the mover may stop after it.
    if spare >= capture_value(at_stake) + MOST_PROMOTION_GAIN {
        return true;
    }
    let Some(mut exchange) = Exchange::new(position, m) else { return true };
    loop {
        let Some(captor) = exchange.next_captor() else { return true };
        let missing = capture_value(at_stake) + captor.promotion_gain - spare;
        if missing <= 0 {
            return true;
        }
        let Some(recaptor) = exchange.next_captor() else { return false };
        spare = capture_value(captor.kind_after) + recaptor.promotion_gain - missing;
        if spare < 0 {
            return false;
        }
        at_stake = recaptor.kind_after;
    }
}

/// The maximum number of captures: that of the pieces of the game.
const MOST_CAPTURES: usize = 40;

/// The maximum gain of a promotion during the exchange.
const MOST_PROMOTION_GAIN: i32 = {
    let mut most = 0;
    let mut i = 0;
    while i < PieceKind::COUNT {
        let gain = promotion_value(PieceKind::ALL[i]);
        if gain > most {
            most = gain;
        }
        i += 1;
    }
    most
};

/// The kinds from the least to the most valuable, which is the order in which they capture.
const ORDER: [PieceKind; PieceKind::COUNT] = {
    let mut order = PieceKind::ALL;
    let mut i = 1;
    while i < order.len() {
        let mut j = i;
        while j > 0 && exchange_value(order[j - 1]) > exchange_value(order[j]) {
            let kind = order[j];
            order[j] = order[j - 1];
            order[j - 1] = kind;
            j -= 1;
        }
        i += 1;
    }
    order
};

/// The gain of the move itself, and the kind on its destination after it; `None` for a move from an
/// empty square.
#[inline]
fn first_gain(position: &Position, m: Move) -> Option<(i32, PieceKind)> {
    let kind = kind_after(position, m)?;
    let captured = position.piece_on(m.to()).map_or(0, |piece| capture_value(piece.kind()));
    let promotion = if m.is_promotion() { promotion_value(kind.unpromoted()) } else { 0 };
    Some((captured + promotion, kind))
}

/// One capture of the exchange.
struct Captor {
    promotion_gain: i32,
    /// The kind that then stands on the square.
    kind_after: PieceKind,
}

/// The state of an exchange: the side to capture, and the pieces of both sides that take part.
struct Exchange<'a> {
    position: &'a Position,
    square: Square,
    side: Color,
    occupied: Bitboard,
    attackers: Bitboard,
    /// The pieces of each side whose pin keeps them from capturing; computed on first use.
    pinned: [Option<Bitboard>; 2],
}

impl<'a> Exchange<'a> {
    /// Starts the exchange after `m`; `None` if the opponent cannot capture.
    #[inline]
    fn new(position: &'a Position, m: Move) -> Option<Self> {
        let square = m.to();
        let mut occupied = position.occupied() | square.into();
        if let Some(from) = m.from() {
            occupied = occupied - from.into();
        }
        let side = !position.side();
        let captors = position.attackers_to(side, square, occupied);
        if captors.is_empty() {
            return None;
        }
        let attackers = (captors | position.attackers_to(!side, square, occupied)) & occupied;
        Some(Self { position, square, side, occupied, attackers, pinned: [None; 2] })
    }

    /// Captures with the least valuable piece of the side to capture; `None` if it has none.
    fn next_captor(&mut self) -> Option<Captor> {
        let side = self.side;
        let own = self.attackers & self.position.color(side);
        if own.is_empty() {
            return None;
        }
        let own = own - self.pinned(side);
        let kind = ORDER.into_iter().find(|&kind| !own.is_disjoint(self.position.kind(kind)))?;
        // A king may not capture a guarded piece.
        if kind == PieceKind::King && !self.attackers.is_disjoint(self.position.color(!side)) {
            return None;
        }
        let from = (own & self.position.kind(kind)).first()?;
        self.remove(from);
        self.side = !side;
        let promotes = kind.can_promote()
            && (from.is_promotion_zone(side) || self.square.is_promotion_zone(side));
        Some(match kind.promoted() {
            Some(kind_after) if promotes => {
                Captor { promotion_gain: promotion_value(kind), kind_after }
            }
            _ => Captor { promotion_gain: 0, kind_after: kind },
        })
    }

    /// Removes a piece, and adds the slider behind it that then attacks the square.
    #[inline]
    fn remove(&mut self, from: Square) {
        self.occupied = self.occupied - from.into();
        self.attackers = self.attackers - from.into();
        let behind = attacks::ray(self.square, from) & self.occupied;
        // Most lines have no slider on them, which this test finds without computing attacks.
        if behind.is_disjoint(self.position.sliders()) {
            return;
        }
        let straight = attacks::rook_lines(self.square).contains(from);
        let seen = if straight {
            attacks::rook(self.square, self.occupied)
        } else {
            attacks::bishop(self.square, self.occupied)
        };
        for next in seen & behind {
            let Some(piece) = self.position.piece_on(next) else { continue };
            let reach = attacks::of(piece.color(), piece.kind(), next, self.occupied);
            if reach.contains(self.square) {
                self.attackers |= next.into();
            }
        }
    }

    /// The pieces of `side` that are pinned to a line without the square of the exchange.
    #[inline]
    fn pinned(&mut self, side: Color) -> Bitboard {
        if let Some(pinned) = self.pinned[side] {
            return pinned;
        }
        let position = self.position;
        let pinned = position.king_square(side).map_or(Bitboard::EMPTY, |king| {
            let blockers = position.blockers(!side, king) & position.color(side);
            let along = |&from: &Square| !attacks::line_through(king, from).contains(self.square);
            blockers.iter().filter(along).collect()
        });
        self.pinned[side] = Some(pinned);
        pinned
    }
}
