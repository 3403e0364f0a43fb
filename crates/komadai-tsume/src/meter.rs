//! The count of nodes, the budget that limits it and the reports on the way.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::fmt;

use komadai_core::{Budget, Pv};
use komadai_movegen::MateLimit;

use crate::plies::Plies;
use crate::tables::table::Apart;

/// The state of an unfinished search: [`DfPn::solve_with`](crate::DfPn::solve_with) passes it on.
///
/// Reports come once for [`INTERVAL`](Self::INTERVAL) nodes, without a look at a clock. A caller
/// that shows times measures them.
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_movegen::CheckClass;
/// use komadai_tsume::{DfPn, MateProgress};
///
/// let position = Position::from_sfen("7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1")?;
/// let mut reports: Vec<MateProgress> = Vec::new();
/// let report = DfPn::default().solve_with(
///     &position,
///     &Budget::nodes(200_000),
///     CheckClass::All,
///     &mut |progress| reports.push(progress.clone()),
/// );
/// // One report for each interval; an easy position has none.
/// assert!(reports.len() as u64 <= report.nodes / MateProgress::INTERVAL);
/// assert!(reports.iter().all(|progress| progress.nodes <= report.nodes));
/// assert!(reports.iter().all(|progress| progress.hits <= progress.look_ups));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MateProgress {
    /// The number of positions visited.
    pub nodes: u64,
    /// The proof number of the root: an estimate of the positions to be proved for a mate; 0 for a
    /// proven mate whose moves are being collected.
    pub proof_number: u32,
    /// The disproof number of the root: an estimate of the positions to be disproved for the proof
    /// that there is no mate; [`u32::MAX`] for a proven mate.
    pub disproof_number: u32,
    /// The number of plies of the shortest mate found so far. The search continues for a shorter
    /// one, or for its moves.
    pub found: Option<u32>,
    /// The moves from the root to the position that is being searched. Empty while the moves of a
    /// mate are being collected.
    pub line: Pv,
    /// The memory that results of this call take in the solver's tables, in bytes. With several
    /// threads, the moves that the other threads keep are not included.
    pub memory_bytes: usize,
    /// The number of times that the position after a move was looked up in the table. With several
    /// threads, the look-ups of the other threads are not counted.
    pub look_ups: u64,
    /// The number of these look-ups that found an entry, solved or not.
    pub hits: u64,
}

impl MateProgress {
    /// Number of nodes between two reports. They take a tenth of a second or a few.
    pub const INTERVAL: u64 = 1 << 16;
}

/// The nodes used so far, with the budget.
pub(crate) struct Meter<'a> {
    budget: &'a Budget,
    nodes: u64,
    look_ups: u64,
    hits: u64,
    polls: u32,
    is_spent: bool,
    /// The number of nodes from which a report is due.
    report_at: u64,
    receiver: &'a mut dyn FnMut(&MateProgress),
    /// The length of the best mate so far.
    found: Option<Plies>,
    /// True while the moves of a mate are collected, by searches of other positions than the root.
    is_collecting: bool,
    /// The threads that search the same position.
    team: Option<&'a Team>,
    /// The number of nodes that the team does not know yet.
    uncounted: u64,
}

/// The state that the threads of a search share beside their tables.
#[derive(Debug, Default)]
pub(crate) struct Team {
    /// The number of nodes of all threads, a few of the latest ones not counted.
    nodes: Apart<AtomicU64>,
    /// True once a thread has a result.
    is_over: Apart<AtomicBool>,
}

impl Team {
    /// Creates a team after this number of nodes.
    pub(crate) fn after(nodes: u64) -> Self {
        Self { nodes: Apart(AtomicU64::new(nodes)), is_over: Apart::default() }
    }

    /// Ends the searches of the other threads.
    pub(crate) fn end(&self) {
        self.is_over.0.store(true, Ordering::Relaxed);
    }

    /// Returns true if a thread has a result.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over.0.load(Ordering::Relaxed)
    }

    /// Returns the number of nodes of all threads.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.0.load(Ordering::Relaxed)
    }
}

/// Number of nodes that a thread visits between two messages to its team.
const NODES_A_MESSAGE: u64 = 64;

/// Number of calls of [`Meter::is_spent`] between two checks of the clock and the stop flag. The
/// search calls it at most twice a node and a node takes a few microseconds, so a check comes at
/// least every millisecond or so, and its cost does not matter.
const POLL_INTERVAL: u32 = 128;

impl<'a> Meter<'a> {
    pub(crate) fn new(budget: &'a Budget, receiver: &'a mut dyn FnMut(&MateProgress)) -> Self {
        Self {
            budget,
            nodes: 0,
            look_ups: 0,
            hits: 0,
            polls: 0,
            is_spent: budget.is_exhausted(0),
            report_at: MateProgress::INTERVAL,
            receiver,
            found: None,
            is_collecting: false,
            team: None,
            uncounted: 0,
        }
    }

