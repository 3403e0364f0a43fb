//! Comparison of batches with the reader that reads line by line.

use std::io::{self, Read};

use komadai_testdata::books::{synthetic, yuuki};
use proptest::prelude::*;

use super::*;
use crate::db::DbReader;
use crate::line_numbers::LineNumbers;

/// All results of a reading, faults as text.
#[derive(Debug, PartialEq)]
struct Seen {
    records: Vec<(u64, BookRecord)>,
    fault: Option<String>,
    skipped: (u64, Vec<String>),
    clamped: LineNumbers,
    header: DbHeader,
}

fn skipped(skipped: &Skipped<BookError>) -> (u64, Vec<String>) {
    (skipped.count(), skipped.first().iter().map(ToString::to_string).collect())
}

fn line_by_line(source: impl Read, tolerance: Tolerance) -> Seen {
    let mut reader = DbReader::new(io::BufReader::new(source), tolerance);
    let (mut records, mut fault) = (Vec::new(), None);
    while let Some(read) = reader.next() {
        match read {
            Ok(record) => records.push((reader.line(), record)),
            Err(error) => fault = Some(error.to_string()),
        }
    }
    let skipped = skipped(reader.skipped());
    Seen {
        records,
        fault,
        skipped,
        clamped: reader.clamped_numbers().clone(),
        header: reader.header().clone(),
    }
}

fn in_batches(source: impl Read, tolerance: Tolerance, block_bytes: usize) -> Seen {
    let mut batches = DbBatches::with_block_bytes(source, tolerance, block_bytes, |batch| batch);
    let (mut records, mut fault) = (Vec::new(), None);
    for batch in batches.by_ref() {
        match batch {
            Ok(batch) => {
                assert!(!batch.records.is_empty());
                records.extend(batch);
            }
            Err(error) => fault = Some(error.to_string()),
        }
    }
    assert!(batches.next().is_none());
    let skipped = skipped(batches.skipped());
    Seen {
        records,
        fault,
        skipped,
        clamped: batches.findings.clamped.clone(),
        header: batches.header().clone(),
    }
}

/// A longer text of the same book: blocks have at least as many bytes as the longest line, so small
/// books must be stretched to have several.
fn stretched(text: &str) -> Vec<u8> {
    let filler = format!("#{}\n", "x".repeat(9_000));
    let mut lines = String::new();
    for (number, line) in text.lines().enumerate() {
        lines += line;
        lines += if number % 3 == 0 { "\r\n" } else { "\n" };
        if number % 5 == 1 {
            lines += &filler;
        }
    }
    lines.into_bytes()
}

#[test]
fn whole_books_are_read_the_same() {
    for fixture in synthetic::books() {
        for text in [fixture.input.as_bytes().to_vec(), stretched(fixture.input)] {
            for tolerance in [Tolerance::Strict, Tolerance::Lenient] {
                let expected = line_by_line(&text[..], tolerance);
                assert_eq!(expected.records.len(), fixture.positions);
                assert_eq!(in_batches(&text[..], tolerance, 1), expected);
                assert_eq!(in_batches(&text[..], tolerance, BLOCK_BYTES), expected);
            }
        }
    }
}

#[test]
fn a_pool_of_one_thread_does_not_wait_for_itself() {
    let text = stretched(yuuki::YANEURAOU_DB);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let seen = pool.install(|| in_batches(&text[..], Tolerance::Strict, 1));
    assert_eq!(seen, line_by_line(&text[..], Tolerance::Strict));
    assert_eq!(seen.records.len(), 73);
}

#[test]
fn a_reading_may_be_given_up() {
    let text = stretched(synthetic::books().next().unwrap().input).repeat(20);
    for taken in 0..3 {
        let batches = DbBatches::with_block_bytes(&text[..], Tolerance::Lenient, 1, |batch| batch);
        assert_eq!(batches.take(taken).filter(Result::is_ok).count(), taken);
    }
}

