//! Searches, compared with reading the whole book.

use std::collections::HashMap;
use std::fmt::Write;

use komadai_base::atomic_file::write_atomically;
use komadai_bookfile::Tolerance;
use komadai_bookfile::apery::AperyBook;
use komadai_bookfile::sbk::SbkWriter;
use komadai_bookfile::ybb::YbbWriter;
use komadai_bookfile::{
    BookError, BookFile, BookFileError, BookFormat, BookProbe, BookRecord, DbProbe, PlyMatch,
    open_probe,
};
use komadai_core::Position;
use komadai_testdata::books::{shogihome, synthetic, yuuki};
use proptest::prelude::*;

use super::random_records::Random;

const HEADER: &str = "#YANEURAOU-DB2016 1.00\n";

fn read(path: &std::path::Path) -> Vec<BookRecord> {
    let book = BookFile::open(path, Tolerance::Strict).expect("a book");
    book.collect::<Result<_, _>>().expect("no fault")
}

#[test]
fn every_position_of_a_sorted_book_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("book.db");
    for book in synthetic::books() {
        std::fs::write(&path, book.solved).expect("it can be written");
        let records = read(&path);
        assert_eq!(records.len(), book.positions);
        let sorted = sorted_text(book.solved);
        let probe = DbProbe::new(sorted, PlyMatch::Ignored, Tolerance::Strict).expect("sorted");
        for record in &records {
            let found = probe.probe(&record.position).expect("no fault").expect("it is there");
            assert_eq!(found.moves, record.moves);
            let turned = probe.probe(&record.position.flipped()).expect("no fault");
            assert_eq!(turned.expect("it is there").moves.len(), record.moves.len());
        }
        assert!(probe.probe(&absent()).expect("no fault").is_none());
    }
}

fn absent() -> Position {
    Position::hirate().after("1g1f".parse().expect("a move"))
}

/// The records of a text, each a block of lines, in the order of their bytes.
fn sorted_text(text: &str) -> String {
    let mut blocks: Vec<String> = Vec::new();
    for line in text.lines() {
        if line.starts_with("sfen ") {
            blocks.push(String::new());
        }
        if let Some(block) = blocks.last_mut() {
            writeln!(block, "{line}").expect("a text takes everything");
        }
    }
    blocks.sort_by(|a, b| a.lines().next().cmp(&b.lines().next()));
    HEADER.to_owned() + &blocks.concat()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn db_look_ups_find_what_a_scan_finds(seed in any::<u64>(), crlf in any::<bool>()) {
        let records = Random::new(seed).records();
        let mut text = HEADER.to_owned();
        let mut expected = HashMap::new();
        for record in &records {
            let sfen = record.position.to_string();
            let (without, _) = sfen.rsplit_once(' ').expect("four words");
            match record.ply {
                Some(ply) => writeln!(text, "sfen {without} {ply}"),
                None => writeln!(text, "sfen {without}"),
            }
            .expect("a text takes everything");
            for listed in &record.moves {
                writeln!(text, "{}", listed.m).expect("a text takes everything");
            }
            expected.insert(record.position.key(), record);
        }
        let mut text = sorted_text(&text);
        if crlf {
            text = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        }
        let moves = |record: &BookRecord| record.moves.iter().map(|listed| listed.m).collect::<Vec<_>>();
        let ignoring = DbProbe::new(&text, PlyMatch::Ignored, Tolerance::Strict).expect("sorted");
        let comparing = DbProbe::new(&text, PlyMatch::Compared, Tolerance::Strict).expect("sorted");
        for record in &records {
            for m in std::iter::once(None).chain(record.moves.iter().map(|listed| Some(listed.m))) {
                let position = m.map_or(record.position.clone(), |m| record.position.after(m));
                let found = ignoring.probe_same_orientation(&position).expect("no fault");
                let there = expected.get(&position.key());
                prop_assert_eq!(found.as_ref().map(moves), there.map(|record| moves(record)));
                let with_ply = there.filter(|there| {
                    there.ply.is_none_or(|ply| ply == position.ply())
                });
                let found = comparing.probe_same_orientation(&position).expect("no fault");
                prop_assert_eq!(found.as_ref().map(moves), with_ply.map(|record| moves(record)));
            }
        }
    }
}

#[test]
fn of_several_records_of_a_position_the_one_with_the_number_is_found() {
    let start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";
    let text = format!("{HEADER}{start} 1\n7g7f\n{start} 11\n2g2f\n{start} 3\n5g5f\n");
    let at = |ply: u32| {
        let setup = komadai_core::Setup { ply, ..komadai_core::Setup::hirate() };
        Position::from_setup(&setup).expect("the start")
    };
    let found = |plies, ply| {
        let book = DbProbe::new(&text, plies, Tolerance::Strict).expect("sorted");
        let record = book.probe_same_orientation(&at(ply)).expect("no fault");
        record.map(|record| record.moves[0].m.to_string())
    };
    for (ply, m) in [(1, "7g7f"), (11, "2g2f"), (3, "5g5f")] {
        assert_eq!(found(PlyMatch::Compared, ply).as_deref(), Some(m));
        assert_eq!(found(PlyMatch::Ignored, ply).as_deref(), Some(m));
    }
    assert_eq!(found(PlyMatch::Compared, 2), None);
    assert_eq!(found(PlyMatch::Ignored, 2).as_deref(), Some("7g7f"));
}

