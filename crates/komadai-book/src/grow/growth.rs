//! The thread that selects positions, plans jobs and merges results.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::iter;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use komadai_bookfile::position_key::PositionKey;
use komadai_bookgraph::BookGraph;
use komadai_core::{Analyst, AnalystId, Position};

use super::crew::{Crew, EndOfRun};
use super::event::{GrowEnd, GrowEvent, Grown};
use super::merge_order::MergeOrder;
use super::options::GrowOptions;
use super::worker::{Member, Work, WorkerEvent};
use crate::logged_analysis::LoggedAnalysis;
use crate::queue::{JobQueue, JobSettings, NewJob, PlanChanges, QueueError, QueuedResult};
use crate::run_error::RunError;
use crate::store::{Change, Store, StoreError};
use crate::working_book::{refresh, set};

/// The time after which the thread looks at the stop flag and for results of others.
const POLL: Duration = Duration::from_millis(200);

/// The shortest time for which the machines of others wait for a job of the plan.
const PATIENCE: Duration = Duration::from_secs(30);

/// The number of results that are merged in one transaction.
const MERGED_AT_ONCE: usize = 1_000;

/// The access of others to a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sharing {
    /// Only the analysts of this run do its jobs.
    Alone,
    /// Workers on other machines do jobs as well.
    Shared,
}

/// A run in progress.
pub(super) struct Growth<'g, Q> {
    store: &'g Store,
    graph: &'g mut BookGraph,
    queue: &'g Q,
    sharing: Sharing,
    options: &'g GrowOptions,
    stop: &'g Arc<AtomicBool>,
    /// The identities of the analysts.
    identities: Vec<AnalystId>,
    order: MergeOrder,
    /// The number of rows of the store's log that the graph contains. With one analyst, a run that
    /// continues an interrupted one finds the same number at the same place.
    rows: u64,
    /// True if the selection since the last merged result has been made.
    has_selected: bool,
    /// The numbers of the results that the graph contains, which the queue has not been told.
    considered: Vec<u64>,
    /// The numbers of the results of an earlier run that have not had their turn.
    recovered: HashSet<u64>,
    /// The positions that this run has tried to plan.
    selected_before: HashSet<PositionKey>,
    /// The keys of selected positions that a book cannot hold.
    unheld: HashSet<u64>,
    /// The time since which no job waits for the machines of others.
    blocked: Option<Instant>,
    longest_search: Duration,
    grown: Grown,
}

/// Returns whether an analysis adds a row to the log.
fn has_value(result: &LoggedAnalysis) -> bool {
    result.analysis.lines.iter().any(|line| !line.pv.is_empty())
}

type Select<'s> = dyn FnMut(&BookGraph) -> Vec<Position> + 's;
type OnEvent<'e> = dyn FnMut(GrowEvent<'_>) + 'e;

/// The number of waiting jobs for engines that are none of the analysts, by engine.
fn others_wait(
    queue: &impl JobQueue,
    analysts: &[AnalystId],
) -> Result<BTreeMap<String, u64>, QueueError> {
    let is_own =
        |engine: &str| engine.is_empty() || analysts.iter().any(|analyst| analyst.is_named(engine));
    let mut waiting = queue.waiting_by_engine()?;
    waiting.retain(|engine, _| !is_own(engine));
    Ok(waiting)
}

impl<'g, Q: JobQueue> Growth<'g, Q> {
    pub(super) fn new(
        store: &'g Store,
        graph: &'g mut BookGraph,
        queue: &'g Q,
        sharing: Sharing,
        options: &'g GrowOptions,
        stop: &'g Arc<AtomicBool>,
    ) -> Result<Self, StoreError> {
        Ok(Self {
            store,
            graph,
            queue,
            sharing,
            options,
            stop,
            identities: Vec::new(),
            order: MergeOrder::default(),
            rows: store.size()?.log_rows,
            has_selected: false,
            considered: Vec::new(),
            recovered: HashSet::new(),
            selected_before: HashSet::new(),
            unheld: HashSet::new(),
            blocked: None,
            longest_search: Duration::ZERO,
            grown: Grown::default(),
        })
    }

