//! The Rust files of the workspace as the checks read them: tokens, comments, the lines that only
//! tests compile, functions.

use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An identifier or a keyword.
    Word,
    /// A number.
    Number,
    /// A string or a character.
    Text,
    /// A lifetime or a label.
    Lifetime,
    /// `::`, or any other single character.
    Symbol,
    /// `///` or `/** … */`.
    OuterDoc,
    /// `//!` or `/*! … */`.
    InnerDoc,
    /// A comment that is no documentation.
    Comment,
}

/// A token of a Rust file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// The text as written; of a comment, the text behind its marker.
    pub(crate) text: &'static str,
    /// The line of the first character, counted from 1.
    pub(crate) line: usize,
    /// The number of tokens of code before this one.
    pub(crate) after: usize,
}

impl Token {
    /// Checks whether the token is this word or symbol of code.
    pub(crate) fn is(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Word | Kind::Symbol) && self.text == text
    }
}

/// A Rust file, lexed.
#[derive(Debug)]
pub(crate) struct SourceFile {
    /// The path from the root of the workspace, with `/`.
    pub(crate) path: String,
    /// The number of lines.
    pub(crate) lines: usize,
    pub(crate) code: Vec<Token>,
    pub(crate) comments: Vec<Token>,
    /// The tokens of code that only tests compile.
    test_tokens: Vec<bool>,
    /// The lines that only tests compile.
    test_lines: Vec<RangeInclusive<usize>>,
}

/// A function with a body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) name: &'static str,
    pub(crate) line: usize,
    /// The number of lines from `fn` to the closing brace.
    pub(crate) lines: usize,
}

impl SourceFile {
    /// Lexes a text. The text lives until the process ends, as the checks need every file.
    pub(crate) fn new(path: &str, text: String) -> Self {
        let text: &'static str = text.leak();
        let (code, comments) = lex(text);
        let regions = test_regions(&code);
        let mut test_tokens = vec![false; code.len()];
        for region in &regions {
            test_tokens[region.clone()].fill(true);
        }
        let test_lines = regions
            .into_iter()
            .map(|region| code[*region.start()].line..=code[*region.end()].line)
            .collect();
        let lines = text.lines().count();
        Self { path: path.to_owned(), lines, code, comments, test_tokens, test_lines }
    }

    /// Checks whether only tests compile this token of code.
    pub(crate) fn is_test_token(&self, index: usize) -> bool {
        self.test_tokens[index]
    }

    /// Checks whether only tests compile this line, as far as this file alone shows.
    pub(crate) fn is_test_line(&self, line: usize) -> bool {
        self.test_lines.iter().any(|lines| lines.contains(&line))
    }

    /// The number of lines that are not for tests alone.
    pub(crate) fn non_test_lines(&self) -> usize {
        (1..=self.lines).filter(|&line| !self.is_test_line(line)).count()
    }

    /// All functions with a body, nested ones included.
    pub(crate) fn functions(&self) -> Vec<Function> {
        let code = &self.code;
        let mut functions = Vec::new();
        for (index, token) in code.iter().enumerate() {
            let Some(name) = code.get(index + 1).filter(|name| name.kind == Kind::Word) else {
                continue;
            };
            if !token.is("fn") {
                continue;
            }
            let end = end_of_item(code, index);
            if code[end].is("}") {
                let lines = code[end].line - token.line + 1;
                functions.push(Function { name: name.text, line: token.line, lines });
            }
        }
        functions
    }
}

/// The root of the workspace. The variable at run time allows one compiled test to check another
/// working tree; `cargo test` sets it as well.
pub(crate) fn root() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| {
        let now = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        now.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")))
    })
}

/// The content of a text file.
pub(crate) fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The path from the root of the workspace, with `/`.
pub(crate) fn relative(path: &Path) -> String {
    let path = path.strip_prefix(root()).expect("the path is below the root");
    path.display().to_string().replace('\\', "/")
}

/// All files below a folder with this extension, sorted; build outputs and hidden folders omitted.
pub(crate) fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
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

/// The folders of the crates that have a manifest.
pub(crate) fn crate_folders() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = fs::read_dir(root().join("crates"))
        .expect("the workspace has crates")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|folder| folder.join("Cargo.toml").exists())
        .collect();
    folders.sort();
    assert!(folders.len() >= 9, "crates are missing: {folders:?}");
    folders
}

