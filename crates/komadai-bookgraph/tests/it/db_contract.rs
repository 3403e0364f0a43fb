//! `.db` books byte by byte, as other programs write and read them.

use komadai_bookfile::Tolerance;
use komadai_bookfile::db::DbReader;
use komadai_bookfile::{BookRecord, RecordMove};
use komadai_bookgraph::{BookGraph, DbOptions};
use komadai_core::{Position, Score};
use komadai_testdata::books::yuuki;

fn written(book: &BookGraph) -> String {
    let mut bytes = Vec::new();
    book.write_db(&mut bytes, &DbOptions::default()).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn read(text: &str) -> BookGraph {
    BookGraph::from_db(text.as_bytes(), Tolerance::Strict).unwrap()
}

fn position(moves: &str) -> Position {
    let mut position = Position::hirate();
    moves.split_whitespace().for_each(|m| position.do_move(m.parse().unwrap()));
    position
}

fn listed(m: &str, score: Score) -> RecordMove {
    RecordMove { score: Some(score), ..RecordMove::new(m.parse().unwrap()) }
}

#[test]
fn a_book_is_written_to_the_byte() {
    let record = |position, moves| BookRecord { moves, ..BookRecord::new(position) };
    let games = RecordMove { count: Some(97), ..RecordMove::new("2g2f".parse().unwrap()) };
    let answered =
        RecordMove { ponder: Some("4c4d".parse().unwrap()), ..listed("5g5f", Score::cp(-12)) };
    let start = record(Position::hirate(), vec![games, listed("7g7f", Score::cp(35)), answered]);
    let second = position("7g7f").without_history();
    let second =
        record(second, vec![listed("8c8d", Score::mated_in(4)), listed("3c3d", Score::mate_in(5))]);
    // Sorted by the bytes of the text: a digit, the bishop's file moved, goes before `l`.
    let drop = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b P 1").unwrap();
    let drop = record(drop, vec![listed("P*5e", Score::ZERO)]);
    let book = BookGraph::from_records([start, second, drop]).unwrap();
    // The value of 7g7f is that of the position after it, one ply farther away.
    let expected = "\
#YANEURAOU-DB2016 1.00
# NOE:3
sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1
P*5e none 0 0
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2
3c3d none 31995 0
8c8d none -31996 0
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
5g5f 4c4d -12 0
7g7f none -31995 1
2g2f none none none 97
";
    assert_eq!(written(&book), expected);
    // The written book has the same values.
    assert_eq!(written(&read(expected)), expected);
}

/// A book as ShogiHome writes it: no values, several lines of comment, any line ends, a byte order
/// mark.
#[test]
fn every_way_of_writing_the_same_book_is_read_the_same() {
    let plain = "#YANEURAOU-DB2016 1.00\n\
        # NOE:2,AUTHOR:unknown\n\
        sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL w - 1\n\
        2b8h+ none none none 103\n\
        4c4d none none none 3\n\
        sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/3P5/PPP1PPPPP/1BS4R1/LN1GKGSNL w -\n\
        #position comment 1\n\
        // position comment 2\n\
        7a6b 7g7f 25 10 3 a remark\n\
        8c8d None -25\n\
        none none\n\
        8b3b resign\n\
        \n\
        3a4b\n";
    let expected = "\
#YANEURAOU-DB2016 1.00
# NOE:2
sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL w - 1
2b8h+ none none none 103
4c4d none none none 3
sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/3P5/PPP1PPPPP/1BS4R1/LN1GKGSNL w -
7a6b 7g7f 25 0 3
8c8d none -25 0
8b3b none none none
3a4b none none none
";
    assert_eq!(written(&read(plain)), expected);
    for other in [
        format!("\u{feff}{plain}"),
        plain.replace('\n', "\r\n"),
        format!("\u{feff}{}", plain.replace('\n', "\r\n")),
        plain.trim_end().to_owned(),
        plain.replace("\n7a6b", "\n\n  7a6b").replace("25 10", "25\t 10"),
    ] {
        assert_eq!(written(&read(&other)), expected, "{other:?}");
    }
}

#[test]
fn values_that_mean_unknown_and_values_out_of_range() {
    let start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let text = format!(
        "#YANEURAOU-DB2016 1.00\n{start}\n7g7f none -32768\n2g2f none -32000 70000 9999999999\n\
         1g1f none 99999999999999999999 -5\n5g5f none -32767\n"
    );
    let record = DbReader::new(text.as_bytes(), Tolerance::Strict).next().unwrap().unwrap();
    let found: Vec<_> =
        record.moves.iter().map(|m| (m.score.map(Score::raw), m.depth, m.count)).collect();
    assert_eq!(
        found,
        [
            (None, None, None),
            (Some(-32_000), Some(u16::MAX), Some(u32::MAX)),
            (Some(32_000), Some(0), None),
            (Some(-32_000), None, None),
        ]
    );
}

#[test]
fn a_real_book_is_read_and_written() {
    let book = read(yuuki::YANEURAOU_DB);
    assert_eq!(book.positions(), 73);
    let first = &book.record(&Position::hirate()).unwrap().moves[0];
    assert_eq!((first.m.to_string(), first.ponder), ("2g2f".into(), Some("8c8d".parse().unwrap())));
    assert_eq!((first.score, first.count), (Some(Score::ZERO), Some(1)));
    let text = written(&book);
    assert_eq!(written(&read(&text)), text);
}
