//! The English of comments and documents: how doc comments begin, words that make riddles, and
//! names of documents that no reader has.

use tidy::source::{files_below, read, relative, root, workspace};

/// The words with which a doc comment does not begin: such a comment is half a sentence.
const NO_OPENINGS: &[&str] = &["What", "How", "Who", "Where", "Why", "Which", "Of", "So"];

/// Words and phrases of a mannered style.
const MANNERED: &[&str] = &[
    "says", "tells", "told", "whatever", "whoever", "nobody", "anew", "of which", "goes on",
    "so many",
];

/// The largest number of each of them per 1,000 words: each has its plain use now and then.
const MAX_MANNERED: f64 = 0.15;

/// A text with the line where it begins.
type Placed = (usize, String);

/// The comments of a file, each with its marker: `//`, `///` or `//!`. A comment behind code on the
/// same line is none of them.
fn comment_lines(text: &str) -> impl Iterator<Item = (usize, &str, &str)> {
    text.lines().enumerate().filter_map(|(index, line)| {
        let line = line.trim_start();
        let marker = ["///", "//!", "//"].into_iter().find(|marker| line.starts_with(marker))?;
        Some((index + 1, marker, &line[marker.len()..]))
    })
}

/// The documentation of an item or a module: consecutive doc comments of one kind.
fn doc_blocks(text: &str) -> Vec<Placed> {
    let mut blocks: Vec<Placed> = Vec::new();
    let mut last = (0, "");
    for (line, marker, text) in comment_lines(text).filter(|(_, marker, _)| *marker != "//") {
        if last == (line - 1, marker) {
            let (_, block) = blocks.last_mut().expect("a line before");
            block.push('\n');
            block.push_str(text);
        } else {
            blocks.push((line, text.to_owned()));
        }
        last = (line, marker);
    }
    blocks
}

/// The first word of a text, without the signs around it; nothing if it begins with code.
fn first_word(text: &str) -> Option<&str> {
    let word = text.split_whitespace().next()?;
    let word = word.trim_start_matches(['*', '_', '(', '"', '“']);
    let end = word.find(|character: char| !character.is_alphabetic()).unwrap_or(word.len());
    Some(&word[..end]).filter(|word| !word.is_empty())
}

/// The words of a text in lower case, with their lines. `_` stands for code, so that the words
/// around it are no phrase.
fn words(text: &str, first_line: usize) -> Vec<(usize, String)> {
    let mut words = Vec::new();
    let mut is_code = false;
    for (number, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            let plain: String = line.split('`').step_by(2).collect::<Vec<_>>().join(" _ ");
            let found = plain.split(|character: char| {
                !(character.is_alphanumeric() || "'_".contains(character))
            });
            let found = found.filter(|word| {
                word.starts_with(|first: char| first == '_' || first.is_alphabetic())
            });
            words.extend(found.map(|word| (first_line + number, word.to_lowercase())));
        }
    }
    words
}

/// The words of all comments of a file.
fn comment_words(text: &str) -> Vec<(usize, String)> {
    let plain = comment_lines(text).filter(|(_, marker, _)| *marker == "//");
    let mut texts: Vec<Placed> = doc_blocks(text);
    texts.extend(plain.map(|(line, _, text)| (line, text.to_owned())));
    texts.sort();
    texts.iter().flat_map(|(line, text)| words(text, *line)).collect()
}

/// The lines in which a phrase stands.
fn lines_with(words: &[(usize, String)], phrase: &str) -> Vec<usize> {
    let parts: Vec<&str> = phrase.split(' ').collect();
    words
        .windows(parts.len())
        .filter(|window| window.iter().map(|(_, word)| word).eq(&parts))
        .map(|window| window[0].0)
        .collect()
}

/// The number of the requirement that a word names, such as `S` with a chapter and a number.
fn requirement(word: &str) -> bool {
    let Some((chapter, number)) = word.strip_prefix('S').and_then(|rest| rest.split_once('.'))
    else {
        return false;
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    chapter.len() == 1 && matches!(chapter.as_bytes()[0], b'0'..=b'4') && is_number(number)
}

/// The lines that name requirements.
fn requirements(text: &str, first_line: usize) -> Vec<Placed> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let words = line.split(|character: char| {
            !(character.is_ascii_alphanumeric() || ".-_".contains(character))
        });
        let names = words.map(|word| word.trim_end_matches('.')).flat_map(|word| word.split('-'));
        found.extend(
            names
                .filter(|word| requirement(word))
                .map(|word| (first_line + number, word.to_owned())),
        );
    }
    found
}