    pub(super) fn run<A: Analyst>(
        &mut self,
        analysts: &mut [A],
        plan: Vec<(PositionKey, JobSettings)>,
        select: &mut Select<'_>,
        on_event: &mut OnEvent<'_>,
    ) -> Result<Grown, RunError> {
        match self.run_to_end(analysts, plan, select, on_event) {
            // The next run finds in the queue what this one could not ask for.
            Err(RunError::Queue(error)) if error.is_temporary() && self.is_stopped() => {
                self.grown.end = GrowEnd::Stopped;
            }
            ended => ended?,
        }
        Ok(self.grown)
    }

    fn run_to_end<A: Analyst>(
        &mut self,
        analysts: &mut [A],
        plan: Vec<(PositionKey, JobSettings)>,
        select: &mut Select<'_>,
        on_event: &mut OnEvent<'_>,
    ) -> Result<(), RunError> {
        self.identities = analysts.iter().map(Analyst::identity).collect();
        self.take_up(plan)?;
        let crew = Crew::new(analysts.len(), self.options.positions);
        let (queue, options, stop) = (self.queue, self.options, self.stop);
        let work = Work { queue, options, stop, crew: &crew };
        let (sender, events) = mpsc::channel();
        thread::scope(|scope| {
            let _end = EndOfRun(&crew);
            for (number, analyst) in analysts.iter_mut().enumerate() {
                let (sender, work) = (sender.clone(), &work);
                scope.spawn(move || work.work(&mut Member::new(number, analyst), &sender));
            }
            drop(sender);
            scope.spawn(|| crew.keep_alive(queue));
            self.coordinate(&crew, &events, select, on_event)
        })?;
        events.try_iter().try_for_each(|event| self.on_worker_event(event, on_event))?;
        // The queue of a store removes them with the next plan.
        self.patiently(|| self.queue.plan(&PlanChanges::default()))?;
        // What had not had its turn is in the store, and so belongs to the graph. It stays in the
        // outbox: the next run considers it in the order of the plan.
        self.collect()?;
        self.order.skip_missing();
        while let Some(result) = self.order.next() {
            self.add_to_graph(&result, on_event)?;
        }
        if self.sharing == Sharing::Alone {
            let others = others_wait(self.queue, &self.identities)?;
            self.grown.waiting_for_others = others.values().sum();
            if !others.is_empty() {
                on_event(GrowEvent::OthersWait { jobs: &others });
            }
            if self.grown.end == GrowEnd::Exhausted {
                let waiting = self.queue.waiting(usize::MAX)?;
                let own = waiting.iter().filter(|job| self.is_own(&job.settings));
                self.grown.left_failed = own.count();
            }
        }
        // The analysts find their own number of lines again. One that cannot is gone, which its
        // next use tells.
        analysts.iter_mut().for_each(|analyst| drop(analyst.set_lines(None)));
        Ok(())
    }

    /// Takes up what an earlier run has planned: the jobs, and the results that it had not
    /// considered. The graph of the store contains these results; they leave it until their turn.
    fn take_up(&mut self, plan: Vec<(PositionKey, JobSettings)>) -> Result<(), RunError> {
        let results = self.patiently(|| self.queue.results(usize::MAX))?;
        let mut by_position: HashMap<PositionKey, Vec<&LoggedAnalysis>> = HashMap::new();
        for QueuedResult { id, result, .. } in &results {
            if let Ok(key) = PositionKey::try_of(&result.position)
                && self.store.holds(result)?
            {
                by_position.entry(key).or_default().push(result);
                self.recovered.insert(*id);
                self.rows = self.rows.saturating_sub(u64::from(has_value(result)));
            }
        }
        let mut changes = Vec::new();
        for without in by_position.values() {
            let position = without[0].position.without_history();
            let stored = self.store.position_without(&position, without)?;
            changes.extend(set(position, stored));
        }
        self.graph.apply(&changes).map_err(StoreError::from)?;
        // Of the waiting jobs no more than this run is to do.
        let mut left = self.options.positions;
        for (key, settings) in plan {
            let is_result = by_position.contains_key(&key);
            let is_own = self.is_own(&settings);
            if is_result || is_own && left > 0 {
                self.order.push(key);
                self.selected_before.insert(key);
                left -= usize::from(!is_result);
            }
        }
        Ok(())
    }

