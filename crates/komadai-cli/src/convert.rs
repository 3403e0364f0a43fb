//! Conversion of game records between formats.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::arguments::faults::print_faults;
use crate::arguments::record_format::{encoding_of, format_of};
use anyhow::{Context as _, bail, ensure};
use clap::{Args, ValueEnum};
use komadai::bookfile::atomic_file::write_atomically;
use komadai::kifu::text::{TextEncoding, TextForm};
use komadai::kifu::{
    CsaWriteOptions, KifuFormat, Loss, Record, RecordFiles, RecordFilesOptions, Tolerance,
    parse_records, write_csa_games,
};
use komadai_console::output::stdout;
use komadai_console::{Program, note};

/// Convert game records between formats.
///
/// The format of the input is found in its content: CSA, KIF, KI2, JKF, USEN, or games in USI, also inside
/// archives (.gz, .zip) and folders. The ending of the output decides its format: .csa .kif .kifu .ki2 .ki2u .jkf
/// .usen .usi .sfen. What the output does not keep is listed.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai convert game.csa game.kif\n\n\
                  .kif and .ki2 are Shift_JIS with CRLF, the others UTF-8. .csa, .usi and .sfen hold any number\n\
                  of games, the others one. A .usi or .sfen file has one game a line, `startpos moves …`, the main line.\n\
                  Exit codes: 0 done, also if something was lost, 1 failed, 2 bad usage.")]
pub struct ConvertArgs {
    /// File, archive or folder with games.
    input: PathBuf,
    /// File to write.
    output: PathBuf,
    /// Refuse faults in the input instead of skipping and naming them.
    #[arg(long)]
    strict: bool,
    /// Number of the game to convert, from 1, if the input has several.
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// Encoding of the output.
    #[arg(long, value_enum)]
    encoding: Option<EncodingName>,
    /// Character in place of those that the encoding does not have. Without it they are refused.
    #[arg(long, value_name = "CHARACTER")]
    replace: Option<char>,
    /// Replace the output if it exists.
    #[arg(long)]
    force: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum EncodingName {
    #[value(name = "utf-8")]
    Utf8,
    /// UTF-8 after a byte order mark.
    #[value(name = "utf-8-bom")]
    Utf8Bom,
    #[value(name = "shift-jis")]
    ShiftJis,
}

/// Number of files with errors that are printed.
const LISTED_FILES: u64 = 20;

impl Program for ConvertArgs {
    const SUBCOMMAND: &'static str = "convert";

    fn run(&self) -> anyhow::Result<ExitCode> {
        let format = self.format()?;
        ensure!(
            self.force || !self.output.exists(),
            "{} exists; --force replaces it",
            self.output.display()
        );
        let records = self.read()?;
        let text = write_all(&records, format)?;
        let lost = losses(&records, &text, format)?;
        let bytes = self.form(format).encode(&text);
        let bytes = bytes.with_context(|| self.output.display().to_string())?;
        write_atomically(&self.output, |out| out.write_all(&bytes))
            .with_context(|| format!("cannot write {}", self.output.display()))?;
        let plural = if records.len() == 1 { "" } else { "s" };
        let mut out = stdout();
        writeln!(out, "{}: {} game{plural}", self.output.display(), records.len())?;
        for (what, games) in lost {
            match (games, records.len()) {
                (_, 1) => writeln!(out, "lost: {what}")?,
                (games, _) => writeln!(out, "lost in {games} games: {what}")?,
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl ConvertArgs {
    fn format(&self) -> anyhow::Result<KifuFormat> {
        format_of(&self.output).with_context(|| {
            let extension = self.output.extension().and_then(|extension| extension.to_str());
            format!(
                "{}: found the ending {:?}, expected .csa, .kif, .kifu, .ki2, .ki2u, .jkf, .usen, .usi or .sfen",
                self.output.display(),
                extension.unwrap_or_default()
            )
        })
    }

    fn form(&self, format: KifuFormat) -> TextForm {
        let encoding = match self.encoding {
            Some(EncodingName::Utf8) => TextEncoding::Utf8,
            Some(EncodingName::Utf8Bom) => TextEncoding::Utf8Bom,
            Some(EncodingName::ShiftJis) => TextEncoding::ShiftJis,
            None => encoding_of(&self.output, format),
        };
        let form = TextForm::new(encoding);
        self.replace.map_or(form, |replacement| form.with_replacement(replacement))
    }

    fn read(&self) -> anyhow::Result<Vec<Record>> {
        let tolerance = if self.strict { Tolerance::Strict } else { Tolerance::Lenient };
        let options = RecordFilesOptions::default().with_tolerance(tolerance);
        let mut files = RecordFiles::open(&self.input, options);
        let mut records = Vec::new();
        while let Some(found) = files.next() {
            match found.record {
                Ok(record) => records.push(record),
                Err(error) if self.strict => bail!("{}: {error}", found.place),
                Err(error) if files.report().failed <= LISTED_FILES => {
                    note!("{}: {error}", found.place);
                }
                Err(_) => {}
            }
        }
        print_faults(&files);
        if files.report().failed > 0 {
            note!("skipped: {} files or parts of files", files.report().failed);
        }
        ensure!(!records.is_empty(), "{} has no game", self.input.display());
        let Some(number) = self.game else { return Ok(records) };
        let count = records.len();
        let chosen = records.into_iter().nth(number.wrapping_sub(1));
        let chosen = chosen.with_context(|| format!("there is no game {number} of {count}"))?;
        Ok(vec![chosen])
    }
}

fn write_all(records: &[Record], format: KifuFormat) -> anyhow::Result<String> {
    match (records, format) {
        (records, KifuFormat::Csa) => Ok(write_csa_games(records, &CsaWriteOptions::default())?),
        (records, KifuFormat::Usi) => {
            let mut text = String::new();
            for record in records {
                writeln!(text, "{}", record.to_usi_line())?;
            }
            Ok(text)
        }
        ([record], format) => Ok(record.to_text(format)?),
        (records, _) => {
            bail!("{} games, and the format holds one; --game N takes one of them", records.len())
        }
    }
}

/// Reads the text back, and counts for each loss the games that have it.
fn losses(
    records: &[Record],
    text: &str,
    format: KifuFormat,
) -> anyhow::Result<BTreeMap<String, usize>> {
    let again = parse_records(text, format, Tolerance::Lenient)?.records;
    ensure!(again.len() == records.len(), "the text that was written cannot be read back");
    let mut lost = BTreeMap::new();
    for (record, kept) in records.iter().zip(&again) {
        for loss in record.losses(kept) {
            let name = match (records.len(), &loss) {
                (1, loss) => loss.to_string(),
                // Of many games only the kinds are named.
                (_, Loss::Header { key, .. }) => format!("header {key:?}"),
                (_, loss) => loss
                    .to_string()
                    .trim_start_matches(|c: char| c.is_ascii_digit())
                    .trim()
                    .to_owned(),
            };
            *lost.entry(name).or_default() += 1;
        }
    }
    Ok(lost)
}
