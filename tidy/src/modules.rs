//! The modules of a crate and their imports: the names that a module declares, the paths that it
//! uses, and the file in which a path ends.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use quote::ToTokens as _;
use syn::visit::Visit;

use crate::source::{attributes, is_for_tests, tokens};

/// A path that code names, with the line where it stands.
#[derive(Debug, Clone)]
pub struct Named {
    /// The parts of the path; the last is `*` for all names of a module.
    pub path: Vec<String>,
    /// Counted from 1.
    pub line: usize,
}

/// An import of one name.
#[derive(Debug, Clone)]
pub struct Import {
    /// The path of the import.
    pub named: Named,
    /// The name in this module, after `as`.
    pub name: String,
    /// True if other modules can import the name from this one: `pub` or `pub(…)`.
    pub is_reexport: bool,
    /// True if other crates can import the name from this one: `pub`.
    pub is_public: bool,
}

/// A module of a crate.
#[derive(Debug, Default)]
pub struct Module {
    /// The index of the file that contains the module.
    pub file: usize,
    /// The index of the module around it; nothing for the root.
    pub parent: Option<usize>,
    /// True if only tests compile the module; nothing more is known of it.
    pub is_test: bool,
    /// The indices of the modules inside it, by name.
    pub children: BTreeMap<String, usize>,
    /// The names of items that the module defines.
    pub items: BTreeSet<String>,
    /// Everything that `use` brings in.
    pub imports: Vec<Import>,
    /// Paths inside the code, such as `crate::square::Square` or `square::files`.
    pub paths: Vec<Named>,
    /// The words of the code outside of imports.
    pub words: HashSet<String>,
}

/// The modules of one library or program.
#[derive(Debug, Default)]
pub struct Tree {
    /// The paths of the files.
    pub files: Vec<String>,
    /// The modules; the first is the root.
    pub modules: Vec<Module>,
    /// The names of macros: `macro_export` puts them at the root, wherever they are defined.
    pub macros: BTreeSet<String>,
}

/// The place in which a path ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A module.
    Module(usize),
    /// An item of a module.
    Item(usize),
}

impl Tree {
    /// Reads the modules below a root file such as `src/lib.rs`; `files` has the parsed files by
    /// path.
    ///
    /// # Panics
    ///
    /// If there is no such file.
    pub fn new(files: &BTreeMap<String, syn::File>, root: &str) -> Self {
        assert!(files.contains_key(root), "{root} is not among the files");
        let mut tree = Self::default();
        let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
        tree.add_file(files, root, folder, None, false);
        tree
    }

    fn add_file(
        &mut self,
        files: &BTreeMap<String, syn::File>,
        path: &str,
        folder: &str,
        parent: Option<usize>,
        is_test: bool,
    ) -> usize {
        self.files.push(path.to_owned());
        let place = Place { files, file: self.files.len() - 1, folder };
        self.add_module(&place, &files[path].items, parent, is_test)
    }

    fn add_module(
        &mut self,
        place: &Place<'_>,
        items: &[syn::Item],
        parent: Option<usize>,
        is_test: bool,
    ) -> usize {
        let index = self.modules.len();
        self.modules.push(Module { file: place.file, parent, is_test, ..Module::default() });
        for item in items {
            if let syn::Item::Mod(child) = item {
                let is_test = is_test || is_for_tests(&child.attrs);
                self.add_child(place, index, child, is_test);
            } else if !is_test {
                self.add_item(index, item);
            }
        }
        index
    }

    /// Notes the imports, the names and the paths of an item.
    fn add_item(&mut self, index: usize, item: &syn::Item) {
        let module = &mut self.modules[index];
        let mut imports = Imports(&mut module.imports);
        imports.visit_item(item);
        if matches!(item, syn::Item::Use(_)) {
            return;
        }
        if let Some(name) = name(item) {
            module.items.insert(name.clone());
            if matches!(item, syn::Item::Macro(_)) {
                self.macros.insert(name);
            }
        }
        // Tokens, because the parser does not look into macros such as `assert!`.
        let code = tokens(item.to_token_stream());
        for (at, token) in code.iter().enumerate() {
            if !is_word(&token.text) {
                continue;
            }
            module.words.insert(token.text.clone());
            let is_start = at == 0 || !["::", "$"].contains(&code[at - 1].text.as_str());
            let mut path = vec![token.text.clone()];
            let mut next = at + 1;
            while is_start
                && next + 1 < code.len()
                && code[next].text == "::"
                && is_word(&code[next + 1].text)
            {
                path.push(code[next + 1].text.clone());
                next += 2;
            }
            let is_macro = code.get(next).is_some_and(|token| token.text == "!");
            if path.len() > 1 && !(is_macro && path.len() == 2) {
                module.paths.push(Named { path, line: token.line });
            }
        }
    }

    /// Reads `mod name;` or `mod name { … }`.
    fn add_child(&mut self, place: &Place<'_>, index: usize, child: &syn::ItemMod, is_test: bool) {
        let name = child.ident.to_string();
        let folder = format!("{}/{name}", place.folder);
        let module = if let Some((_, items)) = &child.content {
            let place = Place { folder: &folder, ..*place };
            Some(self.add_module(&place, items, Some(index), is_test))
        } else {
            let own = &self.files[place.file];
            let of_attribute = path_attribute(&child.attrs).map(|path| {
                let folder = own.rsplit_once('/').map_or("", |(folder, _)| folder);
                format!("{folder}/{path}")
            });
            let candidates =
                [of_attribute, Some(format!("{folder}.rs")), Some(format!("{folder}/mod.rs"))];
            let found =
                candidates.into_iter().flatten().find(|path| place.files.contains_key(path));
            found.map(|path| self.add_file(place.files, &path, &folder, Some(index), is_test))
        };
        if let Some(module) = module {
            self.modules[index].children.insert(name, module);
        }
    }

