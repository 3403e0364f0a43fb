//! The committed pages, and the languages and forms of all pages.

use std::fs;
use std::path::{Path, PathBuf};

use clap::ValueEnum as _;
use komadai::core::Language;
use komadai_study::{Findings, Page, Source, Verdict, to_json};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/study")
}

fn findings(source: Source) -> Findings {
    let path = folder().join(format!("{}.tsv", source.name()));
    Findings::read(&path, source.name()).expect("the committed findings")
}

fn pages() -> impl Iterator<Item = (Source, Page)> {
    Source::value_variants().iter().map(|&source| (source, source.page(&findings(source))))
}

#[test]
fn committed_pages_are_those_of_the_committed_findings() {
    for (source, page) in pages() {
        for (language, infix) in [(Language::English, ""), (Language::Japanese, ".ja")] {
            let name = format!("{}{infix}.md", source.name());
            let text = fs::read_to_string(folder().join(&name)).expect("a page");
            assert_eq!(
                text,
                page.markdown(language),
                "{name}: write it again by `komadai study {} --data docs/study/{}.tsv --format md \
                 --out docs/study`, with and without `--lang ja`",
                source.name(),
                source.name()
            );
        }
    }
}

/// Returns the longest run of English words outside of code.
fn english_words(line: &str) -> usize {
    let plain: String = line.split('`').step_by(2).collect::<Vec<_>>().join("。");
    let is_word = |word: &&str| word.len() > 1 && word.chars().all(|c| c.is_ascii_alphabetic());
    let words: Vec<&str> = plain.split(' ').collect();
    words.split(|word| !is_word(word)).map(<[&str]>::len).max().unwrap_or(0)
}

#[test]
fn no_english_sentence_stands_on_a_japanese_page() {
    assert_eq!(english_words("この the quick brown fox は"), 4);
    for (source, page) in pages() {
        for line in page.markdown(Language::Japanese).lines() {
            assert!(english_words(line) < 3, "{}: {line}", source.name());
        }
        let english = page.markdown(Language::English);
        let is_japanese = |c: char| ('\u{3040}'..='\u{30ff}').contains(&c);
        // Titles of the sources and names of terms stand in parentheses.
        let kana =
            english.lines().filter(|line| line.chars().filter(|&c| is_japanese(c)).count() > 40);
        assert_eq!(kana.count(), 0, "{english}");
    }
}

#[test]
fn pages_without_findings_decide_nothing() {
    for &source in Source::value_variants() {
        let empty = Findings::new(source.name(), "nothing <script>alert(1)</script>");
        let page = source.page(&empty);
        assert!(page.claims().count() >= 7, "{}", source.name());
        for judged in page.claims() {
            assert_eq!(
                judged.verdict(),
                Verdict::NotDecidedHere,
                "{}",
                judged.text(Language::English)
            );
        }
        for language in [Language::English, Language::Japanese] {
            let html = page.html(language);
            assert!(!html.contains("<script") && html.contains("&lt;script&gt;"), "{html}");
            assert!(html.contains("default-src &#39;none&#39;"), "{html}");
            assert!(!html.contains("://"), "{html}");
        }
    }
}

#[test]
fn html_is_well_formed_and_json_has_all_claims() {
    for (source, page) in pages() {
        for language in [Language::English, Language::Japanese] {
            let html = page.html(language);
            for tag in
                ["p", "ul", "li", "table", "tr", "td", "th", "section", "code", "em", "b", "span"]
            {
                let open = html.matches(&format!("<{tag}>")).count()
                    + html.matches(&format!("<{tag} ")).count();
                let closed = html.matches(&format!("</{tag}>")).count();
                assert_eq!(open, closed, "{}: {tag}", source.name());
            }
            let json = to_json(&page, &findings(source), language);
            let claims = json["claims"].as_array().expect("a list");
            assert_eq!(claims.len(), page.claims().count());
            assert!(claims.iter().all(|claim| claim["verdict"].is_string()));
            assert!(json["figures"].as_object().is_some_and(|figures| figures.len() > 10));
        }
    }
}

#[test]
fn each_page_decides_most_of_its_claims() {
    for (source, page) in pages() {
        let all = page.claims().count();
        let open = page.claims().filter(|one| one.verdict() == Verdict::NotDecidedHere).count();
        assert!(2 * open < all, "{}: {}", source.name(), page.summary(Language::English));
    }
}
