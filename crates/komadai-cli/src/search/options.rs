//! The arguments of a search.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args, ValueEnum};
use komadai::core::Budget;
use komadai::engine::SearchMode;
use komadai_console::Appearance;

use crate::arguments::duration::seconds;
use crate::arguments::engine::read_option;
use crate::arguments::position::PositionArgs;
use crate::board::Style;

/// Time for a search without another limit.
const USUAL_TIME: Duration = Duration::from_secs(1);

/// Search a position: its best moves, with values and lines.
///
/// Prints the board and a table of the best lines. Values are centipawns for Black (先手); a value
/// with ≥ or ≤ is a bound, because the limit ended the search within an iteration. The engine is the
/// embedded one, on all cores, or any other that speaks USI.
#[derive(Debug, Args)]
#[command(aliases = ["best", "go"], after_help = "Examples:\n  \
    komadai search startpos moves 7g7f 3c3d 2g2f\n  \
    komadai search game.kif --ply 42 --seconds 5 --lines 5 --svg lines.svg\n  \
    komadai search game.kif --mode tree --nodes 20000 --threads 1 --json\n  \
    komadai search game.kif --engine ./other --option EvalDir=eval\n\n\
    Ctrl-C ends the search and prints what it has found. With --nodes or --depth and --threads 1 the \
    embedded engine finds the same every time.\n\
    Exit codes: 0 searched, 1 failed, 2 bad usage, 130 stopped by Ctrl-C.")]
pub struct SearchArgs {
    #[command(flatten)]
    pub(super) position: PositionArgs,
    /// About the number of nodes: the search ends with the iteration that reaches it, so that the
    /// value is exact, or at four times as many.
    #[arg(long)]
    pub(super) nodes: Option<u64>,
    /// Maximum time in seconds; by default 1, if there is no other limit.
    #[arg(long, value_parser = seconds)]
    pub(super) seconds: Option<Duration>,
    /// Maximum depth in plies.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) depth: Option<u32>,
    /// Number of lines.
    #[arg(long, alias = "multi-pv", value_name = "K", default_value = "3")]
    pub(super) lines: NonZero<u16>,
    /// Nodes of the mate solver, which looks for a mate of the side to move before the search; a mate
    /// that it proves is printed as such. 0 for no mate solver.
    #[arg(long, value_name = "NODES", default_value_t = 20_000)]
    pub(super) mate_nodes: u64,
    /// Kind of search of the embedded engine.
    #[arg(long, value_enum, conflicts_with = "engine")]
    pub(super) mode: Option<Mode>,
    /// Command of a USI engine in place of the embedded one.
    #[arg(long, value_name = "COMMAND")]
    pub(super) engine: Option<String>,
    /// USI option of the engine; it may be given several times.
    #[arg(long = "option", alias = "engine-option", value_name = "NAME=VALUE",
          action = ArgAction::Append, value_parser = read_option)]
    pub(super) options: Vec<(String, String)>,
    /// Number of threads; by default one per core, for another engine its own number.
    #[arg(long)]
    pub(super) threads: Option<NonZero<usize>>,
    /// Size of the transposition table in MiB; by default 64, for another engine its own size.
    #[arg(long, value_name = "MIB")]
    pub(super) hash_mib: Option<NonZero<usize>>,
    #[command(flatten)]
    pub(super) appearance: Appearance,
    /// Characters on the pieces; by default kanji in Japanese, else letters.
    #[arg(long, value_enum)]
    pub(super) style: Option<Style>,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    pub(super) json: bool,
    /// Write the board as an SVG picture with an arrow for the first move of each line.
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,
    /// Turn the board of the picture: White's side is below.
    #[arg(long, requires = "svg")]
    pub(super) flip: bool,
    /// Replace the picture if it exists.
    #[arg(long, requires = "svg")]
    pub(super) force: bool,
    /// Print no progress.
    #[arg(long, short)]
    pub(super) quiet: bool,
}

/// The kind of search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Mode {
    /// Alpha-beta, the usual one.
    AlphaBeta,
    /// Monte Carlo tree search.
    Tree,
    /// Alpha-beta and tree search at the same time.
    Hybrid,
    /// Search by realization probability.
    RealizationProbability,
    /// Alpha-beta-conspiracy search.
    Abc,
}

impl Mode {
    pub(super) fn of_engine(self) -> SearchMode {
        match self {
            Self::AlphaBeta => SearchMode::AlphaBeta,
            Self::Tree => SearchMode::MonteCarlo,
            Self::Hybrid => SearchMode::Both,
            Self::RealizationProbability => SearchMode::RealizationProbability,
            Self::Abc => SearchMode::Abc,
        }
    }
}

impl SearchArgs {
    /// Returns the limits, from now on.
    pub(super) fn budget(&self) -> Budget {
        let has_other = self.nodes.is_some() || self.depth.is_some();
        let time = self.seconds.or((!has_other).then_some(USUAL_TIME));
        let limits = self.nodes.map_or_else(Budget::unlimited, Budget::about);
        let deadline = time.and_then(|time| Budget::time(time).deadline);
        Budget { depth: self.depth, deadline, ..limits }
    }

    pub(super) fn style(&self) -> Style {
        let language = self.appearance.language();
        self.style.unwrap_or(language.choose(Style::Letters, Style::Kanji))
    }
}
