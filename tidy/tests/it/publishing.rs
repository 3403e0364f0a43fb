//! The parts of the crates that readers of crates.io and of the READMEs see.

use std::fs;

use cargo_metadata::Package;
use tidy::source::{crates, files_below, is_published, packages, read, root};

/// The crates that go to the registry.
fn published() -> impl Iterator<Item = &'static Package> {
    crates().filter(|package| is_published(package))
}

#[test]
fn every_published_crate_contains_the_licence() {
    let licence = read(&root().join("LICENSE"));
    for package in published() {
        let folder = package.manifest_path.parent().expect("a folder");
        let copy = fs::read_to_string(folder.join("LICENSE"));
        assert!(
            copy.is_ok_and(|copy| copy == licence),
            "{}: the licence is to be in every copy; add `LICENSE`, the same as that of the root",
            package.name
        );
    }
}

#[test]
fn the_bindings_have_the_version_and_the_licence_of_the_crates() {
    let version = |manifest: &str| {
        let text = read(&root().join(manifest));
        let line = text.lines().find(|line| line.starts_with("version = ")).map(str::to_owned);
        line.unwrap_or_else(|| panic!("{manifest} has no line with the version"))
    };
    for folder in ["bindings/c", "bindings/python", "bindings/wasm"] {
        let found = version(&format!("{folder}/Cargo.toml"));
        assert_eq!(found, version("Cargo.toml"), "{folder}: take the version of the workspace");
        let licence = read(&root().join(folder).join("LICENSE"));
        assert_eq!(
            licence,
            read(&root().join("LICENSE")),
            "{folder}: take the licence of the root"
        );
    }
    // The build writes the version of the manifest above into that of npm.
    let npm = read(&root().join("bindings/wasm/package.json"));
    assert!(
        npm.contains("\"version\": \"\""),
        "bindings/wasm/package.json: leave the version empty"
    );
}

/// The categories of crates.io that the crates may have.
const CATEGORIES: [&str; 6] = [
    "games",
    "parser-implementations",
    "science",
    "command-line-utilities",
    "command-line-interface",
    "web-programming::http-server",
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
    ("komadai-data", &["PSV", "HCPE", "self-play"]),
    ("komadai-train", &["networks"]),
    ("komadai-report", &["SVG", "games", "opening books"]),
];

#[test]
fn manifests_are_as_the_registry_wants_them() {
    for package in published() {
        let name = &package.name;
        let description = package.description.as_deref().unwrap_or_default();
        assert!((20..=200).contains(&description.len()), "{name}: {description:?}");
        assert!(!description.ends_with('.'), "{name}: {description:?}");
        let keywords = &package.keywords;
        assert!((3..=5).contains(&keywords.len()), "{name}: {keywords:?}, expected three to five");
        for word in keywords {
            let is_valid = word.len() <= 20
                && word.starts_with(|c: char| c.is_ascii_lowercase())
                && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
            assert!(is_valid, "{name}: keyword {word:?}");
        }
        assert_eq!(keywords[0], "shogi", "{name}");
        let categories = &package.categories;
        let is_known = |category: &String| CATEGORIES.contains(&category.as_str());
        assert!(categories.iter().all(is_known), "{name}: {categories:?}");
        assert_eq!(categories.first().map(String::as_str), Some("games"), "{name}");
    }
}

#[test]
fn unit_tests_are_run() {
    for package in packages() {
        let libraries = package.targets.iter().filter(|target| target.is_lib() && !target.test);
        for target in libraries {
            let folder = target.src_path.parent().expect("a file lies in a folder");
            for file in files_below(folder.as_std_path(), "rs") {
                let has_tests = read(&file).contains("#[cfg(test)]");
                assert!(!has_tests, "{} has tests, but its crate `test = false`", file.display());
            }
        }
    }
}

#[test]
fn descriptions_name_what_people_search_for() {
    for (name, sought) in SOUGHT {
        let package = published().find(|package| package.name == *name).expect("it is published");
        let description = package.description.as_deref().unwrap_or_default();
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
fn intervals_are_found() {
    assert_eq!(intervals("[a](b) +5 [−12, +54], [1, 2], [x]"), ["−12, +54"]);
}
