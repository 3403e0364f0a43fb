//! A book with its counts.

use std::path::Path;

use anyhow::Context as _;
use komadai::bookgraph::{BookGraph, GraphBuilder};
use komadai::kifu::Tolerance;
use komadai_base::file::open_regular;

use crate::frontier::measure::Study;

/// A book, and the same book after its frontier was searched by another engine.
#[derive(Debug)]
pub(super) struct Book {
    pub(super) study: Study,
    /// The part of the positions on kept lines whose value the other engine changed.
    pub(super) refreshed: Option<f64>,
}

/// Reads a book in YaneuraOu's format.
pub(super) fn graph_of(path: &Path) -> anyhow::Result<BookGraph> {
    let file = open_regular(path).with_context(|| format!("cannot open {}", path.display()))?;
    let mut builder = GraphBuilder::new();
    let read = builder.read_db(file, Tolerance::Lenient);
    read.with_context(|| format!("cannot read {}", path.display()))?;
    Ok(builder.finish()?)
}
