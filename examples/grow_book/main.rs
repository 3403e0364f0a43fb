//! Grows an opening book: seeds it from games, judges what they played, and then, round by round,
//! selects the positions that matter next, analyses them and propagates the values.
//!
//! ```text
//! cargo run --release --example grow_book
//! cargo run --release --example grow_book -- --out my_book --nodes 500000 games/
//! cargo run --release --example grow_book -- --out my_book --positions 1000
//! ```
//!
//! The first command uses 77 bundled tournament games and takes about a minute on two cores. The second
//! reads every record and book in a folder. The third goes on with what the second has left.

mod first_search;
mod grower;
mod inputs;
mod notation;
mod options;
mod progress;
mod report;
mod rounds;
mod snapshot;
mod summary;

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context as _;
use clap::Parser as _;
use komadai::book::{Book, DbOptions, LoggedBook, UnknownMoves, write_atomically};

use crate::grower::Grower;
use crate::inputs::{InputCounts, read_inputs};
use crate::options::Options;
use crate::snapshot::Snapshot;
use crate::summary::Summary;

fn main() -> ExitCode {
    let options = Options::parse();
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", told(&error));
            ExitCode::FAILURE
        }
    }
}

/// What happened and why; many errors tell their reason themselves, which is said once.
fn told(error: &anyhow::Error) -> String {
    let mut told = error.to_string();
    for reason in error.chain().skip(1).map(ToString::to_string) {
        if !told.ends_with(&reason) {
            told += &format!(": {reason}");
        }
    }
    told
}

fn run(options: &Options) -> anyhow::Result<()> {
    let stop = stop_on_interrupt()?;
    let (book, inputs) = prepare(options)?;
    let mut grower = Grower::new(options, book, stop);
    let first = first_search::run(&mut grower)?;
    let before = Snapshot::of(grower.book(), options);
    let rounds = rounds::run(&mut grower, &before)?;
    let after = Snapshot::of(grower.book(), options);
    grower.finish()?;

    let (db, page) = (options.out.join("book.db"), options.out.join("report.html"));
    let summary =
        Summary { options, inputs, first, rounds, before, after, stopped: grower.is_stopped() };
    let values = grower.book().propagate();
    let written = DbOptions { unknown: UnknownMoves::Omit, ..DbOptions::default() };
    write_atomically(&db, |out| values.write_db(out, &written))
        .with_context(|| format!("cannot write {}", db.display()))?;
    write_atomically(&page, |out| report::write(out, &summary, grower.book(), &values))
        .with_context(|| format!("cannot write {}", page.display()))?;
    summary.print(&[db, page, options.out.join("book.log")])
}

/// A flag that the first Ctrl-C sets. The second ends the process.
fn stop_on_interrupt() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        eprintln!("stopping; once more to leave at once");
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(stop)
}

/// The book in the output folder, or a new one, with everything that was named read into it.
fn prepare(options: &Options) -> anyhow::Result<(LoggedBook, InputCounts)> {
    let out = &options.out;
    let log = out.join("book.log");
    if !options.fresh && log.exists() {
        let mut book = go_on(options, &log)?;
        let (read, counts) = read_inputs(options, book.book())?;
        book.merge(&read)?;
        return Ok((book, counts));
    }
    // Nothing is touched before there is something to begin with.
    let (read, counts) = read_inputs(options, &Book::new())?;
    fs::create_dir_all(out).with_context(|| format!("cannot create {}", out.display()))?;
    let (mut book, kept) = LoggedBook::begin(&log)?;
    if let Some(kept) = kept {
        options.say(format_args!("the book so far is kept as {}", kept.display()));
    }
    book.merge(&read)?;
    Ok((book, counts))
}

fn go_on(options: &Options, log: &Path) -> anyhow::Result<LoggedBook> {
    let (book, import) = LoggedBook::open(log, options.tolerance())?;
    inputs::warn_of(log, &import.skipped);
    if !book.book().is_empty() {
        let (positions, evaluations) = (book.book().len(), book.book().evaluations());
        options.say(format_args!(
            "going on with {}: {positions} positions, {evaluations} evaluations",
            log.display()
        ));
    }
    Ok(book)
}
