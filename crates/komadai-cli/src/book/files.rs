//! Book files: inspection, conversion, sorting, merging, validation, propagated values.

pub(super) mod convert;
pub(super) mod info;
pub(super) mod lookup;
pub(super) mod merge;
pub(super) mod new_book;
pub(super) mod output;
pub(super) mod probe;
pub(super) mod propagate;
pub(super) mod sort;
pub(super) mod source;
pub(super) mod validate;
