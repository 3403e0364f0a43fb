//! One run: games, first values, rounds of analysis, a book file and a page.

use std::process::ExitCode;

use komadai::Budget;
use komadai::book::clock::seconds_since_1970;
use komadai::book::store::{NewSnapshot, Store, StoreError};
use komadai::book::{FirstValuesEvent, WorkingBook};
use komadai::bookgraph::{DbOptions, UnknownMoves};
use komadai::report::book_page::{
    BookState, PageLook, ROOT_FIGURE, ReportData, ReportOptions, write_report,
};
use komadai_console::{Program, Progress, passed_over, stop_on_interrupt, write_file_with};

use crate::options::GrowArgs;
use crate::rounds::{Engines, Work};
use crate::summary::Summary;
use crate::{rounds, working_book};

impl Program for GrowArgs {
    const SUBCOMMAND: &'static str = "grow";

    fn run(&self) -> anyhow::Result<ExitCode> {
        grow(self)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn grow(options: &GrowArgs) -> anyhow::Result<()> {
    let stop = stop_on_interrupt()?;
    let (store, inputs) = working_book::open(options)?;
    let mut engines = Engines::new(options, stop);
    let first = first_search(&store, &mut engines, options)?;
    let mut book = WorkingBook::of_store(store)?;
    let shown = options.report();
    let before = state(&book, &shown)?;
    if options.positions > 0 && !book.graph().is_empty() && !engines.is_stopped() {
        take_snapshot(&book, &before)?;
    }
    let rounds = rounds::run(&mut book, &mut engines, options)?;
    let data = ReportData::of_working_book(&book, &shown)?;

    let db = options.out().join("book.db");
    let page = options.out().join("report.html");
    let written = DbOptions { unknown: UnknownMoves::Omit, ..DbOptions::default() };
    write_file_with(&db, |out| book.graph().write_db(out, &written))?;
    let look = PageLook {
        language: options.appearance.language(),
        notation: options.appearance.notation(),
        command: "komadai grow GAMES --out FOLDER".to_owned(),
    };
    write_file_with(&page, |out| write_report(out, &data, &look))?;
    let after = data.now;
    Summary { options, inputs, first, rounds, before, after }.print(&[
        db,
        page,
        book.store().path().to_owned(),
    ])
}

/// Searches the positions after all moves without a value, and shows the progress.
fn first_search(store: &Store, engines: &mut Engines, options: &GrowArgs) -> anyhow::Result<Work> {
    let Engines { analysts, stop } = engines;
    let mut progress: Option<Progress> = None;
    let budget = Budget::about(options.first_nodes);
    let done = store.analyse_unvalued(analysts, &budget, stop, &mut |event| match event {
        FirstValuesEvent::Batch { positions } => {
            progress = Some(Progress::new("first search", positions, options.quiet));
        }
        FirstValuesEvent::Analysed { nodes } => {
            progress.iter_mut().for_each(|bar| bar.tick(|| format!("{nodes} nodes")));
        }
        _ => progress.take().into_iter().for_each(Progress::finish),
    })?;
    let unheld = passed_over(done.unheld);
    unheld.iter().for_each(|note| options.print(format_args!("first search: {note}")));
    Ok(Work { analysed: done.analysed, nodes: done.nodes, time: done.time })
}

/// Returns the present state of the book.
fn state(book: &WorkingBook, options: &ReportOptions) -> Result<BookState, StoreError> {
    let mut state = BookState::of(book.graph(), options);
    let evaluations = book.store().sources()?.iter().map(|engine| engine.evaluations).sum();
    state.evaluations = Some(evaluations);
    Ok(state)
}

/// Stores the state before a run as a snapshot, with which the report page compares the state after
/// it.
fn take_snapshot(book: &WorkingBook, before: &BookState) -> Result<(), StoreError> {
    let runs = book.store().snapshots()?;
    let number = |name: &str| name.strip_prefix("before run ")?.parse::<u32>().ok();
    let last = runs.iter().filter_map(|run| number(&run.taken.name)).max().unwrap_or(0);
    let root = before.root.map(|root| (ROOT_FIGURE.to_owned(), root.raw().into()));
    book.store().take_snapshot(&NewSnapshot {
        name: format!("before run {}", last.saturating_add(1)),
        when: seconds_since_1970(),
        generation: last,
        figures: root.into_iter().collect(),
    })?;
    Ok(())
}
