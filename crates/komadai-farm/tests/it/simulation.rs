//! A day of many workers in minutes: a real server, real calls, virtual time.
//!
//! ```console
//! cargo test --release -p komadai-farm --test it -- --ignored --nocapture simulation
//! ```
//!
//! Hosts have 32 cores of equal speed, 0.2 to 2 times the normal one; a job takes 200 s at the median
//! (log-normal, a third of it as the deviation of the logarithm). Two hosts in a hundred die in an
//! hour without a word, and come back after ten minutes. After a third of the time the server is
//! killed and comes back after a minute; after two thirds its clock jumps by a day. The coordinator
//! merges results and refills the window every 30 s. Nothing sleeps: the queue has a clock that the
//! simulation sets.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet, VecDeque};
use std::fs;
use std::time::{Duration, Instant};

use komadai_book::queue::{
    Completion, JobQueue as _, JobSettings, JobSource as _, LeaseState, LeasedJob, NewJob,
    PlanChanges,
};
use komadai_bookfile::position_key::PositionKey;
use komadai_core::{Position, SplitMix64};
use komadai_farm::FarmQueue;
use komadai_movegen::MoveGen as _;

use crate::cluster::{Cluster, Options, TestSchema, children_of, set_clock};
use crate::results::{finished, request};

const CORES: usize = 32;
const CONNECTIONS: usize = 8;
const MEDIAN_S: f64 = 200.0;
const HOURS: u64 = 1;

/// Times in milliseconds.
const LEASE: u64 = 300_000;
const HEARTBEAT: u64 = 100_000;
const POLL: u64 = 5_000;
const TICK: u64 = 30_000;
const DOWN: u64 = 60_000;
const REBIRTH: u64 = 600_000;
const DAY: u64 = 86_400_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A core of a host is free; the last number tells the lives of the host apart.
    Ask(usize, usize, u32),
    /// A core has done its job.
    Done(usize, usize, u32),
    Heartbeat(usize, u32),
    Death(usize),
    Birth(usize),
    Tick,
    Crash,
    Jump,
}

struct Host {
    speed: f64,
    life: u32,
    is_alive: bool,
    /// The job of each core.
    jobs: Vec<Option<LeasedJob>>,
}

#[derive(Default)]
struct Counts {
    started: u64,
    accepted: u64,
    late: u64,
    twice: u64,
    /// Those of them after the jump of the clock.
    twice_after_jump: u64,
    lost_with_hosts: u64,
    idle_ms: u64,
    staleness_ms: u64,
    merged: u64,
    calls: u64,
}

struct Simulation {
    cluster: Cluster,
    schema: TestSchema,
    clock: postgres::Client,
    coordinator: FarmQueue,
    connections: Vec<FarmQueue>,
    hosts: Vec<Host>,
    events: BinaryHeap<Reverse<(u64, Event)>>,
    random: SplitMix64,
    now: u64,
    /// The time of the server, as it was set last, and the error of its clock.
    set: u64,
    offset: u64,
    down_until: u64,
    positions: VecDeque<Position>,
    seen: HashSet<PositionKey>,
    planned: HashMap<PositionKey, u64>,
    waiting: usize,
    counts: Counts,
    /// The processor time of servers that have ended, and that of the present one when it began, in
    /// microseconds.
    spent: u64,
    base: u64,
}

