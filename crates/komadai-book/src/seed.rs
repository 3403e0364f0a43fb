//! A book's beginning: what is played in real games.

use std::ops::ControlFlow;

use komadai_core::{Move, Position};
use komadai_kifu::{Record, ReplayError};

use crate::book::{AddedMove, Book, EntryError};
use crate::orientation::turn;

/// Which moves of games are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SeedOptions {
    /// The number of moves of each game that are looked at.
    pub max_ply: u32,
    /// The number of games in which a move must have been made.
    pub min_games: u32,
}

impl Default for SeedOptions {
    /// The first 24 moves, also those of a single game.
    fn default() -> Self {
        Self { max_ply: 24, min_games: 1 }
    }
}

/// Collects the openings of games and makes a book of those that are frequent enough.
///
/// Games are counted per position and move, whichever way a position was reached and with whichever
/// colours; a move counts once per game. Nothing is said about values.
///
/// # Examples
///
/// ```
/// use komadai_book::{SeedOptions, Seeder};
/// use komadai_core::Position;
/// use komadai_kifu::{Tolerance, parse_usi_games};
///
/// let games = "startpos moves 7g7f 3c3d 2g2f\n\
///              startpos moves 7g7f 8c8d\n\
///              startpos moves 2g2f 8c8d\n";
/// let mut seeder = Seeder::new(SeedOptions { min_games: 2, max_ply: 10 });
/// for game in parse_usi_games(games, Tolerance::Strict)?.records {
///     seeder.add(&game)?;
/// }
/// let book = seeder.into_book();
/// assert_eq!(book.len(), 1);
/// let entry = book.entry(&Position::hirate()).expect("the start position");
/// let frequent: Vec<_> = entry.moves().map(|m| (m.m.to_string(), m.games)).collect();
/// assert_eq!(frequent, [("7g7f".to_owned(), 2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Seeder {
    options: SeedOptions,
    counts: Book,
    games: u64,
}

/// Why a game could not be taken to its end.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SeedError {
    /// The game breaks a rule; the moves before have been taken.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A position cannot be part of a book; the moves before have been taken.
    #[error(transparent)]
    Entry(#[from] EntryError),
}

impl Seeder {
    /// Nothing collected yet.
    #[must_use]
    pub fn new(options: SeedOptions) -> Self {
        Self { options, counts: Book::new(), games: 0 }
    }

    /// The number of games that were added.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Adds the first moves of a game.
    ///
    /// # Errors
    ///
    /// If the game breaks a rule within these moves; those before have been taken.
    pub fn add(&mut self, record: &Record) -> Result<(), SeedError> {
        let most = self.options.max_ply as usize;
        let (mut taken, mut counted, mut fault) = (0, Vec::new(), None);
        self.games += 1;
        let replayed = record.replay(|position, played| {
            if taken == most {
                return ControlFlow::Break(());
            }
            taken += 1;
            match self.count(position, played.m, &mut counted) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    fault = Some(error);
                    ControlFlow::Break(())
                }
            }
        });
        match fault {
            Some(error) => Err(error.into()),
            // A fault further on does not matter here.
            None if taken == most => Ok(()),
            None => Ok(replayed.map(|_| ())?),
        }
    }

    /// Counts a move unless it is among those `counted` of the same game.
    fn count(
        &mut self,
        position: &Position,
        m: Move,
        counted: &mut Vec<(usize, Move)>,
    ) -> Result<(), EntryError> {
        let turned = turn(m, position.side());
        let is_counted = |place| counted.contains(&(place, turned));
        if self.counts.find(position).is_some_and(is_counted) {
            return Ok(());
        }
        let added = AddedMove { m, ponder: None, games: 1, evaluation: None };
        self.counts.add_record(position, std::iter::once(added))?;
        counted.extend(self.counts.find(position).map(|place| (place, turned)));
        Ok(())
    }

    /// The book of all moves that were made in enough games.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "what has been in a book fits into another")]
    pub fn into_book(self) -> Book {
        if self.options.min_games <= 1 {
            return self.counts;
        }
        let mut book = Book::new();
        for entry in self.counts.entries() {
            let frequent = entry.moves().filter(|listed| listed.games >= self.options.min_games);
            let mut frequent = frequent
                .map(|listed| AddedMove {
                    m: listed.m,
                    ponder: None,
                    games: listed.games,
                    evaluation: None,
                })
                .peekable();
            if frequent.peek().is_some() {
                let added = book.add_record(&entry.position(), frequent);
                added.expect("the positions of a book fit into a book");
            }
        }
        book
    }
}

#[cfg(test)]
mod tests {
    use komadai_kifu::{Tolerance, parse_usi_games};

    use super::*;

    fn seed(games: &str, options: SeedOptions) -> (Book, Vec<Result<(), SeedError>>) {
        let mut seeder = Seeder::new(options);
        let records = parse_usi_games(games, Tolerance::Lenient).unwrap().records;
        let results = records.iter().map(|record| seeder.add(record)).collect();
        (seeder.into_book(), results)
    }

    fn counts(book: &Book) -> Vec<Vec<(String, u32)>> {
        let moves = |entry: crate::Entry<'_>| {
            entry.moves().map(|listed| (listed.m.to_string(), listed.games)).collect()
        };
        book.entries().map(moves).collect()
    }

    #[test]
    fn a_move_counts_once_a_game_and_once_a_position() {
        // Both rooks walk up and down: the start comes back after four plies, and again.
        let walk = "2h3h 8b7b 3h2h 7b8b";
        let (book, _) = seed(&format!("startpos moves {walk} {walk} 7g7f"), SeedOptions::default());
        let start = counts(&book)[0].clone();
        assert_eq!(start, [("2h3h".to_owned(), 1), ("7g7f".to_owned(), 1)]);
        // The same opening with colours exchanged is the same opening.
        let turned = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves";
        let both = format!("startpos moves 7g7f\n{turned} 3c3d\n");
        assert_eq!(counts(&seed(&both, SeedOptions::default()).0), [[("7g7f".to_owned(), 2)]]);
    }

    #[test]
    fn only_the_opening_counts() {
        let options = SeedOptions { max_ply: 2, min_games: 1 };
        let (book, results) = seed("startpos moves 7g7f 3c3d 7f7d 1c1d\n", options);
        assert_eq!((book.len(), &results[..]), (2, &[Ok(())][..]));
        let (book, results) = seed("startpos moves 7g7f 3c3d 7f7d 1c1d\n", SeedOptions::default());
        assert_eq!(book.len(), 2);
        assert!(matches!(
            results[..],
            [Err(SeedError::Replay(ReplayError::IllegalMove { ply: 3, .. }))]
        ));
    }
}
