//! The calls about tasks.

use std::time::Duration;

use komadai_book::queue::{Completion, FailureOutcome, LeaseState, QueueError, Refusal};
use postgres::Row;

use crate::error::refused;
use crate::farm_queue::{FarmQueue, unsigned};
use crate::link::Parameter;
use crate::task::{LeasedTask, MAX_REPORT, NewTask, PlannedTask, TaskCounts, TaskLease, TaskState};
use crate::workers::{failure_outcome, milliseconds};

/// The number of tasks that are planned in one transaction.
const TASKS_AT_ONCE: usize = 1_000;

/// Tasks are work of minutes to hours that is not the analysis of a position, such as games. A task states in a text what is to be
/// done, and a worker reports in another one where the result is; the queue reads neither, and the result is not sent to it.
///
/// Tasks belong to a *run*, in which they have numbers. Each has a *kind*, which states what a worker must have to do it; workers
/// name the kinds that they can do.
///
/// # Examples
///
/// ```no_run
/// use std::time::Duration;
///
/// use komadai_book::queue::QueueError;
/// use komadai_farm::{FarmQueue, LeasedTask, NewTask, TaskState};
///
/// fn plan(coordinator: &FarmQueue) -> Result<(), QueueError> {
///     let tasks = [NewTask { number: 0, spec: "the first ten".into() }];
///     coordinator.plan_tasks("may", "counting", &tasks)?;
///     Ok(())
/// }
///
/// fn work(queue: &FarmQueue, count: impl Fn(&LeasedTask) -> Option<String>) -> Result<(), QueueError> {
///     let lease = Duration::from_secs(300);
///     let Some(task) = queue.claim_task("anna-pc", &["counting".into()], lease)? else {
///         println!("no task for counting, but for {:?}", queue.task_kinds()?);
///         return Ok(());
///     };
///     // For work that takes longer than the lease, in another thread:
///     queue.extend_task(&task.lease, lease)?;
///     match count(&task) {
///         Some(report) => queue.finish_task("anna-pc", &task.lease, &report).map(drop),
///         None if task.spec.is_empty() => queue.fail_task("anna-pc", &task.lease, "empty").map(drop),
///         None => queue.release_task(&task.lease),
///     }
/// }
///
/// fn collect(coordinator: &FarmQueue) -> Result<(), QueueError> {
///     for task in coordinator.tasks("may")? {
///         match task.state {
///             TaskState::Done { worker, report } => println!("{worker} {report}"),
///             TaskState::Dead { reason } => {
///                 println!("{}: {reason}; once more", task.number);
///                 coordinator.redo_tasks("may", &[task.number])?;
///             }
///             TaskState::Waiting | TaskState::Leased { .. } => return Ok(()),
///         }
///     }
///     coordinator.drop_tasks("may").map(drop)
/// }
/// ```
impl FarmQueue {
    /// Plans tasks of a run for workers of a kind. Tasks that are there already stay as they are. Returns the number of those that
    /// were not. From then on no other program plans tasks of this run, until this one ends or loses its connection.
    ///
    /// Pieces of at most 1,000 tasks are transactions of their own; after an error the same tasks may be planned again.
    ///
    /// # Errors
    ///
    /// If a task of the same number is there that is another one, another program plans tasks of this run, or the queue cannot be
    /// reached.
    pub fn plan_tasks(
        &self,
        run: &str,
        kind: &str,
        tasks: &[NewTask],
    ) -> Result<usize, QueueError> {
        let mut added = 0;
        for piece in tasks.chunks(TASKS_AT_ONCE) {
            let numbers: Vec<i64> =
                piece.iter().map(|task| number_of(task.number)).collect::<Result<_, _>>()?;
            let specs: Vec<&str> = piece.iter().map(|task| task.spec.as_str()).collect();
            let sql = "select plan_tasks($1, $2, $3, $4)";
            added +=
                self.call(|state| state.value(sql, &[&run, &kind, &numbers, &specs])).map(count)?;
        }
        Ok(added)
    }

