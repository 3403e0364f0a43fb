//! Faulty books: each fault is reported with its place, lenient reading continues, and nothing
//! panics.

use komadai_bookfile::BookError;
use komadai_bookfile::db::DbReader;
use komadai_bookfile::{Skipped, Tolerance};
use komadai_bookgraph::{BookGraph, GraphBuilder};
use komadai_testdata::books::{synthetic, yuuki};
use komadai_testdata::garbage;
use proptest::prelude::*;

const HEADER: &str = "#YANEURAOU-DB2016 1.00\n";
const START: &str = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";

fn read_db(text: impl AsRef<[u8]>, tolerance: Tolerance) -> Result<(BookGraph, u64), BookError> {
    let mut builder = GraphBuilder::new();
    let import = builder.read_db(text.as_ref(), tolerance)?;
    Ok((builder.finish().unwrap(), import.skipped.count()))
}

fn refusal(text: impl AsRef<[u8]>) -> String {
    read_db(text, Tolerance::Strict).unwrap_err().to_string()
}

/// The numbers of positions, moves, and skipped entries.
fn rescued(text: impl AsRef<[u8]>) -> (usize, usize, u64) {
    let (book, skipped) = read_db(text, Tolerance::Lenient).unwrap();
    (book.positions(), book.records().map(|record| record.moves.len()).sum(), skipped)
}

#[test]
fn faults_are_named_with_their_place_and_passed_over() {
    let second = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n3c3d\n";
    for (text, message, left) in [
        (
            format!("{START}7g7f\n"),
            "line 1, column 1: found \"sfen\", expected the header `#YANEURAOU-DB2016 1.00`",
            (1, 1, 1),
        ),
        (
            format!("#YANEURAOU-DB2016 2.00\n{START}7g7f\n"),
            "line 1, column 1: found \"#YANEURAOU-DB2016\", expected the header \
             `#YANEURAOU-DB2016 1.00`",
            (1, 1, 1),
        ),
        (
            format!("{HEADER}7g7f\n{START}7g7f\n"),
            "line 2, column 1: found \"7g7f\", expected a position, `sfen …`, before its moves",
            (1, 1, 1),
        ),
        (
            format!("{HEADER}{START}7g7x none 1\n2g2f\n"),
            "line 3, column 1: found \"7g7x\", expected a move such as 7g7f, 8h2b+ or P*5e",
            (1, 1, 1),
        ),
        (
            format!("{HEADER}{START}7g7f none 1\n7g7e none 2\n"),
            "line 4, column 1: 7g7e is illegal: a Pawn on 7g does not go to 7e",
            (1, 1, 1),
        ),
        (
            format!("{HEADER}{START}7g7f none 1\n3c3d none 2\n"),
            "line 4, column 1: 3c3d is illegal: the Pawn on 3c is White's, but Black is to move",
            (1, 1, 1),
        ),
        (
            format!("{HEADER}{START}7g7f 7f7e 1\n2g2f\n"),
            "line 3, column 6: 7f7e is illegal: the Pawn on 7f is Black's, but White is to move",
            (1, 1, 1),
        ),
        (
            format!("{HEADER}{START}7g7f none 1.5\n2g2f\n"),
            "line 3, column 11: found \"1.5\", expected a value in centipawns, or `none`",
            (1, 1, 1),
        ),
        (
            format!("{HEADER}{START}7g7f none 1 x\n2g2f\n"),
            "line 3, column 13: found \"x\", expected a depth, or `none`",
            (1, 1, 1),
        ),
        (
            format!("{HEADER}{START}7g7f none 1 1 ？\n2g2f\n"),
            "line 3, column 15: found \"？\", expected a number of games, or `none`",
            (1, 1, 1),
        ),
        (
            format!("{HEADER}{START}7g7f\n7g7f none 3\n"),
            "line 4, column 1: 7g7f is listed for the second time",
            (1, 1, 1),
        ),
        // The moves of a skipped position are skipped with it.
        (
            format!("{HEADER}sfen lnsgkgsnl/9 b - 1\n7g7f\n2g2f\n{second}"),
            "line 2, column 1: the board has 2 ranks up to byte 16, expected 9",
            (1, 1, 3),
        ),
        (
            format!("{HEADER}sfen\n7g7f\n{second}"),
            "line 2, column 1: the text ends at byte 4, expected a board",
            (1, 1, 2),
        ),
        (
            format!("{HEADER}sfen 4k4/9/4P4/9/4P4/9/9/9/4K4 b - 1\n5c5b\n{second}"),
            "line 2, column 1: Black has two unpromoted pawns on file 5",
            (1, 1, 2),
        ),
        (
            format!("{HEADER}# NOE:3\n{START}7g7f\n"),
            "the book announces 3 positions, but 1 were found",
            (1, 1, 1),
        ),
        (
            format!("{HEADER}sfen 8k/9/7R1/9/9/9/9/9/9 b 2B4G4S4N4L18Pr 1\nG*5b\n{second}"),
            "line 2: a book cannot hold the position: a king is missing, and the rest of the \
             position takes one bit too many",
            (1, 1, 1),
        ),
    ] {
        assert_eq!(refusal(&text), message);
        assert_eq!(rescued(&text), left, "{text}");
    }
}

