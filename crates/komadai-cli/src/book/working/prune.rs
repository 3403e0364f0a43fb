//! `book prune`: deletion of moves that lose games.

use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use komadai::book::clock::seconds_since_1970;
use komadai::book::games::{Removal, ReviewList};
use komadai::book::store::{Deletion, Store, StoreResults};
use komadai::movegen::check_legality;
use komadai_base::atomic_file::write_atomically;
use komadai_base::file::open_regular;
use komadai_console::{Output, bad_usage, note, stdout};

use crate::book::files::source::{check_is_another, open_store, read_store};
use crate::book::frontier::selection::{line_argument, position_of};
use crate::book::prune_limits::PruneLimits;

/// Show the moves of a working book that lose its games, or delete them.
///
/// A move is a candidate if all its games were lost, or if its share of points (a draw counts half)
/// is below --min-rate, in at least --min-games games, against all opponents or against one. Each
/// candidate is shown with its results, the Wilson 95 % confidence interval of its share, the
/// number of other moves in the position, and its games. Of moves that share lost games only the
/// last one of the line is deleted; the others wait, as does a move whose value says otherwise.
/// Without --apply or --auto, the book is not changed. `book undo` lists and restores deleted
/// moves.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    komadai book prune grown.kbook                          # show\n  \
    komadai book prune grown.kbook --review candidates.txt  # for review: delete lines to keep moves\n  \
    komadai book prune grown.kbook --apply candidates.txt   # delete the remaining moves\n  \
    komadai book prune grown.kbook --auto --min-games 10    # without review\n  \
    komadai book prune grown.kbook --variation \"7g7f 3c3d 8h2b+\"  # everything after these moves")]
pub(crate) struct Options {
    /// Working book.
    store: PathBuf,
    #[command(flatten)]
    limits: PruneLimits,
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
    /// Delete a whole variation: the last move of this line, and every position that the book
    /// reaches only through it. `startpos moves …`, `sfen … moves …`, or moves from the start
    /// position.
    #[arg(long, value_name = "LINE", conflicts_with_all = ["review", "json", "apply", "auto"])]
    variation: Option<String>,
    /// Generation to record with the deletions; by default that of the newest game.
    #[arg(long)]
    generation: Option<u32>,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    options.review.iter().try_for_each(|path| check_is_another(&options.store, path))?;
    let limits = options.limits.options().map_err(bad_usage)?;
    let deletes = options.auto || options.apply.is_some() || options.variation.is_some();
    let store = if deletes { open_store(&options.store)? } else { read_store(&options.store)? };
    let played = store.game_results()?;
    for (number, error) in &played.faulty {
        note!("warning: {}: game {number} skipped: {error}", options.store.display());
    }
    if played.results.games() == 0 {
        note!("warning: {}: no games of matches", options.store.display());
    }
    let generation = options.generation.unwrap_or(played.generation);
    if let Some(line) = &options.variation {
        return delete(&store, &variation(&store, line, generation)?);
    }
    if let Some(list) = &options.apply {
        return delete(&store, &reviewed(list, &played, generation)?);
    }
    let list = ReviewList::new(played.results.prune_candidates(&limits));
    if options.auto {
        let when = seconds_since_1970();
        return delete(&store, &Deletion::of_candidates(&list.candidates, when, generation));
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

/// Returns the deletions that cut the variation at the end of a line.
fn variation(store: &Store, line: &str, generation: u32) -> anyhow::Result<Vec<Deletion>> {
    let mut line = line_argument("--variation", line)?;
    let Some(m) = line.moves.pop() else {
        return Err(bad_usage("--variation: expected a line with a move"));
    };
    let before = position_of(&line).map_err(bad_usage)?;
    check_legality(&before, m).map_err(|reason| bad_usage(format_args!("{m}: {reason}")))?;
    let cut = store.variation(&before, m, seconds_since_1970(), generation);
    cut.with_context(|| store.path().display().to_string())
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
