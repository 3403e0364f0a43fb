//! A naive queue: a plain list, with which queues are compared.

use std::collections::BTreeMap;

use komadai_bookfile::position_key::PositionKey;
use komadai_core::{Move, Position};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::{
    MAX_FAILURES, OPTIONS, WithQueue, finish, heartbeat, job, plan, positions, request, result,
};
use crate::queue::error::{QueueError, Refusal};
use crate::queue::job_queue::{JobCounts, JobQueue, MAX_FAILURES_IN_A_ROW, PlanChanges, Planned};
use crate::queue::job_source::{Completion, FailureOutcome};
use crate::queue::lease::{Lease, LeaseState};

/// A job as a plain list keeps it.
#[derive(Debug, Clone)]
struct NaiveJob {
    at: usize,
    priority: i64,
    nodes: u64,
    /// The wish with this many raises is the one to be done.
    wish: u32,
    best_done: Option<u32>,
    /// The worker of each failure.
    failures: Vec<&'static str>,
    state: NaiveState,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum NaiveState {
    Waiting,
    Leased { lease: usize, until: u64 },
    Done,
    Dead,
}

#[derive(Debug, Default)]
struct Naive {
    /// In the order of planning.
    jobs: Vec<NaiveJob>,
    /// For every lease ever given: the position, the wish, the worker.
    leases: Vec<(usize, u32, &'static str)>,
    failures_in_a_row: BTreeMap<&'static str, u32>,
    /// The positions of the results in the outbox.
    outbox: Vec<usize>,
}

impl Naive {
    fn plan(&mut self, at: usize, priority: i64, nodes: u64) -> Planned {
        let Some(job) = self.jobs.iter_mut().find(|job| job.at == at) else {
            let state = NaiveState::Waiting;
            let (wish, best_done, failures) = (0, None, Vec::new());
            self.jobs.push(NaiveJob { at, priority, nodes, wish, best_done, failures, state });
            return Planned { added: 1, ..Planned::default() };
        };
        let mut planned = Planned::default();
        if nodes > job.nodes {
            job.nodes = nodes;
            job.wish += 1;
            job.failures.clear();
            if job.state == NaiveState::Done || job.state == NaiveState::Dead {
                job.state = NaiveState::Waiting;
            }
            job.priority = priority;
            planned.extended = 1;
        } else if matches!(job.state, NaiveState::Done | NaiveState::Dead)
            || priority == job.priority
        {
            planned.unchanged = 1;
        } else {
            *if priority > job.priority { &mut planned.raised } else { &mut planned.lowered } += 1;
            job.priority = priority;
        }
        planned
    }

    /// Returns whether a job was withdrawn.
    fn withdraw(&mut self, at: usize) -> bool {
        let before = self.jobs.len();
        self.jobs.retain(|job| job.at != at || job.state != NaiveState::Waiting);
        self.jobs.len() < before
    }

    /// The positions of the leased jobs; nothing if the worker gets no more work.
    fn lease(&mut self, worker: &'static str, count: usize, now: u64) -> Option<Vec<usize>> {
        if self.failures_in_a_row.get(worker) >= Some(&MAX_FAILURES_IN_A_ROW) {
            return None;
        }
        self.expire(now);
        let mut given = Vec::new();
        for _ in 0..count {
            let may_have = |job: &&mut NaiveJob| {
                let failures = job.failures.iter().filter(|name| **name == worker).count();
                job.state == NaiveState::Waiting && failures < MAX_FAILURES as usize
            };
            let waiting = self.jobs.iter_mut().filter(may_have);
            // Of several that are highest, the first.
            let Some(job) = waiting.rev().max_by_key(|job| job.priority) else { break };
            job.state = NaiveState::Leased { lease: self.leases.len(), until: now + 100 };
            self.leases.push((job.at, job.wish, worker));
            given.push(job.at);
        }
        Some(given)
    }

    fn expire(&mut self, now: u64) -> usize {
        let mut expired = 0;
        for job in &mut self.jobs {
            if matches!(job.state, NaiveState::Leased { until, .. } if until <= now) {
                job.state = NaiveState::Waiting;
                expired += 1;
            }
        }
        expired
    }

    /// The job of a lease, and whether the lease is the current one; nothing if the job was
    /// withdrawn.
    fn job(&mut self, lease: usize) -> Option<(&mut NaiveJob, bool)> {
        let (at, ..) = self.leases[lease];
        let job = self.jobs.iter_mut().find(|job| job.at == at)?;
        let held = matches!(job.state, NaiveState::Leased { lease: held, .. } if held == lease);
        Some((job, held))
    }

