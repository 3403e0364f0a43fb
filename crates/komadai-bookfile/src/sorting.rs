//! Putting records in order, and bringing books together, in bounded memory.
//!
//! Records are encoded as bytes as they come. When they fill the memory they may, they are sorted
//! and go to a temporary file, a *run*; in the end the runs are merged (external merge sort: D. E.
//! Knuth, *The Art of Computer Programming* 3, 5.4).

mod options;
mod code;
mod entry;
mod order;
mod run;
mod external;
mod records;
mod parts;
mod join;
mod merging;

pub use join::{Conflict, MergeRule};
pub use merging::{MergeCounts, MergedRecords, merge_records};
pub use options::SortOptions;
pub(crate) use parts::PartSort;
pub use records::{SortedRecords, sort_records};
