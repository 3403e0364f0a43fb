//! Files that contain books, and files that books are made from.

pub(crate) mod book_check;
pub(crate) mod book_source;
pub(crate) mod file_kind;
pub(crate) mod fingerprint;
pub(crate) mod input_error;
pub(crate) mod inputs;
pub(crate) mod load_graph;
