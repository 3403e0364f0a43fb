//! Conversion of game records between formats.

mod lost;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use komadai::kifu::text::{TextEncoding, TextForm};
use komadai::kifu::{
    GameWriteError, GameWriter, KifuFormat, RecordFiles, RecordFilesOptions, Tolerance,
};
use komadai_base::atomic_file::AtomicFile;
use komadai_console::{Output as StandardOutput, Program, bad_usage, check_is_new, note, stdout};

use crate::arguments::faults::{exit_code, failure, print_faults};
use crate::arguments::record::{encoding_of, format_of};
use lost::Lost;

/// Convert game records between formats.
///
/// The format of the input is found in its content: CSA, KIF, KI2, JKF, USEN, or games in USI, also
/// inside archives (.gz, .zip, .7z) and folders. The ending of the output decides its format: .csa .kif
/// .kifu .ki2 .ki2u .jkf .usen .usi .sfen; --to names it for another ending, and for standard
/// output. What the output does not keep is listed.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  komadai convert game.csa game.kif\n  komadai convert game.kif - --to csa\n\n\
                  .kif and .ki2 are Shift_JIS with CRLF, the others UTF-8. .csa, .usi and .sfen hold any number\n\
                  of games, the others one. A .usi or .sfen file has one game a line, `startpos moves …`, the main line.\n\
                  Games are written one by one, in bounded memory. The output appears when it is complete.\n\
                  On standard output the encoding is UTF-8, and what was lost is listed on standard error.\n\
                  Exit codes: 0 done, also if the format does not keep something; 1 failed, or moves of games or\n\
                  whole files could not be read, but the rest is written; 2 bad usage."
)]
pub struct ConvertArgs {
    /// File, archive or folder with games.
    input: PathBuf,
    /// File to write; `-` for standard output.
    output: PathBuf,
    /// Format of the output, by default that of its ending.
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<FormatName>,
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

#[derive(Debug, Clone, Copy, ValueEnum)]
enum FormatName {
    Csa,
    Kif,
    Ki2,
    Jkf,
    Usen,
    /// Games in USI, one a line.
    #[value(alias = "sfen")]
    Usi,
}

/// The place of the output.
enum Output {
    File(AtomicFile),
    Stdout(io::BufWriter<StandardOutput>),
}

/// Number of files with errors that are printed.
const LISTED_FILES: u64 = 20;

impl Program for ConvertArgs {
    const SUBCOMMAND: &'static str = "convert";

    fn run(&self) -> anyhow::Result<ExitCode> {
        let format = self.format()?;
        let is_stdout = self.is_stdout();
        check_is_new(&self.output, is_stdout || self.force)?;
        // Before the output is created: the usual mistake costs one line.
        fs::metadata(&self.input).with_context(|| self.input.display().to_string())?;
        let cannot_write = || format!("cannot write {}", self.output.display());
        let output = if is_stdout {
            Output::Stdout(io::BufWriter::new(stdout()))
        } else {
            Output::File(AtomicFile::create(&self.output).with_context(cannot_write)?)
        };
        let mut writer = GameWriter::new(output, format, self.form(format));
        let mut files = RecordFiles::open(&self.input, self.options());
        let lost = self.write_games(&mut files, &mut writer);
        let failed = files.report().failed;
        let skipped = files.into_skipped();
        print_faults(&skipped);
        // The faults tell why a file has no game.
        let lost = lost?;
        if failed > 0 {
            let plural = if failed == 1 { "" } else { "s" };
            note!("skipped: {failed} file{plural} or part{plural} of files");
        }
        let games = writer.games();
        writer.into_inner().commit().with_context(cannot_write)?;
        let plural = if games == 1 { "" } else { "s" };
        if is_stdout {
            lost.to_string().lines().for_each(|line| note!("{line}"));
        } else {
            let mut out = stdout();
            writeln!(out, "{}: {games} game{plural}", self.output.display())?;
            write!(out, "{lost}")?;
        }
        Ok(exit_code(skipped.lost_moves() + failed))
    }
}

impl Output {
    /// Makes the file appear, or writes the rest.
    fn commit(self) -> io::Result<()> {
        match self {
            Self::File(file) => file.commit(),
            Self::Stdout(mut out) => out.flush(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Stdout(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Stdout(out) => out.flush(),
        }
    }
}

impl ConvertArgs {
    fn is_stdout(&self) -> bool {
        self.output == Path::new("-")
    }

    fn format(&self) -> anyhow::Result<KifuFormat> {
        match self.to {
            Some(FormatName::Csa) => return Ok(KifuFormat::Csa),
            Some(FormatName::Kif) => return Ok(KifuFormat::Kif),
            Some(FormatName::Ki2) => return Ok(KifuFormat::Ki2),
            Some(FormatName::Jkf) => return Ok(KifuFormat::Jkf),
            Some(FormatName::Usen) => return Ok(KifuFormat::Usen),
            Some(FormatName::Usi) => return Ok(KifuFormat::Usi),
            None if self.is_stdout() => {
                return Err(bad_usage("standard output has no ending: --to names the format"));
            }
            None => {}
        }
        format_of(&self.output).with_context(|| {
            let extension = self.output.extension().and_then(|extension| extension.to_str());
            format!(
                "{}: found the ending {:?}, expected .csa, .kif, .kifu, .ki2, .ki2u, .jkf, .usen, .usi or .sfen, \
                 or --to",
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
        TextForm { replacement: self.replace, ..TextForm::new(encoding) }
    }

    fn options(&self) -> RecordFilesOptions {
        let tolerance = if self.strict { Tolerance::Strict } else { Tolerance::Lenient };
        RecordFilesOptions { tolerance, ..RecordFilesOptions::default() }
    }

    /// Writes each game before the next one is read. Returns what the games lost.
    fn write_games(
        &self,
        files: &mut RecordFiles,
        writer: &mut GameWriter<Output>,
    ) -> anyhow::Result<Lost> {
        let mut lost = Lost::default();
        let mut read = 0;
        // The failure of the first file is the message if there is no game.
        let mut first_failure = None;
        while let Some(found) = files.next() {
            let record = match found.record {
                Ok(record) => record,
                Err(error) if self.strict => bail!("{}", failure(&found.place, error)),
                Err(error) => {
                    let failed = files.report().failed;
                    if failed == 1 && read == 0 {
                        first_failure = Some(failure(&found.place, error));
                    } else if failed <= LISTED_FILES {
                        first_failure.take().iter().for_each(|failure| note!("{failure}"));
                        note!("{}", failure(&found.place, error));
                    }
                    continue;
                }
            };
            read += 1;
            first_failure.take().iter().for_each(|failure| note!("{failure}"));
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
            _ if first_failure.is_some() => bail!("{}", first_failure.unwrap_or_default()),
            Some(number) if read > 0 => bail!("there is no game {number} of {read}"),
            _ => bail!("{} has no game", self.input.display()),
        }
    }
}
