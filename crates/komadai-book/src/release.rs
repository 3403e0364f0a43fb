//! The sources of the values that decide a book, before the book is released.
//!
//! After a change of engine a working book mixes values of two scales. Most of them do not matter:
//! what the propagated values of the best lines rest on are the moves by which good play leaves the
//! book. A book is ready when these come from the new engine.

use std::collections::{BTreeSet, HashMap};

use komadai_bookfile::position_key::PositionKey;
use komadai_bookfile::{BookRecord, RecordMove};
use komadai_bookgraph::frontier::{FrontierOptions, FrontierPosition};
use komadai_bookgraph::{BookGraph, GraphBuilder};
use komadai_core::{AnalystId, Position, Score};

use crate::logged_analysis::AnalystIndex;
use crate::refresh::{LineFit, ScaleShift, fit_scale};
use crate::store::{Store, StoreError};
use crate::store_graph::graph_of;
use crate::stored_record::{StoredRecord, StoredValue};
use crate::working_book::WorkingBook;

/// The options of engines that change the strength of an analysis, but not the scale of its values.
const WITHOUT_SCALE: [&str; 4] = ["multipv", "usi_hash", "hash", "threads"];

/// A leaf of the followed lines: a position outside the book, and the value of the move to it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DecidingLeaf {
    /// The position outside the book, and the line to it.
    pub leaf: FrontierPosition,
    /// The position before the last move, with the line as its history. Its analysis gave the
    /// value. For a root that is not in the book, the root itself.
    pub before: Position,
    /// The value of the last move with its provenance; `None` if the book has none.
    pub value: Option<StoredValue>,
}

/// The sources whose values have the scale of one engine.
///
/// An engine is a source for each set of its options. Sources of the same name and version with the
/// same options count as one engine here, except for the number of lines, the size of the table and
/// the number of threads.
///
/// # Examples
///
/// ```
/// use komadai_book::release::EngineSources;
/// use komadai_core::AnalystId;
///
/// let source = |options: &str| AnalystId { options: options.to_owned(), ..AnalystId::new("engine", "2") };
/// let all = [
///     source("EvalFile=a.bin MultiPV=4"),
///     source("EvalFile=b.bin"),
///     source("EvalFile=a.bin Threads=2"),
/// ];
/// let engine = EngineSources::among(&all, &source("EvalFile=a.bin"));
/// assert_eq!(engine.len(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EngineSources {
    sources: BTreeSet<AnalystIndex>,
}

/// The sources of some leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LeafSource {
    /// The analyst, as an index into the analysts of the store; `None` for leaves without a value.
    pub analyst: Option<AnalystIndex>,
    /// The number of leaves.
    pub leaves: usize,
    /// The median of the nodes of their values.
    pub median_nodes: u64,
}

/// The scale of a source beside that of the engine that is wanted.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SourceScale {
    /// The analyst, as an index into the analysts of the store.
    pub analyst: AnalystIndex,
    /// The lines through the values; `None` if too few moves have values of both.
    pub scale: Option<ScaleShift>,
}

/// A position to be analysed again.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Remedy {
    /// The position, with a line from a root as its history.
    pub position: Position,
    /// The numbers of the leaves, one or more, whose values its analysis replaces.
    pub leaves: Vec<usize>,
}

impl EngineSources {
    /// The sources with the scale of `engine` among the analysts of a store.
    #[expect(clippy::missing_panics_doc, reason = "analysts are numbered with 16 bits")]
    #[must_use]
    pub fn among(analysts: &[AnalystId], engine: &AnalystId) -> Self {
        let wanted = scale_identity(engine);
        let numbered = analysts.iter().enumerate();
        let alike = numbered.filter(|(_, analyst)| scale_identity(analyst) == wanted);
        let index = |number: usize| AnalystIndex(number.try_into().expect("numbers have 16 bits"));
        Self { sources: alike.map(|(number, _)| index(number)).collect() }
    }

    /// The number of sources.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sources.len()
    }

    /// Returns whether there are no sources.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// Returns whether an analyst of the store is one of the sources.
    #[must_use]
    pub fn contains(&self, analyst: AnalystIndex) -> bool {
        self.sources.contains(&analyst)
    }
}

/// The scales of the sources that have values in the view and are not among those of `engine`, by
/// the moves that both have valued, in the order of the analysts. Takes the time of a pass through
/// the log for each pair of sources.
///
/// # Errors
///
/// If the file cannot be read.
pub fn other_scales(store: &Store, engine: &EngineSources) -> Result<Vec<SourceScale>, StoreError> {
    let shares = store.sources()?;
    let indexed = || (0..).map(AnalystIndex).zip(&shares);
    let mut scales = Vec::new();
    for (analyst, old) in indexed() {
        if engine.contains(analyst) || old.view_moves == 0 {
            continue;
        }
        let mut pairs = Vec::new();
        for (_, new) in indexed().filter(|(number, _)| engine.contains(*number)) {
            pairs.extend(store.value_pairs(&old.analyst, &new.analyst)?);
        }
        scales.push(SourceScale { analyst, scale: fit_scale(&pairs) });
    }
    Ok(scales)
}

