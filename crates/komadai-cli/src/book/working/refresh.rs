//! `book refresh`: new analyses after a change of engine.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use komadai::book::queue::{
    JobQueue as _, JobSettings, NewJob, PlanChanges, Planned, QueueOptions,
};
use komadai::book::refresh::{
    RefreshItem, RefreshOptions, RefreshPlanner, ScaleShift, Urgent, ValuePair, fit_scale,
};
use komadai::book::store::Store;
use komadai::book::{StartPosition, WorkingBook};
use komadai::bookgraph::frontier::{FrontierOptions, Window};
use komadai::core::AnalystId;
use komadai::report::book_page::scale_plot;
use komadai::{Color, Position};
use komadai_base::atomic_file::write_atomically;
use komadai_console::{bad_usage, note, passed_over, print_json, stdout};
use serde_json::{Value, json};

use crate::book::files::source::{check_is_another, find_analyst, open_store, read_store};
use crate::book::growth::analysts::AnalystOptions;

/// Length of the longest best line that is followed, in plies.
const MAX_PLY: u32 = 512;

/// Compare the scales of a new and an old engine, and plan the positions for the new one to
/// analyse.
///
/// The plan contains the positions whose best move is in doubt: those with a value within
/// --eval-diff of the best one that is not from the new engine. The best line from the start
/// position comes first and, before it, the positions at which good play leaves the book
/// (--frontier) and those of a list (--first). The
/// lines of a plan are `sfen …`; with --enqueue, the positions become jobs of the next generation,
/// which wait until `book grow` runs with the new engine.
///
/// With --calibrate, the new engine analyses a sample of the book instead, equally many positions
/// of each range of old values; --engine is then the command that starts it, and the arguments are
/// those of `book grow`. Prints the scale with its 95 % intervals. The same command continues after
/// an interruption; what the engine has analysed with as many nodes is not analysed again.
#[derive(Debug, Args)]
#[command(mut_arg("engine", |engine| engine
    .required_unless_present("calibrate")
    .value_name("NAME")
    .help("New engine, by name or by name and version; for --calibrate its command, by default the embedded engine")))]
#[command(mut_arg("multi_pv", |lines| lines.default_value("4")))]
#[command(after_help = "Examples:\n  \
    komadai book refresh grown.kbook --calibrate 200 --engine ./new-engine --nodes 1000000 --plot scale.svg\n  \
    komadai book refresh grown.kbook --engine \"engine 2.0\" --plot scale.svg --out plan.sfen\n  \
    komadai book refresh grown.kbook --engine \"engine 2.0\" --eval-diff 50 --enqueue --nodes 2000000")]
pub(crate) struct Options {
    /// Working book.
    pub(super) store: PathBuf,
    #[command(flatten)]
    pub(super) analysts: AnalystOptions,
    /// Engine to compare it with; by default the one with most of the chosen values.
    #[arg(long, value_name = "NAME")]
    old: Option<String>,
    /// Have the new engine analyse a sample of N positions, and compare the scales by it.
    #[arg(long, value_name = "N")]
    pub(super) calibrate: Option<usize>,
    /// Seed of the sample.
    #[arg(long, default_value_t = 0)]
    pub(super) seed: u64,
    /// Maximum loss of a relevant move against the best one, in centipawns.
    #[arg(long, default_value_t = 30)]
    eval_diff: u32,
    /// Minimum number of nodes of a value that need not be refreshed.
    #[arg(long, default_value_t = 0)]
    min_nodes: u64,
    /// Start with the positions at which good play of either side leaves the book.
    #[arg(long)]
    pub(super) frontier: bool,
    /// Start with the positions of this list, in its order: lines of `book release`, `book doctor` or
    /// `book next`, or of games.
    #[arg(long, value_name = "FILE")]
    pub(super) first: Option<PathBuf>,
    /// Maximum number of planned positions.
    #[arg(long)]
    max_positions: Option<usize>,
    /// File for the plan; by default standard output.
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// File for a plot of new values against old ones (SVG).
    #[arg(long, value_name = "FILE")]
    pub(super) plot: Option<PathBuf>,
    /// Add the plan to the job queue of the working book.
    #[arg(long, requires = "nodes")]
    pub(super) enqueue: bool,
    /// Nodes per position; for --calibrate 200000 by default.
    #[arg(long)]
    pub(super) nodes: Option<u64>,
    /// Generation of the jobs; by default the next one.
    #[arg(long)]
    generation: Option<u32>,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    pub(super) json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    if !options.analysts.engine_option.is_empty() {
        return Err(bad_usage("--engine-option: expected --calibrate, which starts the engine"));
    }
    let outputs = options.out.iter().chain(&options.plot);
    outputs.into_iter().try_for_each(|path| check_is_another(&options.store, path))?;
    let store =
        if options.enqueue { open_store(&options.store)? } else { read_store(&options.store)? };
    let book = WorkingBook::of_store(store)?;
    let store = book.store();
    let new = find_analyst(store, options.engine())?;
    if new.is_none() {
        note!("note: {:?} has no evaluations here: all values are old ones", options.engine());
    }
    let comparison = compare(options, store, new.as_ref())?;
    let plan = plan(options, &book, new.as_ref())?;
    let enqueued = if options.enqueue { Some(enqueue(options, store, &plan)?) } else { None };
    if let Some(path) = &options.out {
        write_atomically(path, |out| {
            plan.iter().try_for_each(|item| writeln!(out, "sfen {}", item.position()))
        })
        .with_context(|| path.display().to_string())?;
        note!("{} positions: {}", plan.len(), path.display());
    }
    if options.json {
        print_json(&to_json(options, &comparison, &plan, enqueued.as_ref()))?;
        return Ok(());
    }
    match enqueued {
        Some((generation, jobs)) => writeln!(
            stdout(),
            "generation {generation}: {} jobs added, {} extended, {} more urgent, {} less urgent, \
             {} as they were",
            jobs.added,
            jobs.extended,
            jobs.raised,
            jobs.lowered,
            jobs.unchanged
        )?,
        None if options.out.is_some() => {}
        None => {
            for item in &plan {
                writeln!(stdout(), "sfen {}", item.position())?;
            }
        }
    }
    Ok(())
}

