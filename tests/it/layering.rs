//! The rules of the workspace that no compiler checks: which crate may know which, where `unsafe`
//! may stand, and how a crate presents itself. The map is in `ARCHITECTURE.md`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// For each crate, the crates it may depend on: those below it that it needs.
const MAY_USE: &[(&str, &[&str])] = &[
    ("core", &[]),
    ("movegen", &["core"]),
    ("kifu", &["core", "movegen"]),
    ("usi", &["core", "movegen"]),
    ("eval", &["core", "movegen"]),
    ("search", &["core", "movegen", "eval"]),
    ("tsume", &["core", "movegen"]),
    ("bookfile", &["core", "movegen", "kifu"]),
    ("bookgraph", &["core", "movegen", "kifu", "bookfile"]),
    ("book", &["core", "movegen", "kifu", "bookfile", "bookgraph"]),
    ("train", &["core", "movegen", "kifu", "eval", "search"]),
    (
        "engine",
        &[
            "core",
            "movegen",
            "kifu",
            "usi",
            "eval",
            "search",
            "tsume",
            "bookfile",
            "bookgraph",
            "book",
        ],
    ),
    ("report", &["core", "movegen", "kifu", "bookfile", "bookgraph", "book"]),
    ("testdata", &[]),
];

/// Crates that a crate may use if a feature turns them on.
const MAY_USE_OPTIONALLY: &[(&str, &[&str])] = &[("book", &["usi"])];

/// The files that may hold `unsafe`, each fenced off from the rest of its crate.
const UNSAFE_FILES: &[&str] = &[
    "crates/komadai-bookfile/src/mapped_file.rs",
    "crates/komadai-core/src/enum_index.rs",
    "crates/komadai-movegen/src/move_list.rs",
    "crates/komadai-search/src/prefetch.rs",
];

/// The crates whose fenced file is there only with a feature: without it they forbid `unsafe`.
const FENCED_BEHIND: &[(&str, &str)] = &[("bookfile", "mmap")];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The folders of the crates that have a manifest.
fn crate_folders() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = fs::read_dir(root().join("crates"))
        .expect("the workspace has crates")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|folder| folder.join("Cargo.toml").exists())
        .collect();
    folders.sort();
    assert!(folders.len() >= 9, "crates are missing: {folders:?}");
    folders
}

/// The name of the crate in this folder, without `komadai-`.
fn short_name(folder: &Path) -> &str {
    let name = folder.file_name().and_then(|name| name.to_str()).expect("folders have names");
    name.strip_prefix("komadai-").unwrap_or_else(|| panic!("{name} is not named komadai-…"))
}

/// An edge of the dependency graph, as a manifest states it.
#[derive(Debug, PartialEq, Eq)]
struct Edge {
    to: String,
    /// Whether only tests, examples and benches use it.
    is_dev: bool,
    is_optional: bool,
}

/// The crates of the workspace that a manifest depends on, in any of TOML's spellings.
fn edges(manifest: &str) -> Vec<Edge> {
    let mut edges: Vec<Edge> = Vec::new();
    let mut is_dev = None;
    for line in manifest.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            let section = section.trim_end_matches(']').replace(['"', '\''], "");
            let (table, name) = match section.split_once("dependencies") {
                Some((before, after)) => (Some(before), after.strip_prefix(".komadai-")),
                None => (None, None),
            };
            is_dev = table.map(|before| before.trim_end_matches('-').ends_with("dev"));
            if let (Some(is_dev), Some(name)) = (is_dev, name) {
                edges.push(Edge { to: name.to_owned(), is_dev, is_optional: false });
            }
        } else if let (Some(is_dev), Some(rest)) = (is_dev, line.strip_prefix("komadai-")) {
            let (key, value) = rest.split_once('=').expect("a dependency has a value");
            let name = key.trim().trim_end_matches(".workspace").trim_end_matches(".path");
            let is_optional = value.replace(' ', "").contains("optional=true");
            edges.push(Edge { to: name.to_owned(), is_dev, is_optional });
        } else if is_dev.is_some() && line.replace(' ', "") == "optional=true" {
            edges.last_mut().expect("a dependency is optional").is_optional = true;
        }
    }
    edges
}

