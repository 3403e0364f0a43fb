//! A search in files, archives and folders.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::ensure;
use komadai::games::{GameQuery, GameSummary};
use komadai::kifu::record_files::FileRecord;
use komadai_console::note;

use super::found::FoundGame;
use super::options::Options;
use super::results::{Ended, Results};
use crate::kifu::collection::{Collection, Found, Tally, readable};

/// Searches the games of files, archives and folders. Returns the number of games, files and moves that
/// could not be read.
pub(super) fn search(
    options: &Options,
    query: &GameQuery,
    stop: &Arc<AtomicBool>,
    results: &mut Results,
) -> anyhow::Result<u64> {
    let keeps = options.to.is_some();
    let item = |found: FileRecord| {
        let (place, record) = readable(found)?;
        let game = match query.needs_formations() {
            true => GameSummary::with_formations(place, &record),
            false => GameSummary::new(place, &record),
        };
        let hit = query.find(&game);
        Ok(hit.map(|hit| FoundGame { game, hit, record: keeps.then_some(record) }))
    };
    let collection = Collection {
        roots: options.paths.clone(),
        jobs: options.jobs,
        old: None,
        stop: Arc::clone(stop),
    };
    let mut tally = Tally::new();
    let ended = collection.read(item, |event| {
        match event {
            Found::Item(found) => results.add(found)?,
            Found::Failure(failure) => tally.fail(&failure),
            Found::End(end) => tally.end_file(*end),
            Found::Kept(_) => {}
        }
        let (games, found) = (tally.report.games, results.found);
        tally.show(|| format!("{games} games, {found} found"));
        Ok(())
    });
    let lost = tally.finish();
    match ended {
        Ok(()) if !stop.load(Ordering::Relaxed) => {
            let report = &tally.report;
            ensure!(report.games > 0, "no game was found in {} files", report.files);
            note!("{} of {} games", results.found, report.games);
        }
        Ok(()) | Err(Ended::Enough) => {}
        Err(Ended::Failed(error)) => return Err(error),
    }
    Ok(lost)
}
