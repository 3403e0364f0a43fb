//! Rounds by which a book on disk grows in games and loses what loses them (S1.5).
//!
//! ```text
//! play the games ─► store each ─► where did they leave the book? ─► search the next turns
//!      ▲                                                                       │
//!      └──── next generation ◄── snapshot ◄── prune by the results of all games ◄┘
//! ```
//!
//! A generation can be broken off at any moment. What it has done is in the file: games that are stored
//! are not played again, positions that are analysed are not analysed again, and it is over when its
//! snapshot is there.
//!
//! Only positions of the book's side are added. That is enough to play from: the side with the book looks
//! its positions up directly, whatever move led there.

mod extension;
mod snapshot;
mod match_play;
mod pruning;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use komadai_core::Position;

use crate::analyst::Analyst;
use crate::arena::{Arena, BookChoice, MatchOrder, MatchReport};
use crate::games::{KnownMoves, PlayableMove, PruneOptions, WinDrawLoss};
use crate::grow::{GrowEnd, GrowError, GrowEvent, GrowOptions};
use crate::store::{Deletion, Snapshot};
use crate::working_book::WorkingBook;

/// What happens in a generation.
///
/// # Examples
///
/// ```
/// use komadai_book::GrowOptions;
/// use komadai_book::games::PruneOptions;
/// use komadai_book::generation::{ExtensionOptions, GenerationOptions};
/// use komadai_book::queue::JobSettings;
///
/// let settings = JobSettings { nodes: Some(100_000), multi_pv: 3, ..JobSettings::default() };
/// let options = GenerationOptions {
///     extension: Some(ExtensionOptions::new(GrowOptions::new(settings))),
///     pruning: Some(PruneOptions::default()),
///     ..GenerationOptions::new(100)
/// };
/// assert_eq!(options.extension.map(|extension| extension.turns), Some(8));
/// ```
#[derive(Debug, Clone)]
pub struct GenerationOptions {
    /// The number of games.
    pub games: u32,
    /// How the book's side chooses among the moves of the book.
    pub choice: BookChoice,
    /// What all that is random depends on, together with the generation.
    pub seed: u64,
    /// How the book is extended; `None` if it is not.
    pub extension: Option<ExtensionOptions>,
    /// Which moves are taken out; `None` for none.
    pub pruning: Option<PruneOptions>,
}

/// How games extend a book (S1.3).
#[derive(Debug, Clone)]
pub struct ExtensionOptions {
    /// How many turns of the book's side are added from where a game left the book.
    pub turns: usize,
    /// How they are analysed. The number of positions is not limited by this.
    pub grow: GrowOptions,
}

/// What a generation has brought.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Generation {
    /// Its number, from 0.
    pub number: u32,
    /// The results of its games, those of earlier runs included.
    pub results: WinDrawLoss,
    /// How many of its games were played in this run.
    pub played: u32,
    /// How many games of this run a fault has ended; they count for nothing.
    pub faulty: u32,
    /// The number of positions analysed in this run.
    pub analysed: usize,
    /// The nodes visited for that.
    pub nodes: u64,
    /// What was taken out in this run.
    pub deletions: Vec<Deletion>,
    /// The state in the end; `None` if the generation was broken off.
    pub snapshot: Option<Snapshot>,
}

/// What happens while a generation goes on.
#[derive(Debug)]
#[non_exhaustive]
pub enum GenerationEvent<'a> {
    /// It begins, or goes on.
    Begins {
        /// Its number.
        generation: u32,
        /// How many of its games are stored already.
        stored: u32,
    },
    /// The arena has told something; a game that counts is on disk.
    Heard(&'a MatchReport),
    /// The games are over, and so many positions are to be added.
    Extends {
        /// The number of positions.
        positions: usize,
    },
    /// The book grows.
    Grows(GrowEvent<'a>),
    /// Moves have been taken out.
    Pruned(&'a [Deletion]),
}

impl GenerationOptions {
    /// So many games with the best moves of the book, which stays as it is.
    #[must_use]
    pub fn new(games: u32) -> Self {
        Self { games, choice: BookChoice::default(), seed: 1, extension: None, pruning: None }
    }
}

impl ExtensionOptions {
    /// Eight turns, sixteen plies, as in the paper.
    #[must_use]
    pub fn new(grow: GrowOptions) -> Self {
        Self { turns: 8, grow }
    }
}

impl WorkingBook {
    /// Plays, extends and prunes for one generation: the first that is not over.
    ///
    /// `stop` ends it soon; run again, it goes on where it was. Games that faults have ended are played
    /// again then. So that no game is lost, `arena` should have the same players in both runs.
    ///
    /// # Errors
    ///
    /// If nobody can play or analyse, or the file cannot be written.
    pub fn generation<A: Analyst>(
        &mut self,
        arena: &mut dyn Arena,
        analysts: &mut [A],
        options: &GenerationOptions,
        stop: &Arc<AtomicBool>,
        hear: &mut dyn FnMut(GenerationEvent<'_>),
    ) -> Result<Generation, GrowError> {
        let number = self.next_generation()?;
        let mut generation = Generation::new(number);
        let order = MatchOrder {
            games: options.games,
            generation: number,
            choice: options.choice,
            seed: options.seed,
        };
        let played = self.play_generation(arena, &order, stop, hear)?;
        (generation.played, generation.faulty) = (played.games, played.faulty);
        generation.results = self.results_of(number)?;
        if stop.load(Ordering::Relaxed) {
            return Ok(generation);
        }
        if let Some(extension) = &options.extension {
            let targets = self.extension_targets(number, extension.turns)?;
            hear(GenerationEvent::Extends { positions: targets.len() });
            let mut tell = |event: GrowEvent<'_>| hear(GenerationEvent::Grows(event));
            let grown = self.extend(&targets, analysts, &extension.grow, stop, &mut tell)?;
            (generation.analysed, generation.nodes) = (grown.analysed, grown.nodes);
            match grown.end {
                GrowEnd::Stopped => return Ok(generation),
                GrowEnd::NoAnalysts => {
                    return Err(GrowError::NoAnalysts { positions: targets.len() });
                }
                GrowEnd::Exhausted | GrowEnd::Enough => {}
            }
        }
        if let Some(pruning) = &options.pruning {
            generation.deletions = self.prune_once(pruning, number)?;
            hear(GenerationEvent::Pruned(&generation.deletions));
        }
        generation.snapshot = Some(self.snapshot_generation(number)?);
        Ok(generation)
    }
}

impl Generation {
    fn new(number: u32) -> Self {
        Self {
            number,
            results: WinDrawLoss::default(),
            played: 0,
            faulty: 0,
            analysed: 0,
            nodes: 0,
            deletions: Vec::new(),
            snapshot: None,
        }
    }
}

/// The moves of the book with the values that follow from all of it.
impl KnownMoves for WorkingBook {
    fn known_moves(&self, position: &Position) -> Option<Vec<PlayableMove>> {
        self.graph().known_moves(position)
    }
}

/// Seconds since the beginning of 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
