//! Settings that users can write as structs, errors that can grow, and public items with a user.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use tidy::source::{SourceFile, files_below, read, relative, root, workspace};

/// The last words of the names of structs that hold settings.
const SETTINGS: &[&str] = &["Options", "Settings", "Config", "Policy", "Limits", "Budget"];

/// The faults of a file: settings that cannot be written as `Options { threads: 4, ..default }`,
/// and public errors that other crates could match exhaustively.
fn faults(file: &SourceFile) -> Vec<String> {
    let mut found = Vec::new();
    let mut start = 0;
    for at in 0..file.code.len().saturating_sub(2) {
        let text = |at: usize| file.code[at].text.as_str();
        if [";", "}"].contains(&text(at)) {
            start = at;
        }
        let name = text(at + 2);
        let is_closed = file.code[start..at].iter().any(|token| token.text == "non_exhaustive");
        let is_settings =
            text(at + 1) == "struct" && SETTINGS.iter().any(|end| name.ends_with(end));
        let is_error = text(at + 1) == "enum" && name.ends_with("Error");
        if text(at) == "pub" && (is_settings && is_closed || is_error && !is_closed) {
            found.push(format!("{}:{}: {name}", file.path, file.code[at].line));
        }
    }
    found
}

/// True for the sources of a published library.
fn is_library(path: &str) -> bool {
    path.starts_with("crates/")
        && path.contains("/src/")
        && !["testdata", "lab", "cli"].iter().any(|name| path.contains(&format!("komadai-{name}/")))
}

#[test]
fn settings_are_plain_and_errors_can_grow() {
    let libraries = workspace().files.iter().filter(|file| is_library(&file.path));
    let found: Vec<String> = libraries.flat_map(faults).collect();
    assert!(
        found.is_empty(),
        "users cannot write `#[non_exhaustive]` settings with `..Default::default()`; errors need \
         the attribute: {found:#?}"
    );
}

#[test]
fn faults_of_types_are_found() {
    let text = "pub struct AOptions { pub a: u8 }\n\
                #[derive(Debug)] #[non_exhaustive] pub struct BOptions { pub b: u8 }\n\
                pub enum CError { C }\n\
                #[non_exhaustive] pub enum DError { D }\n\
                pub enum Color { Black, White }\n\
                #[cfg(test)] mod tests { pub enum EError { E } }";
    let (file, _) = SourceFile::new("a.rs", text);
    assert_eq!(faults(&file), ["a.rs:2: BOptions", "a.rs:3: CError"]);
}

/// The crate of a path in `crates/`, else the first folder.
fn area(path: &str) -> &str {
    let mut parts = path.split('/');
    match (parts.next(), parts.next()) {
        (Some("crates"), Some(name)) => name,
        (Some(folder), _) => folder,
        _ => path,
    }
}

/// The words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !(character.is_alphanumeric() || character == '_'))
        .filter(|word| !word.is_empty())
}

/// The words of the programs in doc comments of a file: every line of `///` and `//!` between
/// fences.
fn doc_test_words(text: &str) -> HashSet<&str> {
    let mut found = HashSet::new();
    let mut is_code = false;
    for line in text.lines().map(str::trim_start) {
        let Some(line) = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")) else {
            is_code = false;
            continue;
        };
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if is_code {
            found.extend(words(line));
        }
    }
    found
}

/// The words of Rust programs in Markdown files.
fn program_words(text: &str) -> impl Iterator<Item = &str> {
    text.split("```").skip(1).step_by(2).flat_map(words)
}

#[test]
fn public_items_have_a_user() {
    let files = &workspace().files;
    // Where a word stands: the areas whose code names it. Integration tests are no users: a library
    // is not better for an item that nothing but its own tests calls.
    let mut users: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut shown: HashSet<&str> = HashSet::new();
    for file in files {
        shown.extend(doc_test_words(&file.text));
        if file.path.contains("/tests/") {
            continue;
        }
        for token in &file.code {
            users.entry(&token.text).or_default().insert(area(&file.path));
        }
    }
    let pages = ["guide", "crates", "docs"];
    let pages = pages.iter().flat_map(|folder| files_below(&root().join(folder), "md"));
    let pages: Vec<String> =
        pages.chain([root().join("README.md")]).map(|path| read(&path)).collect();
    shown.extend(pages.iter().flat_map(|text| program_words(text)));
    let mut found = Vec::new();
    for file in files.iter().filter(|file| is_library(&file.path)) {
        let own = area(&file.path);
        for (name, line) in &file.public {
            let is_used =
                users.get(name.as_str()).is_some_and(|users| users.iter().any(|user| *user != own));
            // What the crate's own public items take or return is reached through them.
            let is_named_inside = is_type(name) && file_count(files, own, name) > 1;
            // A trait that no user can name keeps users from implementing another one.
            let is_seal = name == "Sealed";
            if !is_used && !is_named_inside && !is_seal && !shown.contains(name.as_str()) {
                found.push(format!("{}:{line}: {name}", file.path));
            }
        }
    }
    assert!(
        found.is_empty(),
        "{} public items that no other crate, program, page or doc test names. Make them private, \
         delete them, or show their use in a doc test:\n{}",
        found.len(),
        found.join("\n")
    );
}

/// True for the name of a type or a trait.
fn is_type(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.chars().any(char::is_lowercase)
}

/// The number of files of a crate that name a word.
fn file_count(files: &[SourceFile], own: &str, name: &str) -> usize {
    let of_crate = files.iter().filter(|file| area(&file.path) == own);
    of_crate.filter(|file| file.code.iter().any(|token| token.text == name)).count()
}

#[test]
fn doc_tests_are_read() {
    let text =
        "/// Adds `one`.\n///\n/// ```\n/// let two = three();\n/// ```\n/// four\nfn five() {}";
    let mut found: Vec<&str> = doc_test_words(text).into_iter().collect();
    found.sort_unstable();
    assert_eq!(found, ["let", "three", "two"]);
    assert_eq!(program_words("a\n```rust\nb::c\n```\nd").collect::<Vec<_>>(), ["rust", "b", "c"]);
    assert!(relative(root()).is_empty() && is_type("Game") && !is_type("MAX"));
}
