//! The page in a browser: its script shows the tables and the positions on the board that this crate
//! draws.

use std::fs;

use komadai_core::{Color, Language, Move, Position};
use komadai_report::{SvgBoard, SvgPieces};

use super::page;
use crate::chromium::{checked, outcome, run};

/// The boards along the moves of most games, as the script shall draw them.
fn expected(pieces: SvgPieces) -> String {
    let board = |position: &Position, last: Option<Move>, bottom: Color, class: &str| {
        let board = SvgBoard { pieces, last_move: last, bottom, ..SvgBoard::new(position) };
        format!("<div class=\"{class}\" data-sfen=\"{position}\" hidden>{board}</div>")
    };
    let mut position = Position::hirate();
    let mut boards = board(&position, None, Color::Black, "expected");
    boards += &board(&position, None, Color::White, "expected-flipped");
    for text in ["7g7f", "3c3d", "2g2f", "8c8d"] {
        let m = text.parse().unwrap();
        position.do_move(m);
        boards += &board(&position, Some(m), Color::Black, "expected");
        boards += &board(&position, Some(m), Color::White, "expected-flipped");
    }
    boards
}

#[test]
#[ignore = "needs Chromium"]
fn tables_are_walked_through_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    for (language, pieces) in
        [(Language::English, SvgPieces::Letters), (Language::Japanese, SvgPieces::Kanji)]
    {
        let text = page(language).to_string();
        fs::write(&path, checked(&text, &expected(pieces), include_str!("browser.js"))).unwrap();
        let (document, log) = run(&path, "");
        assert_eq!(outcome(&document), "fine, 5 positions", "{log}");
        assert!(!log.contains("CONSOLE"), "{log}");
    }
}

#[test]
#[ignore = "needs Chromium"]
fn addresses_lead_to_tables_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    fs::write(&path, page(Language::English).to_string()).unwrap();
    for (address, moves) in [
        ("#7g7f-3c3d", &["7g7f", "3c3d"][..]),
        ("#2g2f-3c3d-7g7f", &["2g2f", "3c3d", "7g7f"]),
        ("#start", &[]),
        ("#9g9f", &[]),
        ("#p1", &[]),
        ("", &[]),
    ] {
        let mut position = Position::hirate();
        moves.iter().for_each(|text| position.do_move(text.parse().unwrap()));
        // The policy permits the script as it stands.
        let (document, log) = run(&path, address);
        let shown = format!("data-sfen=\"{position}\"");
        assert!(document.contains(&shown), "{address}: no {shown}\n{log}");
        assert!(!log.contains("CONSOLE"), "{address}: {log}");
    }
}
