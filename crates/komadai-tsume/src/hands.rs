//! Arithmetic on hands, separately for each kind.

use komadai_core::{Hand, PieceKind};

/// The union: the smallest hand that dominates both.
pub(crate) fn union(a: Hand, b: Hand) -> Hand {
    if a.dominates(b) {
        return a;
    }
    combine(a, b, |_, a, b| a.max(b))
}

/// The intersection: the largest hand that both dominate.
pub(crate) fn intersection(a: Hand, b: Hand) -> Hand {
    if b.dominates(a) {
        return a;
    }
    combine(a, b, |_, a, b| a.min(b))
}

/// The sum: all pieces of both hands.
pub(crate) fn sum(a: Hand, b: Hand) -> Hand {
    combine(a, b, |kind, a, b| (a + b).min(PieceKind::TOTALS[kind as usize]))
}

/// The pieces of `a` whose kinds `b` holds.
pub(crate) fn kinds_held(a: Hand, b: Hand) -> Hand {
    combine(a, b, |_, a, b| if b > 0 { a } else { 0 })
}

/// The pieces of `a` whose kinds `b` does not hold.
pub(crate) fn kinds_not_held(a: Hand, b: Hand) -> Hand {
    combine(a, b, |_, a, b| if b > 0 { 0 } else { a })
}

/// The hand with one more piece of `kind`.
pub(crate) fn with_one_more(hand: Hand, kind: PieceKind) -> Hand {
    let kind = kind.unpromoted();
    hand.with(kind, (hand.count(kind) + 1).min(PieceKind::TOTALS[kind as usize]))
}

/// The hand with one piece of `kind` fewer. A hand without such a piece is returned unchanged.
pub(crate) fn with_one_less(hand: Hand, kind: PieceKind) -> Hand {
    let kind = kind.unpromoted();
    hand.with(kind, hand.count(kind).saturating_sub(1))
}

fn combine(a: Hand, b: Hand, count: impl Fn(PieceKind, u32, u32) -> u32) -> Hand {
    PieceKind::HAND
        .into_iter()
        .fold(Hand::EMPTY, |hand, kind| hand.with(kind, count(kind, a.count(kind), b.count(kind))))
}
