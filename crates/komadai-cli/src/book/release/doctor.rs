//! `book doctor`: the state of a working book, and the work that mends it.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use komadai::book::StartPosition;
use komadai::book::release::{
    DecidingLeaf, Remedy, SourceScale, leaf_sources, other_scales, remedies, rescaled_graph,
};
use komadai::bookgraph::BookGraph;
use komadai::bookgraph::frontier::{FrontierOptions, FrontierPosition, ReachOptions};
use komadai::{Position, Score};
use komadai_base::atomic_file::write_atomically;
use komadai_base::text::printable;
use komadai_console::{grouped, note, print_json, signed_score, stdout};
use serde_json::{Value, json};

use super::leaves::{LeafArgs, Leaves, percent};
use crate::book::files::source::check_is_another;
use crate::book::frontier::cost::CostArgs;
use crate::book::frontier::listing::{Row, Style};
use crate::book::frontier::rival::{RivalArgs, Rivals};
use crate::book::working::refresh::scale_json;

/// Number of moves of a best line that is shown.
const SHOWN_PLIES: usize = 12;

/// Number of changed roots that are printed.
const SHOWN_ROOTS: usize = 10;

/// Report the state of a working book: which values decide it, which of them are stale or rest on
/// few nodes, where games leave it first, what another scale would change, and what mends it.
///
/// Leaves are the moves by which good play leaves the book, on the lines that `book next` follows
/// with the same arguments. Nothing is written into the book.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    komadai book doctor grown.kbook\n  \
    komadai book doctor grown.kbook --side white --rival rival.db --nodes 1000000 --cost 500000 --list mend.txt")]
pub(crate) struct Options {
    /// Working book.
    store: PathBuf,
    #[command(flatten)]
    leaves: LeafArgs,
    /// Number of nodes below which a value rests on few; by default a tenth of the median of the
    /// wanted engine's leaves, or of the highest median of a source. Values with an unknown number
    /// of nodes count as resting on few.
    #[arg(long, value_name = "NODES")]
    few_nodes: Option<u64>,
    #[command(flatten)]
    rival: RivalArgs,
    /// Number of positions at which games leave the book that are shown, the most probable ones.
    #[arg(long, value_name = "N", default_value_t = 10)]
    ends: usize,
    /// File for the positions to analyse, a line each as of `book next`.
    #[arg(long, value_name = "FILE")]
    list: Option<PathBuf>,
    #[command(flatten)]
    cost: CostArgs,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    options.list.iter().try_for_each(|path| check_is_another(&options.store, path))?;
    let leaves = options.leaves.read(&options.store)?;
    let rivals = options.rival.read_beside(Some(leaves.book.store()))?;
    let few = options.few_nodes.unwrap_or_else(|| few_nodes(&leaves));
    let ends = ends(options, &leaves, &rivals);
    let changes = Changes::of(&leaves)?;
    let is_thin = |leaf: &DecidingLeaf| leaf.value.is_some_and(|value| value.nodes < few);
    let thin = leaves.all.iter().filter(|leaf| is_thin(leaf)).count();
    let mend = remedies(&leaves.all, |leaf| leaves.is_stale(leaf) || is_thin(leaf));
    if let Some(path) = &options.list {
        write_atomically(path, |out| {
            mend.iter().try_for_each(|remedy| leaves.row(remedy).write_line(out, Style::Lines))
        })
        .with_context(|| path.display().to_string())?;
        note!("{} positions: {}", mend.len(), path.display());
    }
    let report = Report { options, leaves: &leaves, few, thin, ends, changes, mend };
    if options.json {
        print_json(&report.to_json())?
    } else {
        report.print()?
    }
    Ok(())
}

/// The findings about a book.
struct Report<'a> {
    options: &'a Options,
    leaves: &'a Leaves,
    few: u64,
    thin: usize,
    ends: Vec<FrontierPosition>,
    changes: Changes,
    mend: Vec<Remedy>,
}

