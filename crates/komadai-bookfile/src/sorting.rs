//! Sorting and merging of books in bounded memory.
//!
//! Records are encoded as bytes as they come. When they fill the allowed memory, they are sorted
//! and written to a temporary file, a *run*; at the end the runs are merged (external merge sort:
//! D. E. Knuth, *The Art of Computer Programming*, vol. 3, section 5.4).

mod code;
mod entry;
mod order;
mod run;
mod external;
mod records;
mod parts;
mod join;
mod merging;

pub use external::SortOptions;
pub use join::{Conflict, MergeRule};
pub use merging::{MergeCounts, merge_records};
pub(crate) use parts::PartSort;
pub use records::{SortedRecords, sort_records};
