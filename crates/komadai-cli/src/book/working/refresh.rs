//! `book refresh`: after an engine change.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use komadai::book::queue::{Enqueued, JobQueue as _, JobSettings, NewJob, QueueOptions};
use komadai::book::refresh::{
    LineFit, RefreshItem, RefreshOptions, RefreshPlanner, ScaleShift, Urgent, ValuePair, fit_scale,
};
use komadai::book::store::Store;
use komadai::book::{AnalystId, WorkingBook};
use komadai::bookfile::atomic_file::write_atomically;
use komadai::bookgraph::frontier::{FrontierOptions, Window};
use komadai::{Color, Position};
use serde_json::{Value, json};

use crate::scale_plot::plot;
use crate::source::{find_analyst, open_store, read_store};
use crate::usage::bad_usage;

/// Compares the scale of a new engine with that of an old one, and plans what it is to judge anew first.
///
/// The plan has the positions whose best move is in question: those with a value within --eval-diff of the
/// best that is not the new engine's. The best line from the start comes first, with --frontier also the
/// positions at which good play leaves the book. Plan lines are `sfen …`; with --enqueue the positions become
/// jobs of the next generation, which workers take.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    book refresh grown.kbook --engine \"engine 2.0\" --plot scale.svg --out plan.sfen\n  \
    book refresh grown.kbook --engine \"engine 2.0\" --eval-diff 50 --enqueue --nodes 2000000")]
pub(crate) struct Options {
    /// The working book.
    store: PathBuf,
    /// The engine whose values are wanted: its name, or name and version.
    #[arg(long, value_name = "NAME")]
    engine: String,
    /// The engine to compare it with; the one with most values in force if left out.
    #[arg(long, value_name = "NAME")]
    old: Option<String>,
    /// How much worse than the best a move may be to matter, in centipawns.
    #[arg(long, default_value_t = 30)]
    eval_diff: u32,
    /// The fewest nodes that a value must rest on to be fresh.
    #[arg(long, default_value_t = 0)]
    min_nodes: u64,
    /// Begin with the positions at which good play leaves the book, for either side.
    #[arg(long)]
    frontier: bool,
    /// The most positions to plan.
    #[arg(long)]
    max_positions: Option<usize>,
    /// Write the plan to a file instead of the terminal.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Draw new values against old ones (SVG).
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Put the plan into the working book's queue.
    #[arg(long, requires = "nodes")]
    enqueue: bool,
    /// The nodes to visit in each position.
    #[arg(long)]
    nodes: Option<u64>,
    /// The number of lines to be found in each position.
    #[arg(long, default_value_t = 4)]
    multi_pv: u16,
    /// The generation of the jobs; the next one if left out.
    #[arg(long)]
    generation: Option<u32>,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let store =
        if options.enqueue { open_store(&options.store)? } else { read_store(&options.store)? };
    let book = WorkingBook::of_store(store)?;
    let store = book.store();
    let new = find_analyst(store, &options.engine)?;
    if new.is_none() {
        eprintln!("note: {:?} has judged nothing yet: every value is an old one", options.engine);
    }
    let comparison = compare(options, store, new.as_ref())?;
    let plan = plan(options, &book, new.as_ref())?;
    let enqueued = match options.enqueue {
        true => Some(enqueue(options, store, &plan)?),
        false => None,
    };
    if let Some(path) = &options.out {
        write_atomically(path, |out| {
            plan.iter().try_for_each(|item| writeln!(out, "sfen {}", item.position()))
        })
        .with_context(|| path.display().to_string())?;
        eprintln!("{} positions: {}", plan.len(), path.display());
    }
    if options.json {
        println!("{}", to_json(options, &comparison, &plan, enqueued.as_ref()));
        return Ok(());
    }
    match enqueued {
        Some((generation, jobs)) => println!(
            "generation {generation}: {} jobs added, {} extended, {} more urgent, {} as they were",
            jobs.added, jobs.extended, jobs.raised, jobs.unchanged
        ),
        None if options.out.is_some() => {}
        None => plan.iter().for_each(|item| println!("sfen {}", item.position())),
    }
    Ok(())
}

/// How the values of two engines compare.
struct Comparison {
    old: Option<AnalystId>,
    shift: Option<ScaleShift>,
}

