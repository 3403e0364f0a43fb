//! The seam between a book and whoever plays games for it.

use std::collections::HashMap;
use std::ops::ControlFlow;

use komadai_core::{Color, Move, Score, Setup};

use crate::games::{KnownMoves, PlayableMove};
use komadai_bookgraph::BookGame;

/// Plays games between a side that has the book and opponents that do not (S1.2).
///
/// How the players are run is its own matter; so is the referee, who believes none of them. The
/// arena itself plays the book's moves, so that any engine can be the book's side, book moves cost
/// no time, and where the book was left is known exactly.
pub trait Arena {
    /// Plays the games of an order and tells `hear` of each on the caller's thread, in the order in
    /// which they end. When `hear` breaks off, games in progress count for nothing.
    ///
    /// # Errors
    ///
    /// When there is nobody to play, or nobody left. What was heard of until then is sound.
    fn play(
        &mut self,
        order: &MatchOrder,
        book: &(dyn KnownMoves + Sync),
        hear: &mut dyn FnMut(MatchReport) -> ControlFlow<()>,
    ) -> Result<(), ArenaError> {
        self.play_rest(order, &PlayedBefore::default(), book, hear)
    }

    /// Plays the games of an order that have not been played before, as [`play`](Self::play) does: the
    /// order was broken off, and now it goes on.
    ///
    /// # Errors
    ///
    /// As [`play`](Self::play).
    fn play_rest(
        &mut self,
        order: &MatchOrder,
        before: &PlayedBefore,
        book: &(dyn KnownMoves + Sync),
        hear: &mut dyn FnMut(MatchReport) -> ControlFlow<()>,
    ) -> Result<(), ArenaError>;
}

/// Games of an order that need not be played again: how many against whom, with which colour, and from
/// where.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlayedBefore {
    games: HashMap<(String, Color, Setup), u32>,
}

impl PlayedBefore {
    /// Counts a game of the same order.
    pub fn add(&mut self, game: &BookGame) {
        let kind = (game.opponent.clone(), game.book_side, game.start.clone());
        *self.games.entry(kind).or_default() += 1;
    }

    /// The number of games.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.games.values().sum()
    }

    /// Whether there are no games.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Takes one of the games of this kind out; whether there was one.
    pub fn take(&mut self, opponent: &str, book_side: Color, start: &Setup) -> bool {
        let kind = (opponent.to_owned(), book_side, start.clone());
        match self.games.get_mut(&kind) {
            None => false,
            Some(1) => self.games.remove(&kind).is_some(),
            Some(count) => {
                *count -= 1;
                true
            }
        }
    }
}

/// What an arena is to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MatchOrder {
    /// The number of games, shared among the opponents in pairs of both colours.
    pub games: u32,
    /// The round of growing and pruning, noted with each game.
    pub generation: u32,
    /// How the book's side chooses among the moves of the book.
    pub choice: BookChoice,
    /// What all that is random depends on, together with the generation.
    pub seed: u64,
}

/// What an arena tells of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MatchReport {
    /// A game that counts.
    Played(BookGame),
    /// A game that a fault has ended: it says nothing about the book.
    Faulty(FaultyGame),
    /// An opponent that cannot be started, or fails again and again: the rest of its games is not
    /// played.
    Gone {
        /// Its name.
        opponent: String,
        /// Why.
        reason: String,
    },
}

/// A game that was ended by a fault: an illegal move, a crash, no answer, or one that came too late.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultyGame {
    /// The game until then. Its winner is whoever was not at fault.
    pub game: BookGame,
    /// Whose fault it was.
    pub culprit: Contender,
    /// What happened, in words. [`BookGame::ending`] has the kind of fault.
    pub detail: String,
}

/// One of the two players of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Contender {
    /// The player with the book.
    BookSide,
    /// The one without.
    Opponent,
}

