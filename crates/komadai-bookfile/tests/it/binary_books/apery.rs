//! Apery's `book.bin`.

use std::collections::HashSet;

use komadai_bookfile::Tolerance;
use komadai_bookfile::apery::{AperyBook, AperyWriter, Follow, apery_key};
use komadai_bookfile::{BookError, BookProbe, BookRecord, ConversionLoss, FaultPlace, RecordMove};
use komadai_core::{Position, Score, Setup};
use komadai_testdata::books::{shogihome, yuuki};
use proptest::prelude::*;

use super::random_records::{Random, count, sorted};

fn write(records: &[BookRecord]) -> (Vec<u8>, ConversionLoss) {
    let mut writer = AperyWriter::default();
    for record in records.iter() {
        writer.push(record).expect("memory takes everything");
    }
    let mut file = Vec::new();
    let lost = writer.finish(&mut file).expect("memory takes everything");
    (file, lost)
}

/// The records found, and the number of entries not reached.
fn walk(
    file: &[u8],
    roots: impl IntoIterator<Item = Position>,
    follow: Follow,
) -> (Vec<BookRecord>, u64) {
    let book = AperyBook::new(file, Tolerance::Strict).expect("a book");
    let mut walk = book.into_walk(roots, follow);
    let records = walk.by_ref().collect::<Result<_, _>>().expect("no fault");
    (records, walk.unreached())
}

#[test]
fn keys_are_those_of_other_programs() {
    // Computed by an independent implementation, which finds all positions of the samples.
    let position = |text: &str| Position::from_sfen(text).expect("a position");
    for (sfen, key) in [
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", 0xeebe_8ee7_e1ad_7e15),
        (
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2",
            0x3e7b_1f82_5672_20d5,
        ),
        (
            "lnsgk1snl/6gb1/p1ppppppp/9/7P1/1r7/P1PPPPP1P/1BG3SR1/LNS1KG1NL b Pp 11",
            0xe10b_4f6f_bb18_3d5b,
        ),
        (
            "lnsgkgsnl/7b1/p1ppppppp/7P1/9/1r7/P1PPPPP1P/1BG4R1/LNS1KGSNL w Pp 10",
            0x2b06_35ab_1cd2_6e62,
        ),
        ("8k/9/9/9/9/9/9/9/K3+R4 b RB2G2S2N2L9Pb2g2s2n2l9p 1", 0xd1d7_c42e_2a1c_d34b),
    ] {
        assert_eq!(apery_key(&position(sfen)), key, "{sfen}");
    }
}

#[test]
fn the_samples_are_reached_whole_and_written_as_the_same_bytes() {
    for (file, follow, positions) in [
        // Where this book branches, it does not list the moves that branch.
        (yuuki::APERY_BIN, Follow::Legal, 73),
        (shogihome::APERY_BIN, Follow::Listed, 19),
    ] {
        let (records, unreached) = walk(file, [Position::hirate()], follow);
        assert_eq!((records.len(), unreached), (positions, 0));
        let reversed: Vec<_> = records.into_iter().rev().collect();
        let (again, lost) = write(&reversed);
        assert_eq!(again, file);
        assert!(lost.is_empty(), "{lost}");
    }
}

/// The record without the data that the format cannot hold.
fn reduce(record: &BookRecord) -> BookRecord {
    let setup = Setup { ply: 1, ..record.position.to_setup() };
    let mut reduced = BookRecord::new(Position::from_setup(&setup).expect("as before"));
    reduced.ply = None;
    reduced.moves = record
        .moves
        .iter()
        .map(|listed| RecordMove {
            score: Some(listed.score.unwrap_or(Score::ZERO)),
            count: Some(listed.count.unwrap_or(1).min(65_535)),
            ..RecordMove::new(listed.m)
        })
        .collect();
    reduced
}

