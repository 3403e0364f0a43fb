//! A working book with changed bytes is read, checked and changed without panic, or an error says
//! why not.

#![no_main]

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use komadai_book::store::{Change, NewSnapshot, Store, StoreError};
use komadai_book::{LoggedAnalysis, WorkingBook};
use komadai_core::{Analysis, AnalystId, Line, Position, Score};
use komadai_fuzz::Choices;
use komadai_movegen::MoveGen;
use libfuzzer_sys::fuzz_target;

/// The bytes of a sound book of some hundred positions.
static SOUND: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("sound.kbook");
    let store = Store::create(&path).expect("a new file");
    let mut position = Position::hirate();
    for step in 0..300_usize {
        let moves = position.legal_moves();
        let Some(&m) = moves.get(step * 7 % moves.len().max(1)) else { break };
        store.merge_batch(&[change(&position, step)]).expect("it can be written");
        position.do_move(m);
        if step % 40 == 39 {
            position = Position::hirate();
            position.do_move(position.legal_moves()[step / 40]);

            store.take_snapshot(&named(format!("after {step}"))).expect("it can be written");
        }
    }
    drop(store);
    fs::read(&path).expect("it is there")
});

/// An analysis whose line is any legal move.
fn change(position: &Position, step: usize) -> Change {
    let moves = position.legal_moves();
    let line =
        Line::exact(Score::cp(step as i32), [moves[step % moves.len()]].into_iter().collect());
    let analysis = Analysis { lines: vec![line], nodes: 1_000, ..Analysis::default() };
    let analyst = AnalystId::new(format!("engine {}", step % 3), "1");
    LoggedAnalysis { when: step as u64, ..LoggedAnalysis::new(position.without_history(), analysis, analyst) }.into()
}

fn named(name: impl Into<String>) -> NewSnapshot {
    NewSnapshot { name: name.into(), when: 0, generation: 0, figures: Vec::new() }
}

fuzz_target!(|data: &[u8]| {
    let bytes = damaged(data);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.kbook");
    for operation in [read, check, work, compact] {
        fs::write(&path, &bytes).expect("the folder can be written");
        if let Err(error) = operation(&path) {
            let message = error.to_string();
            assert!(message.len() < 2_000 && !message.contains('\n'), "{message}");
        }
        let files = fs::read_dir(&folder).expect("the folder is there").count();
        assert_eq!(files, 1, "other files are left");
    }
});

/// The sound book with the changes that the bytes choose.
fn damaged(data: &[u8]) -> Vec<u8> {
    let mut bytes = SOUND.clone();
    let mut choices = Choices::new(data);
    for _ in 0..32 {
        if choices.is_empty() {
            break;
        }
        let pages = (bytes.len() / 4096).max(1);
        let page = usize::from(choices.u16()) % pages * 4096;
        let at = page + usize::from(choices.u16()) % 4096;
        let (kind, value) = (choices.u8(), choices.u8());
        match kind {
            ..128 => bytes.get_mut(at).map(|byte| *byte ^= 1 << (value % 8)).unwrap_or_default(),
            128..216 => bytes.get_mut(at).map(|byte| *byte = value).unwrap_or_default(),
            // A page in the place of another, with its own sound checksum.
            216..232 => {
                let to = usize::from(value) % pages * 4096;
                if page + 4096 <= bytes.len() && to + 4096 <= bytes.len() {
                    bytes.copy_within(page..page + 4096, to);
                }
            }
            232..248 => {
                let end = bytes.len().min(page + 4096);
                bytes.get_mut(page..end).unwrap_or_default().fill(value);
            }
            _ => bytes.truncate(at),
        }
    }
    bytes
}

fn read(path: &Path) -> Result<(), StoreError> {
    let store = Store::open_to_read(path)?;
    store.records()?.try_for_each(|record| record.map(drop))?;
    store.log()?.try_for_each(|entry| entry.map(drop))?;
    for snapshot in store.snapshots()? {
        store.records_at(&snapshot.taken.name)?.try_for_each(|record| record.map(drop))?;
    }
    store.size()?;
    store.fingerprint().map(drop)
}

fn check(path: &Path) -> Result<(), StoreError> {
    let mut store = Store::open(path)?;
    let check = store.check()?;
    assert!(check.wrong_positions <= check.positions);
    // What has been repaired is sound.
    assert!(store.check()?.file_was_sound);
    Ok(())
}

fn work(path: &Path) -> Result<(), StoreError> {
    let mut book = WorkingBook::open(path)?;
    let start = Position::hirate();
    book.merge(&[change(&start, 5_000)])?;
    book.store().take_snapshot(&named("new"))?;
    let policy = book.store().policy()?;
    book.set_policy(&policy)
}

fn compact(path: &Path) -> Result<(), StoreError> {
    // The first compaction may repair the file.
    let _ = Store::open(path)?.compact();
    let mut store = Store::open(path)?;
    store.compact()?;
    store.merge_batch(&[change(&Position::hirate(), 5_001)]).map(drop)
}