impl Options {
    /// Returns the name of the new engine, which is there unless the engine is started.
    fn engine(&self) -> &str {
        self.analysts.engine.as_deref().unwrap_or_default()
    }
}

/// The comparison of the values of two engines.
struct Comparison {
    old: Option<AnalystId>,
    shift: Option<ScaleShift>,
}

fn to_json(
    options: &Options,
    comparison: &Comparison,
    plan: &[RefreshItem],
    enqueued: Option<&(u32, Planned)>,
) -> Value {
    json!({
        "engine": options.engine(),
        "old": comparison.old.as_ref().map(ToString::to_string),
        "scale": comparison.shift.as_ref().map(scale_json),
        "positions": plan.iter().map(RefreshItem::position).collect::<Vec<_>>(),
        "enqueued": enqueued.map(|(generation, jobs)| json!({
            "generation": generation,
            "added": jobs.added,
            "extended": jobs.extended,
            "more_urgent": jobs.raised,
            "less_urgent": jobs.lowered,
            "unchanged": jobs.unchanged,
        })),
    })
}

pub(crate) fn scale_json(shift: &ScaleShift) -> Value {
    json!({
        "moves": shift.pairs,
        "correlation": shift.correlation,
        "least_squares": shift.least_squares,
        "robust": shift.robust,
    })
}

/// Returns the engine that the new one is compared with; `None` if the book has no other.
pub(super) fn old_engine(
    options: &Options,
    store: &Store,
    new: Option<&AnalystId>,
) -> anyhow::Result<Option<AnalystId>> {
    if let Some(name) = &options.old {
        let unknown = || {
            bad_usage(format_args!(
                "{name:?} has no evaluations here; `book sources` lists the engines"
            ))
        };
        return find_analyst(store, name)?.ok_or_else(unknown).map(Some);
    }
    let others = store.sources()?.into_iter().filter(|share| Some(&share.analyst) != new);
    Ok(others.max_by_key(|share| share.view_moves).map(|share| share.analyst))
}

/// Fits the new engine's values to the old ones', and prints and draws the result.
fn compare(
    options: &Options,
    store: &Store,
    new: Option<&AnalystId>,
) -> anyhow::Result<Comparison> {
    let old = old_engine(options, store, new)?;
    let pairs = match (&old, new) {
        (Some(old), Some(new)) => store.value_pairs(old, new)?,
        _ => Vec::new(),
    };
    let shift = fit_scale(&pairs);
    match (&shift, &old, new) {
        (Some(shift), Some(old), Some(new)) => print_scale(shift, old, new),
        _ => note!(
            "no scale: both engines have values of {} moves, expected at least three different values",
            pairs.len()
        ),
    }
    if let Some(path) = &options.plot {
        let name = old.as_ref().map_or("?".to_owned(), ToString::to_string);
        draw(path, &pairs, shift.as_ref(), &[name, options.engine().to_owned()])?;
    }
    Ok(Comparison { old, shift })
}

