//! Jobs that travel in files.

use std::fs;
use std::path::{Path, PathBuf};

use komadai_core::{Analysis, AnalystId, Line, Move, Position, Score};
use komadai_kifu::Tolerance;
use komadai_movegen::MoveGen as _;
use proptest::prelude::*;

use super::*;
use crate::logged_analysis::LoggedAnalysis;
use crate::queue::{
    Completion, FailureOutcome, FinishedJob, JobCounts, JobQueue as _, JobSource as _, LeaseState,
    MAX_FAILURES_IN_A_ROW, NewJob, PlanChanges, Refusal,
};

/// The length of the first two lines of a log.
const HEAD: usize = "#KOMADAI-BOOK-LOG 1\nbook\t0123456789abcdef\n".len();

/// Positions after the first legal moves of the start position.
fn positions(count: usize) -> Vec<Position> {
    let start = Position::hirate();
    let moves = start.legal_moves();
    moves.iter().take(count).map(|&m| start.after(m).without_history()).collect()
}

fn settings(engine: &str) -> JobSettings {
    JobSettings {
        nodes: Some(1_000),
        depth: Some(7),
        multi_pv: 2,
        engine: engine.to_owned(),
        ..JobSettings::default()
    }
}

fn store_with_jobs(folder: &Path, jobs: usize) -> Store {
    let store = Store::create(folder.join("a.kbook")).unwrap();
    let job = |position| NewJob { position, priority: -3, settings: settings("") };
    let wanted = positions(jobs).into_iter().map(job).collect();
    store.queue(QueueOptions::default()).plan(&PlanChanges::wanted(wanted)).unwrap();
    store
}

fn request(count: usize, duration_ms: u64) -> LeaseRequest {
    LeaseRequest { worker: "file".to_owned(), analyst: None, count, duration_ms }
}

fn write(jobs: &JobFile, path: &Path) {
    let mut text = Vec::new();
    jobs.write(&mut text).unwrap();
    fs::write(path, text).unwrap();
}

/// The result of every analyst: two moves with values that depend on the position alone.
fn result(position: &Position, when: u64) -> LoggedAnalysis {
    let moves = position.legal_moves();
    let line = |m: &Move| Line::exact(Score::cp(m.to_bits().into()), [*m].into_iter().collect());
    let lines = moves.iter().take(2).map(line).collect();
    let analysis = Analysis { lines, nodes: 1_000, depth: 5, ..Analysis::default() };
    LoggedAnalysis {
        when,
        ..LoggedAnalysis::new(position.clone(), analysis, AnalystId::new("engine", "1"))
    }
}

/// Does up to `most` jobs of a file.
fn work(jobs: &JobFile, log: &Path, most: usize, when: u64) -> usize {
    let queue = FileQueue::open(jobs.clone(), log).unwrap();
    let leased = queue.lease(&request(most, 0)).unwrap();
    for job in &leased {
        let result = result(&job.position, when);
        let finished = [FinishedJob { lease: job.lease.clone(), result }];
        assert_eq!(queue.finish(&finished).unwrap(), [Completion::Accepted]);
        assert_eq!(queue.finish(&finished).unwrap(), [Completion::AlreadyDone]);
    }
    leased.len()
}

fn import(store: &Store, log: &[u8]) {
    store.import_log(log, "out.log", Tolerance::Lenient).unwrap();
}

/// The content of a store: positions with their moves and values, and the states of the jobs.
fn content(store: &Store) -> (Vec<String>, JobCounts) {
    let records = store.records().unwrap().map(|stored| {
        let record = stored.unwrap().record;
        format!("{} {:?}", record.position, record.moves)
    });
    (records.collect(), store.queue(QueueOptions::default()).counts().unwrap())
}

