//! A walk through an Apery book does not panic; the records found are written and found again.
//!
//! The bits of the first byte select the entries that get the key of the start position: random
//! bytes are not the key of any position.

#![no_main]

use komadai_bookfile::apery::{AperyBook, AperyWriter, Follow, apery_key};
use komadai_core::Position;
use komadai_kifu::Tolerance;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&choice, bytes)) = data.split_first() else { return };
    let mut bytes = bytes.to_vec();
    let start = Position::hirate();
    let key = apery_key(&start).to_le_bytes();
    for (entry, bit) in bytes.chunks_exact_mut(16).zip(0..8) {
        if choice >> bit & 1 != 0 {
            entry[..8].copy_from_slice(&key);
        }
    }
    let Ok(book) = AperyBook::new(&bytes[..], Tolerance::Lenient) else { return };
    let entries = book.entries();
    let mut walk = book.into_walk([start.clone()], Follow::Legal);
    let Ok(records) = walk.by_ref().collect::<Result<Vec<_>, _>>() else { return };
    let moves: u64 = records.iter().map(|record| record.moves.len() as u64).sum();
    assert!(moves <= entries - walk.unreached());

    let mut writer = AperyWriter::default();
    for record in &records {
        writer.push(record).expect("a temporary file is writable");
    }
    let mut file = Vec::new();
    let lost = writer.finish(&mut file).expect("memory takes everything");
    // A walk finds each key once; only a record without moves has no entry.
    let empty = records.iter().filter(|record| record.moves.is_empty()).count();
    assert_eq!(lost.positions, empty as u64);
    assert_eq!(file.len() as u64, moves * 16);
    let again = AperyBook::new(file, Tolerance::Strict).expect("as written");
    let again = again.into_walk([start], Follow::Legal);
    let found: u64 = again.map(|record| record.expect("as written").moves.len() as u64).sum();
    assert!(found <= moves);
});