#[test]
fn a_file_in_another_order_is_refused() {
    // The books of the other programs are not sorted by their text.
    let error = DbProbe::new(yuuki::YANEURAOU_DB, PlyMatch::Ignored, Tolerance::Strict).map(|_| ());
    assert!(matches!(error, Err(BookError::UnsortedText { .. })), "{error:?}");
}

#[test]
fn damage_is_named_or_left_out() {
    let start = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let text = format!("{HEADER}{start}\n7g7f\n7g7e\n");
    let strict = DbProbe::new(&text, PlyMatch::Ignored, Tolerance::Strict).expect("sorted");
    let error = strict.probe(&Position::hirate()).unwrap_err().to_string();
    assert!(
        error.starts_with("the record at byte 23: line 4, column 1: 7g7e is illegal"),
        "{error}"
    );
    let lenient = DbProbe::new(&text, PlyMatch::Ignored, Tolerance::Lenient).expect("sorted");
    let record = lenient.probe(&Position::hirate()).expect("it goes on").expect("it is there");
    assert_eq!(record.moves.len(), 1);
}

#[test]
fn books_are_opened_by_what_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = sorted_text(yuuki::YANEURAOU_DB);
    for (name, bytes, format) in [
        ("a.db", text.as_bytes(), BookFormat::Db),
        // The first bytes take precedence over the extension.
        ("b.bin", shogihome::YANEURAOU_YBB, BookFormat::Ybb),
        ("c.txt", text.as_bytes(), BookFormat::Db),
        ("d.BIN", yuuki::APERY_BIN, BookFormat::Apery),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("it can be written");
        let book = open_probe(&path).expect("a book");
        let found = book.probe(&Position::hirate()).expect("no fault");
        assert!(found.is_some_and(|record| !record.moves.is_empty()), "{name}");
        assert!(book.probe(&absent()).expect("no fault").is_none(), "{name}");
        let mut all = BookFile::open(&path, Tolerance::Strict).expect("a book");
        assert_eq!(all.format(), format);
        assert!(all.by_ref().all(|record| record.is_ok()));
        assert_eq!((all.skipped().count(), all.unreached()), (0, 0));
    }
    let path = folder.path().join("e.sbk");
    std::fs::write(&path, yuuki::SHOGIGUI_SBK).expect("it can be written");
    let error = open_probe(&path).map(|_| ()).unwrap_err();
    assert!(matches!(error, BookFileError::NoSearch { format: BookFormat::Sbk }), "{error}");
    let path = folder.path().join("f.txt");
    std::fs::write(&path, "hello").expect("it can be written");
    let error = open_probe(&path).map(|_| ()).unwrap_err();
    assert!(matches!(error, BookFileError::UnknownFormat { .. }), "{error}");
    let error = BookFile::open(folder.path().join("none.db"), Tolerance::Strict).map(|_| ());
    assert!(matches!(error, Err(BookFileError::Io { .. })), "{error:?}");
}

/// The moves of each position with moves.
fn moves_by_position(records: &[BookRecord]) -> HashMap<u64, Vec<String>> {
    let with_moves = records.iter().filter(|record| !record.moves.is_empty());
    with_moves
        .map(|record| {
            let mut moves: Vec<_> = record.moves.iter().map(|m| m.m.to_string()).collect();
            moves.sort();
            (record.position.key(), moves)
        })
        .collect()
}

#[test]
fn one_book_in_three_formats_is_one_book() {
    let folder = tempfile::tempdir().expect("a folder");
    let read_bytes = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("it can be written");
        read(&path)
    };
    let db = read_bytes("a.db", yuuki::YANEURAOU_DB.as_bytes());
    let bin = read_bytes("a.bin", yuuki::APERY_BIN);
    let sbk = read_bytes("a.sbk", yuuki::SHOGIGUI_SBK);
    assert_eq!(db.len(), 73);
    assert_eq!(moves_by_position(&db), moves_by_position(&bin));
    // The other formats have only the moves that were given a weight.
    let mut weighted = sbk;
    for record in &mut weighted {
        record.moves.retain(|listed| listed.count > Some(0));
    }
    assert_eq!(moves_by_position(&db), moves_by_position(&weighted));
}

#[test]
fn written_books_are_searched_in_their_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let records = Random::new(7).records();
    let mut writer = YbbWriter::default();
    for record in records.iter() {
        writer.push(record).expect("memory takes everything");
    }
    let path = folder.path().join("book.ybb");
    write_atomically(&path, |out| writer.finish(out)).expect("it can be written");
    let book = open_probe(&path).expect("a book");
    for record in &records {
        let found = book.probe(&record.position).expect("no fault").expect("it is there");
        assert_eq!(found.moves.len(), record.moves.len());
    }
    let mut writer = SbkWriter::default();
    for record in records.iter() {
        writer.push(record).expect("memory takes everything");
    }
    let path = folder.path().join("book.sbk");
    write_atomically(&path, |out| writer.finish(out)).expect("it can be written");
    assert_eq!(moves_by_position(&read(&path)), moves_by_position(&records));
    let empty = folder.path().join("empty.bin");
    std::fs::write(&empty, b"").expect("it can be written");
    let book = open_probe(&empty).expect("an empty book");
    assert!(book.probe(&Position::hirate()).expect("no fault").is_none());
    assert!(AperyBook::new(b"", Tolerance::Strict).is_ok());
}
