//! The structure of the page.

use komadai_bookgraph::GraphBuilder;
use komadai_kifu::{Notation, Tolerance};
use komadai_report::book_page::{ReportData, ReportOptions, write_report};
use komadai_testdata::books::yuuki;

use super::grown_book::{GrownBook, HOSTILE};
use crate::markup::Markup;

fn page(data: &ReportData, notation: Notation) -> String {
    let mut page = Vec::new();
    write_report(&mut page, data, notation).unwrap();
    String::from_utf8(page).unwrap()
}

fn check(page: &str) -> Markup {
    let markup = Markup::check(page).unwrap_or_else(|fault| panic!("{fault}\n{page}"));
    for forbidden in ["http", "url(", "src=", "@import", "<link"] {
        assert!(!page.contains(forbidden), "the page has {forbidden}");
    }
    assert_eq!((markup.count("script"), markup.count("style")), (0, 1));
    markup
}

#[test]
fn pages_of_working_books_are_well_formed_whatever_names_say() {
    for seed in 0..6 {
        let grown = GrownBook::new(seed);
        let options = ReportOptions { title: HOSTILE.to_owned(), ..ReportOptions::default() };
        let data = ReportData::of_working_book(&grown.book, &options).unwrap();
        for notation in Notation::ALL {
            let page = page(&data, notation);
            let markup = check(&page);
            assert!(!page.contains(HOSTILE) && !page.contains("<script"));
            assert!(page.contains("&lt;/table&gt;&lt;script&gt;"), "the name is shown");
            assert!(page.contains("lost &lt;b&gt;"), "reasons are shown");
            assert!(page.contains("games &lt;2&gt; &amp; more"), "sources are shown");
            // Title, growth, lines, first moves, end, games, branches, pruning, changes, engines.
            assert_eq!((markup.count("h1"), markup.count("section")), (1, 9));
            assert!(markup.count("svg") > 10 && markup.count("details") > 10);
            assert!(page.contains("class=\"step own\""));
        }
        assert_eq!(page(&data, Notation::Usi), page(&data, Notation::Usi));
    }
}

#[test]
fn rows_are_bounded() {
    let grown = GrownBook::new(3);
    let rows = |max_rows: usize, max_lines: usize| {
        let options = ReportOptions { max_rows, max_lines, ..ReportOptions::default() };
        let data = ReportData::of_working_book(&grown.book, &options).unwrap();
        let markup = check(&page(&data, Notation::Usi));
        (markup.count("tr"), markup.count("b"))
    };
    let (few, all) = (rows(1, 2), rows(10_000, 10_000));
    // The table of growth and that of frontiers have as many rows as there are kinds of numbers.
    assert!(few.0 < 60 && all.0 > 100, "{few:?} {all:?}");
    assert!(all.1 > few.1, "{few:?} {all:?}");
}

#[test]
fn pages_of_book_files_tell_what_a_file_knows() {
    let mut builder = GraphBuilder::new();
    builder.read_db(yuuki::YANEURAOU_DB.as_bytes(), Tolerance::Lenient).unwrap();
    let graph = builder.finish().unwrap();
    let data = ReportData::of_graph(&graph, &ReportOptions::default());
    let japanese = page(&data, Notation::Japanese);
    let markup = check(&japanese);
    assert_eq!(markup.count("section"), 3, "lines, first moves, end");
    assert!(japanese.contains("<dd>73</dd>"), "73 positions");
    assert!(japanese.contains("▲７六歩"));
    assert!(page(&data, Notation::Hodges).contains("P-7f"));
}

#[test]
fn an_empty_book_has_a_page() {
    let graph = GraphBuilder::new().finish().unwrap();
    let data = ReportData::of_graph(&graph, &ReportOptions::default());
    assert_eq!((data.now.positions, data.now.root), (0, None));
    check(&page(&data, Notation::Japanese));
}
