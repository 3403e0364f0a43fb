//! Files in which bytes have changed.

use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Once, mpsc};
use std::time::Duration;
use std::{fs, thread};

use tempfile::TempDir;

use super::changes::{Changes, Random};
use crate::files::fingerprint::Fingerprint;
use crate::store::{Store, StoreError, is_reporting_damage};

const PAGE: usize = 4096;

/// A store of some changes, and the folder that it is in.
fn store() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.kbook");
    let store = Store::create(&path).unwrap();
    let mut changes = Changes::new(5, 60);
    for _ in 0..4 {
        store.merge_batch(&changes.batch(40)).unwrap();
    }
    (folder, path)
}

/// Does what a program can do that prints no panic that becomes an error.
fn print_no_damage() {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !is_reporting_damage() {
                print(info);
            }
        }));
    });
}

/// Reads everything there is.
fn read(path: &Path) -> Result<Fingerprint, StoreError> {
    let store = Store::open_to_read(path)?;
    store.records()?.try_for_each(|record| record.map(drop))?;
    store.log()?.try_for_each(|entry| entry.map(drop))?;
    store.size()?;
    store.fingerprint()
}

/// Checks a file, and changes it in every way if it is sound.
fn check_and_change(path: &Path) -> Result<bool, StoreError> {
    let mut store = Store::open(path)?;
    let check = store.check()?;
    store.merge_batch(&Changes::new(6, 60).batch(20))?;
    store.compact()?;
    Ok(check.file_was_sound && check.wrong_positions == 0)
}

#[test]
fn damage_is_an_error_or_is_found_by_a_check() {
    print_no_damage();
    let (_folder, path) = store();
    let (sound, fingerprint) = (fs::read(&path).unwrap(), read(&path).unwrap());
    let mut random = Random::new(9);
    let mut damages: Vec<Vec<u8>> = Vec::new();
    for page in 0..sound.len() / PAGE {
        damages.push(match page % 3 {
            0 => sound[..page * PAGE].to_vec(),
            kind => {
                let mut bytes = sound.clone();
                bytes[page * PAGE..][..PAGE].fill(if kind == 1 { 0 } else { 0xff });
                bytes
            }
        });
        let mut bytes = sound.clone();
        for _ in 0..8 {
            bytes[page * PAGE + random.below(PAGE)] ^= 1 << random.below(8);
        }
        damages.push(bytes);
    }
    let mut found = 0;
    for bytes in damages {
        fs::write(&path, &bytes).unwrap();
        let read = read(&path);
        fs::write(&path, &bytes).unwrap();
        let is_sound = check_and_change(&path);
        if !matches!(is_sound, Ok(true)) {
            found += 1;
        } else {
            assert_eq!(read.unwrap(), fingerprint, "a difference that no check finds");
        }
    }
    assert!(found > 50, "{found} were found");
}

/// The content that a store shows, if it is verified before.
fn verified(path: &Path) -> Result<Fingerprint, StoreError> {
    let mut store = Store::open_to_read(path)?;
    store.verify()?;
    store.fingerprint()
}

#[test]
fn no_changed_bit_passes_a_verification() {
    let (_folder, path) = store();
    let (sound, fingerprint) = (fs::read(&path).unwrap(), verified(&path).unwrap());
    assert_eq!(fs::read(&path).unwrap(), sound, "a verification changes nothing");
    let mut random = Random::new(3);
    let (mut unnoticed, mut refused) = (0, 0);
    let used: Vec<usize> = (0..sound.len()).filter(|&at| sound[at] != 0).collect();
    for _ in 0..120 {
        let mut bytes = sound.clone();
        let at = used[random.below(used.len())];
        bytes[at] ^= 1 << random.below(8);
        fs::write(&path, &bytes).unwrap();
        let trusting = Store::open_to_read(&path).and_then(|store| store.fingerprint());
        match verified(&path) {
            Ok(found) => assert_eq!(found, fingerprint, "byte {at}"),
            Err(_) => {
                refused += 1;
                unnoticed += u64::from(trusting.is_ok_and(|found| found != fingerprint));
            }
        }
        // A store that is open for writing is verified as well.
        fs::write(&path, &bytes).unwrap();
        let written = Store::open(&path).and_then(|mut store| {
            store.verify()?;
            store.fingerprint()
        });
        written.iter().for_each(|found| assert_eq!(*found, fingerprint, "byte {at}"));
    }
    assert!(unnoticed > 5 && refused > 10, "{unnoticed} of {refused}");
}

