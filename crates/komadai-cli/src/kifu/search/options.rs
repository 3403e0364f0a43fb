//! The arguments of a search.

use std::num::NonZero;
use std::path::PathBuf;

use clap::Args;
use komadai_console::Appearance;

use crate::kifu::criteria::Criteria;

/// Find games by position, partial position, opening, material, players, date, castle or strategy.
///
/// Prints a line for each game that is found, separated by tabs: date, players, result, number of moves,
/// place, and the move after which the conditions hold. Games of all formats are read, also in archives
/// and folders, in bounded memory; an index (`komadai kifu index`) has them ready.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
                  komadai kifu search games/ --position startpos moves 7g7f 3c3d 2g2f\n  \
                  komadai kifu search games/ --pattern \"K2h S3h G4i\" --mirrored --result black\n  \
                  komadai kifu search games/ --player NAME --castle black:mino --since 2020\n  \
                  komadai kifu search games/ --ahead black:R --lasting 4 --result white --to lost.csa\n  \
                  komadai kifu search --index games.idx --opening ▲７六歩△３四歩▲２六歩 --count\n\n\
                  A pattern: K2h is Black's king on 2h, p3d White's pawn on 3d, GS7h/8h a gold or a silver on 7h or 8h, \
                  R5* a rook on the fifth file, P*e a pawn on rank e, R* a rook anywhere, +R a promoted one, .5e no piece on 5e, \
                  !S5g no silver there, hand:2P at least two pawns in hand, turn:b Black to move; a bar separates alternatives.\n\
                  Exit codes: 0 done, also if no game fits, 1 no game was read, or files, games or moves could not be read, \
                  2 bad usage, 130 stopped by Ctrl-C.")]
pub(in crate::kifu) struct Options {
    /// Files, archives and folders.
    #[arg(value_name = "PATHS", required_unless_present = "index")]
    pub(super) paths: Vec<PathBuf>,
    /// Index of games in place of files.
    #[arg(long, value_name = "FILE", conflicts_with = "paths")]
    pub(super) index: Option<PathBuf>,
    #[command(flatten)]
    pub(super) criteria: Criteria,
    /// Print the number of games only.
    #[arg(long, help_heading = "Output", conflicts_with_all = ["json", "limit"])]
    pub(super) count: bool,
    /// Print a JSON object a line for each game.
    #[arg(long, help_heading = "Output")]
    pub(super) json: bool,
    /// Stop after this number of games.
    #[arg(long, value_name = "N", help_heading = "Output")]
    pub(super) limit: Option<NonZero<u64>>,
    /// Write the games that are found: to a file whose ending decides the format, or to a folder, a CSA
    /// file each.
    #[arg(long, value_name = "FILE|FOLDER", help_heading = "Output", conflicts_with = "count")]
    pub(super) to: Option<PathBuf>,
    /// Replace files that exist.
    #[arg(long, help_heading = "Output", requires = "to")]
    pub(super) force: bool,
    /// Number of threads; by default one per core.
    #[arg(long, value_name = "N", help_heading = "Output")]
    pub(super) jobs: Option<NonZero<usize>>,
    #[command(flatten, next_help_heading = "Output")]
    pub(super) appearance: Appearance,
}
