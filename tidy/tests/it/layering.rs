//! The dependencies between crates, the files that may contain `unsafe`, and the parts that every
//! crate has. The map of the crates is in `ARCHITECTURE.md`.

use std::collections::BTreeSet;

use cargo_metadata::{DependencyKind, Package, Target};
use tidy::source::{crates, folder, is_published, packages, read, root, workspace};

/// The crates that each crate may depend on, besides `base`: those below it that it needs.
const MAY_USE: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("core", &[]),
    ("movegen", &["core"]),
    ("kifu", &["core", "movegen"]),
    ("usi", &["core", "movegen"]),
    ("csa", &["core", "movegen", "kifu"]),
    ("games", &["core", "movegen", "kifu"]),
    ("eval", &["core", "movegen"]),
    ("weights", &[]),
    ("nnue", &["core", "movegen", "eval", "weights"]),
    ("search", &["core", "movegen", "eval"]),
    ("onnx", &["core", "movegen", "eval", "search"]),
    ("data", &["core", "movegen", "kifu", "eval", "search"]),
    ("train", &["core", "movegen", "kifu", "eval", "nnue", "search", "data"]),
    ("networks", &["core", "movegen", "eval", "nnue", "data"]),
    ("tsume", &["core", "movegen"]),
    ("problems", &["core", "movegen", "tsume"]),
    ("bookfile", &["core", "movegen"]),
    ("bookgraph", &["core", "movegen", "bookfile"]),
    ("book", &["core", "movegen", "kifu", "bookfile", "bookgraph"]),
    ("farm", &["core", "movegen", "bookfile", "book"]),
    ("match", &["core", "movegen", "usi"]),
    ("engine", &["core", "movegen", "usi", "eval", "nnue", "search", "tsume", "bookfile"]),
    (
        "analysis",
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
            "match",
            "engine",
        ],
    ),
    ("report", &["core", "movegen", "kifu", "bookfile", "bookgraph", "book", "data"]),
    // It draws the text of pictures; its examples make it with `report`.
    ("image", &["core", "report"]),
    // Programs use the facade, whose line in their manifests is no edge between these crates.
    ("live", &["report"]),
    ("console", &[]),
    ("grow", &["console"]),
    ("study", &["console", "grow"]),
    ("cli", &["console", "farm", "grow", "live", "study"]),
    ("testdata", &[]),
    // Programs of ours: not published, so that they may use the known answers.
    ("lab", &["console", "study", "testdata"]),
];

/// The files that may contain `unsafe`. The rest of their crates denies it.
const UNSAFE_FILES: &[&str] = &[
    "crates/komadai-core/src/enum_index.rs",
    "crates/komadai-base/src/memory/huge_pages.rs",
    "crates/komadai-base/src/memory/prefetch.rs",
    "crates/komadai-base/src/memory/zeroed.rs",
    "crates/komadai-movegen/src/move_list.rs",
    "crates/komadai-nnue/src/kernels/neon.rs",
    "crates/komadai-nnue/src/kernels/plain.rs",
    "crates/komadai-nnue/src/kernels/x86.rs",
    "crates/komadai-nnue/src/mapped.rs",
];

/// The crates that the facade does not re-export: the ground floor, data, the queue on a server, whose client is large, and
/// programs.
const OUTSIDE_THE_FACADE: &[&str] =
    &["testdata", "base", "weights", "farm", "console", "grow", "live", "study", "cli", "lab"];

/// The facade, which has no interface of its own: each module passes on a crate, whole by
/// intention.
const FACADE: &str = "crates/komadai/lib.rs";

/// The name of a crate without `komadai-`; nothing for the facade.
fn short_name(package: &Package) -> Option<&str> {
    package.name.strip_prefix("komadai-")
}

/// The crates below the facade.
fn lower_crates() -> impl Iterator<Item = (&'static str, &'static Package)> {
    crates().filter_map(|package| Some((short_name(package)?, package)))
}

/// The crates of komadai that a manifest names, and whether only its tests use them.
fn edges(package: &Package) -> impl Iterator<Item = (&str, bool)> {
    package.dependencies.iter().filter_map(|dependency| {
        let to = dependency.name.strip_prefix("komadai-")?;
        Some((to, dependency.kind == DependencyKind::Development))
    })
}

/// The error message if a crate may not have this edge.
fn objection(from: &str, to: &str, is_dev: bool) -> Option<String> {
    let Some((_, may_use)) = MAY_USE.iter().find(|(name, _)| *name == from) else {
        return Some(format!(
            "{from} is missing in `MAY_USE`; add it with the crates that it needs"
        ));
    };
    // Every crate stands on the ground floor, and every test on the known answers.
    let is_fine = may_use.contains(&to) || to == "base" || is_dev && to == "testdata";
    (!is_fine).then(|| {
        format!(
            "komadai-{from} depends on komadai-{to}: move the shared item into a crate below both, or \
             add the edge to `MAY_USE` with its reason in the commit"
        )
    })
}

#[test]
fn crates_depend_only_on_crates_below_them() {
    let mut seen = 0;
    let mut objections = Vec::new();
    for (name, package) in lower_crates() {
        for (to, is_dev) in edges(package) {
            seen += 1;
            objections.extend(objection(name, to, is_dev));
        }
    }
    assert!(objections.is_empty(), "{}", objections.join("\n"));
    assert!(seen > 20, "the manifests state {seen} edges only");
    assert!(objection("core", "search", false).is_some(), "an edge upward passes");
    assert!(objection("core", "testdata", false).is_some(), "test data in a library pass");
    assert!(objection("core", "testdata", true).is_none());
}

