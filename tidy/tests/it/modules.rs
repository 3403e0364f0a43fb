//! Modules import from modules, not from the root of their crate, and form no rings of imports.

use std::collections::{BTreeMap, BTreeSet};

use tidy::modules::{Target, Tree};
use tidy::source::{SourceFile, workspace};

/// The imports from the root of a crate of what is no module, each with its place.
fn root_imports(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (index, module) in tree.modules.iter().enumerate() {
        if module.is_test || index == 0 {
            continue;
        }
        let imports = module.imports.iter().map(|import| &import.named);
        for named in imports.chain(&module.paths) {
            let (start, rest) = tree.start(index, &named.path);
            let Some(name) = rest.first() else { continue };
            let is_from_root = start == 0 && rest.len() < named.path.len();
            let is_module = tree.modules[0].children.contains_key(name);
            if is_from_root && !is_module && !tree.macros.contains(name) {
                let path = tree.path(index);
                found.push(format!("{path}:{}: {}", named.line, named.path.join("::")));
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// The reasons for an arrow from one file to another: the line and the path.
type Reasons = BTreeSet<(usize, String)>;

/// The arrows between the files of a crate, tests excluded.
fn arrows(tree: &Tree) -> BTreeMap<&str, BTreeMap<&str, Reasons>> {
    let mut arrows: BTreeMap<&str, BTreeMap<&str, Reasons>> = BTreeMap::new();
    for (index, module) in tree.modules.iter().enumerate().filter(|(_, module)| !module.is_test) {
        let from = tree.path(index);
        let used = module.imports.iter().filter(|import| {
            // A re-export alone is no use of the item.
            !import.is_reexport || module.words.contains(&import.name)
        });
        let names = used.map(|import| &import.named).chain(&module.paths);
        for named in names {
            let Some(Target::Item(target)) = tree.resolve(index, &named.path) else { continue };
            let to = tree.path(target);
            if to != from && !tree.modules[target].is_test {
                let reasons = arrows.entry(from).or_default().entry(to).or_default();
                reasons.insert((named.line, named.path.join("::")));
            }
        }
    }
    arrows
}

/// The rings: sets of files that reach each other.
fn rings<'a>(arrows: &BTreeMap<&'a str, BTreeMap<&'a str, Reasons>>) -> Vec<BTreeSet<&'a str>> {
    let reached = |from: &'a str| {
        let mut reached: BTreeSet<&'a str> = BTreeSet::new();
        let mut open = vec![from];
        while let Some(file) = open.pop() {
            let next = arrows.get(file).into_iter().flat_map(BTreeMap::keys);
            open.extend(next.copied().filter(|next| reached.insert(next)));
        }
        reached
    };
    let all: BTreeMap<&str, BTreeSet<&str>> =
        arrows.keys().map(|file| (*file, reached(file))).collect();
    let mut rings: BTreeSet<BTreeSet<&str>> = BTreeSet::new();
    for (file, reached) in all.iter().filter(|(file, reached)| reached.contains(*file)) {
        let back = |other: &&&str| all.get(**other).is_some_and(|back| back.contains(file));
        rings.insert(reached.iter().filter(back).copied().collect());
    }
    rings.into_iter().collect()
}

/// The description of a ring: its files and every arrow among them with one reason.
fn describe(ring: &BTreeSet<&str>, tree: &Tree) -> String {
    let mut text = format!("a ring of {} files:", ring.len());
    for (from, targets) in arrows(tree) {
        for (to, reasons) in targets {
            if ring.contains(from) && ring.contains(to) {
                let (line, path) = reasons.first().expect("an arrow has a reason");
                let more = match reasons.len() {
                    1 => String::new(),
                    count => format!(" (and {} more)", count - 1),
                };
                text.push_str(&format!("\n    {from}:{line} → {to}: {path}{more}"));
            }
        }
    }
    text
}

#[test]
fn modules_import_from_modules_not_from_the_root() {
    let found: Vec<String> = workspace().trees.iter().flat_map(root_imports).collect();
    assert!(
        found.is_empty(),
        "{} paths lead through the root of a crate. Name the module that defines the item \
         (`use crate::square::Square;`, not `use crate::Square;`):\n{}",
        found.len(),
        found.join("\n")
    );
}

#[test]
fn modules_form_no_rings() {
    let mut found = Vec::new();
    let mut seen = 0;
    for tree in &workspace().trees {
        let arrows = arrows(tree);
        seen += arrows.values().map(BTreeMap::len).sum::<usize>();
        found.extend(rings(&arrows).iter().map(|ring| describe(ring, tree)));
    }
    assert!(seen > 500, "only {seen} imports found: are the files read rightly?");
    assert!(
        found.is_empty(),
        "{} rings of imports. Move the item that the lower file takes from the upper one into the \
         lower file, or into a file of its own below both; a child takes nothing from a parent \
         that uses the child:\n{}",
        found.len(),
        found.join("\n")
    );
}

#[test]
fn every_source_file_belongs_to_a_module() {
    let workspace = workspace();
    let read: BTreeSet<&str> =
        workspace.trees.iter().flat_map(|tree| tree.files.iter().map(String::as_str)).collect();
    let unread: Vec<&str> = workspace
        .files
        .iter()
        .map(|file| file.path.as_str())
        .filter(|path| path.starts_with("crates/") && path.contains("/src/"))
        .filter(|path| !read.contains(path))
        .collect();
    assert!(
        unread.is_empty(),
        "no `mod` leads to these files; declare or delete them:\n{}",
        unread.join("\n")
    );
}

/// The tree of a crate of these files.
fn tree(files: &[(&str, &str)]) -> Tree {
    let files =
        files.iter().map(|(path, text)| ((*path).to_owned(), SourceFile::new(path, text).1));
    Tree::new(&files.collect(), "src/lib.rs")
}

#[test]
fn imports_are_checked() {
    let tree = tree(&[
        ("src/lib.rs", "mod a;\nmod b;\nmod c;\npub use a::A;\npub use b::{B, E};"),
        ("src/a.rs", "use crate::{B, c::C};\npub struct A;\n#[cfg(test)]\nuse crate::D;"),
        ("src/b.rs", "mod e;\npub use e::E;\npub struct B;\nfn f() { crate::A::g(); }"),
        ("src/b/e.rs", "use super::B;\nuse super::super::E;\nuse crate::a;\npub struct E;"),
        ("src/c.rs", "pub struct C;\n#[cfg(test)]\nmod tests { use crate::a::A; }"),
    ]);
    assert_eq!(
        root_imports(&tree),
        ["src/a.rs:1: crate::B", "src/b.rs:4: crate::A::g", "src/b/e.rs:2: super::super::E"]
    );
    let found = rings(&arrows(&tree));
    assert_eq!(found, [BTreeSet::from(["src/a.rs", "src/b.rs"])]);
    let text = describe(&found[0], &tree);
    assert!(text.contains("src/a.rs:1 → src/b.rs: crate::B"), "{text}");
    assert!(text.contains("src/b.rs:4 → src/a.rs: crate::A::g"), "{text}");
}

#[test]
fn paths_are_resolved() {
    let tree = tree(&[
        ("src/lib.rs", "mod a;\npub mod b;\npub use b::deep::{Deep as D, self};\npub struct S;"),
        ("src/a.rs", "use crate::b::{Deep, deep::{self, Other}};\nfn f() { assert!(deep::g()) }"),
        ("src/b.rs", "mod deep;\npub(crate) use deep::Deep;\n#[cfg(test)]\nmod tests;"),
        (
            "src/b/deep.rs",
            "pub struct Deep;\npub struct Other;\npub fn g() {}\nuse super::super::a;",
        ),
        ("src/b/tests.rs", "use super::Deep;"),
    ]);
    assert_eq!(tree.modules.len(), 5);
    let by_path = |path: &str| {
        (0..tree.modules.len()).find(|&module| tree.path(module) == path).expect("it is read")
    };
    let resolve = |from: &str, path: &str| {
        let path: Vec<String> = path.split("::").map(str::to_owned).collect();
        tree.resolve(by_path(from), &path)
    };
    let deep = by_path("src/b/deep.rs");
    assert_eq!(resolve("src/a.rs", "crate::b::Deep"), Some(Target::Item(deep)));
    assert_eq!(resolve("src/a.rs", "crate::D::new"), Some(Target::Item(deep)));
    assert_eq!(resolve("src/a.rs", "deep::g"), Some(Target::Item(deep)));
    assert_eq!(resolve("src/a.rs", "std::fmt"), None);
    let a = by_path("src/a.rs");
    assert_eq!(resolve("src/b/deep.rs", "super::super::a"), Some(Target::Module(a)));
    let b = by_path("src/b.rs");
    assert_eq!(resolve("src/b/deep.rs", "super::made_by_macro"), Some(Target::Item(b)));
    let names: Vec<&str> =
        tree.modules[a].imports.iter().map(|import| import.name.as_str()).collect();
    assert_eq!(names, ["Deep", "deep", "Other"]);
    assert_eq!(tree.modules[a].paths[0].path, ["deep", "g"]);
    assert!(tree.modules[b].imports[0].is_reexport && !tree.modules[b].imports[0].is_public);
    assert!(tree.modules[by_path("src/b/tests.rs")].is_test && !tree.modules[b].is_test);
}
