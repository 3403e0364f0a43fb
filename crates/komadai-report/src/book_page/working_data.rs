//! The data of a report that only a working book contains.

use komadai_book::Input;
use komadai_book::store::{EngineShare, Snapshot, Store, StoreError, Tombstone, ViewPolicy};
use komadai_bookgraph::BookGraph;

use crate::book_page::book_state::BookState;
use crate::book_page::disagreements::{Comparison, EnginePair};
use crate::book_page::game_tally::GameTally;
use crate::book_page::history::{History, ReportedSnapshots};
use crate::book_page::match_data::MatchData;
use crate::book_page::options::ReportOptions;
use crate::book_page::value_changes::ValueChanges;

/// The data of a report that only a working book contains: its history, engines, games and
/// deletions.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkingData {
    /// The policy that selects the evaluations that count.
    pub policy: ViewPolicy,
    /// The states of the latest snapshots, the earliest first.
    pub history: Vec<BookState>,
    /// The changes since the requested snapshot, or since the last one that differs from the
    /// present state.
    pub changes: Option<ValueChanges>,
    /// The contribution of each engine, those with most values that count first, up to the number
    /// of rows.
    pub engines: Vec<EngineShare>,
    /// The number of engines.
    pub all_engines: usize,
    /// The number of evaluations of moves ever made.
    pub evaluations: u64,
    /// The engines that have valued the same moves, those with most of them first.
    pub pairs: Vec<EnginePair>,
    /// The results of matches; `None` without games.
    pub matches: Option<MatchData>,
    /// The deletions.
    pub deletions: Deletions,
    /// The sources that were read last, up to the number of rows.
    pub inputs: Vec<Input>,
    /// The number of sources.
    pub all_inputs: usize,
}

/// The deletions from a working book.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Deletions {
    /// The number of deletions in force.
    pub in_force: usize,
    /// The number of deletions that were undone.
    pub undone: usize,
    /// The latest deletions, the last one first, up to the number of rows.
    pub latest: Vec<Tombstone>,
}

impl WorkingData {
    pub(super) fn gather(
        store: &Store,
        graph: &BookGraph,
        options: &ReportOptions,
        tally: &mut GameTally,
    ) -> Result<Self, StoreError> {
        let reported = ReportedSnapshots::choose(store, options)?;
        let mut engines = store.sources()?;
        let census = LogCensus::take(store, &reported.snapshots, &engines, options)?;
        let mut history = History::of(store, graph, &reported, options)?;
        for (state, evaluations) in history.states.iter_mut().zip(census.evaluations) {
            state.evaluations = Some(evaluations);
        }
        let all_engines = engines.len();
        let evaluations = engines.iter().map(|engine| engine.evaluations).sum();
        engines.sort_by_key(|engine| std::cmp::Reverse((engine.view_moves, engine.evaluations)));
        engines.truncate(options.max_rows);
        let mut inputs = store.inputs()?;
        let all_inputs = inputs.len();
        inputs.drain(..all_inputs.saturating_sub(options.max_rows));
        Ok(Self {
            policy: store.policy()?,
            history: history.states,
            changes: history.changes,
            engines,
            all_engines,
            evaluations,
            pairs: census.pairs,
            matches: MatchData::gather(store, graph, options, tally)?,
            deletions: Deletions::gather(store, options)?,
            inputs,
            all_inputs,
        })
    }
}

impl Deletions {
    fn gather(store: &Store, options: &ReportOptions) -> Result<Self, StoreError> {
        let mut latest = store.tombstones()?;
        let undone = latest.iter().filter(|tombstone| tombstone.undone.is_some()).count();
        let in_force = latest.len() - undone;
        latest.reverse();
        latest.truncate(options.max_rows);
        Ok(Self { in_force, undone, latest })
    }
}

/// The largest number of engines that are compared with each other: those with most evaluations.
const MOST_ENGINES: usize = 4;

/// The largest number of pairs of engines in a report.
const MOST_PAIRS: usize = 3;

/// The results of one pass over the log.
#[derive(Debug)]
pub(super) struct LogCensus {
    /// The number of evaluations of moves that each snapshot has.
    pub(super) evaluations: Vec<u64>,
    /// The comparisons of engines.
    pub(super) pairs: Vec<EnginePair>,
}

impl LogCensus {
    /// Reads the log, unless there are neither snapshots nor two engines.
    pub(super) fn take(
        store: &Store,
        snapshots: &[Snapshot],
        engines: &[EngineShare],
        options: &ReportOptions,
    ) -> Result<Self, StoreError> {
        let mut busiest: Vec<&EngineShare> =
            engines.iter().filter(|engine| engine.evaluations > 0).collect();
        busiest.sort_by_key(|engine| std::cmp::Reverse(engine.evaluations));
        busiest.truncate(MOST_ENGINES);
        // Back to the order in which the engines first appeared in the book.
        busiest.sort_by_key(|engine| engines.iter().position(|other| std::ptr::eq(other, *engine)));
        let analysts: Vec<_> = busiest.iter().map(|engine| engine.analyst.clone()).collect();
        let mut evaluations = vec![0; snapshots.len()];
        if analysts.len() < 2 && snapshots.is_empty() {
            return Ok(Self { evaluations, pairs: Vec::new() });
        }
        let mut comparison = Comparison::new(analysts, options.max_rows);
        for entry in store.log()? {
            let entry = entry?;
            let lines = &entry.analysis.analysis.lines;
            let made = lines.iter().filter(|line| !line.pv.is_empty()).count() as u64;
            for (snapshot, count) in snapshots.iter().zip(&mut evaluations) {
                if entry.sequence < snapshot.sequence {
                    *count += made;
                }
            }
            comparison.add(&entry);
        }
        Ok(Self { evaluations, pairs: comparison.finish(MOST_PAIRS) })
    }
}
