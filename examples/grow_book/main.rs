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

mod beginning;
mod crew;
mod first_search;
mod input_files;
mod inputs;
mod notation;
mod options;
mod progress;
mod report;
mod rounds;
mod snapshot;
mod summary;
mod working_input;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context as _;
use clap::Parser as _;
use komadai::book::{DbOptions, UnknownMoves, WorkingBook, write_atomically};

use crate::crew::Crew;
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
    let (store, inputs) = beginning::open(options)?;
    let mut crew = Crew::new(options, stop);
    let first = first_search::run(&store, &mut crew, options)?;
    let mut book = WorkingBook::of_store(store)?;
    let before = Snapshot::of(&book, options)?;
    let rounds = rounds::run(&mut book, &mut crew, options)?;
    let after = Snapshot::of(&book, options)?;

    let (db, page) = (options.out.join("book.db"), options.out.join("report.html"));
    let summary =
        Summary { options, inputs, first, rounds, before, after, stopped: crew.is_stopped() };
    let written = DbOptions { unknown: UnknownMoves::Omit, ..DbOptions::default() };
    write_atomically(&db, |out| book.graph().write_db(out, &written))
        .with_context(|| format!("cannot write {}", db.display()))?;
    write_atomically(&page, |out| report::write(out, &summary, &book))
        .with_context(|| format!("cannot write {}", page.display()))?;
    summary.print(&[db, page, book.store().path().to_owned()])
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