fn allowed(table: &'static [(&str, &[&str])], name: &str) -> Option<&'static [&'static str]> {
    table.iter().find(|(known, _)| *known == name).map(|(_, uses)| *uses)
}

/// Why `from` may not have this edge.
fn objection(from: &str, edge: &Edge) -> Option<String> {
    let Some(may_use) = allowed(MAY_USE, from) else {
        return Some(format!("{from} is not on the map of crates"));
    };
    let to = edge.to.as_str();
    let is_fine = may_use.contains(&to)
        || edge.is_dev && to == "testdata"
        || edge.is_optional && allowed(MAY_USE_OPTIONALLY, from).is_some_and(|o| o.contains(&to));
    (!is_fine).then(|| format!("{from} may not depend on {to}: {edge:?}"))
}

#[test]
fn crates_depend_only_on_crates_below_them() {
    let mut seen = 0;
    let mut objections = Vec::new();
    for folder in crate_folders() {
        for edge in edges(&read(&folder.join("Cargo.toml"))) {
            seen += 1;
            objections.extend(objection(short_name(&folder), &edge));
        }
    }
    assert!(objections.is_empty(), "{}", objections.join("\n"));
    assert!(seen > 20, "the manifests state {seen} edges only: are they read rightly?");
}

#[test]
fn the_facade_uses_every_published_crate() {
    let used: BTreeSet<String> = edges(&read(&root().join("Cargo.toml")))
        .into_iter()
        .filter(|edge| !edge.is_dev)
        .map(|edge| edge.to)
        .collect();
    let published: BTreeSet<String> = crate_folders()
        .iter()
        .map(|folder| short_name(folder).to_owned())
        .filter(|name| name != "testdata")
        .collect();
    assert_eq!(used, published);
}

#[test]
fn the_map_has_no_cycles() {
    let order: Vec<&str> = MAY_USE.iter().map(|(name, _)| *name).collect();
    for (index, (name, uses)) in MAY_USE.iter().enumerate() {
        for used in *uses {
            assert!(order[..index].contains(used), "{name} stands above {used}, which it uses");
        }
    }
}

/// All Rust files below a folder.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// Whether code, comments left out, has the keyword `unsafe`.
fn has_unsafe(source: &str) -> bool {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    source
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .any(|line| line.split(|character| !is_word(character)).any(|word| word == "unsafe"))
}

#[test]
fn unsafe_code_stays_in_its_fenced_files() {
    let folders = ["crates", "examples", "benches", "tests"].map(|name| root().join(name));
    let found: BTreeSet<String> = folders
        .iter()
        .flat_map(|folder| rust_files(folder))
        // The peers of the benchmarks are a workspace of their own.
        .filter(|file| !file.starts_with(root().join("benches/peers")))
        .filter(|file| !file.ends_with("tests/it/layering.rs") && has_unsafe(&read(file)))
        .map(|file| file.strip_prefix(root()).expect("it is below").display().to_string())
        .map(|file| file.replace('\\', "/"))
        .collect();
    assert_eq!(found, UNSAFE_FILES.iter().map(|file| (*file).to_owned()).collect());
    for file in UNSAFE_FILES {
        let source = read(&root().join(file));
        assert!(source.contains("expect(unsafe_code, reason = "), "{file} has no fence");
    }
}

/// Whether a file passes on all names of some module.
fn has_glob_reexport(source: &str) -> bool {
    let code: Vec<&str> =
        source.lines().map(|line| line.split("//").next().unwrap_or_default().trim()).collect();
    code.join(" ").split(';').any(|statement| {
        let names = statement.rsplit_once("pub use ").map(|(_, names)| names);
        names.is_some_and(|names| names.contains('*'))
    })
}

#[test]
fn no_crate_passes_on_names_wholesale() {
    let files = rust_files(&root().join("crates"));
    assert!(files.len() > 50);
    for file in files {
        assert!(!has_glob_reexport(&read(&file)), "{} has a glob re-export", file.display());
    }
}

/// How a crate forbids `unsafe`: always, without a feature, or, if it has a fenced file, not at all.
fn forbids_unsafe(name: &str) -> Option<String> {
    let feature = FENCED_BEHIND.iter().find(|(fenced, _)| *fenced == name);
    if let Some((_, feature)) = feature {
        return Some(format!("#![cfg_attr(not(feature = \"{feature}\"), forbid(unsafe_code))]"));
    }
    let is_fenced = UNSAFE_FILES.iter().any(|file| file.contains(&format!("komadai-{name}/")));
    (!is_fenced).then(|| "#![forbid(unsafe_code)]".to_owned())
}

#[test]
fn crates_present_themselves_alike() {
    for folder in crate_folders() {
        let name = short_name(&folder);
        let readme = read(&folder.join("README.md"));
        assert!(readme.starts_with(&format!("# komadai-{name}\n")), "{name}: README has no title");
        assert!(readme.contains("```rust"), "{name}: README has no example");
        let lib = read(&folder.join("src/lib.rs"));
        assert!(
            lib.starts_with("#![doc = include_str!(\"../README.md\")]"),
            "{name}: the README is not the crate's documentation",
        );
        let attribute = forbids_unsafe(name);
        let forbids = lib.lines().filter(|line| line.contains("forbid(unsafe_code)"));
        assert!(
            forbids.eq(attribute.as_deref()),
            "{name}: expected {attribute:?}, as `unsafe` is for fenced files only",
        );
        let manifest = read(&folder.join("Cargo.toml"));
        assert!(manifest.contains("[lints]\nworkspace = true"), "{name}: lints are not inherited");
        assert!(manifest.contains("bench = false"), "{name}: `[lib] bench = false` is missing");
    }
}

#[test]
fn the_checks_see_what_they_look_for() {
    let manifest = "
        [package]
        name = \"komadai-book\"
        [dependencies]
        komadai-core = { workspace = true }
        komadai-usi = { workspace = true, optional = true }
        komadai-kifu.workspace = true
        [dependencies.komadai-search]
        workspace = true
        [target.'cfg(unix)'.dependencies]
        komadai-engine = { path = \"../komadai-engine\" }
        [dev-dependencies]
        komadai-testdata = { path = \"../komadai-testdata\" }
        [features]
        komadai-none = []
    ";
    let found = edges(manifest);
    let names: Vec<&str> = found.iter().map(|edge| edge.to.as_str()).collect();
    assert_eq!(names, ["core", "usi", "kifu", "search", "engine", "testdata"]);
    let objections: Vec<bool> =
        found.iter().map(|edge| objection("book", edge).is_some()).collect();
    assert_eq!(objections, [false, false, false, true, true, false]);
    let testdata = |is_dev| Edge { to: "testdata".into(), is_dev, is_optional: false };
    assert!(objection("core", &testdata(true)).is_none());
    assert!(objection("core", &testdata(false)).is_some());
    assert!(objection("newcomer", &testdata(true)).is_some());

    assert!(has_unsafe("fn f() { unsafe { g() } }"));
    assert!(has_unsafe("pub unsafe fn f() {}"));
    assert!(!has_unsafe("#![forbid(unsafe_code)] // unsafe"));
    assert!(has_glob_reexport("pub use a::{\n    b::*,\n    c,\n};"));
    assert!(has_glob_reexport("mod a;\npub use a::*;"));
    assert!(!has_glob_reexport("use a::*;\npub use b::c; // *"));
}
