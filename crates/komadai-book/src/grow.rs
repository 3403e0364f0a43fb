//! The loop by which a book grows: select, analyse, merge, propagate.
//!
//! The selected positions become jobs of a queue, by default of that in the book's own file. Threads
//! with an analyst each, and with another queue workers on other machines, lease jobs and return
//! results; one thread plans and merges:
//!
//! ```text
//!            plan                lease              finish
//! select ───────────► waiting ───────────► analyst ─────────► outbox ─── in the order of the plan ──► graph
//!    ▲                                                                                                 │
//!    └───────────────────── fewer than half of a round are planned without a result in the graph ──────┘
//! ```
//!
//! No analyst waits for the end of a round. Still the book depends neither on the number of analysts
//! nor on their speed, because the graph from which positions are selected takes results in the order
//! in which they were planned. Results that arrive before their turn are in the store, and in the
//! outbox: the loop can end at any moment, even by a crash, and the next run continues where the
//! graph was.

mod crew;
mod event;
mod grower;
mod growth;
mod merge_order;
mod options;
mod work;
mod worker;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use komadai_bookgraph::BookGraph;
use komadai_core::{Analyst, Position};

use crate::queue::{JobQueue, JobSettings, NewJob, PlanChanges, QueueError, QueueOptions};
use crate::run_error::RunError;
use crate::working_book::WorkingBook;
use growth::{Growth, Sharing};

pub use event::{GrowEnd, GrowEvent, Grown};
pub use grower::Grower;
pub use options::GrowOptions;
pub use work::{WhenEmpty, WorkEvent, Worked, work};

impl WorkingBook {
    /// Grows the book: selects positions, analyses them with one thread per analyst, merges the
    /// results and propagates their values. The next round of positions is selected when half of the
    /// last one has been merged.
    ///
    /// `select` returns positions, the most urgent first. Positions that have been analysed with
    /// these settings, or have been given up, are skipped, and so are positions that a book cannot
    /// hold. Jobs that an earlier run left in the queue are done first, unless they have other
    /// settings than `options` for the same engine and generation; those that
    /// [name](crate::queue::JobSettings::engine) an engine that none of the analysts is are left to
    /// others. Setting `stop` ends the run; an analysis that is interrupted is repeated in the next
    /// run. With a node budget and independent analyses the result depends neither on the number of
    /// analysts nor on interruptions. An analyst [finds](Analyst::set_lines) as many lines as a job states.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn grow<A: Analyst>(
        &mut self,
        analysts: &mut [A],
        options: &GrowOptions,
        stop: &Arc<AtomicBool>,
        select: &mut dyn FnMut(&BookGraph) -> Vec<Position>,
        on_event: &mut dyn FnMut(GrowEvent<'_>),
    ) -> Result<Grown, RunError> {
        let (store, graph) = self.parts();
        let queue = store.queue(QueueOptions::default());
        // Only one process has the file open, so the workers of all existing leases have ended.
        queue.end_leases()?;
        withdraw_others(&queue, &options.settings)?;
        let plan = queue.plan_order()?;
        let mut growth = Growth::new(store, graph, &queue, Sharing::Alone, options, stop)?;
        growth.run(analysts, plan, select, on_event)
    }

    /// Implements [`Grower::run_on`].
    fn grow_on<Q: JobQueue, A: Analyst>(
        &mut self,
        queue: &Q,
        analysts: &mut [A],
        options: &GrowOptions,
        stop: &Arc<AtomicBool>,
        select: &mut dyn FnMut(&BookGraph) -> Vec<Position>,
        on_event: &mut dyn FnMut(GrowEvent<'_>),
    ) -> Result<Grown, RunError> {
        let percent = options.nodes_after_parent_percent;
        if percent < 100 {
            return Err(RunError::DependentAnalyses { percent });
        }
        let (store, graph) = self.parts();
        withdraw_others(queue, &options.settings)?;
        let plan = queue.plan_order()?;
        let mut growth = Growth::new(store, graph, queue, Sharing::Shared, options, stop)?;
        growth.run(analysts, plan, select, on_event)
    }
}

/// Withdraws what an earlier run of the same engine and generation selected for other settings.
/// Jobs for other engines or generations belong to other plans.
fn withdraw_others(queue: &impl JobQueue, wanted: &JobSettings) -> Result<(), QueueError> {
    let is_other = |job: &NewJob| job.settings.are_of_plan(wanted) && job.settings != *wanted;
    let waiting = queue.waiting(usize::MAX)?;
    let others: Vec<Position> =
        waiting.into_iter().filter(is_other).map(|job| job.position).collect();
    if !others.is_empty() {
        queue.plan(&PlanChanges::withdrawn(others))?;
    }
    Ok(())
}
