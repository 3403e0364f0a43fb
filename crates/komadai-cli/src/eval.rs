//! Explanations of the classical evaluation or of a linear one: its terms in a position, or the terms
//! that a move changes.

mod comparison;
mod json;
mod linear;
mod picture;
mod text;

use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use komadai::core::{Language, Move, Position};
use komadai::eval::{Classical, Explanation, Parameters};
use komadai::movegen::check_legality;
use komadai::networks::explain;
use komadai::nnue::linear::LinearEvaluator;
use komadai::nnue::{Network, Nnue};
use komadai_base::file::read_text;
use komadai_console::{Appearance, Output, Program, bad_usage, write_file_with};

use crate::arguments::position::{PositionArgs, position_of};
use crate::eval::comparison::Comparison;
use crate::eval::linear::{Changed, Explained};
use crate::net::network_text;

/// Explain the classical evaluation of a position, or its change by a move.
///
/// First come the values of both evaluations, without search: that of the network, by which engine
/// and analysis play, and the classical one, whose terms explain themselves. Then follow the groups
/// of its terms and the largest terms in centipawns: `castle[2]` is the weight with index 2 of the
/// group `castle` in a parameter text. The values of one position are for Black, those of a change
/// for the side to move in the first position. The largest terms of one position exclude the values
/// of the pieces themselves. --network shows how much each piece counts for the network.
///
/// With --linear the evaluation is one that was learned by `komadai train compare`. Its terms are
/// relations of pieces, with the indices of their weights: `+12 -34` adds weight 12 of the file for
/// Black and subtracts weight 34.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    komadai eval game.kif --ply 42 --lang ja\n  \
    komadai eval startpos moves 7g7f 3c3d --after 8h2b+ --svg exchange.svg\n  \
    komadai eval --linear learned/regression-p+kp.linear --after 7g7f\n\n\
    Exit codes: 0 explained, 1 failed, 2 bad usage.")]
pub struct EvalArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Move in USI whose effect is explained.
    #[arg(long, value_name = "MOVE", conflicts_with = "compare")]
    after: Option<Move>,
    /// Second position, an SFEN or `startpos moves …` in quotes, to which the first one is compared.
    #[arg(long, value_name = "POSITION")]
    compare: Option<String>,
    /// Weights of the evaluation as a parameter text; by default the tuned ones.
    #[arg(long, value_name = "FILE", conflicts_with = "hand_set")]
    parameters: Option<PathBuf>,
    /// Use the weights set by hand from which tuning starts.
    #[arg(long)]
    hand_set: bool,
    /// Explain the linear evaluation of this file (.linear) in place of the built-in one.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["parameters", "hand_set", "write_parameters"])]
    linear: Option<PathBuf>,
    /// Write the weights as a parameter text before the evaluation.
    #[arg(long, value_name = "FILE")]
    write_parameters: Option<PathBuf>,
    /// Write the board as an SVG picture whose squares have the colours of their values; those of
    /// the pieces themselves are excluded from the picture of one position.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Number of terms to print.
    #[arg(long, default_value_t = 10, conflicts_with = "all")]
    terms: usize,
    /// Print all terms other than 0.
    #[arg(long)]
    all: bool,
    /// Explain the value of the network as well: what each piece of the position counts for it.
    #[arg(long, conflicts_with_all = ["linear", "json"])]
    network: bool,
    #[command(flatten)]
    appearance: Appearance,
    /// Print one JSON object with all terms, and nothing else, on standard output; its values are
    /// for Black.
    #[arg(long)]
    json: bool,
}

impl Program for EvalArgs {
    const SUBCOMMAND: &'static str = "eval";