    /// The name of a module's file.
    pub fn path(&self, module: usize) -> &str {
        &self.files[self.modules[module].file]
    }

    /// The place in which a path ends, re-exports followed; nothing for other crates.
    pub fn resolve(&self, module: usize, path: &[String]) -> Option<Target> {
        self.resolve_from(module, path, &mut HashSet::new())
    }

    fn resolve_from(
        &self,
        module: usize,
        path: &[String],
        seen: &mut HashSet<(usize, String)>,
    ) -> Option<Target> {
        let (start, rest) = self.start(module, path);
        if rest.len() < path.len() {
            return self.walk(start, rest, seen);
        }
        let first = path.first()?;
        let here = &self.modules[module];
        let is_known = here.children.contains_key(first)
            || here.items.contains(first)
            || here.imports.iter().any(|import| import.name == *first);
        if is_known { self.walk(module, path, seen) } else { None }
    }

    /// The module in which a path starts, and the path without `crate`, `self` and `super`.
    pub fn start<'p>(&self, module: usize, path: &'p [String]) -> (usize, &'p [String]) {
        let mut module = module;
        let mut rest = path;
        while let Some((first, others)) = rest.split_first() {
            match first.as_str() {
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
        path: &[String],
        seen: &mut HashSet<(usize, String)>,
    ) -> Option<Target> {
        let Some((first, rest)) = path.split_first() else { return Some(Target::Module(module)) };
        let here = &self.modules[module];
        if first == "*" {
            return Some(Target::Item(module));
        }
        if here.items.contains(first) && (rest.is_empty() || !here.children.contains_key(first)) {
            return Some(Target::Item(module));
        }
        if let Some(&child) = here.children.get(first) {
            return self.walk(child, rest, seen);
        }
        if !seen.insert((module, first.clone())) {
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
#[derive(Clone, Copy)]
struct Place<'f> {
    files: &'f BTreeMap<String, syn::File>,
    /// The index of the file in the tree.
    file: usize,
    /// The folder of the files of the module's children.
    folder: &'f str,
}

/// True for a name or a keyword.
fn is_word(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && text.chars().all(|character| character.is_alphanumeric() || character == '_')
}

/// The name that an item gives to its module.
fn name(item: &syn::Item) -> Option<String> {
    let name = match item {
        syn::Item::Const(item) => &item.ident,
        syn::Item::Enum(item) => &item.ident,
        syn::Item::Fn(item) => &item.sig.ident,
        syn::Item::Macro(item) => item.ident.as_ref()?,
        syn::Item::Static(item) => &item.ident,
        syn::Item::Struct(item) => &item.ident,
        syn::Item::Trait(item) => &item.ident,
        syn::Item::Type(item) => &item.ident,
        _ => return None,
    };
    attributes(item).map(|_| name.to_string())
}

/// The path in `#[path = "…"]`.
fn path_attribute(attributes: &[syn::Attribute]) -> Option<String> {
    let attribute = attributes.iter().find(|attribute| attribute.path().is_ident("path"))?;
    let text = tokens(attribute.meta.to_token_stream()).pop()?.text;
    Some(text.trim_matches('"').to_owned())
}

/// Collects the imports of an item, those inside of functions included.
struct Imports<'i>(&'i mut Vec<Import>);

impl Imports<'_> {
    fn add(&mut self, tree: &syn::UseTree, prefix: &[String], visibility: &syn::Visibility) {
        match tree {
            syn::UseTree::Path(path) => {
                let mut prefix = prefix.to_vec();
                prefix.push(path.ident.to_string());
                self.add(&path.tree, &prefix, visibility);
            }
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.add(tree, prefix, visibility);
                }
            }
            syn::UseTree::Name(name) => {
                self.push(&name.ident, &name.ident, prefix, visibility);
            }
            syn::UseTree::Rename(renamed) => {
                self.push(&renamed.ident, &renamed.rename, prefix, visibility);
            }
            syn::UseTree::Glob(star) => {
                let star = syn::Ident::new("star", star.star_token.spans[0]);
                self.push(&star, &star, prefix, visibility);
                let import = self.0.last_mut().expect("it was pushed");
                "*".clone_into(&mut import.name);
                "*".clone_into(import.named.path.last_mut().expect("a path has parts"));
            }
        }
    }

    fn push(
        &mut self,
        part: &syn::Ident,
        name: &syn::Ident,
        prefix: &[String],
        visibility: &syn::Visibility,
    ) {
        let mut path = prefix.to_vec();
        let mut name = name.to_string();
        // `a::{self}` imports `a`.
        if part == "self" && !path.is_empty() {
            if name == "self" {
                name.clone_from(path.last().expect("it is not empty"));
            }
        } else {
            path.push(part.to_string());
        }
        self.0.push(Import {
            named: Named { path, line: part.span().start().line },
            name,
            is_reexport: !matches!(visibility, syn::Visibility::Inherited),
            is_public: matches!(visibility, syn::Visibility::Public(_)),
        });
    }
}

impl<'ast> Visit<'ast> for Imports<'_> {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.add(&item.tree, &[], &item.vis);
    }
}
