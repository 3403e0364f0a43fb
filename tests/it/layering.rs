//! The dependencies between crates, the files that may contain `unsafe`, and the parts that every
//! crate has. The map of the crates is in `ARCHITECTURE.md`.

use std::collections::BTreeSet;
use std::path::Path;

use crate::source::{SourceFile, Token, all_files, crate_folders, read, root};

/// The crates that each crate may depend on, besides `base`: those below it that it needs.
const MAY_USE: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("core", &[]),
    ("movegen", &["core"]),
    ("kifu", &["core", "movegen"]),
    ("usi", &["core", "movegen"]),
    ("csa", &["core", "movegen", "kifu"]),
    ("eval", &["core", "movegen"]),
    ("weights", &[]),
    ("nnue", &["core", "movegen", "eval", "weights"]),
    ("search", &["core", "movegen", "eval"]),
    ("onnx", &["core", "movegen", "eval", "search"]),
    ("train", &["core", "movegen", "kifu", "eval", "nnue", "search"]),
    ("tsume", &["core", "movegen"]),
    ("compose", &["core", "movegen", "tsume"]),
    ("bookfile", &["core", "movegen", "kifu"]),
    ("bookgraph", &["core", "movegen", "kifu", "bookfile"]),
    ("book", &["core", "movegen", "kifu", "bookfile", "bookgraph"]),
    ("match", &["core", "movegen", "usi"]),
    (
        "engine",
        &[
            "core",
            "movegen",
            "kifu",
            "usi",
            "eval",
            "nnue",
            "search",
            "tsume",
            "bookfile",
            "bookgraph",
            "book",
            "match",
        ],
    ),
    ("report", &["core", "movegen", "kifu", "bookfile", "bookgraph", "book"]),
    // Programs use the facade, whose line in their manifests is no edge between these crates.
    ("console", &[]),
    ("grow", &["console"]),
    ("cli", &["console", "grow"]),
    ("testdata", &[]),
];

/// The files that may contain `unsafe`. The rest of their crates denies it.
const UNSAFE_FILES: &[&str] = &[
    "crates/komadai-core/src/enum_index.rs",
    "crates/komadai-base/src/memory/huge_pages.rs",
    "crates/komadai-base/src/memory/prefetch.rs",
    "crates/komadai-base/src/memory/zeroed.rs",
    "crates/komadai-movegen/src/move_list.rs",
    "crates/komadai-nnue/src/kernels/x86.rs",
    "crates/komadai-nnue/src/mapped.rs",
];

/// The name of the crate in this folder, without `komadai-`.
fn short_name(folder: &Path) -> &str {
    let name = folder.file_name().and_then(|name| name.to_str()).expect("folders have names");
    name.strip_prefix("komadai-").unwrap_or_else(|| panic!("{name} is not named komadai-…"))
}

/// An edge of the dependency graph, as a manifest states it.
#[derive(Debug, PartialEq, Eq)]
struct Edge {
    to: String,
    /// True if only tests, examples and benches use it.
    is_dev: bool,
}

/// The dependencies on crates of the workspace in a manifest, in any of TOML's spellings.
fn edges(manifest: &str) -> Vec<Edge> {
    let mut edges: Vec<Edge> = Vec::new();
    let mut is_dev = None;
    for line in manifest.lines().map(str::trim) {
        if let Some(section) = line.strip_prefix('[') {
            let section = section.trim_end_matches(']').replace(['"', '\''], "");
            let (table, name) = match section.split_once("dependencies") {
                // This table gives versions to the crates of the workspace and is no edge itself.
                Some(("workspace.", _)) | None => (None, None),
                Some((before, after)) => (Some(before), after.strip_prefix(".komadai-")),
            };
            is_dev = table.map(|before| before.trim_end_matches('-').ends_with("dev"));
            if let (Some(is_dev), Some(name)) = (is_dev, name) {
                edges.push(Edge { to: name.to_owned(), is_dev });
            }
        } else if let (Some(is_dev), Some(rest)) = (is_dev, line.strip_prefix("komadai-")) {
            let (key, _) = rest.split_once('=').expect("a dependency has a value");
            let name = key.trim().trim_end_matches(".workspace").trim_end_matches(".path");
            edges.push(Edge { to: name.to_owned(), is_dev });
        }
    }
    edges
}

/// The crates that the facade does not re-export: the ground floor, data and programs.
const OUTSIDE_THE_FACADE: &[&str] = &["testdata", "base", "weights", "console", "grow", "cli"];

/// The edges that crates may have: for each crate, the crates below it.
type Edges = &'static [(&'static str, &'static [&'static str])];

