//! `book shiba`: a book by games in one command.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use komadai::book::WorkingBook;
use komadai::report::book_page::{PageLook, ReportData, ReportOptions, write_report};
use komadai_console::{Appearance, stdout, write_file_with};

use crate::book::files::source::read_store;
use crate::book::growth::generations::{Defaults, Growth, ended, grow};

/// Extension with thirteen times the nodes of play, and lines that are kept: of the ways measured in
/// docs/shiba.md, the one with the longest lines and with results that rise.
const DEFAULTS: Defaults = Defaults { nodes: Some(3_000), extension: 13, keep_played_cp: Some(30) };

/// Grow a book by games against engines, in one command, and write a page about it.
///
/// Each generation plays games of the embedded engine with the book against the opponents without
/// it, adds the next eight turns where a game left the book, and deletes moves that lose. The same
/// command continues where the last one ended or was interrupted; more generations continue a book.
/// Moves have 3,000 nodes unless --nodes or --byoyomi is given, and added positions thirteen times as
/// many (--extend-nodes). A move of earlier games is played again as long as the deeper search gives
/// it no more than 30 centipawns less (--keep-played; 0 for equal moves only).
///
/// Writes NAME.kbook, the book with its games, and NAME.html, a page that shows growth, branches
/// and deleted moves. `book convert NAME.kbook NAME.db` makes a book for engines.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    komadai book shiba mine --opponent komadai --games 20 --generations 3 --nodes 300\n  \
    komadai book shiba mine --opponent fairy=/usr/games/fairy-stockfish \\\n    \
    --opponent-option fairy:UCI_Variant=shogi --opponent-limit fairy:nodes=8000")]
pub(crate) struct Options {
    /// Name of the files to write, without an ending.
    name: PathBuf,
    #[command(flatten)]
    growth: Growth,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let ending = |ending: &str| {
        let mut name = options.name.clone().into_os_string();
        name.push(ending);
        PathBuf::from(name)
    };
    let (store, page) = (ending(".kbook"), ending(".html"));
    let stopped = grow(&store, &options.growth, &DEFAULTS)?;
    write_page(&store, &page)?;
    if !options.growth.json {
        writeln!(stdout(), "\n{}\n{}", store.display(), page.display())?;
    }
    ended(stopped)
}

/// Writes a page about the book.
fn write_page(store: &Path, page: &Path) -> anyhow::Result<()> {
    let book = WorkingBook::of_store(read_store(store)?)?;
    let title = store.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let data = ReportData::of_working_book(&book, &ReportOptions { title, ..Default::default() })?;
    let look = PageLook {
        command: "komadai book shiba NAME".to_owned(),
        ..PageLook::new(Appearance::default().language())
    };
    write_file_with(page, |out| write_report(out, &data, &look))
}