    /// Plans, and merges results, until the run is over.
    fn coordinate(
        &mut self,
        crew: &Crew,
        events: &Receiver<WorkerEvent>,
        select: &mut Select<'_>,
        on_event: &mut OnEvent<'_>,
    ) -> Result<(), RunError> {
        let mut has_news = true;
        loop {
            // Threads are idle after their results are in the queue, not before.
            let is_idle = crew.is_idle();
            if has_news || is_idle {
                self.collect()?;
            }
            self.advance(crew, select, on_event)?;
            if let Some(end) = self.end(crew) {
                self.grown.end = end;
                return Ok(());
            }
            if has_news {
                self.pass_over_stragglers()?;
            }
            if is_idle && crew.is_idle() && self.is_alone()? {
                // The last results may have come since the look at them.
                self.collect()?;
                // What still waits is for others, or these analysts have failed too often at it.
                self.order.skip_missing();
                self.has_selected &= !self.order.is_empty();
                self.advance(crew, select, on_event)?;
                if self.order.is_empty() {
                    self.grown.end = self.end(crew).unwrap_or(GrowEnd::Exhausted);
                    return Ok(());
                }
            }
            has_news = false;
            match events.recv_timeout(POLL) {
                Ok(event) => {
                    for event in iter::once(event).chain(events.try_iter()) {
                        has_news |= matches!(event, WorkerEvent::Finished);
                        self.on_worker_event(event, on_event)?;
                    }
                }
                // Others may have results.
                Err(RecvTimeoutError::Timeout) => has_news = true,
                // All analysts have ended; others may work on.
                Err(RecvTimeoutError::Disconnected) => {
                    thread::sleep(POLL);
                    has_news = true;
                }
            }
        }
    }

