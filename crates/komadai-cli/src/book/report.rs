//! `book report`: a page about a book, or its data as JSON.

mod json;

use std::ffi::OsStr;
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::ProgressBar;
use komadai::Position;
use komadai::book::{FileKind, WorkingBook};
use komadai::core::UsiPosition;
use komadai::report::book_page::{PageLook, ReportData, ReportOptions, write_report};
use komadai_console::{Appearance, Side, WindowName, note, print_json, stdout, write_file_with};

use crate::book::files::source::{check_is_another, read_graph, read_store};
use crate::book::frontier::selection::position_of;

/// Write a page about a book: its growth, lines, frontier, engines and games.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai book report white.kbook --out white.html --side white")]
pub(crate) struct Options {
    /// Book: .db, .ybb, .bin, .sbk, or a working book, .kbook.
    input: PathBuf,
    /// Page to write.
    #[arg(long, default_value = "report.html")]
    out: PathBuf,
    /// Heading; by default the name of the book, or of its folder if it is called `book`.
    #[arg(long)]
    title: Option<String>,
    /// Side whose lines are shown.
    #[arg(long, value_enum, default_value_t = Side::Both)]
    side: Side,
    /// Moves of the opponent that are followed.
    #[arg(long, value_enum, default_value_t = WindowName::Best)]
    window: WindowName,
    /// Maximum loss of a followed move against the anchor of the window, in centipawns.
    #[arg(long, default_value_t = 30)]
    eval_diff: i32,
    /// Maximum number of lines per side.
    #[arg(long, default_value_t = 40)]
    max_lines: usize,
    /// Maximum number of rows per table.
    #[arg(long, default_value_t = 12)]
    max_rows: usize,
    #[command(flatten)]
    appearance: Appearance,
    /// Root of the lines, as SFEN or `startpos moves …`; by default the start position.
    #[arg(long, value_parser = UsiPosition::from_usi)]
    root: Option<UsiPosition>,
    /// Snapshot of a working book with which values are compared; by default the last one that
    /// differs from the present state.
    #[arg(long)]
    since: Option<String>,
    /// Print the data as JSON and write no page.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    check_is_another(&options.input, &options.out)?;
    let progress = Steps::new();
    let wanted = options.for_library()?;
    progress.step(&format!("reading {}", options.input.display()));
    let data = gather(&options.input, &wanted, &progress)?;
    if options.json {
        progress.finish();
        print_json(&json::of(&data))?;
        return Ok(());
    }
    progress.step("writing the page");
    let appearance = options.appearance;
    let look = PageLook { notation: appearance.notation(), ..PageLook::new(appearance.language()) };
    write_file_with(&options.out, |out| write_report(out, &data, &look))?;
    progress.finish();
    writeln!(stdout(), "{} positions: {}", data.now.positions, options.out.display())?;
    Ok(())
}

fn gather(path: &Path, wanted: &ReportOptions, progress: &Steps) -> anyhow::Result<ReportData> {
    if FileKind::of_book(path)? != FileKind::Store {
        let graph = read_graph(path)?;
        progress.step("gathering numbers");
        return Ok(ReportData::of_graph(&graph, wanted));
    }
    let book = WorkingBook::of_store(read_store(path)?)?;
    progress.step("gathering numbers");
    Ok(ReportData::of_working_book(&book, wanted)?)
}

impl Options {
    fn for_library(&self) -> anyhow::Result<ReportOptions> {
        Ok(ReportOptions {
            title: self.title.clone().unwrap_or_else(|| book_name(&self.input)),
            root: match &self.root {
                Some(root) => position_of(root)?.without_history(),
                None => Position::hirate(),
            },
            sides: self.side.colors().to_vec(),
            window: self.window.into(),
            eval_diff: self.eval_diff,
            max_lines: self.max_lines,
            max_rows: self.max_rows,
            since: self.since.clone(),
            ..ReportOptions::default()
        })
    }
}

/// Returns the name of a book: that of its file without the ending, or of its folder for the files
/// of `komadai grow`.
fn book_name(path: &Path) -> String {
    let name = |part: &OsStr| part.to_string_lossy().into_owned();
    let stem = path.file_stem().filter(|stem| *stem != "book");
    // The path of a file in the present folder names no folder.
    let folder = || Some(name(path.canonicalize().ok()?.parent()?.file_name()?));
    stem.map(name).or_else(folder).unwrap_or_else(|| "book".to_owned())
}

/// The present step: a spinner on a terminal, plain lines elsewhere.
struct Steps(Option<ProgressBar>);

impl Steps {
    fn new() -> Self {
        Self(std::io::stderr().is_terminal().then(|| {
            let spinner = ProgressBar::new_spinner();
            spinner.enable_steady_tick(std::time::Duration::from_millis(120));
            spinner
        }))
    }

    fn step(&self, what: &str) {
        match &self.0 {
            Some(spinner) => spinner.set_message(what.to_owned()),
            None => note!("{what}"),
        }
    }

    fn finish(&self) {
        if let Some(spinner) = &self.0 {
            spinner.finish_and_clear();
        }
    }
}
