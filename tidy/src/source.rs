//! The packages of the workspace and its Rust files, parsed once.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use cargo_metadata::{Metadata, MetadataCommand, Package};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;

use crate::modules::Tree;

/// The root of the workspace. The variable at run time lets one compiled test check another working
/// tree; `cargo test` sets it as well.
///
/// # Panics
///
/// If tidy is not in a folder.
pub fn root() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| {
        let folder = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let folder = folder.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
        folder.parent().expect("tidy is a folder of the workspace").to_owned()
    })
}

/// The content of a text file.
///
/// # Panics
///
/// If the file cannot be read: a rule that skipped it would check nothing.
pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The path from the root of the workspace, with `/`.
///
/// # Panics
///
/// If the path is outside the workspace.
pub fn relative(path: &Path) -> String {
    let path = path.strip_prefix(root()).expect("the path is below the root");
    path.display().to_string().replace('\\', "/")
}

/// All files below a folder with this extension, sorted; build outputs and hidden folders omitted.
///
/// # Panics
///
/// If an entry of a folder cannot be read.
pub fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() {
            if name != "target" && !name.starts_with('.') {
                files.extend(files_below(&path, extension));
            }
        } else if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
    files
}

/// The packages of the workspace, as cargo reads their manifests.
///
/// # Panics
///
/// If cargo cannot read the manifests.
pub fn packages() -> &'static [Package] {
    static METADATA: OnceLock<Metadata> = OnceLock::new();
    let metadata = METADATA.get_or_init(|| {
        let manifest = root().join("Cargo.toml");
        MetadataCommand::new().manifest_path(manifest).no_deps().exec().expect("the manifests")
    });
    &metadata.packages
}

/// The packages that are crates of komadai: the facade and those in `crates/`.
pub fn crates() -> impl Iterator<Item = &'static Package> {
    packages()
        .iter()
        .filter(|package| package.name == "komadai" || package.name.starts_with("komadai-"))
        .filter(|package| folder(package) == "." || folder(package).starts_with("crates/"))
}

/// True if a package goes to the registry.
pub fn is_published(package: &Package) -> bool {
    package.publish.as_ref().is_none_or(|registries| !registries.is_empty())
}

/// The folder of a package from the root of the workspace; `.` for the facade.
///
/// # Panics
///
/// If the package is outside the workspace.
pub fn folder(package: &Package) -> String {
    let folder = package.manifest_path.parent().expect("a manifest lies in a folder");
    let folder = relative(folder.as_std_path());
    if folder.is_empty() { ".".to_owned() } else { folder }
}

/// A token of code: its text and its line, counted from 1. Brackets are tokens, `::` is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// The text as written.
    pub text: String,
    /// The line of the first character.
    pub line: usize,
}

/// A function with a body.
#[derive(Debug, Clone)]
pub struct Function {
    /// The name without its type.
    pub name: String,
    /// The line of the name.
    pub line: usize,
    /// The tokens of the body, joined by spaces, so that equal bodies are equal texts.
    pub body: String,
}

/// A Rust file without the code that only tests compile.
#[derive(Debug)]
pub struct SourceFile {
    /// The path from the root of the workspace, with `/`.
    pub path: String,
    /// The whole text, comments and tests included.
    pub text: String,
    /// The code without comments, documentation and tests.
    pub code: Vec<Token>,
    /// The functions with a body, nested ones and methods included.
    pub functions: Vec<Function>,
    /// The public items, methods included: the name and the line.
    pub public: Vec<(String, usize)>,
}

impl SourceFile {
    /// Parses a text. The syntax tree, which cannot leave its thread, is returned beside the facts.
    ///
    /// # Panics
    ///
    /// If the text is no Rust.
    pub fn new(path: &str, text: &str) -> (Self, syn::File) {
        let parsed = syn::parse_file(text);
        let mut syntax = parsed.unwrap_or_else(|error| panic!("{path}: {error}"));
        WithoutTests.visit_file_mut(&mut syntax);
        let mut facts = Facts::default();
        facts.visit_file(&syntax);
        let file = Self {
            path: path.to_owned(),
            text: text.to_owned(),
            code: tokens(syntax.items.iter().map(|item| item.to_token_stream()).collect()),
            functions: facts.functions,
            public: facts.public,
        };
        (file, syntax)
    }

    /// The lines at which these tokens stand one after another.
    pub fn lines_of<'s>(&'s self, wanted: &'s [&str]) -> impl Iterator<Item = usize> + 's {
        self.code
            .windows(wanted.len())
            .filter(move |found| found.iter().zip(wanted).all(|(token, word)| token.text == *word))
            .map(|found| found[0].line)
    }
}

/// The files of the workspace, and the modules of each library and program of the crates.
#[derive(Debug)]
pub struct Workspace {
    /// The Rust files, sorted by path.
    pub files: Vec<SourceFile>,
    /// The modules of each library and program in `crates/`, and of the facade.
    pub trees: Vec<Tree>,
}

