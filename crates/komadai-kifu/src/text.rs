//! Text as bytes of files: lines, encodings, line ends and faults.

pub(crate) mod format_hint;
pub(crate) mod encoding;
pub(crate) mod lines;
pub(crate) mod utf16;
pub(crate) mod resumed;
mod form;

pub use form::{LineEnd, TextEncoding, TextForm, TextFormError};
pub use komadai_base::reading::LineReader;

/// Returns the first 40 characters of an offending text.
pub(crate) fn shorten(text: &str) -> String {
    komadai_base::text::shorten(text, 40)
}
