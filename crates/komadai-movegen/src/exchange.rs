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
use crate::tactical::ZONES;

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
        gains[captures] = at_stake + captor.promotion_gain;
        at_stake = captor.at_stake;
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
    // The recapture wins the piece, and more only by promoting; the mover may stop after it.
    if spare >= at_stake + MOST_PROMOTION_GAIN
        || spare >= at_stake && !may_promote(position, m.to())
    {
        return true;
    }
    let Some(mut exchange) = Exchange::new(position, m) else { return true };
    // The answer if the side to capture stops; it captures as long as that changes the answer.
    let mut is_reached = true;
    while let Some(captor) = exchange.next_captor() {
        // What the other side must win back, or may lose.
        spare = at_stake + captor.promotion_gain - spare;
        if spare < i32::from(is_reached) {
            break;
        }
        at_stake = captor.at_stake;
        is_reached = !is_reached;
    }
    is_reached
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
static ORDER: [PieceKind; PieceKind::COUNT] = {
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

/// The place of each kind in [`ORDER`].
static RANKS: [u8; PieceKind::COUNT] = {
    let mut ranks = [0; PieceKind::COUNT];
    let mut i = 0;
    while i < ORDER.len() {
        ranks[ORDER[i] as usize] = i as u8;
        i += 1;
    }
    ranks
};

/// Returns whether a piece of the opponent might promote by capturing on `square`.
#[inline]
fn may_promote(position: &Position, square: Square) -> bool {
    let them = !position.side();
    let zone = ZONES[them as usize];
    // Pieces promote on the way out of the zone if they move sideways or back.
    let leaving = position.kind(PieceKind::Silver)
        | position.kind(PieceKind::Bishop)
        | position.kind(PieceKind::Rook);
    zone.contains(square) || !(leaving & position.color(them)).is_disjoint(zone)
}

/// The gain of the move itself, and that of a capture of the piece on its destination after it;
/// `None` for a move from an empty square.
#[inline]
fn first_gain(position: &Position, m: Move) -> Option<(i32, i32)> {
    let kind = kind_after(position, m)?;
    let captured = position.piece_on(m.to()).map_or(0, |piece| capture_value(piece.kind()));
    let promotion = if m.is_promotion() { promotion_value(kind.unpromoted()) } else { 0 };
    Some((captured + promotion, capture_value(kind)))
}

/// One capture of the exchange.
#[derive(Clone, Copy)]
struct Captor {
    promotion_gain: i32,
    /// The gain of a capture of the piece that then stands on the square.
    at_stake: i32,
}

/// The captures by each kind, without and with promotion of those that can.
static CAPTORS: [[Captor; 2]; PieceKind::COUNT] = {
    let mut captors = [[Captor { promotion_gain: 0, at_stake: 0 }; 2]; PieceKind::COUNT];
    let mut i = 0;
    while i < PieceKind::COUNT {
        let kind = PieceKind::ALL[i];
        captors[i] = [Captor { promotion_gain: 0, at_stake: capture_value(kind) }; 2];
        if let Some(promoted) = kind.promoted() {
            captors[i][1] =
                Captor { promotion_gain: promotion_value(kind), at_stake: capture_value(promoted) };
        }
        i += 1;
    }
    captors
};

/// The state of an exchange: the side to capture, and the pieces of both sides that take part.
struct Exchange<'a> {
    position: &'a Position,
    square: Square,
    side: Color,
    occupied: Bitboard,
    attackers: Bitboard,
    /// The sliders on lines to the square that another piece blocks.
    hidden: Bitboard,
    /// The attackers found so far whose pin keeps them from capturing.
    held: Bitboard,
}