pub(super) fn draw(
    path: &Path,
    pairs: &[ValuePair],
    shift: Option<&ScaleShift>,
    names: &[String; 2],
) -> anyhow::Result<()> {
    let svg = scale_plot(pairs, shift, names)?;
    write_atomically(path, |out| out.write_all(svg.as_bytes()))
        .with_context(|| path.display().to_string())?;
    note!("{} moves drawn: {}", pairs.len(), path.display());
    Ok(())
}

fn print_scale(shift: &ScaleShift, old: &AnalystId, new: &AnalystId) {
    note!("{new} compared with {old}: {} moves, correlation {:.3}", shift.pairs, shift.correlation);
    for (name, line) in [("least squares", shift.least_squares), ("robust", shift.robust)] {
        note!(
            "  {name}: new = {:.1} + {:.3} × old, spread {:.1}",
            line.intercept,
            line.slope,
            line.spread
        );
    }
}

fn plan(
    options: &Options,
    book: &WorkingBook,
    new: Option<&AnalystId>,
) -> anyhow::Result<Vec<RefreshItem>> {
    let wanted = match new {
        Some(new) => book.store().analyst_index(new)?,
        None => None,
    };
    let (min_nodes, eval_diff) = (options.min_nodes, options.eval_diff);
    let mut planner = RefreshPlanner::new(
        &urgent(options, book)?,
        RefreshOptions { min_nodes, eval_diff, ..RefreshOptions::new(wanted) },
    );
    for stored in book.store().records()? {
        planner.add(&stored?);
    }
    passed_over(planner.unheld()).iter().for_each(|text| note!("note: {text}"));
    let mut plan = planner.finish();
    plan.truncate(options.max_positions.unwrap_or(usize::MAX));
    Ok(plan)
}

/// Returns the positions of a list and the frontiers of both sides, if wanted, and the positions of
/// the best line.
fn urgent(options: &Options, book: &WorkingBook) -> anyhow::Result<Vec<Urgent>> {
    let (graph, start) = (book.graph(), Position::hirate());
    let mut urgent = Vec::new();
    if let Some(path) = &options.first {
        let listed = StartPosition::read_all(path)?.into_iter().map(|at| at.position);
        let priorities = (3..3 + listed.len() as i64).rev();
        let named = listed
            .zip(priorities)
            .map(|(position, priority)| Urgent { position: position.without_history(), priority });
        urgent.extend(named);
    }
    if options.frontier {
        for side in Color::ALL {
            let frontier = graph.frontier(&FrontierOptions {
                eval_diff: options.eval_diff.try_into().unwrap_or(i32::MAX),
                ..FrontierOptions::new(start.clone(), side, Window::Best)
            });
            let found =
                frontier.iter().map(|found| Urgent { position: found.position, priority: 2 });
            urgent.extend(found);
        }
    }
    let mut position = start.clone();
    for m in graph.best_line(&start, usize::from(u16::MAX)) {
        // A line that ends in a repetition has no end; no game is this long.
        if position.ply() > MAX_PLY {
            break;
        }
        urgent.push(Urgent { position: position.without_history(), priority: 1 });
        position.do_move(m);
    }
    Ok(urgent)
}

/// Adds the planned positions to the queue. Returns their generation, and counts of new and changed
/// jobs.
fn enqueue(
    options: &Options,
    store: &Store,
    plan: &[RefreshItem],
) -> anyhow::Result<(u32, Planned)> {
    let queue = store.queue(QueueOptions::default());
    let generation = match options.generation {
        Some(generation) => generation,
        None => queue.newest_generation()?.map_or(1, |newest| newest.saturating_add(1)),
    };
    let settings = JobSettings {
        nodes: options.nodes,
        multi_pv: options.analysts.multi_pv.get(),
        generation,
        engine: options.engine().to_owned(),
        ..JobSettings::default()
    };
    let job = |(place, item): (usize, &RefreshItem)| NewJob {
        position: item.position(),
        priority: (plan.len() - place) as i64,
        settings: settings.clone(),
    };
    let jobs: Vec<NewJob> = plan.iter().enumerate().map(job).collect();
    Ok((generation, queue.plan(&PlanChanges::wanted(jobs))?))
}
