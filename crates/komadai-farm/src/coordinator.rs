//! The calls of the coordinator.

use std::collections::{BTreeMap, BTreeSet};
use std::thread::sleep;
use std::time::Duration;

use komadai_book::LoggedAnalysis;
use komadai_book::queue::{
    DeadJob, FinishedJob, JobCounts, JobQueue, JobSettings, Lease, NewJob, PlanChanges, Planned,
    QueueError, QueuedResult,
};
use komadai_bookfile::position_key::PositionKey;
use komadai_core::{Color, Position};
use postgres::Row;

use crate::farm_queue::{FarmQueue, State, to_option, unsigned};
use crate::status::{FailureReport, FarmStatus, WorkerStatus};
use crate::wire;
use crate::workers::{key_of, position, rounds};

/// The number of jobs that are planned in one transaction: a long one would keep workers waiting.
const JOBS_AT_ONCE: usize = 1_000;

/// The number of leases that are ended in one transaction.
const EXPIRED_AT_ONCE: i32 = 1_000;

/// The pause after which jobs are planned again that another transaction had locked.
const PAUSE: Duration = Duration::from_millis(20);

/// The number of these pauses before the plan is given up for now.
const MOST_PAUSES: u32 = 250;

impl JobQueue for FarmQueue {
    /// Pieces of at most 1,000 jobs are transactions of their own, so that workers need not wait for the whole; after an
    /// error a part may be done, and the same changes may be planned again.
    fn plan(&self, changes: &PlanChanges) -> Result<Planned, QueueError> {
        let mut planned =
            Planned { withdrawn: self.withdraw(&changes.withdrawn)?, ..Planned::default() };
        let mut wanted = Vec::with_capacity(changes.wanted.len());
        for job in &changes.wanted {
            match PositionKey::try_of(&job.position) {
                Ok(key) => wanted.push((key, job)),
                Err(_) => planned.unheld += 1,
            }
        }
        for round in rounds(wanted.iter().map(|(key, _)| *key)) {
            for piece in round.chunks(JOBS_AT_ONCE) {
                let piece = piece.iter().map(|&at| wanted[at]).collect();
                self.until_unlocked(
                    piece,
                    |state, jobs| state.plan(jobs),
                    |code| {
                        let count = match code {
                            0 => &mut planned.added,
                            1 => &mut planned.extended,
                            2 => &mut planned.raised,
                            3 => &mut planned.lowered,
                            4 => &mut planned.unchanged,
                            _ => return false,
                        };
                        *count += 1;
                        true
                    },
                )?;
            }
        }
        if planned.added + planned.extended > 0 {
            self.call(|state| state.rows("select notify_workers()", &[]))?;
        }
        Ok(planned)
    }

    fn waiting(&self, limit: usize) -> Result<Vec<NewJob>, QueueError> {
        let sql = "select key, is_turned, ply, nodes, time_ms, depth, multi_pv, generation, engine, rank \
                   from waiting_jobs($1)";
        let rows = self.call(|state| state.rows(sql, &[&count(limit)]))?;
        rows.iter()
            .map(|row| {
                let priority = !row.get::<_, i64>(9);
                Ok(NewJob { position: position_of(row)?, priority, settings: settings(row) })
            })
            .collect()
    }

    fn plan_order(&self) -> Result<Vec<(PositionKey, JobSettings)>, QueueError> {
        let sql = "select key, is_turned, ply, nodes, time_ms, depth, multi_pv, generation, engine from plan_order()";
        let rows = self.call(|state| state.rows(sql, &[]))?;
        rows.iter().map(|row| Ok((key_of(row.get(0))?, settings(row)))).collect()
    }

