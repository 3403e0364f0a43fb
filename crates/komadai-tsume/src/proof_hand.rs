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

use komadai_core::{Color, Hand, Move, Position, attacks};

use crate::hands::{
    intersection, kinds_held, kinds_not_held, sum, union, with_one_less, with_one_more,
};

/// Returns the hand that the attacker needs so that no drop parries the check in `position`, which
/// is mate now.
///
/// The hand is empty if no square lies between the checking piece and the king. Otherwise the
/// attacker needs all pieces of the kinds that the defender does not hold: if the defender held one
/// of them, it could drop it as an interposition.
pub(crate) fn needed_against_drops(position: &Position, attacker: Color) -> Hand {
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
pub(crate) fn needed_against_all(
    position: &Position,
    attacker: Color,
    needed: impl Iterator<Item = Hand>,
) -> Hand {
    needed.fold(needed_against_drops(position, attacker), union)
}

/// Returns the largest hand with which the attacker does not mate in `position`, where every check
/// has failed. Each check comes with the largest hand after it with which it fails. The result
/// contains only kinds that the attacker holds now, because a new kind could give new checks.
pub(crate) fn failing(
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
pub(crate) fn before_attack(position: &Position, m: Move, after: Hand) -> Hand {
    match (m.dropped(), position.piece_on(m.to())) {
        (Some(kind), _) => with_one_more(after, kind),
        (None, Some(captured)) => with_one_less(after, captured.kind()),
        (None, None) => after,
    }
}

/// Returns the attacker's hand before a reply, given the hand `after` it, limited to the pieces
/// that are in the two hands. The limit keeps a piece that the reply drops with the defender.
pub(crate) fn before_reply(position: &Position, after: Hand) -> Hand {
    intersection(after, sum(position.hand(Color::Black), position.hand(Color::White)))
}