/// The engine that was added last to a book: of the analysts that have searched nodes, the one with
/// the highest number. `None` if nobody has.
///
/// # Errors
///
/// If the file cannot be read.
pub fn newest_engine(store: &Store) -> Result<Option<AnalystId>, StoreError> {
    let searched = store.sources()?.into_iter().rev().find(|share| share.nodes > 0);
    Ok(searched.map(|share| share.analyst))
}

/// The leaves of a book's [frontier](BookGraph::frontier) with the provenance of the values to which
/// they owe their place.
///
/// Takes the time of the frontier, and one look into the store for each leaf.
///
/// # Errors
///
/// If the file cannot be read.
pub fn deciding_leaves(
    book: &WorkingBook,
    options: &FrontierOptions,
) -> Result<Vec<DecidingLeaf>, StoreError> {
    let mut leaves = Vec::new();
    for leaf in book.graph().frontier(options).iter() {
        let mut before = options.roots[leaf.root].clone();
        let Some((&last, line)) = leaf.line.split_last() else {
            leaves.push(DecidingLeaf { leaf, before, value: None });
            continue;
        };
        line.iter().for_each(|&m| before.do_move(m));
        let stored = book.store().position(&before)?;
        let value = stored.and_then(|stored| {
            let mut moves = stored.moves();
            moves.find(|(listed, _)| listed.m == last).and_then(|(_, value)| value.copied())
        });
        leaves.push(DecidingLeaf { leaf, before, value });
    }
    Ok(leaves)
}

/// The sources of leaves, most leaves first.
#[must_use]
pub fn leaf_sources(leaves: &[DecidingLeaf]) -> Vec<LeafSource> {
    let mut nodes: HashMap<Option<AnalystIndex>, Vec<u64>> = HashMap::new();
    for leaf in leaves {
        let analyst = leaf.value.map(|value| value.analyst);
        nodes.entry(analyst).or_default().push(leaf.value.map_or(0, |value| value.nodes));
    }
    let source = |(analyst, nodes): (_, Vec<u64>)| LeafSource {
        analyst,
        leaves: nodes.len(),
        median_nodes: median(nodes),
    };
    let mut sources: Vec<LeafSource> = nodes.into_iter().map(source).collect();
    sources.sort_by_key(|source| (core::cmp::Reverse(source.leaves), source.analyst));
    sources
}

/// The positions whose analyses replace the values of the leaves for which `is_bad` holds, most
/// leaves first, then in the order of the leaves.
#[must_use]
pub fn remedies(leaves: &[DecidingLeaf], is_bad: impl Fn(&DecidingLeaf) -> bool) -> Vec<Remedy> {
    let mut places = HashMap::new();
    let mut found: Vec<Remedy> = Vec::new();
    for (number, leaf) in leaves.iter().enumerate().filter(|(_, leaf)| is_bad(leaf)) {
        // A leaf is the end of moves of a position in the book, and a book can hold this one.
        let Ok(key) = PositionKey::try_of(&leaf.before) else { continue };
        let place = *places.entry(key).or_insert(found.len());
        match found.get_mut(place) {
            Some(remedy) => remedy.leaves.push(number),
            None => found.push(Remedy { position: leaf.before.clone(), leaves: vec![number] }),
        }
    }
    found.sort_by_key(|remedy| core::cmp::Reverse(remedy.leaves.len()));
    found
}

/// The graph of a book as it would be on the scale of a new engine.
///
/// Each value of a source with a scale is replaced by what the robust line gives for it. Other
/// values stay, as do mates.
///
/// # Errors
///
/// If the file cannot be read.
pub fn rescaled_graph(store: &Store, scales: &[SourceScale]) -> Result<BookGraph, StoreError> {
    let line = |source: &SourceScale| source.scale.map(|scale| (source.analyst, scale.robust));
    let lines: HashMap<AnalystIndex, LineFit> = scales.iter().filter_map(line).collect();
    let rescaled = store.records()?.map(|stored| {
        stored.map(|stored| StoredRecord { record: rescaled(&stored, &lines), ..stored })
    });
    graph_of(GraphBuilder::new(), rescaled)
}

fn rescaled(stored: &StoredRecord, lines: &HashMap<AnalystIndex, LineFit>) -> BookRecord {
    let new_score = |value: &StoredValue| {
        let line = lines.get(&value.analyst)?;
        // Conversion and constructor clamp values beyond their ranges.
        Some(Score::cp(line.apply(value.score.to_cp()?.into()).round() as i32))
    };
    let moves = stored.moves().map(|(listed, value)| RecordMove {
        score: value.and_then(new_score).or(listed.score),
        ..listed.clone()
    });
    BookRecord { moves: moves.collect(), ..stored.record.clone() }
}

/// The parts of an identity on which the scale of values depends.
fn scale_identity(analyst: &AnalystId) -> (&str, &str, Vec<&str>) {
    let has_scale = |option: &&str| {
        let name = option.split('=').next().unwrap_or_default();
        !WITHOUT_SCALE.contains(&name.to_ascii_lowercase().as_str())
    };
    let options = analyst.options.split_whitespace().filter(has_scale).collect();
    (&analyst.name, &analyst.version, options)
}

/// Returns the lower median, or 0 without numbers.
fn median(mut numbers: Vec<u64>) -> u64 {
    numbers.sort_unstable();
    numbers.get(numbers.len().saturating_sub(1) / 2).copied().unwrap_or(0)
}