#[test]
fn a_store_that_another_one_writes_can_be_verified() {
    let (_folder, path) = store();
    let writing = Store::open(&path).unwrap();
    let mut reading = Store::open_to_read(&path).unwrap();
    for seed in 10..14 {
        reading.verify().unwrap();
        writing.merge_batch(&Changes::new(seed, 60).batch(40)).unwrap();
        reading.verify().unwrap();
        assert_eq!(reading.fingerprint().unwrap(), writing.fingerprint().unwrap());
    }
}

/// Opens and compacts copies of a store with one changed bit in the head of a page.
///
/// Some of them are pages of redb's list of free pages: the compaction of one hung, and closing
/// another panicked.
#[test]
fn compaction_of_a_damaged_file_ends() {
    let (folder, path) = store();
    let sound = fs::read(&path).unwrap();
    let (done, ended) = mpsc::channel();
    thread::spawn(move || {
        for page in 0..sound.len() / PAGE {
            if sound[page * PAGE..][..PAGE].iter().all(|&byte| byte == 0) {
                continue;
            }
            for at in [8, 12, 28] {
                let mut bytes = sound.clone();
                bytes[page * PAGE + at] ^= 1;
                fs::write(&path, &bytes).unwrap();
                for _ in 0..2 {
                    let _ = Store::open(&path).and_then(|mut store| store.compact());
                }
            }
        }
        done.send(folder).unwrap();
    });
    ended.recv_timeout(Duration::from_secs(60)).expect("neither a hang nor a panic");
}

#[test]
fn a_panic_of_the_caller_goes_on() {
    print_no_damage();
    let (_folder, path) = store();
    let store = Store::open(&path).unwrap();
    let before = store.fingerprint().unwrap();
    let panic = |f: &dyn Fn()| {
        let panic = catch_unwind(AssertUnwindSafe(f)).unwrap_err();
        *panic.downcast_ref::<&str>().unwrap()
    };
    let reading = || {
        if store.records().unwrap().next().is_some() {
            panic!("while reading");
        }
    };
    assert_eq!(panic(&reading), "while reading");
    let changes = || {
        let more = std::iter::from_fn(|| panic!("while writing"));
        Changes::new(7, 60).batch(9).into_iter().chain(more)
    };
    let writing = || _ = store.merge_all(changes());
    assert_eq!(panic(&writing), "while writing");
    assert_eq!(store.fingerprint().unwrap(), before);
    store.merge_batch(&Changes::new(7, 60).batch(9)).unwrap();
}

/// The standard error of one of these tests, which runs in a process of its own.
fn printed_by(test: &str) -> String {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "--nocapture", &format!("store::tests::damage::{test}")])
        .output()
        .unwrap();
    let standard = String::from_utf8_lossy(&output.stdout);
    assert!(standard.contains("1 passed"), "{standard}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn only_panics_of_the_caller_are_printed() {
    let printed = printed_by("damage_is_an_error_or_is_found_by_a_check");
    assert!(!printed.contains("panicked at"), "{printed}");
    let printed = printed_by("a_panic_of_the_caller_goes_on");
    assert_eq!(printed.matches("panicked at").count(), 2, "{printed}");
    assert!(printed.contains("while reading") && printed.contains("while writing"), "{printed}");
}
