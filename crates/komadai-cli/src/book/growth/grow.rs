//! `book grow`: rounds of selection, analysis, merging and propagation (`WorkingBook::grow`).

use std::cell::RefCell;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use komadai::Position;
use komadai::book::store::NewSnapshot;
use komadai::book::{GrowEnd, GrowEvent, GrowOptions, WorkingBook};
use komadai::bookgraph::BookGraph;
use komadai::bookgraph::frontier::{FrontierOptions, in_turn};
use komadai::core::Analyst;
use komadai_console::{bad_usage, interrupted, print_json, stdout, stop_on_interrupt};
use komadai_farm::FarmQueue;

use crate::arguments::page::PageArgs;
use crate::book::farm::queue_page::shown_on;
use crate::book::farm::verifier::{Share, Verifier};
use crate::book::files::source::without_empty_rest;
use crate::book::frontier::selection::Selection;
use crate::book::growth::analysts::AnalystOptions;
use crate::book::growth::growth_page::{GrowthPage, take_wishes};
use crate::book::growth::growth_report::{Expectations, GrowthReport};

/// Grow a working book by analysis.
///
/// Selects the positions at which good play leaves the book, analyses them, merges the results and
/// propagates all values. `--windows` selects by refutations and by ways back into the book too. With --start-positions, a root whose line has
/// `book_extend_ply=N` is extended along the book's best line, by N plies.
///
/// Each result is written to disk at once. After Ctrl-C, or any other interruption, the same
/// command with --resume continues to the wanted number of positions and arrives at the same book,
/// which does not depend on the number of analysts either. With another --nodes or --multi-pv, positions that the last run selected and did not analyse are
/// dropped and selected again. Positions planned by `book refresh` for the engine that analyses
/// come first, with the number of lines that is planned; those for other engines wait.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  komadai book grow my.kbook --nodes 500000 --positions 1000 --side white\n  \
                  komadai book grow my.kbook --nodes 500000 --resume --side white\n  \
                  komadai book grow my.kbook --windows next,refutations,rejoin --positions 500\n  \
                  komadai book grow my.kbook --start-positions think_sfens.txt --nodes 1000000"
)]
pub(crate) struct Options {
    #[command(flatten)]
    growing: Growing,
}

/// The arguments of a run in which a book grows.
#[derive(Debug, Args)]
pub(crate) struct Growing {
    /// Working book (.kbook); a new one starts with the roots.
    store: PathBuf,
    /// About the nodes per position: a search ends with the iteration that reaches them.
    #[arg(long, default_value_t = 200_000)]
    nodes: u64,
    /// Number of positions to add.
    #[arg(long, default_value_t = 300)]
    positions: u64,
    /// Continue to the number of positions at which the last run was to end.
    #[arg(long, conflicts_with = "positions")]
    resume: bool,
    /// Number of positions selected per round. The next round is selected when half of them are
    /// merged.
    #[arg(long, default_value_t = 64, value_name = "N")]
    per_round: usize,
    /// Selections that take turns, as the subcommands of these names list them.
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [Selecting::Next])]
    windows: Vec<Selecting>,
    #[command(flatten)]
    selection: Selection,
    /// Order of the selected positions.
    #[arg(long, value_enum, default_value_t = Order::Shortest)]
    order: Order,
    #[command(flatten)]
    pub(crate) analysts: AnalystOptions,
    #[command(flatten)]
    page: PageArgs,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
    /// Print no progress.
    #[arg(long)]
    quiet: bool,
}

/// The order of the selected positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Order {
    /// Shortest lines first.
    Shortest,
    /// Longest lines first.
    Longest,
}

/// A selection of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Selecting {
    /// Positions at which good play leaves the book.
    Next,
    /// Positions after best moves that became best only by propagation.
    Refutations,
    /// Positions to search next from which a legal move leads back into the book.
    Rejoin,
}

/// Name of the snapshot that stores the target of a run, before its number.
const TARGET: &str = "grow";

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let Options { growing } = options;
    growing.check()?;
    let analysts = growing.analysts.start()?;
    growing.run(analysts, None, None)
}

impl Growing {
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        if self.nodes == 0 {
            return Err(bad_usage("--nodes 0: expected at least one node"));
        }
        Ok(())
    }

    /// Grows the book with these analysts, by the queue of the book or by one on a server.
    pub(crate) fn run(
        &self,
        analysts: Vec<Box<dyn Analyst>>,
        queue: Option<&FarmQueue>,
        mut verifier: Option<Verifier>,
    ) -> anyhow::Result<()> {
        let run = || grow(self, analysts, queue, verifier.as_mut());
        let ended = without_empty_rest(&self.store, run)?;
        verifier.map_or(Ok(()), Verifier::finish)?;
        match ended {
            Some(stopped) => Err(interrupted(stopped)),
            None => Ok(()),
        }
    }

    /// Starts the verification of a share of the results.
    pub(crate) fn verifier(&self, share: Share) -> anyhow::Result<Verifier> {
        let analyst = self.analysts.start_one()?;
        Ok(Verifier::start(share, analyst, &self.analysts.grow(self.nodes).settings))
    }
}

