//! The leaves that decide a book, and their sources.

use std::path::Path;

use anyhow::bail;
use clap::Args;
use komadai::book::release::{
    DecidingLeaf, EngineSources, LeafSource, Remedy, deciding_leaves, leaf_sources, newest_engine,
};
use komadai::book::{StartPosition, StoredValue, WorkingBook};
use komadai::bookgraph::frontier::FrontierOptions;
use komadai::core::AnalystId;
use komadai_base::text::printable;
use komadai_console::{bad_usage, grouped};
use serde_json::{Value, json};

use crate::book::files::source::{find_analyst, read_store};
use crate::book::frontier::listing::Row;
use crate::book::frontier::selection::Selection;

/// The arguments about deciding leaves.
#[derive(Debug, Args)]
pub(super) struct LeafArgs {
    #[command(flatten)]
    selection: Selection,
    /// Engine whose values are wanted, by name or by name and version; by default the one that was
    /// added last.
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Minimum number of nodes of a value that is not stale.
    #[arg(long, value_name = "NODES", default_value_t = 0)]
    min_nodes: u64,
}

/// A working book with the leaves that decide it.
pub(super) struct Leaves {
    pub(super) book: WorkingBook,
    pub(super) options: FrontierOptions,
    pub(super) roots: Vec<StartPosition>,
    pub(super) analysts: Vec<AnalystId>,
    /// The engine whose values are wanted; `None` in a book without engines.
    pub(super) engine: Option<AnalystId>,
    /// The sources of this engine.
    pub(super) wanted: EngineSources,
    min_nodes: u64,
    pub(super) all: Vec<DecidingLeaf>,
}

impl LeafArgs {
    /// Reads a working book and selects its leaves.
    pub(super) fn read(&self, path: &Path) -> anyhow::Result<Leaves> {
        let roots = self.selection.roots.read()?;
        let options = self.selection.options(&roots);
        let book = WorkingBook::of_store(read_store(path)?)?;
        let store = book.store();
        let engine = match &self.engine {
            None => newest_engine(store)?,
            Some(name) => Some(find_analyst(store, name)?.ok_or_else(|| {
                bad_usage(format_args!(
                    "--engine {name:?}: it has no evaluations here; `book sources` lists the engines"
                ))
            })?),
        };
        let analysts = store.analysts()?;
        let among = |engine| EngineSources::among(&analysts, engine);
        let wanted = engine.as_ref().map(among).unwrap_or_default();
        let all = deciding_leaves(&book, &options)?;
        if !all.is_empty() && all.iter().all(|found| found.leaf.line.is_empty()) {
            bail!(
                "{}: found no root of the lines in the book, expected one (--root, --start-positions)",
                path.display()
            );
        }
        let min_nodes = self.min_nodes;
        Ok(Leaves { book, options, roots, analysts, engine, wanted, min_nodes, all })
    }
}

impl Leaves {
    /// Returns whether the value of a leaf does not come from the wanted engine with enough nodes.
    pub(super) fn is_stale(&self, leaf: &DecidingLeaf) -> bool {
        let is_fresh = |value: StoredValue| {
            self.wanted.contains(value.analyst) && value.nodes >= self.min_nodes
        };
        !leaf.value.is_some_and(is_fresh)
    }

    /// The number of stale leaves.
    pub(super) fn stale(&self) -> usize {
        self.all.iter().filter(|leaf| self.is_stale(leaf)).count()
    }

    /// The share of stale leaves in percent; 0 without leaves.
    pub(super) fn stale_percent(&self) -> f64 {
        percent(self.stale(), self.all.len())
    }

    /// Returns the sources of the leaves as lines of text.
    pub(super) fn source_lines(&self) -> Vec<String> {
        let mut lines =
            vec![format!("{:>8} {:>7} {:>14}  source", "leaves", "share", "median nodes")];
        for source in leaf_sources(&self.all) {
            let name = match source.analyst {
                None => "no value".to_owned(),
                Some(analyst) => {
                    let is_wanted = self.wanted.contains(analyst);
                    let name = printable(&self.analysts[analyst.index()].to_string()).to_string();
                    if is_wanted { format!("{name}, the wanted engine") } else { name }
                }
            };
            lines.push(format!(
                "{:>8} {:>5.1} % {:>14}  {name}",
                grouped(source.leaves as u64),
                percent(source.leaves, self.all.len()),
                grouped(source.median_nodes),
            ));
        }
        lines
    }

    /// Returns the leaves and their sources as a JSON object.
    pub(super) fn to_json(&self) -> Value {
        let source = |source: &LeafSource| {
            json!({
                "engine": source.analyst.map(|analyst| self.analysts[analyst.index()].to_string()),
                "is_wanted": source.analyst.is_some_and(|analyst| self.wanted.contains(analyst)),
                "leaves": source.leaves,
                "median_nodes": source.median_nodes,
            })
        };
        json!({
            "engine": self.engine.as_ref().map(ToString::to_string),
            "leaves": self.all.len(),
            "stale": self.stale(),
            "stale_percent": self.stale_percent(),
            "sources": leaf_sources(&self.all).iter().map(source).collect::<Value>(),
        })
    }

    /// Returns the row of a position that is to be analysed again.
    pub(super) fn row(&self, remedy: &Remedy) -> Row {
        let leaf = &self.all[remedy.leaves[0]].leaf;
        let line = leaf.line.split_last().map_or(&[][..], |(_, line)| line);
        Row::new(&remedy.position, &self.roots[leaf.root].line, line)
            .with("leaves", remedy.leaves.len())
    }
}

/// A part of a whole in percent; 0 of nothing.
pub(super) fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}
