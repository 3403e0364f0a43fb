//! Writing book files of any format.

use std::error::Error;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use komadai_core::Position;

use crate::apery::AperyWriter;
use crate::atomic_file::write_atomically;
use crate::book_file::BookFormat;
use crate::db::DbWriter;
use crate::lost::Lost;
use crate::record::BookRecord;
use crate::sbk::SbkWriter;
use crate::sorting::{SortError, SortOptions, SortedRecords, sort_records};
use crate::ybb::{UnknownValues, YbbDepths, YbbWriter};

/// How a book file is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WriteOptions {
    /// Whether the moves of a `.ybb` book have depths.
    pub depths: YbbDepths,
    /// What stands for unknown values in a `.ybb` book.
    pub unknown: UnknownValues,
    /// How much memory sorting a `.db` book may use. The other formats are held whole, as they are
    /// written in another order than that in which records come.
    pub sort: SortOptions,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrittenBook {
    /// The number of positions.
    pub positions: u64,
    /// What the format has no place for.
    pub lost: Lost,
}

/// Why a book file cannot be written. What was there under its name before is still there.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteBookError<E: Error + 'static> {
    /// The source of records failed.
    #[error(transparent)]
    Records(E),
    /// A temporary file of sorting failed.
    #[error("a temporary file of sorting failed: {0}")]
    Temporary(#[source] io::Error),
    /// The file cannot be written.
    #[error("{}: cannot write: {error}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What happened.
        #[source]
        error: io::Error,
    },
}

/// Writes records as a book of whichever format, whole or not at all, and says what the format had no
/// place for.
///
/// Records may come in any order. A `.db` book is sorted by the bytes of its positions' texts, as
/// programs need that search it on disk, and announces their number; positions that come twice stay
/// there twice. In the other formats the first of them is written and the others are counted as
/// [`Lost`]. A `.sbk` book begins with the start of the game, if it has that.
///
/// # Errors
///
/// The first error of `records`, or if the file cannot be written.
///
/// # Examples
///
/// ```
/// use komadai_book::{BookFile, BookFormat, WriteOptions, write_book};
/// use komadai_kifu::Tolerance;
///
/// let folder = tempfile::tempdir()?;
/// let (db, ybb) = (folder.path().join("book.db"), folder.path().join("book.ybb"));
/// std::fs::write(&db, "#YANEURAOU-DB2016 1.00\n\
///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
///     7g7f none 30 12 100\n")?;
/// let records = BookFile::open(&db, Tolerance::Strict)?;
/// let written = write_book(&ybb, BookFormat::Ybb, records, &WriteOptions::default())?;
/// assert_eq!(written.positions, 1);
/// assert_eq!(written.lost.to_string(), "counts of moves: 1\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_book<E: Error + 'static>(
    path: impl AsRef<Path>,
    format: BookFormat,
    records: impl IntoIterator<Item = Result<BookRecord, E>>,
    options: &WriteOptions,
) -> Result<WrittenBook, WriteBookError<E>> {
    let path = path.as_ref();
    let mut draft = Draft::new(format, records, options)?;
    let lost = write_atomically(path, |out| draft.write(out));
    let lost = lost.map_err(|error| WriteBookError::Write { path: path.to_owned(), error })?;
    Ok(WrittenBook { positions: draft.read.saturating_sub(lost.positions), lost })
}

/// Records as far as they can be prepared without a file.
struct Draft {
    read: u64,
    content: Content,
}

enum Content {
    Db(Box<SortedRecords>),
    Ybb(YbbWriter),
    Apery(AperyWriter),
    Sbk(SbkWriter),
}

impl Draft {
    fn new<E: Error + 'static>(
        format: BookFormat,
        records: impl IntoIterator<Item = Result<BookRecord, E>>,
        options: &WriteOptions,
    ) -> Result<Self, WriteBookError<E>> {
        let mut read = 0;
        let records = records.into_iter().inspect(|record| read += u64::from(record.is_ok()));
        let content = match format {
            BookFormat::Db => {
                let sorted = sort_records(records, &options.sort).map_err(|error| match error {
                    SortError::Input(error) => WriteBookError::Records(error),
                    SortError::Temporary(error) => WriteBookError::Temporary(error),
                });
                Content::Db(Box::new(sorted?))
            }
            BookFormat::Ybb => {
                let mut writer = YbbWriter::new(options.depths, options.unknown);
                push_all(records, |record| writer.push(&record))?;
                Content::Ybb(writer)
            }
            BookFormat::Apery => {
                let mut writer = AperyWriter::default();
                push_all(records, |record| writer.push(&record))?;
                Content::Apery(writer)
            }
            BookFormat::Sbk => Content::Sbk(collect_sbk(records)?),
        };
        Ok(Self { read, content })
    }

    fn write(&mut self, out: &mut BufWriter<File>) -> io::Result<Lost> {
        match &mut self.content {
            Content::Db(sorted) => {
                let mut writer = DbWriter::with_count(out, self.read)?;
                for record in sorted {
                    writer.write(&record?)?;
                }
                Ok(writer.finish()?.1)
            }
            Content::Ybb(writer) => std::mem::take(writer).finish(out),
            Content::Apery(writer) => std::mem::take(writer).finish(out),
            Content::Sbk(writer) => std::mem::take(writer).finish(out),
        }
    }
}