fn allowed(edges: Edges, name: &str) -> Option<&'static [&'static str]> {
    edges.iter().find(|(known, _)| *known == name).map(|(_, uses)| *uses)
}

/// The error message if `from` may not have this edge.
fn objection(may_use: Edges, from: &str, edge: &Edge) -> Option<String> {
    let Some(may_use) = allowed(may_use, from) else {
        return Some(format!(
            "{from} is missing in `MAY_USE`; add it with the crates that it needs"
        ));
    };
    let to = edge.to.as_str();
    // Every crate stands on the ground floor.
    let is_fine = may_use.contains(&to) || to == "base" || edge.is_dev && to == "testdata";
    (!is_fine).then(|| {
        format!(
            "komadai-{from} depends on komadai-{to} ({edge:?}): move the shared item into a crate \
             below both, or add the edge to `MAY_USE` with its reason in the commit"
        )
    })
}

#[test]
fn crates_depend_only_on_crates_below_them() {
    let mut seen = 0;
    let mut objections = Vec::new();
    for folder in crate_folders() {
        for edge in edges(&read(&folder.join("Cargo.toml"))) {
            seen += 1;
            let name = short_name(&folder);
            objections.extend(objection(MAY_USE, name, &edge));
        }
    }
    assert!(objections.is_empty(), "{}", objections.join("\n"));
    assert!(
        seen > 20,
        "the manifests state {seen} edges only; the reader of manifests misses some"
    );
}

#[test]
fn every_allowed_edge_is_used() {
    let folders = crate_folders();
    let mut unused = Vec::new();
    for (name, uses) in MAY_USE {
        let Some(folder) = folders.iter().find(|folder| short_name(folder) == *name) else {
            unused.push(format!("{name}: no such crate"));
            continue;
        };
        let edges = edges(&read(&folder.join("Cargo.toml")));
        let missing = uses.iter().filter(|to| !edges.iter().any(|edge| edge.to == **to));
        unused.extend(missing.map(|to| format!("{name} → {to}: no such dependency")));
    }
    assert!(
        unused.is_empty(),
        "`MAY_USE` allows more than the manifests need; delete from it:\n{}",
        unused.join("\n")
    );
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
        .filter(|name| !OUTSIDE_THE_FACADE.contains(&name.as_str()))
        .collect();
    assert_eq!(
        used, published,
        "the facade re-exports each published crate: adapt `[dependencies]` of the root manifest"
    );
}

#[test]
fn the_map_has_no_cycles() {
    let order: Vec<&str> = MAY_USE.iter().map(|(name, _)| *name).collect();
    for (index, (name, uses)) in MAY_USE.iter().enumerate() {
        for used in *uses {
            assert!(
                order[..index].contains(used),
                "`MAY_USE` lists {name} before {used}, which it uses: list crates from the bottom up"
            );
        }
    }
}

/// Checks whether code, comments omitted, has the keyword `unsafe`.
fn has_unsafe(file: &SourceFile) -> bool {
    file.code.iter().any(|token| token.is("unsafe"))
}

#[test]
fn unsafe_code_stays_in_its_fenced_files() {
    // The peers of the benchmarks are a workspace of their own.
    let found: BTreeSet<&str> = all_files()
        .iter()
        .filter(|file| !file.path.starts_with("benches/peers/") && has_unsafe(file))
        .map(|file| file.path.as_str())
        .collect();
    let fenced: BTreeSet<&str> = UNSAFE_FILES.iter().copied().collect();
    assert_eq!(found, fenced, "`unsafe` is for the files of `UNSAFE_FILES` only");
    for file in UNSAFE_FILES {
        let source = read(&root().join(file));
        assert!(
            source.contains("expect(unsafe_code, reason = "),
            "{file} has no `#![expect(unsafe_code, reason = …)]`"
        );
    }
}

/// Checks whether a file re-exports all names of some module.
fn has_glob_reexport(file: &SourceFile) -> bool {
    let mut statements = file.code.split(|token| token.is(";"));
    statements.any(|statement| {
        let is_reexport = |pair: &[Token]| pair[0].is("pub") && pair[1].is("use");
        let start = statement.windows(2).position(is_reexport);
        start.is_some_and(|start| statement[start..].iter().any(|token| token.is("*")))
    })
}

/// The facade, which has no interface of its own: each module passes on a crate, whole by intention.
const FACADE: &str = "crates/komadai/lib.rs";

