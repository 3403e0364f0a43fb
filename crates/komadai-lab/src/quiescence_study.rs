//! Repeats the quiescence study of Takeuchi, Kaneko and Yamaguchi: how far is a quiescence search
//! over some classes of moves from one over all moves, and at how many nodes?
//!
//! ```text
//! komadai-lab quiescence-study --csv target/quiescence --svg target/quiescence
//! komadai-lab quiescence-study --self-play 1000 --depths 5 --csv target/self-play --svg target/self-play
//! ```
//!
//! Prints a page in Markdown with the tables of the paper beside those of this run, 95 % intervals,
//! and each claim of the paper's text with "confirmed" or "not". `--svg` draws its figures. With
//! `--csv` the results of every position are kept, and the same command continues after a stop.
//!
//! Source: S. Takeuchi, T. Kaneko and K. Yamaguchi, "Dynamic move generation in quiescence search,
//! using information of game positions" (局面の情報を利用した,静止探索中の動的な手生成), IPSJ.

mod claims;
mod measure;
mod page;
mod paper;
mod picture;
mod results;
mod working_file;
#[cfg(test)]
mod tests;

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use komadai::search::Quiescence;
use komadai_console::{Pipeline, Progress, create_folder, interrupted, stop_on_interrupt, threads};

use crate::quiescence_study::measure::{Depths, Measurer, MovesInCheck, Reference, Setting};
use crate::quiescence_study::results::Results;
use crate::quiescence_study::working_file::WorkingFile;
use crate::self_play::SelfPlay;
use crate::study_positions::{CheckPositions, Choice, Positions};

/// The number of moves before the first position, as in the paper.
const FIRST_MOVE: u32 = 30;

/// Compare quiescence searches over classes of moves with one over all moves, and with the paper of
/// Takeuchi, Kaneko and Yamaguchi. Values are in centipawns for the side to move.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  quiescence-study --csv target/quiescence --svg target/quiescence\n  \
                  quiescence-study --reference full --every 10 --depths 3,4"
)]
pub(crate) struct Arguments {
    /// Reference: a search over all moves that may stand pat, or a full-width search without
    /// quiescence.
    #[arg(long, value_enum, default_value_t = Reference::StandPat)]
    reference: Reference,
    /// Moves that the searches over classes try in check: those of their classes, with standing pat,
    /// or all evasions without.
    #[arg(long, value_enum, default_value_t = MovesInCheck::Classes)]
    in_check: MovesInCheck,
    /// Positions in check: in the study or out of it.
    #[arg(long, value_enum, default_value_t = CheckPositions::In)]
    checks: CheckPositions,
    /// Depths in plies, as `1-5` or `3,5`.
    #[arg(long, default_value = "1-5")]
    depths: Depths,
    /// Methods to compare.
    #[arg(long, value_delimiter = ',', default_values = paper::ROWS)]
    names: Vec<Quiescence>,
    /// Records of games in any format; by default the bundled games. May be given several times.
    #[arg(long, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Number of games that the engine plays against itself, in place of other games. They are kept
    /// in the folder of `--csv`, and the number can be raised.
    #[arg(long, value_name = "N", requires = "csv", conflicts_with = "games")]
    self_play: Option<usize>,
    /// Nodes of each move in these games.
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    play_nodes: u64,
    /// Interval between the positions of a game.
    #[arg(long, default_value_t = NonZero::<u32>::MIN)]
    every: NonZero<u32>,
    /// Folder for the results of every position, with which an interrupted run continues.
    #[arg(long, value_name = "DIR")]
    csv: Option<PathBuf>,
    /// Folder for the figures.
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Number of threads; by default that of the processors.
    #[arg(long)]
    threads: Option<NonZero<usize>>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let setting = Setting {
        reference: arguments.reference,
        in_check: arguments.in_check,
        checks: arguments.checks,
        depths: arguments.depths.clone(),
        methods: arguments.names.clone(),
    };
    let stop = stop_on_interrupt()?;
    let mut games = arguments.games.clone();
    if let (Some(number), Some(folder)) = (arguments.self_play, &arguments.csv) {
        create_folder(folder)?;
        let path = folder.join("games.usi");
        let self_play = SelfPlay { games: number, nodes: arguments.play_nodes };
        self_play.play(&path, threads(arguments.threads).get(), Arc::clone(&stop))?;
        games.push(path);
    }
    let choice = Choice { first: FIRST_MOVE, every: arguments.every, checks: setting.checks };
    let positions = Positions::read(&games, choice)?;
    let results = measure(arguments, &setting, &positions, stop)?;
    print!("{}", page::markdown(&setting, &results, arguments.svg.is_some()));
    if let Some(folder) = &arguments.svg {
        create_folder(folder)?;
        for (name, svg) in picture::figures(&setting, &results)? {
            komadai_base::atomic_file::write(folder.join(name), svg)?;
        }
    }
    Ok(())
}

/// Measures all positions that the working file does not have yet.
fn measure(
    arguments: &Arguments,
    setting: &Setting,
    positions: &Positions,
    stop: Arc<AtomicBool>,
) -> anyhow::Result<Results> {
    let mut results = Results::new(setting, positions.games());
    let head = format!("{setting}, {}", positions.identity());
    let mut file = match &arguments.csv {
        Some(folder) => {
            create_folder(folder)?;
            Some(WorkingFile::open(folder, &head, setting, |measured| results.add(&measured))?)
        }
        None => None,
    };
    let done = file.as_ref().map_or(0, WorkingFile::lines);
    let mut progress =
        Progress::new("positions", positions.len() - done.min(positions.len()), false);
    let flag = Arc::clone(&stop);
    let pipeline = Pipeline { threads: threads(arguments.threads).get(), stop };
    let jobs = positions.iter().skip(done).take_while(|_| !flag.load(Ordering::Relaxed));
    pipeline.run(
        jobs,
        || Measurer::new(setting),
        |measurer, position| measurer.measure(&position),
        |batch, _| {
            for measured in batch {
                if let Some(file) = &mut file {
                    file.append(&measured)?;
                }
                results.add(&measured);
                progress.tick(String::new);
            }
            Ok::<_, anyhow::Error>(())
        },
        || {},
    )?;
    progress.finish();
    if flag.load(Ordering::Relaxed) {
        return Err(interrupted("stopped; with --csv the same command continues"));
    }
    Ok(results)
}
