//! Values and written books against fixtures whose exact values are known.

use std::collections::BTreeMap;

use komadai_bookfile::Tolerance;
use komadai_bookfile::db::DbReader;
use komadai_bookfile::{BookRecord, RecordMove};
use komadai_bookgraph::frontier::{FrontierOptions, Window};
use komadai_bookgraph::{Basis, BookGraph, DbOptions, UnknownMoves};
use komadai_core::{Color, Position, Score};
use komadai_testdata::books::synthetic::{self, ValueKind};

fn records(text: &str) -> Vec<BookRecord> {
    DbReader::new(text.as_bytes(), Tolerance::Strict).map(Result::unwrap).collect()
}

fn propagate(records: &[BookRecord]) -> BookGraph {
    let graph = BookGraph::from_records(records.iter().cloned()).unwrap();
    assert_eq!(graph.positions(), records.len(), "no position is there twice");
    graph
}

fn read(text: &str) -> BookGraph {
    propagate(&records(text))
}

/// The number of moves between positions that the book does not list.
pub(crate) fn unlisted_edges(graph: &BookGraph) -> usize {
    let unlisted = graph.records().map(|record| {
        let moves = graph.moves(&record.position);
        let inner = moves.iter().filter(|ranked| !ranked.leaves_book);
        inner.filter(|ranked| record.moves.iter().all(|known| known.m != ranked.m)).count()
    });
    unlisted.sum()
}

/// The positions of a `.db` text and their moves in order, with value and depth.
fn listed(text: &str) -> BTreeMap<&str, Vec<Vec<&str>>> {
    let mut positions = BTreeMap::new();
    let mut moves: Option<&mut Vec<Vec<&str>>> = None;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        match line.strip_prefix("sfen ") {
            Some(sfen) => moves = Some(positions.entry(sfen).or_default()),
            None => moves.as_mut().unwrap().push(line.split(' ').collect()),
        }
    }
    positions
}

#[test]
fn every_value_of_the_fixtures_is_exact() {
    for fixture in synthetic::books() {
        let values = read(fixture.input);
        assert_eq!(values.len(), fixture.positions);
        assert_eq!(values.edges(), fixture.edges);
        assert_eq!(unlisted_edges(&values), fixture.edges_not_listed);
        for row in fixture.values() {
            let value = values.value(&Position::from_sfen(row.sfen).unwrap()).unwrap();
            assert_eq!(value.score.raw(), row.value, "{} {}", fixture.name, row.sfen);
            let basis = match row.kind {
                ValueKind::Leaf => Basis::Leaf,
                ValueKind::Repetition => Basis::Repetition,
                ValueKind::Perpetual => Basis::PerpetualCheck,
            };
            assert_eq!(value.basis, basis, "{} {}", fixture.name, row.sfen);
            assert_eq!(u32::from(value.plies), row.depth, "{} {}", fixture.name, row.sfen);
        }
    }
}

#[test]
fn written_books_are_the_expected_ones_sorted() {
    for fixture in synthetic::books() {
        let mut written = Vec::new();
        read(fixture.input).write_db(&mut written, &DbOptions::default()).unwrap();
        let written = String::from_utf8(written).unwrap();
        let (written, expected) = (listed(&written), listed(fixture.solved));
        assert_eq!(written.len(), expected.len());
        for (sfen, moves) in expected {
            assert_eq!(written[sfen], moves, "{} {sfen}", fixture.name);
        }
    }
}

/// The widely used tool gives the same values, but artificial depths in check loops.
#[test]
fn first_moves_have_the_values_of_yaneuraou() {
    for fixture in synthetic::books() {
        let values = read(fixture.input);
        for (sfen, moves) in listed(fixture.yaneuraou) {
            let value = values.value(&Position::from_sfen(sfen).unwrap()).unwrap();
            let theirs: i32 = moves[0][2].parse().unwrap();
            assert_eq!(value.score.raw(), theirs, "{} {sfen}", fixture.name);
        }
    }
}

#[test]
fn a_propagated_book_propagates_to_itself() {
    for fixture in synthetic::books().filter(|fixture| fixture.name == "small50") {
        let book = records(fixture.input);
        let first = propagate(&book);
        let mut text = Vec::new();
        first.write_db(&mut text, &DbOptions::default()).unwrap();
        let second = read(str::from_utf8(&text).unwrap());
        for BookRecord { position, .. } in book {
            assert_eq!(first.value(&position), second.value(&position));
            assert_eq!(first.best_line(&position, 99), second.best_line(&position, 99));
        }
    }
}

