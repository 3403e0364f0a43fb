//! Public types that will grow: settings and errors can gain fields and variants without a break for their
//! users.

use crate::source::{SourceFile, Token, all_files, end_of_item};

/// The last words of the names of structs that hold settings.
const SETTINGS: &[&str] = &["Options", "Settings", "Config", "Policy", "Limits", "Budget"];

/// The public settings with public fields and the public errors of a file that other crates can construct or
/// match exhaustively.
fn exhaustive(file: &SourceFile) -> Vec<&'static str> {
    let code = &file.code;
    let mut found = Vec::new();
    for start in (1..code.len()).filter(|&at| !file.is_test_token(at)) {
        if !code[start - 1].is("pub") {
            continue;
        }
        let name = code.get(start + 1).map_or("", |token| token.text);
        let is_open = if code[start].is("struct") {
            let fields = &code[start..end_of_item(code, start)];
            let has_public = fields.iter().any(|token| token.is("pub"));
            has_public && SETTINGS.iter().any(|word| name.ends_with(word))
        } else {
            code[start].is("enum") && name.ends_with("Error")
        };
        if is_open && !has_attribute(&code[..start - 1], "non_exhaustive") {
            found.push(name);
        }
    }
    found
}

/// Checks whether the attributes at the end of `code` contain this word.
fn has_attribute(code: &[Token], word: &str) -> bool {
    let is_end = |token: &&Token| !token.is(";") && !token.is("{") && !token.is("}");
    code.iter().rev().take_while(is_end).any(|token| token.is(word))
}

#[test]
fn settings_and_errors_can_grow() {
    let libraries = all_files().iter().filter(|file| {
        let is_library = file.path.starts_with("crates/") && file.path.contains("/src/");
        is_library && !file.path.starts_with("crates/komadai-testdata")
    });
    let found: Vec<String> = libraries
        .flat_map(|file| exhaustive(file).into_iter().map(|name| format!("{}: {name}", file.path)))
        .collect();
    assert!(
        found.is_empty(),
        "these types need `#[non_exhaustive]`, settings also a builder method for each field: {found:#?}"
    );
}

#[test]
fn open_types_are_found() {
    let text = "pub struct AOptions { pub a: u8 }\n\
                #[derive(Debug)] #[non_exhaustive] #[doc(alias = \"x\")] pub struct BOptions { pub b: u8 }\n\
                pub struct COptions { c: u8 }\n\
                struct DOptions { pub d: u8 }\n\
                pub enum EError { E }\n\
                pub enum Color { Black, White }\n\
                #[cfg(test)] mod tests { pub struct FOptions { pub f: u8 } }";
    let file = SourceFile::new("a.rs", text.to_owned());
    assert_eq!(exhaustive(&file), ["AOptions", "EError"]);
}
