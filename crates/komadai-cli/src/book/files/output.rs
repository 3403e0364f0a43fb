//! Books to write, of any format.

use std::error::Error;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use komadai::book::store::Store;
use komadai::book::{FileKind, Fingerprint, Input};
use komadai::bookfile::sorting::SortOptions;
use komadai::bookfile::ybb::{UnknownValues, YbbDepths};
use komadai::bookfile::{BookRecord, ConversionLoss, WriteOptions, write_book};
use komadai::core::AnalystId;
use komadai::kifu::Tolerance;
use komadai_base::atomic_file::Draft;
use komadai_console::{bad_usage, print_json, stdout, warn_of_faults};
use serde_json::{Map, Value, json};

/// The arguments about a book to write.
#[derive(Debug, Args)]
pub(crate) struct WriteArgs {
    /// Format to write: db, ybb, bin, sbk or kbook; by default that of OUT's name.
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    /// Depths of the moves of a .ybb book (six bytes a move instead of four).
    #[arg(long, value_enum, default_value_t = Depths::Write)]
    depths: Depths,
    /// Code for an unknown value in a .ybb book: 0, which some programs treat as even, or 32767,
    /// which some treat as won.
    #[arg(long, value_enum, default_value_t = Unknown::Zero)]
    unknown: Unknown,
    /// Memory for sorting or merging in MiB; the rest goes to temporary files. A .sbk book takes
    /// more, as it is not sorted.
    #[arg(long, default_value_t = 64, value_name = "MIB")]
    memory_mib: usize,
    /// Folder for temporary files; by default that of the system.
    #[arg(long, value_name = "DIR")]
    temp_dir: Option<PathBuf>,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Depths {
    Write,
    Omit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Unknown {
    Zero,
    Marked,
}

/// The result of writing a book.
#[derive(Debug)]
pub(crate) struct Written {
    pub(crate) positions: u64,
    pub(crate) lost: ConversionLoss,
}

impl WriteArgs {
    /// Returns the kind of book to write.
    pub(crate) fn kind(&self, output: &Path) -> anyhow::Result<FileKind> {
        let extension = match &self.to {
            Some(word) => Some(word.trim_start_matches('.')),
            None => output.extension().and_then(OsStr::to_str),
        };
        extension.and_then(FileKind::of_book_extension).ok_or_else(|| match &self.to {
            Some(word) => bad_usage(format_args!(
                "found the format {word:?}, expected db, ybb, bin, sbk or kbook"
            )),
            None => bad_usage(format_args!(
                "{}: unknown format, expected a name ending in .db, .ybb, .bin, .sbk or .kbook, \
                 or the option --to",
                output.display()
            )),
        })
    }

    /// Returns whether the result is to be printed as JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Returns the options of sorting.
    pub(crate) fn sort(&self) -> SortOptions {
        let memory_bytes = self.memory_mib.saturating_mul(1 << 20);
        SortOptions { memory_bytes, temp_dir: self.temp_dir.clone() }
    }

    /// Writes records as a book, completely or not at all. `name` is the file they come from.
    pub(crate) fn write<E: Error + Send + Sync + 'static>(
        &self,
        records: impl Iterator<Item = Result<BookRecord, E>>,
        output: &Path,
        name: &Path,
    ) -> anyhow::Result<Written> {
        let format = match self.kind(output)? {
            FileKind::Book(format) => format,
            _ => return create_store(records, output, name),
        };
        let options = WriteOptions {
            depths: match self.depths {
                Depths::Write => YbbDepths::Write,
                Depths::Omit => YbbDepths::Omit,
            },
            unknown: match self.unknown {
                Unknown::Zero => UnknownValues::Zero,
                Unknown::Marked => UnknownValues::Marked,
            },
            sort: self.sort(),
        };
        let written = write_book(output, format, records, &options)?;
        Ok(Written { positions: written.positions, lost: written.lost })
    }

    /// Prints the result; `more` are further figures.
    pub(crate) fn report(
        &self,
        output: &Path,
        written: &Written,
        more: &[(&str, u64)],
    ) -> io::Result<()> {
        if self.json {
            print_json(&written.to_json(output, more))
        } else {
            written.print(output, more)
        }
    }
}

impl Written {
    /// Prints the result as text.
    pub(crate) fn print(&self, output: &Path, more: &[(&str, u64)]) -> io::Result<()> {
        writeln!(stdout(), "{} positions: {}", self.positions, output.display())?;
        for (what, count) in more {
            writeln!(stdout(), "{what}: {count}")?;
        }
        if !self.lost.is_empty() {
            write!(stdout(), "lost, as the format has no place for it:\n{}", indented(&self.lost))?;
        }
        Ok(())
    }

    /// Returns the result as a JSON object.
    pub(crate) fn to_json(&self, output: &Path, more: &[(&str, u64)]) -> Value {
        let mut object = Map::new();
        object.insert("output".into(), json!(output.display().to_string()));
        object.insert("positions".into(), json!(self.positions));
        for (what, count) in more {
            object.insert(what.replace(' ', "_"), json!(count));
        }
        object.insert("lost".into(), lost_json(&self.lost));
        Value::Object(object)
    }
}

/// Returns the lost data as a JSON object.
pub(crate) fn lost_json(lost: &ConversionLoss) -> Value {
    let kinds = lost.kinds().map(|(kind, count)| (kind.replace(' ', "_"), json!(count)));
    Value::Object(kinds.collect())
}

fn indented(text: &impl std::fmt::Display) -> String {
    text.to_string().lines().fold(String::new(), |mut out, line| {
        writeln!(out, "  {line}").expect("a string can be written to");
        out
    })
}

/// Creates a working book, which gets its name when it is complete.
fn create_store<E: Error + Send + Sync + 'static>(
    records: impl Iterator<Item = Result<BookRecord, E>>,
    output: &Path,
    name: &Path,
) -> anyhow::Result<Written> {
    let exists = || {
        anyhow::anyhow!(
            "{}: the file exists, expected none; `book import` adds to a working book",
            output.display()
        )
    };
    if std::fs::symlink_metadata(output).is_ok() {
        return Err(exists());
    }
    let draft = Draft::new(output)?;
    let store = Store::create(draft.path())?;
    let fingerprint = Fingerprint::of_file(name)?.number();
    let input = Input { fingerprint, games: 0, name: name.display().to_string() };
    let imported = store.import_records(
        &input,
        &AnalystId::imported_from(name),
        records.map(|record| record.map_err(anyhow::Error::from)),
        Tolerance::Lenient,
    )?;
    let import = imported.expect("a new store has not read this input before");
    warn_of_faults(name, import.refused.count(), &import.refused);
    drop(store);
    draft.commit_new()?;
    Ok(Written { positions: import.merged.positions as u64, lost: import.lost })
}
