//! Files that are no stores, are not writable, or are in use.

use std::fs;
use std::path::Path;
use std::process::Command;

use komadai_bookfile::position_key::PositionKey;
use komadai_core::Position;
use redb::{Database, ReadableDatabase};

use super::changes::Changes;
use crate::files::inputs::InputFile;
use crate::store::tables::{FORMAT_VERSION, LOG, LogKey, NUMBERS, VERSION, VIEW};
use crate::store::{ImportOptions, Store, StoreError, ViewPolicy};

fn refusal(path: &Path) -> StoreError {
    Store::open(path).unwrap_err()
}

#[test]
fn other_files_are_refused_and_left_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.kbook");
    let error = refusal(&path);
    let is_not_found = matches!(
        &error,
        StoreError::Io { error, .. } if error.kind() == std::io::ErrorKind::NotFound
    );
    assert!(is_not_found, "{error}");
    assert!(!path.exists());
    for content in [&b""[..], b"#YANEURAOU-DB2016 1.00\n", b"redb", &[0xff; 5_000]] {
        fs::write(&path, content).unwrap();
        let error = refusal(&path);
        assert!(matches!(error, StoreError::NotAStore { .. }), "{error}");
        assert!(error.to_string().starts_with(&path.display().to_string()), "{error}");
        let error = Store::create(&path).unwrap_err();
        assert!(matches!(error, StoreError::Exists { .. }), "{error}");
        assert_eq!(fs::read(&path).unwrap(), content);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
}

#[test]
fn another_database_is_no_store() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.kbook");
    Database::create(&path).unwrap();
    let error = refusal(&path);
    assert!(matches!(error, StoreError::NotAStore { .. }), "{error}");
}

#[test]
fn a_store_is_open_in_one_place_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.kbook");
    let store = Store::open_or_create(&path).unwrap();
    let error = refusal(&path);
    assert!(matches!(error, StoreError::InUse { .. }), "{error}");
    drop(store);
    Store::open_or_create(&path).unwrap();
}

#[cfg(any(target_os = "linux", target_vendor = "apple", windows))]
#[test]
fn what_is_open_to_be_read_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.kbook");
    let mut store = Store::create(&path).unwrap();
    store.merge_batch(&Changes::new(3, 30).batch(100)).unwrap();
    let bytes = fs::read(&path).unwrap();
    let mut read = Store::open_to_read(&path).unwrap();
    let m = "7g7f".parse().unwrap();
    for error in [
        read.add_games(&Position::hirate(), m, 1).unwrap_err(),
        read.set_policy(&ViewPolicy::Deepest).unwrap_err(),
        read.check().unwrap_err(),
        read.compact().unwrap_err(),
    ] {
        assert!(matches!(error, StoreError::OpenToRead { .. }), "{error}");
        assert!(error.to_string().starts_with(&path.display().to_string()), "{error}");
    }
    assert_eq!(read.fingerprint().unwrap(), store.fingerprint().unwrap());
    assert_eq!(read.size().unwrap(), store.size().unwrap());
    assert_eq!(fs::read(&path).unwrap(), bytes);
    // What is being read is not moved about.
    let records = read.records().unwrap();
    let error = store.compact().unwrap_err();
    assert!(matches!(error, StoreError::InUse { .. }), "{error}");
    assert_eq!(records.count() as u64, store.len().unwrap());
    store.compact().unwrap();
    assert_eq!(read.fingerprint().unwrap(), store.fingerprint().unwrap());
    drop(read);
    drop(store);
    // Without a writer, and with one that comes later.
    let read = Store::open_to_read(&path).unwrap();
    let store = Store::open(&path).unwrap();
    store.add_games(&Position::hirate(), m, 1).unwrap();
    assert_eq!(read.fingerprint().unwrap(), store.fingerprint().unwrap());
}

#[test]
fn what_a_killed_process_left_is_brought_in_order_to_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let [path, left] = ["a.kbook", "b.kbook"].map(|name| folder.path().join(name));
    let store = Store::create(&path).unwrap();
    store.merge_batch(&Changes::new(3, 30).batch(100)).unwrap();
    // What is on disk while the store is open is what a killed process leaves.
    fs::copy(&path, &left).unwrap();
    let read = Store::open_to_read(&left).unwrap();
    assert_eq!(read.fingerprint().unwrap(), store.fingerprint().unwrap());
}

