//! The sizes of the experiments.

use std::num::NonZero;
use std::path::PathBuf;

/// The sizes of the experiments with the hybrid.
#[derive(Debug, Clone)]
pub struct HybridOptions {
    /// Folder of the parts that are done.
    pub folder: PathBuf,
    /// Number of positions in three strata, a third each.
    pub positions: usize,
    /// Nodes of each of the two searchers.
    pub nodes: u64,
    /// Factor of the nodes that the referee has for each move.
    pub referee: u64,
    /// Number of mate problems.
    pub problems: usize,
    /// Log of `komadai-lab hybrid-study`, whose games decide further claims.
    pub log: Option<PathBuf>,
    /// Number of threads.
    pub threads: NonZero<usize>,
}
