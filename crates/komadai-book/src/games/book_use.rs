//! What the book did for its side in one game.

use komadai_core::Color;

use super::text_table::{Column, TextTable};
use super::{GameError, GameOutcome};
use komadai_bookgraph::BookGame;

/// What counts as using one's own time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct UseOptions {
    /// A move that took longer than this, in milliseconds, has been thought about; others are taken
    /// to come from a book.
    pub thought_ms: u32,
}

impl Default for UseOptions {
    /// A tenth of a second, which pipes and a lookup in a book do not need.
    fn default() -> Self {
        Self { thought_ms: 100 }
    }
}

/// How long the book lasted in a game, and what it was worth (S1.6, S1.7).
///
/// Where the book was left is what the player said, [`BookGame::left_at`]: the book of today may
/// know more than it did then. For games of other origin it can be set from
/// [`GameWalk::left_at`](crate::games::GameWalk::left_at). Moves are numbered as in the game's positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookUse {
    /// Who played against the book.
    pub opponent: String,
    /// The round of growing and pruning.
    pub generation: u32,
    /// The side that had the book.
    pub book_side: Color,
    /// How the game went for it.
    pub outcome: GameOutcome,
    /// The number of moves of both sides until the book was left, or until the end of the game.
    pub length: u32,
    /// The number of the move at which the book was left; `None` if that never happened.
    pub left_at: Option<u32>,
    /// The number of the first move that the book's side thought about; `None` if there is none, or
    /// nobody kept the clock.
    pub own_thought_at: Option<u32>,
    /// The number of the first move that the opponent thought about.
    pub opponent_thought_at: Option<u32>,
    /// What the book's side took its position to be worth at its first move outside the book that
    /// came with a value: centipawns, positive is good for it.
    pub score: Option<i32>,
    /// The time that the book has won: what the opponent had spent when the book was left, less
    /// what the book's side had, in milliseconds; `None` without a clock.
    pub lead_ms: Option<i64>,
}

impl BookUse {
    /// What the book did in this game. Moves are not looked at, only counted.
    ///
    /// # Errors
    ///
    /// [`GameError::Length`] if there are times or scores, but not one for each move.
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

    /// A table of games with the move numbers at which each side first used its own time, as tables
    /// 1 and 2 of the paper.
    #[must_use]
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

fn check_length(what: &'static str, found: usize, game: &BookGame) -> Result<(), GameError> {
    let moves = game.moves.len();
    if found == 0 || found == moves {
        Ok(())
    } else {
        Err(GameError::Length { what, found, moves })
    }
}

fn side_to_move(game: &BookGame, index: usize) -> Color {
    if index.is_multiple_of(2) { game.start.side } else { !game.start.side }
}

/// The first value of the book's side from the move with this index on.
fn first_score(game: &BookGame, from: usize) -> Option<i32> {
    let later = game.scores.iter().enumerate().skip(from);
    let own = later.filter(|&(index, _)| side_to_move(game, index) == game.book_side);
    own.filter_map(|(_, &score)| score).next()
}

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
