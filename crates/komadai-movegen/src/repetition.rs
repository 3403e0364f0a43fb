//! Repetition of positions (千日手, sennichite) and perpetual check (連続王手の千日手).

use core::iter;

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
///
/// Time: one comparison for every two plies of the game; [`SearchRepetition`] takes one for every
/// two plies from the root.
pub fn search_repetition(position: &Position, ply_from_root: usize) -> Repetition {
    repetition_from_root(position, ply_from_root).unwrap_or_else(|| repetition(position))
}

/// The function [`search_repetition`] for the positions of one search, whose game is looked through
/// once.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_movegen::{MoveGen, Repetition, repetition::SearchRepetition};
///
/// let mut position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b - 1")?;
/// let repetition = SearchRepetition::new(&position);
/// for m in ["5i5h", "5a5b", "5h5i", "5b5a", "5i5h"] {
///     position.do_move(m.parse()?);
/// }
/// assert_eq!(repetition.at(&position, 5), Repetition::Draw);
/// assert_eq!(repetition.at(&position, 5), position.search_repetition(5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct SearchRepetition {
    /// True if a board has occurred often enough for a fourth time to follow.
    counts_the_game: bool,
}

impl SearchRepetition {
    /// Prepares the test for a search from `root`. Time: n log n in the plies of the game.
    pub fn new(root: &Position) -> Self {
        let game = root.reversible_history().iter().map(Ply::board_key);
        let mut keys: Vec<u64> = game.chain([root.board_key()]).collect();
        keys.sort_unstable();
        Self {
            counts_the_game: keys.windows(FOURFOLD - 1).any(|keys| keys[0] == keys[FOURFOLD - 2]),
        }
    }

    /// Returns the [`search_repetition`] of a position that is `ply_from_root` moves below the
    /// root.
    #[inline]
    pub fn at(&self, position: &Position, ply_from_root: usize) -> Repetition {
        match repetition_from_root(position, ply_from_root) {
            Some(repetition) => repetition,
            None if self.counts_the_game => repetition(position),
            None => Repetition::None,
        }
    }

    /// Returns whether a board that has not occurred since the root may be repeated: for the fourth
    /// time, if it has occurred thrice before.
    #[inline]
    pub fn counts_the_game(&self) -> bool {
        self.counts_the_game
    }
}

/// The repetition of a position of the search; `None` if only the game before can decide.
#[inline]
fn repetition_from_root(position: &Position, ply_from_root: usize) -> Option<Repetition> {
    let plies = position.reversible_history();
    // The root itself does not count.
    let searched = &plies[plies.len() - plies.len().min(ply_from_root.saturating_sub(1))..];
    for (plies, earlier) in same_board(position, searched) {
        if earlier.hands() == position.current().hands() {
            return Some(verdict(position, plies));
        }
        let us = position.side();
        let hand = position.hand(us);
        let then = earlier.hands()[us as usize];
        // On the same board, the pieces that one side holds more are those that the other holds
        // less, so that comparing the hands of one side is enough.
        if hand.dominates(then) {
            return Some(Repetition::Superior);
        }
        if then.dominates(hand) {
            return Some(Repetition::Inferior);
        }
    }
    None
}

/// The distances in plies to the earlier occurrences of this position, latest first.
fn occurrences(position: &Position) -> impl Iterator<Item = usize> {
    let hands = position.current().hands();
    same_board(position, position.reversible_history())
        .filter(move |(_, ply)| ply.hands() == hands)
        .map(|(plies, _)| plies)
}

/// Those of the latest plies `among` that have this board and this side to move, latest first, with
/// their distances in plies.
#[inline]
fn same_board<'a>(
    position: &Position,
    among: &'a [Ply],
) -> impl Iterator<Item = (usize, &'a Ply)> + use<'a> {
    let key = position.board_key();
    // No side can return to its position in one move, so that the nearest repetition is four plies
    // old; the side to move is the same at every second ply.
    let mut plies = 2;
    iter::from_fn(move || {
        loop {
            plies += 2;
            let ply = among.get(among.len().checked_sub(plies)?)?;
            if ply.board_key() == key {
                return Some((plies, ply));
            }
        }
    })
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
