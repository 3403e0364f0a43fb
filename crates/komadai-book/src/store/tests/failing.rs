//! A disk that fails at every single write loses nothing that was acknowledged.

use std::io;
use std::ops::Bound;
use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use komadai_core::Position;
use redb::{BackendError, StorageBackend};

use super::changes::{Changes, Step, perform, script};
use crate::queue::{
    FinishedJob, JobCounts, JobQueue, JobSettings, JobSource, LeaseRequest, NewJob, PlanChanges,
    QueueOptions,
};
use crate::store::damage::Closing;
use crate::store::file::{make_tables, shared};
use crate::store::{Handle, Store, StoreError};

/// A file in memory on a disk that is full after a number of writes. The write that does not fit
/// leaves its first half, as disks do.
#[derive(Debug)]
struct Disk {
    bytes: Arc<Mutex<Vec<u8>>>,
    writes_left: Arc<AtomicI64>,
    error: io::ErrorKind,
}

impl Disk {
    fn spend(&self) -> io::Result<()> {
        match self.writes_left.fetch_sub(1, Ordering::SeqCst) {
            left if left > 0 => Ok(()),
            _ => Err(self.error.into()),
        }
    }
}

/// The disk has one user, so every lock is granted.
impl StorageBackend for Disk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.bytes.lock().unwrap().len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let (bytes, offset) = (self.bytes.lock().unwrap(), offset as usize);
        out.copy_from_slice(
            bytes.get(offset..offset + out.len()).ok_or(io::ErrorKind::UnexpectedEof)?,
        );
        Ok(())
    }

    fn try_lock_range(&self, _: Bound<u64>, _: Bound<u64>) -> Result<bool, BackendError> {
        Ok(true)
    }

    fn try_lock_shared_range(&self, _: Bound<u64>, _: Bound<u64>) -> Result<bool, BackendError> {
        Ok(true)
    }

    fn lock_range(&self, _: Bound<u64>, _: Bound<u64>) -> Result<(), BackendError> {
        Ok(())
    }

    fn lock_shared_range(&self, _: Bound<u64>, _: Bound<u64>) -> Result<(), BackendError> {
        Ok(())
    }

    fn unlock_range(&self, _: Bound<u64>, _: Bound<u64>) -> Result<(), BackendError> {
        Ok(())
    }

    fn query_lock_range(&self, _: Bound<u64>, _: Bound<u64>) -> Result<bool, BackendError> {
        Ok(false)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.spend()?;
        self.bytes.lock().unwrap().resize(len as usize, 0);
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        self.spend()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let left = self.spend();
        let data = if left.is_ok() { data } else { &data[..data.len() / 2] };
        let (mut bytes, offset) = (self.bytes.lock().unwrap(), offset as usize);
        let end = offset + data.len();
        if bytes.len() < end {
            bytes.resize(end, 0);
        }
        bytes[offset..end].copy_from_slice(data);
        left
    }
}

const ENOUGH: i64 = i64::MAX;

/// The store on a disk with these bytes and space for a number of writes.
fn on_disk(
    bytes: &Arc<Mutex<Vec<u8>>>,
    writes: i64,
    error: io::ErrorKind,
) -> Result<(Store, Arc<AtomicI64>), StoreError> {
    let writes_left = Arc::new(AtomicI64::new(writes));
    let disk = Disk { bytes: bytes.clone(), writes_left: writes_left.clone(), error };
    let open = || {
        let is_new = disk.bytes.lock().unwrap().is_empty();
        let database = shared().create_with_backend(disk)?;
        if is_new {
            make_tables(&database)?;
        }
        Store::of_handle(Handle::Writing(Closing::new(database)), Path::new("disk"))
    };
    let store = open().map_err(|fault| fault.in_file(Path::new("disk")))?;
    Ok((store, writes_left))
}

fn new_disk() -> Arc<Mutex<Vec<u8>>> {
    let bytes = Arc::default();
    on_disk(&bytes, ENOUGH, io::ErrorKind::StorageFull).unwrap();
    bytes
}

fn copy(disk: &Arc<Mutex<Vec<u8>>>) -> Arc<Mutex<Vec<u8>>> {
    Arc::new(Mutex::new(disk.lock().unwrap().clone()))
}

