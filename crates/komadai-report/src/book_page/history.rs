//! The states that a working book went through.

use komadai_core::Score;

use super::book_state::BookState;
use super::options::ReportOptions;
use super::value_changes::ValueChanges;
use komadai_book::store::{Snapshot, Store, StoreError};
use komadai_bookgraph::BookGraph;

/// The name of a [figure](komadai_book::store::NewSnapshot::figures) that reports look for: the value of the start for
/// Black, as the [number](Score::raw) of a score. With it a snapshot's value is told even where working
/// it out would take too long.
pub const ROOT_FIGURE: &str = "root";

/// The states of snapshots, the earliest first, and what has changed since one of them.
#[derive(Debug)]
pub(super) struct History {
    pub(super) states: Vec<BookState>,
    pub(super) changes: Option<ValueChanges>,
}

/// The snapshots of which a report tells, the earliest first.
#[derive(Debug)]
pub(super) struct ToldSnapshots {
    pub(super) snapshots: Vec<Snapshot>,
    /// The place of the one with which now is compared.
    compared: Option<usize>,
}

impl ToldSnapshots {
    /// The latest ones, and the one to be compared: the one asked for, or the last that is not the state
    /// of now.
    pub(super) fn choose(store: &Store, options: &ReportOptions) -> Result<Self, StoreError> {
        let all = store.snapshots()?;
        let compared = match &options.since {
            Some(name) => {
                let found = all.iter().position(|snapshot| snapshot.taken.name == *name);
                Some(found.ok_or_else(|| StoreError::NoSnapshot { name: name.clone() })?)
            }
            None => {
                let (end, policy) = (store.next_sequence()?, store.policy()?);
                all.iter().rposition(|known| known.sequence != end || known.policy != policy)
            }
        };
        let latest = all.len().saturating_sub(options.max_states);
        let is_told = |at: &usize| *at >= latest || Some(*at) == compared;
        let told: Vec<usize> = (0..all.len()).filter(is_told).collect();
        Ok(Self {
            compared: told.iter().position(|&at| Some(at) == compared),
            snapshots: told.into_iter().map(|at| all[at].clone()).collect(),
        })
    }

    /// The places of those that are valued anew: the one compared, and as many of the others, the latest
    /// first, as there are positions to spend.
    fn worth_deriving(&self, options: &ReportOptions) -> Vec<usize> {
        let mut left = options.max_derived_positions;
        let latest_first = (0..self.snapshots.len()).rev().filter(|&at| Some(at) != self.compared);
        let affordable = self.compared.into_iter().chain(latest_first).filter(|&at| {
            let positions = self.snapshots[at].positions;
            let may_be = positions <= left || Some(at) == self.compared;
            left = if may_be { left.saturating_sub(positions) } else { left };
            may_be
        });
        affordable.collect()
    }
}

impl History {
    /// Works out the states of these snapshots.
    pub(super) fn of(
        store: &Store,
        now: &BookGraph,
        told: &ToldSnapshots,
        options: &ReportOptions,
    ) -> Result<Self, StoreError> {
        let mut history = Self { states: Vec::new(), changes: None };
        let derived = told.worth_deriving(options);
        for (at, snapshot) in told.snapshots.iter().enumerate() {
            if !derived.contains(&at) {
                history.states.push(remembered(snapshot, BookState::unknown()));
                continue;
            }
            // One graph at a time: each takes as much memory as the book.
            let graph = store.graph_at(&snapshot.taken.name)?;
            history.states.push(remembered(snapshot, BookState::of(&graph, options)));
            if told.compared == Some(at) {
                let since = snapshot.taken.name.clone();
                let changes = ValueChanges::between(&graph, now, options.max_rows);
                history.changes = Some(ValueChanges { since, ..changes });
            }
        }
        Ok(history)
    }
}

/// A state with what the snapshot remembers of it.
fn remembered(snapshot: &Snapshot, state: BookState) -> BookState {
    let taken = &snapshot.taken;
    let figure = taken.figures.iter().find(|(name, _)| name == ROOT_FIGURE);
    let root = figure.and_then(|(_, number)| i32::try_from(*number).ok()).map(Score::from_raw);
    BookState {
        name: taken.name.clone(),
        when: taken.when,
        generation: Some(taken.generation),
        positions: snapshot.positions,
        root: state.root.or(root),
        ..state
    }
}
