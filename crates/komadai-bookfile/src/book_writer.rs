//! Writing book files of any format.

use std::error::Error;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use komadai_base::atomic_file::write_atomically;

use crate::apery::AperyWriter;
use crate::book_format::BookFormat;
use crate::conversion_loss::ConversionLoss;
use crate::db::DbWriter;
use crate::file_error::{BookFileError, RecordsError};
use crate::record::BookRecord;
use crate::sbk::SbkWriter;
use crate::sorting::{SortOptions, SortedRecords, sort_records};
use crate::ybb::{UnknownValues, YbbDepths, YbbWriter};

/// The options of writing a book file.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::WriteOptions;
///
/// let mut options = WriteOptions::default();
/// options.sort.memory_bytes = 64 << 20; // larger books are sorted in temporary files
/// assert_eq!(options.sort.temp_dir, None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct WriteOptions {
    /// The depths of moves in a `.ybb` book: written or omitted.
    pub depths: YbbDepths,
    /// The representation of unknown values in a `.ybb` book.
    pub unknown: UnknownValues,
    /// The memory and the temporary folder of sorting. An `.sbk` book is not sorted: the keys of
    /// its positions and the targets of its moves are held in memory.
    pub sort: SortOptions,
}

/// The result of writing a book.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WrittenBook {
    /// The number of positions.
    pub positions: u64,
    /// The data that the format cannot hold.
    pub lost: ConversionLoss,
}

/// Writes records as a book of any format, completely or not at all, and reports the data that the
/// format cannot hold.
///
/// Records may come in any order. A `.db` book is sorted by the bytes of its positions' texts, as
/// programs require that search it on disk, and announces its number of positions; a position that
/// comes twice is written twice. In the other formats the first record of a position is written and
/// the others are counted as [`ConversionLoss`]. An `.sbk` book starts with the start position of
/// the even game, if it has that.
///
/// `.db`, `.ybb` and Apery books of any size are written in the memory that `options.sort` allows.
/// For an `.sbk` book, the keys of the positions and the targets of the moves are in memory,
/// nothing else.
///
/// # Errors
///
/// The first error of `records`, or an error of writing the file or a temporary file. The file that
/// had the name before is then unchanged.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::{BookFile, BookFormat, WriteOptions, write_book};
/// use komadai_bookfile::Tolerance;
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
) -> Result<WrittenBook, RecordsError<E>> {
    let path = path.as_ref();
    let WriteOptions { depths, unknown, sort } = options;
    let mut read = 0;
    let records = records.into_iter().inspect(|record| read += u64::from(record.is_ok()));
    // The records are prepared as far as possible before the file is opened.
    let finish: Finish = match format {
        BookFormat::Db => {
            let sorted = sort_records(records, sort)?;
            Box::new(move |out| write_sorted(sorted, read, out))
        }
        BookFormat::Ybb => {
            let mut writer = YbbWriter::new(*depths, *unknown).sort(sort.clone());
            push_all(records, |record| writer.push(&record))?;
            Box::new(|out| writer.finish(out))
        }
        BookFormat::Apery => {
            let mut writer = AperyWriter::new(sort.clone());
            push_all(records, |record| writer.push(&record))?;
            Box::new(|out| writer.finish(out))
        }
        BookFormat::Sbk => {
            let mut writer = SbkWriter::default().temporary_in(sort.folder());
            push_all(records, |record| writer.push(&record))?;
            Box::new(|out| writer.finish(out))
        }
    };
    let lost = write_atomically(path, finish).map_err(|error| {
        RecordsError::File(BookFileError::Write { path: path.to_owned(), error })
    })?;
    Ok(WrittenBook { positions: read.saturating_sub(lost.positions), lost })
}

/// The last step of writing, which needs the file.
type Finish = Box<dyn FnOnce(&mut BufWriter<File>) -> io::Result<ConversionLoss>>;

fn write_sorted(
    sorted: SortedRecords,
    count: u64,
    out: &mut BufWriter<File>,
) -> io::Result<ConversionLoss> {
    let mut writer = DbWriter::with_count(out, count)?;
    for record in sorted {
        writer.write(&record?)?;
    }
    Ok(writer.finish()?.1)
}

fn push_all<E: Error + 'static>(
    records: impl Iterator<Item = Result<BookRecord, E>>,
    mut push: impl FnMut(BookRecord) -> io::Result<()>,
) -> Result<(), RecordsError<E>> {
    for record in records {
        push(record.map_err(RecordsError::Source)?).map_err(RecordsError::temporary)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use komadai_base::reading::Tolerance;
    use komadai_core::{Position, Score};
    use komadai_testdata::books::synthetic;

    use super::*;
    use crate::book_file::BookFile;
    use crate::db::DbReader;
    use crate::record::RecordMove;

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

    /// A book whose start position comes last.
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
        assert!(written.lost.is_empty());
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
    fn files_are_the_same_in_any_memory() {
        // In a bad order, with every second position twice.
        let records = synthetic::books().flat_map(|book| {
            let reader = DbReader::new(book.solved.as_bytes(), Tolerance::Strict);
            reader.map(Result::unwrap).collect::<Vec<_>>()
        });
        let records: Vec<BookRecord> = records.collect();
        let records: Vec<_> = records.iter().rev().chain(records.iter().step_by(2)).collect();
        let folder = tempfile::tempdir().unwrap();
        for format in BookFormat::ALL {
            let write = |memory_bytes| {
                let sort = SortOptions { memory_bytes, temp_dir: Some(folder.path().to_owned()) };
                let options = WriteOptions { sort, ..WriteOptions::default() };
                let path = folder.path().join("book");
                let records = records.iter().copied().cloned().map(Ok::<_, Infallible>);
                let written = write_book(&path, format, records, &options).unwrap();
                (std::fs::read(&path).unwrap(), written)
            };
            let (whole, written) = write(1 << 30);
            assert!(written.lost.positions > 0 || format == BookFormat::Db, "{format}");
            for memory_bytes in [0, 10_000, 200_000] {
                assert!(write(memory_bytes) == (whole.clone(), written.clone()), "{format}");
            }
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
            assert!(matches!(failed, Err(RecordsError::Source(_))), "{format}");
            assert_eq!(std::fs::read(&path).unwrap(), b"before");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        let nowhere = folder.path().join("no/folder.db");
        let none = std::iter::empty::<Result<BookRecord, Infallible>>();
        let error = write_book(&nowhere, BookFormat::Db, none, &WriteOptions::default());
        assert!(error.unwrap_err().to_string().starts_with(&nowhere.display().to_string()));
    }
}