impl Simulation {
    fn new(workers: usize) -> Option<Self> {
        let cluster = Cluster::start(Options::Synced)?;
        // Files need no sync: processor time is measured, and no machine crashes.
        let mut admin = cluster.admin();
        admin.execute("alter system set fsync = off", &[]).expect("a setting");
        admin.execute("select pg_reload_conf()", &[]).expect("a setting");
        let schema = cluster.schema();
        let clock = schema.with_test_clock();
        let coordinator = schema.coordinator();
        coordinator.set_options(None, Some(Duration::from_secs(10))).expect("options");
        let connections = (0..CONNECTIONS).map(|_| schema.worker()).collect();
        let mut random = SplitMix64::new(7);
        let hosts = (0..workers.div_ceil(CORES)).map(|_| Host {
            speed: 0.2 * 10_f64.powf(unit(&mut random)),
            life: 0,
            is_alive: true,
            jobs: vec![None; CORES],
        });
        let hosts: Vec<Host> = hosts.collect();
        let mut simulation = Self {
            cluster,
            schema,
            clock,
            coordinator,
            connections,
            hosts,
            events: BinaryHeap::new(),
            random,
            now: 0,
            set: 0,
            offset: 0,
            down_until: 0,
            positions: VecDeque::new(),
            seen: HashSet::new(),
            planned: HashMap::new(),
            waiting: 0,
            counts: Counts::default(),
            spent: 0,
            base: 0,
        };
        simulation.base = server_time(&simulation.cluster);
        let end = HOURS * 3_600_000;
        simulation.at(0, Event::Tick);
        simulation.at(end / 3, Event::Crash);
        simulation.at(2 * end / 3, Event::Jump);
        for host in 0..simulation.hosts.len() {
            simulation.begin(host);
        }
        Some(simulation)
    }

    fn at(&mut self, after: u64, event: Event) {
        self.events.push(Reverse((self.now + after, event)));
    }

    /// Lets a host start to work, and dates its death.
    fn begin(&mut self, host: usize) {
        let life = self.hosts[host].life;
        let jitter = (1_000.0 * unit(&mut self.random)) as u64;
        for core in 0..CORES {
            self.at(jitter, Event::Ask(host, core, life));
        }
        let phase = (HEARTBEAT as f64 * unit(&mut self.random)) as u64;
        self.at(phase, Event::Heartbeat(host, life));
        let hours = -(1.0 - unit(&mut self.random)).ln() / 0.02;
        self.at((hours * 3_600_000.0) as u64, Event::Death(host));
    }

    fn run(&mut self) {
        let end = HOURS * 3_600_000;
        while let Some(Reverse((now, event))) = self.events.pop() {
            if now > end {
                return;
            }
            self.now = now;
            if (self.now + self.offset).abs_diff(self.set) >= 500 && self.now >= self.down_until {
                self.set = self.now + self.offset;
                set_clock(&mut self.clock, self.set);
            }
            match event {
                Event::Tick => self.tick(),
                Event::Crash => self.crash(),
                Event::Jump => self.offset += DAY,
                Event::Death(host) => {
                    self.hosts[host].is_alive = false;
                    self.hosts[host].life += 1;
                    let lost = self.hosts[host].jobs.iter_mut().filter_map(Option::take).count();
                    self.counts.lost_with_hosts += lost as u64;
                    self.at(REBIRTH, Event::Birth(host));
                }
                Event::Birth(host) => {
                    self.hosts[host].is_alive = true;
                    self.begin(host);
                }
                Event::Heartbeat(host, life) if self.hosts[host].life == life => {
                    self.heartbeat(host)
                }
                Event::Ask(host, core, life) if self.hosts[host].life == life => {
                    self.ask(host, core)
                }
                Event::Done(host, core, life) if self.hosts[host].life == life => {
                    self.done(host, core);
                }
                // Those of a host that has died.
                Event::Heartbeat(..) | Event::Ask(..) | Event::Done(..) => {}
            }
        }
    }

    fn is_down(&self) -> bool {
        self.now < self.down_until
    }

    /// A wait of 1 to 60 s, after the server was away.
    fn backoff(&mut self) -> u64 {
        1_000 + (59_000.0 * unit(&mut self.random)) as u64
    }

    fn connection(&self, host: usize) -> &FarmQueue {
        &self.connections[host % CONNECTIONS]
    }

