//! `book log`: all evaluations of a working book as text.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use clap::{Args, Subcommand};
use komadai::book::store::{ImportOptions, Store};
use komadai::book::{FileKind, InputFile};
use komadai_base::atomic_file::write_atomically;
use komadai_console::{print_json, stdout, tolerance};
use serde_json::{Map, Value, json};

use crate::book::files::source::{check_is_another, read_store, without_empty_rest};
use crate::book::working::import::{Report, import};

/// Export the log of a working book as text, or import one.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  komadai book log export grown.kbook grown.log\n  \
    komadai book log import other.kbook grown.log")]
pub(crate) struct Options {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Write every evaluation with its engine and time, and the numbers of games of moves. The file
    /// is verified before, and a damaged one refused.
    Export {
        /// Working book.
        store: PathBuf,
        /// Text file to write.
        output: PathBuf,
        /// Export what can be read of a damaged file, without verifying it.
        #[arg(long)]
        unchecked: bool,
        /// Print one JSON object, and nothing else, on standard output.
        #[arg(long)]
        json: bool,
    },
    /// Add the evaluations of a text log, and end the jobs that it has done; a log that was read
    /// before is skipped.
    Import {
        /// Working book; created if it does not exist.
        store: PathBuf,
        /// Text file to read.
        input: PathBuf,
        /// Refuse a faulty log instead of skipping and counting its faults.
        #[arg(long)]
        strict: bool,
        /// Print one JSON object, and nothing else, on standard output.
        #[arg(long)]
        json: bool,
    },
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    match &options.action {
        Action::Export { store, output, unchecked, json } => {
            export(store, output, *unchecked, *json)
        }
        Action::Import { store, input, strict, json } => {
            let kind = FileKind::of_file(input)?;
            ensure!(
                kind == FileKind::Log,
                "{}: expected the log of a book; `book import` reads other files",
                input.display()
            );
            let log = InputFile { path: input.clone(), kind, stands_for: None };
            let options =
                ImportOptions { tolerance: tolerance(*strict), ..ImportOptions::default() };
            without_empty_rest(store, || {
                let store = Store::open_or_create(store)?;
                import(&store, &[log], &options, Report::new(*json))
            })
        }
    }
}

fn export(store: &Path, output: &Path, is_unchecked: bool, is_json: bool) -> anyhow::Result<()> {
    check_is_another(store, output)?;
    let mut store = read_store(store)?;
    if !is_unchecked {
        store.verify()?;
    }
    let written = write_atomically(output, |out| store.export_log(out).map_err(io::Error::other));
    let written = written.with_context(|| output.display().to_string())?;
    let omitted = [
        ("variations cut to two moves", written.variations_cut),
        ("analyses without all details", written.analyses_cut),
        ("expected answers left out", written.answers_omitted),
        ("deletions left out", written.deletions_omitted),
        ("snapshots left out", written.snapshots_omitted),
        ("games of matches left out", written.games_omitted),
    ];
    if is_json {
        let omitted = omitted.map(|(what, count)| (what.replace(' ', "_"), json!(count)));
        let mut object = Map::from_iter(omitted);
        object.insert("output".into(), json!(output.display().to_string()));
        object.insert("evaluations".into(), json!(written.evaluations));
        object.insert("moves".into(), json!(written.moves));
        print_json(&Value::Object(object))?;
        return Ok(());
    }
    writeln!(
        stdout(),
        "{} evaluations, {} moves: {}",
        written.evaluations,
        written.moves,
        output.display()
    )?;
    for (what, count) in omitted.iter().filter(|(_, count)| *count > 0) {
        writeln!(stdout(), "{what}, as the text has no place for them: {count}")?;
    }
    Ok(())
}
