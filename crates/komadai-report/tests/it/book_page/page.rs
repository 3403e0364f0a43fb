//! The structure of the page.

use std::collections::BTreeSet;

use komadai_bookgraph::GraphBuilder;
use komadai_core::Language;
use komadai_kifu::{Notation, Tolerance};
use komadai_report::book_page::{PageLook, ReportData, ReportOptions, write_report};
use komadai_testdata::books::yuuki;

use super::grown_book::{GrownBook, HOSTILE};
use crate::markup::Markup;

fn page(data: &ReportData, language: Language, notation: Notation) -> String {
    let mut page = Vec::new();
    let look = PageLook { notation, ..PageLook::new(language) };
    write_report(&mut page, data, &look).unwrap();
    String::from_utf8(page).unwrap()
}

fn check(page: &str) -> Markup {
    let markup = Markup::check(page).unwrap_or_else(|fault| panic!("{fault}\n{page}"));
    for forbidden in ["http:", "https:", "url(", "src=", "@import", "<link"] {
        assert!(!page.contains(forbidden), "the page has {forbidden}");
    }
    assert_eq!((markup.count("script"), markup.count("style")), (1, 1));
    markup
}

#[test]
fn pages_of_working_books_are_well_formed_whatever_names_say() {
    for seed in 0..6 {
        let grown = GrownBook::new(seed);
        let options = ReportOptions { title: HOSTILE.to_owned(), ..ReportOptions::default() };
        let data = ReportData::of_working_book(&grown.book, &options).unwrap();
        for (index, notation) in Notation::ALL.into_iter().enumerate() {
            let language = [Language::English, Language::Japanese][index % 2];
            let page = page(&data, language, notation);
            let markup = check(&page);
            assert!(!page.contains(HOSTILE) && !page.contains("<script>alert"));
            assert!(page.contains("&lt;/table&gt;&lt;script&gt;"), "the name is shown");
            assert!(page.contains("lost &lt;b&gt;"), "reasons are shown");
            assert!(page.contains("games &lt;2&gt; &amp; more"), "sources are shown");
            // Lines, first moves, end, changes, games, branches, pruning, engines, growth.
            assert_eq!((markup.count("h1"), markup.count("section")), (1, 9));
            assert!(markup.count("svg") > 10 && markup.count("details") > 10);
            assert!(page.contains("class=\"step own\""));
        }
        let twice = [(); 2].map(|()| page(&data, Language::Japanese, Notation::Usi));
        assert_eq!(twice[0], twice[1]);
    }
}

/// The words of more than three letters outside of elements and programs, without those that
/// Japanese pages have as well.
fn foreign_words(page: &str) -> BTreeSet<String> {
    let mut text = page.to_owned();
    for name in ["script", "style", "code", "title", "svg"] {
        let (start, end) = (format!("<{name}"), format!("</{name}>"));
        while let Some(from) = text.find(&start) {
            let to = from + text[from..].find(&end).unwrap() + end.len();
            text.replace_range(from..to, " ");
        }
    }
    let texts = text.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text);
    let words = texts.flat_map(|text| text.split(|c: char| !c.is_ascii_alphabetic()));
    let known = ["SFEN", "Home", "komadai", "nbsp"];
    let foreign = words.filter(|word| word.len() > 3 && !known.contains(word));
    foreign.map(str::to_owned).collect()
}

#[test]
fn rows_are_bounded() {
    let grown = GrownBook::new(3);
    let rows = |max_rows: usize, max_lines: usize| {
        let options = ReportOptions { max_rows, max_lines, ..ReportOptions::default() };
        let data = ReportData::of_working_book(&grown.book, &options).unwrap();
        let markup = check(&page(&data, Language::English, Notation::Usi));
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
    let options = ReportOptions { title: "定跡".to_owned(), ..ReportOptions::default() };
    let data = ReportData::of_graph(&graph, &options);
    let japanese = page(&data, Language::Japanese, Notation::Japanese);
    let markup = check(&japanese);
    assert_eq!(markup.count("section"), 3, "lines, first moves, end");
    assert!(japanese.contains("<dd>73</dd>"), "73 positions");
    assert!(japanese.contains("▲７六歩"));
    assert_eq!(foreign_words(&japanese), BTreeSet::new());
    assert!(page(&data, Language::English, Notation::Hodges).contains("P-7f"));
}

#[test]
fn an_empty_book_has_a_page() {
    let graph = GraphBuilder::new().finish().unwrap();
    let data = ReportData::of_graph(&graph, &ReportOptions::default());
    assert_eq!((data.now.positions, data.now.root), (0, None));
    check(&page(&data, Language::Japanese, Notation::Japanese));
}

#[test]
fn young_books_have_no_history_and_no_empty_rows() {
    let grown = GrownBook::new(1);
    let mut data = ReportData::of_working_book(&grown.book, &ReportOptions::default()).unwrap();
    let old = page(&data, Language::English, Notation::Usi);
    assert!(old.contains("<h2>Growth</h2>"));
    data.working.as_mut().unwrap().history.truncate(2);
    let young = page(&data, Language::English, Notation::Usi);
    assert!(!young.contains("<h2>Growth</h2>"), "two states show no course");
    for page in [old, young] {
        let rows = page.split("<tr><th>").filter(|row| row.starts_with("day<"));
        assert!(rows.into_iter().all(|row| !row.contains("<td>–</td>")));
    }
}

#[test]
fn changed_positions_have_lines_of_moves() {
    let grown = GrownBook::new(2);
    let since = Some(grown.moments[0].name.clone());
    let options = ReportOptions { since, ..ReportOptions::default() };
    let data = ReportData::of_working_book(&grown.book, &options).unwrap();
    let changes = data.working.as_ref().unwrap().changes.as_ref().unwrap();
    let mut with_line = 0;
    for change in &changes.biggest {
        let Some(line) = &change.line else { continue };
        let reached = line.iter().fold(data.root.clone(), |at, &m| at.after(m));
        assert!(reached.same_placement(&change.position), "{}", change.position);
        with_line += usize::from(!line.is_empty());
    }
    assert!(with_line > 0, "no line");
    let page = page(&data, Language::Japanese, Notation::Japanese);
    assert_eq!(page.matches("id=\"change-").count(), changes.biggest.len());
    let head = page.split("<body>").next().unwrap();
    assert!(head.contains("<meta name=\"description\" content=\"将棋の定跡、"), "{head}");
    assert!(page.contains("<footer>komadai で作成："));
}
