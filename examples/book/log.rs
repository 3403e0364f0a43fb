//! `book log`: everything ever judged, as text.

use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Subcommand};
use komadai::book::{Store, write_atomically};

use crate::source::{read_store, tolerance, warn_of_faults};

/// Writes the log of a working book as text, or reads one.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  book log export grown.kbook grown.log\n  \
    book log import other.kbook grown.log")]
pub(crate) struct Options {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Writes every evaluation with its provenance, and the games of moves.
    Export {
        /// The working book.
        store: PathBuf,
        /// The text to write.
        output: PathBuf,
    },
    /// Adds what a text log says; the same text twice is once.
    Import {
        /// The working book; a new one is made if there is no file.
        store: PathBuf,
        /// The text to read.
        input: PathBuf,
        /// Refuse a faulty text instead of skipping and counting its faults.
        #[arg(long)]
        strict: bool,
    },
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    match &options.action {
        Action::Export { store, output } => export(store, output),
        Action::Import { store, input, strict } => {
            let store = Store::open_or_create(store)?;
            import(&store, input, *strict).map(drop)
        }
    }
}

fn export(store: &Path, output: &Path) -> anyhow::Result<()> {
    let store = read_store(store)?;
    let written = write_atomically(output, |out| store.export_log(out).map_err(io::Error::other));
    let written = written.with_context(|| output.display().to_string())?;
    println!("{} evaluations, {} moves: {}", written.evaluations, written.moves, output.display());
    for (what, count) in [
        ("variations cut to two moves", written.variations_cut),
        ("analyses without all details", written.analyses_cut),
        ("expected answers left out", written.answers_left_out),
        ("deletions left out", written.deletions_left_out),
        ("snapshots left out", written.snapshots_left_out),
        ("games of matches left out", written.games_left_out),
    ] {
        if count > 0 {
            println!("{what}, as the text has no place for them: {count}");
        }
    }
    Ok(())
}

/// Adds a text log; whether it was new.
pub(crate) fn import(store: &Store, input: &Path, is_strict: bool) -> anyhow::Result<bool> {
    let in_file = || input.display().to_string();
    let file = std::fs::File::open(input).with_context(in_file)?;
    let name = input.display().to_string();
    let imported = store.import_log(BufReader::new(file), &name, tolerance(is_strict));
    match imported.with_context(in_file)? {
        None => eprintln!("{}: read before", input.display()),
        Some(import) => {
            warn_of_faults(input, import.skipped.count(), &import.skipped);
            let merged = import.merged;
            println!(
                "{}: {} positions, {} moves, {} evaluations are new",
                input.display(),
                merged.positions,
                merged.moves,
                merged.evaluations
            );
            return Ok(true);
        }
    }
    Ok(false)
}
