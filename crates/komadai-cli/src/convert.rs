//! Conversion of game records between formats.

mod lost;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::arguments::faults::print_faults;
use crate::arguments::record_format::{encoding_of, format_of};
use anyhow::{Context as _, bail, ensure};
use clap::{Args, ValueEnum};
use komadai::bookfile::atomic_file::AtomicFile;
use komadai::kifu::text::{TextEncoding, TextForm};
use komadai::kifu::{
    GameWriteError, GameWriter, KifuFormat, RecordFiles, RecordFilesOptions, Tolerance,
};
use komadai_console::output::stdout;
use komadai_console::{Program, note};
use lost::Lost;

/// Convert game records between formats.
///
/// The format of the input is found in its content: CSA, KIF, KI2, JKF, USEN, or games in USI, also inside
/// archives (.gz, .zip) and folders. The ending of the output decides its format: .csa .kif .kifu .ki2 .ki2u .jkf
/// .usen .usi .sfen. What the output does not keep is listed.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai convert game.csa game.kif\n\n\
                  .kif and .ki2 are Shift_JIS with CRLF, the others UTF-8. .csa, .usi and .sfen hold any number\n\
                  of games, the others one. A .usi or .sfen file has one game a line, `startpos moves …`, the main line.\n\
                  Games are written one by one, in bounded memory. The output appears when it is complete.\n\
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
        let cannot_write = || format!("cannot write {}", self.output.display());
        let output = AtomicFile::create(&self.output).with_context(cannot_write)?;
        let mut writer = GameWriter::new(output, format, self.form(format));
        let mut files = RecordFiles::open(&self.input, self.options());
        let lost = self.write_games(&mut files, &mut writer)?;
        let failed = files.report().failed;
        print_faults(&files.into_skipped());
        if failed > 0 {
            note!("skipped: {failed} files or parts of files");
        }
        let games = writer.games();
        writer.into_inner().commit().with_context(cannot_write)?;
        let plural = if games == 1 { "" } else { "s" };
        let mut out = stdout();
        writeln!(out, "{}: {games} game{plural}", self.output.display())?;
        write!(out, "{lost}")?;
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

    fn options(&self) -> RecordFilesOptions {
        let tolerance = if self.strict { Tolerance::Strict } else { Tolerance::Lenient };
        RecordFilesOptions::default().with_tolerance(tolerance)
    }

    /// Writes each game before the next one is read. Returns what the games lost.
    fn write_games(
        &self,
        files: &mut RecordFiles,
        writer: &mut GameWriter<AtomicFile>,
    ) -> anyhow::Result<Lost> {
        let mut lost = Lost::default();
        let mut read = 0;
        while let Some(found) = files.next() {
            let record = match found.record {
                Ok(record) => record,
                Err(error) if self.strict => bail!("{}: {error}", found.place),
                Err(error) => {
                    if files.report().failed <= LISTED_FILES {
                        note!("{}: {error}", found.place);
                    }
                    continue;
                }
            };
            read += 1;
            if self.game.is_some_and(|number| number != read) {
                continue;
            }
            lost.add(writer.write(&record).map_err(|error| match error {
                // The rest is not read; it may have any number of games.
                GameWriteError::SecondGame { .. } => anyhow::anyhow!(
                    "{} has at least 2 games, and the format holds one; --game N takes one of them",
                    self.input.display()
                ),
                error => anyhow::Error::new(error).context(found.place.to_string()),
            })?);
            if self.game.is_some() {
                break;
            }
        }
        match self.game {
            _ if writer.games() > 0 => Ok(lost),
            Some(number) if read > 0 => bail!("there is no game {number} of {read}"),
            _ => bail!("{} has no game", self.input.display()),
        }
    }
}
