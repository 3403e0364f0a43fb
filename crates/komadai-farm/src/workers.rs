//! The calls of workers.

use std::collections::HashMap;
use std::sync::PoisonError;
use std::time::Duration;

use komadai_book::queue::{
    Completion, FailureOutcome, FinishedJob, JobSettings, JobSource, Lease, LeaseRequest,
    LeaseState, LeasedJob, QueueError, Refusal,
};
use komadai_bookfile::position_key::PositionKey;
use komadai_core::{Color, Position};
use postgres::Row;
use postgres::fallible_iterator::FallibleIterator as _;

use crate::connect::connect;
use crate::error::{Fault, NEW_ENGINES, refused};
use crate::farm_queue::{FarmQueue, KnownLease, State, to_option, unsigned};
use crate::wire::{self, FORMAT};

/// The longest lease: a year in milliseconds.
const MAX_LEASE_MS: u64 = 366 * 24 * 3_600 * 1_000;

/// The number of results that go to the server in one transaction.
const RESULTS_AT_ONCE: usize = 500;

impl JobSource for FarmQueue {
    fn lease(&self, request: &LeaseRequest) -> Result<Vec<LeasedJob>, QueueError> {
        self.call(|state| state.lease(request, self.host()))
    }

    fn heartbeat(&self, leases: &[Lease], duration_ms: u64) -> Result<Vec<LeaseState>, QueueError> {
        if leases.is_empty() {
            return Ok(Vec::new());
        }
        let (keys, tokens) = keys_and_tokens(leases);
        let lease_ms = milliseconds(duration_ms);
        self.call(|state| {
            let rows =
                state.rows("select * from heartbeat($1, $2, $3)", &[&keys, &tokens, &lease_ms])?;
            let mut states = Vec::with_capacity(rows.len());
            for (row, lease) in rows.iter().zip(leases) {
                if row.get(0) {
                    states.push(LeaseState::Held);
                } else {
                    state.leases.remove(&lease.number);
                    states.push(LeaseState::Lost);
                }
            }
            Ok(states)
        })
    }

    /// Pieces of at most 500 results are transactions of their own.
    fn finish(&self, finished: &[FinishedJob]) -> Result<Vec<Completion>, QueueError> {
        let mut completions = vec![None; finished.len()];
        for round in rounds(finished.iter().map(|job| job.lease.job)) {
            for piece in round.chunks(RESULTS_AT_ONCE) {
                let jobs: Vec<&FinishedJob> = piece.iter().map(|&at| &finished[at]).collect();
                let ends = self.call(|state| state.finish(&jobs, self.host()))?;
                for (&at, completion) in piece.iter().zip(ends) {
                    completions[at] = Some(completion);
                }
            }
        }
        Ok(completions.into_iter().flatten().collect())
    }

    fn fail(
        &self,
        lease: &Lease,
        worker: &str,
        reason: &str,
    ) -> Result<FailureOutcome, QueueError> {
        // Texts of the server have no zero bytes.
        let reason = reason.replace('\0', " ");
        let code: i32 = self.call(|state| {
            let worker = state.worker(worker, self.host())?;
            let key = lease.job.as_bytes().as_slice();
            state.value(
                "select fail($1, $2, $3, $4)",
                &[&worker, &key, &lease.number.cast_signed(), &reason],
            )
        })?;
        Ok(failure_outcome(code))
    }

    fn release(&self, leases: &[Lease]) -> Result<(), QueueError> {
        if leases.is_empty() {
            return Ok(());
        }
        let (keys, tokens) = keys_and_tokens(leases);
        self.call(|state| {
            state.rows("select release($1, $2)", &[&keys, &tokens])?;
            for lease in leases {
                state.leases.remove(&lease.number);
            }
            Ok(())
        })
    }

    /// Takes a connection of its own, which stays open.
    fn wait_for_jobs(&self, timeout: Duration) -> Result<bool, QueueError> {
        let mut listener = self.listener.lock().unwrap_or_else(PoisonError::into_inner);
        let mut wait = || -> Result<bool, Fault> {
            let client = match &mut *listener {
                Some(client) => client,
                none => {
                    let mut client = connect(&self.url)?;
                    client.batch_execute(&format!("listen {}", self.url.schema()))?;
                    none.insert(client)
                }
            };
            Ok(client.notifications().timeout_iter(timeout).next()?.is_some())
        };
        let result = wait();
        if result.is_err() {
            *listener = None;
        }
        Ok(result?)
    }
}