#[test]
fn no_crate_passes_on_names_wholesale() {
    let found: Vec<&str> = all_files()
        .iter()
        .filter(|file| file.path.starts_with("crates/") && file.path != FACADE)
        .filter(|file| has_glob_reexport(file))
        .map(|file| file.path.as_str())
        .collect();
    assert!(found.is_empty(), "`pub use …::*` hides the interface; name the items:\n{found:#?}");
}

#[test]
fn the_architecture_names_every_crate() {
    let text = read(&root().join("ARCHITECTURE.md"));
    let missing: Vec<String> = crate_folders()
        .iter()
        .map(|folder| folder.file_name().expect("folders have names").display().to_string())
        .filter(|folder| !names_folder(&text, folder))
        .collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md does not name {missing:?}; add a paragraph each");
}

/// Checks whether a text contains a folder's name as a word of its own.
fn names_folder(text: &str, folder: &str) -> bool {
    let words = text.split(|character: char| !(character.is_alphanumeric() || character == '-'));
    words.into_iter().any(|word| word == folder)
}

/// The attribute by which a crate forbids `unsafe`; none if one of its files needs `unsafe`.
fn forbids_unsafe(name: &str) -> Option<&'static str> {
    let is_fenced = UNSAFE_FILES.iter().any(|file| file.contains(&format!("komadai-{name}/")));
    (!is_fenced).then_some("#![forbid(unsafe_code)]")
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
            forbids.eq(attribute),
            "{name}: expected {attribute:?}, as `unsafe` is for fenced files only",
        );
        let manifest = read(&folder.join("Cargo.toml"));
        assert!(manifest.contains("[lints]\nworkspace = true"), "{name}: lints are not inherited");
        assert!(manifest.contains("bench = false"), "{name}: `[lib] bench = false` is missing");
    }
}

#[test]
fn documentation_sites_show_every_feature() {
    let folders = crate_folders().into_iter();
    let manifests = folders.map(|folder| (folder.join("Cargo.toml"), folder.join("src/lib.rs")));
    let facade = (root().join("Cargo.toml"), root().join(FACADE));
    for (manifest, lib) in manifests.chain([facade]) {
        let text = read(&manifest);
        if text.contains("publish = false") {
            continue;
        }
        let name = manifest.display();
        // The facade is without the inference engine, which takes minutes to compile.
        let features = match lib.ends_with(FACADE) {
            true => "features = [\"full\"]",
            false => "all-features = true",
        };
        let lines =
            ["[package.metadata.docs.rs]", features, "rustdoc-args = [\"--cfg\", \"docsrs\"]"];
        let table = text.split("\n\n").find(|part| part.starts_with(lines[0])).unwrap_or_default();
        assert!(
            lines.iter().all(|line| table.lines().any(|found| found == *line)),
            "{name}: docs.rs would omit what features add; add\n{}",
            lines.join("\n")
        );
        assert!(
            read(&lib).contains("#![cfg_attr(docsrs, feature(doc_cfg))]\n"),
            "{}: docs.rs would not show which feature an item needs",
            lib.display(),
        );
    }
}

#[test]
fn layers_are_checked() {
    let manifest = "
        [package]
        name = \"komadai-book\"
        [workspace.dependencies]
        komadai-eval = { path = \"../komadai-eval\" }
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
    let always: Edges = &[("core", &[]), ("book", &["core", "kifu"])];
    let is_refused = |from, edge: &Edge| objection(always, from, edge).is_some();
    let objections: Vec<bool> = found.iter().map(|edge| is_refused("book", edge)).collect();
    assert_eq!(objections, [false, true, false, true, true, false]);
    let testdata = |is_dev| Edge { to: "testdata".into(), is_dev };
    assert!(!is_refused("core", &testdata(true)));
    assert!(is_refused("core", &testdata(false)));
    assert!(is_refused("newcomer", &testdata(true)));

    let file = |text: &str| SourceFile::new("a.rs", text.to_owned());
    assert!(has_unsafe(&file("fn f() { unsafe { g() } }")));
    assert!(has_unsafe(&file("pub unsafe fn f() {}")));
    assert!(!has_unsafe(&file("#![forbid(unsafe_code)] // unsafe\nfn f() { \"unsafe\" }")));
    assert!(has_glob_reexport(&file("pub use a::{\n    b::*,\n    c,\n};")));
    assert!(has_glob_reexport(&file("mod a;\npub use a::*;")));
    assert!(!has_glob_reexport(&file("use a::*;\npub use b::c; // *")));
    assert!(names_folder("`crates/komadai-book`.", "komadai-book"));
    assert!(!names_folder("crates/komadai-bookfile", "komadai-book"));
}
