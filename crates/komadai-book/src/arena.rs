//! The interface between a book and programs that play games with it.

use std::collections::HashMap;
use std::ops::ControlFlow;

use komadai_bookgraph::BookGame;
use komadai_core::{Color, Move, Score, Setup, UsiPosition};

use crate::games::{KnownMoves, PlayableMove};

/// Plays games between a side that has the book and opponents that do not.
///
/// An implementation runs the players and referees the games: it checks every move itself. The
/// arena plays the moves of the book, not the engine of the book's side. Any engine can therefore
/// be the book's side, book moves cost no time, and the move at which the book was left is known
/// exactly.
pub trait Arena {
    /// Plays the games of an order. Calls `on_report` for each game on the caller's thread, in the
    /// order in which the games end. If `on_report` breaks, games in progress are discarded.
    ///
    /// # Errors
    ///
    /// If there is no opponent, or a player cannot play any more. Games reported before the error
    /// are valid.
    fn play(
        &mut self,
        order: &MatchOrder,
        book: &(dyn KnownMoves + Sync),
        on_report: &mut dyn FnMut(MatchReport) -> ControlFlow<()>,
    ) -> Result<(), ArenaError> {
        self.play_rest(order, &PlayedBefore::default(), book, on_report)
    }

    /// Continues an interrupted order: plays, like [`play`](Self::play), the games of the order
    /// that have not been played before.
    ///
    /// # Errors
    ///
    /// The errors of [`play`](Self::play).
    fn play_rest(
        &mut self,
        order: &MatchOrder,
        before: &PlayedBefore,
        book: &(dyn KnownMoves + Sync),
        on_report: &mut dyn FnMut(MatchReport) -> ControlFlow<()>,
    ) -> Result<(), ArenaError>;

    /// Asks an opponent for its move at the end of each line, without a game. `None` stands for a
    /// line in which it does not move: because the game is over or it resigns or fails.
    ///
    /// The default makes no move, for an arena that cannot do that.
    ///
    /// # Errors
    ///
    /// If there is no such opponent, or it cannot be started.
    fn replies(
        &mut self,
        _opponent: &str,
        lines: &[UsiPosition],
    ) -> Result<Vec<Option<Move>>, ArenaError> {
        Ok(vec![None; lines.len()])
    }
}

/// Games of an order that need not be played again. Games count by opponent, colour of the book's
/// side and start position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlayedBefore {
    games: HashMap<(String, Color, Setup), u32>,
}

impl PlayedBefore {
    /// Counts a game of the order.
    pub fn add(&mut self, game: &BookGame) {
        let kind = (game.opponent.clone(), game.book_side, game.start.clone());
        *self.games.entry(kind).or_default() += 1;
    }

    /// Returns the number of games.
    pub fn len(&self) -> u32 {
        self.games.values().sum()
    }

    /// Returns true if there are no games.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Removes one game of this kind. Returns true if there was one.
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

/// An order of games for an arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MatchOrder {
    /// The number of games. They are shared among the opponents in pairs of both colours.
    pub games: u32,
    /// The round of growth and pruning, stored with each game.
    pub generation: u32,
    /// The rule by which the book's side chooses among the moves of the book.
    pub choice: BookChoice,
    /// The seed of all random choices, together with the generation.
    pub seed: u64,
}

/// A report of an arena on a game or a player.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum MatchReport {
    /// A game that counts.
    Played(BookGame),
    /// A game that a fault ended. It does not count, because its result is not due to the book.
    Faulty(FaultyGame),
    /// An opponent that cannot be started, or fails repeatedly. Its remaining games are not played.
    Gone {
        /// The name of the opponent.
        opponent: String,
        /// The last error of the opponent.
        reason: String,
    },
}

/// A game that was ended by a fault: an illegal move, a crash, a missing answer or a late one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FaultyGame {
    /// The game up to the fault. Its winner is the player who is not at fault.
    pub game: BookGame,
    /// The player at fault.
    pub culprit: Contender,
    /// A description of the fault. [`BookGame::ending`] has its kind.
    pub detail: String,
}

/// One of the two players of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Contender {
    /// The player that has the book.
    BookSide,
    /// The player that has no book.
    Opponent,
}

