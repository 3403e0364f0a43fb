//! Mates and refutations of a few plies, looked for before a new position is searched.

use komadai_core::{Hand, Move};
use komadai_movegen::MoveList;
use smallvec::SmallVec;

use crate::game::Game;
use crate::numbers::Node;

/// Returns a check with which the attacker mates within three plies, and the smallest hand with which this holds.
#[cold]
pub(crate) fn mate_in_three(game: &mut impl Game) -> Option<(Move, Hand)> {
    let mut checks = MoveList::new();
    game.list_moves(Node::Attack, &mut checks);
    checks.into_iter().find_map(|check| {
        game.do_move(check);
        let hand = mated_in_two(game);
        game.undo_move();
        Some((check, game.hand_before(check, hand?)))
    })
}

/// Returns the smallest hand of the attacker with which every reply is mated at once, if it is.
fn mated_in_two(game: &mut impl Game) -> Option<Hand> {
    let mut replies = MoveList::new();
    game.list_moves(Node::Defence, &mut replies);
    if replies.is_empty() {
        return Some(game.mating_hand());
    }
    let mut hands = SmallVec::<[Hand; 64]>::new();
    for reply in &replies {
        game.do_move(reply);
        let mate = game.mate_in_one();
        game.undo_move();
        hands.push(mate?.1);
    }
    Some(game.hand_against(hands.into_iter()))
}

/// Returns the largest hand of the attacker with which some reply to the check on the board leaves no further check,
/// if there is such a reply.
#[cold]
pub(crate) fn refutation(game: &mut impl Game) -> Option<Hand> {
    let mut replies = MoveList::new();
    game.list_moves(Node::Defence, &mut replies);
    replies.into_iter().filter(|reply| !reply.is_drop()).find_map(|reply| {
        game.do_move(reply);
        let is_over = !game.has_check();
        let hand = is_over.then(|| game.failing_hand(std::iter::empty()));
        game.undo_move();
        Some(game.hand_before_reply(hand?))
    })
}
