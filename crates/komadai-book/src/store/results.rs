//! Results of the games of a store.

use std::cell::RefCell;
use std::collections::BTreeMap;

use komadai_core::{Move, Position};

use super::error::StoreError;
use super::{Deletion, Store};
use crate::games::{
    GameError, GameResults, GameWalk, KnownMoves, MoveResults, PlayableMove, PruneCandidate,
    Removal,
};

/// The results of the games of a store for the moves of its current view.
#[derive(Debug, Default)]
pub struct StoreResults {
    /// The results of each move of the book.
    pub results: GameResults,
    /// The games that could not be used, with their numbers.
    pub faulty: Vec<(u64, GameError)>,
    /// The highest generation of a game; 0 without games.
    pub generation: u32,
}

impl Store {
    /// Counts the results of the book's moves in all games of matches, by the current view. Deleted
    /// moves are outside the book.
    ///
    /// Takes time proportional to the number of moves of all games.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_book::games::PruneOptions;
    /// use komadai_book::store::{Change, Deletion, Store};
    /// use komadai_bookgraph::BookGame;
    /// use komadai_core::{Color, Position, Setup};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let store = Store::create(folder.path().join("book.kbook"))?;
    /// store.add_games(&Position::hirate(), "5g5f".parse()?, 1)?;
    /// let lost = BookGame {
    ///     start: Setup::hirate(),
    ///     moves: vec!["5g5f".parse()?],
    ///     book_side: Color::Black,
    ///     winner: Some(Color::White),
    ///     opponent: "engine".to_owned(),
    ///     generation: 1,
    ///     left_at: None,
    ///     times_ms: Vec::new(),
    ///     scores: Vec::new(),
    ///     ending: "resignation".to_owned(),
    ///     when: 0,
    /// };
    /// store.merge_batch(&vec![Change::Game(lost); 3])?;
    ///
    /// let played = store.game_results()?;
    /// let candidates = played.results.prune_candidates(&PruneOptions::default());
    /// let deletions = Deletion::of_candidates(&candidates, 1_700_000_000, played.generation);
    /// assert_eq!(deletions[0].games, [0, 1, 2]);
    /// store.delete(&deletions)?;
    /// assert!(store.is_empty()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn game_results(&self) -> Result<StoreResults, StoreError> {
        let mut played = StoreResults::default();
        let view = View { store: self, failed: RefCell::new(None) };
        for game in self.games()? {
            let (number, game) = game?;
            match GameWalk::new(&game, &view) {
                Ok(walk) => played.results.add(number, &game, &walk),
                Err(error) => played.faulty.push((number, error)),
            }
            played.generation = played.generation.max(game.generation);
            // An error of the view ends the iteration.
            view.failed.take().map_or(Ok(()), Err)?;
        }
        Ok(played)
    }
}

/// The view as the moves of a book. [`KnownMoves`] cannot return errors, so the first one is kept
/// here.
struct View<'s> {
    store: &'s Store,
    failed: RefCell<Option<StoreError>>,
}

impl KnownMoves for View<'_> {
    fn known_moves(&self, position: &Position) -> Option<Vec<PlayableMove>> {
        let stored = match self.store.position(position) {
            // A position that no book can hold is in no book.
            Err(StoreError::Entry(_)) => None,
            Err(error) => {
                *self.failed.borrow_mut() = Some(error);
                None
            }
            Ok(stored) => stored,
        };
        Some(stored?.record.moves.iter().map(PlayableMove::from).collect())
    }
}

impl Deletion {
    /// Returns one deletion for each move that nothing [holds](PruneCandidate::hold), with the
    /// reasons and the games of all its candidates. `when` is in seconds since the start of 1970
    /// (UTC).
    pub fn of_candidates(candidates: &[PruneCandidate], when: u64, generation: u32) -> Vec<Self> {
        let mut by_move: BTreeMap<(String, u16), Self> = BTreeMap::new();
        for candidate in candidates.iter().filter(|candidate| candidate.hold.is_none()) {
            let key = (candidate.position.to_string(), candidate.m.to_bits());
            let deletion = by_move.entry(key).or_insert_with(|| Self {
                position: candidate.position.clone(),
                m: Some(candidate.m),
                reason: String::new(),
                when,
                generation,
                games: Vec::new(),
            });
            if !deletion.reason.is_empty() {
                deletion.reason += "; ";
            }
            deletion.reason += &reason(candidate);
            deletion.games.extend(candidate.games.iter().map(|game| game.number));
        }
        by_move.into_values().collect()
    }

    /// The deletion of a move that a person has selected, with the results of all its games, if it
    /// has any. `when` is in seconds since the start of 1970 (UTC).
    pub fn of_removal(
        removal: &Removal,
        results: &GameResults,
        when: u64,
        generation: u32,
    ) -> Self {
        let Removal { position, m } = removal;
        let found = results.find(position, *m);
        let reason = found.map_or("reviewed: no games".to_owned(), |found| {
            format!("reviewed: {} in all games", found.results())
        });
        let games = found.map_or(&[][..], MoveResults::games);
        Self {
            position: position.clone(),
            m: Some::<Move>(*m),
            reason,
            when,
            generation,
            games: games.iter().map(|game| game.number).collect(),
        }
    }
}

/// Returns the reason as text: `all lost: 0-0-5 (5 different games) against engine, 2-0-7 in all,
/// points 0.0 % (95 %: 0.0 to 43.4), 2 other moves`.
fn reason(candidate: &PruneCandidate) -> String {
    let PruneCandidate { reason, results, all, distinct_games, alternatives, .. } = candidate;
    let against = match &candidate.opponent {
        Some(opponent) => format!(" against {opponent}, {all} in all"),
        None => String::new(),
    };
    let [low, high] = results.interval().unwrap_or([0.0, 1.0]).map(|share| 100.0 * share);
    let points = 100.0 * results.rate().unwrap_or(0.0);
    format!(
        "{}: {results} ({distinct_games} different games){against}, points {points:.1} % \
         (95 %: {low:.1} to {high:.1}), {alternatives} other moves",
        reason.name()
    )
}
