//! Search for single positions in book files that are not loaded.

mod db_probe;
mod open;

use std::fmt;

use komadai_core::Position;

pub use db_probe::{DbProbe, PlyMatch};
pub use open::open_probe;

use crate::error::BookError;
use crate::record::BookRecord;

/// A book in which single positions are searched.
///
/// The books are searched in place: in a file whose other parts are not read, or in memory. Several
/// threads may search one book.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::{BookProbe, DbProbe, PlyMatch};
/// use komadai_core::Position;
/// use komadai_bookfile::Tolerance;
///
/// let text = "\
/// ##YANEURAOU-DB2016 1.00
/// sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2
/// 3c3d none 10 20
/// ".replacen("##", "#", 1);
/// let book: Box<dyn BookProbe> =
///     Box::new(DbProbe::new(text, PlyMatch::Ignored, Tolerance::Strict)?);
///
/// let position = Position::hirate().after("7g7f".parse()?);
/// let record = book.probe(&position)?.expect("it is in the book");
/// assert_eq!(record.moves[0].m, "3c3d".parse()?);
/// // The same with the colours exchanged.
/// let turned = book.probe(&position.flipped())?.expect("it is in the book");
/// assert_eq!(turned.moves[0].m, "7g7f".parse()?);
/// assert!(book.probe_same_orientation(&position.flipped())?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait BookProbe: fmt::Debug + Send + Sync {
    /// The record of a position, if the book has it in this orientation.
    ///
    /// # Errors
    ///
    /// If the record found is faulty, the search shows that the file is not sorted, or the file has
    /// changed.
    fn probe_same_orientation(&self, position: &Position) -> Result<Option<BookRecord>, BookError>;

    /// The record of a position. If the book has it only with the board turned by 180 degrees and
    /// the colours exchanged, its moves are turned back.
    ///
    /// # Errors
    ///
    /// As [`probe_same_orientation`](Self::probe_same_orientation).
    fn probe(&self, position: &Position) -> Result<Option<BookRecord>, BookError> {
        match self.probe_same_orientation(position)? {
            Some(record) => Ok(Some(record)),
            None => {
                let record = self.probe_same_orientation(&position.flipped())?;
                Ok(record.map(BookRecord::flipped))
            }
        }
    }
}

/// The number of pairs of neighbours that are checked when a file is opened, to detect unsorted
/// files.
///
/// A file in random order has half of its pairs in the wrong order, so that it passes with a
/// probability of about 2⁻⁶⁴; a check of all pairs would read the whole file.
const SAMPLES: u64 = 64;

/// At most 64 of the numbers below `count`, evenly spaced, in ascending order.
pub(crate) fn sample(count: u64) -> impl Iterator<Item = u64> {
    let samples = SAMPLES.min(count);
    (0..samples)
        .map(move |index| (u128::from(index) * u128::from(count) / u128::from(samples)) as u64)
}

/// The index of the first of `count` sorted items for which `is_before` is false, by binary search.
pub(crate) fn lower_bound<E>(
    count: u64,
    mut is_before: impl FnMut(u64) -> Result<bool, E>,
) -> Result<u64, E> {
    let mut low = 0;
    let mut high = count;
    while low < high {
        let middle = low + (high - low) / 2;
        if is_before(middle)? { low = middle + 1 } else { high = middle }
    }
    Ok(low)
}