    /// Results that cannot be decoded, or that do not fit their jobs, are put aside with the reason, and their jobs wait again.
    fn results(&self, limit: usize) -> Result<Vec<QueuedResult>, QueueError> {
        loop {
            let sql = "select id, key, payload, worker from results($1)";
            let rows = self.call(|state| state.rows(sql, &[&count(limit)]))?;
            let mut results = Vec::with_capacity(rows.len());
            let mut faulty = 0;
            for row in &rows {
                let id: i64 = row.get(0);
                match result(row) {
                    Ok(result) => {
                        let worker: Option<String> = row.get(3);
                        let worker = worker.unwrap_or_else(|| result.host.clone());
                        results.push(QueuedResult { id: id.cast_unsigned(), result, worker });
                    }
                    Err(reason) => {
                        faulty += 1;
                        self.call(|state| state.rows("select refuse($1, $2)", &[&id, &reason]))?;
                    }
                }
            }
            if faulty == 0 || !results.is_empty() {
                return Ok(results);
            }
        }
    }

    fn merged(&self, ids: &[u64]) -> Result<(), QueueError> {
        let ids: Vec<i64> = ids.iter().map(|id| id.cast_signed()).collect();
        self.call(|state| state.rows("select merged($1)", &[&ids]))?;
        Ok(())
    }

    fn expire(&self) -> Result<usize, QueueError> {
        let mut expired = 0;
        loop {
            let ended: i32 =
                self.call(|state| state.value("select expire($1)", &[&EXPIRED_AT_ONCE]))?;
            expired += ended.unsigned_abs() as usize;
            if ended < EXPIRED_AT_ONCE {
                return Ok(expired);
            }
        }
    }

    fn counts(&self) -> Result<JobCounts, QueueError> {
        Ok(self.status()?.jobs)
    }

    fn waiting_by_engine(&self) -> Result<BTreeMap<String, u64>, QueueError> {
        let rows =
            self.call(|state| state.rows("select engine, count from waiting_by_engine()", &[]))?;
        Ok(rows.iter().map(|row| (row.get(0), unsigned(row.get(1)))).collect())
    }

    fn dead(&self) -> Result<Vec<DeadJob>, QueueError> {
        let sql = "select key, is_turned, ply, nodes, time_ms, depth, multi_pv, generation, engine, reason from dead()";
        let rows = self.call(|state| state.rows(sql, &[]))?;
        rows.iter()
            .map(|row| {
                Ok(DeadJob {
                    position: position_of(row)?,
                    settings: settings(row),
                    reason: row.get(9),
                })
            })
            .collect()
    }

    fn revive(&self, positions: &[Position]) -> Result<usize, QueueError> {
        self.change_jobs("select revive($1)", Some(positions))
    }

    fn redo(&self, positions: &[Position]) -> Result<usize, QueueError> {
        let redone = self.change_jobs("select redo($1)", Some(positions))?;
        if redone > 0 {
            self.call(|state| state.rows("select notify_workers()", &[]))?;
        }
        Ok(redone)
    }
}

impl FarmQueue {
    /// Notes that the queue works for a book, that of this [number](komadai_book::store::Store::number).
    ///
    /// # Errors
    ///
    /// If it works for another book, whose results would be merged into this one, or cannot be reached.
    pub fn serve_book(&self, number: u64) -> Result<(), QueueError> {
        self.call(|state| state.rows("select serve_book($1)", &[&number.cast_signed()]))?;
        Ok(())
    }

