//! Notes about a book that grows.

use std::collections::BTreeMap;

use komadai::book::store::FileImport;
use komadai::book::{GrowEvent, InputFile};

/// Returns the warning or note about an event of a growing book, in lines; empty if there is none.
pub fn grow_notes(event: &GrowEvent<'_>) -> Vec<String> {
    match event {
        GrowEvent::Failed { position, reason } => vec![format!("warning: {position}: {reason}")],
        GrowEvent::Dismissed { analyst, reason } => {
            vec![format!("warning: analyst {analyst} gets no more positions: {reason}")]
        }
        GrowEvent::OthersWait { jobs } => {
            waiting_jobs(jobs).map(|line| format!("note: {line}")).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns a line for each engine that jobs name and wait for.
pub fn waiting_jobs(jobs: &BTreeMap<String, u64>) -> impl Iterator<Item = String> {
    let named = jobs.iter().filter(|(engine, _)| !engine.is_empty());
    named.map(|(engine, count)| format!("jobs waiting for the engine {engine:?}: {count}"))
}

/// Returns the note about positions that were passed over, as a line of a report.
pub fn passed_over(positions: usize) -> Option<String> {
    (positions > 0).then(|| format!("{positions} positions passed over: a book cannot hold them"))
}

/// Returns the warning about moves of games that were left out, if there are any.
pub fn left_out(file: &InputFile, import: &FileImport) -> Option<String> {
    let (path, moves) = (file.path.display(), import.lost.moves);
    (moves > 0).then(|| {
        format!("warning: {path}: {moves} moves left out: a book cannot hold the positions there")
    })
}