impl Report<'_> {
    fn print(&self) -> anyhow::Result<()> {
        let mut out = stdout();
        let leaves = self.leaves;
        let all = leaves.all.len();
        writeln!(out, "{} leaves decide the values", grouped(all as u64))?;
        for line in leaves.source_lines() {
            writeln!(out, "{line}")?;
        }
        let stale = leaves.stale();
        writeln!(out, "stale: {} ({:.1} %)", grouped(stale as u64), percent(stale, all))?;
        let few = grouped(self.few);
        let thin = grouped(self.thin as u64);
        writeln!(
            out,
            "less than {few} nodes, or an unknown number: {thin} ({:.1} %)",
            percent(self.thin, all)
        )?;

        writeln!(out, "\ngames leave the book most often after")?;
        for end in &self.ends {
            let row = Row::of_frontier(end, &leaves.roots);
            let share = 100.0 * end.probability.unwrap_or(0.0);
            writeln!(out, "{share:>8.2} %  {}", row.moves())?;
        }

        self.print_changes(&mut out)?;
        writeln!(out, "\n{} positions to analyse again", grouped(self.mend.len() as u64))?;
        if let Some(cost) = self.options.cost.of(self.mend.len()) {
            writeln!(out, "{}", cost.to_line())?;
        }
        Ok(())
    }

    fn print_changes(&self, out: &mut impl Write) -> io::Result<()> {
        let leaves = self.leaves;
        if self.changes.scales.is_empty() {
            return Ok(());
        }
        writeln!(out, "\nwith all values on the scale of the wanted engine")?;
        for SourceScale { analyst, scale } in &self.changes.scales {
            let name = leaves.analysts[analyst.index()].to_string();
            let name = printable(&name);
            match scale {
                None => {
                    writeln!(out, "  {name}: no scale; `book refresh --calibrate` measures it")?
                }
                Some(scale) => writeln!(
                    out,
                    "  {name}: new = {:.1} + {:.3} × old, by {} moves",
                    scale.robust.intercept, scale.robust.slope, scale.pairs
                )?,
            }
        }
        // A change of the first move matters most.
        let mut roots: Vec<&RootChange> = self.changes.roots.iter().collect();
        roots.sort_by_key(|change| change.now.first_move() == change.then.first_move());
        for change in roots.iter().take(SHOWN_ROOTS) {
            writeln!(out, "  {}: {} → {}", change.root, change.now, change.then)?;
        }
        if let Some(more) = roots.len().checked_sub(SHOWN_ROOTS).filter(|&more| more > 0) {
            writeln!(out, "  and {more} other roots (--json)")?;
        }
        writeln!(
            out,
            "  best moves of {} of {} positions change",
            grouped(self.changes.changed as u64),
            grouped(self.changes.positions as u64)
        )
    }

    fn to_json(&self) -> Value {
        let leaves = self.leaves;
        let end = |end: &FrontierPosition| Row::of_frontier(end, &leaves.roots).to_json();
        let scale = |SourceScale { analyst, scale }: &SourceScale| {
            let engine = leaves.analysts[analyst.index()].to_string();
            json!({ "engine": engine, "scale": scale.as_ref().map(scale_json) })
        };
        let root = |change: &RootChange| json!({ "root": change.root, "now": change.now.to_json(), "then": change.then.to_json() });
        json!({
            "sources_of_leaves": leaves.to_json(),
            "few_nodes": self.few,
            "leaves_with_few_nodes": self.thin,
            "ends": self.ends.iter().map(end).collect::<Value>(),
            "scales": self.changes.scales.iter().map(scale).collect::<Value>(),
            "roots": self.changes.roots.iter().map(root).collect::<Value>(),
            "positions": self.changes.positions,
            "changed_best_moves": self.changes.changed,
            "mend": self.mend.iter().map(|remedy| leaves.row(remedy).to_json()).collect::<Value>(),
            "cost": self.options.cost.of(self.mend.len()).map(|cost| cost.to_json()),
        })
    }
}

/// Returns a tenth of the median of nodes of the leaves: of the wanted engine's, if it has any, else
/// the highest one of a source.
fn few_nodes(leaves: &Leaves) -> u64 {
    let sources = leaf_sources(&leaves.all);
    let is_wanted = |analyst| leaves.wanted.contains(analyst);
    let wanted = sources.iter().find(|source| source.analyst.is_some_and(is_wanted));
    let highest = || sources.iter().max_by_key(|source| source.median_nodes);
    wanted.or_else(highest).map_or(0, |source| source.median_nodes / 10)
}

/// Returns the positions at which games most probably leave the book.
fn ends(options: &Options, leaves: &Leaves, rivals: &Rivals<'_>) -> Vec<FrontierPosition> {
    let books = rivals.books();
    let wanted = FrontierOptions { budget: Some(options.ends), ..leaves.options.clone() };
    let reach = ReachOptions::new(rivals.model(&books));
    leaves.book.graph().frontier_by_probability(&wanted, &reach).iter().collect()
}

/// The changes by the scale of the wanted engine.
struct Changes {
    /// The other sources with their scales, as far as moves with both values tell them.
    scales: Vec<SourceScale>,
    /// The roots whose best moves or values change.
    roots: Vec<RootChange>,
    /// The number of positions with a value.
    positions: usize,
    /// The number of positions whose best move changes.
    changed: usize,
}

/// The value and the best line of a root in two graphs.
struct RootChange {
    root: String,
    now: RootState,
    then: RootState,
}

/// The value and the best line of a root.
#[derive(PartialEq)]
struct RootState {
    score: Option<Score>,
    line: String,
}

impl Changes {
    fn of(leaves: &Leaves) -> anyhow::Result<Self> {
        let store = leaves.book.store();
        let scales = other_scales(store, &leaves.wanted)?;
        let now = leaves.book.graph();
        let then = rescaled_graph(store, &scales)?;
        let (mut changed, mut positions) = (0, 0);
        for record in now.records() {
            let best = |graph: &BookGraph| graph.best_line(&record.position, 1);
            positions += 1;
            changed += usize::from(best(now) != best(&then));
        }
        let root = |root: &StartPosition| RootChange {
            root: root.line.to_string(),
            now: RootState::of(now, &root.position),
            then: RootState::of(&then, &root.position),
        };
        let roots = leaves.roots.iter().map(root);
        let roots = roots.filter(|change| change.now != change.then).collect();
        Ok(Self { scales, roots, positions, changed })
    }
}

impl RootState {
    fn of(graph: &BookGraph, position: &Position) -> Self {
        let line = graph.best_line(position, SHOWN_PLIES);
        let line: Vec<String> = line.iter().map(ToString::to_string).collect();
        Self { score: graph.value(position).map(|value| value.score), line: line.join(" ") }
    }

    fn first_move(&self) -> Option<&str> {
        self.line.split(' ').next()
    }

    fn to_json(&self) -> Value {
        json!({ "score": self.score.map(Score::raw), "line": self.line })
    }
}

impl std::fmt::Display for RootState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", signed_score(self.score), self.line)
    }
}
