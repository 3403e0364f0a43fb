//! Damaged files of every binary format: errors or counted faults, never a panic.

use std::io::Cursor;

use komadai_bookfile::Tolerance;
use komadai_bookfile::apery::{AperyBook, Follow};
use komadai_bookfile::sbk::SbkReader;
use komadai_bookfile::ybb::{YbbProbe, YbbReader};
use komadai_bookfile::{BookError, BookProbe, DbProbe, FaultPlace, PlyMatch};
use komadai_core::Position;
use komadai_testdata::books::{shogihome, yuuki};
use proptest::prelude::*;

const SAMPLES: [&[u8]; 6] = [
    shogihome::YANEURAOU_YBB,
    shogihome::APERY_BIN,
    yuuki::APERY_BIN,
    shogihome::SHOGIGUI01_SBK,
    yuuki::SHOGIGUI_SBK,
    yuuki::YANEURAOU_DB.as_bytes(),
];

/// Reads the bytes as each of the formats. Returns the total number of positions found.
fn read_as_all(bytes: &[u8]) -> usize {
    let mut positions = 0;
    for tolerance in [Tolerance::Strict, Tolerance::Lenient] {
        let mut check = |record: Result<komadai_bookfile::BookRecord, BookError>| match record {
            Ok(record) => {
                positions += 1;
                // No format can state more moves than it has bytes.
                assert!(record.moves.len() <= bytes.len());
            }
            Err(error) => {
                assert!(error.to_string().len() < 300, "{error}");
                assert!(
                    error
                        .place()
                        .and_then(FaultPlace::at)
                        .is_none_or(|at| at <= bytes.len() as u64),
                    "{error}"
                );
            }
        };
        match YbbReader::new(Cursor::new(bytes), tolerance) {
            Ok(reader) => reader.for_each(&mut check),
            Err(error) => check(Err(error)),
        }
        match AperyBook::new(bytes, tolerance) {
            Ok(book) => book.into_walk([Position::hirate()], Follow::Listed).for_each(&mut check),
            Err(error) => check(Err(error)),
        }
        match SbkReader::new(bytes, tolerance) {
            Ok(reader) => reader.for_each(&mut check),
            Err(error) => check(Err(error)),
        }
        probe_as_all(bytes, tolerance);
    }
    positions
}

/// Searches positions in the bytes as in each of the formats.
fn probe_as_all(bytes: &[u8], tolerance: Tolerance) {
    let mut books: Vec<Box<dyn BookProbe>> = Vec::new();
    let owned = bytes.to_vec();
    if let Ok(book) = YbbProbe::new(owned.clone(), tolerance) {
        books.push(Box::new(book));
    }
    if let Ok(book) = AperyBook::new(owned.clone(), tolerance) {
        books.push(Box::new(book));
    }
    if let Ok(book) = DbProbe::new(owned, PlyMatch::Compared, tolerance) {
        books.push(Box::new(book));
    }
    let start = Position::hirate();
    for m in ["7g7f", "2g2f", "5g5f"] {
        let position = start.after(m.parse().expect("a move"));
        for book in &books {
            for position in [&start, &position] {
                // Both an error and a record are allowed, but no panic.
                let _ = book.probe(position);
            }
        }
    }
}

#[test]
fn every_cut_of_every_sample_is_survived() {
    for sample in SAMPLES {
        for len in 0..sample.len() {
            read_as_all(&sample[..len]);
        }
        assert!(read_as_all(sample) > 0 || sample.starts_with("\u{feff}".as_bytes()));
    }
}

#[test]
fn every_flipped_bit_of_the_small_samples_is_survived() {
    for sample in [shogihome::YANEURAOU_YBB, shogihome::APERY_BIN, yuuki::SHOGIGUI_SBK] {
        let mut bytes = sample.to_vec();
        for at in 0..bytes.len() {
            for bit in 0..8 {
                bytes[at] ^= 1 << bit;
                if sample.len() < 1000 || (at + bit) % 7 == 0 {
                    read_as_all(&bytes);
                }
                bytes[at] ^= 1 << bit;
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn damaged_books_are_survived(
        sample in 0..SAMPLES.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = SAMPLES[sample].to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        read_as_all(&bytes);
        bytes.truncate(cut.index(bytes.len()) + 1);
        read_as_all(&bytes);
    }

    #[test]
    fn arbitrary_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        read_as_all(&bytes);
        let with_header = |count: u8| {
            [&b"YANE-BINBOOK-V1\0"[..], &[count, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0], &bytes]
                .concat()
        };
        read_as_all(&with_header(1));
        read_as_all(&with_header((bytes.len() / 44) as u8));
    }
}
