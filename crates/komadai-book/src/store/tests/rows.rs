//! Rows that another program has changed, in files whose checksums are right.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use komadai_core::{Analysis, Analyst, AnalystError, AnalystId, Budget, Position};
use redb::{Database, ReadableTable as _};

use super::changes::{Changes, Random, analyst, perform, script};
use crate::queue::{
    JobQueue as _, JobSettings, JobSource as _, LeaseRequest, NewJob, PlanChanges, QueueError,
    QueueOptions,
};
use crate::store::tables::{
    ANALYSTS, GAMES, INPUTS, JOBS, LOG, SETTINGS, SNAPSHOTS, TOMBSTONES, VIEW,
};
use crate::store::{NewSnapshot, Store, StoreError, ViewPolicy};

/// The number of damaged stores.
const ROUNDS: usize = 60;

/// An engine that never answers.
struct Silent;

impl Analyst for Silent {
    fn identity(&self) -> AnalystId {
        AnalystId::new("silent", "")
    }

    fn analyse(&mut self, _: &Position, _: &Budget) -> Result<Analysis, AnalystError> {
        Err(AnalystError::Silent { engine: "silent".into(), waited_ms: 1, stderr: String::new() })
    }
}

/// A store with rows in every table.
fn write_store(path: &Path) {
    let store = Store::create(path).unwrap();
    script(4, 30).iter().for_each(|step| perform(&store, step).unwrap());
    let mut changes = Changes::new(8, 40);
    store.merge_batch(&changes.batch(60)).unwrap();
    store.set_policy(&ViewPolicy::Prefer(analyst(1))).unwrap();
    let taken = NewSnapshot { name: "s".to_owned(), when: 1, generation: 1, figures: Vec::new() };
    store.take_snapshot(&taken).unwrap();
    let jobs = changes.batch(20).into_iter().filter_map(|change| match change {
        crate::store::Change::Move(known) => {
            let settings = JobSettings { nodes: Some(1), ..JobSettings::default() };
            Some(NewJob { position: known.position, priority: 0, settings })
        }
        _ => None,
    });
    store.queue(QueueOptions::default()).plan(&PlanChanges::wanted(jobs.collect())).unwrap();
}

/// Changes one row in `of` of a file, in one of several ways.
fn damage(path: &Path, random: &mut Random, of: usize) {
    let database = Database::open(path).unwrap();
    let transaction = database.begin_write().unwrap();
    let mut change = |bytes: &mut Vec<u8>| {
        if random.below(of) > 0 || bytes.is_empty() {
            return;
        }
        let at = random.below(bytes.len());
        match random.below(6) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, 0xff),
            2 => bytes[at] = 0xff,
            3 => bytes[at..].fill(0x80),
            _ => bytes[at] ^= 1 << random.below(8),
        }
    };
    macro_rules! change_rows {
        ($($table:expr, $key:ident => $own:expr, $borrowed:expr;)*) => {$({
            let mut table = transaction.open_table($table).unwrap();
            let rows = table.iter().unwrap().map(|row| {
                let (key, row) = row.unwrap();
                let $key = key.value();
                ($own, row.value().to_vec())
            });
            let rows: Vec<_> = rows.collect();
            for ($key, mut row) in rows {
                change(&mut row);
                table.insert($borrowed, row.as_slice()).unwrap();
            }
        })*};
    }
    change_rows! {
        LOG, key => *key, &key;
        VIEW, key => *key, &key;
        ANALYSTS, key => key, key;
        INPUTS, key => key, key;
        GAMES, key => key, key;
        TOMBSTONES, key => key, key;
        SNAPSHOTS, key => key.to_owned(), key.as_str();
        JOBS, key => *key, &key;
        SETTINGS, key => key.to_owned(), key.as_str();
    }
    transaction.commit().unwrap();
}

fn of_queue<T>(done: Result<T, QueueError>) -> Result<T, StoreError> {
    done.map_err(|error| match error {
        QueueError::Store(error) => error,
        other => panic!("{other}"),
    })
}

/// Does everything that reads rows, or writes after reading them, and returns the errors.
fn use_everything(path: &Path, other: &Store) -> Vec<StoreError> {
    let mut errors = Vec::new();
    macro_rules! tried {
        ($($done:expr;)*) => {$(errors.extend($done.err().map(StoreError::from));)*};
    }
    let mut store = match Store::open(path) {
        Ok(store) => store,
        Err(error) => return vec![error],
    };
    let queue = store.queue(QueueOptions::default());
    let (one, two) = (analyst(0), analyst(1));
    let request = LeaseRequest { worker: "w".to_owned(), analyst: None, count: 4, duration_ms: 1 };
    tried! {
        store.records().and_then(|mut rows| rows.try_for_each(|row| row.map(drop)));
        store.log().and_then(|mut rows| rows.try_for_each(|row| row.map(drop)));
        store.games().and_then(|mut rows| rows.try_for_each(|row| row.map(drop)));
        store.records_at("s").and_then(|mut rows| rows.try_for_each(|row| row.map(drop)));
        store.graph();
        store.graph_at("s");
        store.analysts();
        store.inputs();
        store.policy();
        store.tombstones();
        store.snapshots();
        store.sources();
        store.value_pairs(&one, &two);
        store.game_results();
        store.export_log(&mut Vec::new());
        of_queue(queue.waiting(9));
        of_queue(queue.waiting_by_engine());
        of_queue(queue.newest_generation());
        of_queue(queue.dead());
        of_queue(queue.lease(&request));
        other.import_store(&crate::Input { fingerprint: 1, games: 0, name: String::new() }, &store);
        store.merge_batch(&Changes::new(8, 40).batch(30));
        store.undo(&[0, 1, 2], 3);
        store.set_policy(&ViewPolicy::Mean);
    }
    let mut never = |_: crate::FirstValuesEvent| {};
    let stop = Arc::new(AtomicBool::new(false));
    let _ = store.analyse_unvalued(&mut [Silent], &Budget::default(), &stop, &mut never);
    tried! { store.check(); }
    errors
}

/// A right checksum proves only that the rows are as they were written, and not by whom.
#[test]
fn any_row_may_be_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let (sound, path) = (folder.path().join("sound.kbook"), folder.path().join("a.kbook"));
    write_store(&sound);
    let other = Store::create(folder.path().join("other.kbook")).unwrap();
    fs::copy(&sound, &path).unwrap();
    let errors = use_everything(&path, &other);
    assert!(errors.is_empty(), "{errors:?}");
    let mut random = Random::new(12);
    let mut found = 0;
    for number in 0..ROUNDS {
        fs::copy(&sound, &path).unwrap();
        damage(&path, &mut random, [1, 20, 200][number % 3]);
        for error in use_everything(&path, &other) {
            found += 1;
            // A panic within the store would be called a damaged page.
            assert!(!matches!(error, StoreError::Corrupt { .. }), "{error}");
        }
    }
    assert!(found > ROUNDS, "{found}");
}
