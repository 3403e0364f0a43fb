//! Repetition of positions (千日手, sennichite) and perpetual check (連続王手の千日手).

use komadai_core::Position;
use komadai_core::history::Ply;

/// What the repetition of a position means for the side to move.
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
pub enum Repetition {
    /// Nothing is repeated often enough.
    None,
    /// A draw.
    Draw,
    /// The opponent has done nothing but give check: the side to move wins.
    Win,
    /// The side to move has done nothing but give check: it loses.
    Lose,
    /// The same board as before, but the side to move holds more than then (優等局面). No rule of
    /// the game, only a hint for a search: almost a win.
    Superior,
    /// The same board as before, but the side to move holds less than then (劣等局面). As
    /// [`Superior`](Self::Superior), the other way round.
    Inferior,
}

/// How often a position must occur for the rule to apply.
const FOURFOLD: usize = 4;

/// The fourfold repetition rule (千日手, sennichite).
///
/// The game is over when a position (board, hands and side to move) occurs for the fourth time. If
/// one side gave check with every move since the first of the four, it loses; whose turn the
/// repeated position is makes no difference. The rules do not say what happens if both sides did
/// nothing but give check; that is a draw here.
///
/// If a game went on after the fourth occurrence, the latest four are judged. Answers
/// [`None`](Repetition::None), [`Draw`](Repetition::Draw), [`Win`](Repetition::Win) or
/// [`Lose`](Repetition::Lose). Time: one comparison for every two plies played.
#[must_use]
pub fn repetition(position: &Position) -> Repetition {
    match occurrences(position).nth(FOURFOLD - 2) {
        Some(plies) => verdict(position, plies),
        None => Repetition::None,
    }
}

/// Repetition as a search wants to know it, which cannot afford to go round four times.
///
/// `ply_from_root` is the number of moves the search has done. A position that occurred before
/// within these plies, the root left out, is judged at once; what happened in the game up to the
/// root counts by the [fourfold rule](repetition). Within the same plies, a board that occurred
/// with other hands is [`Superior`](Repetition::Superior) if the side to move holds at least as much of
/// everything as then, and [`Inferior`](Repetition::Inferior) if its opponent does. The nearest
/// occurrence that means something decides. A null move hides what was before it.
#[must_use]
pub fn search_repetition(position: &Position, ply_from_root: usize) -> Repetition {
    let us = position.side();
    let hand = position.hand(us);
    for (plies, earlier) in same_board(position).take_while(|&(plies, _)| plies < ply_from_root) {
        if earlier.hands() == position.current().hands() {
            return verdict(position, plies);
        }
        let then = earlier.hands()[us as usize];
        // On the same board, what one side holds more the other holds less.
        if hand.dominates(then) {
            return Repetition::Superior;
        }
        if then.dominates(hand) {
            return Repetition::Inferior;
        }
    }
    repetition(position)
}

/// How many plies ago this position occurred, latest first.
fn occurrences(position: &Position) -> impl Iterator<Item = usize> {
    let hands = position.current().hands();
    same_board(position).filter(move |(_, ply)| ply.hands() == hands).map(|(plies, _)| plies)
}

/// The earlier plies with this board and this side to move, latest first, and how long ago.
#[inline]
fn same_board(position: &Position) -> impl Iterator<Item = (usize, &Ply)> {
    let key = position.board_key();
    // Neither side can come back in one move, so the nearest repetition is four plies old.
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

/// Who, if anyone, gave check with every one of its moves in the last `plies`.
fn verdict(position: &Position, plies: usize) -> Repetition {
    let us = position.side();
    let all_checks = |color| position.check_run(color) >= plies / 2;
    match (all_checks(us), all_checks(!us)) {
        (true, false) => Repetition::Lose,
        (false, true) => Repetition::Win,
        _ => Repetition::Draw,
    }
}
