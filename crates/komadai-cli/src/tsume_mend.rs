//! Help with a tsume composition: flaws, needless pieces, and pieces that remove a cook.

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use komadai::problems::{Flaw, Mender, Place, Problem, Removal, as_problem};
use komadai::{Color, Piece, Position};
use komadai_console::{Program, stdout};

use crate::tsume::one_problem;

/// Examine each piece of a tsume composition, and find pieces that remove a cook.
///
/// Prints the judgement; then one line for each piece of the attacker and the defender with the
/// judgement of the position without it; then, if the first flaw is a cook (余詰), one line for each
/// piece that makes a problem with one solution of it. The defender holds all pieces that nobody
/// else has.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    komadai tsume-mend \"4k4/9/4P4/9/9/9/9/9/9 b G 1\"\n  komadai tsume-mend problem.kif --distance 2\n\n\
    Exit codes: 0 one solution, or a piece was found that makes it one; 1 neither, or failed; 2 bad usage.")]
pub struct TsumeMendArgs {
    /// The composition: an SFEN in quotes, `-` for standard input, or a file (SFEN, KIF, KI2, CSA,
    /// JKF, BOD, …). Of several problems the first one.
    #[arg(value_name = "PROBLEM")]
    problem: String,
    /// Maximum number of nodes of each judgement.
    #[arg(long, default_value = "200000")]
    nodes: u64,
    /// Distance from the defender's king, in files and ranks, within which pieces are added.
    #[arg(long, default_value = "3", value_parser = clap::value_parser!(u32).range(0..=8))]
    distance: u32,
}

impl Program for TsumeMendArgs {
    const SUBCOMMAND: &'static str = "tsume-mend";

    fn run(&self) -> anyhow::Result<ExitCode> {
        let position = one_problem(&self.problem)?;
        let position =
            as_problem(&position).context("expected a king of the side that does not move")?;
        let mut mender = Mender::new(self.nodes);
        let judged = mender.judge(&position);
        let mut out = stdout();
        match &judged {
            Ok(problem) => writeln!(out, "one solution, {}", plies_and_line(problem))?,
            Err(flaw) => writeln!(out, "flaw: {flaw}")?,
        }
        if let Err(flaw @ (Flaw::Sides | Flaw::NoMate | Flaw::Budget)) = judged {
            bail!("{flaw}: nothing to mend");
        }
        for removal in mender.removals(&position) {
            writeln!(out, "{}", removal_text(&position, &removal, &judged))?;
        }
        let Err(Flaw::Cook { .. }) = judged else {
            return Ok(if judged.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        };
        let repairs = mender.repairs(&position, self.distance)?;
        for repair in &repairs {
            let (piece, square) = (piece_text(repair.piece), repair.square);
            writeln!(
                out,
                "with {piece} on {square}: one solution, {}",
                plies_and_line(&repair.problem)
            )?;
        }
        if repairs.is_empty() {
            writeln!(
                out,
                "no single piece within {} squares of the king removes the cook",
                self.distance
            )?;
        }
        Ok(if repairs.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

fn plies_and_line(problem: &Problem) -> String {
    format!("{} plies: {}", problem.plies(), problem.line)
}

fn removal_text(position: &Position, removal: &Removal, judged: &Result<Problem, Flaw>) -> String {
    let piece = match removal.place {
        Place::Board(square) => {
            let piece = position.piece_on(square).map(piece_text).unwrap_or_default();
            format!("{piece} on {square}")
        }
        Place::Hand(kind) => format!("{} in hand", kind.to_sfen()),
    };
    match (&removal.without, judged) {
        (Ok(without), Ok(with)) if removal.is_needless(with.plies()) => {
            format!("without {piece}: not needed, {}", plies_and_line(without))
        }
        (Ok(without), _) => format!("without {piece}: one solution, {}", plies_and_line(without)),
        (Err(flaw), _) => format!("without {piece}: {flaw}"),
    }
}

/// Returns the piece as in an SFEN, with its side.
fn piece_text(piece: Piece) -> String {
    let side = if piece.color() == Color::Black { "attacker's" } else { "defender's" };
    format!("{side} {}", piece.kind().to_sfen())
}
