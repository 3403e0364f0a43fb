//! The sizes of files, functions and crates, and the number of test binaries.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::source::{SourceFile, all_files, area, crate_folders, relative, root};
use crate::tree::Tree;

const MAX_FILE_LINES: usize = 1_000;
const MAX_EXAMPLE_LINES: usize = 150;
const MAX_FUNCTION_LINES: usize = 100;

/// The largest share that one crate has of the code of all crates.
const MAX_CRATE_SHARE: f64 = 0.20;

/// Fails with a list of places, if there are any, and with the advice what to do about them.
fn expect_none(found: &[String], advice: &str) {
    assert!(found.is_empty(), "{} × {advice}:\n{}", found.len(), found.join("\n"));
}

/// Checks whether a file is an example or a part of one.
fn is_example(path: &str) -> bool {
    path.starts_with("examples/") || path.contains("/examples/")
}

fn long_files<'a>(files: impl Iterator<Item = &'a SourceFile>, limit: usize) -> Vec<String> {
    files
        .filter(|file| file.lines > limit)
        .map(|file| format!("{}: {} lines", file.path, file.lines))
        .collect()
}

fn long_functions(file: &SourceFile, limit: usize) -> Vec<String> {
    let long = file.functions().into_iter().filter(|function| function.lines > limit);
    long.map(|function| {
        format!("{}:{}: `{}`, {} lines", file.path, function.line, function.name, function.lines)
    })
    .collect()
}

/// The names that a library exports at its root: its public modules and items, and its re-exports.
pub(crate) fn exported(tree: &Tree<'_>) -> BTreeSet<&'static str> {
    let root = &tree.modules[0];
    let reexports = root.imports.iter().filter(|import| import.is_public);
    reexports.map(|import| import.name).chain(root.public.iter().copied()).collect()
}

/// The lines of each crate that are not for tests alone.
fn crate_lines(files: &[SourceFile], trees: &[Tree<'_>]) -> BTreeMap<String, usize> {
    let tests: BTreeSet<&str> = trees
        .iter()
        .flat_map(|tree| (0..tree.modules.len()).map(move |module| (tree, module)))
        .filter(|(tree, module)| tree.modules[*module].is_test)
        .filter(|(tree, module)| {
            // An inline module of tests shares the file of its parent.
            let parent = tree.modules[*module].parent.expect("a root is no test");
            tree.modules[parent].is_test || tree.path(parent) != tree.path(*module)
        })
        .map(|(tree, module)| tree.path(module))
        .collect();
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for file in files.iter().filter(|file| file.path.starts_with("crates/")) {
        if file.path.contains("/src/") && !tests.contains(file.path.as_str()) {
            *lines.entry(area(&file.path).to_owned()).or_default() += file.non_test_lines();
        }
    }
    lines
}

pub(crate) fn libraries() -> Vec<Tree<'static>> {
    let folders = crate_folders();
    let roots = folders.iter().map(|folder| format!("{}/src/lib.rs", relative(folder)));
    let roots = roots.chain(["crates/komadai/lib.rs".to_owned()]);
    roots.filter_map(|root| Tree::new(all_files(), &root)).collect()
}

#[test]
fn files_are_short() {
    let found = long_files(all_files().iter(), MAX_FILE_LINES);
    expect_none(&found, "more than 1,000 lines; split the file by concept");
}

#[test]
fn examples_are_short() {
    let examples = all_files().iter().filter(|file| is_example(&file.path));
    let found = long_files(examples, MAX_EXAMPLE_LINES);
    expect_none(&found, "an example over 150 lines; move its logic into a library or the program");
}

#[test]
fn functions_are_short() {
    let found: Vec<String> =
        all_files().iter().flat_map(|file| long_functions(file, MAX_FUNCTION_LINES)).collect();
    expect_none(&found, "more than 100 lines; split the function into named steps");
}

#[test]
fn no_crate_is_the_whole_house() {
    let lines = crate_lines(all_files(), &libraries());
    let sum: usize = lines.values().sum();
    assert!(lines.len() >= 9 && sum > 20_000, "{lines:?}");
    let share = |count: usize| count as f64 / sum as f64;
    for (name, count) in &lines {
        println!("{name}: {count} lines, {:.1} %", 100.0 * share(*count));
    }
    let found: Vec<String> = lines
        .iter()
        .filter(|(_, count)| share(**count) >= MAX_CRATE_SHARE)
        .map(|(name, count)| {
            format!("crates/{name}: {count} of {sum} lines ({:.1} %)", 100.0 * share(*count))
        })
        .collect();
    expect_none(&found, "a crate with 20 % of the lines without tests or more; split the crate");
}

#[test]
fn each_crate_has_one_integration_test_binary() {
    let mut found = Vec::new();
    for folder in crate_folders().into_iter().chain([root().to_owned()]) {
        let Ok(entries) = fs::read_dir(folder.join("tests")) else { continue };
        let mut entries: Vec<_> =
            entries.map(|entry| entry.expect("the folder can be read").path()).collect();
        entries.sort();
        for path in entries {
            let is_file = path.extension().is_some_and(|extension| extension == "rs");
            let is_program = path.join("main.rs").exists() && !path.ends_with("it");
            let holds_code = path.is_dir() && !path.ends_with("it");
            let holds_code = holds_code && !crate::source::files_below(&path, "rs").is_empty();
            if is_file || is_program || holds_code {
                found.push(relative(&path));
            }
        }
    }
    expect_none(&found, "code beside `tests/it/`; make it a module of `tests/it/main.rs`");
}

#[test]
fn sizes_are_measured_rightly() {
    let file = |path: &str, text: &str| SourceFile::new(path, text.to_owned());
    let files = [
        file(
            "crates/x/src/lib.rs",
            "pub mod a;\nmod b;\npub use b::{B, C as D};\npub use a::{A, B};\npub(crate) use b::E;\n\
             pub fn f() {\n    g(|| {});\n}\npub const fn h() {}\nstruct S;\n",
        ),
        file("crates/x/src/a.rs", "pub struct A;\n#[cfg(test)]\nmod t {\n    fn t() {}\n}\n"),
        file("crates/x/src/b.rs", "pub struct B;\n#[cfg(test)]\nmod tests;\n"),
        file("crates/x/src/b/tests.rs", "use super::B;\n"),
    ];
    let tree = Tree::new(&files, "crates/x/src/lib.rs").expect("there is a root");
    assert_eq!(exported(&tree).into_iter().collect::<Vec<_>>(), ["A", "B", "D", "a", "f", "h"]);
    assert_eq!(long_functions(&files[0], 2), ["crates/x/src/lib.rs:6: `f`, 3 lines"]);
    assert_eq!(long_functions(&files[0], 3), [""; 0]);
    assert_eq!(long_files(files.iter(), 9), ["crates/x/src/lib.rs: 10 lines"]);
    let lines = crate_lines(&files, &[tree]);
    assert_eq!(lines.into_iter().collect::<Vec<_>>(), [("x".to_owned(), 12)]);
    assert!(is_example("crates/x/examples/a.rs") && !is_example("crates/x/src/examples.rs"));
}
