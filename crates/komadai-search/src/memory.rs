//! The memory of large tables: zeroed when it is allocated, emptied where it was used, prefetched.

pub(crate) mod huge_pages;
pub(crate) mod prefetch;
pub(crate) mod touched;
pub(crate) mod zeroed;