impl State {
    fn lease(&mut self, request: &LeaseRequest, host: &str) -> Result<Vec<LeasedJob>, Fault> {
        let worker = self.worker(&request.worker, host)?;
        let count = i32::try_from(request.count).unwrap_or(i32::MAX);
        let lease_ms = milliseconds(request.duration_ms);
        loop {
            let (newest, engines) = match &request.analyst {
                Some(analyst) => {
                    let (newest, fitting) = self.fitting(analyst);
                    (newest, Some(fitting))
                }
                None => (0, None),
            };
            let sql = "select key, token, revision, is_turned, ply, rank, failures, expiries, nodes, time_ms, depth, \
                       multi_pv, generation, engine from claim($1, $2, $3, $4, $5)";
            match self.rows(sql, &[&worker, &newest, &engines, &count, &lease_ms]) {
                Ok(rows) => {
                    return rows.iter().map(|row| self.leased(row, worker, request)).collect();
                }
                Err(fault) if fault.is(NEW_ENGINES) => self.load_engines()?,
                Err(fault) => return Err(fault.of_worker(&request.worker)),
            }
        }
    }

    fn leased(
        &mut self,
        row: &Row,
        worker: i64,
        request: &LeaseRequest,
    ) -> Result<LeasedJob, Fault> {
        let engine: i32 = row.get(13);
        let key = key_of(row.get(0))?;
        let number = row.get::<_, i64>(1).cast_unsigned();
        let lease =
            Lease { job: key.packed(), number, revision: row.get::<_, i32>(2).unsigned_abs() };
        self.leases.insert(number, KnownLease { worker, engine });
        Ok(LeasedJob {
            lease,
            position: position(&key, row.get(3), row.get(4))?,
            settings: JobSettings {
                nodes: to_option(row.get(8)),
                time_ms: to_option(row.get(9)),
                depth: to_option(row.get(10)).map(|depth| u32::try_from(depth).unwrap_or(u32::MAX)),
                multi_pv: unsigned(row.get::<_, i32>(11).into()),
                generation: unsigned(row.get(12)),
                engine: self.engine(engine)?.name.clone(),
            },
            priority: !row.get::<_, i64>(5),
            failures: row.get::<_, i32>(6).unsigned_abs(),
            expiries: row.get::<_, i32>(7).unsigned_abs(),
            duration_ms: request.duration_ms,
        })
    }

    /// Stores results of different jobs.
    fn finish(&mut self, jobs: &[&FinishedJob], host: &str) -> Result<Vec<Completion>, Fault> {
        let mut completions: Vec<Option<Completion>> = vec![None; jobs.len()];
        let mut ready: Vec<Ready> = Vec::new();
        for (at, job) in jobs.iter().enumerate() {
            let payload = job.check().and_then(|()| {
                wire::encode(&job.result)
                    .map_err(|error| Refusal::Other { reason: error.to_string() })
            });
            match payload {
                Ok(payload) => ready.push(Ready { at, payload, analyst: 0, known: None }),
                Err(refusal) => completions[at] = Some(Completion::Refused(refusal)),
            }
        }
        for ready in &mut ready {
            let job = jobs[ready.at];
            ready.analyst = self.analyst(&job.result.analyst)?;
            ready.known = self.leases.get(&job.lease.number).cloned();
        }
        // The settings of a job may be raised between the look at its engine and the call.
        while !ready.is_empty() {
            self.look_at_engines(&mut ready, jobs, host)?;
            let mut kept = Vec::new();
            for item in ready {
                let job = jobs[item.at];
                let fits = match &item.known {
                    Some(known) => job.check_analyst(&self.engine(known.engine)?.as_settings()),
                    None => Err(Refusal::UnknownJob),
                };
                match fits {
                    Ok(()) => kept.push(item),
                    Err(refusal) => completions[item.at] = Some(Completion::Refused(refusal)),
                }
            }
            ready = Vec::new();
            let codes = self.send(&kept, jobs)?;
            for (mut item, code) in kept.into_iter().zip(codes) {
                let completion = match code {
                    0 => Completion::Accepted,
                    1 => Completion::AcceptedLate,
                    2 => Completion::AlreadyDone,
                    3 => {
                        item.known = None;
                        ready.push(item);
                        continue;
                    }
                    _ => Completion::Refused(Refusal::UnknownJob),
                };
                self.leases.remove(&jobs[item.at].lease.number);
                completions[item.at] = Some(completion);
            }
        }
        Ok(completions.into_iter().flatten().collect())
    }

