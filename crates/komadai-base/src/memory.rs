//! Memory of large tables.

mod huge_pages;
mod prefetch;
mod touched;
mod zeroed;

pub use huge_pages::{prefer_huge_pages, prefers_huge_pages};
pub use prefetch::prefetch;
pub use touched::Touched;
pub use zeroed::{Zeroable, ZeroedLines, zeroed};
