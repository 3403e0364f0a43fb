//! Methods of learning side by side.

mod opponents;
mod partner;
mod table;

use std::io::Write as _;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::ensure;
use clap::Args;
use komadai::core::PieceKind;
use komadai::eval::{Classical, Material};
use komadai::train::linear::{FeatureGroups, LinearModel};
use komadai::train::methods::{BonanzaOptions, ComparisonOptions, LearningData, MethodKind, learn};
use komadai_console::{
    bad_usage, create_folder, interrupted, note, stdout, stop_on_interrupt, write_file_with,
};

use self::opponents::Games;
use self::partner::Partner;
use self::table::Row;
use super::records::GameArgs;

/// Learn linear evaluations by several methods, and compare them in one table.
///
/// Each method has the same processor time, on one thread. The table states the loss on held-out
/// games, the share of positions in which the evaluation finds the best move of the records, and
/// results of games against material and against the embedded evaluation. Each evaluation is
/// written to OUT/METHOD-FEATURES.linear.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
                  komadai train compare learned data --methods regression,treestrap --cpu 600\n  \
                  komadai train compare learned data --methods tdleaf --opponent 'komadai:EvalFile=<classical>'\n\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage, 130 stopped by Ctrl-C.")]
pub(super) struct Options {
    /// Folder of the evaluations; it is created if it does not exist.
    out: PathBuf,
    #[command(flatten)]
    data: GameArgs,
    /// Methods: regression, mmto, treestrap, rootstrap, tdleaf.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "regression,mmto,treestrap,rootstrap,tdleaf"
    )]
    methods: Vec<MethodKind>,
    /// Groups of features: p, kp, pp, kss, v, joined by +.
    #[arg(long, value_delimiter = ',', default_value = "p+kp")]
    features: Vec<FeatureGroups>,
    /// Seconds of processor time of each method.
    #[arg(long, value_name = "SECONDS", default_value_t = 7_200)]
    cpu: u64,
    /// Engine against which the methods treestrap, rootstrap and tdleaf learn, in place of games
    /// against themselves: the command of a USI engine, or komadai with options as in `komadai
    /// match`. The time of another process does not count.
    #[arg(long, value_name = "COMMAND")]
    opponent: Option<String>,
    /// Nodes per move of that engine.
    #[arg(long, default_value_t = 1_000, requires = "opponent")]
    opponent_nodes: u64,
    /// Plies of all moves before the quiescence search in the method mmto, 0 to 2.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=2))]
    leaf_depth: u8,
    /// Number of other moves with which the method mmto compares the best one, taken by chance if a
    /// position has more (default: all).
    #[arg(long, value_name = "MOVES")]
    siblings: Option<NonZero<usize>>,
    /// Seed of methods and games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of held-out positions in which best moves are compared.
    #[arg(long, default_value_t = ComparisonOptions::default().agreement_positions)]
    positions: usize,
    /// Number of games against each of material and the embedded evaluation; 0 for none.
    #[arg(long, default_value_t = 200)]
    games: usize,
    /// Nodes per move in the games.
    #[arg(long, default_value_t = 5_000)]
    nodes: u64,
    /// Number of games at the same time.
    #[arg(long, default_value_t = NonZero::<usize>::MIN)]
    threads: NonZero<usize>,
}

impl Options {
    /// Returns the engine against which methods learn; an error if one learns from records.
    fn partner(&self) -> anyhow::Result<Option<Partner>> {
        let Some(command) = &self.opponent else { return Ok(None) };
        if let Some(method) = self.methods.iter().find(|method| !method.plays()) {
            return Err(bad_usage(format_args!(
                "--opponent: found method {method}, which learns from records, expected treestrap, \
                 rootstrap or tdleaf"
            )));
        }
        Partner::new(command, self.opponent_nodes).map(Some)
    }

    /// Returns the options of the method mmto; an error if they are given and it does not learn.
    fn mmto(&self) -> anyhow::Result<BonanzaOptions> {
        let default = BonanzaOptions::default();
        let siblings = self.siblings.map_or(default.siblings, NonZero::get);
        let found = BonanzaOptions { depth: self.leaf_depth.into(), siblings, ..default };
        if found != BonanzaOptions::default() && !self.methods.contains(&MethodKind::Mmto) {
            let methods: Vec<String> = self.methods.iter().map(ToString::to_string).collect();
            return Err(bad_usage(format_args!(
                "--leaf-depth and --siblings: found the methods {}, expected mmto among them",
                methods.join(",")
            )));
        }
        Ok(found)
    }
}

/// The note of an interrupted comparison.
const STOPPED: &str = "stopped; the rows and files of finished evaluations are complete";

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let partner = options.partner()?;
    let mmto = options.mmto()?;
    let stop = stop_on_interrupt()?;
    let data = Arc::new(options.data.read(LearningData::new(), &stop, LearningData::read)?);
    ensure!(
        data.training() > 0 && data.held_out() > 0,
        "found {} positions to learn from and {} held out, expected some of both",
        data.training(),
        data.held_out()
    );
    create_folder(&options.out)?;
    let comparison = ComparisonOptions {
        cpu_time: Duration::from_secs(options.cpu),
        seed: options.seed,
        agreement_positions: options.positions,
        mmto,
        ..ComparisonOptions::default()
    };
    let games = Games::new(options.games, options.nodes, options.seed, options.threads)?;
    let mut out = stdout();
    let head = table::head(&data, options.cpu, options.games, options.nodes);
    write!(out, "{head}")?;
    write!(out, "{}", Row::of("material", &Material, &data, &comparison))?;
    write!(out, "{}", Row::of("classical", &Classical::default(), &data, &comparison))?;
    out.flush()?;
    for features in &options.features {
        for method in &options.methods {
            let name = format!("{method} {features}");
            note!("{name}");
            let opponent = partner.as_ref().map(|partner| partner.start(&stop)).transpose()?;
            let learned = learn(*method, *features, &data, &comparison, opponent, &stop);
            if let Some(fault) = partner.as_ref().and_then(Partner::fault) {
                return Err(anyhow::Error::new(fault).context("the opponent failed"));
            }
            if stop.load(Ordering::Relaxed) {
                return Err(interrupted(STOPPED));
            }
            let path = options.out.join(format!("{method}-{features}.linear"));
            write_file_with(&path, |file| learned.evaluator.write(file))?;
            if features.contains(FeatureGroups::V) {
                note!("{}", piece_values(&learned.evaluator.to_model()));
            }
            let mut row = Row::learned(&name, &learned);
            let evaluator = Arc::new(learned.evaluator);
            row.games = games.against_both(&evaluator, &stop)?;
            if stop.load(Ordering::Relaxed) {
                return Err(interrupted(STOPPED));
            }
            write!(out, "{row}")?;
            out.flush()?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns a line with the values of all kinds of pieces on the board.
fn piece_values(model: &LinearModel) -> String {
    let kinds = PieceKind::ALL.into_iter().filter(|kind| *kind != PieceKind::King);
    let values = kinds.map(|kind| format!("{} {:.0}", kind.to_sfen(), model.piece_value(kind)));
    format!("piece values: {}", values.collect::<Vec<_>>().join(", "))
}
