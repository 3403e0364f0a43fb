//! The state of one job and its transitions.

use std::cmp::Ordering;

use komadai_bookfile::position_key::PositionKey;
use komadai_core::{Color, Position};
use serde::{Deserialize, Serialize};

use super::job_queue::DeadJob;
use super::job_settings::{JobSettings, NewJob};
use super::job_source::Completion;
use super::lease::{Lease, LeaseRequest, LeasedJob};
use crate::store::position_of;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Job {
    /// True if White is to move in the orientation in which the position was planned.
    is_turned: bool,
    ply: u32,
    pub(crate) priority: i64,
    /// The number of the job in the order of planning.
    pub(crate) order: u64,
    pub(crate) settings: JobSettings,
    /// The number of times that the settings have been raised.
    revision: u32,
    /// The newest revision with an accepted result.
    completed: Option<u32>,
    pub(crate) failures: u32,
    expiries: u32,
    reason: String,
    pub(crate) state: JobState,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum JobState {
    Waiting,
    Leased {
        number: u64,
        worker: String,
        until_ms: u64,
    },
    Done,
    Dead,
    /// Leased to a file, which may come back when the process that wrote it is gone.
    Exported {
        number: u64,
        worker: String,
        until_ms: u64,
    },
}

/// The lifetime of a lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holder {
    /// The lease is void when the process ends that has the store open.
    Process,
    /// The lease outlives the process.
    File,
}

/// The effect of planning a position that has a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Changed {
    Settings,
    Raised,
    Lowered,
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
    pub(crate) fn change(&mut self, new: &NewJob) -> Changed {
        let before = self.priority;
        let is_extended = !self.settings.cover(&new.settings);
        let is_same_plan = self.settings.are_of_plan(&new.settings);
        if is_extended {
            self.settings = self.settings.joined(&new.settings);
            self.revision = self.revision.saturating_add(1);
            // With other settings the analysis may succeed.
            self.failures = 0;
            if matches!(self.state, JobState::Done | JobState::Dead) {
                self.state = JobState::Waiting;
                self.priority = new.priority;
                return Changed::Settings;
            }
        }
        if !matches!(self.state, JobState::Done | JobState::Dead) {
            self.priority =
                if is_same_plan { new.priority } else { new.priority.max(self.priority) };
        }
        match self.priority.cmp(&before) {
            _ if is_extended => Changed::Settings,
            Ordering::Greater => Changed::Raised,
            Ordering::Less => Changed::Lowered,
            Ordering::Equal => Changed::Nothing,
        }
    }

    /// Leases the job to a worker.
    pub(crate) fn grant(
        &mut self,
        number: u64,
        request: &LeaseRequest,
        holder: Holder,
        now_ms: u64,
    ) {
        let until_ms = now_ms.saturating_add(request.duration_ms);
        let worker = request.worker.clone();
        self.state = match holder {
            Holder::Process => JobState::Leased { number, worker, until_ms },
            Holder::File => JobState::Exported { number, worker, until_ms },
        };
    }

    /// The current lease; `None` if the job is not leased.
    pub(crate) fn to_leased(
        &self,
        key: &PositionKey,
        now_ms: u64,
    ) -> Result<Option<LeasedJob>, String> {
        let Some((number, until_ms)) = self.lease() else { return Ok(None) };
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

    pub(crate) fn to_new(&self, key: &PositionKey) -> Result<NewJob, String> {
        let position = self.position(key)?;
        Ok(NewJob { position, priority: self.priority, settings: self.settings.clone() })
    }

    pub(crate) fn to_dead(&self, key: &PositionKey) -> Result<DeadJob, String> {
        let position = self.position(key)?;
        Ok(DeadJob { position, settings: self.settings.clone(), reason: self.reason.clone() })
    }

    fn position(&self, key: &PositionKey) -> Result<Position, String> {
        let side = if self.is_turned { Color::White } else { Color::Black };
        position_of(key, side, self.ply)
    }

    /// The number and the end of the current lease; `None` if the job is not leased.
    pub(crate) fn lease(&self) -> Option<(u64, u64)> {
        match self.state {
            JobState::Leased { number, until_ms, .. }
            | JobState::Exported { number, until_ms, .. } => Some((number, until_ms)),
            _ => None,
        }
    }

    /// The worker that has the current lease.
    pub(crate) fn worker(&self) -> Option<&str> {
        match &self.state {
            JobState::Leased { worker, .. } | JobState::Exported { worker, .. } => Some(worker),
            _ => None,
        }
    }

    /// Returns whether the lease is the current one.
    pub(crate) fn is_held_by(&self, lease: &Lease) -> bool {
        self.lease().is_some_and(|(number, _)| number == lease.number)
    }

    /// Extends the lease after a heartbeat. Returns false if it is not the current one.
    pub(crate) fn prolong(&mut self, lease: &Lease, until: u64) -> bool {
        let is_held = self.is_held_by(lease);
        if let JobState::Leased { until_ms, .. } | JobState::Exported { until_ms, .. } =
            &mut self.state
            && is_held
        {
            *until_ms = until;
        }
        is_held
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
    pub(crate) fn fail(&mut self, reason: &str, is_dead: bool) {
        self.failures = self.failures.saturating_add(1);
        reason.clone_into(&mut self.reason);
        self.state = if is_dead { JobState::Dead } else { JobState::Waiting };
    }

    /// Makes the job wait again without a failure.
    pub(crate) fn release(&mut self) {
        self.state = JobState::Waiting;
    }

    /// Forgets all failures.
    pub(crate) fn revive(&mut self) {
        self.failures = 0;
        if self.state == JobState::Dead {
            self.state = JobState::Waiting;
        }
    }

    /// Makes the job wait again after the end of its lease.
    pub(crate) fn expire(&mut self) {
        self.expiries = self.expiries.saturating_add(1);
        self.state = JobState::Waiting;
    }
}
