//! The modules of a crate and their imports, read at the level of tokens: the names that a module
//! declares, the paths that it uses, and the file in which a path ends.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::source::{Kind, SourceFile, Token};

/// A path that code names, with the line where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Named {
    /// The parts of the path; the last is `*` for all names of a module.
    pub(crate) path: Vec<&'static str>,
    pub(crate) line: usize,
}

/// An import of one name.
#[derive(Debug, Clone)]
pub(crate) struct Import {
    pub(crate) named: Named,
    /// The name in this module, after `as`.
    pub(crate) name: &'static str,
    /// True if other modules can import the name from this one: `pub` or `pub(…)`.
    pub(crate) is_reexport: bool,
    /// True if other crates can import the name from this one: `pub`.
    pub(crate) is_public: bool,
}

/// A module of a crate.
#[derive(Debug)]
pub(crate) struct Module {
    /// The index of the file that contains the module.
    pub(crate) file: usize,
    pub(crate) is_test: bool,
    pub(crate) parent: Option<usize>,
    pub(crate) children: BTreeMap<&'static str, usize>,
    /// The names of items that the module defines.
    pub(crate) items: BTreeSet<&'static str>,
    /// The names of items and modules that other crates see, imports not included.
    pub(crate) public: BTreeSet<&'static str>,
    pub(crate) imports: Vec<Import>,
    /// Paths inside the code, such as `crate::square::Square` or `square::files`.
    pub(crate) paths: Vec<Named>,
    /// The words of the code outside of imports.
    pub(crate) words: HashSet<&'static str>,
}

/// The modules of one library or program.
#[derive(Debug)]
pub(crate) struct Tree<'a> {
    pub(crate) files: Vec<&'a SourceFile>,
    pub(crate) modules: Vec<Module>,
    /// The names of macros: `macro_export` puts them at the root, wherever they are defined.
    pub(crate) macros: BTreeSet<&'static str>,
}

/// The place in which a path ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Module(usize),
    /// An item of a module.
    Item(usize),
}

const ITEM_KEYWORDS: &[&str] =
    &["fn", "struct", "enum", "trait", "type", "const", "static", "union", "mod"];

impl<'a> Tree<'a> {
    /// Reads the modules below a root file such as `src/lib.rs` out of the files of a crate.
    pub(crate) fn new(files: &'a [SourceFile], root: &str) -> Option<Self> {
        let mut tree = Self { files: Vec::new(), modules: Vec::new(), macros: BTreeSet::new() };
        let file = files.iter().find(|file| file.path == root)?;
        let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
        tree.add_file(files, file, folder, None, false);
        Some(tree)
    }

    fn add_file(
        &mut self,
        files: &'a [SourceFile],
        file: &'a SourceFile,
        folder: &str,
        parent: Option<usize>,
        is_test: bool,
    ) -> usize {
        self.files.push(file);
        let place = Place { files, file: self.files.len() - 1, folder };
        self.add_module(&place, 0..file.code.len(), parent, is_test)
    }

    fn add_module(
        &mut self,
        place: &Place<'a, '_>,
        range: std::ops::Range<usize>,
        parent: Option<usize>,
        is_test: bool,
    ) -> usize {
        let module = self.modules.len();
        self.modules.push(Module {
            file: place.file,
            is_test,
            parent,
            children: BTreeMap::new(),
            items: BTreeSet::new(),
            public: BTreeSet::new(),
            imports: Vec::new(),
            paths: Vec::new(),
            words: HashSet::new(),
        });
        let file = self.files[place.file];
        let code = &file.code;
        let mut depth = 0_usize;
        let mut index = range.start;
        while index < range.end {
            let token = code[index];
            let next = code.get(index + 1);
            let is_test_here = is_test || file.is_test_token(index);
            if token.is("mod") && next.is_some_and(|next| next.kind == Kind::Word) {
                index = self.add_child(place, module, index, is_test_here);
                continue;
            }
            if is_test_here && !is_test {
                index += 1;
                continue;
            }
            if token.is("use") && !next.is_some_and(|next| next.is("<")) {
                let end = (index..range.end).find(|&at| code[at].is(";")).unwrap_or(range.end - 1);
                let (is_reexport, is_public) = visibility(code, index);
                for (named, name) in expand(&code[index + 1..end]) {
                    let import = Import { named, name, is_reexport, is_public };
                    self.modules[module].imports.push(import);
                }
                index = end + 1;
                continue;
            }
            match token.text {
                "(" | "[" | "{" if token.kind == Kind::Symbol => depth += 1,
                ")" | "]" | "}" if token.kind == Kind::Symbol => depth = depth.saturating_sub(1),
                _ => {}
            }
            if token.kind == Kind::Word {
                self.modules[module].words.insert(token.text);
                self.add_word(module, code, index, depth);
            }
            index += 1;
        }
        module
    }

