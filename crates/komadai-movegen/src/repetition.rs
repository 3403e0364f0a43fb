//! Repetition of positions (千日手, sennichite) and perpetual check (連続王手の千日手).

use komadai_core::Position;
use komadai_core::history::Ply;

/// The consequence of a repetition for the side to move.
///
/// # Examples
///
/// ```
/// use komadai_core::UsiPosition;
/// use komadai_movegen::{MoveGen, Repetition, play};
///
/// let cycle = "5i5h 5a5b 5h5i 5b5a ".repeat(3);
/// let game = UsiPosition::from_usi(&format!("4k4/9/9/9/9/9/9/9/4K4 b - 1 moves {cycle}"))?;
/// assert_eq!(play(&game)?.repetition(), Repetition::Draw);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[doc(alias("千日手", "sennichite"))]
pub enum Repetition {
    /// No repetition that counts.
    None,
    /// A draw.
    Draw,
    /// A win for the side to move: every move of the opponent gave check.
    Win,
    /// A loss for the side to move: every one of its moves gave check.
    #[doc(alias = "連続王手の千日手")]
    Lose,
    /// The same board as before, but the side to move holds more pieces (優等局面). Not a rule of the
    /// game; searches treat it as almost a win.
    #[doc(alias = "優等局面")]
    Superior,
    /// The same board as before, but the side to move holds fewer pieces (劣等局面): the reverse of
    /// [`Superior`](Self::Superior).
    #[doc(alias = "劣等局面")]
    Inferior,
}

/// The number of occurrences at which the rule applies.
const FOURFOLD: usize = 4;

/// The fourfold repetition rule (千日手, sennichite).
///
/// The game is over when a position (board, hands and side to move) occurs for the fourth time. If
/// one side gave check with every move since the first of the four, it loses; the side to move in
/// the repeated position makes no difference. The rules do not define the case that every move of
/// both sides gave check; this function returns a draw.
///
/// If a game continued after the fourth occurrence, the latest four count. Returns
/// [`None`](Repetition::None), [`Draw`](Repetition::Draw), [`Win`](Repetition::Win) or
/// [`Lose`](Repetition::Lose). Time: one comparison for every two plies played.
#[must_use]
pub fn repetition(position: &Position) -> Repetition {
    match occurrences(position).nth(FOURFOLD - 2) {
        Some(plies) => verdict(position, plies),
        None => Repetition::None,
    }
}

/// Repetition inside a search, which treats the second occurrence like the fourth.
///
/// `ply_from_root` is the number of moves that the search has done. A position that occurred before
/// within these plies, without the root, counts as repeated at once; occurrences in the game up to
/// the root count by the [fourfold rule](repetition). Within the same plies, a board that occurred
/// with other hands is [`Superior`](Repetition::Superior) if the side to move now holds at least as
/// many pieces of each kind, and [`Inferior`](Repetition::Inferior) if its opponent does. The
/// nearest occurrence to which one of these cases applies decides. Plies before a null move do not
/// count.
#[must_use]
pub fn search_repetition(position: &Position, ply_from_root: usize) -> Repetition {
    let us = position.side();
    let hand = position.hand(us);
    for (plies, earlier) in same_board(position).take_while(|&(plies, _)| plies < ply_from_root) {
        if earlier.hands() == position.current().hands() {
            return verdict(position, plies);
        }
        let then = earlier.hands()[us as usize];
        // On the same board, the pieces that one side holds more are those that the other holds
        // less, so that comparing the hands of one side is enough.
        if hand.dominates(then) {
            return Repetition::Superior;
        }
        if then.dominates(hand) {
            return Repetition::Inferior;
        }
    }
    repetition(position)
}

/// The distances in plies to the earlier occurrences of this position, latest first.
fn occurrences(position: &Position) -> impl Iterator<Item = usize> {
    let hands = position.current().hands();
    same_board(position).filter(move |(_, ply)| ply.hands() == hands).map(|(plies, _)| plies)
}

/// The earlier plies with this board and this side to move, latest first, with their distances in
/// plies.
#[inline]
fn same_board(position: &Position) -> impl Iterator<Item = (usize, &Ply)> {
    let key = position.board_key();
    // No side can return to its position in one move, so that the nearest repetition is four plies
    // old; the side to move is the same at every second ply.
    position
        .reversible_history()
        .iter()
        .rev()
        .enumerate()
        .skip(3)
        .step_by(2)
        .map(|(index, ply)| (index + 1, ply))
        .filter(move |(_, ply)| ply.board_key() == key)
}

/// The verdict on a repetition after `plies`, by the sides whose every move in these gave check.
fn verdict(position: &Position, plies: usize) -> Repetition {
    let us = position.side();
    let all_checks = |color| position.check_run(color) >= plies / 2;
    match (all_checks(us), all_checks(!us)) {
        (true, false) => Repetition::Lose,
        (false, true) => Repetition::Win,
        _ => Repetition::Draw,
    }
}
