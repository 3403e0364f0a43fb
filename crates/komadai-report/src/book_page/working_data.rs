//! The data of a report that only a working book contains.

use komadai_book::Input;
use komadai_book::store::{EngineShare, Store, StoreError, Tombstone, ViewPolicy};
use komadai_bookgraph::BookGraph;

use super::book_state::BookState;
use super::disagreements::EnginePair;
use super::game_tally::GameTally;
use super::history::{History, ReportedSnapshots};
use super::log_census::LogCensus;
use super::match_data::MatchData;
use super::options::ReportOptions;
use super::value_changes::ValueChanges;

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
