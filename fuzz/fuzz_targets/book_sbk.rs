//! Reading a ShogiGUI book does not panic; the records read are written and read as the same again.

#![no_main]

use std::collections::HashMap;

use komadai_bookfile::BookRecord;
use komadai_bookfile::sbk::{SbkReader, SbkWriter};
use komadai_kifu::Tolerance;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let lenient = SbkReader::new(bytes, Tolerance::Lenient).expect("a lenient reader skips every fault");
    assert!(lenient.states() * 2 <= bytes.len());
    assert!(lenient.count() <= bytes.len());
    let Ok(reader) = SbkReader::new(bytes, Tolerance::Strict) else { return };
    let (author, description) = (reader.author().to_owned(), reader.description().to_owned());
    let Ok(records) = reader.collect::<Result<Vec<_>, _>>() else { return };
    let mut writer = SbkWriter::new(author, description);
    for record in &records {
        writer.push(record).expect("a temporary file is writable");
    }
    let mut file = Vec::new();
    let lost = writer.finish(&mut file).expect("memory takes everything");
    let again = SbkReader::new(file, Tolerance::Strict).expect("as written");
    let again: Vec<_> = again.collect::<Result<_, _>>().expect("as written");
    // Two states may have one position; the first is kept.
    assert_eq!(again.len() as u64 + lost.positions, records.len() as u64);
    let mut first: HashMap<_, &BookRecord> = HashMap::new();
    for record in &records {
        let position = &record.position;
        first.entry((position.board_key(), position.hand_key())).or_insert(record);
    }
    for record in &again {
        let position = &record.position;
        let before = first[&(position.board_key(), position.hand_key())];
        assert_eq!(record.position, before.position);
        assert_eq!(record.evals, before.evals);
        assert_eq!(record.results, before.results);
        let moves = |record: &BookRecord| -> Vec<_> {
            record.moves.iter().map(|m| (m.m, m.mark, m.count.unwrap_or(1))).collect()
        };
        assert_eq!(moves(record), moves(before));
    }
});
