//! Generations: rounds of matches, extension and pruning by which a book on disk grows.
//!
//! ```text
//! play and store the games ─► find where they left the book ─► analyse the next turns
//!      ▲                                                                  │
//!      └── next generation ◄── snapshot ◄── prune by the results of all games ◄┘
//! ```
//!
//! A generation can be interrupted at any moment. Its state is in the file: stored games are not
//! played again, analysed positions are not analysed again, and the generation is complete when its
//! snapshot is stored.
//!
//! Only positions of the book's side are added. This is sufficient for play, because the side with
//! the book looks up its positions directly and not through the moves that lead to them.
//!
//! The method is that of Seiji Shiba; [`games`](crate::games) names the paper.

mod extension;
mod snapshot;
mod played_moves;
mod match_play;
mod walk;
mod pruning;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use komadai_bookgraph::BookGame;
use komadai_core::{Analyst, Position};

use crate::arena::{Arena, BookChoice, MatchOrder, MatchReport};
use crate::games::{ExtensionTarget, KnownMoves, PlayableMove, PruneOptions, WinDrawLoss};
use crate::grow::{GrowEnd, GrowEvent, GrowOptions};
use crate::run_error::RunError;
use crate::store::{Deletion, Snapshot, StoreError};
use crate::working_book::WorkingBook;

/// Settings of a generation.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct GenerationOptions {
    /// The number of games to play.
    pub games: u32,
    /// The rule by which the book's side chooses among the moves of the book.
    #[cfg_attr(feature = "serde", serde(default))]
    pub choice: BookChoice,
    /// The seed of all random choices, together with the number of the generation.
    #[cfg_attr(feature = "serde", serde(default))]
    pub seed: u64,
    /// Settings of the extension; `None` for no extension.
    pub extension: Option<ExtensionOptions>,
    /// Limits below which moves are deleted; `None` for no pruning.
    pub pruning: Option<PruneOptions>,
}

/// Settings of the extension of a book by games.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct ExtensionOptions {
    /// Number of turns of the book's side that are added from the position where a game left the
    /// book.
    pub turns: usize,
    /// Number of turns of the book's side that are added beyond the games: from the position where
    /// a game left the book, the book's side makes the moves of the book and the opponent's engine
    /// answers, without a game. These turns are where the next games will come through.
    #[cfg_attr(feature = "serde", serde(default))]
    pub walk: usize,
    /// Settings of the analyses. The limit on the number of positions is ignored.
    pub grow: GrowOptions,
}

/// The result of a generation, or of the part of it that this run has done.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Generation {
    /// The number of the generation, from 0.
    pub number: u32,
    /// The results of the book's side in all games of the generation, including earlier runs.
    pub results: WinDrawLoss,
    /// Number of games played in this run.
    pub played: u32,
    /// Number of games of this run that a fault ended; they are not stored.
    pub faulty: u32,
    /// The number of positions analysed in this run.
    pub analysed: usize,
    /// The number of nodes searched for these analyses.
    pub nodes: u64,
    /// The moves deleted in this run.
    pub deletions: Vec<Deletion>,
    /// The state of the book at the end; `None` if the generation was interrupted.
    pub snapshot: Option<Snapshot>,
}