    /// Notes an item that this word defines, or a path that it begins.
    fn add_word(&mut self, module: usize, code: &[Token], index: usize, depth: usize) {
        let token = code[index];
        let next = code.get(index + 1).copied();
        if let Some(name) = next.filter(|next| next.kind == Kind::Word) {
            let is_item =
                ITEM_KEYWORDS.contains(&token.text) && !ITEM_KEYWORDS.contains(&name.text);
            if depth == 0 && is_item {
                self.modules[module].items.insert(name.text);
                if is_public_item(code, index) {
                    self.modules[module].public.insert(name.text);
                }
            }
        }
        if token.text == "macro_rules"
            && let Some(name) = code.get(index + 2)
        {
            self.macros.insert(name.text);
            self.modules[module].items.insert(name.text);
        }
        let begins = next.is_some_and(|next| next.is("::"))
            && !(index > 0 && (code[index - 1].is("::") || code[index - 1].is("$")));
        if begins {
            let mut path = vec![token.text];
            let mut at = index + 1;
            while at + 1 < code.len() && code[at].is("::") && code[at + 1].kind == Kind::Word {
                path.push(code[at + 1].text);
                at += 2;
            }
            let is_macro = code.get(at).is_some_and(|token| token.is("!"));
            if path.len() > 1 && !(is_macro && path.len() == 2) {
                self.modules[module].paths.push(Named { path, line: token.line });
            }
        }
    }

    /// Reads `mod name;` or `mod name { … }` and returns the index behind it.
    fn add_child(
        &mut self,
        place: &Place<'a, '_>,
        module: usize,
        index: usize,
        is_test: bool,
    ) -> usize {
        let file = self.files[place.file];
        let code = &file.code;
        let name = code[index + 1].text;
        let folder = format!("{}/{name}", place.folder);
        let end = crate::source::end_of_item(code, index);
        let child = if code[end].is(";") {
            let of_attribute = path_attribute(code, index).map(|path| {
                let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
                format!("{folder}/{path}")
            });
            let candidates =
                [of_attribute, Some(format!("{folder}.rs")), Some(format!("{folder}/mod.rs"))];
            let found = candidates
                .iter()
                .flatten()
                .find_map(|path| place.files.iter().find(|file| file.path == *path));
            found.map(|file| self.add_file(place.files, file, &folder, Some(module), is_test))
        } else {
            let place = Place { folder: &folder, ..*place };
            Some(self.add_module(&place, index + 3..end, Some(module), is_test))
        };
        if let Some(child) = child {
            if is_public_item(code, index) && !is_test {
                self.modules[module].public.insert(name);
            }
            self.modules[module].children.insert(name, child);
        }
        end + 1
    }

