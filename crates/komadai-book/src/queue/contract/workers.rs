//! Workers that die, fail and come back.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use komadai_core::SplitMix64;

use super::{WithQueue, finish, job, plan, positions, request, result};
use crate::queue::error::{QueueError, Refusal};
use crate::queue::job_queue::{JobQueue, QueueOptions};
use crate::queue::lease::LeasedJob;

/// Four workers that die, fail and come back work through all positions.
fn work(queue: &dyn JobQueue, set_clock: &(dyn Fn(u64) + Sync)) {
    let all = positions();
    let jobs: Vec<_> = all.iter().map(|(position, _)| job(position, 0, 1)).collect();
    plan(queue, jobs);
    // By position: the end of the lease that a worker believes to have.
    let held: Mutex<BTreeMap<String, u64>> = Mutex::default();
    let clock = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for worker in 0..4_u64 {
            let (held, all, clock) = (&held, &all, &clock);
            scope.spawn(move || {
                let mut name = format!("worker {worker}");
                let mut random = SplitMix64::new(worker);
                loop {
                    let counts = queue.counts().unwrap();
                    if counts.done + counts.dead == all.len() as u64 {
                        return;
                    }
                    // Giving a job and noting it is one step, or the note might come late.
                    let mut believed = held.lock().unwrap();
                    let now = clock.fetch_add(7, Ordering::SeqCst) + 7;
                    set_clock(now);
                    let leased = match queue.lease(&request(&name, 2)) {
                        Err(QueueError::Refused(Refusal::Dismissed { .. })) => {
                            // Another worker takes its place.
                            name += "'";
                            continue;
                        }
                        leased => leased.unwrap(),
                    };
                    let end = |job: &LeasedJob| now + job.duration_ms;
                    for job in &leased {
                        let before = believed.insert(job.position.to_string(), end(job));
                        assert!(before.is_none_or(|until| until <= now), "two have it");
                    }
                    drop(believed);
                    for job in &leased {
                        let fate = random.below(4);
                        if fate == 0 {
                            // The worker ends without a report on this job.
                            continue;
                        }
                        // It works no more, and hands in what it has. Another may have the job by
                        // now.
                        let position = job.position.to_string();
                        let mut believed = held.lock().unwrap();
                        if believed.get(&position) == Some(&end(job)) {
                            believed.remove(&position);
                        }
                        drop(believed);
                        if fate == 1 {
                            queue.fail(&job.lease, &name, "crash").unwrap();
                        } else {
                            let (_, m) = all.iter().find(|(p, _)| *p == job.position).unwrap();
                            finish(queue, &job.lease, &result(&job.position, *m));
                        }
                    }
                }
            });
        }
    });
}

pub(super) fn workers_that_die_lose_nothing(with_queue: &WithQueue<'_>) {
    with_queue(QueueOptions { max_failures: u32::MAX }, &mut |queue, clock| {
        work(queue, clock);
        let mut found: Vec<_> =
            queue.results(usize::MAX).unwrap().into_iter().map(|queued| queued.result).collect();
        let mut expected: Vec<_> =
            positions().iter().map(|(position, m)| result(position, *m)).collect();
        for results in [&mut found, &mut expected] {
            results.sort_by_key(|result| result.position.to_string());
        }
        assert!(found == expected, "each result once");
    });
}
