//! Training data by self-play.

use std::io::Write as _;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use clap::Args;
use komadai::data::{
    Dataset, DatasetError, Run, SelfPlayGame, SelfPlayOptions, generate as play_games,
};
use komadai::eval::Evaluator;
use komadai_console::{grouped, interrupted, note, stdout, stop_on_interrupt, threads};

use super::evaluation::TeacherEvaluation;
use super::farm::plan::PlanArgs;
use super::generation_page::GenerationPage;
use super::progress::ProgressLine;
use crate::arguments::page::PageArgs;

/// Time between two attempts to write on a full disk.
const RETRY: Duration = Duration::from_secs(20);

/// Play games of the engine against itself, and write their positions with scores and results.
///
/// The files FOLDER/00000.psv and so on have the records of YaneuraOu (PackedSfenValue, 40 bytes),
/// game after game; FOLDER/manifest.json states their origin. The same command continues, also
/// after a crash. The number of threads does not change the records.
///
/// With --queue the games are planned as tasks for `train worker` on other machines.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  komadai train generate data --positions 1000000 --nodes 500\n  \
                  komadai train generate --queue postgres://owner@localhost/books --run may --games 100000\n\n\
                  Exit codes: 0 done, also by Ctrl-C without --positions, 1 failed, 2 bad usage, \
                  130 stopped by Ctrl-C before --positions."
)]
pub(super) struct Options {
    /// Folder of the data; it is created if it does not exist.
    #[arg(required_unless_present = "queue")]
    folder: Option<PathBuf>,
    /// Number of positions in the folder at which to stop. Without it, games are played until
    /// Ctrl-C.
    #[arg(long)]
    positions: Option<u64>,
    /// About the nodes per move: a search ends with the iteration that reaches them.
    #[arg(long, default_value_t = SelfPlayOptions::default().nodes)]
    nodes: u64,
    /// File of a network that evaluates, or `<classical>`. By default the bundled network.
    #[arg(long, value_name = "FILE")]
    eval: Option<PathBuf>,
    /// Number of games at the same time; by default the number of processors.
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// Seed of the games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Share of the games that start from castles, in percent.
    #[arg(long, value_name = "PERCENT", default_value_t = SelfPlayOptions::default().castles_percent,
          value_parser = clap::value_parser!(u32).range(0..=50))]
    castles: u32,
    /// Share of the games that start from handicaps and with both kings in the other camp, in
    /// percent.
    #[arg(long, value_name = "PERCENT", default_value_t = SelfPlayOptions::default().special_percent,
          value_parser = clap::value_parser!(u32).range(0..=50))]
    special: u32,
    #[command(flatten)]
    page: PageArgs,
    #[command(flatten)]
    plan: PlanArgs,
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let evaluation = TeacherEvaluation::open(options.eval.as_deref())?;
    let run = Run::new(evaluation.name(), options.self_play(), options.seed);
    let folder = match (&options.plan.queue, &options.folder) {
        (Some(url), _) => {
            options.plan.plan(url, &run)?;
            return Ok(ExitCode::SUCCESS);
        }
        (None, Some(folder)) => folder,
        (None, None) => unreachable!("the parser asks for a folder or a queue"),
    };
    let stop = stop_on_interrupt()?;
    let data = Dataset::open(folder, run)?;
    let data = match &evaluation {
        TeacherEvaluation::Classical(classical) => {
            play(options, folder, &**classical, data, &stop)?
        }
        TeacherEvaluation::Network(nnue, _) => play(options, folder, nnue, data, &stop)?,
    };
    let manifest = data.finish()?;
    let (positions, games) = (grouped(manifest.positions()), grouped(manifest.games()));
    writeln!(stdout(), "{positions} positions of {games} games in {}", folder.display())?;
    if options.positions.is_some_and(|wanted| manifest.positions() < wanted) {
        return Err(interrupted("stopped; the same command continues"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Plays games until there are enough positions, and returns the data.
fn play<E: Evaluator>(
    options: &Options,
    folder: &Path,
    evaluator: &E,
    mut data: Dataset,
    stop: &AtomicBool,
) -> anyhow::Result<Dataset> {
    let first = data.game_seed(0);
    let is_enough = |data: &Dataset| options.positions.is_some_and(|most| data.positions() >= most);
    if is_enough(&data) {
        return Ok(data);
    }
    let mut progress = ProgressLine::new("positions", data.positions());
    let server = options.page.start()?;
    let mut page = server
        .as_ref()
        .map(|server| GenerationPage::new(server, folder, options.positions, data.positions()));
    let threads = threads(options.threads);
    let seed = |game| Some(first.wrapping_add(game));
    play_games(evaluator, &options.self_play(), threads, &seed, stop, &mut |game| {
        add(&mut data, &game, stop)?;
        progress.report("generate", data.positions(), options.positions);
        if let Some(page) = &mut page {
            page.show(&game, &data);
            page.wait_while_paused(stop);
        }
        let next =
            if is_enough(&data) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        Ok::<_, DatasetError>(next)
    })?;
    Ok(data)
}

/// Adds a game. Waits for space on a full disk, until `stop` is set.
fn add(data: &mut Dataset, game: &SelfPlayGame, stop: &AtomicBool) -> Result<(), DatasetError> {
    loop {
        match data.add(game) {
            Err(error) if error.is_storage_full() && !stop.load(Ordering::Relaxed) => {
                note!("{error}; the next attempt follows in {} s", RETRY.as_secs());
                let start = Instant::now();
                while start.elapsed() < RETRY && !stop.load(Ordering::Relaxed) {
                    sleep(Duration::from_millis(100));
                }
            }
            result => return result,
        }
    }
}

impl Options {
    fn self_play(&self) -> SelfPlayOptions {
        SelfPlayOptions {
            nodes: self.nodes,
            castles_percent: self.castles,
            special_percent: self.special,
            ..SelfPlayOptions::default()
        }
    }
}