/// The error for a file with this version.
fn refusal_of_version(version: u64) -> StoreError {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.kbook");
    Store::create(&path).unwrap();
    let database = Database::open(&path).unwrap();
    let transaction = database.begin_write().unwrap();
    transaction.open_table(NUMBERS).unwrap().insert(VERSION, version).unwrap();
    transaction.commit().unwrap();
    drop(database);
    refusal(&path)
}

#[test]
fn files_of_other_versions_are_refused() {
    let error = refusal_of_version(FORMAT_VERSION + 1);
    assert!(
        matches!(error, StoreError::NewerVersion { found, supported: FORMAT_VERSION, .. }
            if found == FORMAT_VERSION + 1),
        "{error}"
    );
    let error = refusal_of_version(1);
    assert!(matches!(error, StoreError::NotAStore { .. }), "{error}");
    assert!(error.to_string().contains("one of version 1"), "{error}");
}

/// Replaces the first row of the log, or of the view, and returns the error of reading it.
fn with_row(in_view: bool, change: impl Fn(&mut Vec<u8>)) -> StoreError {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.kbook");
    let store = Store::create(&path).unwrap();
    let logged = Changes::new(1, 1).analysis();
    store.merge_batch(&[logged.clone().into()]).unwrap();
    drop(store);
    let database = Database::open(&path).unwrap();
    let transaction = database.begin_write().unwrap();
    if in_view {
        let mut table = transaction.open_table(VIEW).unwrap();
        let key = *PositionKey::of(&logged.position).unwrap().as_bytes();
        let mut row = redb::ReadableTable::get(&table, &key).unwrap().unwrap().value().to_vec();
        change(&mut row);
        table.insert(&key, row.as_slice()).unwrap();
    } else {
        let mut table = transaction.open_table(LOG).unwrap();
        let key: LogKey =
            crate::store::tables::log_key(&PositionKey::of(&logged.position).unwrap(), 0);
        let mut row = redb::ReadableTable::get(&table, &key).unwrap().unwrap().value().to_vec();
        change(&mut row);
        table.insert(&key, row.as_slice()).unwrap();
    }
    transaction.commit().unwrap();
    assert!(database.begin_read().is_ok());
    drop(database);
    let store = Store::open(&path).unwrap();
    if in_view {
        store.records().unwrap().find_map(Result::err).unwrap()
    } else {
        store.analyses(&logged.position).unwrap_err()
    }
}

#[test]
fn damaged_rows_are_named() {
    for (in_view, table) in [(false, "log"), (true, "view")] {
        for change in [
            (|row| row.clear()) as fn(&mut Vec<u8>),
            |row| row.truncate(row.len() / 2),
            |row| row.push(0),
            |row| row[0] = 0,
            |row| row[1..].fill(0xff),
        ] {
            let error = with_row(in_view, change);
            match &error {
                StoreError::CorruptRow { table: found, key, .. } => {
                    assert_eq!(*found, table);
                    assert!(key.len() >= 64, "{error}");
                }
                other => panic!("{other}"),
            }
        }
        let error = with_row(in_view, |row| row[0] = 9);
        assert!(matches!(error, StoreError::NewerVersion { found: 9, .. }), "{error}");
    }
}

