//! The command line.

use std::fmt;
use std::num::NonZero;
use std::path::PathBuf;

use clap::Parser;
use komadai::book::SeedOptions;
use komadai::bookgraph::frontier::{FrontierOptions, OwnMoves, Window};
use komadai::kifu::Tolerance;
use komadai::report::book_page::ReportOptions;
use komadai::{Color, Position};

use crate::side::Side;
use crate::window::WindowName;

/// Grow an opening book with the embedded engine.
///
/// Games seed the book. The position after each of their moves gets a short first search. Then, round
/// by round, the positions at which good play leaves the book are searched, and all values are
/// propagated. `book.db`, in YaneuraOu's text format, and a page `report.html` are left in the output
/// folder, and the working book `book.kbook` with every evaluation and its provenance. The same command
/// with the same folder goes on from there, also after Ctrl-C.
#[derive(Debug, Parser)]
#[command(
    name = "grow_book",
    version,
    after_help = "Example:\n  grow_book --out my_book --nodes 500000 --positions 5000 games/ list.sfen\n\n\
                  Exit codes: 0 done or stopped by Ctrl-C, 1 failed, 2 bad usage."
)]
pub(crate) struct Options {
    /// Records (CSA), lists of games (USI), books (.db, .ybb, .bin, .sbk, .kbook, .log), or folders of
    /// them. Without any, and without a book to go on with, 77 bundled tournament games.
    pub inputs: Vec<PathBuf>,
    /// The folder of the book.
    #[arg(long, default_value = "target/grow_book")]
    pub out: PathBuf,
    /// Begin anew; the old book is kept as `book.kbook.old`, `book.kbook.old2` and so on.
    #[arg(long)]
    pub fresh: bool,
    /// Refuse faulty input instead of skipping and counting its faults.
    #[arg(long)]
    pub strict: bool,
    /// How many moves of each game to take.
    #[arg(long, default_value_t = 24)]
    pub max_ply: u32,
    /// In how many games a move must have been played.
    #[arg(long, default_value_t = 1)]
    pub min_games: u32,
    /// Nodes for the first search of a seeded move.
    #[arg(long, default_value_t = 20_000)]
    pub first_nodes: u64,
    /// Nodes for a position of the frontier.
    #[arg(long, default_value_t = 300_000)]
    pub nodes: u64,
    /// How many moves of a position get a value.
    #[arg(long, default_value_t = 4)]
    pub multi_pv: usize,
    /// How many positions of the frontier to search in all.
    #[arg(long, default_value_t = 300)]
    pub positions: usize,
    /// How many of them to search before values are propagated and the frontier selected again.
    #[arg(long, default_value_t = NonZero::new(20).expect("20 is not 0"))]
    pub per_round: NonZero<usize>,
    /// Whose book it is.
    #[arg(long, value_enum, default_value_t = Side::Both)]
    pub side: Side,
    /// Which moves the opponent may play.
    #[arg(long, value_enum, default_value_t = WindowName::Best)]
    pub window: WindowName,
    /// How much worse than the window's anchor a move may be, in centipawns.
    #[arg(long, default_value_t = 30)]
    pub eval_diff: i32,
    /// Follow all best moves of the own side, not only the first.
    #[arg(long)]
    pub ties: bool,
    /// Search on this many threads; all cores if left out.
    #[arg(long)]
    pub threads: Option<NonZero<usize>>,
    /// The size of each thread's transposition table.
    #[arg(long, default_value_t = 4)]
    pub hash_mib: usize,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    pub json: bool,
    /// No progress and no summary: only the paths of what was written.
    #[arg(long)]
    pub quiet: bool,
}

impl Options {
    /// What to do about faults.
    pub(crate) fn tolerance(&self) -> Tolerance {
        if self.strict { Tolerance::Strict } else { Tolerance::Lenient }
    }

    /// What to take of games.
    pub(crate) fn seed(&self) -> SeedOptions {
        SeedOptions { max_ply: self.max_ply, min_games: self.min_games, ..SeedOptions::default() }
    }

    /// The frontier of one side's book.
    pub(crate) fn frontier(&self, side: Color) -> FrontierOptions {
        FrontierOptions {
            eval_diff: self.eval_diff,
            own_moves: if self.ties { OwnMoves::AllBest } else { OwnMoves::First },
            ..FrontierOptions::new(Position::hirate(), side, self.window())
        }
    }

    /// What the page and the summary tell.
    pub(crate) fn report(&self) -> ReportOptions {
        ReportOptions {
            sides: self.side.colors().to_vec(),
            window: self.window(),
            eval_diff: self.eval_diff,
            ..ReportOptions::default()
        }
    }

    /// The window through which positions are selected.
    pub(crate) fn window(&self) -> Window {
        self.window.into()
    }

    /// Tells something on standard error, unless nothing is to be told.
    pub(crate) fn say(&self, text: fmt::Arguments<'_>) {
        if !self.quiet {
            eprintln!("{text}");
        }
    }
}