/// The documents for readers: at the root, in `docs/`, in the guide, and the README of each crate.
fn documents() -> Vec<(String, String)> {
    let skipped = ["crates/", "docs/", "guide/", "benches/", "fuzz/", "examples/"];
    let is_document = |path: &str| {
        let is_page = path.starts_with("docs/") || path.starts_with("guide/");
        !path.contains('/') || path.ends_with("README.md") || is_page
    };
    let paths = files_below(root(), "md").into_iter().map(|path| (relative(&path), path));
    let documents: Vec<(String, String)> = paths
        .filter(|(path, _)| {
            !path.contains('/') || skipped.iter().any(|start| path.starts_with(start))
        })
        .filter(|(path, _)| is_document(path))
        .map(|(name, path)| (name, read(&path)))
        .collect();
    assert!(documents.len() > 10, "only {} documents found", documents.len());
    documents
}

#[test]
fn doc_comments_begin_with_a_noun_or_a_verb() {
    let mut count = 0;
    let mut found = Vec::new();
    for file in &workspace().files {
        for (line, text) in doc_blocks(&file.text) {
            count += 1;
            if first_word(&text).is_some_and(|word| NO_OPENINGS.contains(&word)) {
                let opening = text.trim().lines().next().unwrap_or_default();
                found.push(format!("{}:{line}: {opening}", file.path));
            }
        }
    }
    assert!(count > 3_000, "only {count} doc comments found");
    assert!(
        found.is_empty(),
        "{} doc comments begin with one of {NO_OPENINGS:?}; begin with the thing that the item is, or \
         with a verb in the third person:\n{}",
        found.len(),
        found.join("\n")
    );
}

#[test]
fn mannered_words_are_rare() {
    let mut texts: Vec<(&str, Vec<(usize, String)>)> = Vec::new();
    let documents = documents();
    texts.extend(
        workspace().files.iter().map(|file| (file.path.as_str(), comment_words(&file.text))),
    );
    texts.extend(documents.iter().map(|(path, text)| (path.as_str(), words(text, 1))));
    let count: usize = texts.iter().map(|(_, words)| words.len()).sum();
    assert!(count > 50_000, "only {count} words found");
    let mut faults = Vec::new();
    for phrase in MANNERED {
        let places: Vec<String> = texts
            .iter()
            .flat_map(|(path, words)| {
                lines_with(words, phrase)
                    .into_iter()
                    .map(move |line| format!("{path}:{line}: {phrase}"))
            })
            .collect();
        println!("{}", places.join("\n"));
        let rate = 1_000.0 * places.len() as f64 / count as f64;
        println!("\"{phrase}\": {} in {count} words, {rate:.2} per 1,000", places.len());
        if rate > MAX_MANNERED {
            faults.push(format!("\"{phrase}\": {rate:.2} per 1,000 words"));
        }
    }
    assert!(
        faults.is_empty(),
        "more than {MAX_MANNERED} per 1,000 words of comments and documents. Name the subject and \
         use a plain verb (reports, contains, returns, any, no one, again). The places stand \
         above:\n{}",
        faults.join("\n")
    );
}

#[test]
fn documents_name_no_requirements() {
    let mut found = Vec::new();
    for file in workspace().files.iter().filter(|file| !file.path.contains("tests")) {
        for (line, text) in doc_blocks(&file.text) {
            let places = requirements(&text, line).into_iter();
            found.extend(places.map(|(line, name)| format!("{}:{line}: {name}", file.path)));
        }
    }
    for (path, text) in documents() {
        let places = requirements(&text, 1);
        found.extend(places.into_iter().map(|(line, name)| format!("{path}:{line}: {name}")));
    }
    assert!(
        found.is_empty(),
        "{} requirement ids in published texts, which no reader can look up. Name the paper or the \
         technique; ids may stand in tests:\n{}",
        found.len(),
        found.join("\n")
    );
}

