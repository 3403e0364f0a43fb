//! Frontiers against fixtures.

use std::collections::BTreeSet;

use komadai_bookfile::Tolerance;
use komadai_bookfile::{BookRecord, RecordMove};
use komadai_bookgraph::BookGraph;
use komadai_bookgraph::frontier::{
    Frontier, FrontierOptions, OwnMoves, ReachOptions, Reason, Rival, RivalBook, Window,
};
use komadai_core::{Color, Position, Score};
use komadai_movegen::MoveGen as _;
use komadai_testdata::books::frontiers::{self, BookSide};
use komadai_testdata::books::synthetic;

fn small_book() -> BookGraph {
    let fixture = synthetic::books().find(|book| book.name == "small50").unwrap();
    BookGraph::from_db(fixture.input.as_bytes(), Tolerance::Strict).unwrap()
}

fn options(side: Color, window: Window, eval_diff: i32) -> FrontierOptions {
    FrontierOptions { eval_diff, ..FrontierOptions::new(Position::hirate(), side, window) }
}

fn without_number(position: &Position) -> String {
    let text = position.to_string();
    text.rsplit_once(' ').unwrap().0.to_owned()
}

fn texts(frontier: &Frontier) -> BTreeSet<String> {
    frontier.iter().map(|found| without_number(&found.position)).collect()
}

#[test]
fn every_walk_of_the_fixtures_is_the_same() {
    let values = small_book();
    for expected in frontiers::rows() {
        let window = match expected.window {
            frontiers::Window::Free => Window::Free,
            frontiers::Window::Best => Window::Best,
            frontiers::Window::Root => Window::Root,
        };
        let own_moves = match expected.own_moves {
            frontiers::OwnMoves::First => OwnMoves::First,
            frontiers::OwnMoves::AllBest => OwnMoves::AllBest,
        };
        let side = match expected.book_side {
            BookSide::Black | BookSide::Both => Color::Black,
            BookSide::White => Color::White,
        };
        let options = FrontierOptions { own_moves, ..options(side, window, expected.eval_diff) };
        let frontier = values.frontier(&options);
        assert_eq!(frontier.len(), expected.count, "{expected:?}");
        assert_eq!(frontier.visited(), expected.visited, "{expected:?}");
        if let Some(positions) = &expected.positions {
            let expected: BTreeSet<_> = positions.iter().map(|p| p.sfen.to_owned()).collect();
            assert_eq!(texts(&frontier), expected);
        }
    }
}

#[test]
fn lines_lead_from_the_root_to_their_position() {
    let values = small_book();
    for side in Color::ALL {
        for found in values.frontier(&options(side, Window::Best, 50)).iter() {
            let mut position = Position::hirate();
            for (ply, &m) in found.line.iter().enumerate() {
                assert!(
                    values.record(&position).is_some(),
                    "the line leaves the book only at its end"
                );
                if position.side() == side {
                    assert_eq!(values.moves(&position)[0].m, m, "ply {ply}");
                }
                position.do_move(m);
            }
            assert_eq!(position, found.position);
            assert!(values.record(&position).is_none());
        }
    }
}

fn sizes(values: &BookGraph, changed: impl Fn(&mut FrontierOptions)) -> [usize; 3] {
    [Window::Free, Window::Best, Window::Root].map(|window| {
        let mut options = options(Color::White, window, 30);
        changed(&mut options);
        values.frontier(&options).len()
    })
}

#[test]
fn limits_narrow_every_window() {
    let values = small_book();
    let all = sizes(&values, |_| {});
    assert!(all[0] > all[1] && all[1] >= all[2], "{all:?}");
    assert_eq!(sizes(&values, |options| options.max_ply = Some(1)), [0, 0, 0]);
    assert_eq!(sizes(&values, |options| options.eval_limit = Some(-1)), [0, 0, 0]);
    let shallow = sizes(&values, |options| options.max_ply = Some(5));
    assert!(shallow.iter().zip(all).all(|(&shallow, all)| shallow <= all));
    let options = options(Color::White, Window::Best, 30);
    let line_lengths = values.frontier(&FrontierOptions { max_ply: Some(5), ..options });
    assert!(line_lengths.iter().all(|found| found.line.len() <= 4));
}