    /// Returns the budget.
    pub(crate) fn budget(&self) -> &'a Budget {
        self.budget
    }

    /// Creates a meter for another thread of a search, which counts into `team`.
    pub(crate) fn of_team(
        budget: &'a Budget,
        team: &'a Team,
        receiver: &'a mut dyn FnMut(&MateProgress),
    ) -> Self {
        let mut meter = Self::new(budget, receiver);
        (meter.report_at, meter.team) = (u64::MAX, Some(team));
        meter
    }

    /// Searches with a team: calls `search` with a meter that counts into it, and counts the nodes
    /// of all threads.
    pub(crate) fn with_team<R>(
        &mut self,
        team: &Team,
        search: impl FnOnce(&mut Meter<'_>) -> R,
    ) -> R {
        let Self { budget, nodes, look_ups, hits, polls, is_spent, report_at, found, .. } = *self;
        let receiver = &mut self.receiver;
        // A meter of its own, because the team does not live as long as this one.
        let mut meter = Meter {
            budget,
            nodes,
            look_ups,
            hits,
            polls,
            is_spent,
            report_at,
            receiver: &mut **receiver,
            found,
            is_collecting: false,
            team: Some(team),
            uncounted: 0,
        };
        let result = search(&mut meter);
        meter.tell_team();
        self.look_ups = meter.look_ups;
        self.hits = meter.hits;
        self.polls = meter.polls;
        self.report_at = meter.report_at;
        self.is_spent = meter.is_spent;
        result
    }

    /// Notes the number of nodes of all threads.
    pub(crate) fn note_team(&mut self, team: &Team) {
        self.nodes = team.nodes();
    }

    /// Adds the nodes that the team does not know yet.
    pub(crate) fn tell_team(&mut self) {
        if let Some(team) = self.team {
            team.nodes.0.fetch_add(core::mem::take(&mut self.uncounted), Ordering::Relaxed);
        }
    }

    /// Returns the number of nodes visited so far.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts one node.
    pub(crate) fn visit(&mut self) {
        self.nodes += 1;
        if self.team.is_some() {
            self.uncounted += 1;
            if self.uncounted >= NODES_A_MESSAGE {
                self.tell_team();
            }
        }
    }

    /// Counts one look-up of a child in the table.
    #[inline]
    pub(crate) fn look_up(&mut self, is_hit: bool) {
        self.look_ups += 1;
        self.hits += u64::from(is_hit);
    }

    /// Returns true if another thread has the result.
    pub(crate) fn is_over(&self) -> bool {
        self.team.is_some_and(Team::is_over)
    }

    /// Returns true if the search has to stop. Once true, it stays true.
    pub(crate) fn is_spent(&mut self) -> bool {
        self.polls += 1;
        if self.polls >= POLL_INTERVAL {
            self.polls = 0;
            self.is_spent |= self.budget.is_stopped() || self.budget.is_past_deadline();
        }
        let nodes = self.team.map_or(self.nodes, |team| team.nodes() + self.uncounted);
        self.is_spent |= self.budget.is_out_of_nodes(nodes);
        self.is_spent
    }

    /// Returns the limit that has ended the search.
    pub(crate) fn limit(&self) -> MateLimit {
        MateLimit::of(self.budget, self.nodes)
    }

    /// Returns true if the search has to report.
    pub(crate) fn is_report_due(&self) -> bool {
        self.nodes >= self.report_at
    }

    /// Sends a report. `complete` adds the numbers and the line of the search from the root to it.
    pub(crate) fn report(&mut self, memory_bytes: usize, complete: impl FnOnce(&mut MateProgress)) {
        self.report_at = self.nodes.saturating_add(MateProgress::INTERVAL);
        let mut progress = MateProgress {
            nodes: self.nodes,
            proof_number: 0,
            disproof_number: u32::MAX,
            found: self.found.map(|plies| plies.count() as u32),
            line: Pv::new(),
            memory_bytes,
            look_ups: self.look_ups,
            hits: self.hits,
        };
        if !self.is_collecting {
            complete(&mut progress);
        }
        (self.receiver)(&progress);
    }

    /// Notes the length of a mate that has been found.
    pub(crate) fn note_mate(&mut self, plies: Plies) {
        self.found = Some(plies);
    }

    /// Notes that the searches that follow collect the moves of the mate found.
    pub(crate) fn start_collecting(&mut self) {
        self.is_collecting = true;
    }
}

impl fmt::Debug for Meter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Meter")
            .field("budget", &self.budget)
            .field("nodes", &self.nodes)
            .field("is_spent", &self.is_spent)
            .finish_non_exhaustive()
    }
}