    /// The name of a module's file.
    pub(crate) fn path(&self, module: usize) -> &'a str {
        &self.files[self.modules[module].file].path
    }

    /// The place in which a path ends, re-exports followed; nothing for other crates.
    pub(crate) fn resolve(&self, module: usize, path: &[&str]) -> Option<Target> {
        self.resolve_from(module, path, &mut HashSet::new())
    }

    fn resolve_from(
        &self,
        module: usize,
        path: &[&str],
        seen: &mut HashSet<(usize, String)>,
    ) -> Option<Target> {
        let (start, rest) = self.start(module, path);
        if rest.len() < path.len() {
            return self.walk(start, rest, seen);
        }
        let first = *path.first()?;
        let here = &self.modules[module];
        let is_known = here.children.contains_key(first)
            || here.items.contains(first)
            || here.imports.iter().any(|import| import.name == first);
        if is_known { self.walk(module, path, seen) } else { None }
    }

    /// The module in which a path starts, and the path without `crate`, `self` and `super`.
    pub(crate) fn start<'p, 's>(
        &self,
        module: usize,
        path: &'p [&'s str],
    ) -> (usize, &'p [&'s str]) {
        let (mut module, mut rest) = (module, path);
        while let Some((first, others)) = rest.split_first() {
            match *first {
                "crate" => module = 0,
                "self" => {}
                "super" => module = self.modules[module].parent.unwrap_or(0),
                _ => break,
            }
            rest = others;
        }
        (module, rest)
    }

    fn walk(
        &self,
        module: usize,
        path: &[&str],
        seen: &mut HashSet<(usize, String)>,
    ) -> Option<Target> {
        let Some((first, rest)) = path.split_first() else { return Some(Target::Module(module)) };
        let here = &self.modules[module];
        if *first == "*" {
            return Some(Target::Item(module));
        }
        if here.items.contains(first) && (rest.is_empty() || !here.children.contains_key(first)) {
            return Some(Target::Item(module));
        }
        if let Some(&child) = here.children.get(first) {
            return self.walk(child, rest, seen);
        }
        if !seen.insert((module, (*first).to_owned())) {
            return None;
        }
        if let Some(import) = here.imports.iter().find(|import| import.name == *first) {
            return match self.resolve_from(module, &import.named.path, seen)? {
                Target::Module(found) => self.walk(found, rest, seen),
                item @ Target::Item(_) => Some(item),
            };
        }
        // A name that a macro defines, a variant of an enum, or a name that a `*` brings.
        Some(Target::Item(module))
    }
}

/// The place of a module while a tree is read.
struct Place<'a, 'f> {
    files: &'a [SourceFile],
    /// The index of the file in the tree.
    file: usize,
    /// The folder of the files of the module's children.
    folder: &'f str,
}

/// Two flags of the import whose keyword is at `index`: re-exported at all, and to all crates.
fn visibility(code: &[Token], index: usize) -> (bool, bool) {
    let Some(before) = index.checked_sub(1).map(|at| code[at]) else { return (false, false) };
    if before.is("pub") {
        return (true, true);
    }
    if !before.is(")") {
        return (false, false);
    }
    let open = code[..index].iter().rposition(|token| token.is("("));
    let restricted = open.is_some_and(|open| open > 0 && code[open - 1].is("pub"));
    (restricted, false)
}

/// Checks whether `pub` stands before the item whose keyword is at `index`.
fn is_public_item(code: &[Token], index: usize) -> bool {
    code[..index]
        .iter()
        .rev()
        .take_while(|token| {
            ["const", "unsafe", "async", "extern", "pub"].iter().any(|word| token.is(word))
        })
        .any(|token| token.is("pub"))
}

/// The path in `#[path = "…"]` before the `mod` at `index`.
fn path_attribute(code: &[Token], index: usize) -> Option<&'static str> {
    let start = index.saturating_sub(8);
    let at = (start..index).rev().take_while(|&at| !code[at].is(";") && !code[at].is("}"));
    let at = at.into_iter().find(|&at| code[at].is("path") && code[at + 1].is("="))?;
    Some(code[at + 2].text.trim_matches('"'))
}