/// An event of a generation.
#[derive(Debug)]
#[non_exhaustive]
pub enum GenerationEvent<'a> {
    /// The generation starts, or continues after an interruption.
    Started {
        /// The number of the generation.
        generation: u32,
        /// The number of its games that are stored already.
        stored: u32,
    },
    /// The arena sent a report. A game that counts is already in the file.
    Match(&'a MatchReport),
    /// The games are complete, and the extension starts.
    Extending {
        /// The number of positions to be added.
        positions: usize,
    },
    /// An event of the extension.
    Growing(GrowEvent<'a>),
    /// Moves were deleted.
    Pruned(&'a [Deletion]),
}

impl GenerationOptions {
    /// Creates settings for `games` games with the best moves of the book, without extension and
    /// pruning.
    pub fn new(games: u32) -> Self {
        Self { games, choice: BookChoice::default(), seed: 1, extension: None, pruning: None }
    }
}

impl ExtensionOptions {
    /// Creates settings with eight turns, which are sixteen plies, as in Shiba's paper.
    pub fn new(grow: GrowOptions) -> Self {
        Self { turns: 8, walk: 0, grow }
    }
}

impl WorkingBook {
    /// Plays, extends and prunes for one generation: the first that is not complete.
    ///
    /// Setting `stop` interrupts the generation soon; the next call continues it. Games that a
    /// fault ended are then played again. `arena` should have the same players in both calls: games
    /// against other players do not count as played.
    ///
    /// # Errors
    ///
    /// If the arena cannot play, no analyst is left, or the file cannot be written.
    pub fn generation<A: Analyst>(
        &mut self,
        arena: &mut dyn Arena,
        analysts: &mut [A],
        options: &GenerationOptions,
        stop: &Arc<AtomicBool>,
        on_event: &mut dyn FnMut(GenerationEvent<'_>),
    ) -> Result<Generation, RunError> {
        let number = self.next_generation()?;
        let order = MatchOrder {
            games: options.games,
            generation: number,
            choice: options.choice,
            seed: options.seed,
        };
        let mut generation = self.play_generation(arena, &order, stop, on_event)?;
        generation.results = self.results_of(number)?;
        if stop.load(Ordering::Relaxed) {
            return Ok(generation);
        }
        if let Some(extension) = &options.extension {
            let targets = self.extension_targets(number, extension.turns)?;
            let mut walkers = match extension.walk {
                0 => Vec::new(),
                _ => self.walkers(number)?,
            };
            let mut add = |book: &mut Self, targets: &[ExtensionTarget]| {
                book.add_targets(targets, analysts, extension, stop, on_event, &mut generation)
            };
            if !add(self, &targets)? {
                return Ok(generation);
            }
            for _ in 0..extension.walk {
                self.advance(&mut walkers, arena, options.choice, number)?;
                // A stop makes the opponents silent, which is not the end of their lines.
                let is_stopped = stop.load(Ordering::Relaxed);
                if is_stopped || !add(self, &self.walk_targets(&walkers))? {
                    return Ok(generation);
                }
            }
        }
        if let Some(pruning) = &options.pruning {
            generation.deletions = self.prune_once(pruning, number)?;
            on_event(GenerationEvent::Pruned(&generation.deletions));
        }
        generation.snapshot = Some(self.snapshot_generation(number)?);
        Ok(generation)
    }

    /// Adds targets to the book, and counts the analyses. Returns false if `stop` is set.
    fn add_targets<A: Analyst>(
        &mut self,
        targets: &[ExtensionTarget],
        analysts: &mut [A],
        extension: &ExtensionOptions,
        stop: &Arc<AtomicBool>,
        on_event: &mut dyn FnMut(GenerationEvent<'_>),
        generation: &mut Generation,
    ) -> Result<bool, RunError> {
        on_event(GenerationEvent::Extending { positions: targets.len() });
        let mut on_growth = |event: GrowEvent<'_>| on_event(GenerationEvent::Growing(event));
        let grown = self.extend(targets, analysts, &extension.grow, stop, &mut on_growth)?;
        generation.analysed += grown.analysed;
        generation.nodes += grown.nodes;
        match grown.end {
            GrowEnd::Stopped => Ok(false),
            GrowEnd::NoAnalysts => Err(RunError::NoAnalysts { positions: targets.len() }),
            GrowEnd::Exhausted | GrowEnd::Enough => Ok(true),
        }
    }

    /// The stored games of a generation with their numbers, in the order of storing.
    fn games_of(
        &self,
        generation: u32,
    ) -> Result<impl Iterator<Item = Result<(u64, BookGame), StoreError>>, StoreError> {
        let is_of = move |game: &BookGame| game.generation == generation;
        Ok(self
            .store()
            .games()?
            .filter(move |row| row.as_ref().map_or(true, |(_, game)| is_of(game))))
    }
}

/// The moves of the book with their propagated values.
impl KnownMoves for WorkingBook {
    fn known_moves(&self, position: &Position) -> Option<Vec<PlayableMove>> {
        self.graph().known_moves(position)
    }
}
