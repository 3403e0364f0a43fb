//! The hands for which a proof or a disproof holds (proof pieces and disproof pieces, 証明駒, 反証駒).
//!
//! The pieces of a problem are constant, so with the same board a larger hand of the attacker means
//! a smaller hand of the defender. A proof therefore holds for every larger hand of the attacker,
//! and a disproof for every smaller one. The functions here compute the smallest hand of a proof
//! and the largest hand of a disproof, so that one table entry covers as many positions as
//! possible.
//!
//! The pawn-drop-mate rule does not contradict that: whether a dropped pawn mates depends on the
//! board alone, because no drop can parry a check from the adjacent square.

use komadai_core::{Color, Hand, Move, PieceKind, Position, attacks};

/// Returns the hand that the attacker needs so that no drop parries the check in `position`, which
/// is mate now.
///
/// The hand is empty if no square lies between the checking piece and the king. Otherwise the
/// attacker needs all pieces of the kinds that the defender does not hold: if the defender held one
/// of them, it could drop it as an interposition.
#[inline]
pub fn needed_against_drops(position: &Position, attacker: Color) -> Hand {
    let checkers = position.checkers();
    let can_interpose = !checkers.has_many()
        && checkers
            .first()
            .zip(position.king_square(!attacker))
            .is_some_and(|(checker, king)| !attacks::between(king, checker).is_empty());
    if can_interpose {
        kinds_not_held(position.hand(attacker), position.hand(!attacker))
    } else {
        Hand::EMPTY
    }
}

/// Returns the hand that the attacker needs in a position where every reply is mated: the union of
/// the hands needed against each reply, and the pieces without which the defender would have new
/// replies.
#[inline]
pub fn needed_against_all(
    position: &Position,
    attacker: Color,
    needed: impl Iterator<Item = Hand>,
) -> Hand {
    needed.fold(needed_against_drops(position, attacker), union)
}

/// Returns the largest hand with which the attacker does not mate in `position`, where every check
/// has failed. Each check comes with the largest hand after it with which it fails. The result
/// contains only kinds that the attacker holds now, because a new kind could give new checks.
#[inline]
pub fn failing(
    position: &Position,
    attacker: Color,
    checks: impl Iterator<Item = (Move, Hand)>,
) -> Hand {
    let all = sum(position.hand(Color::Black), position.hand(Color::White));
    let failing =
        checks.fold(all, |hand, (m, after)| intersection(hand, before_attack(position, m, after)));
    kinds_held(failing, position.hand(attacker))
}

/// Returns the attacker's hand before its move `m`, given the hand `after` it: a dropped piece is
/// added, a captured one removed.
#[inline]
pub fn before_attack(position: &Position, m: Move, after: Hand) -> Hand {
    match (m.dropped(), position.piece_on(m.to())) {
        (Some(kind), _) => with_one_more(after, kind),
        (None, Some(captured)) => with_one_less(after, captured.kind()),
        (None, None) => after,
    }
}

/// Returns the attacker's hand before a reply, given the hand `after` it, limited to the pieces
/// that are in the two hands. The limit keeps a piece that the reply drops with the defender.
#[inline]
pub fn before_reply(position: &Position, after: Hand) -> Hand {
    intersection(after, sum(position.hand(Color::Black), position.hand(Color::White)))
}

/// The union: the smallest hand that dominates both.
#[inline]
fn union(a: Hand, b: Hand) -> Hand {
    if a.dominates(b) {
        return a;
    }
    combine(a, b, |_, a, b| a.max(b))
}

/// The intersection: the largest hand that both dominate.
#[inline]
pub fn intersection(a: Hand, b: Hand) -> Hand {
    if b.dominates(a) {
        return a;
    }
    combine(a, b, |_, a, b| a.min(b))
}

/// The sum: all pieces of both hands.
#[inline]
fn sum(a: Hand, b: Hand) -> Hand {
    combine(a, b, |kind, a, b| (a + b).min(PieceKind::TOTALS[kind as usize]))
}

/// The pieces of `a` whose kinds `b` holds.
#[inline]
fn kinds_held(a: Hand, b: Hand) -> Hand {
    combine(a, b, |_, a, b| if b > 0 { a } else { 0 })
}

/// The pieces of `a` whose kinds `b` does not hold.
#[inline]
fn kinds_not_held(a: Hand, b: Hand) -> Hand {
    combine(a, b, |_, a, b| if b > 0 { 0 } else { a })
}

/// The hand with one more piece of `kind`.
#[inline]
pub(crate) fn with_one_more(hand: Hand, kind: PieceKind) -> Hand {
    let kind = kind.unpromoted();
    hand.with(kind, (hand.count(kind) + 1).min(PieceKind::TOTALS[kind as usize]))
}

/// The hand with one piece of `kind` fewer. A hand without such a piece is returned unchanged.
#[inline]
pub(crate) fn with_one_less(hand: Hand, kind: PieceKind) -> Hand {
    let kind = kind.unpromoted();
    hand.with(kind, hand.count(kind).saturating_sub(1))
}

#[inline]
fn combine(a: Hand, b: Hand, count: impl Fn(PieceKind, u32, u32) -> u32) -> Hand {
    PieceKind::HAND
        .into_iter()
        .fold(Hand::EMPTY, |hand, kind| hand.with(kind, count(kind, a.count(kind), b.count(kind))))
}
