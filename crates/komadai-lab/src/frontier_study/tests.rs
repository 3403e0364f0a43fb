//! The tables of `frontier-study`.

use komadai_testdata::books::frontiers::{self, BookSide, OwnMoves, Window};

use crate::frontier_study::{Arguments, picture, studies, tables};

#[test]
fn its_tables_say_what_the_fixtures_say() {
    let studies = studies(&Arguments { book: Vec::new(), eval_diff: 30, svg: None }).unwrap();
    let text = tables::markdown(&studies[0]);
    let columns = ["0", "5", "10", "20", "30", "50"];
    let mut checked = 0;
    for expected in frontiers::rows() {
        let window = match expected.window {
            Window::Free => "free",
            Window::Best => "best",
            Window::Root => "root",
        };
        let side = match expected.book_side {
            BookSide::Black => "Black",
            BookSide::White => "White",
            BookSide::Both => "–",
        };
        let own = match (expected.window, expected.own_moves) {
            (Window::Free, _) => "–",
            (_, OwnMoves::First) => "first",
            (_, OwnMoves::AllBest) => "all best",
        };
        let row = format!("| {window} | {side} | {own} |");
        let row = text.lines().find(|line| line.starts_with(&row)).expect(&row);
        let cells: Vec<&str> = row.split('|').skip(4).map(str::trim).collect();
        let diff = expected.eval_diff.to_string();
        let column = columns.iter().position(|&column| column == diff).expect("a column");
        assert_eq!(cells[column], format!("{} / {}", expected.count, expected.visited));
        checked += 1;
    }
    assert!(checked >= 18);
    let picture = picture::draw(&studies).unwrap();
    assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"));
    assert!(picture.contains("both sides free"));
}