    fn run(&self) -> anyhow::Result<ExitCode> {
        let position = self.position.position()?;
        let second = self.second(&position)?;
        if let Some(path) = &self.linear {
            self.explain_linear(&linear::read(path)?, position, second)?;
            return Ok(ExitCode::SUCCESS);
        }
        let parameters = read_weights(self.parameters.as_deref(), self.hand_set)?;
        if let Some(path) = &self.write_parameters {
            write_file_with(path, |out| write!(out, "{parameters}"))?;
        }
        let classical = Classical::new(&parameters);
        match second {
            None => self.explain(&position, &classical.explain(&position))?,
            Some(second) => {
                self.compare(&Comparison::new(&classical, [position, second], self.after))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl EvalArgs {
    /// Returns the position to compare.
    fn second(&self, first: &Position) -> anyhow::Result<Option<Position>> {
        match (self.after, &self.compare) {
            (Some(m), _) => {
                check_legality(first, m).map_err(|reason| {
                    bad_usage(format_args!("--after {m} is illegal: {reason}"))
                })?;
                Ok(Some(first.after(m)))
            }
            (None, Some(sfen)) => {
                let position = position_of(sfen);
                Ok(Some(position.map_err(|error| bad_usage(format_args!("--compare {error}")))?))
            }
            (None, None) => Ok(None),
        }
    }

    fn explain(&self, position: &Position, explanation: &Explanation) -> anyhow::Result<()> {
        let network = explain(&Nnue::new(Network::bundled()), position);
        if let Some(path) = &self.svg {
            let picture = self.style().explanation(position, explanation);
            write_file_with(path, |out| write!(out, "{picture}"))?;
        }
        let mut out = BufWriter::new(Output::json_if(self.json));
        if self.json {
            writeln!(out, "{}", json::explanation(position, explanation, network.black))?;
        } else {
            self.layout().explanation(&mut out, position, explanation, network.black)?;
            if self.network {
                let heading = self.language().choose("network", "ネットワーク");
                write!(out, "\n{heading}: {}", network_text(&network))?;
            }
        }
        Ok(out.flush()?)
    }

    fn compare(&self, comparison: &Comparison) -> anyhow::Result<()> {
        if let Some(path) = &self.svg {
            let picture = self.style().comparison(comparison);
            write_file_with(path, |out| write!(out, "{picture}"))?;
        }
        let mut out = BufWriter::new(Output::json_if(self.json));
        if self.json {
            writeln!(out, "{}", json::comparison(comparison))?;
        } else {
            self.layout().comparison(&mut out, comparison)?;
        }
        Ok(out.flush()?)
    }

    fn explain_linear(
        &self,
        evaluator: &LinearEvaluator,
        position: Position,
        second: Option<Position>,
    ) -> anyhow::Result<()> {
        let first = Explained::new(evaluator, position);
        let changed = second.map(|second| Explained::new(evaluator, second));
        let mut out = BufWriter::new(Output::json_if(self.json));
        if let Some(second) = changed {
            let changed = Changed::new(first, second, self.after);
            if let Some(path) = &self.svg {
                let picture = self.style().linear_change(&changed);
                write_file_with(path, |out| write!(out, "{picture}"))?;
            }
            if self.json {
                writeln!(out, "{}", changed.json())?;
            } else {
                changed.write(&self.layout(), &mut out)?;
            }
        } else {
            if let Some(path) = &self.svg {
                let picture = self.style().linear(&first);
                write_file_with(path, |out| write!(out, "{picture}"))?;
            }
            if self.json {
                writeln!(out, "{}", first.json())?;
            } else {
                first.write(&self.layout(), &mut out)?;
            }
        }
        Ok(out.flush()?)
    }

    fn layout(&self) -> text::Layout {
        let terms = if self.all { usize::MAX } else { self.terms };
        text::Layout {
            terms,
            all: self.all,
            notation: self.appearance.notation(),
            language: self.language(),
        }
    }

    fn style(&self) -> picture::Style {
        picture::Style { notation: self.appearance.notation(), language: self.language() }
    }

    /// Returns the language of the names of terms: also that of a Japanese notation.
    fn language(&self) -> Language {
        match self.appearance.named_notation() {
            Some(notation) if notation.is_japanese() => Language::Japanese,
            _ => self.appearance.language(),
        }
    }
}

/// Largest size of a parameter text in bytes, a hundred times that of the bundled one.
const MAX_BYTES: u64 = 10_000_000;

/// Reads a parameter text, or returns the weights set by hand or the tuned ones.
fn read_weights(path: Option<&Path>, is_hand_set: bool) -> anyhow::Result<Parameters> {
    let Some(path) = path else {
        return Ok(if is_hand_set { Parameters::hand_set() } else { Parameters::default() });
    };
    let place = || path.display().to_string();
    read_text(path, MAX_BYTES).with_context(place)?.parse().with_context(place)
}
