//! Small books from parts of the bundled games, grown by the embedded engine.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::ensure;
use komadai::analysis::{Memory, SearchAnalyst};
use komadai::book::queue::JobSettings;
use komadai::book::store::{Change, Store};
use komadai::book::{GrowEnd, GrowOptions, SeedOptions, Seeder, WorkingBook};
use komadai::bookgraph::frontier::{Frontier, FrontierOptions, Window};
use komadai::bookgraph::{BookGraph, DbOptions, UnknownMoves};
use komadai::core::Analyst;
use komadai::eval::Classical;
use komadai::prelude::*;
use komadai::search::SearchOptions;
use komadai_console::{Pipeline, Progress, create_folder, interrupted, write_file_with};

use crate::frontier::book::{Book, graph_of};
use crate::frontier::measure::Study;
use crate::frontier::options::FrontierStudyOptions;
use crate::games;

/// Nodes of the first search of a move of a game, as a part of those of other positions.
const FIRST_PART: u64 = 4;

/// Moves of a position that get a value, as `komadai grow` has it.
const MULTI_PV: usize = 4;

/// Memory of a searcher in MiB.
const HASH_MIB: usize = 4;

/// Grows the books that the folder does not have yet, one a thread, so that the threads change
/// nothing.
pub(super) fn books(
    options: &FrontierStudyOptions,
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<Vec<Book>> {
    create_folder(&options.folder)?;
    let mut books = Vec::with_capacity(options.grown.get());
    let mut progress = Progress::new("books", options.grown.get(), false);
    let pipeline = Pipeline { threads: options.threads.get(), stop: Arc::clone(stop) };
    pipeline.run(
        0..options.grown.get(),
        || (),
        |(), number| book(options, number, stop),
        |batch, _| {
            for book in batch {
                books.push(book?);
                progress.tick(String::new);
            }
            Ok::<_, anyhow::Error>(())
        },
        || {},
    )?;
    progress.finish();
    Ok(books)
}

/// Grows a book, or reads it.
fn book(
    options: &FrontierStudyOptions,
    number: usize,
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<Book> {
    let FrontierStudyOptions { folder, grown, positions, nodes, eval_diff, .. } = options;
    let name = format!("book{number}-of-{grown}-{positions}x{nodes}");
    let path = |ending: &str| folder.join(format!("{name}{ending}"));
    // Written last, so that a book that was interrupted is grown again.
    let after = path(&format!("-searched{eval_diff}.db"));
    if !after.exists() {
        grow(options, number, &path(".kbook"), [&path(".db"), &after], stop)?;
    }
    let (before, after) = (graph_of(&path(".db"))?, graph_of(&after)?);
    let study = Study::of(&format!("{}", number + 1), &before, *eval_diff);
    let kept: Vec<Position> =
        Color::ALL.iter().flat_map(|&side| kept(&before, side, *eval_diff)).collect();
    let is_changed = |position: &&Position| before.value(position) != after.value(position);
    let changed = kept.iter().filter(is_changed).count();
    Ok(Book { study, refreshed: Some(changed as f64 / kept.len().max(1) as f64) })
}

/// Grows a book and writes it, then searches its frontier by another engine and writes it again.
fn grow(
    options: &FrontierStudyOptions,
    number: usize,
    store: &Path,
    [before, after]: [&PathBuf; 2],
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<()> {
    // Of a run that was interrupted.
    let _ = fs::remove_file(store);
    let search = SearchOptions { hash_mib: HASH_MIB, multi_pv: MULTI_PV, ..Default::default() };
    let mut engines = [SearchAnalyst::standard(search.clone(), Memory::Fresh)];
    let mut book = {
        let book = Store::create(store)?;
        let mut seeder = Seeder::new(SeedOptions::default());
        let games = games::bundled_records().skip(number).step_by(options.grown.get());
        games.into_iter().try_for_each(|record| seeder.add(&record))?;
        book.merge_all(seeder.moves().map(Change::from))?;
        let budget = Budget::about(options.nodes / FIRST_PART);
        book.analyse_unvalued(&mut engines, &budget, stop, &mut |_| {})?;
        WorkingBook::of_store(book)?
    };
    analyse(&mut book, &mut engines, options, options.positions, stop, &mut |graph| {
        frontiers(graph, options.eval_diff)
    })?;
    write(&book, before)?;
    let others =
        &mut [SearchAnalyst::new("Classical", Classical::default(), search, Memory::Fresh)];
    let mut selected = Some(frontiers(book.graph(), options.eval_diff));
    let count = selected.as_ref().map_or(0, Vec::len);
    analyse(&mut book, others, options, count, stop, &mut |_| selected.take().unwrap_or_default())?;
    write(&book, after)?;
    drop(book);
    // All that the study needs is in the files written.
    let _ = fs::remove_file(store);
    Ok(())
}

fn write(book: &WorkingBook, path: &Path) -> anyhow::Result<()> {
    let written = DbOptions { unknown: UnknownMoves::Omit, ..DbOptions::default() };
    write_file_with(path, |out| book.graph().write_db(out, &written))?;
    Ok(())
}

/// Analyses positions until this many are done, or none is selected.
fn analyse<A: Analyst + Send>(
    book: &mut WorkingBook,
    engines: &mut [A],
    options: &FrontierStudyOptions,
    positions: usize,
    stop: &Arc<AtomicBool>,
    next: &mut dyn FnMut(&BookGraph) -> Vec<Position>,
) -> anyhow::Result<()> {
    let multi_pv = MULTI_PV as u16;
    let settings = JobSettings { nodes: Some(options.nodes), multi_pv, ..JobSettings::default() };
    let grow = GrowOptions { positions, ..GrowOptions::new(settings) };
    if positions > 0 {
        let grown = book.grow(engines, &grow, stop, &mut |graph| next(graph), &mut |_| {})?;
        ensure!(grown.end != GrowEnd::NoAnalysts, "the engine has failed repeatedly");
    }
    if stop.load(Ordering::Relaxed) {
        return Err(interrupted("stopped; the same command continues with the next book"));
    }
    Ok(())
}

/// Returns the positions of both sides' frontiers in turn.
fn frontiers(graph: &BookGraph, eval_diff: i32) -> Vec<Position> {
    let frontier = |&side: &Color| {
        let options = FrontierOptions {
            eval_diff,
            ..FrontierOptions::new(Position::hirate(), side, Window::Best)
        };
        graph.frontier(&options)
    };
    let frontiers: Vec<_> = Color::ALL.iter().map(frontier).collect();
    Frontier::interleave(&frontiers).map(|found| found.position).collect()
}

/// Returns the positions of the book on the lines on which one side plays its best move and the
/// other any move within the window.
fn kept(graph: &BookGraph, side: Color, eval_diff: i32) -> Vec<Position> {
    let mut seen = std::collections::HashSet::from([Position::hirate().key()]);
    let mut found = vec![Position::hirate()];
    let mut next = 0;
    while let Some(position) = found.get(next).cloned() {
        next += 1;
        let moves = graph.moves(&position);
        let Some(first) = moves.first() else { continue };
        let least = first.value.score.raw() - eval_diff;
        let followed = if position.side() == side {
            1
        } else {
            moves.iter().take_while(|m| m.value.score.raw() >= least).count()
        };
        for m in moves[..followed].iter().filter(|m| !m.leaves_book) {
            let after = position.after(m.m).without_history();
            if seen.insert(after.key()) {
                found.push(after);
            }
        }
    }
    found
}
