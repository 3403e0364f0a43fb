//! Connections that are cut at any byte: before a request arrives, and between its commit and the answer.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use komadai_book::queue::{Completion, JobQueue as _, JobSource as _, LeaseRequest, QueueError};
use komadai_bookfile::position_key::PositionKey;
use komadai_core::SplitMix64;
use komadai_farm::{FarmQueue, FarmUrl};

use crate::cluster::{Cluster, Options};
use crate::results::{finished, plan, positions, request};

/// Passes connections on to the server's socket, and cuts each after a random number of bytes.
/// Returns the port. The thread ends with the process.
fn cutting_proxy(socket: PathBuf, cuts: &'static AtomicU64) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        let mut random = SplitMix64::new(3);
        for client in listener.incoming() {
            let client = client.expect("a connection");
            // A server that is away refuses the connection.
            let Ok(server) = UnixStream::connect(&socket) else { continue };
            let [up, down] = [0, 1].map(|_| 300 + random.below(8_000));
            let ends =
                (client.try_clone().expect("a handle"), server.try_clone().expect("a handle"));
            thread::spawn(move || pass(ends.0, ends.1, up, cuts));
            thread::spawn(move || pass(server, client, down, cuts));
        }
    });
    port
}

/// The ends of a connection, which can be closed while another thread reads.
trait End: Read + Write {
    fn close(&self);
}

impl End for TcpStream {
    fn close(&self) {
        let _ = self.shutdown(Shutdown::Both);
    }
}

impl End for UnixStream {
    fn close(&self) {
        let _ = self.shutdown(Shutdown::Both);
    }
}

/// Passes bytes on until one end closes or `most` of them have passed. Then both are closed.
fn pass(mut from: impl End, mut to: impl End, most: u64, cuts: &AtomicU64) {
    let mut left = most;
    let mut buffer = [0; 4_096];
    while left > 0 {
        let wanted = buffer.len().min(left as usize);
        let Ok(count @ 1..) = from.read(&mut buffer[..wanted]) else { break };
        if to.write_all(&buffer[..count]).is_err() {
            break;
        }
        left -= count as u64;
    }
    if left == 0 {
        cuts.fetch_add(1, Ordering::Relaxed);
    }
    from.close();
    to.close();
}

/// Repeats a call while the connection is cut.
fn again<T>(mut call: impl FnMut() -> Result<T, QueueError>) -> T {
    let end = Instant::now() + Duration::from_secs(120);
    loop {
        match call() {
            Err(error) if error.is_temporary() && Instant::now() < end => {
                thread::sleep(Duration::from_millis(5));
            }
            result => return result.expect("only cuts are faults"),
        }
    }
}

fn through(url: &FarmUrl, port: u16) -> FarmUrl {
    let (user, schema) = (url.user(), url.schema());
    let text = format!("postgres://{user}@127.0.0.1:{port}/postgres?schema={schema}");
    text.parse().expect("an address")
}

/// Passes bytes on, and closes nothing.
fn forward(mut from: impl Read, mut to: impl Write) {
    let _ = std::io::copy(&mut from, &mut to);
}

/// Passes the first connection on to the server's socket until `cut` comes, which closes the client's end only. All others are passed
/// on without an end.
fn silent_proxy(socket: PathBuf, cut: Receiver<()>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        let mut first = Some(cut);
        for client in listener.incoming() {
            let client = client.expect("a connection");
            let server = UnixStream::connect(&socket).expect("the server runs");
            let [from, answers] = [0, 1].map(|_| client.try_clone().expect("a handle"));
            let [to, kept] = [0, 1].map(|_| server.try_clone().expect("a handle"));
            let is_first = first.take();
            thread::spawn(move || forward(from, to));
            thread::spawn(move || forward(server, answers));
            thread::spawn(move || {
                if let Some(cut) = is_first {
                    cut.recv().expect("the test runs");
                    client.close();
                }
                // The server hears nothing.
                thread::park();
                drop(kept);
            });
        }
    });
    port
}