    fn on_worker_event(
        &mut self,
        event: WorkerEvent,
        on_event: &mut OnEvent<'_>,
    ) -> Result<(), RunError> {
        match event {
            WorkerEvent::Finished | WorkerEvent::Idle => {}
            WorkerEvent::Failed { position, reason } => {
                self.grown.failures += 1;
                on_event(GrowEvent::Failed { position: &position, reason: &reason });
            }
            WorkerEvent::Dismissed { analyst, reason } => {
                on_event(GrowEvent::Dismissed { analyst, reason: &reason });
            }
            WorkerEvent::QueueFailed(error) => return Err(error.into()),
        }
        Ok(())
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Repeats a request while the queue is not available, unless the run is to stop.
    fn patiently<T>(&self, request: impl Fn() -> Result<T, QueueError>) -> Result<T, QueueError> {
        loop {
            match request() {
                Err(error) if error.is_temporary() && !self.is_stopped() => thread::sleep(POLL),
                done => return done,
            }
        }
    }

    /// Returns the reason why the run is over, unless only a lack of positions can end it.
    fn end(&self, crew: &Crew) -> Option<GrowEnd> {
        if self.is_stopped() {
            Some(GrowEnd::Stopped)
        } else if self.grown.analysed >= self.options.positions {
            Some(GrowEnd::Enough)
        } else if crew.active() == 0 && self.sharing == Sharing::Alone {
            Some(GrowEnd::NoAnalysts)
        } else {
            None
        }
    }

    /// Returns whether no other machine has a job.
    fn is_alone(&self) -> Result<bool, RunError> {
        if self.sharing == Sharing::Alone {
            return Ok(true);
        }
        self.patiently(|| self.queue.expire())?;
        let counts = self.patiently(|| self.queue.counts())?;
        Ok(counts.leased == 0 && counts.waiting == 0)
    }

    /// Passes over the jobs of the plan without a result if the machines of others wait for them. A
    /// machine that has vanished would keep all others waiting until its lease ends. The results
    /// enter the graph when they come, so the book depends on the moment in this case.
    fn pass_over_stragglers(&mut self) -> Result<(), RunError> {
        let is_blocked = self.sharing == Sharing::Shared
            && !self.order.is_empty()
            && self.patiently(|| self.queue.counts())?.waiting == 0;
        if !is_blocked {
            self.blocked = None;
            return Ok(());
        }
        let since = *self.blocked.get_or_insert_with(Instant::now);
        if since.elapsed() >= PATIENCE.max(2 * self.longest_search) {
            self.order.skip_missing();
            self.blocked = None;
        }
        Ok(())
    }

    /// Takes results from the queue and merges them into the store.
    fn collect(&mut self) -> Result<(), RunError> {
        loop {
            // The queue lists the results that wait for their turn as well.
            let limit = self.order.results() + MERGED_AT_ONCE;
            let mut results = self.patiently(|| self.queue.results(limit))?;
            let is_all = results.len() < limit;
            results.retain(|result| !self.order.has(result.id));
            let mut new = Vec::new();
            for QueuedResult { result, .. } in &results {
                // The queue of a store has merged it. Another one passes it on again if it was not told
                // of a merge.
                if self.sharing == Sharing::Shared && !self.store.holds(result)? {
                    new.push(Change::Analysis(result.clone()));
                }
            }
            if !new.is_empty() {
                self.store.merge_batch(&new)?;
            }
            results.into_iter().for_each(|result| self.order.add(result));
            if is_all {
                return Ok(());
            }
        }
    }

    /// Passes the results whose turn it is to the graph, and plans further jobs where they are due.
    fn advance(
        &mut self,
        crew: &Crew,
        select: &mut Select<'_>,
        on_event: &mut OnEvent<'_>,
    ) -> Result<(), RunError> {
        while self.end(crew).is_none() {
            if self.is_due() && !self.has_selected {
                self.has_selected = true;
                self.plan(crew, select, on_event)?;
            }
            let Some(result) = self.order.next() else { break };
            self.add_to_graph(&result, on_event)?;
            self.considered.push(result.id);
            self.has_selected = false;
        }
        self.mark_considered()
    }

    fn add_to_graph(
        &mut self,
        result: &QueuedResult,
        on_event: &mut OnEvent<'_>,
    ) -> Result<(), RunError> {
        let (position, analysis) = (&result.result.position, &result.result.analysis);
        let updated = refresh(self.store, self.graph, [position])?;
        self.rows += u64::from(has_value(&result.result));
        if self.recovered.remove(&result.id) {
            return Ok(());
        }
        self.longest_search = self.longest_search.max(analysis.time);
        self.grown.analysed += 1;
        self.grown.nodes += analysis.nodes;
        let graph = &*self.graph;
        let (analyst, worker) = (&result.result.analyst, result.worker.as_str());
        on_event(GrowEvent::Analysed { position, analysis, analyst, worker, updated, graph });
        Ok(())
    }

    /// Returns whether further positions are to be selected: no job is left, or fewer than half of a
    /// round. Where few positions can be selected, every eighth of a round is enough.
    ///
    /// This depends on nothing that an interruption of the run changes.
    fn is_due(&self) -> bool {
        let per_round = self.options.per_round;
        let step = (per_round / 8).max(1) as u64;
        let left = self.order.len();
        left == 0 || left <= per_round / 2 && self.rows.is_multiple_of(step)
    }

    /// Plans a round of selected positions that have not been analysed before.
    fn plan(
        &mut self,
        crew: &Crew,
        select: &mut Select<'_>,
        on_event: &mut OnEvent<'_>,
    ) -> Result<(), RunError> {
        let left = self.options.positions - self.grown.analysed;
        let planned = self.order.len().saturating_sub(self.recovered.len());
        let wanted = self.options.per_round.max(1).min(left.saturating_sub(planned));
        if wanted == 0 {
            return Ok(());
        }
        // What the plan follows from leaves the outbox with the plan, not after it.
        self.mark_considered()?;
        let mut selected: VecDeque<Position> = select(self.graph).into();
        let before = self.order.len();
        while self.order.len() < before + wanted && !selected.is_empty() {
            let missing = before + wanted - self.order.len();
            let jobs = self.new_jobs(&mut selected, missing);
            if jobs.is_empty() {
                break;
            }
            for key in crew.with_news(|| self.plan_jobs(jobs))? {
                self.order.push(key);
            }
        }
        self.grown.unheld = self.unheld.len();
        let positions = self.order.len() - before;
        if positions > 0 {
            self.grown.rounds += 1;
            on_event(GrowEvent::Round { number: self.grown.rounds, positions });
        }
        Ok(())
    }

    /// Takes up to `most` positions that this run has not tried to plan.
    fn new_jobs(&mut self, selected: &mut VecDeque<Position>, most: usize) -> Vec<NewJob> {
        let mut jobs = Vec::new();
        while jobs.len() < most
            && let Some(position) = selected.pop_front()
        {
            let Ok(key) = PositionKey::try_of(&position) else {
                self.unheld.insert(position.key());
                continue;
            };
            if self.selected_before.insert(key) {
                // The queue keeps the order of planning among jobs of equal priority.
                let settings = self.options.settings.clone();
                jobs.push(NewJob { position, priority: 0, settings });
            }
        }
        jobs
    }

    /// Plans jobs. Returns the positions of those that wait now: the queue refuses positions that
    /// an earlier run has analysed or given up, and others may be for another engine. Those that
    /// are done wait again if the book has lost their results.
    fn plan_jobs(&self, jobs: Vec<NewJob>) -> Result<Vec<PositionKey>, RunError> {
        let keys = jobs.iter().filter_map(|job| PositionKey::try_of(&job.position).ok()).collect();
        let changes = PlanChanges::wanted(jobs);
        let planned = self.patiently(|| self.queue.plan(&changes))?;
        if planned.added == changes.wanted.len() {
            return Ok(keys);
        }
        let mut own = self.own_plan()?;
        let lost = self.lost(&changes, &own)?;
        if !lost.is_empty() && self.patiently(|| self.queue.redo(&lost))? > 0 {
            own = self.own_plan()?;
        }
        Ok(keys.into_iter().filter(|key| own.contains(key)).collect())
    }

    /// The positions of the plan that these analysts may do.
    fn own_plan(&self) -> Result<HashSet<PositionKey>, RunError> {
        let planned = self.patiently(|| self.queue.plan_order())?.into_iter();
        let own = planned.filter(|(_, settings)| self.is_own(settings));
        Ok(own.map(|(key, _)| key).collect())
    }

    /// The wanted positions that are not in the plan, and of which the book has no analysis.
    fn lost(
        &self,
        changes: &PlanChanges,
        plan: &HashSet<PositionKey>,
    ) -> Result<Vec<Position>, RunError> {
        let mut lost = Vec::new();
        for NewJob { position, .. } in &changes.wanted {
            let is_planned = PositionKey::try_of(position).is_ok_and(|key| plan.contains(&key));
            if !is_planned && self.store.analyses(position)?.is_empty() {
                lost.push(position.clone());
            }
        }
        Ok(lost)
    }

    /// Removes the results from the outbox that the graph contains.
    fn mark_considered(&mut self) -> Result<(), RunError> {
        if !self.considered.is_empty() {
            self.patiently(|| self.queue.merged(&self.considered))?;
            self.considered.clear();
        }
        Ok(())
    }

    /// Returns whether one of the analysts may do a job; workers elsewhere may do any.
    fn is_own(&self, settings: &JobSettings) -> bool {
        let is_own = |analyst: &AnalystId| settings.are_for(analyst);
        self.sharing == Sharing::Shared || self.identities.iter().any(is_own)
    }
}