    fn ask(&mut self, host: usize, core: usize) {
        let life = self.hosts[host].life;
        if self.is_down() {
            let wait = self.backoff();
            self.counts.idle_ms += wait;
            return self.at(wait, Event::Ask(host, core, life));
        }
        let mut ask = request(&format!("host-{host}"), 1);
        ask.duration_ms = LEASE;
        self.counts.calls += 1;
        let Ok(mut jobs) = self.connection(host).lease(&ask) else {
            // The connection was cut; the next call makes a new one.
            self.counts.idle_ms += 1_000;
            return self.at(1_000, Event::Ask(host, core, life));
        };
        let Some(job) = jobs.pop() else {
            self.counts.idle_ms += POLL;
            return self.at(POLL, Event::Ask(host, core, life));
        };
        self.waiting = self.waiting.saturating_sub(1);
        let key = PositionKey::from_packed(&job.lease.job);
        let planned = self.planned.get(&key).copied().unwrap_or(self.now);
        self.counts.staleness_ms += self.now - planned;
        self.counts.started += 1;
        // The sum of twelve numbers is nearly normal, with a deviation of 1.
        let normal = (0..12).map(|_| unit(&mut self.random)).sum::<f64>() - 6.0;
        let seconds = MEDIAN_S * (normal / 3.0).exp() / self.hosts[host].speed;
        self.hosts[host].jobs[core] = Some(job);
        self.at((seconds * 1_000.0) as u64, Event::Done(host, core, life));
    }

    fn done(&mut self, host: usize, core: usize) {
        let life = self.hosts[host].life;
        if self.is_down() {
            // The worker keeps the result, and its core does nothing else in this simulation.
            let wait = self.backoff();
            self.counts.idle_ms += wait;
            return self.at(wait, Event::Done(host, core, life));
        }
        let Some(job) = &self.hosts[host].jobs[core] else { return };
        let result = finished(job);
        self.counts.calls += 1;
        let Ok(ends) = self.connection(host).finish(&[result]) else {
            self.counts.idle_ms += 1_000;
            return self.at(1_000, Event::Done(host, core, life));
        };
        match ends[0] {
            Completion::Accepted => self.counts.accepted += 1,
            Completion::AcceptedLate => self.counts.late += 1,
            _ => {
                self.counts.twice += 1;
                self.counts.twice_after_jump += u64::from(self.offset > 0);
            }
        }
        self.hosts[host].jobs[core] = None;
        self.ask(host, core);
    }

    fn heartbeat(&mut self, host: usize) {
        let life = self.hosts[host].life;
        self.at(HEARTBEAT, Event::Heartbeat(host, life));
        if self.is_down() {
            return;
        }
        let leases: Vec<_> =
            self.hosts[host].jobs.iter().flatten().map(|job| job.lease.clone()).collect();
        self.counts.calls += 1;
        // A search whose lease is lost goes on: its result still counts if it is the first one.
        let states = self.connection(host).heartbeat(&leases, LEASE).unwrap_or_default();
        assert!(states.iter().all(|state| matches!(state, LeaseState::Held | LeaseState::Lost)));
    }

    /// Merges results, and fills the window up.
    fn tick(&mut self) {
        self.at(TICK, Event::Tick);
        if self.is_down() {
            return;
        }
        while let Ok(results) = self.coordinator.results(1_000) {
            if results.is_empty() {
                break;
            }
            let ids: Vec<u64> = results.iter().map(|result| result.id).collect();
            if self.coordinator.merged(&ids).is_err() {
                break;
            }
            self.counts.merged += ids.len() as u64;
        }
        let Ok(counts) = self.coordinator.counts() else { return };
        self.waiting = counts.waiting as usize;
        // A slow minute of all cores.
        let window = (20 * CORES * self.hosts.len()).div_ceil(10).max(200);
        let mut wanted = Vec::new();
        while self.waiting + wanted.len() < window {
            let position = self.next_position();
            self.planned.insert(PositionKey::of(&position).expect("a position"), self.now);
            let settings = JobSettings { nodes: Some(200_000_000), ..JobSettings::default() };
            wanted.push(NewJob { position, priority: 0, settings });
        }
        if !wanted.is_empty() && self.coordinator.plan(&PlanChanges::wanted(wanted)).is_ok() {
            self.waiting = window;
        }
    }