#[test]
fn jobs_and_results_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_with_jobs(folder.path(), 5);
    let jobs = JobFile::lease(&store, &request(4, 60_000)).unwrap();
    let path = folder.path().join("jobs.txt");
    write(&jobs, &path);
    let read = JobFile::read(&path).unwrap();
    assert_eq!((read.book, read.jobs.len()), (jobs.book, 4));
    for (read, job) in read.jobs.iter().zip(&jobs.jobs) {
        assert_eq!((&read.lease, &read.position), (&job.lease, &job.position));
        assert_eq!((&read.settings, read.priority), (&job.settings, job.priority));
    }
    // A worker that is interrupted goes on with the others, even after an incomplete line.
    let log = folder.path().join("out.log");
    assert_eq!(work(&read, &log, 3, 1), 3);
    let mut bytes = fs::read(&log).unwrap();
    let half = bytes.iter().take(bytes.len() - 1).rposition(|&byte| byte == b'\n').unwrap() + 9;
    bytes.truncate(half);
    fs::write(&log, &bytes).unwrap();
    assert_eq!(work(&read, &log, 9, 1), 2, "the job without its last line is done again");
    assert_eq!(work(&read, &log, 9, 1), 0);
    import(&store, &fs::read(&log).unwrap());
    let (records, counts) = content(&store);
    assert_eq!((records.len(), counts.waiting, counts.leased, counts.done), (4, 1, 0, 4));
    let results = store.queue(QueueOptions::default()).results(9).unwrap();
    assert!(results.is_empty(), "an import needs no outbox");
}

#[test]
fn a_file_queue_passes_on_what_fits() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_with_jobs(folder.path(), 2);
    let jobs = JobFile::lease(&store, &request(2, 60_000)).unwrap();
    let queue = FileQueue::open(jobs.clone(), folder.path().join("out.log")).unwrap();
    let first = queue.lease(&request(1, 5)).unwrap().remove(0);
    assert_eq!(queue.heartbeat(std::slice::from_ref(&first.lease), 5).unwrap(), [LeaseState::Held]);
    for failure in 1..=3 {
        let expected =
            if failure < 3 { FailureOutcome::Retried } else { FailureOutcome::LeftToOthers };
        assert_eq!(queue.fail(&first.lease, "a", "no").unwrap(), expected);
        assert_eq!(queue.fail(&first.lease, "a", "no").unwrap(), FailureOutcome::Stale);
        if failure < 3 {
            assert_eq!(queue.lease(&request(1, 5)).unwrap()[0].lease, first.lease);
        }
    }
    let second = queue.lease(&request(9, 5)).unwrap().remove(0);
    // Five failures in a row end the work of a worker, not that of others.
    for failure in 4..=MAX_FAILURES_IN_A_ROW {
        queue.fail(&second.lease, "a", "no").unwrap();
        let worker = if failure < MAX_FAILURES_IN_A_ROW { "a" } else { "file" };
        let leased = queue.lease(&LeaseRequest { worker: worker.to_owned(), ..request(9, 5) });
        assert_eq!(leased.unwrap()[0].lease, second.lease);
    }
    let refused = queue.lease(&LeaseRequest { worker: "a".to_owned(), ..request(9, 5) });
    assert!(matches!(refused, Err(QueueError::Refused(Refusal::Dismissed { .. }))));
    queue.release(std::slice::from_ref(&second.lease)).unwrap();
    assert_eq!(queue.lease(&request(9, 5)).unwrap()[0].lease, second.lease);
    let wrong = FinishedJob { lease: second.lease.clone(), result: result(&first.position, 1) };
    let refused = queue.finish(&[wrong]).unwrap().remove(0);
    assert!(matches!(refused, Completion::Refused(Refusal::OtherPosition { .. })), "{refused:?}");
    assert_eq!(queue.progress(), (2, 0));
    // Two workers must not write the same log.
    let error = FileQueue::open(jobs, folder.path().join("out.log")).unwrap_err();
    assert!(matches!(error, JobFileError::Io { .. }), "{error}");
}

#[test]
fn damaged_and_foreign_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = store_with_jobs(folder.path(), 3);
    let jobs = JobFile::lease(&store, &request(3, 60_000)).unwrap();
    let path = folder.path().join("jobs.txt");
    write(&jobs, &path);
    let sound = fs::read(&path).unwrap();
    // Any byte that is missing or different is found; only a comment after the end has no effect.
    for at in 0..sound.len() {
        let mut changed = sound.clone();
        changed[at] ^= 1;
        fs::write(&path, &changed).unwrap();
        let is_line_end = sound[at] == b'\n' && at + 1 == sound.len();
        assert!(is_line_end || JobFile::read(&path).is_err(), "byte {at}");
        fs::write(&path, &sound[..at]).unwrap();
        assert!(at + 1 == sound.len() || JobFile::read(&path).is_err(), "{at} bytes");
    }
    fs::write(&path, b"sfen nonsense\n").unwrap();
    let error = JobFile::read(&path).unwrap_err();
    assert!(matches!(error, JobFileError::Text { error: BookError::Header { .. }, .. }), "{error}");
    // A log of another book, and a file that is no log, keep their content.
    let log = folder.path().join("out.log");
    work(&jobs, &log, 1, 1);
    let other = JobFile { book: jobs.book ^ 1, ..jobs.clone() };
    let error = FileQueue::open(other, &log).unwrap_err();
    assert!(matches!(error, JobFileError::OtherBook { .. }), "{error}");
    let letter = folder.path().join("letter.txt");
    for text in ["Dear Sir,\n", "Dear Sir", "Dear Sir,\nI"] {
        fs::write(&letter, text).unwrap();
        let error = FileQueue::open(jobs.clone(), &letter).unwrap_err();
        assert!(matches!(error, JobFileError::Text { .. }), "{error}");
        assert_eq!(fs::read_to_string(&letter).unwrap(), text);
    }
    // Another book refuses the results, all of them.
    let other = Store::create(folder.path().join("b.kbook")).unwrap();
    let bytes = fs::read(&log).unwrap();
    let error = other.import_log(&bytes[..], "out.log", Tolerance::Lenient).unwrap_err();
    assert!(matches!(error, StoreError::OtherBook { .. }), "{error}");
    assert!(other.is_empty().unwrap());
}

