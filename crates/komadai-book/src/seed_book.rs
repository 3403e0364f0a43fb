//! A book with values from games, in one call.

use komadai_bookfile::EntryError;
use komadai_bookgraph::{BookGraph, GraphChange};
use komadai_core::{Analyst, AnalystError, Budget};
use komadai_kifu::Record;

use crate::games::GameError;
use crate::logged_analysis::LoggedAnalysis;
use crate::seed::{SeedOptions, Seeder};

/// An error in making a book of games.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SeedBookError {
    /// A game breaks a rule.
    #[error("game {number}: {source}")]
    Game {
        /// The number of the game, from 1.
        number: u64,
        /// The fault.
        source: GameError,
    },
    /// The analyst fails.
    #[error(transparent)]
    Analyst(#[from] AnalystError),
    /// A record does not fit into a book.
    #[error(transparent)]
    Entry(#[from] EntryError),
}

/// Makes a book of games: the first 24 moves of each, valued by an analysis of the position after
/// them, and the values that follow from the whole book.
///
/// [`Seeder`] has other filters, and a [`WorkingBook`](crate::WorkingBook) keeps what was found on
/// disk, with its provenance.
///
/// # Errors
///
/// [`SeedBookError`]: the first game that breaks a rule, or the first failure of the analyst.
///
/// # Examples
///
/// ```
/// use komadai_book::seed_book;
/// use komadai_core::{Analysis, Analyst, AnalystError, AnalystId, Budget, Line, Position, Score};
/// use komadai_kifu::{Tolerance, parse_usi_games};
///
/// struct Even;
///
/// impl Analyst for Even {
///     fn identity(&self) -> AnalystId {
///         AnalystId::new("even", "1")
///     }
///
///     fn analyse(&mut self, _: &Position, _: &Budget) -> Result<Analysis, AnalystError> {
///         let lines = vec![Line::exact(Score::ZERO, "3c3d".parse().expect("a move"))];
///         Ok(Analysis { lines, ..Analysis::default() })
///     }
/// }
///
/// let games = parse_usi_games("startpos moves 7g7f\n", Tolerance::Strict)?.records;
/// let book = seed_book(games, &mut Even, &Budget::nodes(500))?;
/// assert_eq!(book.value(&Position::hirate()).map(|value| value.score), Some(Score::ZERO));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn seed_book(
    games: impl IntoIterator<Item = Record>,
    analyst: &mut impl Analyst,
    budget: &Budget,
) -> Result<BookGraph, SeedBookError> {
    let mut seeder = Seeder::new(SeedOptions::default());
    for (number, game) in (1..).zip(games) {
        seeder.add(&game).map_err(|source| SeedBookError::Game { number, source })?;
    }
    let mut book = BookGraph::from_records(seeder.records())?;
    let identity = analyst.identity();
    for seen in seeder.moves() {
        let found = analyst.analyse(&seen.position.after(seen.m), budget)?;
        let logged = LoggedAnalysis::of_successor(seen.position, seen.m, &found, identity.clone());
        book.apply(&[GraphChange::Add(logged.to_record())])?;
    }
    Ok(book)
}