/// The single imports of the tree between `use` and `;`, each with its name in the module.
fn expand(tree: &[Token]) -> Vec<(Named, &'static str)> {
    let mut found = Vec::new();
    let mut prefix: Vec<&'static str> = Vec::new();
    let mut index = 0;
    while index < tree.len() {
        let token = tree[index];
        if token.kind == Kind::Word || token.is("*") {
            if token.text == "as" {
                let alias = tree.get(index + 1).map_or("_", |token| token.text);
                if let Some((_, name)) = found.last_mut() {
                    *name = alias;
                }
                index += 2;
                continue;
            }
            if tree.get(index + 1).is_some_and(|next| next.is("::")) {
                prefix.push(token.text);
            } else {
                let mut path = prefix.clone();
                if token.text != "self" || path.is_empty() {
                    path.push(token.text);
                }
                let name = path.last().copied().unwrap_or("_");
                found.push((Named { path, line: token.line }, name));
            }
        } else if token.is("{") {
            let end = closing(tree, index);
            for part in parts(&tree[index + 1..end]) {
                for (mut named, name) in expand(part) {
                    let mut path = prefix.clone();
                    path.append(&mut named.path);
                    let name = if path.last() == Some(&"self") {
                        path.pop();
                        if name == "self" { path.last().copied().unwrap_or("_") } else { name }
                    } else {
                        name
                    };
                    found.push((Named { path, line: named.line }, name));
                }
            }
            index = end;
        }
        index += 1;
    }
    found
}

fn closing(tree: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tree.iter().enumerate().skip(open) {
        if token.is("{") {
            depth += 1;
        } else if token.is("}") {
            depth -= 1;
            if depth == 0 {
                return index;
            }
        }
    }
    tree.len()
}

/// The parts of a list between commas of its own level.
fn parts(list: &[Token]) -> Vec<&[Token]> {
    let mut depth = 0_usize;
    list.split(|token| {
        depth += usize::from(token.is("{"));
        depth = depth.saturating_sub(usize::from(token.is("}")));
        depth == 0 && token.is(",")
    })
    .filter(|part| !part.is_empty())
    .collect()
}

#[test]
fn paths_are_resolved() {
    let file = |path: &str, text: &str| SourceFile::new(path, text.to_owned());
    let files = [
        file(
            "src/lib.rs",
            "mod a;\npub mod b;\npub use b::deep::{Deep as D, self};\npub struct S;",
        ),
        file("src/a.rs", "use crate::b::{Deep, deep::{self, Other}};\nfn f() { deep::g() }"),
        file("src/b.rs", "mod deep;\npub(crate) use deep::Deep;\n#[cfg(test)]\nmod tests;"),
        file(
            "src/b/deep.rs",
            "pub struct Deep;\npub struct Other;\npub fn g() {}\nuse super::super::a;",
        ),
        file("src/b/tests.rs", "use super::Deep;"),
    ];
    let tree = Tree::new(&files, "src/lib.rs").expect("there is a root");
    assert_eq!(tree.modules.len(), 5);
    let by_path = |path: &str| {
        (0..tree.modules.len()).find(|&module| tree.path(module) == path).expect("it is read")
    };
    let (a, b, deep) = (by_path("src/a.rs"), by_path("src/b.rs"), by_path("src/b/deep.rs"));
    assert_eq!(tree.resolve(a, &["crate", "b", "Deep"]), Some(Target::Item(deep)));
    assert_eq!(tree.resolve(a, &["crate", "D", "new"]), Some(Target::Item(deep)));
    assert_eq!(tree.resolve(a, &["deep", "g"]), Some(Target::Item(deep)));
    assert_eq!(tree.resolve(a, &["std", "fmt"]), None);
    assert_eq!(tree.resolve(deep, &["super", "super", "a"]), Some(Target::Module(a)));
    assert_eq!(tree.resolve(deep, &["super", "made_by_macro"]), Some(Target::Item(b)));
    let names: Vec<&str> = tree.modules[a].imports.iter().map(|import| import.name).collect();
    assert_eq!(names, ["Deep", "deep", "Other"]);
    assert_eq!(tree.modules[0].public.iter().copied().collect::<Vec<_>>(), ["S", "b"]);
    assert!(tree.modules[b].imports[0].is_reexport && !tree.modules[b].imports[0].is_public);
    assert!(tree.modules[by_path("src/b/tests.rs")].is_test && !tree.modules[b].is_test);
}
