//! Training records of both formats: sound ones are written and read as the same, and convert to
//! the other format; every other record of a file is counted as damaged.

#![no_main]

use komadai_core::{Hcp, PackedError, PackedSfen};
use komadai_kifu::Tolerance;
use komadai_data::records::{
    Hcpe, PackedSfenValue, RecordCheck, TrainingReader, TrainingRecord, TrainingWriter,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: &[u8]| {
    for record in sound::<PackedSfenValue>(file) {
        let position = record.check().expect("the reader has checked it");
        // The bytes may differ: a reader accepts the pieces in hand in any order.
        match PackedSfen::of(&position) {
            Ok(packed) => assert_eq!(packed.position_at(record.ply.into()).as_ref(), Ok(&position)),
            Err(error) => assert_eq!(error, PackedError::LastBitLost),
        }
        match record.to_hcpe() {
            Ok(hcpe) => assert!(hcpe.check().is_ok_and(|read| read.same_placement(&position))),
            Err(error) => assert_eq!(error, PackedError::LastBitLost),
        }
    }
    for record in sound::<Hcpe>(file) {
        let position = record.check().expect("the reader has checked it");
        match Hcp::of(&position) {
            Ok(packed) => assert_eq!(packed.position().as_ref(), Ok(&position)),
            Err(error) => assert_eq!(error, PackedError::LastBitLost),
        }
        match record.to_psv(1) {
            Ok(psv) => assert_eq!(psv.check(), Ok(position)),
            // With one king, the bit that is lost may be needed in one format only.
            Err(error) => assert_eq!(error, PackedError::LastBitLost),
        }
    }
});

/// The sound records of a file; none if it is of another format.
fn sound<T: TrainingRecord + PartialEq + std::fmt::Debug>(file: &[u8]) -> Vec<T> {
    let mut reader =
        TrainingReader::<_, T>::new(file, Tolerance::Lenient).checking(RecordCheck::Legality);
    let Ok(records) = reader.by_ref().collect::<Result<Vec<T>, _>>() else { return Vec::new() };
    let bytes = T::FORMAT.record_bytes().expect("records of one length");
    assert_eq!(reader.number(), file.len().div_ceil(bytes) as u64);
    assert_eq!(records.len() as u64 + reader.skipped().count(), reader.number());

    let mut writer = TrainingWriter::new(Vec::new());
    records.iter().for_each(|record| writer.write(record).expect("memory takes everything"));
    let written = writer.finish().expect("memory takes everything");
    let again = TrainingReader::<_, T>::new(&written[..], Tolerance::Strict);
    assert_eq!(again.map(|record| record.expect("as written")).collect::<Vec<T>>(), records);
    records
}
