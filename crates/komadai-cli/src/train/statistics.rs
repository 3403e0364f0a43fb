//! Statistics of training data, as text, JSON or a page.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use komadai::data::tools::{OnDamage, Sources, statistics};
use komadai::report::training_page::{statistics_page, statistics_text};
use komadai_console::{LanguageArgs, Output, note, stdout, write_file};

use super::records::{note_damage, watched};

/// Print statistics of training data: games, results, scores, positions, duplicates, and the scale
/// of scores.
///
/// Damaged records are skipped and counted.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai train statistics data --html data.html\n\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage, 130 stopped by Ctrl-C.")]
pub(super) struct Options {
    /// Folders of training data, and files of records of any format: PSV, HCPE, HCPE3, .pack,
    /// sbinpack (their content decides), or .psv.part of a running generator.
    #[arg(required = true, value_name = "PATHS")]
    paths: Vec<PathBuf>,
    /// Page with charts to write.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    language: LanguageArgs,
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let (found, damage) =
        watched(|watch| statistics(&Sources::find(&options.paths, OnDamage::Skip)?, watch))?;
    note_damage(&damage);
    let language = options.language.language();
    if let Some(path) = &options.html {
        let names: Vec<String> =
            options.paths.iter().map(|path| path.display().to_string()).collect();
        let page = statistics_page(&found, &names.join(", "), language)?;
        write_file(path, page)?;
        // On standard error: a program reads the other figures.
        note!("{}{}", language.choose("page: ", "ページ："), path.display());
    }
    if options.json {
        writeln!(Output::json(), "{}", serde_json::to_string_pretty(&found)?)?;
    } else {
        write!(stdout(), "{}", statistics_text(&found, language))?;
    }
    Ok(ExitCode::SUCCESS)
}
