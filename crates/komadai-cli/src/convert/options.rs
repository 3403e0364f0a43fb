//! The arguments of a conversion.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use komadai::kifu::text::{TextEncoding, TextForm};
use komadai::kifu::{KifuFormat, RecordFilesOptions, Tolerance};
use komadai_console::bad_usage;

use crate::arguments::record::format_of;

/// Number of files with errors that are printed.
pub(super) const LISTED_FILES: u64 = 20;

/// Convert game records between formats.
///
/// The format of the input is found in its content: CSA, KIF, KI2, JKF, USEN, or games in USI, also
/// inside archives (.gz, .zip, .7z) and folders. The ending of the output decides its format: .csa .kif
/// .kifu .ki2 .ki2u .jkf .usen .usi .sfen; --to names it for another ending, and for standard
/// output. A folder as output receives a file for each game, under the names and subfolders of the
/// input. What the output does not keep is listed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    komadai convert game.csa game.kif\n  \
    komadai convert game.kif - --to csa\n  \
    komadai convert kifs/ csas/ --to csa\n\n\
    .kif and .ki2 are Shift_JIS with CRLF, the others UTF-8. .csa, .usi and .sfen hold any number of \
    games, the others one. A .usi or .sfen file has one game a line, `startpos moves …`, the main \
    line. Games are written one by one, in bounded memory. The output appears when it is complete. On \
    standard output the encoding is UTF-8, and what was lost is listed on standard error.\n\n\
    In a folder, games of a file with several get numbers: many.csa becomes many-1.kif, many-2.kif; \
    those of an archive are in a folder of its name. Files that differ only in their endings keep \
    them: a.csa.kif, a.ki2.kif.\n\n\
    Exit codes: 0 done, also if the format does not keep something; 1 failed, or moves of games or \
    whole files could not be read, but the rest is written; 2 bad usage; 130 stopped by Ctrl-C.")]
pub struct ConvertArgs {
    /// File, archive or folder with games.
    pub(super) input: PathBuf,
    /// File to write, folder for a file a game, or `-` for standard output.
    pub(super) output: PathBuf,
    /// Format of the output, by default that of its ending.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(super) to: Option<FormatName>,
    /// Refuse faults in the input instead of skipping and naming them.
    #[arg(long)]
    pub(super) strict: bool,
    /// Number of the game to convert, from 1, if the input has several.
    #[arg(long, value_name = "N")]
    pub(super) game: Option<usize>,
    /// Encoding of the output.
    #[arg(long, value_enum)]
    pub(super) encoding: Option<EncodingName>,
    /// Character in place of those that the encoding does not have. Without it they are refused.
    #[arg(long, value_name = "CHARACTER")]
    pub(super) replace: Option<char>,
    /// Replace the output if it exists.
    #[arg(long)]
    pub(super) force: bool,
    /// Number of files converted at the same time, if the output is a folder; by default one per
    /// core.
    #[arg(long, value_name = "N")]
    pub(super) jobs: Option<NonZero<usize>>,
    /// Print no progress.
    #[arg(long, short)]
    pub(super) quiet: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum EncodingName {
    #[value(name = "utf-8")]
    Utf8,
    /// UTF-8 after a byte order mark.
    #[value(name = "utf-8-bom")]
    Utf8Bom,
    #[value(name = "shift-jis")]
    ShiftJis,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum FormatName {
    Csa,
    Kif,
    Ki2,
    Jkf,
    Usen,
    /// Games in USI, one a line.
    #[value(alias = "sfen")]
    Usi,
}

impl FormatName {
    pub(super) fn format(self) -> KifuFormat {
        match self {
            Self::Csa => KifuFormat::Csa,
            Self::Kif => KifuFormat::Kif,
            Self::Ki2 => KifuFormat::Ki2,
            Self::Jkf => KifuFormat::Jkf,
            Self::Usen => KifuFormat::Usen,
            Self::Usi => KifuFormat::Usi,
        }
    }
}

impl ConvertArgs {
    pub(super) fn is_stdout(&self) -> bool {
        self.output == Path::new("-")
    }

    /// Checks for an output that is a folder: one that exists, a name with a slash at its end, or
    /// any name without the ending of a format, if the input is a folder.
    pub(super) fn is_to_folder(&self) -> bool {
        let has_slash = self.output.as_os_str().as_encoded_bytes().ends_with(b"/");
        let is_named = || self.input.is_dir() && format_of(&self.output).is_none();
        !self.is_stdout() && (self.output.is_dir() || has_slash || is_named())
    }

    pub(super) fn format(&self) -> anyhow::Result<KifuFormat> {
        match self.to {
            Some(name) => return Ok(name.format()),
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

    pub(super) fn form(&self, path: &Path, format: KifuFormat) -> TextForm {
        let encoding = match self.encoding {
            Some(EncodingName::Utf8) => TextEncoding::Utf8,
            Some(EncodingName::Utf8Bom) => TextEncoding::Utf8Bom,
            Some(EncodingName::ShiftJis) => TextEncoding::ShiftJis,
            None => TextEncoding::of_path(path, format),
        };
        TextForm { replacement: self.replace, ..TextForm::new(encoding) }
    }

    pub(super) fn options(&self) -> RecordFilesOptions {
        let tolerance = if self.strict { Tolerance::Strict } else { Tolerance::Lenient };
        tolerance.into()
    }
}
