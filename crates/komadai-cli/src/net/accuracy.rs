//! The agreement of networks with games and with deeper values.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use komadai::networks::{Accuracy, Phase, PhaseAccuracy, accuracy};
use komadai_base::text::markdown_cell;
use komadai_console::{bad_usage, grouped, print_json, stdout};
use serde_json::json;

use super::open::{DataArgs, name};
use super::words::{counts, number, percent};

/// Measure how networks agree with the results of games and with stored values of searches.
///
/// Positions in check are left out, drawn games where the winner is asked. Winning probabilities
/// are 1 / (1 + exp(−value / odds)), with the odds that fit the results of all positions, for each
/// network its own. Intervals are of 95 %, as if positions were independent.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai net accuracy old.bin new.bin --data games.psv\n\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage, 130 stopped by Ctrl-C.")]
pub(super) struct Options {
    /// Files of networks (`<bundled>` for that of this program); without --data, the data follow
    /// the first one.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Labelled positions: folders of training data, and files of records.
    #[arg(long, value_name = "DATA", num_args = 1..)]
    data: Vec<PathBuf>,
    #[command(flatten)]
    common: DataArgs<1_000_000>,
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let (files, data) = match &options.data[..] {
        [] => options.files.split_at(1),
        data => (&options.files[..], data),
    };
    if data.is_empty() {
        return Err(bad_usage("no labelled positions, expected --data FILES"));
    }
    let networks: Vec<_> = files
        .iter()
        .map(|path| options.common.network.open(path))
        .collect::<anyhow::Result<_>>()?;
    let found = options.common.read(data, |sources, watch| {
        accuracy(&networks, sources, &options.common.options(), watch)
    })?;
    let names: Vec<String> = files.iter().map(|path| name(path)).collect();
    if options.common.json {
        let mut value = serde_json::to_value(&found)?;
        let list = value["networks"].as_array_mut().context("the networks are a list")?;
        list.iter_mut().zip(&names).for_each(|(network, name)| network["path"] = json!(name));
        print_json(&value)?;
    } else {
        write!(stdout(), "{}", to_text(&found, &names))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn to_text(found: &Accuracy, names: &[String]) -> String {
    let mut text = format!("{}\n", counts(&found.data));
    text += &format!("stored values: odds of e : 1 at {} centipawns\n", number(found.deep_odds, 0));
    for (network, name) in found.networks.iter().zip(names) {
        let odds = number(network.odds, 0);
        text += &format!("{}: odds of e : 1 at {odds} centipawns\n", markdown_cell(name));
    }
    text += "\n| phase | network | positions | winner | beside the first | error | sign of stored | \
             error | correlation |\n|---|---|---|---|---|---|---|---|---|\n";
    for (at, phase) in Phase::ALL.into_iter().enumerate() {
        for (network, name) in found.networks.iter().zip(names) {
            let PhaseAccuracy {
                positions,
                result_agreement,
                lead,
                result_error,
                deep_agreement,
                deep_error,
                deep_correlation,
                ..
            } = &network.phases[at];
            text += &format!(
                "| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
                word(phase),
                markdown_cell(name),
                grouped(*positions),
                percent(*result_agreement),
                percent(*lead),
                number(*result_error, 4),
                percent(*deep_agreement),
                number(*deep_error, 4),
                number(*deep_correlation, 3),
            );
        }
    }
    text
}

fn word(phase: Phase) -> &'static str {
    match phase {
        Phase::All => "all",
        Phase::Opening => "opening",
        Phase::Middlegame => "middlegame",
        Phase::Endgame => "endgame",
    }
}
