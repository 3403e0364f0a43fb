//! Numbers from one pass over the log of a working book.

use komadai_book::store::{EngineShare, Snapshot, Store, StoreError};

use super::disagreements::{Comparison, EnginePair};
use super::options::ReportOptions;

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