/// Why an arena cannot play on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArenaError {
    /// There are no opponents.
    #[error("there is nobody to play against")]
    NoOpponents,
    /// The player of the book's side does not start, or fails again and again.
    #[error("the book's side, {player}, cannot be started: {reason}")]
    BookSide {
        /// Its name.
        player: String,
        /// Why not.
        reason: String,
    },
    /// All opponents are gone.
    #[error("no opponent is left; the last one, {opponent}: {reason}")]
    AllGone {
        /// The last one's name.
        opponent: String,
        /// Why it is gone.
        reason: String,
    },
    /// The arena itself cannot work.
    #[error("{0}")]
    Other(String),
}

/// How a player chooses among the moves of a book.
///
/// Moves with a value go before those without. Among those whose value is near enough to the best,
/// chance decides; if none has a value, among all.
///
/// # Examples
///
/// ```
/// use komadai_book::arena::BookChoice;
/// use komadai_book::games::PlayableMove;
/// use komadai_core::Score;
///
/// let known = |m: &str, cp| PlayableMove {
///     score: Some(Score::cp(cp)),
///     ..PlayableMove::new(m.parse().expect("a move"))
/// };
/// let moves = [known("2g2f", 50), known("7g7f", 30), known("5g5f", -20)];
/// let best = BookChoice { eval_diff_cp: 0 };
/// assert_eq!(best.choose(&moves, 7).map(|m| m.to_string()), Some("2g2f".to_owned()));
/// let near = BookChoice { eval_diff_cp: 30 };
/// assert_eq!(near.good_enough(&moves).len(), 2);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct BookChoice {
    /// How much worse than the best a move may be, in centipawns; 0 for moves of equal value only.
    pub eval_diff_cp: u16,
}

impl BookChoice {
    /// The moves that are good enough, in their order.
    #[must_use]
    pub fn good_enough(&self, moves: &[PlayableMove]) -> Vec<Move> {
        let best = moves.iter().filter_map(|known| known.score).max();
        let is_good = |score: Option<Score>| match (score, best) {
            (Some(score), Some(best)) => {
                score == best || score >= best - i32::from(self.eval_diff_cp)
            }
            (_, best) => best.is_none(),
        };
        moves.iter().filter(|known| is_good(known.score)).map(|known| known.m).collect()
    }

    /// One of the moves that are good enough, each as likely as any other if `random` is; `None` if
    /// there are no moves.
    #[must_use]
    pub fn choose(&self, moves: &[PlayableMove], random: u64) -> Option<Move> {
        let good = self.good_enough(moves);
        // The upper half of the product: the remainder would prefer the first moves.
        let index = (u128::from(random) * good.len() as u128) >> 64;
        good.get(index as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(m: &str, cp: Option<i32>) -> PlayableMove {
        PlayableMove { score: cp.map(Score::cp), ..PlayableMove::new(m.parse().unwrap()) }
    }

    #[test]
    fn chance_decides_among_the_best_only() {
        let moves = [
            known("2g2f", Some(50)),
            known("9g9f", None),
            known("7g7f", Some(50)),
            known("5g5f", Some(49)),
        ];
        let good = |eval_diff_cp, moves: &[PlayableMove]| {
            let good = BookChoice { eval_diff_cp }.good_enough(moves);
            good.iter().map(Move::to_string).collect::<Vec<_>>()
        };
        assert_eq!(good(0, &moves), ["2g2f", "7g7f"]);
        assert_eq!(good(1, &moves), ["2g2f", "7g7f", "5g5f"]);
        assert_eq!(good(0, &moves[1..2]), ["9g9f"]);
        assert_eq!(good(0, &[]), [""; 0]);
        let choose = |random| BookChoice::default().choose(&moves, random).unwrap().to_string();
        assert_eq!((choose(0), choose(u64::MAX / 2)), ("2g2f".to_owned(), "2g2f".to_owned()));
        assert_eq!(
            (choose(u64::MAX / 2 + 1), choose(u64::MAX)),
            ("7g7f".to_owned(), "7g7f".to_owned())
        );
        assert_eq!(BookChoice::default().choose(&[], 3), None);
    }
}