#[test]
fn work_that_panics_does_so_where_its_result_is_awaited() {
    let text = synthetic::books().next().unwrap().input;
    let work = |_: DbBatch| panic!("no");
    let mut batches = DbBatches::<_, ()>::with_work(text.as_bytes(), Tolerance::Strict, work);
    let next = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| batches.next()));
    assert_eq!(next.unwrap_err().downcast_ref(), Some(&"no"));
}

/// A source that repeats `pattern`, with or without an error at its end.
struct Cycle {
    pattern: &'static [u8],
    at: usize,
    left: usize,
    fails: bool,
}

impl Read for Cycle {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 && self.fails {
            return Err(io::Error::other("the disk is gone"));
        }
        let length = buffer.len().min(self.left).min(4_097);
        let mut rest = &mut buffer[..length];
        while !rest.is_empty() {
            let copied = (&self.pattern[self.at..]).read(rest)?;
            self.at = (self.at + copied) % self.pattern.len();
            rest = &mut rest[copied..];
        }
        self.left -= length;
        Ok(length)
    }
}

const START: &[u8] =
    b"sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -\r\n7g7f\n7g7f\n#x\n1";

#[test]
fn strange_sources_are_read_the_same() {
    let patterns: [&'static [u8]; 8] =
        [START, b"garbage\n", b"garbage", b"sfen ", b"a\r", b"\r\n", b"sfen x\n7g7f\n", b"\xff\n"];
    for pattern in patterns {
        for fails in [false, true] {
            for left in [0, 1, 65_535, 65_536, 65_537, 131_073, 300_000] {
                for tolerance in [Tolerance::Strict, Tolerance::Lenient] {
                    let source = || Cycle { pattern, at: 0, left, fails };
                    let expected = line_by_line(source(), tolerance);
                    let seen = in_batches(source(), tolerance, 1);
                    assert_eq!(seen, expected, "{pattern:?} {left} {fails} {tolerance:?}");
                }
            }
        }
    }
}

/// Lines at and around the limit, with every line end, and records before and after.
#[test]
fn long_lines_are_refused_alike() {
    let start = String::from_utf8(START.to_vec()).unwrap();
    for length in [65_534_usize, 65_535, 65_536, 65_537, 140_000] {
        for end in ["\n", "\r\n", "\r", "\r\r\n"] {
            let long = "#".repeat(length);
            let text = format!("{start}{end}{long}{end}{start}\n{long}{end}{long}");
            for tolerance in [Tolerance::Strict, Tolerance::Lenient] {
                let expected = line_by_line(text.as_bytes(), tolerance);
                let seen = in_batches(text.as_bytes(), tolerance, 1);
                assert_eq!(seen, expected, "{length} {end:?} {tolerance:?}");
            }
        }
    }
}

#[test]
fn a_gigabyte_without_a_line_end_is_one_fault() {
    let source = Cycle { pattern: b"sfen ", at: 0, left: 1 << 30, fails: false };
    let mut batches = DbBatches::new(source, Tolerance::Lenient);
    assert!(batches.next().is_none());
    assert_eq!(batches.skipped().count(), 1);
    assert!(matches!(batches.skipped().first(), [BookError::LineTooLong { line: 1, .. }]));
    assert!(batches.blocks.capacity() < 4 * BLOCK_BYTES);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn damaged_books_are_read_the_same(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12),
        line_ends in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        strict in any::<bool>(),
    ) {
        let mut text = stretched(yuuki::YANEURAOU_DB);
        for (at, byte) in changes {
            let at = at.index(text.len());
            text[at] = byte;
        }
        for at in line_ends {
            let at = at.index(text.len());
            text[at] = b'\r';
        }
        let tolerance = if strict { Tolerance::Strict } else { Tolerance::Lenient };
        prop_assert_eq!(in_batches(&text[..], tolerance, 1), line_by_line(&text[..], tolerance));
    }
}
