//! Conversion from `.db` into each binary format and back: the differences are exactly the losses
//! that the writers report.

use std::collections::HashMap;
use std::io::Cursor;

use komadai_bookfile::Tolerance;
use komadai_bookfile::apery::{AperyBook, AperyWriter, Follow};
use komadai_bookfile::db::{DbReader, DbWriter};
use komadai_bookfile::sbk::{SbkReader, SbkWriter};
use komadai_bookfile::ybb::{UnknownValues, YbbDepths, YbbReader, YbbWriter};
use komadai_bookfile::{BookRecord, ConversionLoss, RecordMove};
use komadai_core::{Position, Score};
use komadai_testdata::books::{shogihome, shogihome_db, synthetic, yuuki};

fn read_db(text: &[u8]) -> Vec<BookRecord> {
    let reader = DbReader::new(text, Tolerance::Strict);
    reader.collect::<Result<_, _>>().expect("no fault")
}

/// Writes the records as text and reads them again.
fn through_db(records: &[BookRecord]) -> Vec<BookRecord> {
    let mut writer = DbWriter::new(Vec::new()).expect("memory takes everything");
    for record in records {
        writer.write(record).expect("memory takes everything");
    }
    read_db(&writer.finish().expect("memory takes everything").0)
}

fn through_ybb(writer: YbbWriter, records: &[BookRecord]) -> (Vec<BookRecord>, ConversionLoss) {
    let mut writer = writer;
    for record in records.iter() {
        writer.push(record).expect("memory takes everything");
    }
    let mut file = Vec::new();
    let lost = writer.finish(&mut file).expect("memory takes everything");
    let reader = YbbReader::new(Cursor::new(file), Tolerance::Strict).expect("a header");
    (reader.collect::<Result<_, _>>().expect("no fault"), lost)
}

fn through_apery(records: &[BookRecord]) -> (Vec<BookRecord>, ConversionLoss) {
    let mut writer = AperyWriter::default();
    for record in records.iter() {
        writer.push(record).expect("memory takes everything");
    }
    let mut file = Vec::new();
    let lost = writer.finish(&mut file).expect("memory takes everything");
    let book = AperyBook::new(file, Tolerance::Strict).expect("a book");
    // Not all books contain the start position, so all positions are roots here.
    let roots: Vec<_> = records.iter().map(|record| record.position.clone()).collect();
    let mut walk = book.into_walk(roots, Follow::Listed);
    let found = walk.by_ref().collect::<Result<_, _>>().expect("no fault");
    assert_eq!(walk.unreached(), 0);
    (found, lost)
}

fn through_sbk(records: &[BookRecord]) -> (Vec<BookRecord>, ConversionLoss) {
    let mut writer = SbkWriter::default();
    for record in records.iter() {
        writer.push(record).expect("memory takes everything");
    }
    let mut file = Vec::new();
    let lost = writer.finish(&mut file).expect("memory takes everything");
    let mut reader = SbkReader::new(file, Tolerance::Strict).expect("states");
    let found = reader.by_ref().collect::<Result<_, _>>().expect("no fault");
    assert_eq!(reader.unreached(), 0);
    (found, lost)
}

/// Counts the items of the records before that are missing or different after, kind by kind.
fn difference(before: &[BookRecord], after: &[BookRecord]) -> ConversionLoss {
    let by_key: HashMap<u64, &BookRecord> =
        after.iter().map(|record| (record.position.key(), record)).collect();
    assert_eq!(by_key.len(), after.len());
    let mut lost = ConversionLoss::default();
    for record in before {
        let Some(found) = by_key.get(&record.position.key()) else {
            lost.positions += 1;
            continue;
        };
        lost.plies += u64::from(record.ply != found.ply);
        lost.comments += u64::from(record.comment != found.comment);
        lost.results += u64::from(record.results != found.results);
        assert_eq!(record.moves.len(), found.moves.len());
        for (a, b) in record.moves.iter().zip(&found.moves) {
            assert_eq!(a.m, b.m);
            lost += difference_of_moves(a, b);
        }
    }
    lost
}

fn difference_of_moves(a: &RecordMove, b: &RecordMove) -> ConversionLoss {
    let mut lost = ConversionLoss::default();
    lost.ponders += u64::from(a.ponder != b.ponder);
    // Depth 0 is equivalent to no depth, and one game to no count.
    lost.depths += u64::from(a.depth.unwrap_or(0) != b.depth.unwrap_or(0));
    lost.counts += u64::from(a.count.unwrap_or(1) != b.count.unwrap_or(1));
    lost.comments += u64::from(a.comment != b.comment);
    lost.marks += u64::from(a.mark != b.mark);
    lost.values += u64::from(a.score != b.score);
    lost
}

#[test]
fn what_differs_after_a_conversion_is_what_is_said_to_be_lost() {
    let mut books: Vec<Vec<BookRecord>> =
        vec![read_db(yuuki::YANEURAOU_DB.as_bytes()), read_db(shogihome_db::PLAIN)];
    books.extend(synthetic::books().map(|book| read_db(book.solved.as_bytes())));
    for records in &books {
        let results = [
            through_ybb(YbbWriter::default(), records),
            through_ybb(YbbWriter::new(YbbDepths::Write, UnknownValues::Marked), records),
            through_ybb(YbbWriter::new(YbbDepths::Omit, UnknownValues::Zero), records),
            through_apery(records),
            through_sbk(records),
        ];
        for (index, (found, lost)) in results.into_iter().enumerate() {
            let mut differs = difference(records, &through_db(&found));
            if index < 3 {
                // These formats cannot distinguish a count of one from no count.
                let ones = records.iter().flat_map(|record| &record.moves);
                differs.counts += ones.filter(|listed| listed.count == Some(1)).count() as u64;
            }
            assert_eq!(differs, lost, "conversion {index}");
        }
    }
}

#[test]
fn the_binary_sample_is_the_text_sample() {
    let text = read_db(shogihome_db::PLAIN);
    let reader = YbbReader::new(Cursor::new(shogihome::YANEURAOU_YBB), Tolerance::Strict);
    let binary: Vec<_> = reader.expect("a header").collect::<Result<_, _>>().expect("no fault");
    // The text as bytes is the sample, byte for byte.
    let mut writer = YbbWriter::default();
    for record in &text {
        writer.push(record).expect("memory takes everything");
    }
    let mut file = Vec::new();
    let lost = writer.finish(&mut file).expect("memory takes everything");
    assert_eq!(file, shogihome::YANEURAOU_YBB);
    // And read: the same positions, moves, values and depths, but 0 for no value.
    for record in &text {
        let same = binary.iter().find(|other| other.position == record.position);
        let same = same.expect("it has the position");
        let moves = |record: &BookRecord| -> Vec<_> {
            let listed = record.moves.iter();
            listed.map(|m| (m.m, m.score.unwrap_or(Score::ZERO), m.depth)).collect()
        };
        assert_eq!(moves(record), moves(same));
    }
    let unknown = text.iter().flat_map(|record| &record.moves).filter(|m| m.score.is_none());
    assert_eq!(lost.values, unknown.count() as u64);
    assert_eq!(lost.ponders, 1);
    assert!(text.iter().any(|record| record.position == Position::hirate()));
}
