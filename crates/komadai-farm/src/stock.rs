//! Leased jobs that wait for the threads of this process.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};

use komadai_book::queue::{Lease, LeasedJob};

/// The time for which a stock is to last. A job that takes longer is no reason for one.
const HORIZON: Duration = Duration::from_secs(8);

/// The greatest number of jobs that are leased at once.
const MOST: usize = 1_000;

/// The time after which a job goes back that no thread has taken: jobs take longer than they did
/// when it was leased.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// The jobs for one analyst, in the order in which the queue gave them.
///
/// As many jobs are leased as short ones have ended in the last seconds. So the stock lasts for
/// about as long, whatever the number of threads and their speed; it grows from nothing, because a
/// first job that is short by chance must not fill it. Jobs of minutes are leased one by one: what
/// waits here is kept from others, and its place in the plan grows old.
#[derive(Debug, Default)]
pub(crate) struct Stock {
    jobs: VecDeque<Stocked>,
    /// The workers that have a job, with the time of its start.
    busy: HashMap<String, Instant>,
    /// The times at which the last short jobs ended.
    ended: VecDeque<Instant>,
}

/// A job of a stock.
#[derive(Debug)]
pub(crate) struct Stocked {
    pub(crate) job: LeasedJob,
    /// The time of the lease.
    since: Instant,
    /// The time until which the lease is valid without a heartbeat; `None` if it is out of reach.
    until: Option<Instant>,
}

impl Stock {
    /// Notes that a worker asks for a job, so that the one it had has ended.
    pub(crate) fn note_request(&mut self, worker: &str, now: Instant) {
        let start = self.busy.remove(worker);
        if start.is_some_and(|start| now.duration_since(start) < HORIZON) {
            self.ended.push_back(now);
        }
        let is_old = |&end: &Instant| now.duration_since(end) > HORIZON;
        while self.ended.len() > MOST || self.ended.front().is_some_and(is_old) {
            self.ended.pop_front();
        }
    }

    /// The number of jobs to lease.
    pub(crate) fn wanted(&self) -> usize {
        self.ended.len().max(1)
    }

    /// Adds jobs that were leased at a time.
    pub(crate) fn add(&mut self, jobs: impl IntoIterator<Item = LeasedJob>, since: Instant) {
        let stocked = jobs.into_iter().map(|job| {
            let until = since.checked_add(Duration::from_millis(job.duration_ms));
            Stocked { job, since, until }
        });
        self.jobs.extend(stocked);
    }

    /// Takes jobs for a worker, at most `most`. Those whose lease has ended are dropped.
    pub(crate) fn take(&mut self, worker: &str, most: usize, now: Instant) -> Vec<LeasedJob> {
        self.jobs.retain(|stocked| stocked.until.is_none_or(|until| now < until));
        let taken = self.jobs.drain(..most.min(self.jobs.len()));
        let taken: Vec<LeasedJob> = taken
            .map(|Stocked { job, until, .. }| match until {
                Some(until) => {
                    let left = until.duration_since(now).as_millis();
                    LeasedJob { duration_ms: u64::try_from(left).unwrap_or(u64::MAX), ..job }
                }
                None => job,
            })
            .collect();
        if !taken.is_empty() {
            self.note_start(worker, now);
        }
        taken
    }

    /// Notes that a worker has a job.
    pub(crate) fn note_start(&mut self, worker: &str, now: Instant) {
        self.busy.insert(worker.to_owned(), now);
    }

    pub(crate) fn leases(&self) -> impl ExactSizeIterator<Item = &Lease> {
        self.jobs.iter().map(|stocked| &stocked.job.lease)
    }

    /// Notes heartbeats: leases that are held are valid for some time from now, lost ones leave.
    pub(crate) fn renew(
        &mut self,
        held: &HashSet<u64>,
        lost: &HashSet<u64>,
        now: Instant,
        duration_ms: u64,
    ) {
        self.jobs.retain(|stocked| !lost.contains(&stocked.job.lease.number));
        for stocked in &mut self.jobs {
            if held.contains(&stocked.job.lease.number) {
                stocked.until = now.checked_add(Duration::from_millis(duration_ms));
            }
        }
    }

