//! Repeats the quiescence study of Takeuchi, Kaneko and Yamaguchi with settings that `komadai study
//! quiescence` does not have: other references, and games of the engine.
//!
//! ```text
//! komadai-lab quiescence-study --csv target/quiescence --svg target/quiescence
//! komadai-lab quiescence-study --self-play 1000 --depths 5 --csv target/self-play --svg target/self-play
//! ```
//!
//! Prints the page in Markdown. `--svg` draws the paper's figures. With `--csv` the results of
//! every position are kept, and the same command continues after a stop.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use komadai::core::Language;
use komadai::search::Quiescence;
use komadai_console::{create_folder, stop_on_interrupt, threads};
use komadai_study::Source;
use komadai_study::positions::CheckPositions;
use komadai_study::quiescence::{Depths, MovesInCheck, QuiescenceOptions, ROWS, Reference};

use crate::self_play::SelfPlay;

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
    #[arg(long, value_delimiter = ',', default_values = ROWS)]
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
    let stop = stop_on_interrupt()?;
    let mut games = arguments.games.clone();
    if let (Some(number), Some(folder)) = (arguments.self_play, &arguments.csv) {
        create_folder(folder)?;
        let path = folder.join("games.usi");
        let self_play = SelfPlay { games: number, nodes: arguments.play_nodes };
        self_play.play(&path, threads(arguments.threads).get(), Arc::clone(&stop))?;
        games.push(path);
    }
    let options = QuiescenceOptions {
        reference: arguments.reference,
        in_check: arguments.in_check,
        checks: arguments.checks,
        depths: arguments.depths.clone(),
        methods: arguments.names.clone(),
        games,
        every: arguments.every,
        folder: arguments.csv.clone(),
        threads: threads(arguments.threads),
    };
    let study = options.measure(&stop)?;
    let findings = study.findings("komadai-lab quiescence-study");
    print!("{}", Source::Quiescence.page(&findings).markdown(Language::English));
    if let Some(folder) = &arguments.svg {
        create_folder(folder)?;
        for (name, svg) in study.figures()? {
            komadai_base::atomic_file::write(folder.join(name), svg)?;
        }
    }
    Ok(())
}
