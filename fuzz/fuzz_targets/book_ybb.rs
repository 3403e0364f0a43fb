//! Reading a `.ybb` book does not panic; the records read are written and read as the same again,
//! and a search finds each of them.

#![no_main]

use std::io::Cursor;

use komadai_bookfile::{BookProbe, BookRecord};
use komadai_bookfile::ybb::{UnknownValues, YbbDepths, YbbProbe, YbbReader, YbbWriter};
use komadai_kifu::Tolerance;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(reader) = YbbReader::new(Cursor::new(bytes), Tolerance::Strict)
        && let Ok(records) = reader.collect::<Result<Vec<_>, _>>()
    {
        check(&records, bytes);
    }
    if let Ok(mut reader) = YbbReader::new(Cursor::new(bytes), Tolerance::Lenient) {
        let moves: usize = reader.by_ref().flatten().map(|record| record.moves.len()).sum();
        assert!(moves * 4 <= bytes.len(), "no byte is read as two moves");
    }
});

fn check(records: &[BookRecord], bytes: &[u8]) {
    let mut writer = YbbWriter::new(YbbDepths::Write, UnknownValues::Marked);
    for record in records {
        writer.push(record).expect("a temporary file is writable");
    }
    let mut file = Vec::new();
    let lost = writer.finish(&mut file).expect("memory takes everything");
    assert!(lost.is_empty(), "{lost}");
    let again = YbbReader::new(Cursor::new(file), Tolerance::Strict).expect("as written");
    let again: Vec<_> = again.collect::<Result<_, _>>().expect("as written");
    assert_eq!(again, records);
    let book = YbbProbe::new(bytes, Tolerance::Strict).expect("it is sorted");
    for record in records {
        let found = book.probe_same_orientation(&record.position).expect("it was read");
        assert_eq!(found.as_ref(), Some(record));
    }
}