/// The workspace, and the workspaces of benchmarks and fuzz targets in it.
///
/// # Panics
///
/// If a file cannot be read or is no Rust.
pub fn workspace() -> &'static Workspace {
    static WORKSPACE: OnceLock<Workspace> = OnceLock::new();
    WORKSPACE.get_or_init(|| {
        let folders = ["crates", "examples", "benches", "tests", "fuzz", "tidy"];
        let paths = folders.iter().flat_map(|folder| files_below(&root().join(folder), "rs"));
        let mut files = Vec::new();
        let mut syntax = BTreeMap::new();
        for path in paths {
            let name = relative(&path);
            let (file, tree) = SourceFile::new(&name, &read(&path));
            files.push(file);
            syntax.insert(name, tree);
        }
        assert!(files.len() > 300, "only {} files found", files.len());
        let targets = crates().flat_map(|package| &package.targets);
        let roots = targets.filter(|target| target.is_lib() || target.is_bin());
        let roots = roots.map(|target| relative(target.src_path.as_std_path()));
        let trees = roots.map(|root| Tree::new(&syntax, &root)).collect();
        Workspace { files, trees }
    })
}

/// True if only tests compile what has these attributes.
pub(crate) fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let words = tokens(attribute.meta.to_token_stream());
        let has = |word: &str| words.iter().any(|token| token.text == word);
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg") && has("test") && !has("not")
    })
}

/// Removes items, methods, fields and statements that only tests compile; `mod tests;` stays
/// without its content, because the file of the module is found by it.
struct WithoutTests;

impl VisitMut for WithoutTests {
    fn visit_file_mut(&mut self, file: &mut syn::File) {
        file.items.retain(|item| !is_test_item(item));
        syn::visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        if let Some((_, items)) = &mut module.content {
            items.retain(|item| !is_test_item(item));
        }
        syn::visit_mut::visit_item_mod_mut(self, module);
    }

    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        item.items.retain(|item| match item {
            syn::ImplItem::Fn(method) => !is_for_tests(&method.attrs),
            syn::ImplItem::Const(constant) => !is_for_tests(&constant.attrs),
            _ => true,
        });
        syn::visit_mut::visit_item_impl_mut(self, item);
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        block.stmts.retain(|statement| match statement {
            syn::Stmt::Item(item) => !is_test_item(item),
            syn::Stmt::Local(local) => !is_for_tests(&local.attrs),
            _ => true,
        });
        syn::visit_mut::visit_block_mut(self, block);
    }
}

/// True for an item that only tests compile, except a module in a file of its own.
fn is_test_item(item: &syn::Item) -> bool {
    if matches!(item, syn::Item::Mod(module) if module.content.is_none()) {
        return false;
    }
    attributes(item).is_some_and(is_for_tests)
}

/// The attributes of an item; nothing for code that the parser does not know.
pub(crate) fn attributes(item: &syn::Item) -> Option<&[syn::Attribute]> {
    Some(match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => return None,
    })
}

/// The tokens of a stream in order, documentation omitted.
pub(crate) fn tokens(stream: TokenStream) -> Vec<Token> {
    let mut found = Vec::new();
    add_tokens(stream, &mut found);
    found
}

fn add_tokens(stream: TokenStream, found: &mut Vec<Token>) {
    let mut trees = stream.into_iter().peekable();
    while let Some(tree) = trees.next() {
        let line = tree.span().start().line;
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                let end = group.span_close().start().line;
                found.push(Token { text: open.to_owned(), line });
                add_tokens(group.stream(), found);
                found.push(Token { text: close.to_owned(), line: end });
            }
            TokenTree::Punct(sign) if sign.as_char() == '#' => {
                if is_documentation(trees.peek()) {
                    trees.next();
                } else {
                    found.push(Token { text: "#".to_owned(), line });
                }
            }
            TokenTree::Punct(sign) if sign.as_char() == ':' => {
                let next = trees.next_if(
                    |next| matches!(next, TokenTree::Punct(next) if next.as_char() == ':'),
                );
                let text = if next.is_some() { "::" } else { ":" };
                found.push(Token { text: text.to_owned(), line });
            }
            other => found.push(Token { text: other.to_string(), line }),
        }
    }
}

/// True if `[doc = "…"]` stands behind a `#`.
fn is_documentation(tree: Option<&TokenTree>) -> bool {
    let Some(TokenTree::Group(group)) = tree else { return false };
    let mut inner = group.stream().into_iter();
    matches!(inner.next(), Some(TokenTree::Ident(name)) if name == "doc")
        && matches!(inner.next(), Some(TokenTree::Punct(sign)) if sign.as_char() == '=')
}

/// The functions and the public items of a file.
#[derive(Default)]
struct Facts {
    functions: Vec<Function>,
    public: Vec<(String, usize)>,
}

impl Facts {
    fn function(&mut self, name: &syn::Ident, body: &syn::Block) {
        let texts: Vec<String> =
            tokens(body.to_token_stream()).into_iter().map(|token| token.text).collect();
        self.functions.push(Function {
            name: name.to_string(),
            line: name.span().start().line,
            body: texts.join(" "),
        });
    }

    fn item(&mut self, visibility: &syn::Visibility, name: &syn::Ident) {
        if matches!(visibility, syn::Visibility::Public(_)) {
            self.public.push((name.to_string(), name.span().start().line));
        }
    }
}

impl<'ast> Visit<'ast> for Facts {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.item(&item.vis, &item.sig.ident);
        self.function(&item.sig.ident, &item.block);
        syn::visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.item(&item.vis, &item.sig.ident);
        self.function(&item.sig.ident, &item.block);
        syn::visit::visit_impl_item_fn(self, item);
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.item(&item.vis, &item.ident);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.item(&item.vis, &item.ident);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.item(&item.vis, &item.ident);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.item(&item.vis, &item.ident);
        syn::visit::visit_item_trait(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.item(&item.vis, &item.ident);
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.item(&item.vis, &item.ident);
    }
}
