//! `study quiescence`.

use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use komadai_study::Source;
use komadai_study::positions::CheckPositions;
use komadai_study::quiescence::{Depths, MovesInCheck, QuiescenceOptions, ROWS, Reference};

use crate::study::output::{CommandLine, Output};

const DEPTHS: &str = "5";

const EVERY: NonZero<u32> = NonZero::new(8).expect("8 is not 0");

/// Moves of the quiescence search (Takeuchi, Kaneko, Yamaguchi).
///
/// Compares quiescence searches over classes of moves with one over all moves, as the paper does. By
/// default every eighth position of 77 bundled games at the paper's depth, which takes some minutes;
/// `--every 1 --depths 1-5` is the whole study.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// Depths in plies, as `1-5` or `3,5`.
    #[arg(long, default_value = DEPTHS)]
    depths: Depths,
    /// Interval between the positions of a game.
    #[arg(long, default_value_t = EVERY)]
    every: NonZero<u32>,
    /// Records of games in any format; by default the bundled games. May be given several times.
    #[arg(long, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Moves that the searches over classes try in check: those of their classes, with standing pat,
    /// or all evasions without.
    #[arg(long, value_enum, default_value_t = MovesInCheck::Classes)]
    in_check: MovesInCheck,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let Options { depths, every, games, in_check, output } = options;
    let in_check_name = |in_check| match in_check {
        MovesInCheck::Classes => "classes",
        MovesInCheck::Evasions => "evasions",
    };
    let command = CommandLine::new(Source::Quiescence)
        .with("depths", &depths.to_string(), &DEPTHS.to_owned())
        .with("every", every, &EVERY)
        .with("in-check", &in_check_name(*in_check), &"classes")
        .with_files("games", games);
    let study = QuiescenceOptions {
        reference: Reference::StandPat,
        in_check: *in_check,
        checks: CheckPositions::In,
        depths: depths.clone(),
        methods: ROWS.iter().map(|name| name.parse().expect("the rows are methods")).collect(),
        games: games.clone(),
        every: *every,
        folder: Some(output.out.join("quiescence")),
        threads: output.threads(),
    };
    output.write(Source::Quiescence, |stop| Ok(study.measure(stop)?.findings(command.text())))
}