#[test]
fn a_disk_that_is_full_at_any_write_loses_nothing_acknowledged() {
    let empty = new_disk();
    let script = script(11, 14);
    let (store, left) = on_disk(&copy(&empty), ENOUGH, io::ErrorKind::StorageFull).unwrap();
    let mut expected = vec![store.fingerprint().unwrap().number()];
    for step in &script {
        perform(&store, step).unwrap();
        expected.push(store.fingerprint().unwrap().number());
    }
    let writes = ENOUGH - left.load(Ordering::SeqCst);
    assert!(writes > 50, "the script writes {writes} times");
    let mut failed_at_all_steps = vec![false; script.len()];
    for room in 0..writes {
        let disk = copy(&empty);
        let acknowledged = until_full(&disk, room, &script);
        if let Some(at) = failed_at_all_steps.get_mut(acknowledged) {
            *at = true;
        }
        let (mut store, _) = on_disk(&disk, ENOUGH, io::ErrorKind::StorageFull).unwrap();
        let found = store.fingerprint().unwrap().number();
        // Of the step that failed either all is there or nothing.
        let may_be = &expected[acknowledged..(acknowledged + 2).min(expected.len())];
        assert!(may_be.contains(&found), "after {room} writes, {acknowledged} steps");
        assert_eq!(store.check().unwrap().wrong_positions, 0);
        for step in &script[acknowledged..] {
            perform(&store, step).unwrap();
        }
        assert_eq!(store.fingerprint().unwrap().number(), *expected.last().unwrap());
    }
    let changing = script.iter().zip(&failed_at_all_steps);
    for (number, (step, &failed)) in changing.enumerate() {
        assert!(failed || !matches!(step, Step::Merge(..)), "step {number} never failed");
    }
}

/// The number of steps that were acknowledged.
fn until_full(disk: &Arc<Mutex<Vec<u8>>>, room: i64, script: &[Step]) -> usize {
    let store = match on_disk(disk, room, io::ErrorKind::StorageFull) {
        Ok((store, _)) => store,
        Err(error) => {
            assert!(matches!(error, StoreError::DiskFull { .. }), "{error}");
            return 0;
        }
    };
    for (number, step) in script.iter().enumerate() {
        let Err(error) = perform(&store, step) else { continue };
        assert!(matches!(error, StoreError::DiskFull { .. }), "{error}");
        // Every later change is refused until the store is opened again.
        let next = store.add_games(&Position::hirate(), "7g7f".parse().unwrap(), 1).unwrap_err();
        assert!(matches!(next, StoreError::Stopped { .. } | StoreError::DiskFull { .. }), "{next}");
        return number;
    }
    script.len()
}

#[test]
fn a_result_is_merged_and_its_job_done_or_neither() {
    let empty = new_disk();
    let mut changes = Changes::new(2, 6);
    let result = changes.analysis();
    {
        let (store, _) = on_disk(&empty, ENOUGH, io::ErrorKind::StorageFull).unwrap();
        let position = result.position.clone();
        let job = NewJob { position, priority: 0, settings: JobSettings::default() };
        store.queue(QueueOptions::default()).plan(&PlanChanges::wanted(vec![job])).unwrap();
    }
    let request = LeaseRequest { worker: "a".into(), analyst: None, count: 1, duration_ms: 9 };
    let leased = {
        let (store, _) = on_disk(&empty, ENOUGH, io::ErrorKind::StorageFull).unwrap();
        store.queue(QueueOptions::default()).lease(&request).unwrap().remove(0)
    };
    let (mut failures, mut successes) = (0, 0);
    for room in 0..200 {
        let disk = copy(&empty);
        let Ok((store, _)) = on_disk(&disk, room, io::ErrorKind::StorageFull) else { continue };
        let queue = store.queue(QueueOptions::default());
        let finished = FinishedJob { lease: leased.lease.clone(), result: result.clone() };
        let completed = queue.finish(&[finished]);
        drop(store);
        let (store, _) = on_disk(&disk, ENOUGH, io::ErrorKind::StorageFull).unwrap();
        let done = JobCounts { done: 1, ..JobCounts::default() };
        let is_done = store.queue(QueueOptions::default()).counts().unwrap() == done;
        let is_merged = !store.analyses(&result.position).unwrap().is_empty();
        assert_eq!(is_done, is_merged, "after {room} writes");
        assert!(is_done || completed.is_err(), "after {room} writes");
        *if completed.is_ok() { &mut successes } else { &mut failures } += 1;
    }
    assert!(failures > 3 && successes > 3, "{failures} failures, {successes} successes");
}

#[test]
fn a_disk_that_may_not_be_written_is_called_so() {
    for (kind, is_read_only) in [
        (io::ErrorKind::PermissionDenied, true),
        (io::ErrorKind::ReadOnlyFilesystem, true),
        (io::ErrorKind::QuotaExceeded, false),
        (io::ErrorKind::FileTooLarge, false),
    ] {
        let error = on_disk(&new_disk(), 0, kind).and_then(|(store, _)| {
            store.add_games(&Position::hirate(), "7g7f".parse().unwrap(), 1)
        });
        match error.unwrap_err() {
            StoreError::ReadOnly { .. } => assert!(is_read_only),
            StoreError::DiskFull { .. } => assert!(!is_read_only),
            other => panic!("{other}"),
        }
    }
}
