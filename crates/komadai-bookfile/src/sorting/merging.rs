//! Merging of several books into one.

use std::error::Error;
use std::io;

use komadai_core::{Position, Pv};

use super::external::{ExternalSort, SortOptions};
use super::join::MergeRule;
use super::order::Order;
use super::records::SortedRecords;
use crate::file_error::RecordsError;
use crate::record::BookRecord;

/// Counts of a merge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct MergeCounts {
    /// The records of all books.
    pub read: u64,
    /// The positions of the merged book.
    pub positions: u64,
    /// Records in the orientation opposite to the first record of their position, which were
    /// turned.
    pub turned: u64,
    /// Moves for which two records have different values; counted only by [`MergeRule::Union`].
    pub conflicts: u64,
}

/// Merges several books into one: its counts, and its records sorted as by [`sort_records`](crate::sorting::sort_records).
///
/// All records of a position become one, for both orientations and all move numbers. It has the
/// orientation and the move number of the first of them, in the order of the books and of the
/// records within a book. The others are turned to that orientation and joined by the rule. Moves
/// keep the order of the first record; new ones are appended.
///
/// Everything is sorted twice, by position and by text, so each sort gets half of
/// `options.memory_bytes`. Temporary files take at most twice the size of the books. Of one
/// position, the joined record and one more are in memory.
///
/// # Errors
///
/// The first error of a book, or one of a temporary file. Such a one may also be an item of the
/// records; nothing follows it.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::{BookRecord, RecordMove};
/// use komadai_bookfile::sorting::{Conflict, MergeRule, SortOptions, merge_records};
/// use komadai_core::{Position, Score};
///
/// let book = |cp: i32, depth: u16| {
///     let mut start = BookRecord::new(Position::hirate());
///     let m = RecordMove::new("7g7f".parse().expect("a move"));
///     start.moves.push(RecordMove {
///         score: Some(Score::cp(cp)),
///         depth: Some(depth),
///         count: Some(1),
///         ..m
///     });
///     [Ok::<_, std::convert::Infallible>(start)]
/// };
/// let rule = MergeRule::Union(Conflict::Deeper);
/// let merged = merge_records([book(40, 10), book(25, 20)], rule, &SortOptions::default());
/// let (counts, merged) = merged.map_err(|error| error.to_string())?;
/// assert_eq!((counts.positions, counts.conflicts), (1, 1));
/// let start = merged.last().expect("a record").map_err(|error| error.to_string())?;
/// assert_eq!((start.moves[0].score, start.moves[0].count), (Some(Score::cp(25)), Some(2)));
/// # Ok::<(), String>(())
/// ```
pub fn merge_records<I, E>(
    books: impl IntoIterator<Item = I>,
    rule: MergeRule,
    options: &SortOptions,
) -> Result<(MergeCounts, SortedRecords), RecordsError<E>>
where
    I: IntoIterator<Item = Result<BookRecord, E>>,
    E: Error + 'static,
{
    let options = SortOptions { memory_bytes: options.memory_bytes / 2, ..options.clone() };
    let mut counts = MergeCounts::default();
    let mut by_position = ExternalSort::new(options.clone());
    for record in books.into_iter().flatten() {
        let record = record.map_err(RecordsError::Source)?;
        counts.read += 1;
        by_position.push(Order::Position.entry(&record)).map_err(RecordsError::temporary)?;
    }
    let records = join_all(by_position, rule, options, &mut counts);
    Ok((counts, records.map_err(RecordsError::temporary)?))
}

/// Joins consecutive records of one position, and sorts the results by text.
fn join_all(
    by_position: ExternalSort,
    rule: MergeRule,
    options: SortOptions,
    counts: &mut MergeCounts,
) -> io::Result<SortedRecords> {
    let mut by_text = ExternalSort::new(options);
    let mut current: Option<BookRecord> = None;
    for record in SortedRecords::new(Order::Position, by_position)? {
        let record = record?;
        match &mut current {
            Some(first) if is_same(&first.position, &record.position) => {
                counts.turned += u64::from(first.position.side() != record.position.side());
                let record = turned_like(record, &first.position);
                counts.conflicts += rule.join(first, record);
            }
            _ => {
                counts.positions += 1;
                if let Some(done) = current.replace(record) {
                    by_text.push(Order::Text.entry(&done))?;
                }
            }
        }
    }
    if let Some(done) = current {
        by_text.push(Order::Text.entry(&done))?;
    }
    SortedRecords::new(Order::Text, by_text)
}

/// Returns true if two positions are equal up to orientation and move number.
fn is_same(first: &Position, other: &Position) -> bool {
    let first = first.to_setup();
    let mut other = other.to_setup();
    if first.side != other.side {
        other = other.flipped();
    }
    (first.board, first.hands) == (other.board, other.hands)
}

/// The record in the orientation of `position`.
fn turned_like(record: BookRecord, position: &Position) -> BookRecord {
    if record.position.side() == position.side() {
        return record;
    }
    let mut record = record.flipped();
    for eval in &mut record.evals {
        // A variation has the notation of its source; only one in USI can be turned.
        if let Ok(line) = eval.variation.parse::<Pv>() {
            let turned: Vec<_> = line.iter().map(|m| m.flipped().to_string()).collect();
            eval.variation = turned.join(" ");
        }
    }
    record
}
