//! Errors: the class `KomadaiError` of the package, with a code and the text of the library.

use std::fmt::Display;

use serde::Serialize;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(raw_module = "./errors.js")]
extern "C" {
    /// An exception of the package.
    pub type KomadaiError;

    #[wasm_bindgen(constructor)]
    fn new(code: &str, message: &str) -> KomadaiError;
}

/// The result of a function that JavaScript calls.
pub type Checked<T> = Result<T, KomadaiError>;

/// The family of an error, `code` in JavaScript.
#[derive(Debug, Clone, Copy)]
pub enum Code {
    /// A text is no position, move or square.
    Sfen,
    /// A move breaks a rule.
    IllegalMove,
    /// A record cannot be read, replayed or written.
    Kifu,
    /// A position cannot be searched for a mate.
    Mate,
    /// An engine cannot be made, set or asked.
    Engine,
    /// A network cannot be read.
    Network,
    /// An argument has a value that it cannot have.
    Argument,
}

impl Code {
    fn word(self) -> &'static str {
        match self {
            Self::Sfen => "sfen",
            Self::IllegalMove => "illegal-move",
            Self::Kifu => "kifu",
            Self::Mate => "mate",
            Self::Engine => "engine",
            Self::Network => "network",
            Self::Argument => "argument",
        }
    }

    /// Returns the exception with the text of this error.
    pub fn error(self, error: impl Display) -> KomadaiError {
        KomadaiError::new(self.word(), &error.to_string())
    }
}

/// Returns the value of a word.
pub fn one_of<T: Copy>(what: &str, found: &str, values: &[(&str, T)]) -> Checked<T> {
    values.iter().find(|(name, _)| *name == found).map(|&(_, value)| value).ok_or_else(|| {
        let names: Vec<&str> = values.iter().map(|&(name, _)| name).collect();
        Code::Argument.error(format!("{what}: found {found:?}, expected {}", names.join(", ")))
    })
}

/// Returns a whole number that JavaScript has passed, at most 2⁵³.
pub fn whole(what: &str, number: f64) -> Checked<u64> {
    const MOST: f64 = 9_007_199_254_740_992.0;
    if (0.0..=MOST).contains(&number) && number.fract() == 0.0 {
        return Ok(number as u64);
    }
    Err(Code::Argument.error(format!("{what}: found {number}, expected a whole number from 0 on")))
}

/// Returns a value as JSON, which the JavaScript side parses.
pub fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain values have no keys that JSON cannot have")
}