/// Every Rust file of the workspace, and of the workspaces of benchmarks and fuzz targets in it.
pub(crate) fn all_files() -> &'static [SourceFile] {
    static FILES: OnceLock<Vec<SourceFile>> = OnceLock::new();
    FILES.get_or_init(|| {
        let folders = ["crates", "examples", "benches", "tests", "fuzz"];
        let paths = folders.iter().flat_map(|folder| files_below(&root().join(folder), "rs"));
        let files: Vec<SourceFile> =
            paths.map(|path| SourceFile::new(&relative(&path), read(&path))).collect();
        assert!(files.len() > 300, "only {} files found", files.len());
        files
    })
}

/// The crate or the top folder that a path belongs to.
pub(crate) fn area(path: &str) -> &str {
    let mut parts = path.splitn(3, '/');
    match (parts.next(), parts.next()) {
        (Some("crates"), Some(name)) => name,
        (Some(folder), _) => folder,
        _ => path,
    }
}

/// Splits a text into tokens of code and comments.
fn lex(text: &'static str) -> (Vec<Token>, Vec<Token>) {
    let mut code: Vec<Token> = Vec::new();
    let mut comments: Vec<Token> = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < text.len() {
        let rest = &text[at..];
        let first = rest.chars().next().expect("the text is not at its end");
        let (kind, length) = if first.is_whitespace() {
            line += usize::from(first == '\n');
            at += first.len_utf8();
            continue;
        } else if rest.starts_with("//") {
            (Kind::Comment, rest.find('\n').unwrap_or(rest.len()))
        } else if rest.starts_with("/*") {
            (Kind::Comment, block_comment(rest))
        } else if let Some(length) = literal(rest) {
            (Kind::Text, length)
        } else if first == '\'' {
            (Kind::Lifetime, 1 + word(&rest[1..]))
        } else if first.is_ascii_digit() {
            (Kind::Number, number(rest))
        } else if is_word(first) {
            let prefix = if rest.starts_with("r#") { 2 } else { 0 };
            (Kind::Word, prefix + word(&rest[prefix..]))
        } else if rest.starts_with("::") {
            (Kind::Symbol, 2)
        } else {
            (Kind::Symbol, first.len_utf8())
        };
        let found = &rest[..length];
        if kind == Kind::Comment {
            let (kind, text) = comment(found);
            comments.push(Token { kind, text, line, after: code.len() });
        } else {
            code.push(Token { kind, text: found, line, after: code.len() });
        }
        line += found.matches('\n').count();
        at += length;
    }
    (code, comments)
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn word(rest: &str) -> usize {
    rest.find(|character| !is_word(character)).unwrap_or(rest.len())
}

/// The length of a number: a second point ends it, so that `0..9` is three tokens.
fn number(rest: &str) -> usize {
    let whole = word(rest);
    match rest[whole..].strip_prefix('.') {
        Some(decimals) if decimals.starts_with(|digit: char| digit.is_ascii_digit()) => {
            whole + 1 + word(decimals)
        }
        _ => whole,
    }
}

fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            (depth, at) = (depth + 1, at + 2);
        } else if rest[at..].starts_with("*/") {
            (depth, at) = (depth - 1, at + 2);
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// The kind of a comment and its text without the marker.
fn comment(found: &'static str) -> (Kind, &'static str) {
    let body = found.strip_suffix("*/").unwrap_or(found);
    for (marker, kind) in [("//!", Kind::InnerDoc), ("/*!", Kind::InnerDoc)] {
        if let Some(text) = body.strip_prefix(marker) {
            return (kind, text);
        }
    }
    for (marker, longer) in [("///", "////"), ("/**", "/***")] {
        if let Some(text) = body.strip_prefix(marker).filter(|_| !body.starts_with(longer)) {
            return (Kind::OuterDoc, text);
        }
    }
    (Kind::Comment, body.get(2..).unwrap_or_default())
}

/// The length of a string or character at the start of the text, in any of Rust's spellings.
fn literal(rest: &str) -> Option<usize> {
    let prefix = ["br", "cr", "r", "b", "c", ""]
        .into_iter()
        .find(|prefix| rest.starts_with(prefix) && opens(&rest[prefix.len()..], prefix))?;
    let body = &rest[prefix.len()..];
    if prefix.ends_with('r') {
        let hashes = body.find('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        let inside = hashes + 1;
        let length = body[inside..].find(&end).map_or(body.len(), |at| inside + at + end.len());
        return Some(prefix.len() + length);
    }
    let quote = body.chars().next()?;
    let mut escaped = false;
    for (at, character) in body.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if character == '\\' {
            escaped = true;
        } else if character == quote {
            return Some(prefix.len() + at + 1);
        }
    }
    Some(rest.len())
}

/// Checks whether a literal with this prefix opens here; `'a` is a lifetime and `r#if` a word.
fn opens(body: &str, prefix: &str) -> bool {
    if prefix.ends_with('r') {
        return body.trim_start_matches('#').starts_with('"');
    }
    let mut characters = body.chars();
    match characters.next() {
        Some('"') => true,
        Some('\'') if prefix.is_empty() || prefix == "b" => match characters.next() {
            Some('\\') => true,
            Some(_) => characters.next() == Some('\''),
            None => false,
        },
        _ => false,
    }
}

/// The index of the token that ends the item that begins at `start`: `;`, or the brace that closes
/// its first block.
pub(crate) fn end_of_item(code: &[Token], start: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in code.iter().enumerate().skip(start) {
        if token.kind != Kind::Symbol {
            continue;
        }
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 && token.text == "}" {
                    return index;
                }
            }
            ";" if depth == 0 => return index,
            _ => {}
        }
    }
    code.len() - 1
}

