//! The public interface of each library, listed in `docs/api/`, so that a review sees every change of it.
//!
//! The compiler warns of a `pub` item that other crates cannot reach (`unreachable_pub`), and warnings
//! are errors here. Everything that the sources declare `pub` is therefore the interface. Code that a
//! macro builds is listed as the macro writes it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use crate::sizes::{exported, libraries};
use crate::source::{Kind, SourceFile, Token, attribute, end_of_item, read, root};
use crate::tree::Tree;

/// The lines about each public type, trait or module, by its name.
type Listing = BTreeMap<String, BTreeSet<String>>;

/// The group of functions, constants and aliases that belong to no type.
const FREE: &str = "(free items)";

#[test]
fn the_interface_is_the_listed_one() {
    let is_update = std::env::var_os("UPDATE_API").is_some();
    let mut changed = Vec::new();
    for tree in libraries() {
        if tree.path(0).contains("/komadai-testdata/") {
            // Not published.
            continue;
        }
        let name = tree.path(0).split('/').nth(1).expect("crates/NAME/src/lib.rs").to_owned();
        let path = root().join("docs/api").join(format!("{name}.txt"));
        let now = text(&name, &tree);
        if is_update {
            fs::write(&path, now).expect("the folder can be written");
        } else if path.exists() && read(&path) == now {
            continue;
        } else {
            let before = if path.exists() { read(&path) } else { String::new() };
            changed.push(difference(&name, &before, &now));
        }
    }
    assert!(
        changed.is_empty(),
        "the public interface differs from docs/api; if that is intended, run \
         `UPDATE_API=1 cargo test -p komadai --test it public_api` and commit the result:\n{}",
        changed.join("\n")
    );
}

/// The lines that only one of two listings has.
fn difference(name: &str, before: &str, now: &str) -> String {
    let [old, new] = [before, now].map(|text| text.lines().collect::<BTreeSet<_>>());
    let gone = old.difference(&new).map(|line| format!("{name}: -{line}\n"));
    gone.chain(new.difference(&old).map(|line| format!("{name}: +{line}\n"))).collect()
}

fn text(name: &str, tree: &Tree<'static>) -> String {
    let mut listing = Listing::new();
    let mut read_files = BTreeSet::new();
    for module in 0..tree.modules.len() {
        let file = tree.files[tree.modules[module].file];
        if !tree.modules[module].is_test && read_files.insert(&file.path) {
            Items { file, module: FREE, listing: &mut listing }.read(0..file.code.len(), None);
        }
    }
    let mut text = format!("Public interface of {name}. Names at its root:\n");
    for name in exported(tree) {
        writeln!(text, "    {name}").expect("a text grows");
    }
    // Implementations for types that are not public themselves are nobody's business.
    listing.retain(|_, lines| lines.iter().any(|line| !line.starts_with("impl")));
    for (owner, lines) in listing {
        writeln!(text, "\n{owner}").expect("a text grows");
        for line in lines {
            writeln!(text, "    {line}").expect("a text grows");
        }
    }
    text
}

/// The reader of the items of a file.
struct Items<'l> {
    file: &'static SourceFile,
    /// The group of what belongs to no type: [`FREE`], or the inline module.
    module: &'static str,
    listing: &'l mut Listing,
}

/// The trait or type whose items are read.
#[derive(Clone, Copy)]
struct Owner<'o> {
    name: &'o str,
    /// True in a trait, all of whose items are public.
    is_trait: bool,
}