    /// The state of the queue in numbers.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    pub fn status(&self) -> Result<FarmStatus, QueueError> {
        let sql = "select waiting, leased, done, dead, unmerged, refused, is_paused from counts(), about()";
        let row = self.call(|state| state.row(sql, &[]))?;
        let number = |at| unsigned(row.get(at));
        Ok(FarmStatus {
            jobs: JobCounts {
                waiting: number(0),
                leased: number(1),
                done: number(2),
                dead: number(3),
            },
            unmerged: number(4),
            refused: number(5),
            is_paused: row.get(6),
        })
    }

    /// All workers that have ever signed in.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    pub fn workers(&self) -> Result<Vec<WorkerStatus>, QueueError> {
        let sql = "select role, name, host, client, started_s, silent_s, leased, finished, failures, \
                   failures_in_row, nodes from workers()";
        let rows = self.call(|state| state.rows(sql, &[]))?;
        let worker = |row: &Row| WorkerStatus {
            role: row.get(0),
            name: row.get(1),
            host: row.get(2),
            program: row.get(3),
            started: unsigned(row.get(4)),
            silent_s: unsigned(row.get(5)),
            leased: unsigned(row.get(6)),
            finished: unsigned(row.get(7)),
            failures: unsigned(row.get(8)),
            failures_in_a_row: row.get::<_, i32>(9).unsigned_abs(),
            nodes: unsigned(row.get(10)),
        };
        Ok(rows.iter().map(worker).collect())
    }

    /// The newest failures, at most `limit`.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    pub fn failures(&self, limit: usize) -> Result<Vec<FailureReport>, QueueError> {
        let sql = "select key, is_turned, ply, worker, role, at_s, reason from failures($1)";
        let rows = self.call(|state| state.rows(sql, &[&count(limit)]))?;
        rows.iter()
            .map(|row| {
                Ok(FailureReport {
                    position: position_of(row)?,
                    worker: row.get(3),
                    role: row.get(4),
                    when: unsigned(row.get(5)),
                    reason: row.get(6),
                })
            })
            .collect()
    }

    /// Lets all jobs wait again that failed too often. Returns their number with that of other jobs that had failures.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    pub fn revive_all(&self) -> Result<usize, QueueError> {
        self.change_jobs("select revive($1)", None)
    }

    /// Removes jobs that failed too often, those of some positions or all. Returns their number.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    pub fn drop_dead(&self, positions: Option<&[Position]>) -> Result<usize, QueueError> {
        self.change_jobs("select drop_dead($1)", positions)
    }

    /// Stops the handing out of jobs. Results are accepted.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    pub fn pause(&self) -> Result<(), QueueError> {
        self.set_paused(true)
    }

    /// Ends a [pause](Self::pause).
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    pub fn resume(&self) -> Result<(), QueueError> {
        self.set_paused(false)
    }

    /// Sets the number of failures after which a job is dead, and the time after which a claim of a connection looks for
    /// expired leases even if enough jobs wait. `None` leaves one as it is.
    ///
    /// # Errors
    ///
    /// If the queue cannot be reached.
    pub fn set_options(
        &self,
        max_failures: Option<u32>,
        expire_every: Option<Duration>,
    ) -> Result<(), QueueError> {
        let max_failures = max_failures.map(i64::from);
        let every = expire_every.map(|every| i64::try_from(every.as_millis()).unwrap_or(i64::MAX));
        self.call(|state| state.rows("select set_options($1, $2)", &[&max_failures, &every]))?;
        Ok(())
    }

    fn set_paused(&self, is_pause: bool) -> Result<(), QueueError> {
        self.call(|state| state.rows("select pause($1)", &[&is_pause]))?;
        Ok(())
    }

    fn change_jobs(
        &self,
        sql: &'static str,
        positions: Option<&[Position]>,
    ) -> Result<usize, QueueError> {
        let keys = positions.map(|positions| {
            let keys = positions.iter().filter_map(|position| PositionKey::try_of(position).ok());
            keys.map(|key| key.as_bytes().to_vec()).collect::<Vec<_>>()
        });
        let changed: i64 = self.call(|state| state.value(sql, &[&keys]))?;
        Ok(unsigned::<u32>(changed) as usize)
    }

    /// Removes waiting jobs, and returns their number.
    fn withdraw(&self, positions: &[Position]) -> Result<usize, QueueError> {
        let keys: BTreeSet<PositionKey> =
            positions.iter().filter_map(|position| PositionKey::try_of(position).ok()).collect();
        let keys: Vec<PositionKey> = keys.into_iter().collect();
        let mut withdrawn = 0;
        for piece in keys.chunks(JOBS_AT_ONCE) {
            let call = |state: &mut State, keys: &[PositionKey]| {
                let keys: Vec<&[u8]> = keys.iter().map(|key| key.as_bytes().as_slice()).collect();
                let rows = state.rows("select * from withdraw($1)", &[&keys])?;
                Ok(rows.iter().map(|row| row.get(0)).collect())
            };
            self.until_unlocked(piece.to_vec(), call, |code| {
                withdrawn += usize::from(code == 0);
                code != 2
            })?;
        }
        Ok(withdrawn)
    }

    /// Repeats a call with the items whose codes `is_done` does not accept, because another transaction had locked them.
    fn until_unlocked<T: Copy>(
        &self,
        mut items: Vec<T>,
        call: impl Fn(&mut State, &[T]) -> Result<Vec<i32>, crate::error::Fault>,
        mut is_done: impl FnMut(i32) -> bool,
    ) -> Result<(), QueueError> {
        for _ in 0..MOST_PAUSES {
            let codes = self.call(|state| call(state, &items))?;
            let left = items.iter().zip(codes).filter(|(_, code)| !is_done(*code));
            items = left.map(|(item, _)| *item).collect();
            if items.is_empty() {
                return Ok(());
            }
            sleep(PAUSE);
        }
        let error = format!("{} jobs are locked by another transaction", items.len());
        Err(QueueError::Unavailable { error: error.into() })
    }
}