/// The index behind the attribute whose `#` is at `start`, and whether it is inside an item.
pub(crate) fn attribute(code: &[Token], start: usize) -> Option<(usize, bool)> {
    let is_inner = code.get(start + 1)?.is("!");
    let open = start + 1 + usize::from(is_inner);
    if !code[start].is("#") || !code.get(open)?.is("[") {
        return None;
    }
    let mut depth = 0_usize;
    for (index, token) in code.iter().enumerate().skip(open) {
        if token.is("[") {
            depth += 1;
        } else if token.is("]") {
            depth -= 1;
            if depth == 0 {
                return Some((index + 1, is_inner));
            }
        }
    }
    None
}

/// The tokens that only tests compile: items behind `#[cfg(test)]` and `#[test]`.
fn test_regions(code: &[Token]) -> Vec<RangeInclusive<usize>> {
    let mut regions = Vec::new();
    let mut index = 0;
    while index < code.len() {
        let Some((mut end, is_inner)) = attribute(code, index) else {
            index += 1;
            continue;
        };
        let names: Vec<&str> = code[index..end]
            .iter()
            .filter(|token| token.kind == Kind::Word)
            .map(|token| token.text)
            .collect();
        let is_test = names == ["test"]
            || names.first() == Some(&"cfg") && names.contains(&"test") && !names.contains(&"not");
        if is_test && is_inner {
            return vec![0..=code.len() - 1];
        }
        if is_test {
            while let Some((next, _)) = attribute(code, end) {
                end = next;
            }
            let last = end_of_item(code, end);
            regions.push(index..=last);
            index = last;
        } else {
            index = end - 1;
        }
        index += 1;
    }
    regions
}

#[test]
fn files_are_lexed() {
    let file = SourceFile::new(
        "a.rs",
        "//! Inner.\nuse a::b; // why\n/// Outer.\nfn f<'a>(x: &'a str) -> char {\n    \
         let _ = (r#\"fn g() {}\"#, b'x', '\\'', 0..9, 1.5, r#if, \"/* \\\" */\");\n    '\"'\n}\n\
         /* /* nested */ */\n#[cfg(test)]\n#[expect(x)]\nmod tests {\n    fn g() {}\n}\nfn h();\n"
            .to_owned(),
    );
    let kinds: Vec<Kind> = file.comments.iter().map(|comment| comment.kind).collect();
    assert_eq!(kinds, [Kind::InnerDoc, Kind::Comment, Kind::OuterDoc, Kind::Comment]);
    assert_eq!(file.comments[2].text, " Outer.");
    let functions = file.functions();
    assert_eq!(functions[0], Function { name: "f", line: 4, lines: 4 });
    assert_eq!(functions.iter().map(|function| function.name).collect::<Vec<_>>(), ["f", "g"]);
    assert_eq!(file.lines, 14);
    assert_eq!(file.non_test_lines(), 9);
    let texts = file.code.iter().filter(|token| token.kind == Kind::Text).count();
    assert_eq!(texts, 5);
    assert!(SourceFile::new("b.rs", "#![cfg(test)]\nfn f() {}".to_owned()).is_test_line(2));
    assert!(!SourceFile::new("c.rs", "#[cfg(not(test))]\nfn f() {}".to_owned()).is_test_line(2));
}
