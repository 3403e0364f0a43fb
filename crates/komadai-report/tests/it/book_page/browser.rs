//! The page about a book in a browser: its script shows the moves of trees and the positions of
//! tables on the boards that this crate draws.

use std::fs;

use komadai_bookgraph::frontier::Window;
use komadai_core::{Color, Language, Move, Position};
use komadai_kifu::Notation;
use komadai_report::book_page::{LineMove, PageLook, ReportData, ReportOptions, write_report};
use komadai_report::{SvgBoard, SvgPieces};

use super::grown_book::{GrownBook, HOSTILE};
use crate::chromium::{checked, outcome, run};

/// The moves of a tree that the buttons reach: each time the first.
fn first_line(moves: &[LineMove]) -> Vec<Move> {
    let mut line = Vec::new();
    let mut next = moves.first();
    while let Some(known) = next {
        line.push(known.m);
        next = known.next.first();
    }
    line
}

fn page(data: &ReportData, look: &PageLook) -> String {
    let mut page = Vec::new();
    write_report(&mut page, data, look).unwrap();
    String::from_utf8(page).unwrap()
}

/// Options of a report with the changes since the first round.
fn since_the_first(grown: &GrownBook) -> ReportOptions {
    let since = Some(grown.moments[0].name.clone());
    // Random values lie far from each other.
    ReportOptions { since, window: Window::Free, eval_diff: 120, ..ReportOptions::default() }
}

/// The boards of a line and of the largest changes, with their SFEN, as the script shall draw them.
fn expected(data: &ReportData, pieces: SvgPieces) -> String {
    let board = |position: &Position, last: Option<Move>, bottom: Color, class: &str| {
        let board = SvgBoard { pieces, last_move: last, bottom, ..SvgBoard::new(position) };
        format!("<div class=\"{class}\" data-sfen=\"{position}\" hidden>{board}</div>")
    };
    let mut position = data.root.clone();
    let mut boards = board(&position, None, Color::Black, "expected");
    boards += &board(&position, None, Color::White, "expected-flipped");
    for m in first_line(&data.lines[0].moves) {
        position.do_move(m);
        boards += &board(&position, Some(m), Color::Black, "expected");
        boards += &board(&position, Some(m), Color::White, "expected-flipped");
    }
    let changes = data.working.iter().flat_map(|working| &working.changes);
    for change in changes.flat_map(|changes| &changes.biggest) {
        boards += &board(&change.position, None, Color::Black, "expected-change");
    }
    boards
}

#[test]
#[ignore = "needs Chromium"]
fn moves_and_tables_are_shown_on_the_board_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    for seed in [0, 4] {
        let grown = GrownBook::new(seed);
        let options = ReportOptions { title: HOSTILE.to_owned(), ..since_the_first(&grown) };
        let data = ReportData::of_working_book(&grown.book, &options).unwrap();
        assert!(data.lines[0].lines > 3 && !first_line(&data.lines[0].moves).is_empty());
        let changes = data.working.as_ref().and_then(|working| working.changes.as_ref());
        assert!(changes.is_some_and(|changes| changes.biggest.len() > 2));
        for (language, pieces) in
            [(Language::English, SvgPieces::Letters), (Language::Japanese, SvgPieces::Kanji)]
        {
            let look = PageLook { notation: Notation::Usi, ..PageLook::new(language) };
            let text = page(&data, &look);
            let check = include_str!("browser.js");
            fs::write(&path, checked(&text, &expected(&data, pieces), check)).unwrap();
            let (document, log) = run(&path, "");
            assert!(outcome(&document).starts_with("fine, "), "{}\n{log}", outcome(&document));
            assert!(!log.contains("CONSOLE"), "{log}");
        }
    }
}

#[test]
#[ignore = "needs Chromium"]
fn addresses_lead_to_positions_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    let grown = GrownBook::new(0);
    let data = ReportData::of_working_book(&grown.book, &since_the_first(&grown)).unwrap();
    fs::write(&path, page(&data, &PageLook::new(Language::English))).unwrap();
    let line = first_line(&data.lines[0].moves);
    let moves: Vec<String> = line.iter().take(2).map(ToString::to_string).collect();
    let position = line.iter().take(2).fold(data.root.clone(), |at, &m| at.after(m));
    let change = &data.working.as_ref().unwrap().changes.as_ref().unwrap().biggest[0];
    for (address, position) in [
        (format!("#{}", moves.join("-")), &position),
        ("#change-1".to_owned(), &change.position),
        ("#start".to_owned(), &data.root),
        ("#no-such-place".to_owned(), &data.root),
        (String::new(), &data.root),
    ] {
        // The policy permits the script as it stands.
        let (document, log) = run(&path, &address);
        let shown = format!("data-sfen=\"{position}\"");
        assert!(document.contains(&shown), "{address}: no {shown}\n{log}");
        assert!(!log.contains("CONSOLE"), "{address}: {log}");
    }
}

#[test]
#[ignore = "needs Chromium"]
fn a_page_without_lines_has_its_board_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    let graph = komadai_bookgraph::GraphBuilder::new().finish().unwrap();
    let data = ReportData::of_graph(&graph, &ReportOptions::default());
    fs::write(&path, page(&data, &PageLook::new(Language::Japanese))).unwrap();
    let (document, log) = run(&path, "");
    assert!(document.contains(&format!("data-sfen=\"{}\"", data.root)), "{document}");
    assert!(!log.contains("CONSOLE"), "{log}");
}
