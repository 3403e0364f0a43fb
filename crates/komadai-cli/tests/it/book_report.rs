//! `komadai book report` as its users run it.

use std::fs;
use std::path::Path;
use std::process::Output;

use komadai::book::store::{Change, NewSnapshot, Store};
use komadai::book::{LoggedAnalysis, WorkingBook};
use komadai::bookfile::db::DbReader;
use komadai::core::{Analysis, AnalystId, Line};
use komadai::kifu::Tolerance;
use komadai::{Position, Score};
use komadai_testdata::books::yuuki;
use serde_json::Value;

use crate::{komadai, text};

fn report(arguments: &[&str]) -> Output {
    komadai("book").arg("report").args(arguments).output().expect("the program starts")
}

/// Creates a working book with two states, between which the start position's value changes by 70
/// centipawns.
fn make_working_book(path: &Path) {
    let mut book = WorkingBook::of_store(Store::create(path).unwrap()).unwrap();
    let imported = AnalystId::new("yuuki", "");
    for record in DbReader::new(yuuki::YANEURAOU_DB.as_bytes(), Tolerance::Lenient) {
        book.merge(&Change::of_record(&record.unwrap(), &imported)).unwrap();
    }
    let evaluate = |book: &mut WorkingBook, name: &str, cp: i32| {
        let line = Line::exact(Score::cp(cp), "9g9f".parse().unwrap());
        let analysis = Analysis { lines: vec![line], nodes: 5, ..Analysis::default() };
        let engine = AnalystId::new(name, "1");
        book.merge(&[LoggedAnalysis::new(Position::hirate(), analysis, engine).into()]).unwrap();
    };
    evaluate(&mut book, "<first>", 2_000);
    let name = "before".to_owned();
    let new = NewSnapshot { name, when: 0, generation: 0, figures: Vec::new() };
    book.store().take_snapshot(&new).unwrap();
    evaluate(&mut book, "second", 2_070);
}

#[test]
fn a_working_book_becomes_a_page_and_json() {
    let folder = tempfile::tempdir().unwrap();
    let (book, page) = (folder.path().join("my.kbook"), folder.path().join("page.html"));
    make_working_book(&book);
    let (book, page) = (book.to_str().unwrap(), page.to_str().unwrap());
    let output = report(&[book, "--out", page, "--notation", "latin", "--side", "black"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains(page));
    let html = fs::read_to_string(page).unwrap();
    assert!(html.starts_with("<!doctype html>") && html.ends_with("</html>\n"));
    for expected in ["<title>my</title>", "P-9f", "+2070", "&lt;first&gt; 1", "Black’s book"] {
        assert!(html.contains(expected), "{expected}");
    }
    assert!(!html.contains("<first>") && !html.contains("White’s book:"));

    let output = report(&[book, "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["now"]["value"], 2_070);
    assert_eq!(json["now"]["positions"], 73);
    let working = &json["working"];
    assert_eq!(working["history"][0]["value"], 2_000);
    assert_eq!(working["changes"]["since"], "before");
    let change = &working["changes"]["biggest"][0];
    assert_eq!((&change["before"], &change["after"]), (&2_000.into(), &2_070.into()));
    assert_eq!(working["pairs"][0]["furthest"][0]["other"], 2_070);
    let lines = json["lines"].as_array().unwrap();
    let sides: Vec<_> = lines.iter().map(|lines| lines["side"].as_str().unwrap()).collect();
    assert_eq!(sides, ["black", "white"]);
    assert_eq!(lines[0]["moves"][0]["move"], "9g9f");
}

#[test]
fn a_book_file_becomes_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let (book, page) = (folder.path().join("yuuki.db"), folder.path().join("page.html"));
    fs::write(&book, yuuki::YANEURAOU_DB).unwrap();
    let (book, page) = (book.to_str().unwrap(), page.to_str().unwrap());
    let root = ["--root", "startpos moves 7g7f"];
    let output = report(&[book, "--out", page, root[0], root[1], "--max-lines", "3"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let html = fs::read_to_string(page).unwrap();
    assert!(html.contains("<dd>73</dd>") && html.contains("△"));
}

#[test]
fn failures_are_reported_and_leave_no_page() {
    let folder = tempfile::tempdir().unwrap();
    let (missing, page) = (folder.path().join("missing.db"), folder.path().join("page.html"));
    let (missing, page_path) = (missing.to_str().unwrap(), page.to_str().unwrap());
    let output = report(&[missing, "--out", page_path]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("missing.db"));
    let book = folder.path().join("my.kbook");
    make_working_book(&book);
    let output = report(&[book.to_str().unwrap(), "--out", page_path, "--since", "never"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("never"));
    let output = report(&[missing, "--root", "startpos moves 7g7e", "--out", page_path]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(report(&[missing, "--side", "nobody"]).status.code(), Some(2));
    assert!(!page.exists());
    let help = text(&report(&["--help"]).stdout);
    assert!(help.contains("Example: komadai book report"));
}