    fn heartbeat(&mut self, lease: usize, now: u64) -> LeaseState {
        match self.job(lease) {
            Some((job, true)) => {
                job.state = NaiveState::Leased { lease, until: now + 100 };
                LeaseState::Held
            }
            _ => LeaseState::Lost,
        }
    }

    fn finish(&mut self, lease: usize) -> Completion {
        let (at, wish, worker) = self.leases[lease];
        let Some((job, held)) = self.job(lease) else {
            return Completion::Refused(Refusal::UnknownJob);
        };
        if job.best_done.is_some_and(|done| done >= wish) {
            return Completion::AlreadyDone;
        }
        job.best_done = Some(wish);
        if wish == job.wish {
            job.state = NaiveState::Done;
        } else if held {
            job.state = NaiveState::Waiting;
        }
        self.outbox.push(at);
        if held {
            self.failures_in_a_row.remove(worker);
            Completion::Accepted
        } else {
            Completion::AcceptedLate
        }
    }

    fn fail(&mut self, lease: usize) -> FailureOutcome {
        let (_, _, worker) = self.leases[lease];
        let Some((job, true)) = self.job(lease) else { return FailureOutcome::Stale };
        job.failures.push(worker);
        let own = job.failures.iter().filter(|name| **name == worker).count();
        let is_alone = own == job.failures.len();
        let outcome = if job.failures.len() >= MAX_FAILURES as usize && !is_alone {
            job.state = NaiveState::Dead;
            FailureOutcome::Dead
        } else {
            job.state = NaiveState::Waiting;
            let is_excluded = own >= MAX_FAILURES as usize;
            if is_excluded { FailureOutcome::LeftToOthers } else { FailureOutcome::Retried }
        };
        *self.failures_in_a_row.entry(worker).or_default() += 1;
        outcome
    }

    fn release(&mut self, lease: usize) {
        if let Some((job, true)) = self.job(lease) {
            job.state = NaiveState::Waiting;
        }
    }

    fn revive(&mut self, at: usize) -> usize {
        let failed = |job: &&mut NaiveJob| job.at == at && !job.failures.is_empty();
        let Some(job) = self.jobs.iter_mut().find(failed) else { return 0 };
        job.failures.clear();
        if job.state == NaiveState::Dead {
            job.state = NaiveState::Waiting;
        }
        1
    }

