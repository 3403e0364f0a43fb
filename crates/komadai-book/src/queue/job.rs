//! The state of one job and its transitions.

use komadai_bookfile::position_key::PositionKey;
use komadai_core::{Color, Position};
use serde::{Deserialize, Serialize};

use super::job_queue::{Completion, DeadJob, FailureOutcome, Lease, LeaseRequest, LeasedJob};
use super::job_settings::{JobSettings, NewJob};
use crate::store::position_of;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Job {
    /// True if White is to move in the orientation in which the position was enqueued.
    is_turned: bool,
    ply: u32,
    pub(crate) priority: i64,
    /// The number of the job in the order of enqueueing.
    pub(crate) order: u64,
    pub(crate) settings: JobSettings,
    /// The number of times that the settings have been raised.
    revision: u32,
    /// The newest revision with an accepted result.
    completed: Option<u32>,
    failures: u32,
    expiries: u32,
    reason: String,
    pub(crate) state: JobState,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum JobState {
    Waiting,
    Leased { number: u64, worker: String, until_ms: u64 },
    Done,
    Dead,
}

/// The effect of enqueueing a position that has a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Raised {
    Settings,
    Priority,
    Nothing,
}

impl Job {
    pub(crate) fn new(new: &NewJob, order: u64) -> Self {
        Self {
            is_turned: new.position.side() == Color::White,
            ply: new.position.ply(),
            priority: new.priority,
            order,
            settings: new.settings.clone(),
            revision: 0,
            completed: None,
            failures: 0,
            expiries: 0,
            reason: String::new(),
            state: JobState::Waiting,
        }
    }

    /// Merges a new job for the same position.
    pub(crate) fn raise(&mut self, new: &NewJob) -> Raised {
        let is_more_urgent = new.priority > self.priority;
        self.priority = self.priority.max(new.priority);
        if !self.settings.cover(&new.settings) {
            self.settings = self.settings.joined(&new.settings);
            self.revision = self.revision.saturating_add(1);
            // With other settings the analysis may succeed.
            self.failures = 0;
            if matches!(self.state, JobState::Done | JobState::Dead) {
                self.state = JobState::Waiting;
            }
            return Raised::Settings;
        }
        if is_more_urgent { Raised::Priority } else { Raised::Nothing }
    }

    /// Leases the job to a worker.
    pub(crate) fn grant(&mut self, number: u64, request: &LeaseRequest, now_ms: u64) {
        let until_ms = now_ms.saturating_add(request.duration_ms);
        self.state = JobState::Leased { number, worker: request.worker.clone(), until_ms };
    }

    /// The current lease; `None` if the job is not leased.
    pub(crate) fn to_leased(
        &self,
        key: &PositionKey,
        now_ms: u64,
    ) -> Result<Option<LeasedJob>, String> {
        let JobState::Leased { number, until_ms, .. } = self.state else { return Ok(None) };
        let job = key.packed();
        Ok(Some(LeasedJob {
            lease: Lease { job, number, revision: self.revision },
            position: self.position(key)?,
            settings: self.settings.clone(),
            priority: self.priority,
            failures: self.failures,
            expiries: self.expiries,
            duration_ms: until_ms.saturating_sub(now_ms),
        }))
    }

    pub(crate) fn to_dead(&self, key: &PositionKey) -> Result<DeadJob, String> {
        let position = self.position(key)?;
        Ok(DeadJob { position, settings: self.settings.clone(), reason: self.reason.clone() })
    }

    fn position(&self, key: &PositionKey) -> Result<Position, String> {
        let side = if self.is_turned { Color::White } else { Color::Black };
        position_of(key, side, self.ply)
    }

    /// Returns whether the lease is the current one.
    pub(crate) fn is_held_by(&self, lease: &Lease) -> bool {
        matches!(self.state, JobState::Leased { number, .. } if number == lease.number)
    }

    /// Extends the lease after a heartbeat. Returns false if it is not the current one.
    pub(crate) fn prolong(&mut self, lease: &Lease, until: u64) -> bool {
        match &mut self.state {
            JobState::Leased { number, until_ms, .. } if *number == lease.number => {
                *until_ms = until;
                true
            }
            _ => false,
        }
    }

    /// Marks the job as done by a result.
    pub(crate) fn complete(&mut self, lease: &Lease) -> Completion {
        // `None` is less than every revision.
        if self.completed >= Some(lease.revision) {
            return Completion::AlreadyDone;
        }
        let was_held = self.is_held_by(lease);
        self.completed = Some(lease.revision);
        if lease.revision >= self.revision {
            self.state = JobState::Done;
        } else if was_held {
            // The settings were raised after the lease was granted.
            self.state = JobState::Waiting;
        }
        if was_held { Completion::Accepted } else { Completion::AcceptedLate }
    }

    /// Makes the job wait again after a failure, or gives it up.
    pub(crate) fn fail(
        &mut self,
        lease: &Lease,
        reason: &str,
        max_failures: u32,
    ) -> FailureOutcome {
        if !self.is_held_by(lease) {
            return FailureOutcome::Stale;
        }
        self.failures = self.failures.saturating_add(1);
        reason.clone_into(&mut self.reason);
        if self.failures >= max_failures {
            self.state = JobState::Dead;
            return FailureOutcome::Dead;
        }
        self.state = JobState::Waiting;
        FailureOutcome::Retried
    }

    /// Makes the job wait again after the end of its lease.
    pub(crate) fn expire(&mut self) {
        self.expiries = self.expiries.saturating_add(1);
        self.state = JobState::Waiting;
    }
}
