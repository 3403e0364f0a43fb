//! The arguments of a run.

use std::fmt;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use clap::Args;
use komadai::book::SeedOptions;
use komadai::bookgraph::frontier::{FrontierOptions, Window};
use komadai::kifu::Tolerance;
use komadai::report::book_page::ReportOptions;
use komadai::{Color, Position};

use komadai_console::{Appearance, Side, WindowName, note, own_moves, tolerance};

/// Grow an opening book with the embedded engine.
///
/// Games seed the book. A short first search values each of their moves. Then, round by round, the
/// positions at which good play leaves the book are searched and all values are propagated. The
/// output folder receives `book.db` in YaneuraOu's text format, a page `report.html`, and the
/// working book `book.kbook`, which contains every evaluation with its engine, nodes and time. The
/// same command with the same folder continues the book, also after Ctrl-C.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  komadai grow --out my_book --nodes 500000 --positions 5000 games/ list.sfen\n\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage, 130 stopped by Ctrl-C."
)]
pub struct GrowArgs {
    /// Game records (CSA, KIF, KI2, JKF, USEN), lists of games (USI), books (.db, .ybb, .bin, .sbk,
    /// .kbook, .log), or folders of them. Without inputs and without a book to continue, 77 bundled tournament games.
    pub(crate) inputs: Vec<PathBuf>,
    /// Folder of the book; by default `komadai_book`, or `target/grow_book` in a clone (a folder
    /// with a `Cargo.toml`).
    #[arg(long)]
    out: Option<PathBuf>,
    /// Heading of the page; by default the name of the folder.
    #[arg(long)]
    title: Option<String>,
    /// Start a new book; the old one is kept as `book.kbook.old`, `book.kbook.old2` and so on.
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Refuse faulty input instead of skipping and counting its faults.
    #[arg(long)]
    strict: bool,
    /// Number of moves read from each game.
    #[arg(long, default_value_t = 24)]
    pub(crate) max_ply: u32,
    /// Minimum number of games per move.
    #[arg(long, default_value_t = 1)]
    pub(crate) min_games: u32,
    /// About the nodes for the first search of a seeded move: it ends with the iteration that
    /// reaches them.
    #[arg(long, default_value_t = 13_000)]
    pub(crate) first_nodes: u64,
    /// About the nodes for a position of the frontier: its search ends with the iteration that
    /// reaches them.
    #[arg(long, default_value_t = 200_000)]
    pub(crate) nodes: u64,
    /// Number of moves of a position that get a value.
    #[arg(long, default_value_t = 4)]
    pub(crate) multi_pv: usize,
    /// Number of positions of the frontier to search.
    #[arg(long, default_value_t = 300)]
    pub(crate) positions: usize,
    /// Number of positions selected per round. The frontier is selected again when half of them are
    /// merged.
    #[arg(long, default_value_t = NonZero::new(20).expect("20 is not 0"))]
    pub(crate) per_round: NonZero<usize>,
    /// Side for which the book is made.
    #[arg(long, value_enum, default_value_t = Side::Both)]
    pub(crate) side: Side,
    /// Moves of the opponent that are followed.
    #[arg(long, value_enum, default_value_t = WindowName::Best)]
    window: WindowName,
    /// Maximum loss of a followed move against the anchor of the window, in centipawns.
    #[arg(long, default_value_t = 30)]
    pub(crate) eval_diff: i32,
    /// Follow all best moves of the book's own side, not only the first.
    #[arg(long)]
    ties: bool,
    /// Number of search threads; by default one per core.
    #[arg(long)]
    pub(crate) threads: Option<NonZero<usize>>,
    /// Transposition table of each thread in MiB.
    #[arg(long, default_value_t = 4)]
    pub(crate) hash_mib: usize,
    #[command(flatten)]
    pub(crate) appearance: Appearance,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print no progress and no summary, only the paths of the written files.
    #[arg(long)]
    pub(crate) quiet: bool,
}

impl GrowArgs {
    /// Returns the folder of the book.
    pub(crate) fn out(&self) -> &Path {
        match &self.out {
            Some(out) => out,
            None if Path::new("Cargo.toml").exists() => Path::new("target/grow_book"),
            None => Path::new("komadai_book"),
        }
    }

    /// Returns the treatment of faulty input.
    pub(crate) fn tolerance(&self) -> Tolerance {
        tolerance(self.strict)
    }

    /// Returns the selection of moves from games.
    pub(crate) fn seed(&self) -> SeedOptions {
        SeedOptions { max_ply: self.max_ply, min_games: self.min_games, ..SeedOptions::default() }
    }

    /// Returns the options of the frontier of one side's book.
    pub(crate) fn frontier(&self, side: Color) -> FrontierOptions {
        FrontierOptions {
            eval_diff: self.eval_diff,
            own_moves: own_moves(self.ties),
            ..FrontierOptions::new(Position::hirate(), side, self.window())
        }
    }

    /// Returns the name of the folder of the book, which exists when the page is written.
    fn folder_name(&self) -> String {
        let name = |folder: PathBuf| Some(folder.file_name()?.to_string_lossy().into_owned());
        let folder = self.out().canonicalize().ok().and_then(name);
        folder.unwrap_or_else(|| self.out().display().to_string())
    }

    /// Returns the options of the report page and the summary.
    pub(crate) fn report(&self) -> ReportOptions {
        ReportOptions {
            title: self.title.clone().unwrap_or_else(|| self.folder_name()),
            sides: self.side.colors().to_vec(),
            window: self.window(),
            eval_diff: self.eval_diff,
            ..ReportOptions::default()
        }
    }

    /// Returns the window through which positions are selected.
    pub(crate) fn window(&self) -> Window {
        self.window.into()
    }

    /// Prints a line on standard error, unless the arguments forbid it.
    pub(crate) fn print(&self, text: fmt::Arguments<'_>) {
        if !self.quiet {
            note!("{text}");
        }
    }
}
