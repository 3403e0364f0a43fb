//! The part of a store's queue that ends with the process.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::queued_result::QueuedResult;
use crate::logged_analysis::LoggedAnalysis;

/// The results that this process has not marked as merged, and its workers' failures in a row.
///
/// A store needs no outbox on disk: a result is in the log when the transaction ends that completes
/// its job, so no result is lost with this list. What the list tells is only of which positions the
/// process has yet to bring its graph up to date, and a graph is read anew when a store is opened.
#[derive(Debug, Default)]
pub(crate) struct Session {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    next: u64,
    results: BTreeMap<u64, QueuedResult>,
    failures_in_a_row: HashMap<String, u32>,
}

impl Session {
    /// No code that holds the lock panics half-way through a change.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds results of workers, each of which has not failed this time.
    pub(crate) fn add(&self, accepted: impl IntoIterator<Item = (LoggedAnalysis, String)>) {
        let mut state = self.state();
        for (result, worker) in accepted {
            state.failures_in_a_row.remove(&worker);
            let id = state.next;
            state.next += 1;
            state.results.insert(id, QueuedResult { id, result, worker });
        }
    }

    pub(crate) fn results(&self, limit: usize) -> Vec<QueuedResult> {
        self.state().results.values().take(limit).cloned().collect()
    }

    pub(crate) fn remove(&self, ids: &[u64]) {
        let mut state = self.state();
        for id in ids {
            state.results.remove(id);
        }
    }

    pub(crate) fn note_failure(&self, worker: &str) {
        *self.state().failures_in_a_row.entry(worker.to_owned()).or_default() += 1;
    }

    pub(crate) fn failures_in_a_row(&self, worker: &str) -> u32 {
        self.state().failures_in_a_row.get(worker).copied().unwrap_or(0)
    }
}
