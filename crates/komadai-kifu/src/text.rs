//! Text as bytes of files: lines, encodings, line ends and faults.

pub(crate) mod fault;
pub(crate) mod format_hint;
pub(crate) mod line_reader;
pub(crate) mod encoding;
pub(crate) mod lines;
pub(crate) mod utf16;
pub(crate) mod resumed;
mod form;

pub use form::{LineEnd, TextEncoding, TextForm, TextFormError};
pub use line_reader::LineReader;