    fn counts(&self) -> JobCounts {
        let count = |is: fn(NaiveState) -> bool| {
            self.jobs.iter().filter(|job| is(job.state)).count() as u64
        };
        JobCounts {
            waiting: count(|state| state == NaiveState::Waiting),
            leased: count(|state| matches!(state, NaiveState::Leased { .. })),
            done: count(|state| state == NaiveState::Done),
            dead: count(|state| state == NaiveState::Dead),
        }
    }
}

#[derive(Debug, Clone)]
enum Operation {
    Plan { at: usize, flipped: bool, priority: i64, nodes: u64 },
    Withdraw { at: usize },
    Lease { worker: &'static str, count: usize },
    Heartbeat { lease: prop::sample::Index },
    Finish { lease: prop::sample::Index },
    Fail { lease: prop::sample::Index },
    Release { lease: prop::sample::Index },
    Revive { at: usize },
    Merge { count: usize },
    Expire,
    Wait { ms: u64 },
}

fn operation() -> impl Strategy<Value = Operation> {
    use Operation::*;
    let lease = any::<prop::sample::Index>;
    let worker = prop::sample::select(vec!["a", "b", "c"]);
    prop_oneof![
        3 => (0_usize..6, any::<bool>(), -2_i64..3, 0_u64..4)
            .prop_map(|(at, flipped, priority, nodes)| Plan { at, flipped, priority, nodes }),
        1 => (0_usize..6).prop_map(|at| Withdraw { at }),
        4 => (worker, 0_usize..4).prop_map(|(worker, count)| Lease { worker, count }),
        1 => lease().prop_map(|lease| Heartbeat { lease }),
        3 => lease().prop_map(|lease| Finish { lease }),
        4 => lease().prop_map(|lease| Fail { lease }),
        1 => lease().prop_map(|lease| Release { lease }),
        1 => (0_usize..6).prop_map(|at| Revive { at }),
        1 => (0_usize..4).prop_map(|count| Merge { count }),
        1 => Just(Expire),
        2 => (1_u64..150).prop_map(|ms| Wait { ms }),
    ]
}

/// Does the same to the queue and to a plain list, and compares their answers.
fn compare(queue: &dyn JobQueue, clock: &(dyn Fn(u64) + Sync), operations: &[Operation]) {
    let all = positions();
    let (mut naive, mut leases, mut now) = (Naive::default(), Vec::<Lease>::new(), 0);
    let name = |position: &Position| {
        let is_it =
            |(known, _): &(Position, Move)| PositionKey::of(known) == PositionKey::of(position);
        all.iter().position(is_it).unwrap()
    };
    // Leases of jobs that were withdrawn are not used again: whether a job that is planned anew
    // accepts them is left to the queue.
    let mut void: Vec<usize> = Vec::new();
    for operation in operations {
        let pick = |lease: &prop::sample::Index| {
            let at = (!leases.is_empty()).then(|| lease.index(leases.len()))?;
            (!void.contains(&at)).then_some(at)
        };
        match operation {
            Operation::Plan { at, flipped, priority, nodes } => {
                let position = &all[*at].0;
                let position = if *flipped { position.flipped() } else { position.clone() };
                let planned = plan(queue, [job(&position, *priority, *nodes)]);
                assert_eq!(planned, naive.plan(*at, *priority, *nodes));
            }
            Operation::Withdraw { at } => {
                let changes = PlanChanges::withdrawn(vec![all[*at].0.clone()]);
                let withdrawn = queue.plan(&changes).unwrap().withdrawn;
                assert_eq!(withdrawn == 1, naive.withdraw(*at));
                if withdrawn == 1 {
                    let of_job = (0..).zip(&naive.leases).filter(|(_, lease)| lease.0 == *at);
                    void.extend(of_job.map(|(number, _)| number));
                }
            }
            Operation::Lease { worker, count } => {
                let expected = naive.lease(worker, *count, now);
                match queue.lease(&request(worker, *count)) {
                    Ok(given) => {
                        let names: Vec<_> = given.iter().map(|job| name(&job.position)).collect();
                        assert_eq!(Some(names), expected);
                        leases.extend(given.into_iter().map(|job| job.lease));
                    }
                    Err(QueueError::Refused(Refusal::Dismissed { .. })) => {
                        assert_eq!(expected, None);
                    }
                    Err(error) => panic!("{error}"),
                }
            }
            Operation::Heartbeat { lease } => {
                let Some(at) = pick(lease) else { continue };
                assert_eq!(heartbeat(queue, &leases[at]), naive.heartbeat(at, now));
            }
            Operation::Finish { lease } => {
                let Some(at) = pick(lease) else { continue };
                let (position, m) = &all[naive.leases[at].0];
                assert_eq!(finish(queue, &leases[at], &result(position, *m)), naive.finish(at));
            }
            Operation::Fail { lease } => {
                let Some(at) = pick(lease) else { continue };
                let (_, _, worker) = naive.leases[at];
                assert_eq!(queue.fail(&leases[at], worker, "no").unwrap(), naive.fail(at));
            }
            Operation::Release { lease } => {
                let Some(at) = pick(lease) else { continue };
                queue.release(&[leases[at].clone()]).unwrap();
                naive.release(at);
            }
            Operation::Revive { at } => {
                assert_eq!(queue.revive(&[all[*at].0.clone()]).unwrap(), naive.revive(*at));
            }
            Operation::Merge { count } => {
                let results = queue.results(*count).unwrap();
                queue.merged(&results.iter().map(|queued| queued.id).collect::<Vec<_>>()).unwrap();
                naive.outbox.drain(..results.len());
            }
            Operation::Expire => assert_eq!(queue.expire().unwrap(), naive.expire(now)),
            Operation::Wait { ms } => {
                now += ms;
                clock(now);
            }
        }
        assert_eq!(queue.counts().unwrap(), naive.counts());
        assert_eq!(queue.dead().unwrap().len() as u64, naive.counts().dead);
        let outbox = queue.results(usize::MAX).unwrap();
        let outbox: Vec<_> = outbox.iter().map(|queued| name(&queued.result.position)).collect();
        assert_eq!(outbox, naive.outbox);
    }
}

pub(super) fn a_queue_does_what_a_plain_list_does(with_queue: &WithQueue<'_>) {
    let config = Config { failure_persistence: None, ..Config::with_cases(24) };
    let operations = prop::collection::vec(operation(), 1..80);
    TestRunner::new(config)
        .run(&operations, |operations| {
            with_queue(OPTIONS, &mut |queue, clock| compare(queue, clock, &operations));
            Ok(())
        })
        .unwrap();
}
