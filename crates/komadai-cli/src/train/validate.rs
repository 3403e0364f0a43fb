//! Validation of training data.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use komadai::data::tools::{Damaged, OnDamage, Sources, Validation, validate};
use komadai_base::text::printable;
use komadai_console::{grouped, print_json, stdout};
use serde_json::{Value, json};

use super::records::watched;

/// Check every record of training data, and name the damaged ones.
///
/// Positions must obey the rules, best moves must be legal, scores and results in range, and files
/// as their manifest or their note of origin states. A folder in which no record has been written
/// yet is sound.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai train validate data\n\n\
                  Exit codes: 0 sound, 1 damaged or failed, 2 bad usage.")]
pub(super) struct Options {
    /// Folders of training data, and files of records of any format: PSV, HCPE, HCPE3, .pack,
    /// sbinpack (their content decides), or .psv.part of a running generator.
    #[arg(required = true, value_name = "PATHS")]
    paths: Vec<PathBuf>,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let found = watched(|watch| {
        let sources = Sources::find_even_empty(&options.paths, OnDamage::Skip)?;
        validate(&sources, watch)
    })?;
    if options.json {
        print_json(&to_json(&found))?;
    } else {
        print(&found)?;
    }
    Ok(if found.damage.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print(found: &Validation) -> anyhow::Result<()> {
    let mut out = stdout();
    for damaged in found.damage.first() {
        writeln!(out, "{}", printable(&damaged.to_string()))?;
    }
    for (kind, count) in found.damage.counts() {
        writeln!(out, "{}: {kind}", grouped(*count))?;
    }
    let records = found.files.iter().map(|file| file.records).sum();
    let sound = found.files.iter().map(|file| file.sound).sum();
    let files = found.files.len();
    writeln!(out, "{} of {} records sound, {files} files", grouped(sound), grouped(records))?;
    Ok(())
}

fn to_json(found: &Validation) -> Value {
    let place = |damaged: &Damaged| {
        json!({
            "file": damaged.path.display().to_string(),
            "record": damaged.record,
            "byte": damaged.offset(),
            "kind": damaged.fault.kind(),
            "reason": damaged.fault.to_string(),
        })
    };
    let file = |file: &komadai::data::tools::FileCheck| {
        json!({
            "file": file.path.display().to_string(),
            "records": file.records,
            "sound": file.sound,
        })
    };
    json!({
        "files": found.files.iter().map(file).collect::<Value>(),
        "faults": found.damage.total(),
        "kinds": found.damage.counts(),
        "first": found.damage.first().iter().map(place).collect::<Value>(),
    })
}