    /// A position that has not been planned yet, by random moves.
    fn next_position(&mut self) -> Position {
        loop {
            if let Some(position) = self.positions.pop_front() {
                return position;
            }
            let mut position = Position::hirate();
            while position.ply() < 60 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let m = moves[(self.random.next_u64() % moves.len() as u64) as usize];
                position.do_move(m);
                let key = PositionKey::of(&position);
                if key.is_ok_and(|key| self.seen.insert(key)) && !position.legal_moves().is_empty()
                {
                    self.positions.push_back(position.clone().without_history());
                }
            }
        }
    }

    /// Kills the server, which is away for a while.
    fn crash(&mut self) {
        self.spent += server_time(&self.cluster) - self.base;
        self.cluster.kill();
        self.cluster.start_again();
        self.base = server_time(&self.cluster);
        self.down_until = self.now + DOWN;
        self.clock = self.schema.admin();
    }
}

/// A number from 0 to 1.
fn unit(random: &mut SplitMix64) -> f64 {
    (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// The processor time of the server's processes so far, with those that have ended, in microseconds.
fn server_time(cluster: &Cluster) -> u64 {
    let Some(first) = cluster.postmaster() else { return 0 };
    let ticks = |pid: i32, fields: &[usize]| -> u64 {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let after = stat.rsplit_once(')').map_or("", |(_, after)| after);
        let words: Vec<&str> = after.split_whitespace().collect();
        fields.iter().filter_map(|&field| words.get(field)?.parse::<u64>().ok()).sum()
    };
    // The fields utime, stime, cutime and cstime, counted from the state on.
    let children = children_of(first).into_iter().map(|pid| ticks(pid, &[11, 12])).sum::<u64>();
    10_000 * (children + ticks(first, &[11, 12, 13, 14]))
}

#[test]
#[ignore = "takes a quarter of an hour"]
fn simulation_of_many_workers() {
    println!(
        "| workers | jobs merged | calls | server µs a job | share of a core | searched twice: after the crash, after the jump | lost with hosts | idle | plan older than | seconds |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let sizes = std::env::var("KOMADAI_SIMULATION").unwrap_or_else(|_| "100 1000 10000".to_owned());
    for workers in sizes.split(' ').map(|size| size.parse().expect("a number of workers")) {
        let Some(mut simulation) = Simulation::new(workers) else { return };
        let started = Instant::now();
        simulation.run();
        let spent = simulation.spent + server_time(&simulation.cluster) - simulation.base;
        let counts = &simulation.counts;
        let jobs = counts.merged.max(1);
        let total_ms = (workers as u64 * HOURS * 3_600_000) as f64;
        println!(
            "| {workers} | {} | {} | {:.0} | {:.1} % | {}, {} | {} | {:.1} % | {:.0} s | {:.0} |",
            counts.merged,
            counts.calls,
            spent as f64 / jobs as f64,
            spent as f64 / (HOURS as f64 * 36e6),
            counts.twice - counts.twice_after_jump,
            counts.twice_after_jump,
            counts.lost_with_hosts,
            100.0 * counts.idle_ms as f64 / total_ms,
            counts.staleness_ms as f64 / counts.started.max(1) as f64 / 1_000.0,
            started.elapsed().as_secs_f64(),
        );
        // Each position has one result, and nothing that was accepted is lost.
        let accepted = counts.accepted + counts.late;
        let unmerged = simulation.coordinator.status().expect("the server runs").unmerged;
        assert_eq!(counts.merged + unmerged, accepted);
        assert_eq!(simulation.coordinator.counts().expect("the server runs").done, accepted);
    }
}