impl<'a> Exchange<'a> {
    /// Starts the exchange after `m`; `None` if the opponent cannot capture.
    #[inline(always)]
    fn new(position: &'a Position, m: Move) -> Option<Self> {
        use PieceKind::*;
        let square = m.to();
        let mut occupied = position.occupied() | square.into();
        if let Some(from) = m.from() {
            occupied = occupied - from.into();
        }
        let side = !position.side();
        let (own, other) = (position.color(side), position.color(!side));
        // The pieces of either side that attack the square by a step of these attacks.
        let steps = |attacks: fn(Color, Square) -> Bitboard| {
            attacks(!side, square) & own | attacks(side, square) & other
        };
        let (horses, dragons) = (position.kind(Horse), position.kind(Dragon));
        let mut attackers = steps(attacks::pawn) & position.kind(Pawn)
            | steps(attacks::knight) & position.kind(Knight)
            | steps(attacks::silver) & position.kind(Silver)
            | steps(attacks::gold) & position.gold_movers()
            | attacks::king(square) & (position.kind(King) | horses | dragons);
        let snipers = steps(attacks::lance_line) & position.kind(Lance)
            | attacks::bishop_lines(square) & (position.kind(Bishop) | horses)
            | attacks::rook_lines(square) & (position.kind(Rook) | dragons);
        let mut hidden = Bitboard::EMPTY;
        for sniper in snipers & occupied {
            if occupied.is_disjoint(attacks::between(square, sniper)) {
                attackers |= sniper.into();
            } else {
                hidden |= sniper.into();
            }
        }
        attackers &= occupied;
        if attackers.is_disjoint(own) {
            return None;
        }
        Some(Self { position, square, side, occupied, attackers, hidden, held: Bitboard::EMPTY })
    }

    /// Captures with the least valuable piece of the side to capture; `None` if it has none.
    #[inline(always)]
    fn next_captor(&mut self) -> Option<Captor> {
        let side = self.side;
        let (kind, from) = loop {
            let own = (self.attackers - self.held) & self.position.color(side);
            if own.is_empty() {
                return None;
            }
            let (kind, from) = self.least_of(own)?;
            if !self.is_held(from) {
                break (kind, from);
            }
            self.held |= from.into();
        };
        self.remove(from);
        self.side = !side;
        // A king may not capture a guarded piece.
        if kind == PieceKind::King && !self.attackers.is_disjoint(self.position.color(!side)) {
            return None;
        }
        let squares = Bitboard::from_square(from) | self.square.into();
        let promotes = !squares.is_disjoint(ZONES[side as usize]);
        Some(CAPTORS[kind][usize::from(promotes)])
    }

    /// The least valuable of these pieces, of equals that with the lowest square.
    #[inline(always)]
    fn least_of(&self, pieces: Bitboard) -> Option<(PieceKind, Square)> {
        let mut least = u16::MAX;
        for square in pieces {
            if let Some(piece) = self.position.piece_on(square) {
                least = least.min(u16::from(RANKS[piece.kind()]) << 8 | square as u16);
            }
        }
        let kind = *ORDER.get(usize::from(least >> 8))?;
        Some((kind, Square::from_index(usize::from(least & 0xff))?))
    }

    /// Removes a piece, and adds the slider behind it that then attacks the square.
    #[inline]
    fn remove(&mut self, from: Square) {
        self.occupied = self.occupied - from.into();
        self.attackers = self.attackers - from.into();
        for slider in self.hidden {
            if self.occupied.is_disjoint(attacks::between(self.square, slider)) {
                self.attackers |= slider.into();
                self.hidden = self.hidden - slider.into();
            }
        }
    }

    /// Returns whether the piece of the side to capture is pinned to a line without the square.
    #[inline]
    fn is_held(&self, from: Square) -> bool {
        let Some(king) = self.position.king_square(self.side) else { return false };
        let beyond = attacks::ray(king, from);
        // Most attackers share no line with their king, or one without a slider.
        if beyond.is_disjoint(self.position.sliders() & self.position.color(!self.side)) {
            return false;
        }
        self.is_pinned_across(king, from)
    }

    #[cold]
    #[inline(never)]
    fn is_pinned_across(&self, king: Square, from: Square) -> bool {
        !attacks::line_through(king, from).contains(self.square)
            && self.position.blockers(!self.side, king).contains(from)
    }
}