/// The READMEs, which are published outside the repository, too.
fn readmes() -> Vec<(String, String)> {
    documents().into_iter().filter(|(path, _)| path.contains("README")).collect()
}

/// The pages of the guide, in all languages.
fn guide_pages() -> Vec<(String, String)> {
    documents().into_iter().filter(|(path, _)| path.starts_with("guide/")).collect()
}

/// The targets of the links in a Markdown text.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split(')').next())
}

#[test]
fn links_of_readmes_are_absolute() {
    let manifest = read(&root().join("Cargo.toml"));
    let address = manifest.split("repository = \"").nth(1).and_then(|rest| rest.split('"').next());
    let address = address.expect("the manifest has an address");
    let name = address.trim_start_matches("https://github.com/");
    let mut found = Vec::new();
    for (path, text) in readmes() {
        let bad = links(&text).filter(|link| {
            let is_absolute = link.starts_with("https://") || link.starts_with('#');
            let is_own = link.contains("github") && link.contains("komadai");
            !is_absolute || is_own && !link.contains(name)
        });
        found.extend(bad.map(|link| format!("{path}: {link}")));
    }
    assert!(
        found.is_empty(),
        "links of READMEs lead nowhere on crates.io and docs.rs unless they are absolute, with \
         {address}:\n{}",
        found.join("\n")
    );
}

#[test]
fn examples_of_readmes_hide_no_lines() {
    let mut found = Vec::new();
    for (path, text) in readmes().into_iter().chain(guide_pages()) {
        let mut is_rust = false;
        for (number, line) in text.lines().enumerate() {
            if line.starts_with("```") {
                is_rust = line.starts_with("```rust");
            } else if is_rust && (line.trim() == "#" || line.trim().starts_with("# ")) {
                found.push(format!("{path}:{}: {line}", number + 1));
            }
        }
    }
    assert!(
        found.is_empty(),
        "only rustdoc hides these lines; a page of a repository or registry shows them. Write \
         `fn main() -> Result<…>`:\n{}",
        found.join("\n")
    );
}

#[test]
fn pages_of_the_guide_are_in_both_languages() {
    let pages = guide_pages();
    assert!(pages.len() > 20, "only {} pages found", pages.len());
    for (path, text) in &pages {
        let other = match path.strip_prefix("guide/en/") {
            Some(page) => format!("guide/ja/{page}"),
            None => path.replace("guide/ja/", "guide/en/"),
        };
        let other = pages.iter().find(|(path, _)| *path == other);
        let (_, other) =
            other.unwrap_or_else(|| panic!("{path} has no page in the other language"));
        let blocks = |text: &str| text.lines().filter(|line| line.starts_with("```")).count();
        assert_eq!(blocks(text), blocks(other), "{path} has other programs than its translation");
    }
}

#[test]
fn prose_is_read_rightly() {
    let text = "//! What it is.\n//! More.\n\n/// How it\n/// goes.\nfn f() {}\n/// `What` is code.\n\
                #[inline]\nfn g() {} // says\n    // It says.\n";
    let blocks = doc_blocks(text);
    let openings: Vec<Option<&str>> = blocks.iter().map(|(_, text)| first_word(text)).collect();
    assert_eq!(openings, [Some("What"), Some("How"), None]);
    assert_eq!(blocks[1], (4, " How it\n goes.".to_owned()));
    assert_eq!(lines_with(&comment_words(text), "says"), [10]);

    let text = "It goes\non. `says` goes `x` on says\n```\nsays\n```\nSO many";
    assert_eq!(lines_with(&words(text, 5), "goes on"), [5]);
    assert_eq!(lines_with(&words(text, 5), "says"), [6]);
    assert_eq!(lines_with(&words(text, 5), "so many"), [10]);

    let text = format!("(S{}), S{}.\nUS1.2 S5.1 S1.x S1.2.3 S1", "1.4", "3.10");
    assert_eq!(requirements(&text, 7), [(7, "S1.4".to_owned()), (7, "S3.10".to_owned())]);
}