#[test]
fn a_store_that_may_not_be_written_says_so() {
    const FOLDER: &str = "KOMADAI_BOOK_READ_ONLY_TEST_FOLDER";
    if let Some(folder) = std::env::var_os(FOLDER) {
        let folder = Path::new(&folder);
        let error = refusal(&folder.join("a.kbook"));
        assert!(matches!(error, StoreError::ReadOnly { .. }), "{error}");
        let read = Store::open_to_read(folder.join("a.kbook")).unwrap();
        assert!(read.is_empty().unwrap());
        let error = Store::open_to_read(folder.join("d.kbook")).unwrap_err();
        assert!(matches!(error, StoreError::Unclean { .. }), "{error}");
        let error = Store::create(folder.join("b.kbook")).unwrap_err();
        assert!(matches!(error, StoreError::ReadOnly { .. }), "{error}");
        // In a folder that may not be written, a file that may be is a store like any other.
        let store = Store::open(folder.join("c.kbook")).unwrap();
        store.add_games(&Position::hirate(), "7g7f".parse().unwrap(), 1).unwrap();
        // What is only taken in need not be written.
        let other = InputFile::find(folder.join("a.kbook")).unwrap();
        store.import_files(&[other], &ImportOptions::default(), &mut |_| {}).unwrap();
        assert_eq!(store.inputs().unwrap().len(), 1);
        return;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        use std::os::unix::process::CommandExt;
        let folder = tempfile::tempdir().unwrap();
        let mode = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        };
        let [read_only, writable, unclean] =
            ["a.kbook", "c.kbook", "d.kbook"].map(|name| folder.path().join(name));
        let open = Store::create(&read_only).unwrap();
        fs::copy(&read_only, &unclean).unwrap();
        drop(open);
        Store::create(&writable).unwrap();
        mode(&read_only, 0o444);
        mode(&unclean, 0o444);
        mode(&writable, 0o666);
        mode(folder.path(), 0o555);
        // The test runs once more in a process of its own: a superuser may write anything, and
        // gives that up first.
        let mut again = Command::new(std::env::current_exe().unwrap());
        again.args(["store::tests::files::a_store_that_may_not_be_written_says_so", "--exact"]);
        again.env(FOLDER, folder.path());
        if fs::metadata(folder.path()).unwrap().uid() == 0 {
            again.uid(65_534).gid(65_534);
        }
        let done = again.output().unwrap();
        mode(folder.path(), 0o755);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
        assert!(String::from_utf8_lossy(&done.stdout).contains("1 passed"));
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_grow_is_a_full_disk() {
    const FILE: &str = "KOMADAI_BOOK_FULL_TEST_FILE";
    let name = "store::tests::files::a_file_that_may_not_grow_is_a_full_disk";
    let batches = || {
        let mut changes = Changes::new(6, 400);
        std::iter::repeat_with(move || changes.batch(300))
    };
    if let Some(path) = std::env::var_os(FILE) {
        let store = Store::open(path).unwrap();
        for (number, batch) in batches().enumerate() {
            let Err(error) = store.merge_batch(&batch) else { continue };
            assert!(matches!(error, StoreError::DiskFull { .. }), "{error}");
            use std::io::Write;
            writeln!(std::io::stdout(), "\nacknowledged {number}").unwrap();
            return;
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.kbook");
    Store::create(&path).unwrap();
    let room = fs::metadata(&path).unwrap().len() / 512 + 200;
    // Ignoring the signal makes the write fail instead.
    let shell = format!("trap '' XFSZ; ulimit -f {room}; exec \"$0\" \"$@\"");
    let done = Command::new("bash")
        .args(["-c", &shell])
        .arg(std::env::current_exe().unwrap())
        .args([name, "--exact", "--nocapture"])
        .env(FILE, &path)
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&done.stdout);
    let said = out.lines().find_map(|line| line.strip_prefix("acknowledged "));
    let acknowledged: usize = said.unwrap_or_else(|| panic!("{out}")).parse().unwrap();
    let expected = Store::create(folder.path().join("b.kbook")).unwrap();
    for batch in batches().take(acknowledged) {
        expected.merge_batch(&batch).unwrap();
    }
    let mut store = Store::open(&path).unwrap();
    assert_eq!(store.fingerprint().unwrap(), expected.fingerprint().unwrap());
    assert_eq!(store.check().unwrap().wrong_positions, 0);
    store.merge_batch(&batches().nth(acknowledged).unwrap()).unwrap();
}

#[test]
fn the_size_is_that_of_the_file_and_compacting_makes_it_smaller() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.kbook");
    let mut store = Store::create(&path).unwrap();
    let mut changes = Changes::new(9, 300);
    for _ in 0..12 {
        store.merge_batch(&changes.batch(200)).unwrap();
    }
    let before = store.size().unwrap();
    assert_eq!(before.file_bytes, fs::metadata(&path).unwrap().len());
    assert_eq!(before.positions, store.len().unwrap());
    assert!(before.log_rows > 1_500 && before.games > 50, "{before:?}");
    assert!(store.compact().unwrap());
    let after = store.size().unwrap();
    assert!(after.file_bytes < before.file_bytes, "{before:?} {after:?}");
    assert_eq!((after.log_rows, after.positions), (before.log_rows, before.positions));
}
