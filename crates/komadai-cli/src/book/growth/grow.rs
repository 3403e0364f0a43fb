//! `book grow`: select, analyse, merge, propagate, again and again (`WorkingBook::grow`).

use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use komadai::Position;
use komadai::book::queue::{JobQueue as _, QueueOptions};
use komadai::book::store::NewSnapshot;
use komadai::book::{GrowEnd, GrowOptions, WorkingBook};
use komadai::bookgraph::BookGraph;
use komadai::bookgraph::frontier::FrontierOptions;

use crate::analysts::AnalystOptions;
use crate::growth::Growth;
use crate::interrupt::stop_on_interrupt;
use crate::selection::Selection;
use crate::usage::bad_usage;

/// Lets a working book grow: the positions at which good play leaves it are analysed and merged, and all
/// values follow.
///
/// Every result is on disk at once. After Ctrl-C, or any other end, the same command with --resume goes
/// on to the number of positions that was asked for, with the same book in the end. With another --nodes
/// or --multi-pv, what the last run selected and did not analyse is dropped and selected anew; what
/// `book refresh` has planned is done first.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  book grow my.kbook --nodes 500000 --positions 1000 --side white\n  \
                  book grow my.kbook --nodes 500000 --resume --side white"
)]
pub(crate) struct Options {
    /// The working book, .kbook; a new one begins with the roots.
    store: PathBuf,
    /// Nodes for each position.
    #[arg(long, default_value_t = 300_000)]
    nodes: u64,
    /// How many positions to add.
    #[arg(long, default_value_t = 300)]
    positions: u64,
    /// Go on to where the last run was to end.
    #[arg(long, conflicts_with = "positions")]
    resume: bool,
    /// How many positions to select at a time.
    #[arg(long, default_value_t = 64, value_name = "N")]
    per_round: usize,
    #[command(flatten)]
    selection: Selection,
    /// Which positions come first.
    #[arg(long, value_enum, default_value_t = Order::Shortest)]
    order: Order,
    /// Who analyses.
    #[command(flatten)]
    analysts: AnalystOptions,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
    /// No progress.
    #[arg(long)]
    quiet: bool,
}

/// Which positions come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Order {
    /// Those nearest to the start.
    Shortest,
    /// Those farthest from it.
    Longest,
}

/// How the note of a run's aim is called in the book, before its number.
const AIM: &str = "grow";

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    if options.nodes == 0 {
        return Err(bad_usage("--nodes 0: nothing can be found out without a node"));
    }
    let frontiers = options.selection.by_side()?;
    let mut book = WorkingBook::open_or_create(&options.store)?;
    let aim = aim(options, &book)?;
    let have = book.store().len()?;
    let left = usize::try_from(aim.saturating_sub(have))?;
    let stop = stop_on_interrupt()?;
    let mut analysts = options.analysts.start()?;
    let grow = GrowOptions {
        positions: left,
        per_round: options.per_round,
        ..options.analysts.grow(options.nodes)
    };
    // What an earlier run was not done with is gone on with, unless it is now to be done otherwise.
    let queue = book.store().queue(QueueOptions::default());
    queue.expire(u64::MAX)?;
    queue.withdraw_others(&grow.settings)?;
    // There is a side, and there is a root.
    let root = frontiers[0].roots[0].clone();
    let mut growth = Growth::new(book.graph(), root, left, options.quiet);
    let expectations = growth.expectations();
    let mut select = |graph: &BookGraph| {
        let selected = select(graph, &frontiers, options.order);
        expectations.note(graph, &selected, options.per_round);
        selected
    };
    let mut hear = |event: komadai::book::GrowEvent<'_>| growth.hear(&event);
    let grown = book.grow(&mut analysts, &grow, &stop, &mut select, &mut hear)?;
    let positions = book.store().len()?;
    if options.json {
        println!("{}", growth.to_json(&grown, book.graph(), positions));
    } else {
        print!("{}", growth.to_text(&grown, book.graph(), positions));
    }
    let path = options.store.display();
    match grown.end {
        GrowEnd::Stopped if positions < aim => {
            eprintln!(
                "stopped at {positions} of {aim} positions; the same options with --resume go on"
            );
        }
        GrowEnd::NoAnalysts => anyhow::bail!("{path}: no analyst is left"),
        _ => {}
    }
    Ok(())
}

/// The number of positions at which the run is to end. A new aim is noted in the book.
fn aim(options: &Options, book: &WorkingBook) -> anyhow::Result<u64> {
    const FIGURE: &str = "positions";
    let snapshots = book.store().snapshots()?;
    let number = |name: &str| name.strip_prefix(AIM)?.trim().parse::<u64>().ok();
    let aims =
        snapshots.iter().filter_map(|snapshot| Some((number(&snapshot.taken.name)?, snapshot)));
    let last = aims.max_by_key(|(number, _)| *number);
    if options.resume {
        let (_, snapshot) = last.context("--resume: no run of this book has noted an aim")?;
        let figure = snapshot.taken.figures.iter().find(|(name, _)| name == FIGURE);
        let (_, aim) = figure.context("--resume: the last run has noted no aim")?;
        return Ok(u64::try_from(*aim)?);
    }
    let aim = book.store().len()?.saturating_add(options.positions);
    let next = last.map_or(0, |(number, _)| number + 1);
    book.store().take_snapshot(&NewSnapshot {
        name: format!("{AIM} {next}"),
        when: 0,
        generation: 0,
        figures: vec![(FIGURE.to_owned(), i64::try_from(aim)?)],
    })?;
    Ok(aim)
}

/// The positions at which good play leaves the book, most urgent first: of each side in turn.
fn select(graph: &BookGraph, frontiers: &[FrontierOptions], order: Order) -> Vec<Position> {
    let of_side = |options| {
        let frontier = graph.frontier(options);
        let mut positions: Vec<Position> = frontier.iter().map(|exit| exit.position).collect();
        if order == Order::Longest {
            positions.reverse();
        }
        positions
    };
    alternate(frontiers.iter().map(of_side).collect())
}

/// One of each list in turn.
fn alternate(lists: Vec<Vec<Position>>) -> Vec<Position> {
    let mut lists: Vec<_> = lists.into_iter().map(Vec::into_iter).collect();
    let mut positions = Vec::new();
    loop {
        let before = positions.len();
        positions.extend(lists.iter_mut().filter_map(Iterator::next));
        if positions.len() == before {
            return positions;
        }
    }
}