    /// The tasks of a run, in the order of their numbers.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    pub fn tasks(&self, run: &str) -> Result<Vec<PlannedTask>, QueueError> {
        let sql = "select number, kind, spec, state, worker, report, reason from tasks($1)";
        let rows = self.call(|state| state.rows(sql, &[&run]))?;
        rows.iter().map(planned_task).collect()
    }

    /// The tasks of a run that are done or dead, at most `limit`. They come without their
    /// [`spec`](PlannedTask::spec).
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    pub fn task_reports(&self, run: &str, limit: u32) -> Result<Vec<PlannedTask>, QueueError> {
        let limit = i32::try_from(limit).unwrap_or(i32::MAX);
        let sql =
            "select number, kind, spec, state, worker, report, reason from task_reports($1, $2)";
        let rows = self.call(|state| state.rows(sql, &[&run, &limit]))?;
        rows.iter().map(planned_task).collect()
    }

    /// Removes tasks of a run that are done or dead, whose reports the caller has.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    pub fn forget_tasks(&self, run: &str, numbers: &[u64]) -> Result<(), QueueError> {
        let numbers: Vec<i64> =
            numbers.iter().map(|&number| number_of(number)).collect::<Result<_, _>>()?;
        self.call(|state| state.rows("select forget_tasks($1, $2)", &[&run, &numbers]))?;
        Ok(())
    }

    /// Removes the waiting tasks of a run. Returns the number of those that workers have.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    pub fn withdraw_tasks(&self, run: &str) -> Result<usize, QueueError> {
        self.call(|state| state.value("select withdraw_tasks($1)", &[&run])).map(count)
    }

    /// Lets tasks of a run wait again that are done or dead, and forgets their reports and failures. Returns their number.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    pub fn redo_tasks(&self, run: &str, numbers: &[u64]) -> Result<usize, QueueError> {
        let numbers: Vec<i64> =
            numbers.iter().map(|&number| number_of(number)).collect::<Result<_, _>>()?;
        let sql = "select redo_tasks($1, $2)";
        self.call(|state| state.value(sql, &[&run, &numbers])).map(count)
    }

    /// Counts a report that cannot be used as a failure of its worker. The task waits again, or is dead.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    pub fn refuse_task(&self, run: &str, number: u64, reason: &str) -> Result<(), QueueError> {
        let (number, reason) = (number_of(number)?, without_zeros(reason));
        let sql = "select refuse_task($1, $2, $3)";
        self.call(|state| state.rows(sql, &[&run, &number, &reason]))?;
        Ok(())
    }

    /// The numbers of tasks by run and kind.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    pub fn task_counts(&self) -> Result<Vec<TaskCounts>, QueueError> {
        let sql = "select run, kind, waiting, leased, done, dead from task_counts()";
        let rows = self.call(|state| state.rows(sql, &[]))?;
        let counts = |row: &Row| TaskCounts {
            run: row.get(0),
            kind: row.get(1),
            waiting: unsigned(row.get(2)),
            leased: unsigned(row.get(3)),
            done: unsigned(row.get(4)),
            dead: unsigned(row.get(5)),
        };
        Ok(rows.iter().map(counts).collect())
    }

    /// Removes a run with all its tasks. Returns their number.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    pub fn drop_tasks(&self, run: &str) -> Result<usize, QueueError> {
        self.call(|state| state.value("select drop_tasks($1)", &[&run])).map(count)
    }

    /// Leases the first waiting task of one of these kinds to a worker, for some time. `None` if there is none, or the queue is paused.
    ///
    /// # Errors
    ///
    /// If the worker has failed too often in a row, or the queue cannot be reached.
    pub fn claim_task(
        &self,
        worker: &str,
        kinds: &[String],
        duration: Duration,
    ) -> Result<Option<LeasedTask>, QueueError> {
        let sql = "select id, token, run, number, kind, spec from claim_task($1, $2, $3)";
        let rows = self.call(|state| {
            let number = state.worker(worker, self.host())?;
            let parameters: [Parameter<'_>; 3] = [&number, &kinds, &lease_ms(duration)];
            state.rows(sql, &parameters).map_err(|fault| fault.of_worker(worker))
        })?;
        Ok(rows.first().map(|row| LeasedTask {
            lease: TaskLease { task: row.get(0), token: row.get(1) },
            run: row.get(2),
            number: unsigned(row.get(3)),
            kind: row.get(4),
            spec: row.get(5),
        }))
    }

    /// Some of the kinds of tasks that wait or are leased, at most 20, for a worker that finds none of its own.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    pub fn task_kinds(&self) -> Result<Vec<String>, QueueError> {
        let rows = self.call(|state| state.rows("select * from task_kinds()", &[]))?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    /// Extends a lease: it ends after this time from now.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    pub fn extend_task(
        &self,
        lease: &TaskLease,
        duration: Duration,
    ) -> Result<LeaseState, QueueError> {
        let sql = "select heartbeat_task($1, $2, $3)";
        let is_held =
            self.call(|state| state.value(sql, &[&lease.task, &lease.token, &lease_ms(duration)]))?;
        Ok(if is_held { LeaseState::Held } else { LeaseState::Lost })
    }

    /// Ends a task with a report of at most [`MAX_REPORT`] bytes. The first report counts, also one that comes after the end of its lease.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    pub fn finish_task(
        &self,
        worker: &str,
        lease: &TaskLease,
        report: &str,
    ) -> Result<Completion, QueueError> {
        if report.len() > MAX_REPORT {
            let length = report.len();
            return Err(refused(format!(
                "found a report of {length} bytes, expected at most {MAX_REPORT}"
            )));
        }
        let sql = "select finish_task($1, $2, $3, $4)";
        let code: i32 = self.call(|state| {
            let worker = state.worker(worker, self.host())?;
            state.value(sql, &[&worker, &lease.task, &lease.token, &report])
        })?;
        Ok(match code {
            0 => Completion::Accepted,
            1 => Completion::AcceptedLate,
            2 => Completion::AlreadyDone,
            _ => Completion::Refused(Refusal::UnknownJob),
        })
    }

    /// Gives a task back that the worker could not do. Failures of two machines end the task; workers whose names are the same
    /// before a `#` are of one machine. So does one machine that has failed too often, when no other one that does such tasks has
    /// given a sign of life for ten minutes.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    pub fn fail_task(
        &self,
        worker: &str,
        lease: &TaskLease,
        reason: &str,
    ) -> Result<FailureOutcome, QueueError> {
        let reason = without_zeros(reason);
        let sql = "select fail_task($1, $2, $3, $4)";
        let code = self.call(|state| {
            let worker = state.worker(worker, self.host())?;
            state.value(sql, &[&worker, &lease.task, &lease.token, &reason])
        })?;
        Ok(failure_outcome(code))
    }

    /// Gives a task back without a failure, as a worker does that is told to stop.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    pub fn release_task(&self, lease: &TaskLease) -> Result<(), QueueError> {
        let sql = "select release_task($1, $2)";
        self.call(|state| state.rows(sql, &[&lease.task, &lease.token]))?;
        Ok(())
    }
}

fn planned_task(row: &Row) -> Result<PlannedTask, QueueError> {
    let text = |at| row.get::<_, Option<String>>(at).unwrap_or_default();
    let worker = || text(4);
    let state = match row.get(3) {
        "waiting" => TaskState::Waiting,
        "leased" => TaskState::Leased { worker: worker() },
        "done" => TaskState::Done { worker: worker(), report: text(5) },
        "dead" => TaskState::Dead { reason: text(6) },
        other => return Err(refused(format!("the server sent the state {other:?} of a task"))),
    };
    Ok(PlannedTask { number: unsigned(row.get(0)), kind: row.get(1), spec: row.get(2), state })
}

/// Texts of the server have no zero bytes.
fn without_zeros(text: &str) -> String {
    text.replace('\0', " ")
}

fn number_of(task: u64) -> Result<i64, QueueError> {
    i64::try_from(task)
        .map_err(|_| refused(format!("found a task of number {task}, expected one below 2^63")))
}

fn count(tasks: i64) -> usize {
    usize::try_from(tasks).unwrap_or_default()
}

fn lease_ms(duration: Duration) -> i64 {
    milliseconds(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
}