/// Grows the book; returns a note if Ctrl-C has ended that.
fn grow(
    options: &Growing,
    mut analysts: Vec<Box<dyn Analyst>>,
    queue: Option<&FarmQueue>,
    mut verifier: Option<&mut Verifier>,
) -> anyhow::Result<Option<String>> {
    let frontiers = options.selection.by_side()?;
    let mut book = WorkingBook::open_or_create(&options.store)?;
    if let Some(queue) = queue {
        queue.serve_book(book.store().number()?)?;
    }
    let target = target_positions(options, &book)?;
    let have = book.store().len()?;
    let left = usize::try_from(target.saturating_sub(have))?;
    let stop = stop_on_interrupt()?;
    let grow = GrowOptions {
        positions: left,
        per_round: options.per_round,
        ..options.analysts.grow(options.nodes)
    };
    // A selection has at least one side and one root.
    let root = frontiers[0].roots[0].clone();
    let server = options.page.start()?;
    let mut page =
        server.as_ref().map(|server| GrowthPage::new(server, &options.store, &root, left));
    if let Some(page) = &mut page {
        analysts = page.watch(analysts, &stop);
        page.show(book.graph(), None);
    }
    let expectations = RefCell::new(Expectations::default());
    let mut report = GrowthReport::new(book.graph(), root, left, &expectations, options.quiet);
    let mut first: Option<Position> = None;
    let wishes = page.as_ref().map(GrowthPage::handle);
    let mut select = |graph: &BookGraph| {
        let mut selected = Vec::new();
        if let Some(page) = &wishes {
            take_wishes(page, &mut first);
            if let Some(wanted) = &first {
                selected = options.select(graph, &after(wanted, &frontiers));
            }
        }
        selected.extend(options.select(graph, &frontiers));
        expectations.borrow_mut().note(graph, &selected, options.per_round);
        selected
    };
    let mut on_event = |event: GrowEvent<'_>| {
        report.on_event(&event);
        page.iter_mut().for_each(|page| page.on_event(&event));
        verifier.iter_mut().for_each(|verifier| verifier.on_event(&event));
    };
    let grower =
        book.grower(grow).stop(Arc::clone(&stop)).select(&mut select).on_event(&mut on_event);
    let grown = match queue {
        None => grower.run(&mut analysts)?,
        Some(queue) => shown_on(wishes.as_ref(), queue, || grower.run_on(queue, &mut analysts))?,
    };
    let positions = book.store().len()?;
    if options.json {
        print_json(&report.to_json(&grown, book.graph(), positions))?;
    } else {
        write!(stdout(), "{}", report.to_text(&grown, book.graph(), positions))?;
    }
    let path = options.store.display();
    match grown.end {
        GrowEnd::Stopped if positions < target => Ok(Some(format!(
            "stopped at {positions} of {target} positions; the same options with --resume continue"
        ))),
        GrowEnd::NoAnalysts => anyhow::bail!("{path}: all analysts have failed"),
        _ => Ok(None),
    }
}

/// Returns the number of positions at which the run is to end. Stores a new target in the book.
fn target_positions(options: &Growing, book: &WorkingBook) -> anyhow::Result<u64> {
    const FIGURE: &str = "positions";
    let snapshots = book.store().snapshots()?;
    let number = |name: &str| name.strip_prefix(TARGET)?.trim().parse::<u64>().ok();
    let targets =
        snapshots.iter().filter_map(|snapshot| Some((number(&snapshot.taken.name)?, snapshot)));
    let last = targets.max_by_key(|(number, _)| *number);
    if options.resume {
        let (_, snapshot) = last.context("--resume: found no earlier run of this book")?;
        let figure = snapshot.taken.figures.iter().find(|(name, _)| name == FIGURE);
        let (_, target) = figure.context("--resume: the last run has stored no target")?;
        return Ok(u64::try_from(*target)?);
    }
    let target = book.store().len()?.saturating_add(options.positions);
    let next = last.map_or(0, |(number, _)| number + 1);
    book.store().take_snapshot(&NewSnapshot {
        name: format!("{TARGET} {next}"),
        when: 0,
        generation: 0,
        figures: vec![(FIGURE.to_owned(), i64::try_from(target)?)],
    })?;
    Ok(target)
}

/// Returns the same selections from another position on.
fn after(position: &Position, frontiers: &[FrontierOptions]) -> Vec<FrontierOptions> {
    let from_there = |options: &FrontierOptions| FrontierOptions {
        roots: vec![position.clone()],
        root_limits: Vec::new(),
        ..options.clone()
    };
    frontiers.iter().map(from_there).collect()
}

impl Growing {
    /// Returns the selected positions, of each side and each selection in turn.
    fn select(&self, graph: &BookGraph, frontiers: &[FrontierOptions]) -> Vec<Position> {
        let lists = frontiers.iter().flat_map(|frontier| {
            self.windows.iter().map(|window| {
                let mut positions = window.select(graph, frontier);
                if self.order == Order::Longest {
                    positions.reverse();
                }
                positions
            })
        });
        in_turn(lists).collect()
    }
}

impl Selecting {
    /// Returns the selected positions, shortest lines first.
    fn select(self, graph: &BookGraph, options: &FrontierOptions) -> Vec<Position> {
        let frontier = || graph.frontier(options);
        match self {
            Self::Next => frontier().iter().map(|found| found.position).collect(),
            Self::Refutations => {
                let found = graph.refutations(options, 1).into_iter();
                found.map(|refutation| refutation.found.position).collect()
            }
            Self::Rejoin => {
                let found = graph.rejoins(&frontier()).into_iter();
                found.map(|rejoin| rejoin.found.position).collect()
            }
        }
    }
}
