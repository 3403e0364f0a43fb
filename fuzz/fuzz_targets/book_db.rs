//! Any text is read as a `.db` book by a lenient reader, the records are written, and a strict
//! reader finds the same records. Reading in batches gives the same as reading line by line.

#![no_main]

use komadai_bookfile::BookRecord;
use komadai_bookfile::db::{DbBatches, DbReader, DbWriter};
use komadai_kifu::Tolerance;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut reader = DbReader::new(bytes, Tolerance::Lenient);
    let records: Vec<BookRecord> =
        reader.by_ref().map(|record| record.expect("a text in memory does not fail")).collect();

    let mut batches = DbBatches::new(bytes, Tolerance::Lenient);
    let batched: Vec<BookRecord> = batches
        .by_ref()
        .flat_map(|batch| batch.expect("a text in memory does not fail").records)
        .collect();
    assert_eq!(batched, records);
    assert_eq!(batches.skipped().count(), reader.skipped().count());

    let mut writer =
        DbWriter::with_count(Vec::new(), records.len() as u64).expect("memory does not fail");
    records.iter().for_each(|record| writer.write(record).expect("memory does not fail"));
    let (text, lost) = writer.finish().expect("as many were written as announced");
    assert!(lost.is_empty(), "{lost}");
    let again: Result<Vec<_>, _> = DbReader::new(&text[..], Tolerance::Strict).collect();
    assert_eq!(again.expect("what was written is sound"), records);

    for record in DbReader::new(bytes, Tolerance::Strict) {
        if let Err(error) = record {
            assert!(error.to_string().len() < 500, "{error}");
        }
    }
});