    /// Takes out the jobs that have waited too long.
    pub(crate) fn take_old(&mut self, now: Instant) -> VecDeque<Stocked> {
        let is_old = |stocked: &Stocked| now.duration_since(stocked.since) >= LONGEST_WAIT;
        let (old, kept) = self.jobs.drain(..).partition(is_old);
        self.jobs = kept;
        old
    }

    /// Takes out all jobs.
    pub(crate) fn take_all(&mut self) -> VecDeque<Stocked> {
        std::mem::take(&mut self.jobs)
    }

    /// Puts jobs back that were taken out.
    pub(crate) fn put_back(&mut self, jobs: impl IntoIterator<Item = Stocked>) {
        self.jobs.extend(jobs);
    }
}

#[cfg(test)]
mod tests {
    use komadai_book::queue::JobSettings;
    use komadai_bookfile::position_key::PositionKey;
    use komadai_core::Position;

    use super::*;

    fn jobs(numbers: std::ops::Range<u64>) -> impl Iterator<Item = LeasedJob> {
        let position = Position::hirate();
        let job = PositionKey::of(&position).unwrap().packed();
        numbers.map(move |number| LeasedJob {
            lease: Lease { job, number, revision: 0 },
            position: position.clone(),
            settings: JobSettings::default(),
            priority: 0,
            failures: 0,
            expiries: 0,
            duration_ms: 300_000,
        })
    }

    fn numbers(jobs: &[LeasedJob]) -> Vec<u64> {
        jobs.iter().map(|job| job.lease.number).collect()
    }

    /// The number wanted after jobs of this length have kept eight workers busy for two minutes.
    fn wanted_with_jobs_of(ms: u64) -> usize {
        let start = Instant::now();
        let mut stock = Stock::default();
        for round in 0..=(120_000 / ms) {
            let now = start + Duration::from_millis(round * ms);
            for worker in 0..8 {
                let worker = format!("w{worker}");
                stock.note_request(&worker, now);
                stock.note_start(&worker, now);
            }
        }
        stock.wanted()
    }

    #[test]
    fn a_stock_lasts_for_seconds() {
        assert_eq!(wanted_with_jobs_of(1), MOST);
        assert_eq!(wanted_with_jobs_of(100), 8 * 81);
        assert_eq!(wanted_with_jobs_of(1_000), 8 * 9);
        assert_eq!(wanted_with_jobs_of(6_000), 16);
        assert_eq!(wanted_with_jobs_of(8_000), 1);
        // A worker that asks again because it found no job has ended none.
        let mut stock = Stock::default();
        let start = Instant::now();
        for _ in 0..3 {
            stock.note_request("a", start);
        }
        assert_eq!((stock.wanted(), stock.ended.len()), (1, 0));
    }

    #[test]
    fn jobs_leave_in_order_with_the_rest_of_their_time() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut stock = Stock::default();
        stock.add(jobs(0..5), start);
        let taken = stock.take("a", 2, at(100));
        assert_eq!((numbers(&taken), taken[0].duration_ms), (vec![0, 1], 200_000));
        stock.renew(&HashSet::from([2, 4]), &HashSet::from([3]), at(200), 300_000);
        assert_eq!(stock.leases().map(|lease| lease.number).collect::<Vec<_>>(), [2, 4]);
        assert_eq!(stock.take("a", 1, at(400))[0].duration_ms, 100_000);
        assert!(stock.take("a", 1, at(500)).is_empty());
    }

    #[test]
    fn what_waits_too_long_goes_back() {
        let start = Instant::now();
        let mut stock = Stock::default();
        stock.add(jobs(0..2), start);
        stock.add(jobs(2..4), start + Duration::from_secs(30));
        assert!(stock.take_old(start + Duration::from_secs(59)).is_empty());
        let old = stock.take_old(start + Duration::from_secs(60));
        assert_eq!(old.iter().map(|stocked| stocked.job.lease.number).collect::<Vec<_>>(), [0, 1]);
        stock.put_back(old);
        assert_eq!(stock.take_all().len(), 4);
    }
}
