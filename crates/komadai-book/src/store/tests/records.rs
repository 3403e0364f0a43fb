//! The positions of a store, one at a time.

use super::changes::Changes;
use crate::store::Store;
use crate::stored_record::StoredRecord;

#[test]
fn they_are_those_of_the_view_when_it_was_asked() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(folder.path().join("a.kbook")).unwrap();
    let mut changes = Changes::new(3, 40);
    for _ in 0..40 {
        store.merge_batch(&[changes.analysis().into()]).unwrap();
    }
    let expected: Vec<StoredRecord> = store.records().unwrap().map(Result::unwrap).collect();
    let records = store.records().unwrap();
    store.add_games(&komadai_core::Position::hirate(), "1g1f".parse().unwrap(), 9).unwrap();
    let read: Vec<StoredRecord> = records.map(Result::unwrap).collect();
    assert!(read.len() > 5);
    assert_eq!(read, expected);
}
