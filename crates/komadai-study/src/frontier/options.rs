//! The books of a study.

use std::num::NonZero;
use std::path::PathBuf;

/// The books of a study, or the way to grow them.
#[derive(Debug, Clone)]
pub struct FrontierStudyOptions {
    /// Books in YaneuraOu's format; without any, books are grown.
    pub books: Vec<PathBuf>,
    /// Folder of the books that are grown. One that is finished is not grown again.
    pub folder: PathBuf,
    /// Number of books to grow, each from another part of the bundled games.
    pub grown: NonZero<usize>,
    /// Number of positions that each book is grown by.
    pub positions: usize,
    /// About the nodes of each position.
    pub nodes: u64,
    /// Width of the windows in centipawns for the claims and for the counts by move number.
    pub eval_diff: i32,
    /// Number of threads.
    pub threads: NonZero<usize>,
}