fn to_json(
    options: &Options,
    comparison: &Comparison,
    plan: &[RefreshItem],
    enqueued: Option<&(u32, Enqueued)>,
) -> Value {
    let line = |fit: &LineFit| json!({ "slope": fit.slope, "intercept": fit.intercept, "spread": fit.spread });
    json!({
        "engine": options.engine,
        "old": comparison.old.as_ref().map(ToString::to_string),
        "scale": comparison.shift.as_ref().map(|shift| json!({
            "moves": shift.pairs,
            "correlation": shift.correlation,
            "least_squares": line(&shift.least_squares),
            "robust": line(&shift.robust),
        })),
        "positions": plan.iter().map(|item| item.position().to_string()).collect::<Value>(),
        "enqueued": enqueued.map(|(generation, jobs)| json!({
            "generation": generation,
            "added": jobs.added,
            "extended": jobs.extended,
            "more_urgent": jobs.raised,
            "unchanged": jobs.unchanged,
        })),
    })
}

/// Tells how the new values follow from the old ones.
fn compare(
    options: &Options,
    store: &Store,
    new: Option<&AnalystId>,
) -> anyhow::Result<Comparison> {
    let old = match &options.old {
        Some(name) => Some(find_analyst(store, name)?.ok_or_else(|| {
            bad_usage(format_args!("{name:?} has judged nothing here; see `book sources`"))
        })?),
        None => {
            let others = store.sources()?.into_iter().filter(|share| Some(&share.analyst) != new);
            others.max_by_key(|share| share.view_moves).map(|share| share.analyst)
        }
    };
    let pairs = match (&old, new) {
        (Some(old), Some(new)) => store.value_pairs(old, new)?,
        _ => Vec::new(),
    };
    let shift = fit_scale(&pairs);
    match (&shift, &old, new) {
        (Some(shift), Some(old), Some(new)) => tell(shift, old, new),
        _ => eprintln!(
            "no scale: both engines have judged {} moves, expected at least three of different values",
            pairs.len()
        ),
    }
    if let Some(path) = &options.plot {
        let name = old.as_ref().map_or("?".to_owned(), ToString::to_string);
        draw(path, &pairs, shift.as_ref(), &[name, options.engine.clone()])?;
    }
    Ok(Comparison { old, shift })
}

fn draw(
    path: &Path,
    pairs: &[ValuePair],
    shift: Option<&ScaleShift>,
    names: &[String; 2],
) -> anyhow::Result<()> {
    let svg = plot(pairs, shift, names)?;
    write_atomically(path, |out| out.write_all(svg.as_bytes()))
        .with_context(|| path.display().to_string())?;
    eprintln!("{} moves drawn: {}", pairs.len(), path.display());
    Ok(())
}

fn tell(shift: &ScaleShift, old: &AnalystId, new: &AnalystId) {
    eprintln!(
        "{new} compared with {old}: {} moves, correlation {:.3}",
        shift.pairs, shift.correlation
    );
    for (name, line) in [("least squares", shift.least_squares), ("robust", shift.robust)] {
        eprintln!(
            "  {name}: new = {:.1} + {:.3} × old, give or take {:.1}",
            line.intercept, line.slope, line.spread
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
        &urgent(options, book),
        RefreshOptions { wanted, min_nodes, eval_diff },
    )?;
    for stored in book.store().records()? {
        planner.add(&stored?)?;
    }
    let mut plan = planner.finish();
    plan.truncate(options.max_positions.unwrap_or(usize::MAX));
    Ok(plan)
}

/// The frontier of either side, if asked for, and the best line.
fn urgent(options: &Options, book: &WorkingBook) -> Vec<Urgent> {
    let (graph, start) = (book.graph(), Position::hirate());
    let mut urgent = Vec::new();
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
        // A line that comes back goes on for ever.
        if position.ply() > 512 {
            break;
        }
        urgent.push(Urgent { position: position.without_history(), priority: 1 });
        position.do_move(m);
    }
    urgent
}

/// Makes jobs of the plan; their generation, and what became of them.
fn enqueue(
    options: &Options,
    store: &Store,
    plan: &[RefreshItem],
) -> anyhow::Result<(u32, Enqueued)> {
    let queue = store.queue(QueueOptions::default());
    let generation = match options.generation {
        Some(generation) => generation,
        None => queue.newest_generation()?.map_or(1, |newest| newest.saturating_add(1)),
    };
    let settings = JobSettings {
        nodes: options.nodes,
        multi_pv: options.multi_pv,
        generation,
        engine: options.engine.clone(),
        ..JobSettings::default()
    };
    let job = |(place, item): (usize, &RefreshItem)| NewJob {
        position: item.position(),
        priority: (plan.len() - place) as i64,
        settings: settings.clone(),
    };
    let jobs: Vec<NewJob> = plan.iter().enumerate().map(job).collect();
    Ok((generation, queue.enqueue(&jobs)?))
}
