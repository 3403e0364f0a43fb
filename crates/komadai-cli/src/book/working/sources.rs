//! `book sources`: the engines of a working book.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use komadai::book::store::EngineShare;
use komadai_base::text::printable;
use komadai_console::{date, print_json, stdout};
use serde_json::{Value, json};

use crate::book::files::source::read_store;

/// Show the engines of a working book with their evaluations, their times and their shares of the
/// values.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai book sources grown.kbook")]
pub(crate) struct Options {
    /// Working book.
    store: PathBuf,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let store = read_store(&options.store)?;
    let (shares, inputs) = (store.sources()?, store.inputs()?);
    if options.json {
        let engines: Value = shares.iter().map(share_json).collect();
        let inputs: Value = inputs
            .iter()
            .map(|input| json!({ "name": input.name, "games": input.games }))
            .collect();
        print_json(&json!({ "engines": engines, "inputs": inputs }))?;
        return Ok(());
    }
    writeln!(
        stdout(),
        "{:>7} {:>10} {:>10} {:>10} {:>16}  {:16} {:16} engine",
        "counts",
        "values",
        "judgements",
        "positions",
        "nodes",
        "first",
        "last"
    )?;
    for share in &shares {
        let (first, last) = share.first_and_last.unwrap_or_default();
        writeln!(
            stdout(),
            "{:5.1} % {:>10} {:>10} {:>10} {:>16}  {:16} {:16} {}",
            100.0 * share.view_share,
            share.view_moves,
            share.evaluations,
            share.positions,
            share.nodes,
            date(first),
            date(last),
            printable(&share.analyst.to_string()),
        )?;
    }
    writeln!(stdout(), "{} sources read", inputs.len())?;
    for input in &inputs {
        let games =
            if input.games > 0 { format!(" ({} games)", input.games) } else { String::new() };
        writeln!(stdout(), "  {}{games}", printable(&input.name))?;
    }
    Ok(())
}

/// Returns the share of an engine as a JSON object.
pub(crate) fn share_json(share: &EngineShare) -> Value {
    json!({
        "name": share.analyst.name,
        "version": share.analyst.version,
        "options": share.analyst.options,
        "evaluations": share.evaluations,
        "positions": share.positions,
        "nodes": share.nodes,
        "first": share.first_and_last.map(|(first, _)| first),
        "last": share.first_and_last.map(|(_, last)| last),
        "view_moves": share.view_moves,
        "view_share": share.view_share,
    })
}