#[test]
fn a_root_outside_the_book_is_its_own_frontier() {
    let values = BookGraph::from_records([]).unwrap();
    let frontier = values.frontier(&options(Color::Black, Window::Root, 30));
    assert_eq!((frontier.len(), frontier.visited()), (1, 0));
    let only = frontier.iter().next().unwrap();
    assert_eq!((only.position, only.line), (Position::hirate(), Vec::new()));
}

/// Both orders of Black's two moves lead to the same position; three games of four chose the first.
const TWO_WAYS: &str = "#YANEURAOU-DB2016 1.00
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
2g2f none 30 1 1
7g7f none 20 1 3
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2
8c8d none -20 1
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL w - 2
8c8d none -20 1
sfen lnsgkgsnl/1r5b1/p1ppppppp/1p7/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3
2g2f none 20 1 3
sfen lnsgkgsnl/1r5b1/p1ppppppp/1p7/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL b - 3
7g7f none 20 1 1
";

fn two_ways() -> BookGraph {
    BookGraph::from_db(TWO_WAYS.as_bytes(), Tolerance::Strict).unwrap()
}

#[test]
fn probabilities_of_transpositions_add_up_and_the_likely_line_is_returned() {
    let reach = ReachOptions::new(Rival::Games { smoothing: 0.0 });
    let options = options(Color::White, Window::Best, 30);
    let frontier = two_ways().frontier_by_probability(&options, &reach);
    let found: Vec<_> = frontier.iter().collect();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].probability, Some(1.0));
    let line: Vec<String> = found[0].line.iter().map(ToString::to_string).collect();
    assert_eq!(line, ["7g7f", "8c8d", "2g2f"]);
    assert_eq!(found[0].reason, Reason::WindowMove { drop_cp: 0 });
}

#[test]
fn a_rival_leaves_the_book_by_moves_of_its_own_book() {
    let graph = two_ways();
    let mut record = BookRecord::new(Position::hirate());
    record.moves =
        ["5g5f", "7g7f", "1a1b"].iter().map(|m| RecordMove::new(m.parse().unwrap())).collect();
    let rival = |at: &Position| (at.key() == record.position.key()).then(|| record.clone());
    let books: [&dyn RivalBook; 1] = [&rival];
    let reach = ReachOptions::new(Rival::Books { books: &books, temperature_cp: 5.0 });
    let frontier = graph.frontier_by_probability(&options(Color::White, Window::Best, 30), &reach);
    let found: Vec<_> = frontier
        .iter()
        .map(|found| (found.line.len(), found.probability, found.reason, found.score))
        .collect();
    // The illegal move is skipped; the own book contains one of the two others.
    let known = Reason::WindowMove { drop_cp: 0 };
    assert!(
        found.contains(&(1, Some(0.5), Reason::RivalMove { drop_cp: None }, None)),
        "{found:?}"
    );
    assert!(found.contains(&(3, Some(0.5), known, Some(Score::cp(20)))), "{found:?}");
    assert_eq!(found.len(), 2);
}

#[test]
fn interleaved_frontiers_take_turns() {
    let values = small_book();
    let frontiers = Color::ALL.map(|side| values.frontier(&options(side, Window::Best, 30)));
    let searchable = |frontier: &Frontier| -> Vec<Position> {
        let positions = frontier.iter().map(|found| found.position);
        positions.filter(Position::has_legal_move).collect()
    };
    let [black, white] = frontiers.each_ref().map(searchable);
    assert_ne!(black.len(), white.len());
    let mut expected = Vec::new();
    for number in 0..black.len().max(white.len()) {
        expected.extend(black.get(number).cloned());
        expected.extend(white.get(number).cloned());
    }
    let found: Vec<Position> =
        Frontier::interleave(&frontiers).map(|found| found.position).collect();
    assert_eq!(found, expected);
    assert_eq!(Frontier::interleave(&[]).count(), 0);
}
