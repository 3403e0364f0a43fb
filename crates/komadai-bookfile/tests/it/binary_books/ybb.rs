//! `.ybb` books: exact bytes, a sample of another program, and random records written and read
//! again.

use std::io::Cursor;

use komadai_bookfile::Tolerance;
use komadai_bookfile::ybb::{UnknownValues, YbbDepths, YbbProbe, YbbReader, YbbWriter};
use komadai_bookfile::{BookError, BookProbe, BookRecord, ConversionLoss, FaultPlace, RecordMove};
use komadai_core::{PackedSfen, Position, Score};
use komadai_testdata::books::shogihome;
use proptest::prelude::*;

use super::random_records::{Random, count};

fn write(writer: YbbWriter, records: &[BookRecord]) -> (Vec<u8>, ConversionLoss) {
    let mut writer = writer;
    for record in records.iter() {
        writer.push(record).expect("memory takes everything");
    }
    let mut file = Vec::new();
    let lost = writer.finish(&mut file).expect("memory takes everything");
    (file, lost)
}

fn read(file: &[u8]) -> Vec<BookRecord> {
    let reader = YbbReader::new(Cursor::new(file), Tolerance::Strict).expect("a header");
    reader.collect::<Result<_, _>>().expect("no fault")
}

#[test]
fn the_sample_is_read_and_written_as_the_same_bytes() {
    let records = read(shogihome::YANEURAOU_YBB);
    assert_eq!(records.len(), 5);
    let start = records.iter().find(|record| record.position == Position::hirate());
    let start = start.expect("the start position");
    let listed: Vec<_> = start
        .moves
        .iter()
        .map(|listed| (listed.m.to_string(), listed.score.map(Score::raw), listed.depth))
        .collect();
    let expected = [
        ("2g2f", 63, 27),
        ("7g7f", 20, 25),
        ("5g5f", -32, 23),
        ("2h7h", -55, 22),
        ("3g3f", -74, 18),
    ];
    let expected = expected.map(|(m, value, depth)| (m.to_owned(), Some(value), Some(depth)));
    assert_eq!(listed, expected);
    let (again, lost) = write(YbbWriter::default(), &records);
    assert_eq!(again, shogihome::YANEURAOU_YBB);
    assert!(lost.is_empty());
    // In any other order as well.
    let reversed: Vec<_> = records.into_iter().rev().collect();
    assert_eq!(write(YbbWriter::default(), &reversed).0, shogihome::YANEURAOU_YBB);
}

