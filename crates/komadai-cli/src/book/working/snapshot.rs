//! `book snapshot`: named states of a working book.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use komadai::Position;
use komadai::book::WorkingBook;
use komadai::book::clock::seconds_since_1970;
use komadai::book::store::{NewSnapshot, Snapshot};
use komadai_console::{date, print_json, stdout};
use serde_json::{Map, Value, json};

use crate::book::files::source::{open_store, read_store};

/// Store the state of a working book under a name, or list the stored states.
///
/// A snapshot is one row, independent of the size of the book. The book is read and its values are
/// propagated to record the value of the start position.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  komadai book snapshot grown.kbook \"generation 3\" --generation 3\n  \
    komadai book snapshot grown.kbook"
)]
pub(crate) struct Options {
    /// Working book.
    store: PathBuf,
    /// Name of the snapshot; without a name, snapshots are listed.
    name: Option<String>,
    /// Generation of growing and pruning.
    #[arg(long, default_value_t = 0)]
    generation: u32,
    /// Print JSON, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let snapshots = match &options.name {
        None => read_store(&options.store)?.snapshots()?,
        Some(name) => {
            let store = open_store(&options.store)?;
            ensure!(
                store.snapshots()?.iter().all(|snapshot| snapshot.taken.name != *name),
                "{}: the snapshot {name:?} exists, expected another name",
                options.store.display()
            );
            let book = WorkingBook::of_store(store)?;
            let start = book.graph().value(&Position::hirate());
            let figures = start.map(|value| ("start value".to_owned(), value.score.raw().into()));
            vec![book.store().take_snapshot(&NewSnapshot {
                name: name.clone(),
                when: seconds_since_1970(),
                generation: options.generation,
                figures: figures.into_iter().collect(),
            })?]
        }
    };
    if options.json {
        print_json(&snapshots.iter().map(to_json).collect::<Value>())?;
        return Ok(());
    }
    for Snapshot { taken, sequence, positions, policy, .. } in &snapshots {
        writeln!(
            stdout(),
            "{}: {}, generation {}, {positions} positions, {sequence} rows of the log, {}",
            taken.name,
            date(taken.when),
            taken.generation,
            crate::book::working::policy::name(policy),
        )?;
        for (what, figure) in &taken.figures {
            writeln!(stdout(), "  {what}: {figure}")?;
        }
    }
    Ok(())
}

fn to_json(snapshot: &Snapshot) -> Value {
    let figures = snapshot.taken.figures.iter();
    let figures: Map<String, Value> =
        figures.map(|(what, figure)| (what.clone(), json!(figure))).collect();
    json!({
        "name": snapshot.taken.name,
        "when": snapshot.taken.when,
        "generation": snapshot.taken.generation,
        "figures": figures,
        "sequence": snapshot.sequence,
        "positions": snapshot.positions,
        "policy": crate::book::working::policy::name(&snapshot.policy),
    })
}