/// The reason why an arena cannot continue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArenaError {
    /// There are no opponents.
    #[error("there are no opponents to play against")]
    NoOpponents,
    /// The player of the book's side cannot be started, or fails repeatedly.
    #[error("the book's side, {player}, cannot be started: {reason}")]
    BookSide {
        /// The name of the player.
        player: String,
        /// The last error of the player.
        reason: String,
    },
    /// All opponents failed.
    #[error("no opponent is left; the last one, {opponent}: {reason}")]
    AllGone {
        /// The name of the opponent that failed last.
        opponent: String,
        /// The last error of this opponent.
        reason: String,
    },
    /// Another fault of the arena itself.
    #[error("{0}")]
    Other(String),
}

/// The rule by which a player chooses among the moves of a book.
///
/// If some moves have values, a random choice is made among the moves whose values are close enough
/// to the best; moves without a value are not played. If no move has a value, the choice is made
/// among all moves.
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
/// let best = BookChoice::default();
/// assert_eq!(best.choose(&moves, 7).map(|m| m.to_string()), Some("2g2f".to_owned()));
/// let near = BookChoice { eval_diff_cp: 30, ..best };
/// assert_eq!(near.good_enough(&moves).len(), 2);
///
/// // The second move was played in three games, and costs only twenty centipawns.
/// let moves = [moves[0], PlayableMove { games: 3, ..moves[1] }];
/// let keep = BookChoice { keep_played_cp: Some(25), ..best };
/// assert_eq!(keep.choose(&moves, 7).map(|m| m.to_string()), Some("7g7f".to_owned()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BookChoice {
    /// Maximum difference between the best value and the value of a move, in centipawns; with 0
    /// only moves of the best value are played.
    pub eval_diff_cp: u16,
    /// Maximum loss of a move that earlier games played, in centipawns, up to which it is played
    /// again whatever else the book holds; of several such moves the one of most games. `None`
    /// gives no move this preference.
    ///
    /// A deep search after a game mostly prefers other moves than those of the game. The next game
    /// then leaves the line, and the positions added there are never met again. This keeps it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub keep_played_cp: Option<u16>,
}

impl BookChoice {
    /// Returns the moves that may be played, in the order of `moves`.
    pub fn good_enough(&self, moves: &[PlayableMove]) -> Vec<Move> {
        let best = moves.iter().filter_map(|known| known.score).max();
        if let Some(kept) = self.kept(moves, best) {
            return vec![kept];
        }
        let is_good = |score: Option<Score>| match (score, best) {
            (Some(score), Some(best)) => {
                score == best || score >= best - i32::from(self.eval_diff_cp)
            }
            (_, best) => best.is_none(),
        };
        moves.iter().filter(|known| is_good(known.score)).map(|known| known.m).collect()
    }

    /// Returns the move of earlier games that is played again.
    fn kept(&self, moves: &[PlayableMove], best: Option<Score>) -> Option<Move> {
        let least = best? - i32::from(self.keep_played_cp?);
        let played = moves.iter().filter(|known| known.games > 0 && known.score >= Some(least));
        // The first of several equal moves, because `moves` has an order.
        played.rev().max_by_key(|known| (known.games, known.score)).map(|known| known.m)
    }

    /// Chooses one of the moves that may be played, or returns `None` if there are no moves. All of
    /// them are equally likely if `random` is uniformly distributed.
    pub fn choose(&self, moves: &[PlayableMove], random: u64) -> Option<Move> {
        let good = self.good_enough(moves);
        // The upper half of the product spreads the choices evenly; a remainder would prefer the
        // first moves (D. Lemire, "Fast random integer generation in an interval", 2019).
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
            let good = BookChoice { eval_diff_cp, ..BookChoice::default() }.good_enough(moves);
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

    #[test]
    fn a_move_of_earlier_games_is_kept_within_its_limit() {
        let played = |m, cp, games| PlayableMove { games, ..known(m, cp) };
        let moves = [
            played("2g2f", Some(50), 1),
            played("7g7f", Some(30), 4),
            played("5g5f", Some(29), 9),
            played("9g9f", None, 9),
            played("1g1f", Some(30), 4),
        ];
        let kept = |keep_played_cp| {
            let choice = BookChoice { keep_played_cp, ..BookChoice::default() };
            choice.choose(&moves, 5).unwrap().to_string()
        };
        assert_eq!(kept(None), "2g2f");
        assert_eq!(kept(Some(19)), "2g2f");
        assert_eq!(kept(Some(20)), "7g7f");
        assert_eq!(kept(Some(21)), "5g5f", "more games, and just within the limit");
        let choice = BookChoice { keep_played_cp: Some(50), eval_diff_cp: 30 };
        let unplayed = moves.map(|known| PlayableMove { games: 0, ..known });
        assert_eq!(choice.good_enough(&unplayed).len(), 4, "no game, no preference");
    }
}
