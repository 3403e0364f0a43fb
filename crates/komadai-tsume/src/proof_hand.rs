//! Which hands a proof or a disproof holds for.
//!
//! The pieces of a problem are constant, so on one board a larger hand of the attacker is a smaller
//! one of the defender. A proof then holds for every larger hand of the attacker and a disproof for
//! every smaller one, and the art is to find the smallest and the largest.
//!
//! No rule stands against that: whether a dropped pawn mates depends on the board alone, because
//! such a check cannot be parried by a drop.

use komadai_core::{Color, Hand, Move, Position, attacks};

use crate::hands::{
    kinds_held, kinds_not_held, least_of_each, most_of_each, together, with_one_less, with_one_more,
};

/// What the attacker must hold so that no drop parries the check in `position`, given that none
/// does now.
///
/// Nothing, unless the check can be parried by a drop. Then a kind that only the attacker holds must
/// all stay with it: the defender, given one, could drop it.
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

/// What the attacker needs where every reply is mated: what the hardest reply needs, and what keeps
/// new replies from arising.
pub(crate) fn needed_against_all(
    position: &Position,
    attacker: Color,
    needed: impl Iterator<Item = Hand>,
) -> Hand {
    needed.fold(needed_against_drops(position, attacker), most_of_each)
}

/// The largest hand of the attacker that does not mate in `position`, where every check has failed,
/// each with the given hand or a smaller one after it. Of kinds that the attacker does not hold it
/// must not have any either, as they could give new checks.
pub(crate) fn failing(
    position: &Position,
    attacker: Color,
    checks: impl Iterator<Item = (Move, Hand)>,
) -> Hand {
    let all = together(position.hand(Color::Black), position.hand(Color::White));
    let failing =
        checks.fold(all, |hand, (m, after)| least_of_each(hand, before_attack(position, m, after)));
    kinds_held(failing, position.hand(attacker))
}

/// The attacker's hand before its move `m` that leads to `after`: what was dropped is added, what
/// was captured taken away.
pub(crate) fn before_attack(position: &Position, m: Move, after: Hand) -> Hand {
    match (m.dropped(), position.piece_on(m.to())) {
        (Some(kind), _) => with_one_more(after, kind),
        (None, Some(captured)) => with_one_less(after, captured.kind()),
        (None, None) => after,
    }
}

/// The attacker's hand before a reply that leads to `after` or less: no more than there is. So what
/// the reply drops is still with the defender.
pub(crate) fn before_reply(position: &Position, after: Hand) -> Hand {
    least_of_each(after, together(position.hand(Color::Black), position.hand(Color::White)))
}