#[test]
fn the_layout_is_that_of_the_format() {
    let mut start = BookRecord::new(Position::hirate());
    start.ply = Some(70_000);
    start.moves.push(RecordMove {
        score: Some(Score::cp(-2)),
        depth: Some(258),
        count: Some(9),
        ..RecordMove::new("7g7f".parse().expect("a move"))
    });
    start.moves.push(RecordMove::new("2g2f".parse().expect("a move")));
    let packed = PackedSfen::from_setup(&start.position.to_setup()).expect("it packs");

    let mut expected = b"YANE-BINBOOK-V1\0".to_vec();
    expected.extend([1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    expected.extend(packed.as_bytes());
    expected.extend([0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 2, 0]);
    // 7g is square 60, 7f 59; 2g 15, 2f 14.
    expected.extend((60_u16 << 7 | 59).to_le_bytes());
    expected.extend([0xfe, 0xff, 2, 1]);
    expected.extend((15_u16 << 7 | 14).to_le_bytes());
    expected.extend([0, 0, 0, 0]);
    let (file, lost) = write(YbbWriter::default(), std::slice::from_ref(&start));
    assert_eq!(file, expected);
    assert_eq!((lost.plies, lost.counts, lost.values), (1, 1, 1));

    let (file, lost) =
        write(YbbWriter::new(YbbDepths::Omit, UnknownValues::Marked), std::slice::from_ref(&start));
    assert_eq!(file[24..32], [0; 8]);
    assert_eq!(file[file.len() - 2..], i16::MAX.to_le_bytes());
    assert_eq!(file.len(), 32 + 44 + 8);
    assert_eq!((lost.depths, lost.values), (1, 0));
    let again = read(&file);
    assert_eq!(again[0].moves[1].score, None);
    assert_eq!(again[0].moves[0].depth, None);
}

#[test]
fn the_second_record_of_a_position_is_counted() {
    let start = BookRecord::new(Position::hirate());
    let (file, lost) = write(YbbWriter::default(), &[start.clone(), start]);
    assert_eq!(lost.positions, 1);
    assert_eq!(read(&file).len(), 1);
}

/// The record without the data that the format cannot hold, and the loss.
fn reduce(record: &BookRecord) -> BookRecord {
    let mut reduced = BookRecord::new(record.position.clone());
    reduced.ply = record.ply.map(|ply| ply.min(65_535));
    let mut setup = reduced.position.to_setup();
    setup.ply = reduced.ply.unwrap_or(1);
    reduced.position = Position::from_setup(&setup).expect("as before");
    reduced.moves = record
        .moves
        .iter()
        .map(|listed| RecordMove {
            score: Some(listed.score.unwrap_or(Score::ZERO)),
            depth: listed.depth,
            ..RecordMove::new(listed.m)
        })
        .collect();
    reduced
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn records_come_back_but_for_what_is_counted(seed in any::<u64>()) {
        let records = Random::new(seed).records();
        let (file, lost) = write(YbbWriter::default(), &records);
        let mut expected: Vec<_> = records.iter().map(reduce).collect();
        expected.sort_by_key(|record| {
            *PackedSfen::from_setup(&record.position.to_setup()).expect("it packs").as_bytes()
        });
        prop_assert_eq!(&read(&file), &expected);
        prop_assert_eq!(lost.ponders, count(&records, |listed| listed.ponder.is_some()));
        prop_assert_eq!(lost.counts, count(&records, |listed| listed.count.is_some()));
        prop_assert_eq!(lost.marks, count(&records, |listed| listed.mark.is_some()));
        prop_assert_eq!(lost.values, count(&records, |listed| listed.score.is_none()));
        let comments = records.iter().filter(|record| !record.comment.is_empty()).count() as u64;
        let of_moves = count(&records, |listed| !listed.comment.is_empty());
        prop_assert_eq!(lost.comments, comments + of_moves);
        let plies = records.iter().filter(|record| record.ply > Some(65_535)).count() as u64;
        prop_assert_eq!(lost.plies, plies);
        let results = records.iter().filter(|record| record.results.is_some()).count() as u64;
        prop_assert_eq!(lost.results, results);
        let evals: usize = records.iter().map(|record| record.evals.len()).sum();
        prop_assert_eq!(lost.evals, evals as u64);
        prop_assert_eq!((lost.depths, lost.moves, lost.positions), (0, 0, 0));

        // Every position of the book is found, and no other.
        let book = YbbProbe::new(&file[..], Tolerance::Strict).expect("a book");
        for record in &expected {
            let found = book.probe_same_orientation(&record.position).expect("no fault");
            prop_assert_eq!(found.as_ref(), Some(record));
            let turned = record.position.flipped();
            if !expected.iter().any(|other| other.position.key() == turned.key()) {
                prop_assert!(book.probe_same_orientation(&turned).expect("no fault").is_none());
                let found = book.probe(&turned).expect("no fault").expect("turned");
                prop_assert_eq!(found, record.clone().flipped());
            }
        }
        // With a mark for unknown values, no value is lost.
        let (file, lost) = write(YbbWriter::new(YbbDepths::Write, UnknownValues::Marked), &records);
        prop_assert_eq!(lost.values, 0);
        for (record, original) in read(&file).iter().map(|again| {
            (again, records.iter().find(|r| r.position.key() == again.position.key()).expect("there"))
        }) {
            for (a, b) in record.moves.iter().zip(&original.moves) {
                prop_assert_eq!((a.m, a.score, a.depth), (b.m, b.score, b.depth));
            }
        }
    }
}

#[test]
fn headers_that_cannot_be_believed_are_refused() {
    let refusal = |file: &[u8]| {
        let lenient = YbbReader::new(Cursor::new(file), Tolerance::Lenient).map(|_| ());
        let strict = YbbReader::new(Cursor::new(file), Tolerance::Strict).map(|_| ());
        let probe = YbbProbe::new(file, Tolerance::Lenient).map(|_| ());
        let messages = [lenient, strict, probe].map(|result| result.unwrap_err().to_string());
        assert!(messages.iter().all(|message| *message == messages[0]), "{messages:?}");
        messages[0].clone()
    };
    let sample = shogihome::YANEURAOU_YBB;
    assert_eq!(
        refusal(b"#YANEURAOU-DB2016 1.00\n"),
        "byte 0: found \"#YANEURAOU-DB201\", expected `YANE-BINBOOK-V1` and a zero",
    );
    assert_eq!(refusal(&sample[..20]), "byte 20: the file ends here, within the header");
    let mut file = sample.to_vec();
    file[24] = 3;
    assert_eq!(refusal(&file), "flags 0x3, expected 0, or 1 for moves with a depth");
    let mut file = sample.to_vec();
    file[23] = 0x10;
    assert_eq!(
        refusal(&file),
        "the book announces 1152921504606846981 positions, but the file holds at most 7",
    );
}

/// The faults of a file that a lenient reader counts, and the number of positions that it reads.
fn rescued(file: &[u8]) -> (usize, Vec<String>) {
    let mut reader = YbbReader::new(Cursor::new(file), Tolerance::Lenient).expect("a header");
    let read = reader.by_ref().filter(Result::is_ok).count();
    (read, reader.skipped().first().iter().map(ToString::to_string).collect())
}

#[test]
fn faults_are_named_with_their_place_and_passed_over() {
    let sample = shogihome::YANEURAOU_YBB;
    let with = |at: usize, bytes: &[u8]| {
        let mut file = sample.to_vec();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        file
    };
    let moves = 32 + 5 * 44;
    // Pieces in hand in another order than the packer's.
    let packed_otherwise = with(62, &[0x02]);
    let swapped = [&sample[..32], &sample[76..120], &sample[32..76], &sample[120..]].concat();
    for (file, fault, left) in [
        (with(32, &[0xff; 32]), "record 1, byte 32: ", 4),
        (with(64, &[0x68]), "record 1, byte 32: moves from byte 104 to 122 of 108", 4),
        (with(71, &[0xff]), "record 1, byte 32: moves from byte 18374686479671623680 to", 4),
        (with(76 + 32, &[6]), "record 2, byte 76: the moves belong to another record as well", 4),
        (with(74, &[0xff, 0xff]), "record 1, byte 32: more than 600 moves", 4),
        (with(moves, &[0, 0]), "record 1, byte 252: 0x0000 is not a move", 5),
        (with(moves, &[0x0e, 0x09]), "record 1, byte 252: 3a2f is illegal: ", 5),
        (with(moves, &sample[moves + 6..moves + 8]), "record 1, byte 258: 3g3f is listed for", 5),
        (packed_otherwise, "record 1, byte 32: the position is not packed in the canonical way", 5),
        (swapped, "record 2, byte 76: the record does not sort after the record before it", 5),
    ] {
        let strict: Result<Vec<_>, _> =
            YbbReader::new(Cursor::new(&file), Tolerance::Strict).expect("a header").collect();
        let error = strict.expect_err(fault);
        assert!(error.to_string().starts_with(fault), "{error}, expected {fault}");
        assert!(
            error.place().and_then(FaultPlace::record).is_some()
                && error.place().and_then(FaultPlace::at).is_some()
        );
        let (read, faults) = rescued(&file);
        assert_eq!(read, left, "{faults:?}");
        assert!(faults[0].starts_with(fault), "{faults:?}");
    }
    let mut unsorted = sample.to_vec();
    unsorted[32..120].rotate_left(44);
    let error = YbbProbe::new(unsorted, Tolerance::Lenient).map(|_| ()).unwrap_err();
    assert!(
        matches!(error, BookError::Unsorted { place: FaultPlace::Record { record: 2, at: 76 } }),
        "{error}"
    );
}

#[test]
fn every_cut_of_the_sample_is_a_typed_error() {
    let sample = shogihome::YANEURAOU_YBB;
    for len in 0..sample.len() {
        let file = &sample[..len];
        let strict = YbbReader::new(Cursor::new(file), Tolerance::Strict);
        let all = strict.and_then(|reader| reader.collect::<Result<Vec<_>, _>>());
        assert!(all.is_err(), "cut at {len}");
        if len >= 32 + 5 * 44 {
            let (read, faults) = rescued(file);
            // The positions before the cut are read.
            let whole = (len - 252) / 6;
            let ends = [3, 8, 11, 14, 18];
            assert_eq!(read, ends.iter().filter(|&&end| end <= whole).count(), "{faults:?}");
            assert_eq!(read + faults.len(), 5);
        }
    }
}

#[test]
fn bytes_without_an_owner_are_counted() {
    let mut file = shogihome::YANEURAOU_YBB.to_vec();
    file.extend([7; 5]);
    let mut reader = YbbReader::new(Cursor::new(file), Tolerance::Strict).expect("a header");
    assert_eq!(reader.by_ref().filter(Result::is_ok).count(), 5);
    assert_eq!(reader.unused_bytes(), 5);
}