#[test]
fn a_coordinator_whose_session_lives_on_waits_for_its_end() {
    let Some(cluster) = Cluster::start(Options::Shared) else { return };
    let schema = cluster.schema();
    let mut admin = cluster.admin();
    let folder = admin.query_one("show unix_socket_directories", &[]).expect("a row");
    let socket = Path::new(folder.get::<_, &str>(0)).join(".s.PGSQL.5432");
    let (cut, is_cut) = mpsc::channel();
    let url = through(&schema.coordinator, silent_proxy(socket, is_cut));
    let coordinator = FarmQueue::open_as_coordinator(&url, "test-host").unwrap();
    cut.send(()).unwrap();
    let end = Instant::now() + Duration::from_secs(60);
    let mut reasons = BTreeSet::new();
    while !reasons.iter().any(|reason: &String| reason.contains("another program is")) {
        assert!(Instant::now() < end, "{reasons:?}");
        if let Err(error) = coordinator.counts() {
            assert!(error.is_temporary(), "{error}");
            reasons.insert(error.to_string());
        }
        thread::sleep(Duration::from_millis(50));
    }
    // Its probes tell the server in the end.
    let user = schema.coordinator.user();
    admin
        .query(
            "select pg_terminate_backend(pid) from pg_stat_activity where usename = $1",
            &[&user],
        )
        .unwrap();
    again(|| coordinator.counts());
}

#[test]
fn connections_that_are_cut_lose_and_double_nothing() {
    static CUTS: AtomicU64 = AtomicU64::new(0);
    const JOBS: usize = 400;
    let Some(cluster) = Cluster::start(Options::Shared) else { return };
    let schema = cluster.schema();
    let folder = cluster.admin().query_one("show unix_socket_directories", &[]).expect("a row");
    let socket = Path::new(folder.get::<_, &str>(0)).join(".s.PGSQL.5432");
    let port = cutting_proxy(socket, &CUTS);
    let [workers, coordinator] =
        [&schema.worker, &schema.coordinator].map(|url| through(url, port));
    let open = |url: &FarmUrl| again(|| FarmQueue::open(url, "test-host"));
    let positions = positions(JOBS);
    plan(&schema.coordinator(), &positions);

    let acknowledged = Mutex::new(BTreeSet::new());
    let mut merged: BTreeMap<PositionKey, BTreeSet<u64>> = BTreeMap::new();
    thread::scope(|scope| {
        for number in 0..3 {
            let (workers, open, acknowledged) = (&workers, &open, &acknowledged);
            scope.spawn(move || {
                let queue = open(workers);
                // A claim whose answer is cut off ends by itself.
                let request =
                    LeaseRequest { duration_ms: 500, ..request(&format!("w{number}"), 3) };
                while acknowledged.lock().unwrap().len() < JOBS {
                    let jobs = again(|| queue.lease(&request));
                    if jobs.is_empty() {
                        thread::sleep(Duration::from_millis(50));
                        continue;
                    }
                    let results: Vec<_> = jobs.iter().map(finished).collect();
                    let completions = again(|| queue.finish(&results));
                    for (job, completion) in jobs.iter().zip(completions) {
                        let is_good = !matches!(completion, Completion::Refused(_));
                        assert!(is_good, "{completion:?}");
                        acknowledged
                            .lock()
                            .unwrap()
                            .insert(PositionKey::from_packed(&job.lease.job));
                    }
                }
            });
        }
        let queue = open(&coordinator);
        while merged.len() < JOBS {
            again(|| queue.expire());
            let results = again(|| queue.results(50));
            for queued in &results {
                let key = PositionKey::of(&queued.result.position).expect("a key");
                merged.entry(key).or_default().insert(queued.id);
            }
            let ids: Vec<u64> = results.iter().map(|queued| queued.id).collect();
            again(|| queue.merged(&ids));
        }
    });
    assert!(merged.values().all(|ids| ids.len() == 1), "a result came twice");
    let counts = schema.coordinator().counts().expect("a state");
    assert_eq!((counts.waiting, counts.leased, counts.done), (0, 0, JOBS as u64));
    assert!(schema.coordinator().results(10).expect("a state").is_empty());
    let cuts = CUTS.load(Ordering::Relaxed);
    println!("{cuts} connections cut, {JOBS} jobs, none lost, none doubled");
    assert!(cuts > 30, "{cuts} cuts");
}

#[test]
fn a_full_disk_of_the_server_is_waited_for() {
    crate::cluster::with_schema(|schema| {
        let (coordinator, worker) = (schema.coordinator(), schema.worker());
        plan(&coordinator, &positions(1));
        let job = worker.lease(&request("a", 1)).expect("a job").remove(0);
        // As the server reports it.
        let mut admin = schema.admin();
        admin
            .batch_execute(
                "create function full_disk() returns trigger language plpgsql
                     as $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
                 create trigger full_disk before insert on result execute function full_disk()",
            )
            .expect("a trigger");
        let error = worker.finish(&[finished(&job)]).expect_err("no space");
        assert!(error.is_temporary(), "{error}");
        admin.batch_execute("drop trigger full_disk on result").expect("a trigger");
        assert_eq!(worker.finish(&[finished(&job)]).expect("space"), [Completion::Accepted]);
    });
}
