//! Sorting of records.

use std::error::Error;
use std::io;

use super::external::{ExternalSort, SortOptions, Sorted};
use super::order::Order;
use super::run::damaged;
use crate::file_error::RecordsError;
use crate::record::BookRecord;

/// Records in order: see [`sort_records`].
///
/// Errors come from temporary files; nothing follows an error.
#[derive(Debug)]
pub struct SortedRecords {
    order: Order,
    entries: Sorted,
}

/// Sorts the records of a book by the bytes of their text, as programs require that search a `.db`
/// file on disk: board, side, hands and move number, as `.db` writes them. The sort is stable, and
/// no record is dropped.
///
/// Records that do not fit into `options.memory_bytes` are written to temporary files, which are
/// merged: a book of any size can be sorted in any memory. Sorting on disk writes and reads
/// everything once for each factor of 64 between the size of the book and that memory. It takes O(n
/// log n) comparisons.
///
/// # Errors
///
/// The first error of `records`, or one of a temporary file.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::db::DbReader;
/// use komadai_bookfile::sorting::{SortOptions, sort_records};
/// use komadai_bookfile::Tolerance;
///
/// let text = "#YANEURAOU-DB2016 1.00\n\
///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
///     7g7f\n\
///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n\
///     3c3d\n";
/// let book = DbReader::new(text.as_bytes(), Tolerance::Strict);
/// let sorted = sort_records(book, &SortOptions::default())?;
/// let plies = sorted.map(|record| Ok(record?.ply)).collect::<std::io::Result<Vec<_>>>()?;
/// assert_eq!(plies, [Some(2), Some(1)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sort_records<E: Error + 'static>(
    records: impl IntoIterator<Item = Result<BookRecord, E>>,
    options: &SortOptions,
) -> Result<SortedRecords, RecordsError<E>> {
    let mut sort = ExternalSort::new(options.clone());
    for record in records {
        let record = record.map_err(RecordsError::Source)?;
        sort.push(Order::Text.entry(&record)).map_err(RecordsError::temporary)?;
    }
    SortedRecords::new(Order::Text, sort).map_err(RecordsError::temporary)
}

impl SortedRecords {
    pub(super) fn new(order: Order, sort: ExternalSort) -> io::Result<Self> {
        Ok(Self { order, entries: sort.finish()? })
    }
}

impl Iterator for SortedRecords {
    type Item = io::Result<BookRecord>;

    fn next(&mut self) -> Option<io::Result<BookRecord>> {
        let entry = match self.entries.next()? {
            Ok(entry) => entry,
            Err(error) => return Some(Err(error)),
        };
        Some(self.order.record(&entry).ok_or_else(damaged))
    }
}