fn roots() -> impl Iterator<Item = Position> {
    let handicaps = komadai_core::Handicap::ALL.into_iter();
    handicaps.map(|handicap| Position::from_setup(&handicap.to_setup()).expect("a start"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn records_come_back_but_for_what_is_counted(seed in any::<u64>()) {
        let all = Random::new(seed).records();
        let mut keys = HashSet::new();
        let kept: Vec<_> =
            all.iter().filter(|record| keys.insert(apery_key(&record.position))).cloned().collect();
        let (file, lost) = write(&all);
        prop_assert_eq!(lost.positions, (all.len() - kept.len()) as u64);
        let expected: Vec<_> = kept.iter().map(reduce).collect();
        for follow in [Follow::Listed, Follow::Legal] {
            let (found, unreached) = walk(&file, roots(), follow);
            prop_assert_eq!(unreached, 0);
            prop_assert_eq!(sorted(found), sorted(expected.clone()));
        }
        prop_assert_eq!(lost.ponders, count(&kept, |listed| listed.ponder.is_some()));
        prop_assert_eq!(lost.depths, count(&kept, |listed| listed.depth.is_some()));
        prop_assert_eq!(lost.marks, count(&kept, |listed| listed.mark.is_some()));
        prop_assert_eq!(lost.values, count(&kept, |listed| listed.score.is_none()));
        prop_assert_eq!(lost.counts, count(&kept, |listed| listed.count > Some(65_535)));
        let plies = kept.iter().filter(|record| record.ply.is_some()).count() as u64;
        prop_assert_eq!(lost.plies, plies);

        let book = AperyBook::new(&file[..], Tolerance::Strict).expect("a book");
        prop_assert!(book.check_order().is_ok());
        for record in &expected {
            let found = book.probe_same_orientation(&record.position).expect("no fault");
            prop_assert_eq!(found.as_ref(), Some(record));
        }
    }
}

#[test]
fn positions_that_differ_in_the_opponents_hand_only_collide() {
    let position = |hands: &str| {
        let text = format!("4k4/9/9/9/9/9/9/9/4K4 b {hands} 1");
        Position::from_sfen(&text).expect("a position")
    };
    let record = |position: Position| {
        let mut record = BookRecord::new(position);
        record.moves.push(RecordMove::new("G*5h".parse().expect("a move")));
        record
    };
    let (first, second) = (record(position("Gp")), record(position("G2p")));
    assert_eq!(apery_key(&first.position), apery_key(&second.position));
    let (file, lost) = write(&[first.clone(), second, first]);
    assert_eq!((lost.positions, file.len()), (2, 16));
    // A position without moves has no entry.
    let empty = BookRecord::new(Position::hirate());
    assert_eq!(write(&[empty]).1.positions, 1);
}

#[test]
fn a_book_of_one_side_is_reached_over_the_other_sides_moves() {
    let after = |moves: &[&str]| {
        let moves = moves.iter().map(|m| m.parse().expect("a move"));
        moves.fold(Position::hirate(), |position, m| position.after(m))
    };
    let record = |before: &[&str], m: &str| {
        let mut record = BookRecord::new(after(before));
        record.moves.push(RecordMove::new(m.parse().expect("a move")));
        record
    };
    let black =
        [record(&[], "7g7f"), record(&["7g7f", "3c3d"], "2g2f"), record(&["7g7f", "8c8d"], "2g2f")];
    let white = [record(&["7g7f"], "3c3d"), record(&["2g2f"], "8c8d")];
    for (records, listed) in [(&black[..], 1), (&white[..], 0)] {
        let (file, _) = write(records);
        let (found, unreached) = walk(&file, [Position::hirate()], Follow::Listed);
        assert_eq!((found.len(), unreached), (listed, (records.len() - listed) as u64));
        let (found, unreached) = walk(&file, [Position::hirate()], Follow::Legal);
        assert_eq!((found.len(), unreached), (records.len(), 0));
    }
}

#[test]
fn faults_are_named_with_their_place_and_passed_over() {
    let sample = shogihome::APERY_BIN;
    let all = |file: &[u8], tolerance| -> Result<(usize, u64, u64), BookError> {
        let book = AperyBook::new(file, tolerance)?;
        let mut walk = book.into_walk([Position::hirate()], Follow::Listed);
        let moves = walk.by_ref().map(|record| record.map(|record| record.moves.len()));
        let moves = moves.sum::<Result<usize, _>>()?;
        Ok((moves, walk.skipped().count(), walk.unreached()))
    };
    assert_eq!(all(sample, Tolerance::Strict).expect("no fault"), (21, 0, 0));
    // The start position has the entry 18, 2g2f, at byte 272.
    for (bytes, message) in [
        ([0xff, 0xff], "record 18, byte 272: 0xffff is not a move"),
        ([0x0e, 0x08], "record 18, byte 272: 2h2f is illegal"),
    ] {
        let mut file = sample.to_vec();
        file[280..282].copy_from_slice(&bytes);
        let error = all(&file, Tolerance::Strict).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
        let (moves, skipped, unreached) = all(&file, Tolerance::Lenient).expect("it goes on");
        assert_eq!(skipped, 1, "{message}");
        assert!(moves as u64 + unreached == 20);
    }
    for cut in 0..sample.len() {
        let strict = all(&sample[..cut], Tolerance::Strict);
        assert_eq!(strict.is_ok(), cut % 16 == 0, "cut at {cut}");
        let lenient = all(&sample[..cut], Tolerance::Lenient).expect("it goes on");
        assert_eq!(lenient.1, u64::from(cut % 16 != 0));
    }
    let mut file = sample.to_vec();
    file.rotate_left(16);
    for tolerance in [Tolerance::Strict, Tolerance::Lenient] {
        let error = all(&file, tolerance).unwrap_err();
        assert!(
            matches!(
                error,
                BookError::NotApery { place: FaultPlace::Record { record: 21, at: 320 } }
            ),
            "{error}"
        );
    }
}
