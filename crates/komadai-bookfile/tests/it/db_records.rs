//! `.db` books as records: the whole content of a file is read and written again.

use std::io::{BufReader, Read};

use komadai_bookfile::Tolerance;
use komadai_bookfile::db::{DbBatches, DbReader, DbWriter};
use komadai_bookfile::{BookError, BookRecord, MoveMark, RecordEval, RecordMove, RecordResults};
use komadai_core::{Position, Score};
use komadai_testdata::books::{shogihome_db, synthetic, yuuki};

use crate::random_records::{self, Numbers};
use proptest::prelude::*;

const START: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";
const HEADER: &str = "#YANEURAOU-DB2016 1.00\n";

fn read(text: impl AsRef<[u8]>, tolerance: Tolerance) -> Result<Vec<BookRecord>, BookError> {
    DbReader::new(text.as_ref(), tolerance).collect()
}

fn written(records: &[BookRecord]) -> String {
    let mut writer = DbWriter::with_count(Vec::new(), records.len() as u64).unwrap();
    records.iter().for_each(|record| writer.write(record).unwrap());
    assert_eq!(writer.written(), records.len() as u64);
    String::from_utf8(writer.finish().unwrap().0).unwrap()
}

/// The content of ShogiHome's file, written by hand.
fn shogihome() -> Vec<BookRecord> {
    let record = |sfen: &str, comment: &str, moves: Vec<RecordMove>| BookRecord {
        moves,
        comment: comment.to_owned(),
        ..BookRecord::new(Position::from_sfen(sfen).unwrap())
    };
    let counted =
        |m: &str, count| RecordMove { count: Some(count), ..RecordMove::new(m.parse().unwrap()) };
    let valued = |m: &str, ponder: Option<&str>, cp, depth, count, comment: &str| RecordMove {
        ponder: ponder.map(|ponder| ponder.parse().unwrap()),
        score: Some(Score::cp(cp)),
        depth: Some(depth),
        comment: comment.to_owned(),
        ..counted(m, count)
    };
    vec![
        record(
            "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL w - 1",
            "",
            vec![counted("2b8h+", 103), counted("4c4d", 3), counted("4a3b", 2)],
        ),
        record(
            "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/3P5/PPP1PPPPP/1BS4R1/LN1GKGSNL w - 1",
            "position comment 1\nposition comment 2",
            vec![counted("7a6b", 3), counted("8c8d", 1), counted("8b3b", 1), counted("3a4b", 1)],
        ),
        record(
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 1",
            "",
            vec![counted("8c8d", 400), counted("3c3d", 163), counted("4a3b", 1)],
        ),
        record(
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "",
            vec![
                valued(
                    "2g2f",
                    Some("3c3d"),
                    63,
                    27,
                    935,
                    "multi line comment 1\nmulti line comment 2",
                ),
                valued("7g7f", None, 20, 25, 6, "single line comment"),
                valued("5g5f", None, -32, 23, 3, ""),
                valued("2h7h", None, -55, 22, 1, ""),
                valued("3g3f", None, -74, 18, 1, ""),
            ],
        ),
        record(
            "lnsgkgsnl/1r7/p1ppp1bpp/1p3pp2/7P1/2P6/PP1PPPP1P/1B3S1R1/LNSGKG1NL b - 1",
            "",
            vec![counted("7i6h", 8), counted("3g3f", 1), counted("6i7h", 1)],
        ),
    ]
}

#[test]
fn every_variant_of_shogihomes_book_is_read() {
    let expected = shogihome();
    for text in [shogihome_db::PLAIN, shogihome_db::CRLF, shogihome_db::BOM_CRLF] {
        assert_eq!(read(text, Tolerance::Strict).unwrap(), expected);
    }
    for (text, found) in [
        (shogihome_db::NO_HEADER, "\"sfen\""),
        (shogihome_db::BOM_NO_HEADER, "\"sfen\""),
        (shogihome_db::INVALID_HEADER, "\"#YANEURAOU-DB2016\""),
    ] {
        let error = read(text, Tolerance::Strict).unwrap_err();
        let expected_header = "expected the header `#YANEURAOU-DB2016 1.00`";
        assert_eq!(
            error.to_string(),
            format!("line 1, column 1: found {found}, {expected_header}")
        );
        let mut reader = DbReader::new(text, Tolerance::Lenient);
        assert_eq!(reader.by_ref().collect::<Result<Vec<_>, _>>().unwrap(), expected);
        assert_eq!(reader.skipped().count(), 1);
    }
    assert_eq!(read(written(&expected), Tolerance::Strict).unwrap(), expected);
}

