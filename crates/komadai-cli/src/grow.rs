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

// What it shares with the example `book`.
#[path = "../book/failure.rs"]
mod failure;
#[path = "../book/interrupt.rs"]
mod interrupt;
#[path = "../book/now.rs"]
mod now;
#[path = "../book/progress.rs"]
mod progress;
#[path = "../book/side.rs"]
mod side;
#[path = "../book/state_json.rs"]
mod state_json;
#[path = "../book/value.rs"]
mod value;
#[path = "../book/warnings.rs"]
mod warnings;
#[path = "../book/window.rs"]
mod window;

mod beginning;
mod crew;
mod first_search;
mod inputs;
mod options;
mod rounds;
mod summary;

use std::process::ExitCode;

use anyhow::Context as _;
use clap::Parser as _;
use komadai::book::WorkingBook;
use komadai::book::store::{NewSnapshot, StoreError};
use komadai::bookfile::atomic_file::write_atomically;
use komadai::bookgraph::{DbOptions, UnknownMoves};
use komadai::kifu::Notation;
use komadai::report::book_page::{BookState, ROOT_FIGURE, ReportData, ReportOptions, write_report};

use crate::crew::Crew;
use crate::failure::describe;
use crate::interrupt::stop_on_interrupt;
use crate::options::Options;
use crate::summary::Summary;

fn main() -> ExitCode {
    let options = Options::parse();
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", describe(&error));
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> anyhow::Result<()> {
    let stop = stop_on_interrupt()?;
    let (store, inputs) = beginning::open(options)?;
    let mut crew = Crew::new(options, stop);
    let first = first_search::run(&store, &mut crew, options)?;
    let mut book = WorkingBook::of_store(store)?;
    let told = options.report();
    let before = state(&book, &told)?;
    if options.positions > 0 && !book.graph().is_empty() && !crew.is_stopped() {
        remember(&book, &before)?;
    }
    let rounds = rounds::run(&mut book, &mut crew, options)?;
    let data = ReportData::of_working_book(&book, &told)?;

    let (db, page) = (options.out.join("book.db"), options.out.join("report.html"));
    let written = DbOptions { unknown: UnknownMoves::Omit, ..DbOptions::default() };
    write_atomically(&db, |out| book.graph().write_db(out, &written))
        .with_context(|| format!("cannot write {}", db.display()))?;
    write_atomically(&page, |out| write_report(out, &data, Notation::Japanese))
        .with_context(|| format!("cannot write {}", page.display()))?;
    let after = data.now;
    let summary =
        Summary { options, inputs, first, rounds, before, after, stopped: crew.is_stopped() };
    summary.print(&[db, page, book.store().path().to_owned()])
}

/// The book as it is.
fn state(book: &WorkingBook, options: &ReportOptions) -> Result<BookState, StoreError> {
    let mut state = BookState::of(book.graph(), options);
    let evaluations = book.store().sources()?.iter().map(|engine| engine.evaluations).sum();
    state.evaluations = Some(evaluations);
    Ok(state)
}

/// Keeps the state before a run under a name, so that the page can tell what the run has changed.
fn remember(book: &WorkingBook, before: &BookState) -> Result<(), StoreError> {
    let runs = book.store().snapshots()?;
    let number = |name: &str| name.strip_prefix("before run ")?.parse::<u32>().ok();
    let last = runs.iter().filter_map(|run| number(&run.taken.name)).max().unwrap_or(0);
    let root = before.root.map(|root| (ROOT_FIGURE.to_owned(), root.raw().into()));
    book.store().take_snapshot(&NewSnapshot {
        name: format!("before run {}", last.saturating_add(1)),
        when: now::now(),
        generation: last,
        figures: root.into_iter().collect(),
    })?;
    Ok(())
}
