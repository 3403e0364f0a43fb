//! The opening of files: one function, which refuses pipes, devices and folders. The replacement of
//! files: one module, which leaves the old file or the new one.

use std::collections::BTreeSet;

use tidy::source::{SourceFile, workspace};

/// The files that open files without `komadai_base::file`, with the reason.
const OPENERS: &[(&str, &str)] = &[
    ("crates/komadai-base/src/file.rs", "it has the functions that all others use"),
    ("crates/komadai-base/src/temporary_file.rs", "it makes new files, which are no pipes"),
];

/// The functions of the standard library that open a file.
const FORBIDDEN: [[&str; 3]; 5] = [
    ["File", "::", "open"],
    ["fs", "::", "read"],
    ["fs", "::", "read_to_string"],
    ["File", "::", "options"],
    ["OpenOptions", "::", "new"],
];

/// The functions that take options for opening a file.
const WITH_OPTIONS: [&str; 2] = ["open_regular_with", "open_locked"];

/// The functions of the standard library that code outside tests calls to open files, with their
/// lines.
fn openings(file: &SourceFile) -> Vec<(usize, String)> {
    let takes_options = WITH_OPTIONS.iter().any(|name| file.lines_of(&[name]).next().is_some());
    let forbidden =
        FORBIDDEN.iter().filter(|path| !(takes_options && matches!(path[2], "options" | "new")));
    let found = forbidden.flat_map(|path| file.lines_of(path).map(|line| (line, path.concat())));
    found.collect()
}

/// The functions of the standard library that write or rename a file without syncing it and its
/// folder.
const NOT_ATOMIC: [[&str; 3]; 4] = [
    ["fs", "::", "write"],
    ["fs", "::", "rename"],
    ["fs", "::", "hard_link"],
    ["File", "::", "create_new"],
];

/// Checks whether a file is of programs and libraries, not of tests and benchmarks.
fn is_for_users(path: &str) -> bool {
    let has = |folder| path.split('/').any(|part| part == folder);
    (path.starts_with("crates/") || path.starts_with("examples/"))
        && !has("tests")
        && !has("benches")
        && !path.ends_with("/tests.rs")
        && !path.starts_with("crates/komadai-testdata/")
}

#[test]
fn files_are_opened_by_the_function_that_refuses_pipes_and_devices() {
    let listed: BTreeSet<&str> = OPENERS.iter().map(|(path, _)| *path).collect();
    let (mut faults, mut found) = (Vec::new(), BTreeSet::new());
    for file in workspace().files.iter().filter(|file| is_for_users(&file.path)) {
        let openings = openings(file);
        if !openings.is_empty() {
            found.insert(file.path.as_str());
        }
        if !listed.contains(file.path.as_str()) {
            let place = |(line, name)| format!("{}:{line}: {name}", file.path);
            faults.extend(openings.into_iter().map(place));
        }
    }
    assert!(
        faults.is_empty(),
        "a pipe of that name would be waited for, a device read without end; use `open_regular`, `read_bounded` or \
         `read_text` of `komadai_base::file`:\n{}",
        faults.join("\n")
    );
    assert_eq!(found, listed, "delete from `OPENERS` the files that open none");
}

#[test]
fn files_are_replaced_by_the_module_that_leaves_no_half_of_one() {
    let files = workspace().files.iter().filter(|file| is_for_users(&file.path));
    let outside = files.filter(|file| !file.path.starts_with("crates/komadai-base/"));
    let faults: Vec<String> = outside
        .flat_map(|file| {
            let found = NOT_ATOMIC.iter().flat_map(|path| {
                file.lines_of(path).map(|line| format!("{}:{line}: {}", file.path, path.concat()))
            });
            found.collect::<Vec<_>>()
        })
        .collect();
    assert!(
        faults.is_empty(),
        "a process that is killed would leave half of a file, a power cut lose its name; use          `komadai_base::atomic_file`:\n{}",
        faults.join("\n")
    );
}

#[test]
fn openings_are_found() {
    let all = |text: &str| openings(&SourceFile::new("a.rs", text).0).len();
    for text in [
        "fn f() { File::open(path) }",
        "fn f() { std::fs::File::open(path) }",
        "fn f() { fs::read(path) }",
        "fn f() { std::fs::read_to_string(path) }",
        "fn f() { File::options().read(true).open(path) }",
        "fn f() { OpenOptions::new().read(true).open(path) }",
        "fn f() { paths.map(File::open) }",
        "fn f() { File :: open(path) } #[cfg(test)] mod tests { fn g() { File::open(path) } }",
    ] {
        assert_eq!(all(text), 1, "{text}");
    }
    for text in [
        "/// File::open\nfn f() { open_regular(path) } // fs::read(",
        "fn f() { \"File::open\"; fs::read_dir(path); fs::write(path, b); File::create(path) }",
        "fn f() { open_regular_with(OpenOptions::new().append(true), path) }",
        "#[cfg(test)]\nmod tests { fn f() { fs::read(path); } }",
        "fn f() { GameReader::open(path) }",
    ] {
        assert_eq!(all(text), 0, "{text}");
    }
}
