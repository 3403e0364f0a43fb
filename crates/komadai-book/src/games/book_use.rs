//! The use of a book to its side in one game.

use komadai_bookgraph::BookGame;
use komadai_core::Color;

use super::text_table::{Column, TextTable};
use super::{GameError, GameOutcome};

/// Settings that distinguish book moves from moves of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct UseOptions {
    /// Maximum time of a book move, in milliseconds. A move that took longer comes from a search.
    ///
    /// The default is 0, because in games of an [`Arena`](crate::arena::Arena) book moves take no
    /// time at all, and searched ones at least a millisecond. A tenth of a second is longer than
    /// the lookup in an engine's own book and the way through pipes take.
    pub thought_ms: u32,
}

/// The use of a book to its side in a game: the length of the book line, the time won and the value
/// after it.
///
/// The end of the book line is the one that the player reported, [`BookGame::left_at`], because the
/// book may have grown since the game. For games from other sources, [`BookGame::left_at`] can be
/// set from [`GameWalk::left_at`](crate::games::GameWalk::left_at). Moves have the move numbers of
/// the game's positions.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BookUse {
    /// The name of the opponent.
    pub opponent: String,
    /// The round of growth and pruning.
    pub generation: u32,
    /// The side that had the book.
    pub book_side: Color,
    /// The outcome of the game for the book's side.
    pub outcome: GameOutcome,
    /// Number of moves of both sides until the book was left or the game ended.
    pub length: u32,
    /// The number of the first move outside the book; `None` if the book was never left.
    pub left_at: Option<u32>,
    /// The number of the first move for which the book's side used time; `None` without such a move
    /// or without times.
    pub own_thought_at: Option<u32>,
    /// The number of the first move for which the opponent used time.
    pub opponent_thought_at: Option<u32>,
    /// The value that the book's side reported with its first move outside the book that has a
    /// value, in centipawns; positive is good for the book's side.
    pub score: Option<i32>,
    /// The time won by the book, in milliseconds: the time that the opponent had used when the book
    /// was left, minus that of the book's side; `None` without times.
    pub lead_ms: Option<i64>,
}

impl BookUse {
    /// Measures the use of the book in a game. Moves are counted, not replayed.
    ///
    /// # Errors
    ///
    /// [`GameError::Length`] if the game has times or scores, but not one for each move.
    pub fn of(game: &BookGame, options: &UseOptions) -> Result<Self, GameError> {
        check_length("times", game.times_ms.len(), game)?;
        check_length("scores", game.scores.len(), game)?;
        let moves = game.moves.len() as u32;
        let length = game.left_at.map_or(moves, |left_at| left_at.min(moves));
        let number = |index: usize| game.start.ply.saturating_add(index as u32);
        let thought_at = |side: Color| {
            let mut times = game.times_ms.iter().enumerate();
            let (index, _) = times.find(|&(index, &time)| {
                side_to_move(game, index) == side && time > options.thought_ms
            })?;
            Some(number(index))
        };
        Ok(Self {
            opponent: game.opponent.clone(),
            generation: game.generation,
            book_side: game.book_side,
            outcome: GameOutcome::of(game),
            length,
            left_at: game.left_at.map(|_| number(length as usize)),
            own_thought_at: thought_at(game.book_side),
            opponent_thought_at: thought_at(!game.book_side),
            score: game.left_at.and_then(|_| first_score(game, length as usize)),
            lead_ms: lead_ms(game, length as usize),
        })
    }

    /// Returns a table of games with the move numbers at which each side first used its own time,
    /// as in tables 1 and 2 of Shiba's paper.
    pub fn thought_table(uses: &[Self]) -> String {
        let columns = [
            Column::Left("opponent"),
            Column::Left("book"),
            Column::Right("opponent thinks at"),
            Column::Right("book's side thinks at"),
            Column::Right("book left at"),
            Column::Left("result"),
        ];
        let mut table = TextTable::new(columns, "  ");
        let number = |number: Option<u32>| number.map_or("-".to_owned(), |n| n.to_string());
        for used in uses {
            table.add([
                used.opponent.clone(),
                (if used.book_side == Color::Black { "black" } else { "white" }).to_owned(),
                number(used.opponent_thought_at),
                number(used.own_thought_at),
                number(used.left_at),
                used.outcome.name().to_owned(),
            ]);
        }
        table.to_string()
    }
}

/// Checks that there is one number for each move, or none at all.
fn check_length(what: &'static str, found: usize, game: &BookGame) -> Result<(), GameError> {
    let moves = game.moves.len();
    if found == 0 || found == moves {
        Ok(())
    } else {
        Err(GameError::Length { what, found, moves })
    }
}

/// Returns the side that makes the move with this index.
fn side_to_move(game: &BookGame, index: usize) -> Color {
    if index.is_multiple_of(2) { game.start.side } else { !game.start.side }
}

/// Returns the first value of the book's side from the move with this index on.
fn first_score(game: &BookGame, from: usize) -> Option<i32> {
    let later = game.scores.iter().enumerate().skip(from);
    let own = later.filter(|&(index, _)| side_to_move(game, index) == game.book_side);
    own.filter_map(|(_, &score)| score).next()
}

/// Returns the time used by the opponent minus that of the book's side in the first `moves` moves.
fn lead_ms(game: &BookGame, moves: usize) -> Option<i64> {
    if game.times_ms.is_empty() {
        return None;
    }
    let times = game.times_ms.iter().enumerate().take(moves);
    let signed = times.map(|(index, &time)| {
        let is_own = side_to_move(game, index) == game.book_side;
        if is_own { -i64::from(time) } else { i64::from(time) }
    });
    Some(signed.sum())
}