#[test]
fn lines_are_counted_and_the_header_kept() {
    let text = format!("{HEADER}# NOE:2,AUTHOR:nobody\n# about\n//this\n{START}\n7g7f\n{START}");
    let mut reader = DbReader::new(text.as_bytes(), Tolerance::Strict);
    assert_eq!(reader.line(), 0);
    let mut lines = Vec::new();
    while let Some(record) = reader.next() {
        record.unwrap();
        lines.push(reader.line());
    }
    assert_eq!(lines, [5, 8]);
    let header = reader.header().clone();
    assert_eq!((header.positions, header.more.as_str()), (Some(2), "AUTHOR:nobody"));
    assert_eq!(header.comment, " about\nthis");
    let mut writer = DbWriter::with_header(Vec::new(), &header).unwrap();
    let error = writer.write(&BookRecord::new(Position::hirate())).and_then(|()| writer.finish());
    assert_eq!(error.unwrap_err().to_string(), "2 positions were announced, 1 written");
    let mut again = DbWriter::with_header(Vec::new(), &header).unwrap();
    (0..2).for_each(|_| again.write(&BookRecord::new(Position::hirate())).unwrap());
    let text = again.finish().unwrap().0;
    let mut reader = DbReader::new(&text[..], Tolerance::Strict);
    assert_eq!(reader.by_ref().filter(Result::is_ok).count(), 2);
    assert_eq!(reader.header(), &header);
}

#[test]
fn comments_belong_to_what_they_follow() {
    let text = format!(
        "{HEADER}# before\n{START}#\n#two\n\n7g7f\n//  three \n2g2f none 1 2 3 four\n#\n#five\n\
         none\n#six\n7g7e\n#lost\n5g5f // seven\n"
    );
    let mut reader = DbReader::new(text.as_bytes(), Tolerance::Lenient);
    let record = reader.next().unwrap().unwrap();
    assert_eq!(record.comment, "\ntwo");
    let comments: Vec<_> = record.moves.iter().map(|m| m.comment.as_str()).collect();
    // A comment on an illegal move does not belong to the previous move.
    assert_eq!(comments, ["  three ", "four\n\nfive\nsix", " seven"]);
    assert!(reader.next().is_none());
    assert_eq!((reader.header().comment.as_str(), reader.skipped().count()), (" before", 2));
    assert_eq!(read(written(std::slice::from_ref(&record)), Tolerance::Strict).unwrap(), [record]);
}

#[test]
fn move_numbers_are_kept_as_they_are() {
    for ply in ["", " 0", " 1", " 300"] {
        let text = format!("{HEADER}sfen 4k4/9/9/9/9/9/9/9/4K4 b P2p{ply}\nP*5e\n");
        let [record] = &read(&text, Tolerance::Strict).unwrap()[..] else { panic!("{ply}") };
        assert_eq!(record.ply, ply.trim().parse().ok());
        assert_eq!(record.position.ply(), record.ply.unwrap_or(1).max(1));
        let expected = text.replace("P*5e", "P*5e none none none").replace(HEADER, "");
        assert!(written(std::slice::from_ref(record)).ends_with(&expected));
    }
}

#[test]
fn a_strict_reading_hands_out_what_stands_before_a_fault() {
    let text = format!("{HEADER}{START}7g7f\nsfen 9/9 b - 1\n");
    let mut reader = DbReader::new(text.as_bytes(), Tolerance::Strict);
    assert_eq!(reader.next().unwrap().unwrap().moves.len(), 1);
    assert!(
        matches!(reader.next(), Some(Err(BookError::Sfen { place, .. })) if place.line() == Some(4))
    );
    assert!(reader.next().is_none());
}

/// The moves of a position whose line is not UTF-8 are not added to the previous position.
#[test]
fn moves_of_an_unreadable_position_are_skipped() {
    let mut text = format!("{HEADER}{START}7g7f\n{START}2g2f\n{START}5g5f\n").into_bytes();
    let second = HEADER.len() + START.len() + 5;
    text[second + 20] = 0xff;
    let mut reader = DbReader::new(&text[..], Tolerance::Lenient);
    let moves: Vec<usize> = reader.by_ref().map(|record| record.unwrap().moves.len()).collect();
    assert_eq!((moves, reader.skipped().count()), (vec![1, 1], 2));
}

#[test]
fn numbers_out_of_range_are_cut_and_counted() {
    let text = format!(
        "{HEADER}{START}7g7f none -32768 65536\n2g2f none 32000 1 1\n1g1f none -32767\n\
         5g5f none 1 1 -1\n"
    );
    let mut reader = DbReader::new(text.as_bytes(), Tolerance::Strict);
    reader.next().unwrap().unwrap();
    assert_eq!(reader.clamped_numbers().first(), [3, 5, 6]);
}

/// A source of `start` and a number of bytes of `pattern`, repeated, which are not held in memory.
fn endless(start: &str, pattern: &[u8], bytes: u64) -> impl Read {
    struct Cycle(Vec<u8>, usize);
    impl Read for Cycle {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let length = (&self.0[self.1..]).read(buffer)?;
            self.1 = (self.1 + length) % self.0.len();
            Ok(length)
        }
    }
    std::io::Cursor::new(start.to_owned().into_bytes())
        .chain(Cycle(pattern.repeat(1 << 14), 0).take(bytes))
}

