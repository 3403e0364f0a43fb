//! Compares tsume solvers: the one of this project, its variants, and USI engines that answer
//! `go mate`.
//!
//! ```sh
//! cargo run --release --bin tsume_study -- --set classic,part=public,limit=2 \
//!     --engine kh=./KomoringHeights,PostSearchLevel=None
//! ```
//!
//! The solvers take turns at small batches of problems. A solver has a limit of processor time for
//! each problem, and is charged for the processor time of all its threads. Every mating line is
//! replayed by the rules of this project, and every answer is compared with the known facts.
//! Results grow in a file, so that a study can be paused and continued; tables and pictures are
//! written from all results at the end of each run.

#![forbid(unsafe_code)]

mod args;
mod engine;
mod figures;
mod insertion;
mod judge;
mod picture;
mod problems;
mod process_clock;
mod record;
mod solver;
mod suite;
mod tables;
mod utc;
mod variants;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Parser as _;
use komadai_peers::machine;

use args::Args;
use problems::Problem;
use record::{Results, Row};
use solver::Solver;
use suite::SetSpec;

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    anyhow::ensure!(!cfg!(debug_assertions), "only optimised builds are timed: add --release");
    let sets = args.sets()?;
    fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let mut results = Results::open(&args.out.join("results.tsv"), &args.again)?;
    let mut solvers = args.solvers()?;
    let rest = measure(&args, &sets, &mut solvers, &mut results)?;
    results.arrange(&solvers.iter().map(|solver| solver.name().to_owned()).collect::<Vec<_>>());
    write(&args, &sets, &results)?;
    println!("{}", args.out.join("tables.md").display());
    if rest > 0 {
        println!("paused: {rest} problems left; the same command continues");
    }
    Ok(())
}

/// Measures all sets, as far as they are not in the results. Returns the number of problems that
/// are left for another run.
fn measure(
    args: &Args,
    sets: &[SetSpec],
    solvers: &mut [Box<dyn Solver>],
    results: &mut Results,
) -> anyhow::Result<usize> {
    let pause = args.pause_after.map(Duration::try_from_secs_f64).transpose();
    let end = pause.context("--pause-after")?.map(|pause| Instant::now() + pause);
    let is_late = || end.is_some_and(|end| Instant::now() >= end);
    let (mut left, mut is_noted) = (0, false);
    for set in sets {
        let mut solvers: Vec<&mut Box<dyn Solver>> =
            solvers.iter_mut().filter(|solver| solver.takes(set.goal)).collect();
        let mut problems = problems::load(set)?;
        let is_missing = |results: &Results, solver: &str, problem: &Problem| {
            !results.contains(&set.to_string(), solver, &problem.id)
        };
        let missing = |results: &Results, solvers: &[&mut Box<dyn Solver>], problem: &Problem| {
            solvers.iter().any(|solver| is_missing(results, solver.name(), problem))
        };
        problems.retain(|problem| missing(results, &solvers, problem));
        if !problems.is_empty() && !is_late() {
            if !is_noted {
                let (date, hash) = (utc::today(), args.hash_mib());
                let machine = machine::description();
                results.note_run(format!("{date}, {machine}, tables of {hash} MiB"))?;
                is_noted = true;
            }
            for solver in &mut solvers {
                solver.begin(set)?;
            }
            let mut rest = &problems[..];
            while !rest.is_empty() && !is_late() {
                rest = &rest[batch(set, rest, &mut solvers, results, is_late)?..];
            }
        }
        problems.retain(|problem| missing(results, &solvers, problem));
        left += problems.len();
        eprintln!("{set}: {} problems left", problems.len());
    }
    Ok(left)
}

/// The largest number of problems in a batch.
const LARGEST_BATCH: usize = 16;

/// The processor time of the first solver after which a batch ends.
const BATCH_TIME: Duration = Duration::from_millis(200);

/// Gives each solver the same first few of the problems. Returns their number.
///
/// Easy problems go to a solver in batches: if solvers took turns at each, every problem would
/// begin with cold caches for a solver, and one after a variant of itself would be faster for that
/// reason alone (by 40 % in the median of mates of up to 11 plies).
fn batch(
    set: &SetSpec,
    problems: &[Problem],
    solvers: &mut [&mut Box<dyn Solver>],
    results: &mut Results,
    is_late: impl Fn() -> bool,
) -> anyhow::Result<usize> {
    let name = set.to_string();
    let mut size = problems.len().min(LARGEST_BATCH);
    for (number, solver) in solvers.iter_mut().enumerate() {
        let mut used = Duration::ZERO;
        for (index, problem) in problems[..size].iter().enumerate() {
            if results.contains(&name, solver.name(), &problem.id) || is_late() {
                continue;
            }
            let answer = solver.solve(problem, set)?;
            let row = Row::new(&name, solver.name(), problem, &answer);
            if row.judgement.is_false() {
                eprintln!("{}: {} by {}", row.id, row.judgement.word(), row.solver);
            }
            used += row.cpu;
            results.add(row)?;
            if number == 0 && used >= BATCH_TIME {
                size = index + 1;
                break;
            }
        }
    }
    Ok(size)
}

/// Writes the tables and the pictures.
fn write(args: &Args, sets: &[SetSpec], results: &Results) -> anyhow::Result<()> {
    let runs: Vec<String> = results.runs().iter().map(|run| format!("- {run}\n")).collect();
    let runs = runs.concat();
    let mut sections = vec![("runs".to_owned(), runs)];
    for set in sets {
        if let Some(table) = tables::table(results.rows(), set) {
            sections.push((set.to_string(), table));
        }
        if let Some(picture) = picture::picture(results.rows(), set) {
            write_file(&args.out.join(format!("decided_{}.svg", set.file_name())), &picture)?;
        }
    }
    if let Some(summary) = tables::summary(results.rows(), sets) {
        sections.push(("summary".to_owned(), summary));
    }
    let text: Vec<&str> = sections.iter().map(|(_, section)| section.as_str()).collect();
    write_file(&args.out.join("tables.md"), &text.join("\n"))?;
    if let Some(path) = &args.document {
        let name = || path.display().to_string();
        let mut document = fs::read_to_string(path).with_context(name)?;
        for (section, text) in &sections {
            document = insertion::replace(&document, section, text)?;
        }
        write_file(path, &document)?;
    }
    let first = sets.first().and_then(|set| picture::picture(results.rows(), set));
    if let (Some(path), Some(picture)) = (&args.picture, first) {
        write_file(path, &picture)?;
    }
    Ok(())
}

fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(path, text).with_context(|| path.display().to_string())
}