impl Items<'_> {
    fn add(&mut self, owner: &str, line: String) {
        self.listing.entry(owner.to_owned()).or_default().insert(line);
    }

    /// Reads the items of a module, of an `impl` or of a trait. Other tokens, such as the frame of a
    /// macro, are passed over.
    fn read(&mut self, range: std::ops::Range<usize>, owner: Option<Owner<'_>>) {
        let code = &self.file.code;
        let mut at = range.start;
        let mut marks = Marks::default();
        while at < range.end {
            if self.file.is_test_token(at) {
                at += 1;
                continue;
            }
            if let Some((end, _)) = attribute(code, at) {
                marks.add(&code[at..end]);
                at = end;
                continue;
            }
            let start = at;
            let in_trait = owner.is_some_and(|owner| owner.is_trait);
            let is_public = in_trait || code[at].is("pub") && !code[at + 1].is("(");
            if code[at].is("pub") {
                at += 1;
                if code[at].is("(") {
                    at = closed(code, at) + 1;
                }
            }
            let keyword = keyword(code, at);
            let Some(keyword) = keyword.filter(|&keyword| keyword < range.end) else {
                at = start + 1;
                marks = Marks::default();
                continue;
            };
            at = self.item(at, keyword, is_public, &std::mem::take(&mut marks), owner) + 1;
        }
    }

    /// Reads the item between `start` and its end, which is returned. The word at `keyword` tells its
    /// kind.
    fn item(
        &mut self,
        start: usize,
        keyword: usize,
        is_public: bool,
        marks: &Marks,
        owner: Option<Owner<'_>>,
    ) -> usize {
        let code = &self.file.code;
        let end = match code[keyword].text {
            "macro_rules" => end_of_item(code, keyword + 3),
            "use" => (keyword..code.len()).find(|&at| code[at].is(";")).unwrap_or(code.len() - 1),
            _ => end_of_item(code, keyword),
        };
        let name = code.get(keyword + 1).map_or("", |token| token.text);
        let body = (keyword..end).find(|&at| code[at].is("{"));
        let header = |stop: usize| render(&code[start..stop]);
        let group = owner.map_or(self.module, |owner| owner.name);
        match code[keyword].text {
            "impl" => {
                if let Some(body) = body {
                    self.implementation(keyword, body, end, marks);
                }
            }
            "macro_rules" => {
                if marks.is_exported {
                    self.add(FREE, format!("macro {}!", code[keyword + 2].text));
                }
                self.read(keyword + 4..end, None);
            }
            "mod" if body.is_some() => {
                let outer = std::mem::replace(&mut self.module, name);
                self.read(body.map_or(end, |body| body + 1)..end, None);
                self.module = outer;
            }
            _ if !is_public => {}
            // The names at the root have a list of their own.
            "use" if self.module == FREE => {}
            "mod" => self.add(FREE, format!("mod {name}{}", marks.text())),
            "struct" => {
                let fields = (keyword..end).find(|&at| code[at].is("{") || code[at].is("("));
                self.add(name, header(fields.unwrap_or(end)) + &marks.text());
                if let Some(open) = fields {
                    self.fields(name, open, closed(code, open));
                }
            }
            "enum" => {
                self.add(name, header(body.unwrap_or(end)) + &marks.text());
                for variant in parts(code, body.map_or(end, |body| body + 1), end) {
                    let variant = after_attributes(code, variant);
                    self.add(name, format!("variant {}", render(&code[variant])));
                }
            }
            "trait" => {
                self.add(name, header(body.unwrap_or(end)) + &marks.text());
                let owner = Some(Owner { name, is_trait: true });
                self.read(body.map_or(end, |body| body + 1)..end, owner);
            }
            "fn" => {
                let provided = owner.is_some_and(|owner| owner.is_trait) && body.is_some();
                let mark = if provided { " [provided]" } else { "" };
                self.add(group, header(body.unwrap_or(end)) + mark + &marks.text());
            }
            "const" | "static" => {
                let stop = (keyword..end).find(|&at| code[at].is("=")).unwrap_or(end);
                self.add(group, header(stop) + &marks.text());
            }
            _ => self.add(group, header(end) + &marks.text()),
        }
        end
    }

    fn implementation(&mut self, keyword: usize, body: usize, end: usize, marks: &Marks) {
        let code = &self.file.code;
        let mut header = keyword + 1;
        if code[header].is("<") {
            header = closed_angle(code, header) + 1;
        }
        let stop = (header..body).find(|&at| code[at].is("where")).unwrap_or(body);
        let is_for = |&at: &usize| code[at].is("for") && !code[at + 1].is("<");
        match (header..stop).find(is_for) {
            Some(at) => {
                let name = type_name(&code[at + 1..stop]);
                self.add(&name, render(&code[keyword..body]) + &marks.text());
            }
            None => {
                let name = type_name(&code[header..stop]);
                self.read(body + 1..end, Some(Owner { name: &name, is_trait: false }));
            }
        }
    }

    /// Reads the public fields between two brackets.
    fn fields(&mut self, owner: &str, open: usize, close: usize) {
        let code = &self.file.code;
        let is_tuple = code[open].is("(");
        for (index, field) in parts(code, open + 1, close).into_iter().enumerate() {
            let field = after_attributes(code, field);
            let Some(first) = code[field.clone()].first() else { continue };
            if first.is("const") {
                // The flags of `bitflags!`.
                for at in field.filter(|&at| code[at].is("const")) {
                    self.add(owner, format!("const {}", code[at + 1].text));
                }
            } else if first.is("pub") && !code[field.start + 1].is("(") {
                let text = render(&code[field.start + 1..field.end]);
                let name = if is_tuple { format!("{index}: ") } else { String::new() };
                self.add(owner, format!("field {name}{text}"));
            }
        }
    }
}