fn push_all<E: Error + 'static>(
    mut records: impl Iterator<Item = Result<BookRecord, E>>,
    mut push: impl FnMut(BookRecord),
) -> Result<(), WriteBookError<E>> {
    records.try_for_each(|record| record.map(&mut push)).map_err(WriteBookError::Records)
}

/// ShogiGUI shows the first state first, which should be the start of the game. Whatever comes before
/// it must wait; in a sorted book that is about half of all.
fn collect_sbk<E: Error + 'static>(
    records: impl Iterator<Item = Result<BookRecord, E>>,
) -> Result<SbkWriter, WriteBookError<E>> {
    let start = Position::hirate();
    let is_start = |record: &BookRecord| record.position.key() == start.key();
    let mut writer = SbkWriter::new("", "");
    let (mut waiting, mut has_begun) = (Vec::new(), false);
    push_all(records, |record| {
        if has_begun || is_start(&record) {
            writer.push(&record);
            waiting.drain(..).for_each(|before| writer.push(&before));
            has_begun = true;
        } else {
            waiting.push(record);
        }
    })?;
    waiting.iter().for_each(|record| writer.push(record));
    Ok(writer)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use komadai_core::Score;

    use super::*;
    use crate::{BookFile, RecordMove};
    use komadai_kifu::Tolerance;

    fn record(line: &str, moves: &[&str]) -> BookRecord {
        let mut position = Position::hirate();
        line.split_whitespace().for_each(|m| position.do_move(m.parse().unwrap()));
        let mut record = BookRecord::new(position.without_history());
        for (place, m) in moves.iter().enumerate() {
            let m = RecordMove::new(m.parse().unwrap());
            record.moves.push(RecordMove { score: Some(Score::cp(place as i32)), ..m });
        }
        record
    }

    /// A book of whose positions the start comes last.
    fn book() -> [BookRecord; 3] {
        [record("7g7f", &["3c3d"]), record("7g7f 3c3d", &["2g2f"]), record("", &["7g7f", "2g2f"])]
    }

    fn write(format: BookFormat, records: &[BookRecord]) -> (Vec<BookRecord>, WrittenBook) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(format!("book.{format}"));
        let records = records.iter().cloned().map(Ok::<_, Infallible>);
        let written = write_book(&path, format, records, &WriteOptions::default()).unwrap();
        let read = BookFile::open(&path, Tolerance::Strict).unwrap();
        (read.map(Result::unwrap).collect(), written)
    }

    #[test]
    fn every_format_has_all_positions_and_moves() {
        let known = |records: &[BookRecord]| {
            let moves = |record: &BookRecord| {
                let moves = record.moves.iter().map(|listed| listed.m.to_string());
                (record.position.key(), moves.collect::<Vec<_>>())
            };
            let mut known: Vec<_> = records.iter().map(moves).collect();
            known.sort();
            known
        };
        for format in BookFormat::ALL {
            let (read, written) = write(format, &book());
            assert_eq!(known(&read), known(&book()), "{format}");
            assert_eq!((written.positions, written.lost.positions), (3, 0), "{format}");
        }
    }

    #[test]
    fn a_db_is_sorted_and_an_sbk_begins_with_the_start() {
        let (read, written) = write(BookFormat::Db, &book());
        assert!(written.lost.is_nothing());
        let texts: Vec<String> = read.iter().map(|record| record.position.to_string()).collect();
        assert!(texts.is_sorted(), "{texts:?}");
        let (read, _) = write(BookFormat::Sbk, &book());
        assert_eq!(read[0].position.key(), Position::hirate().key());
    }

    #[test]
    fn positions_that_come_twice_are_kept_or_counted() {
        let [first, ..] = book();
        let twice = [first.clone(), first];
        for format in BookFormat::ALL {
            let (read, written) = write(format, &twice);
            let kept = if format == BookFormat::Db { 2 } else { 1 };
            assert_eq!((read.len() as u64, written.positions), (kept, kept), "{format}");
            assert_eq!(written.lost.positions, 2 - kept, "{format}");
        }
    }

    #[test]
    fn a_source_that_fails_leaves_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.db");
        std::fs::write(&path, "before").unwrap();
        for format in BookFormat::ALL {
            let [first, ..] = book();
            let records = [Ok(first), Err(io::Error::other("broken"))];
            let failed = write_book(&path, format, records, &WriteOptions::default());
            assert!(matches!(failed, Err(WriteBookError::Records(_))), "{format}");
            assert_eq!(std::fs::read(&path).unwrap(), b"before");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        let nowhere = folder.path().join("no/folder.db");
        let none = std::iter::empty::<Result<BookRecord, Infallible>>();
        let error = write_book(&nowhere, BookFormat::Db, none, &WriteOptions::default());
        assert!(error.unwrap_err().to_string().starts_with(&nowhere.display().to_string()));
    }
}
