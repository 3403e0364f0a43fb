//! The past states of a working book.

use komadai_book::store::{Snapshot, Store, StoreError};
use komadai_bookgraph::BookGraph;
use komadai_core::Score;

use super::book_state::BookState;
use super::options::ReportOptions;
use super::value_changes::ValueChanges;

/// The name of a [figure](komadai_book::store::NewSnapshot::figures) of snapshots that reports
/// read: the value of the start position for Black, as a [raw score](Score::raw). With it reports
/// show the value of a snapshot even if computing it would take too long.
pub const ROOT_FIGURE: &str = "root";

/// The states of snapshots, the earliest first, and the changes since one of them.
#[derive(Debug)]
pub(super) struct History {
    pub(super) states: Vec<BookState>,
    pub(super) changes: Option<ValueChanges>,
}

/// The snapshots of a report, the earliest first.
#[derive(Debug)]
pub(super) struct ReportedSnapshots {
    pub(super) snapshots: Vec<Snapshot>,
    /// The index of the snapshot with which the present state is compared.
    compared: Option<usize>,
}

impl ReportedSnapshots {
    /// Chooses the latest snapshots and the one to be compared: the requested one, or the last that
    /// differs from the present state.
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
        let is_reported = |at: &usize| *at >= latest || Some(*at) == compared;
        let reported: Vec<usize> = (0..all.len()).filter(is_reported).collect();
        Ok(Self {
            compared: reported.iter().position(|&at| Some(at) == compared),
            snapshots: reported.into_iter().map(|at| all[at].clone()).collect(),
        })
    }

    /// The indices of the snapshots whose values are computed: the compared one, then the latest
    /// ones as far as the budget of positions allows.
    fn affordable(&self, options: &ReportOptions) -> Vec<usize> {
        let mut left = options.max_derived_positions;
        let latest_first = (0..self.snapshots.len()).rev().filter(|&at| Some(at) != self.compared);
        let chosen = self.compared.into_iter().chain(latest_first).filter(|&at| {
            let positions = self.snapshots[at].positions;
            let may_be = positions <= left || Some(at) == self.compared;
            left = if may_be { left.saturating_sub(positions) } else { left };
            may_be
        });
        chosen.collect()
    }
}

impl History {
    /// Computes the states of these snapshots.
    pub(super) fn of(
        store: &Store,
        now: &BookGraph,
        reported: &ReportedSnapshots,
        options: &ReportOptions,
    ) -> Result<Self, StoreError> {
        let mut history = Self { states: Vec::new(), changes: None };
        let derived = reported.affordable(options);
        for (at, snapshot) in reported.snapshots.iter().enumerate() {
            if !derived.contains(&at) {
                history.states.push(with_stored_data(snapshot, BookState::default()));
                continue;
            }
            // One graph at a time: each takes as much memory as the book.
            let graph = store.graph_at(&snapshot.taken.name)?;
            history.states.push(with_stored_data(snapshot, BookState::of(&graph, options)));
            if reported.compared == Some(at) {
                let since = snapshot.taken.name.clone();
                let changes = ValueChanges::between(&graph, now, &options.root, options.max_rows);
                history.changes = Some(ValueChanges { since, ..changes });
            }
        }
        Ok(history)
    }
}

/// A state with the data that the snapshot stores.
fn with_stored_data(snapshot: &Snapshot, state: BookState) -> BookState {
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