#[test]
fn a_line_of_a_gigabyte_is_one_fault() {
    let start = format!("{HEADER}{START}7g7f\n");
    let source = BufReader::with_capacity(1 << 16, endless(&start, b"2g2f 3c3d ", 1 << 30));
    let mut reader = DbReader::new(source, Tolerance::Lenient);
    assert_eq!(reader.next().unwrap().unwrap().moves.len(), 1);
    assert!(reader.next().is_none());
    let faults = reader.skipped();
    assert!(matches!(faults.first(), [BookError::LineTooLong { line: 4, limit: 65_536 }]));
}

#[test]
fn comments_without_end_are_one_fault_each() {
    let start = format!("{HEADER}{START}7g7f\n");
    let source = || endless(&start, b"#0123456789012345678901234567890\n", 33 << 20);
    let error = DbReader::new(BufReader::new(source()), Tolerance::Strict).next().unwrap();
    assert!(matches!(error, Err(BookError::CommentTooLong { line: 32_772, limit: 0x10_0000 })));
    let mut reader = DbReader::new(BufReader::new(source()), Tolerance::Lenient);
    let record = reader.next().unwrap().unwrap();
    assert_eq!(record.moves[0].comment.len(), (1 << 20) - 1);
    assert_eq!(reader.skipped().count(), 31 << 15);
    let mut batches = DbBatches::new(source(), Tolerance::Lenient);
    assert_eq!(batches.next().unwrap().unwrap().records, [record]);
}

#[test]
fn what_the_format_has_no_place_for_is_counted() {
    let mut record = BookRecord::new(Position::hirate());
    record.results = Some(RecordResults::default());
    record.evals = vec![RecordEval {
        score: Score::cp(1),
        depth: 1,
        seldepth: 1,
        nodes: 1,
        variation: String::new(),
        engine: String::new(),
    }];
    record.ply = Some(u32::MAX);
    record.comment = "x".repeat(1 << 16);
    let m = |text: &str| RecordMove::new(text.parse().unwrap());
    record.moves = vec![
        RecordMove { mark: Some(MoveMark::Bad), ..m("7g7f") },
        RecordMove { score: Some(Score::INFINITE), comment: "a\r\nb\rc".into(), ..m("2g2f") },
    ];
    let mut writer = DbWriter::new(Vec::new()).unwrap();
    writer.write(&record).unwrap();
    let (text, lost) = writer.finish().unwrap();
    assert_eq!(
        lost.to_string(),
        "comments: 1\nmove numbers: 1\nmarks on moves: 1\nresults of games: 1\n\
         judgements of positions: 1\nvalues of moves: 1\n"
    );
    let [again] = &read(&text, Tolerance::Strict).unwrap()[..] else { panic!("one record") };
    assert_eq!(again.moves[1].score, Some(Score::MATE));
    assert_eq!(again.moves[1].comment, "a\nb\nc");
}

#[test]
fn every_fixture_is_written_as_it_was_read() {
    let texts = synthetic::books().flat_map(|book| [book.input, book.solved, book.yaneuraou]);
    for text in texts.chain([yuuki::YANEURAOU_DB]) {
        let mut reader = DbReader::new(text.as_bytes(), Tolerance::Strict);
        let records: Vec<_> = reader.by_ref().map(Result::unwrap).collect();
        let again = written(&records);
        assert_eq!(read(&again, Tolerance::Strict).unwrap(), records);
        let values = text.lines().filter_map(|line| line.split(' ').nth(2)?.parse::<i32>().ok());
        let beyond = values.filter(|value| value.abs() > Score::MATE.raw()).count();
        assert_eq!(reader.clamped_numbers().count(), beyond as u64);
        if beyond > 0 {
            continue;
        }
        // The text of the records is the same byte for byte, except for equivalent notations.
        let lines = |text: &str| {
            let lines = text.lines().filter(|line| !line.starts_with(['#', '\u{feff}']));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(lines(&again), lines(text));
    }
}

/// The record without the data that a `.db` book cannot hold.
fn without_the_rest(mut record: BookRecord) -> BookRecord {
    record.results = None;
    record.evals.clear();
    record.moves.iter_mut().for_each(|m| m.mark = None);
    record
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn whatever_is_written_is_read_again(seed in any::<u64>()) {
        let mut numbers = Numbers::new(seed);
        let records: Vec<_> = (0..20)
            .map(|_| {
                let position = random_records::position(&mut numbers, 60);
                random_records::record(&mut numbers, position)
            })
            .collect();
        let text = written(&records);
        let expected: Vec<_> = records.into_iter().map(without_the_rest).collect();
        prop_assert_eq!(read(&text, Tolerance::Strict).unwrap(), expected.clone());
        let batches: Vec<_> = DbBatches::new(text.as_bytes(), Tolerance::Strict)
            .flat_map(|batch| batch.unwrap().records)
            .collect();
        prop_assert_eq!(batches, expected.clone());
        let crlf = text.replace('\n', "\r\n");
        prop_assert_eq!(read(crlf, Tolerance::Strict).unwrap(), expected);
    }
}