#[test]
fn turning_the_whole_book_changes_nothing() {
    for fixture in synthetic::books() {
        let book = records(fixture.input);
        let turned: Vec<BookRecord> = book.iter().cloned().map(BookRecord::flipped).collect();
        let (values, turned_values) = (propagate(&book), propagate(&turned));
        for BookRecord { position, .. } in book {
            assert_eq!(values.value(&position), turned_values.value(&position));
            let moves =
                |m: &komadai_bookgraph::RankedMove| (m.m.to_string(), m.value, m.leaves_book);
            let own: Vec<_> = values.moves(&position).iter().map(moves).collect();
            let flipped = turned_values.moves(&position.flipped());
            assert_eq!(own.len(), flipped.len());
            for theirs in flipped {
                let theirs = (theirs.m.flipped().to_string(), theirs.value, theirs.leaves_book);
                assert!(own.contains(&theirs));
            }
        }
    }
}

/// Moves without a value never win, and a position with only such moves has no value.
#[test]
fn the_unknown_never_wins_against_the_known() {
    let text = "#YANEURAOU-DB2016 1.00\n\
        sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
        2g2f none -500 1\n\
        7g7f none none none 40\n\
        5g5f none -32768 0\n\
        6g6f none 77 1\n\
        sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n\
        3c3d none none\n\
        sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/3P5/PPP1PPPPP/1B5R1/LNSGKGSNL w - 2\n\
        3c3d none none\n";
    let values = read(text);
    assert_eq!(values.len(), 1);
    let moves = values.moves(&Position::hirate());
    let moves: Vec<_> = moves.iter().map(|m| (m.m.to_string(), m.value.score.raw())).collect();
    // The position after 6g6f has no value, so the listed value of the move counts.
    assert_eq!(moves, [("6g6f".to_owned(), 77), ("2g2f".to_owned(), -500)]);
    let mut written = Vec::new();
    assert_eq!(
        values
            .write_db(
                &mut written,
                &DbOptions { unknown: UnknownMoves::Omit, ..DbOptions::default() }
            )
            .unwrap(),
        1
    );
    let written = String::from_utf8(written).unwrap();
    assert!(!written.contains("none none none") && !written.contains("-32"), "{written}");
    let mut written = Vec::new();
    assert_eq!(values.write_db(&mut written, &DbOptions::default()).unwrap(), 3);
    let written = String::from_utf8(written).unwrap();
    let start =
        &listed(&written)["lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"];
    let first_words: Vec<_> = start.iter().map(|m| (m[0], m[2])).collect();
    let expected = [("6g6f", "77"), ("2g2f", "-500"), ("7g7f", "none"), ("5g5f", "none")];
    assert_eq!(first_words, expected);
    // Unknown values are still unknown in the written book.
    assert_eq!(read(&written).len(), 1);
}

/// The four moves of a loop from the start, and back.
const LOOP: [&str; 4] = ["5i5h", "5a5b", "5h5i", "5b5a"];

/// The start with the value −50 for 7g7f, and the loop. The loop has no values, except that in the
/// positions with the numbers `valued` another move has the value `cp`.
fn book_with_a_loop(valued: &[usize], cp: i32) -> BookGraph {
    let valued_move = |m: &str, cp| {
        let m = RecordMove::new(m.parse().unwrap());
        RecordMove { score: Some(Score::cp(cp)), ..m }
    };
    let mut position = Position::hirate();
    let mut records = Vec::new();
    for (number, m) in LOOP.map(|m| m.parse().unwrap()).into_iter().enumerate() {
        let mut record = BookRecord::with_moves(position.without_history(), [m]);
        if number == 0 {
            record.moves.push(valued_move("7g7f", -50));
        }
        if valued.contains(&number) {
            record.moves.push(valued_move(if number % 2 == 0 { "9g9f" } else { "9c9d" }, cp));
        }
        records.push(record);
        position.do_move(m);
    }
    propagate(&records)
}

/// No engine has searched the positions of the loop, so the loop must not beat a valued move.
#[test]
fn a_loop_without_values_has_no_value() {
    for valued in [&[][..], &[1], &[1, 2], &[3]] {
        let values = book_with_a_loop(valued, 90);
        let start = values.value(&Position::hirate()).unwrap();
        assert_eq!((start.score, start.basis), (Score::cp(-50), Basis::Leaf), "{valued:?}");
        let best = values.moves(&Position::hirate())[0];
        assert_eq!(best.m.to_string(), "7g7f", "{valued:?}");
    }
    // With values in all positions, none better than the loop, it is a draw.
    let values = book_with_a_loop(&[1, 2, 3], -70);
    let start = values.value(&Position::hirate()).unwrap();
    assert_eq!((start.score, start.basis), (Score::cp(0), Basis::Repetition));
}

#[test]
fn a_book_without_evaluations_has_no_values_and_begins_at_its_root() {
    let mut position = Position::hirate();
    let mut records = Vec::new();
    for m in LOOP.map(|m| m.parse().unwrap()) {
        records.push(BookRecord::with_moves(position.without_history(), [m]));
        position.do_move(m);
    }
    let values = propagate(&records);
    assert!(values.is_empty());
    let options = FrontierOptions::new(Position::hirate(), Color::Black, Window::Best);
    assert_eq!(values.frontier(&options).len(), 1);
}
