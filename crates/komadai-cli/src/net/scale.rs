//! The scale of a network.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use komadai::data::tools::Watch;
use komadai::networks::{NetworkScale, network_scale};
use komadai_base::text::printable;
use komadai_console::{print_json, stdout};

use super::open::DataArgs;
use super::words::{counts, number};

/// Find the divisor of a network's output (FV_SCALE) that makes centipawns of its values.
///
/// Measures the spread of the values on 462 positions of real games, and with data the centipawns
/// at which the odds of a win are e : 1. The search of this program adapts its margins to the
/// spread, so that the divisor matters for what is displayed, and for other programs.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai net scale eval/nn.bin data\n\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage, 130 stopped by Ctrl-C.")]
pub(super) struct Options {
    /// File of a network, or `<bundled>`.
    file: PathBuf,
    /// Labelled positions: folders of training data, and files of records.
    data: Vec<PathBuf>,
    #[command(flatten)]
    common: DataArgs<1_000_000>,
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let nnue = options.common.network.open(&options.file)?;
    let wanted = options.common.options();
    let found = if options.data.is_empty() {
        network_scale(&nnue, None, &wanted, &mut Watch::none())?.0
    } else {
        options.common.read(&options.data, |sources, watch| {
            network_scale(&nnue, Some(sources), &wanted, watch)
        })?
    };
    if options.common.json {
        print_json(&serde_json::to_value(&found)?)?;
    } else {
        write!(stdout(), "{}", to_text(&found))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn to_text(found: &NetworkScale) -> String {
    let mut text = match found.fv_scale {
        Some(scale) => format!("FV_SCALE {scale}: {}\n", printable(&found.scale_source)),
        None => "values are centipawns, no FV_SCALE is needed\n".to_owned(),
    };
    text += &format!(
        "spread {:.0} centipawns, {:.2} times that of the bundled network\n",
        found.spread, found.centipawn
    );
    if let Some(fit) = &found.fit {
        text += &format!("{}\n", counts(&fit.data));
        text += &format!("odds of e : 1 at {} centipawns\n", number(fit.odds, 0));
        text +=
            &format!("stored values: odds of e : 1 at {} centipawns\n", number(fit.deep_odds, 0));
        text += &format!("stored value per value {}\n", number(fit.deep_per_value, 3));
    }
    if let Some(scale) = found.like_bundled {
        text += &format!("FV_SCALE {scale:.1}: spread of the bundled network\n");
    }
    if let Some(scale) = found.usual_odds {
        text += &format!("FV_SCALE {scale:.1}: odds of e : 1 at 600 centipawns\n");
    }
    if let Some(recommended) = &found.recommended {
        text += &format!(
            "recommended: FV_SCALE {}: {}\n",
            recommended.fv_scale,
            printable(&recommended.reason)
        );
    }
    text
}