#[test]
fn every_allowed_edge_is_used() {
    let mut unused = Vec::new();
    for (name, uses) in MAY_USE {
        let Some((_, package)) = lower_crates().find(|(found, _)| found == name) else {
            unused.push(format!("{name}: no such crate"));
            continue;
        };
        let missing = uses.iter().filter(|to| !edges(package).any(|(found, _)| found == **to));
        unused.extend(missing.map(|to| format!("{name} → {to}: no such dependency")));
    }
    assert!(unused.is_empty(), "delete from `MAY_USE`:\n{}", unused.join("\n"));
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

#[test]
fn the_facade_uses_every_published_crate() {
    let facade = crates().find(|package| package.name == "komadai").expect("the facade");
    let used: BTreeSet<&str> =
        edges(facade).filter(|(_, is_dev)| !is_dev).map(|(name, _)| name).collect();
    let published: BTreeSet<&str> = lower_crates()
        .filter(|(name, package)| is_published(package) && !OUTSIDE_THE_FACADE.contains(name))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(used, published, "adapt `[dependencies]` of the root manifest");
}

#[test]
fn unsafe_code_stays_in_its_fenced_files() {
    // The compiler denies `unsafe` elsewhere: the lint stands in the workspace's manifest, and
    // every package inherits it.
    let found: BTreeSet<&str> = workspace()
        .files
        .iter()
        .filter(|file| !file.path.starts_with("benches/peers/"))
        .filter(|file| file.code.iter().any(|token| token.text == "unsafe"))
        .map(|file| file.path.as_str())
        .collect();
    let fenced: BTreeSet<&str> = UNSAFE_FILES.iter().copied().collect();
    assert_eq!(found, fenced, "`unsafe` is for the files of `UNSAFE_FILES` only");
    for file in UNSAFE_FILES {
        assert!(
            read(&root().join(file)).contains("expect(unsafe_code, reason = "),
            "{file} has no `#![expect(unsafe_code, reason = …)]`"
        );
    }
}

#[test]
fn no_crate_passes_on_names_wholesale() {
    let mut found = Vec::new();
    for tree in &workspace().trees {
        for (index, module) in tree.modules.iter().enumerate() {
            let stars =
                module.imports.iter().filter(|import| import.is_public && import.name == "*");
            found.extend(stars.map(|import| format!("{}:{}", tree.path(index), import.named.line)));
        }
    }
    found.retain(|place| !place.starts_with(FACADE));
    assert!(found.is_empty(), "`pub use …::*` hides the interface; name the items:\n{found:#?}");
}

#[test]
fn the_architecture_names_every_crate() {
    let text = read(&root().join("ARCHITECTURE.md"));
    let words: BTreeSet<&str> =
        text.split(|character: char| !(character.is_alphanumeric() || character == '-')).collect();
    let missing: Vec<&str> = crates()
        .map(|package| package.name.as_str())
        .filter(|name| !words.contains(name))
        .collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md does not name {missing:?}; add a paragraph each");
}

#[test]
fn crates_present_themselves_alike() {
    for (name, package) in lower_crates() {
        let folder = folder(package);
        let readme = read(&root().join(&folder).join("README.md"));
        assert!(readme.starts_with(&format!("# komadai-{name}\n")), "{name}: README has no title");
        let is_root = |target: &&Target| target.is_lib() || target.is_bin();
        // Cargo lists the library first.
        let lib = package.targets.iter().find(is_root).expect("a library or a program");
        let lib = read(lib.src_path.as_std_path());
        assert!(
            lib.starts_with("#![doc = include_str!(\"../README.md\")]"),
            "{name}: the README is not the crate's documentation",
        );
        if is_published(package) {
            assert!(readme.contains("```rust"), "{name}: README has no example");
        }
        let is_fenced = UNSAFE_FILES.iter().any(|file| file.starts_with(&format!("{folder}/")));
        assert_eq!(
            lib.contains("\n#![forbid(unsafe_code)]\n"),
            !is_fenced,
            "{name}: `unsafe` is for fenced files only",
        );
    }
    for package in packages() {
        let manifest = read(package.manifest_path.as_std_path());
        assert!(
            manifest.contains("[lints]\nworkspace = true") || package.name == "komadai-benches",
            "{}: lints are not inherited",
            package.name
        );
    }
}

#[test]
fn documentation_sites_show_every_feature() {
    for package in crates().filter(|package| is_published(package)) {
        let name = &package.name;
        let settings = &package.metadata["docs"]["rs"];
        // The facade is without the inference engine, which takes minutes to compile.
        let has_features = if *name == "komadai" {
            settings["features"] == serde_json::json!(["full"])
        } else {
            settings["all-features"] == true
        };
        let has_flag = settings["rustdoc-args"] == serde_json::json!(["--cfg", "docsrs"]);
        assert!(has_features && has_flag, "{name}: docs.rs would omit what features add");
        let lib = package.targets.iter().find(|target| target.is_lib()).expect("a library");
        assert!(
            read(lib.src_path.as_std_path()).contains("#![cfg_attr(docsrs, feature(doc_cfg))]\n"),
            "{name}: docs.rs would not show which feature an item needs",
        );
    }
}

#[test]
fn each_crate_has_one_integration_test_binary() {
    let mut found = Vec::new();
    for package in crates() {
        let tests = package.targets.iter().filter(|target| target.is_test());
        let names: Vec<&str> = tests.map(|target| target.name.as_str()).collect();
        if !names.is_empty() && names != ["it"] {
            found.push(format!("{}: {names:?}", package.name));
        }
    }
    assert!(found.is_empty(), "make it a module of `tests/it/main.rs`:\n{}", found.join("\n"));
}
