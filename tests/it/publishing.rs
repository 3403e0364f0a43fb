//! What readers of crates.io and of the READMEs see.

use std::fs;

use crate::source::{crate_folders, read, root};

/// The value of a key of `[package]`, as the manifest states it.
fn value<'m>(manifest: &'m str, key: &str) -> Option<&'m str> {
    let package = manifest.split("[package]").nth(1)?;
    let package = package.split("\n[").next()?;
    let lines = package.lines().filter_map(|line| line.split_once(" = "));
    lines.into_iter().find(|(name, _)| *name == key).map(|(_, value)| value)
}

/// The words in quotes of a list.
fn words(list: &str) -> Vec<&str> {
    list.split('"').skip(1).step_by(2).collect()
}

/// The manifests of the published crates, by name.
fn published() -> Vec<(String, String)> {
    let folders = crate_folders().into_iter().chain([root().to_owned()]);
    let manifests = folders.map(|folder| (folder.clone(), read(&folder.join("Cargo.toml"))));
    manifests
        .filter(|(_, manifest)| !manifest.contains("publish = false"))
        .map(|(_, manifest)| {
            let name = words(value(&manifest, "name").expect("a crate has a name"))[0].to_owned();
            (name, manifest)
        })
        .collect()
}

#[test]
fn every_published_crate_contains_the_licence() {
    let licence = read(&root().join("LICENSE"));
    for folder in crate_folders() {
        if read(&folder.join("Cargo.toml")).contains("publish = false") {
            continue;
        }
        let copy = fs::read_to_string(folder.join("LICENSE"));
        assert!(
            copy.is_ok_and(|copy| copy == licence),
            "{}: the licence is to be in every copy; add `LICENSE`, the same as that of the root",
            folder.display()
        );
    }
}

/// The categories of crates.io that the crates may have.
const CATEGORIES: [&str; 5] = [
    "games",
    "parser-implementations",
    "science",
    "command-line-utilities",
    "command-line-interface",
];

/// Words that the description of a crate must have, because people search for them.
const SOUGHT: &[(&str, &[&str])] = &[
    ("komadai", &["rules", "move generation", "search", "tsume", "opening books", "game records"]),
    (
        "komadai-kifu",
        &["KIF,", "KI2,", "CSA", "JKF", "USEN", "USI", "variations", "Japanese notation"],
    ),
    ("komadai-search", &["alpha-beta", "Monte Carlo"]),
    ("komadai-cli", &["analysis", "conversion", "training", "opening books", "tsume", "USI"]),
    ("komadai-train", &["self-play", "networks"]),
    ("komadai-report", &["SVG", "games", "opening books"]),
];

#[test]
fn manifests_are_as_the_registry_wants_them() {
    for (name, manifest) in published() {
        let description = words(value(&manifest, "description").unwrap_or_default()).concat();
        assert!((20..=200).contains(&description.len()), "{name}: {description:?}");
        assert!(!description.ends_with('.'), "{name}: {description:?}");
        let keywords = words(value(&manifest, "keywords").unwrap_or_default());
        assert!((3..=5).contains(&keywords.len()), "{name}: {keywords:?}, expected three to five");
        for word in &keywords {
            let is_valid = word.len() <= 20
                && word.starts_with(|c: char| c.is_ascii_lowercase())
                && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
            assert!(is_valid, "{name}: keyword {word:?}");
        }
        assert_eq!(keywords[0], "shogi", "{name}");
        let own = words(value(&manifest, "categories").unwrap_or_default());
        let categories = if own.is_empty() { vec!["games"] } else { own };
        assert!(categories.iter().all(|one| CATEGORIES.contains(one)), "{name}: {categories:?}");
        assert_eq!(categories[0], "games", "{name}");
    }
    let shared = read(&root().join("Cargo.toml"));
    assert!(shared.contains("\ncategories = [\"games\"]\n"), "the shared categories");
}

#[test]
fn descriptions_name_what_people_search_for() {
    let published = published();
    for (name, sought) in SOUGHT {
        let (_, manifest) =
            published.iter().find(|(known, _)| known == name).expect("it is published");
        let description = words(value(manifest, "description").unwrap_or_default()).concat();
        for word in *sought {
            assert!(description.contains(word), "{name}: no {word:?} in {description:?}");
        }
    }
}

/// The intervals of strengths in a text, such as `[−12, +54]`.
fn intervals(text: &str) -> Vec<&str> {
    let is_interval = |text: &&str| {
        let parts: Vec<&str> = text.split(", ").collect();
        parts.len() == 2
            && parts.iter().all(|part| {
                let digits = part.trim_start_matches(['−', '+']);
                digits.len() < part.len() && digits.chars().all(|c| c.is_ascii_digit())
            })
    };
    let inner = text.split('[').skip(1).filter_map(|rest| rest.split(']').next());
    inner.filter(is_interval).collect()
}

#[test]
fn figures_of_the_readmes_are_those_of_the_documents() {
    let folder = fs::read_dir(root().join("docs")).expect("a folder");
    let paths = folder.map(|entry| entry.expect("readable").path());
    let documents: String = paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .map(|path| read(&path))
        .collect();
    for readme in ["README.md", "README.ja.md"] {
        let text = read(&root().join(readme)).replace('\n', " ");
        let found = intervals(&text);
        assert!(found.len() >= 3, "{readme}: {found:?}");
        for interval in found {
            assert!(documents.contains(&format!("[{interval}]")), "{readme}: [{interval}]");
        }
    }
}

#[test]
fn parts_of_manifests_are_found() {
    let manifest =
        "[package]\nname = \"a\"\nkeywords = [\"shogi\", \"b\"]\n\n[lib]\nname = \"c\"\n";
    assert_eq!(value(manifest, "name"), Some("\"a\""));
    assert_eq!(value(manifest, "keywords").map(words), Some(vec!["shogi", "b"]));
    assert_eq!(value(manifest, "bench"), None);
    assert_eq!(intervals("[a](b) +5 [−12, +54], [1, 2], [x]"), ["−12, +54"]);
}
