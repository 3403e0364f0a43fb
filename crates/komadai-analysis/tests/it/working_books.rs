//! Working books as books of a player.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::path::Path;

use komadai_book::store::Store;
use komadai_book::{LoggedAnalysis, open_book};
use komadai_bookfile::{BookReading, open_book as open_file};
use komadai_bookgraph::BookGraph;
use komadai_core::{Analysis, AnalystId, Line, Position, Score, SplitMix64};
use komadai_engine::{BookPolicy, OpeningBook, OpeningBookError, UsiEngine};
use komadai_kifu::Tolerance;
use komadai_testdata::books::yuuki;

/// A policy that allows every move of a book.
fn all() -> BookPolicy {
    BookPolicy {
        moves: 500,
        eval_diff: 99_999,
        black_limit: -500,
        white_limit: -500,
        ..BookPolicy::default()
    }
}

/// Returns the moves of many draws.
fn drawn(book: &OpeningBook, position: &Position, policy: &BookPolicy) -> BTreeSet<String> {
    let mut random = SplitMix64::new(3);
    let mut draw = || book.choose(position, policy, Score::ZERO, &mut random).expect("no fault");
    (0..100).filter_map(|_| Some(draw()?.m.to_string())).collect()
}

#[test]
fn working_books_are_played_from_while_they_grow() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.kbook");
    let store = Store::create(&path).expect("a store");
    let refused =
        OpeningBook::open_with(open_book, &path, BookReading::Memory).expect_err("no positions");
    assert!(matches!(refused, OpeningBookError::Empty { .. }), "{refused}");
    let start = Position::hirate();
    store.add_games(&start, "7g7f".parse().expect("a move"), 1).expect("it can be written");
    let book = OpeningBook::open_with(open_book, &path, BookReading::OnTheFly).expect("a book");
    assert_eq!(book.positions(), Some(1));
    assert_eq!(drawn(&book, &start, &all()), BTreeSet::from(["7g7f".to_owned()]));
    let turned = drawn(&book, &start.flipped(), &all());
    assert_eq!(turned, BTreeSet::from(["3c3d".to_owned()]));
    store.add_games(&start, "2g2f".parse().expect("a move"), 1).expect("it can be written");
    assert_eq!(drawn(&book, &start, &all()).len(), 2);
    // Read whole, a move into the book has the propagated value of its replies.
    let judged = |position: &Position, m: &str, cp| {
        let line = Line::exact(Score::cp(cp), m.parse().expect("moves"));
        let analysis = Analysis { lines: vec![line], nodes: 9, ..Analysis::default() };
        LoggedAnalysis::new(position.clone(), analysis, AnalystId::new("engine", "1")).into()
    };
    let answered = start.after("7g7f".parse().expect("a move"));
    let changes =
        [judged(&start, "7g7f", 90), judged(&start, "2g2f", 30), judged(&answered, "3c3d", 50)];
    store.merge_batch(&changes).expect("it can be written");
    let best = BookPolicy { eval_diff: 0, ..all() };
    assert_eq!(drawn(&book, &start, &best), BTreeSet::from(["7g7f".to_owned()]));
    let whole = OpeningBook::open_with(open_book, &path, BookReading::Memory).expect("a book");
    assert_eq!(drawn(&whole, &start, &best), BTreeSet::from(["2g2f".to_owned()]));
    let none = folder.path().join("none.kbook");
    std::fs::write(&none, "Dear Sir,\n").expect("it can be written");
    let refused =
        OpeningBook::open_with(open_book, &none, BookReading::Memory).expect_err("no store");
    assert!(refused.to_string().contains("expected a book's store"), "{refused}");
}

/// Returns the output of an engine that may use working books.
fn said(path: &Path, on_the_fly: bool) -> String {
    let script = format!(
        "setoption name USI_Hash value 1\nsetoption name BookFile value {}\n\
         setoption name BookOnTheFly value {on_the_fly}\nisready\nposition startpos\ngo nodes 200\n",
        path.display()
    );
    let mut output = Vec::new();
    let engine = UsiEngine::builder().books(open_book).build();
    komadai_usi::serve(engine, Cursor::new(script.into_bytes()), &mut output)
        .expect("memory can be written");
    String::from_utf8(output).expect("USI is text")
}

#[test]
fn an_engine_plays_from_a_working_book_or_names_its_fault() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.kbook");
    let store = Store::create(&path).expect("a store");
    store.add_games(&Position::hirate(), "1g1f".parse().expect("a move"), 1).expect("no fault");
    let missing = folder.path().join("missing.kbook");
    let foreign = folder.path().join("false.kbook");
    std::fs::write(&foreign, b"redb is what this is not").expect("it can be written");
    for on_the_fly in [false, true] {
        let sound = said(&path, on_the_fly);
        assert!(sound.contains("a.kbook: 1 positions, 0 faults\n"), "{sound}");
        assert!(sound.ends_with("bestmove 1g1f\n"), "{sound}");
        for faulty in [&missing, &foreign] {
            let said = said(faulty, on_the_fly);
            let line =
                said.lines().find(|line| line.contains("without the book")).expect("a fault");
            let start = format!("info string Error! : book {}", faulty.display());
            assert!(line.starts_with(&start), "{line}");
            assert_eq!(line.matches(".kbook").count(), 1, "{line}");
        }
    }
}

#[test]
fn a_book_in_memory_has_the_records_of_its_graph() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("book.db");
    // Twice, with values and turned by 180 degrees: repeated positions are merged.
    let text = yuuki::YANEURAOU_DB;
    let twice = format!(
        "{text}sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1\n\
         3c3d none 77 9 5\n1a1b none none none 2\n3c3d none none none 4\n"
    );
    std::fs::write(&path, &twice).expect("it can be written");
    let graph = BookGraph::from_db(twice.as_bytes(), Tolerance::Lenient).expect("a book");
    let book = open_file(&path, BookReading::Memory).expect("a book");
    assert_eq!(book.positions, Some(graph.positions() as u64));
    let records: Vec<_> = graph.records().collect();
    assert!(records.len() > 10);
    for record in records {
        for position in [record.position.clone(), record.position.flipped()] {
            let found = book.probe.probe(&position).expect("no fault").expect("it is there");
            assert_eq!(Some(found.moves), graph.record(&position).map(|record| record.moves));
        }
    }
}