impl State {
    /// Plans different jobs, and returns the code of each.
    fn plan(&mut self, jobs: &[(PositionKey, &NewJob)]) -> Result<Vec<i32>, crate::error::Fault> {
        let keys: Vec<&[u8]> = jobs.iter().map(|(key, _)| key.as_bytes().as_slice()).collect();
        let are_turned: Vec<bool> =
            jobs.iter().map(|(_, job)| job.position.side() == Color::White).collect();
        let plies: Vec<i64> = jobs.iter().map(|(_, job)| job.position.ply().into()).collect();
        // Lower ranks come first, and no priority is without its opposite.
        let ranks: Vec<i64> = jobs.iter().map(|(_, job)| !job.priority).collect();
        let mut settings = Vec::with_capacity(jobs.len());
        for (_, job) in jobs {
            settings.push(self.settings(&job.settings)?);
        }
        let sql = "select * from plan($1, $2, $3, $4, $5)";
        let rows = self.rows(sql, &[&keys, &are_turned, &plies, &ranks, &settings])?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }
}

/// The result of a row, or the reason why it cannot be merged.
fn result(row: &Row) -> Result<LoggedAnalysis, String> {
    let result = wire::decode(row.get(2)).map_err(|error| error.to_string())?;
    // A job that was withdrawn has no key any more.
    let key = match row.get::<_, Option<&[u8]>>(1) {
        Some(bytes) => key_of(bytes).map_err(|error| error.to_string())?,
        None => PositionKey::of(&result.position).map_err(|error| error.to_string())?,
    };
    let lease = Lease { job: key.packed(), number: 0, revision: 0 };
    let finished = FinishedJob { lease, result };
    finished.check().map_err(|refusal| refusal.to_string())?;
    Ok(finished.result)
}

/// The position of a row that begins with key, orientation and move number.
fn position_of(row: &Row) -> Result<Position, QueueError> {
    position(&key_of(row.get(0))?, row.get(1), row.get(2))
}

/// The settings of a row in the columns from the fourth on.
fn settings(row: &Row) -> JobSettings {
    JobSettings {
        nodes: to_option(row.get(3)),
        time_ms: to_option(row.get(4)),
        depth: to_option(row.get(5)).map(|depth| u32::try_from(depth).unwrap_or(u32::MAX)),
        multi_pv: unsigned(row.get::<_, i32>(6).into()),
        generation: unsigned(row.get(7)),
        engine: row.get(8),
    }
}

fn count(limit: usize) -> i32 {
    i32::try_from(limit).unwrap_or(i32::MAX)
}