#[test]
fn jobs_for_another_engine_are_left() {
    let folder = tempfile::tempdir().unwrap();
    let mut jobs = JobFile::lease(&store_with_jobs(folder.path(), 3), &request(3, 9)).unwrap();
    jobs.jobs[1].settings.engine = "other 2".to_owned();
    let queue = FileQueue::open(jobs, folder.path().join("out.log")).unwrap();
    let own = AnalystId::new("engine", "1");
    let leased = queue.lease(&LeaseRequest { analyst: Some(own.clone()), ..request(9, 9) });
    assert_eq!(leased.unwrap().len(), 2);
    let error = queue.check_engines(&[own.clone(), own]).unwrap_err();
    let text = error.to_string();
    assert_eq!(text, "1 jobs are for the engine \"other 2\", found engine 1");
    assert!(queue.check_engines(&[AnalystId::new("other", "2")]).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Files that overlap, because leases have ended, come back in any order, in part, twice or
    /// never: the book is the same as by another order.
    #[test]
    fn any_order_of_files_gives_the_same_book(
        exports in prop::collection::vec((1_usize..5, any::<bool>(), 0_usize..6), 1..5),
        arrivals in prop::collection::vec(
            (any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<bool>()), 0..9),
        shuffled in any::<prop::sample::Index>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let store = store_with_jobs(folder.path(), 8);
        let mut logs: Vec<PathBuf> = Vec::new();
        for (count, lasts, done) in exports {
            let duration_ms = if lasts { 3_600_000 } else { 0 };
            let jobs = JobFile::lease(&store, &request(count, duration_ms)).unwrap();
            let log = folder.path().join(format!("{}.log", logs.len()));
            work(&jobs, &log, done, 1 + logs.len() as u64);
            logs.push(log);
        }
        let parts: Vec<Vec<u8>> = arrivals
            .iter()
            .map(|(log, cut, is_whole)| {
                let mut bytes = fs::read(log.get(&logs)).unwrap();
                if !is_whole {
                    // Without the line of the book no job can be ended.
                    bytes.truncate(HEAD + cut.index(bytes.len() - HEAD + 1));
                }
                bytes
            })
            .collect();
        drop(store);
        let copy = folder.path().join("copy.kbook");
        fs::copy(folder.path().join("a.kbook"), &copy).unwrap();
        let [one, two] = [folder.path().join("a.kbook"), copy].map(|path| Store::open(path).unwrap());
        parts.iter().for_each(|part| import(&one, part));
        let mut order: Vec<&Vec<u8>> = parts.iter().rev().chain(&parts).collect();
        if !order.is_empty() {
            let at = shuffled.index(order.len());
            order.rotate_left(at);
        }
        order.iter().for_each(|part| import(&two, part));
        prop_assert_eq!(content(&one), content(&two));
        // What is whole comes in the end, and all that workers did is done.
        for log in &logs {
            let bytes = fs::read(log).unwrap();
            import(&one, &bytes);
            let mut lines = crate::log_file::LogReader::new(&bytes[..], Tolerance::Strict);
            while lines.next_change().unwrap().is_some() {}
            for done in lines.jobs().1 {
                let lease = done.lease;
                let state = one.queue(QueueOptions::default()).heartbeat(&[lease], 1).unwrap();
                prop_assert_eq!(state, [LeaseState::Lost]);
            }
        }
    }
}