/// The attributes of an item that are part of its interface.
#[derive(Default)]
struct Marks {
    texts: Vec<String>,
    is_exported: bool,
}

impl Marks {
    fn add(&mut self, attribute: &[Token]) {
        let name = attribute.iter().find(|token| token.kind == Kind::Word).map(|token| token.text);
        match name {
            Some("macro_export") => self.is_exported = true,
            Some("non_exhaustive" | "derive" | "cfg" | "deprecated") => {
                self.texts.push(render(attribute));
            }
            _ => {}
        }
    }

    fn text(&self) -> String {
        self.texts.iter().map(|text| format!(" {text}")).collect()
    }
}

/// The place of the keyword of the item whose first word is at `at`.
fn keyword(code: &[Token], mut at: usize) -> Option<usize> {
    loop {
        let token = code.get(at)?;
        let next = code.get(at + 1)?;
        match token.text {
            "const" if next.kind == Kind::Word && !next.is("fn") && !next.is("unsafe") => {
                return Some(at);
            }
            "const" | "async" | "unsafe" | "extern" => at += 1,
            "macro_rules" if next.is("!") => return Some(at),
            "fn" | "struct" | "enum" | "trait" | "type" | "static" | "mod" | "impl" | "use" => {
                return Some(at).filter(|_| token.kind == Kind::Word);
            }
            _ if token.kind == Kind::Text => at += 1,
            _ => return None,
        }
    }
}

/// The place of the bracket that closes the one at `open`.
fn closed(code: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in code.iter().enumerate().skip(open) {
        if token.is("(") || token.is("[") || token.is("{") {
            depth += 1;
        } else if token.is(")") || token.is("]") || token.is("}") {
            depth -= 1;
            if depth == 0 {
                return at;
            }
        }
    }
    code.len() - 1
}

/// The place of the `>` that closes the `<` at `open`.
fn closed_angle(code: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for at in open..code.len() {
        if code[at].is("<") {
            depth += 1;
        } else if code[at].is(">") && !code[at - 1].is("-") {
            depth -= 1;
            if depth == 0 {
                return at;
            }
        }
    }
    code.len() - 1
}

/// The ranges between the commas of a list, those in brackets not counted.
fn parts(code: &[Token], start: usize, end: usize) -> Vec<std::ops::Range<usize>> {
    let (mut depth, mut first) = (0_i32, start);
    let mut ranges = Vec::new();
    for at in start..end {
        match code[at].text {
            _ if code[at].kind != Kind::Symbol => {}
            "(" | "[" | "{" | "<" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            ">" if !code[at - 1].is("-") && !code[at - 1].is("=") => depth -= 1,
            "," if depth == 0 => {
                ranges.push(first..at);
                first = at + 1;
            }
            _ => {}
        }
    }
    if first < end {
        ranges.push(first..end);
    }
    ranges
}

fn after_attributes(code: &[Token], range: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let mut start = range.start;
    while let Some((end, _)) = attribute(code, start).filter(|_| start < range.end) {
        start = end;
    }
    start..range.end
}

/// The name of a type without its path and its parameters.
fn type_name(tokens: &[Token]) -> String {
    let end = tokens.iter().position(|token| token.is("<")).filter(|&at| at > 0);
    let tokens = &tokens[..end.unwrap_or(tokens.len())];
    let start = tokens.iter().rposition(|token| token.is("::")).map_or(0, |at| at + 1);
    render(&tokens[start..])
}

