//! The arguments of the explorer.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;
use komadai_console::Appearance;

use crate::kifu::criteria::PositionOption;

/// Show the moves that were played from a position, with their results.
///
/// A game counts once, with the move after the first time that it reaches the position, whatever the
/// order of its moves. Results are those of Black (先手), draws and White, in per cent of the games with a
/// result.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
                  komadai kifu explore games/\n  \
                  komadai kifu explore games/ --position startpos moves 7g7f 3c3d\n  \
                  komadai kifu explore --index games.idx --position game.kif --ply 12 --json\n  \
                  komadai kifu explore games/ --html openings.html --depth 16\n\n\
                  Without an index, one is made in the folder of temporary files and removed.\n\
                  Exit codes: 0 done, 1 no game was found, or files, games or moves could not be read, 2 bad usage, \
                  130 stopped by Ctrl-C.")]
pub(in crate::kifu) struct Options {
    /// Files, archives and folders.
    #[arg(value_name = "PATHS", required_unless_present = "index")]
    pub(super) paths: Vec<PathBuf>,
    /// Index of games in place of files.
    #[arg(long, value_name = "FILE", conflicts_with = "paths")]
    pub(super) index: Option<PathBuf>,
    #[command(flatten)]
    pub(super) position: PositionOption,
    /// Count games that reached the position with the colours exchanged as well.
    #[arg(long)]
    pub(super) mirrored: bool,
    /// Number of moves to print.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(super) top: usize,
    /// Print JSON instead of text.
    #[arg(long)]
    pub(super) json: bool,
    /// Write an HTML page with a board, on which the positions after this one are reached by clicks;
    /// `-` for standard output.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    pub(super) html: Option<PathBuf>,
    /// Number of moves from the position to the last tables of the page.
    #[arg(long, value_name = "N", default_value_t = 12, requires = "html")]
    pub(super) depth: usize,
    /// Number of games that a position needs for a table on the page.
    #[arg(long, value_name = "N", default_value_t = 2, requires = "html")]
    pub(super) min_games: u64,
    /// Largest number of tables on the page; those of most games come first.
    #[arg(long, value_name = "N", default_value = "500", requires = "html")]
    pub(super) positions: NonZero<usize>,
    /// Heading of the page.
    #[arg(long, requires = "html")]
    pub(super) title: Option<String>,
    /// Number of threads; by default one per core.
    #[arg(long, value_name = "N")]
    pub(super) jobs: Option<NonZero<usize>>,
    #[command(flatten)]
    pub(super) appearance: Appearance,
}
