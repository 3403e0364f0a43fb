//! The study on small books.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use komadai::core::Language;

use crate::claim::{Judged, Verdict};
use crate::frontier::book::Book;
use crate::frontier::{FrontierStudyOptions, Study, page};

fn options(folder: &std::path::Path) -> FrontierStudyOptions {
    FrontierStudyOptions {
        books: Vec::new(),
        folder: folder.to_owned(),
        grown: NonZero::new(11).unwrap(),
        positions: 8,
        nodes: 60,
        eval_diff: 30,
        threads: NonZero::new(2).unwrap(),
    }
}

fn verdict(text: &str, findings: &crate::Findings) -> Verdict {
    let page = page::page(findings);
    let is_meant = |one: &&Judged| one.text(Language::English).contains(text);
    page.claims().find(is_meant).expect(text).verdict()
}

#[test]
fn books_are_grown_once_and_counted_alike() {
    let folder = tempfile::tempdir().unwrap();
    let stop = Arc::<AtomicBool>::default();
    let options = options(folder.path());
    let first = options.measure("x", &stop).unwrap();
    // The second run reads the books, one thread makes the same ones.
    let second = options.measure("x", &stop).unwrap();
    assert_eq!(first, second);
    let other = tempfile::tempdir().unwrap();
    let one = FrontierStudyOptions {
        folder: other.path().to_owned(),
        threads: NonZero::<usize>::MIN,
        ..options
    };
    assert_eq!(one.measure("x", &stop).unwrap(), first);
    assert_eq!(first.get("books").unwrap().value, 11.0);
    let refreshed = first.get("refreshed").unwrap();
    assert!(refreshed.value > 0.0 && refreshed.value <= 1.0, "{refreshed:?}");
    let text = page::page(&first).markdown(Language::English);
    assert!(text.contains("| both sides free |") && text.contains("5,000,000"), "{text}");
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let stopped = FrontierStudyOptions { nodes: 61, ..one };
    assert!(stopped.measure("x", &stop).is_err());
}

/// Planted counts: a book whose lines are exactly the square root, and one where both sides' best
/// moves leave as many lines as free play.
#[test]
fn the_square_root_is_confirmed_where_it_is_true_only() {
    let folder = tempfile::tempdir().unwrap();
    let stop = Arc::<AtomicBool>::default();
    let options = options(folder.path());
    options.measure("x", &stop).unwrap();
    let path = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let path = path.min().unwrap();
    let planted = |power: f64| {
        let books: Vec<Book> = (0..5)
            .map(|_| {
                let mut study = Study::of_file(&path, 30).unwrap();
                for row in &mut study.plies {
                    row.free_lines = f64::from(row.max_ply).exp2() + 2.0;
                    row.best_lines = [row.free_lines.powf(power); 2];
                }
                Book { study, refreshed: None }
            })
            .collect();
        verdict("square root", &page::findings(&books, &options, "x"))
    };
    assert_eq!(planted(0.5), Verdict::Confirmed);
    assert_eq!(planted(0.9), Verdict::NotConfirmed);
}

#[test]
fn a_broken_book_is_an_error_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none.db");
    let options = FrontierStudyOptions { books: vec![path], ..options(folder.path()) };
    let error = options.measure("x", &Arc::default()).unwrap_err();
    assert!(format!("{error:#}").contains("none.db"), "{error:#}");
}
