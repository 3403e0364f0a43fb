//! Tasks: work of minutes to hours beside the analysis of positions.

/// Maximum length of a report in bytes.
pub const MAX_REPORT: usize = 1 << 20;

/// A task to plan.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NewTask {
    /// Its number in the run, below 2^63.
    pub number: u64,
    /// The text that states what is to be done, at most 65,536 bytes. The queue does not read it.
    pub spec: String,
}

/// The right to do a task, until it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TaskLease {
    pub(crate) task: i64,
    pub(crate) token: i64,
}

/// A task that a worker has leased.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LeasedTask {
    /// The lease, for the calls about the task.
    pub lease: TaskLease,
    /// The run that it belongs to.
    pub run: String,
    /// Its number in the run.
    pub number: u64,
    /// Its kind, one of those that the worker has named.
    pub kind: String,
    /// The text that states what is to be done.
    pub spec: String,
}

/// A task as the coordinator sees it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PlannedTask {
    /// Its number in the run.
    pub number: u64,
    /// Its kind.
    pub kind: String,
    /// The text that states what is to be done.
    pub spec: String,
    /// Its state.
    pub state: TaskState,
}

/// The state of a task.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TaskState {
    /// No worker has it.
    Waiting,
    /// A worker has it.
    Leased {
        /// The name of the worker.
        worker: String,
    },
    /// It has a report.
    Done {
        /// The name of the worker.
        worker: String,
        /// The text of the worker. The queue does not read it.
        report: String,
    },
    /// Two machines have failed at it, or one where there is no other.
    Dead {
        /// The reason of the last failure.
        reason: String,
    },
}

/// The numbers of tasks of a run.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TaskCounts {
    /// The run.
    pub run: String,
    /// Their kind.
    pub kind: String,
    /// Tasks that wait for a worker.
    pub waiting: u64,
    /// Tasks that a worker has.
    pub leased: u64,
    /// Tasks with a report.
    pub done: u64,
    /// Tasks that were given up.
    pub dead: u64,
}
