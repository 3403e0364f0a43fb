//! `book prune`: deletion of moves that lose games.

use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use komadai::book::clock::seconds_since_1970;
use komadai::book::games::{PruneOptions, PruneScope, Removal, ReviewList};
use komadai::book::store::{Deletion, Store, StoreResults};
use komadai_base::atomic_file::write_atomically;
use komadai_base::file::open_regular;
use komadai_console::{Output, note, stdout};

use crate::book::files::source::{open_store, read_store};

/// Show the moves of a working book that lose its games, or delete them.
///
/// A move is a candidate if all its games were lost, or if its share of points (a draw counts half)
/// is below --min-rate, in at least --min-games games. Each candidate is shown with its results,
/// the Wilson 95 % confidence interval of its share, the number of other moves in the position, and
/// its games. Without --apply or --auto, the book is not changed. `book undo` lists and restores
/// deleted moves.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    komadai book prune grown.kbook                          # show\n  \
    komadai book prune grown.kbook --review candidates.txt  # for review: delete lines to keep moves\n  \
    komadai book prune grown.kbook --apply candidates.txt   # delete the remaining moves\n  \
    komadai book prune grown.kbook --auto --min-games 10    # without review")]
pub(crate) struct Options {
    /// Working book.
    store: PathBuf,
    /// Minimum number of games per move.
    #[arg(long, default_value_t = 3)]
    min_games: u32,
    /// Minimum number of games per move that differ in their moves.
    #[arg(long, default_value_t = 1)]
    min_distinct_games: u32,
    /// Share of points, from 0 to 1, below which a move is a candidate.
    #[arg(long, default_value_t = 0.30)]
    min_rate: f64,
    /// Count also the games against each opponent separately.
    #[arg(long)]
    each_opponent: bool,
    /// Write the candidates to a file for review.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["apply", "auto"])]
    review: Option<PathBuf>,
    /// Print the candidates as JSON, and nothing else, on standard output.
    #[arg(long, conflicts_with_all = ["review", "apply", "auto"])]
    json: bool,
    /// Delete the moves listed in a reviewed file.
    #[arg(long, value_name = "FILE", conflicts_with = "auto")]
    apply: Option<PathBuf>,
    /// Delete all candidates.
    #[arg(long)]
    auto: bool,
    /// Generation to record with the deletions; by default that of the newest game.
    #[arg(long)]
    generation: Option<u32>,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let deletes = options.auto || options.apply.is_some();
    let store = if deletes { open_store(&options.store)? } else { read_store(&options.store)? };
    let played = store.game_results()?;
    for (number, error) in &played.faulty {
        note!("warning: {}: game {number} skipped: {error}", options.store.display());
    }
    if played.results.games() == 0 {
        note!("warning: {}: no games of matches", options.store.display());
    }
    let generation = options.generation.unwrap_or(played.generation);
    if let Some(list) = &options.apply {
        return delete(&store, &reviewed(list, &played, generation)?);
    }
    let scope = if options.each_opponent { PruneScope::EachOpponent } else { PruneScope::Together };
    let list = ReviewList::new(played.results.prune_candidates(&PruneOptions {
        min_games: options.min_games,
        min_distinct_games: options.min_distinct_games,
        min_rate: options.min_rate,
        scope,
    }));
    if options.auto {
        let when = seconds_since_1970();
        let deletions = list.candidates.iter();
        let deletions = deletions.map(|found| Deletion::of_candidate(found, when, generation));
        return delete(&store, &deletions.collect::<Vec<_>>());
    }
    match &options.review {
        Some(path) => {
            write_atomically(path, |out| write!(out, "{list}"))
                .with_context(|| path.display().to_string())?;
            writeln!(stdout(), "{} candidates: {}", list.candidates.len(), path.display())?;
        }
        None if options.json => write!(Output::json(), "{}", list.to_json())?,
        None => write!(stdout(), "{list}")?,
    }
    Ok(())
}

/// Returns the deletions that a reviewed list contains.
fn reviewed(list: &Path, played: &StoreResults, generation: u32) -> anyhow::Result<Vec<Deletion>> {
    let in_list = || list.display().to_string();
    let file = open_regular(list).with_context(in_list)?;
    let removals = Removal::read_list(BufReader::new(file)).with_context(in_list)?;
    let when = seconds_since_1970();
    let deletion = |removal| Deletion::of_removal(removal, &played.results, when, generation);
    Ok(removals.iter().map(deletion).collect())
}

/// Applies all deletions or none, and prints warnings about positions without any move left.
fn delete(store: &Store, deletions: &[Deletion]) -> anyhow::Result<()> {
    let before = store.tombstones()?.len() as u64;
    let mut ids = match store.delete(deletions) {
        Ok(ids) => ids,
        Err(error) => bail!("nothing deleted: {error}"),
    };
    ids.sort_unstable();
    ids.dedup();
    let new = ids.iter().filter(|&&id| id >= before).count();
    writeln!(stdout(), "{new} moves deleted, {} had been before", ids.len() - new)?;
    for deletion in deletions {
        if store.position(&deletion.position)?.is_none() {
            note!("warning: no move is left in {}", deletion.position);
        }
    }
    Ok(())
}
