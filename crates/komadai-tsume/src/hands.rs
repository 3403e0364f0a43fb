//! Arithmetic on hands, kind by kind.

use komadai_core::{Hand, PieceKind};

/// The smallest hand that dominates both.
pub(crate) fn most_of_each(a: Hand, b: Hand) -> Hand {
    if a.dominates(b) {
        return a;
    }
    combine(a, b, |_, a, b| a.max(b))
}

/// The largest hand that both dominate.
pub(crate) fn least_of_each(a: Hand, b: Hand) -> Hand {
    if b.dominates(a) {
        return a;
    }
    combine(a, b, |_, a, b| a.min(b))
}

/// All pieces of both hands.
pub(crate) fn together(a: Hand, b: Hand) -> Hand {
    combine(a, b, |kind, a, b| (a + b).min(PieceKind::TOTALS[kind as usize]))
}

/// What is left of `a` when only the kinds that `b` holds are kept.
pub(crate) fn kinds_held(a: Hand, b: Hand) -> Hand {
    combine(a, b, |_, a, b| if b > 0 { a } else { 0 })
}

/// What is left of `a` when the kinds that `b` holds are taken out.
pub(crate) fn kinds_not_held(a: Hand, b: Hand) -> Hand {
    combine(a, b, |_, a, b| if b > 0 { 0 } else { a })
}

/// One piece more.
pub(crate) fn with_one_more(hand: Hand, kind: PieceKind) -> Hand {
    let kind = kind.unpromoted();
    hand.with(kind, (hand.count(kind) + 1).min(PieceKind::TOTALS[kind as usize]))
}

/// One piece less; a hand without such a piece stays as it is.
pub(crate) fn with_one_less(hand: Hand, kind: PieceKind) -> Hand {
    let kind = kind.unpromoted();
    hand.with(kind, hand.count(kind).saturating_sub(1))
}

fn combine(a: Hand, b: Hand, count: impl Fn(PieceKind, u32, u32) -> u32) -> Hand {
    PieceKind::HAND
        .into_iter()
        .fold(Hand::EMPTY, |hand, kind| hand.with(kind, count(kind, a.count(kind), b.count(kind))))
}
