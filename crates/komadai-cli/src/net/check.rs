//! The soundness of a network.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use komadai::Position;
use komadai::eval::scale::sample;
use komadai::networks::{NetworkCheck, check, read_positions};
use komadai_console::{StatusLine, grouped, print_json, stdout};

use super::open::DataArgs;
use super::words::percent;

/// Check a network on positions of real games: units that do nothing, sums beyond 16 bits, values of
/// turned and mirrored positions, castles, entered kings.
///
/// A unit is dead if it is 0 in all positions, and saturated if it is always at its limit. Castles are
/// compared with the same army at home. Where both kings have entered, the side with more points
/// wins; 200 such positions are made. Positions in check are left out.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai net check eval/nn.bin games.psv\n\n\
                  Exit codes: 0 sound, 1 sums beyond 16 bits change values, or failed, 2 bad usage.")]
pub(super) struct Options {
    /// File of a network, or `<bundled>`.
    file: PathBuf,
    /// Positions: folders of training data, and files of records. By default 462 bundled ones.
    data: Vec<PathBuf>,
    #[command(flatten)]
    common: DataArgs<10_000>,
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let nnue = options.common.network.open(&options.file)?;
    let positions: Vec<Position> = if options.data.is_empty() {
        sample().to_vec()
    } else {
        options.common.read(&options.data, |sources, watch| {
            read_positions(sources, &options.common.options(), watch)
        })?
    };
    let line = StatusLine::new();
    let total = grouped(positions.len() as u64);
    let found = check(&nnue, &positions, &mut |done| {
        line.set(|_| format!("check: {} of {total} positions", grouped(done as u64)));
    });
    drop(line);
    if options.common.json {
        print_json(&serde_json::to_value(&found)?)?;
    } else {
        write!(stdout(), "{}", to_text(&found))?;
    }
    let is_sound = found.sums.changed == 0 && found.symmetry.turned_differ == 0;
    Ok(if is_sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn to_text(found: &NetworkCheck) -> String {
    let mut text = format!("{} positions\n\n", grouped(found.positions));
    text += "| units | number | dead | saturated | values at 0 | values at the limit |\n\
             |---|---|---|---|---|---|\n";
    for layer in &found.layers {
        text += &format!(
            "| {} | {} | {} | {} | {:.1} % | {:.1} % |\n",
            layer.layer,
            layer.units,
            layer.dead,
            layer.saturated,
            100.0 * layer.at_zero,
            100.0 * layer.at_limit,
        );
    }
    let (sums, symmetry) = (&found.sums, &found.symmetry);
    text += &format!(
        "\nsums of the first layer: {} to {}; beyond 16 bits in {} positions, whose value changes in {}\n",
        sums.min, sums.max, sums.overflows, sums.changed
    );
    text += &format!(
        "turned positions with another value: {}; mirrored ones differ by {:.1} centipawns, at most {}\n",
        symmetry.turned_differ, symmetry.mirrored_mean, symmetry.mirrored_max
    );
    text += &format!("values at their limit: {:.2} %\n", 100.0 * found.at_limit);
    let right = found.castles.iter().filter(|castle| castle.is_right()).count();
    text += &format!("castles worth something: {right} of {}:", found.castles.len());
    for castle in &found.castles {
        text += &format!(" {} {:+}", castle.castle, castle.castled - castle.at_home);
    }
    let kings = &found.entered_kings;
    text += &format!(
        "\nboth kings entered: {} of {} made positions judged right, {} of {} given ones\n",
        percent(kings.made_right),
        kings.made,
        percent(kings.given_right),
        kings.given
    );
    text
}