    /// Asks for the engines of the jobs whose leases this process does not know, or whose settings have changed.
    fn look_at_engines(
        &mut self,
        ready: &mut [Ready],
        jobs: &[&FinishedJob],
        host: &str,
    ) -> Result<(), Fault> {
        let mut unknown: Vec<&mut Ready> =
            ready.iter_mut().filter(|item| item.known.is_none()).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let keys: Vec<&[u8]> =
            unknown.iter().map(|item| jobs[item.at].lease.job.as_bytes().as_slice()).collect();
        let rows = self.rows("select engine from wishes($1)", &[&keys])?;
        for (item, row) in unknown.iter_mut().zip(&rows) {
            let Some(engine) = row.get::<_, Option<i32>>(0) else { continue };
            let job = jobs[item.at];
            let worker = match self.leases.get(&job.lease.number) {
                Some(known) => known.worker,
                // A result from before a restart of this program.
                None => self.worker(
                    if job.result.host.is_empty() { host } else { &job.result.host },
                    host,
                )?,
            };
            item.known = Some(KnownLease { worker, engine });
        }
        Ok(())
    }

    /// Sends results, and returns the code of each.
    fn send(&mut self, ready: &[Ready], jobs: &[&FinishedJob]) -> Result<Vec<i32>, Fault> {
        if ready.is_empty() {
            return Ok(Vec::new());
        }
        let leases = || ready.iter().map(|item| &jobs[item.at].lease);
        let known = || ready.iter().map(|item| item.known.as_ref().expect("it was looked up"));
        let workers: Vec<i64> = known().map(|known| known.worker).collect();
        let engines: Vec<i32> = known().map(|known| known.engine).collect();
        let keys: Vec<&[u8]> = leases().map(|lease| lease.job.as_bytes().as_slice()).collect();
        let tokens: Vec<i64> = leases().map(|lease| lease.number.cast_signed()).collect();
        let revisions: Vec<i32> =
            leases().map(|lease| i32::try_from(lease.revision).unwrap_or(i32::MAX)).collect();
        let analysts: Vec<i32> = ready.iter().map(|item| item.analyst).collect();
        let formats = vec![i32::from(FORMAT); ready.len()];
        let payloads: Vec<&[u8]> = ready.iter().map(|item| item.payload.as_slice()).collect();
        let nodes: Vec<i64> = ready
            .iter()
            .map(|item| i64::try_from(jobs[item.at].result.analysis.nodes).unwrap_or(i64::MAX))
            .collect();
        let sql = "select * from finish($1, $2, $3, $4, $5, $6, $7, $8, $9)";
        let rows = self.rows(
            sql,
            &[
                &workers, &keys, &tokens, &revisions, &engines, &analysts, &formats, &payloads,
                &nodes,
            ],
        )?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }
}

/// A result on its way to the server.
struct Ready {
    /// The place in the list of results.
    at: usize,
    payload: Vec<u8>,
    analyst: i32,
    known: Option<KnownLease>,
}

/// The places of jobs in rounds, each of which has a job at most once.
pub(crate) fn rounds<K: Eq + std::hash::Hash + Copy>(
    jobs: impl Iterator<Item = K>,
) -> Vec<Vec<usize>> {
    let mut seen: HashMap<K, usize> = HashMap::new();
    let mut rounds: Vec<Vec<usize>> = Vec::new();
    for (at, key) in jobs.enumerate() {
        let round = seen.entry(key).or_default();
        if *round == rounds.len() {
            rounds.push(Vec::new());
        }
        rounds[*round].push(at);
        *round += 1;
    }
    rounds
}

/// The effect of a failure by the number that the server returns.
pub(crate) fn failure_outcome(code: i32) -> FailureOutcome {
    match code {
        0 => FailureOutcome::Retried,
        1 => FailureOutcome::LeftToOthers,
        2 => FailureOutcome::Dead,
        _ => FailureOutcome::Stale,
    }
}

fn keys_and_tokens(leases: &[Lease]) -> (Vec<&[u8]>, Vec<i64>) {
    // The server answers for each, also if one is there twice.
    let keys = leases.iter().map(|lease| lease.job.as_bytes().as_slice()).collect();
    (keys, leases.iter().map(|lease| lease.number.cast_signed()).collect())
}

pub(crate) fn milliseconds(duration_ms: u64) -> i64 {
    duration_ms.min(MAX_LEASE_MS).cast_signed()
}

pub(crate) fn key_of(bytes: &[u8]) -> Result<PositionKey, QueueError> {
    let bytes = bytes.try_into().map_err(|_| refused("the server sent a key of another length"))?;
    Ok(PositionKey::from_bytes(bytes))
}

/// The position of a job.
pub(crate) fn position(
    key: &PositionKey,
    is_turned: bool,
    ply: i64,
) -> Result<Position, QueueError> {
    let side = if is_turned { Color::White } else { Color::Black };
    key.position(side, unsigned(ply)).map_err(|error| refused(format!("the server sent {error}")))
}