#[test]
fn what_is_not_text_is_refused_or_skipped() {
    let text = [HEADER.as_bytes(), START.as_bytes(), b"7g7f \xff\n2g2f\n"].concat();
    assert_eq!(refusal(&text), "line 3: not UTF-8");
    assert_eq!(rescued(&text), (1, 1, 1));
    assert!(refusal(yuuki::APERY_BIN).starts_with("line 1"));
    assert_eq!(rescued(yuuki::APERY_BIN).0, 0);
    assert_eq!(rescued(b""), (0, 0, 0));
}

#[test]
fn a_book_cut_off_anywhere_is_noticed_or_whole_lines_are_left() {
    let fixture = synthetic::books().find(|book| book.name == "small50").unwrap();
    for length in (0..fixture.input.len()).step_by(97) {
        let (book, _) = read_db(&fixture.input[..length], Tolerance::Lenient).unwrap();
        assert!(book.positions() <= fixture.positions);
        // The stated number of positions reveals the fault, unless only moves of the last one are
        // missing.
        let strict = read_db(&fixture.input[..length], Tolerance::Strict);
        assert!(
            strict.is_err() || book.positions() == fixture.positions || length < 40,
            "{length}"
        );
    }
}

#[test]
fn a_hundred_megabytes_of_garbage_are_refused_at_their_beginning() {
    const BYTES: u64 = 100 << 20;
    for pattern in [&b"garbage"[..], b"sfen ", b"#", b"\0"] {
        let mut reader = DbReader::new(garbage::of(pattern, BYTES), Tolerance::Strict);
        assert!(matches!(reader.next(), Some(Err(BookError::LineTooLong { line: 1, .. }))));
        assert!(reader.next().is_none());
    }
    let mut lines = DbReader::new(garbage::of(b"garbage\n", BYTES), Tolerance::Strict);
    assert!(matches!(lines.next(), Some(Err(BookError::Syntax { line: 1, .. }))));
}

#[test]
fn garbage_is_passed_over_in_bounded_memory() {
    for pattern in [&b"garbage\n"[..], b"garbage", b"sfen x\n7g7f\n", b"\xff\n"] {
        let mut book = GraphBuilder::new();
        let import = book.read_db(garbage::of(pattern, 20 << 20), Tolerance::Lenient).unwrap();
        assert!(book.is_empty() && import.skipped.count() > 0);
        assert!(import.skipped.first().len() <= Skipped::<BookError>::LISTED);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn damaged_books_are_survived(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = yuuki::YANEURAOU_DB.as_bytes().to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(cut.index(bytes.len()) + 1);
        let _ = read_db(&bytes, Tolerance::Strict);
        let (book, _) = read_db(&bytes, Tolerance::Lenient).unwrap();
        prop_assert!(book.positions() <= 73);
    }

    #[test]
    fn arbitrary_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let _ = read_db(&bytes, Tolerance::Strict);
        read_db(&bytes, Tolerance::Lenient).unwrap();
    }
}