/// The text of tokens, spaced as usual.
fn render(tokens: &[Token]) -> String {
    let mut text = String::new();
    let mut before: Option<Token> = None;
    for (index, token) in tokens.iter().enumerate() {
        let next = tokens.get(index + 1);
        let closes = |token: &Token| [")", "]", "}"].iter().any(|bracket| token.is(bracket));
        if token.is(",") && next.is_none_or(closes) {
            continue;
        }
        let is_arrow = token.is("-") && next.is_some_and(|next| next.is(">"));
        if before.is_some_and(|before| needs_space(before, *token, is_arrow)) {
            text.push(' ');
        }
        text.push_str(token.text);
        if token.is(">") && before.is_some_and(|before| before.is("-")) {
            text.push(' ');
            before = None;
        } else {
            before = Some(*token);
        }
    }
    text.trim_end().to_owned()
}

fn needs_space(before: Token, token: Token, is_arrow: bool) -> bool {
    let is_word = |token: Token| token.kind != Kind::Symbol;
    let surrounded = |token: Token| ["=", "+", "{", "}"].iter().any(|symbol| token.is(symbol));
    is_arrow
        || surrounded(before)
        || surrounded(token)
        || before.is(",")
        || before.is(":")
        || before.is(";")
        || is_word(before) && is_word(token)
        || (before.is(">") || before.is(")") || before.is("]")) && is_word(token)
        || before.is("for") && !token.is("<")
}

#[test]
fn items_are_listed() {
    let source = "
        mod private { pub(crate) struct Hidden { pub a: u8 } impl Clone for Hidden {} }
        #[derive(Debug)] #[non_exhaustive]
        pub struct Shown<T: Copy = u8> { #[doc(hidden)] pub map: Map<K, fn(u8) -> u8>, other: u8, }
        impl<T: Copy> Shown<T> {
            pub const fn new(a: &'static str, f: impl Fn(u8) -> u8,) -> Self where T: Eq { fn inner() {} }
            fn private(&self) { pub struct No; }
        }
        impl<T> fmt::Display for Shown<T> where T: Copy { type X = u8; fn fmt(&self) {} }
        pub struct Pair(pub u8, u8);
        pub enum Kind { A, B { x: u8 }, C(Vec<u8>) = 3 }
        pub trait Does { const N: usize = 3; fn a(&self); fn b(&self) -> u8 { 1 } }
        bitflags! { pub struct Set: u32 { const ONE = 1; const TWO = 2; } }
        macro_rules! m { ($t:ident) => { impl $t { pub fn by_macro(&self) {} } } }
        #[cfg(test)] mod tests { pub fn no() {} }
        pub use private::Shown;
        pub mod prelude { pub use crate::{Shown, Pair}; pub fn f() {} }
        pub const MAX: [u8; 2] = [1, 2];
    ";
    let file: &'static SourceFile =
        Box::leak(Box::new(SourceFile::new("src/lib.rs", source.to_owned())));
    let mut listing = Listing::new();
    Items { file, module: FREE, listing: &mut listing }.read(0..file.code.len(), None);
    let lines: Vec<String> = listing
        .iter()
        .flat_map(|(owner, lines)| lines.iter().map(move |line| format!("{owner}: {line}")))
        .collect();
    assert_eq!(
        lines,
        [
            "$t: fn by_macro(&self)",
            "(free items): const MAX: [u8; 2]",
            "Does: const N: usize",
            "Does: fn a(&self)",
            "Does: fn b(&self) -> u8 [provided]",
            "Does: trait Does",
            "Hidden: impl Clone for Hidden",
            "Kind: enum Kind",
            "Kind: variant A",
            "Kind: variant B { x: u8 }",
            "Kind: variant C(Vec<u8>) = 3",
            "Pair: field 0: u8",
            "Pair: struct Pair",
            "Set: const ONE",
            "Set: const TWO",
            "Set: struct Set: u32",
            "Shown: const fn new(a: &'static str, f: impl Fn(u8) -> u8) -> Self where T: Eq",
            "Shown: field map: Map<K, fn(u8) -> u8>",
            "Shown: impl<T> fmt::Display for Shown<T> where T: Copy",
            "Shown: struct Shown<T: Copy = u8> #[derive(Debug)] #[non_exhaustive]",
            "prelude: fn f()",
            "prelude: use crate:: { Shown, Pair }",
        ]
    );
}
