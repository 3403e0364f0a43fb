//! The embedded engines that analyse positions.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use komadai::engine::{Memory, SearchAnalyst};
use komadai::search::SearchOptions;

use super::options::GrowArgs;

/// One engine per thread.
pub(super) struct Engines {
    /// The engines.
    pub(super) analysts: Vec<SearchAnalyst>,
    /// The flag that stops them.
    pub(super) stop: Arc<AtomicBool>,
}

/// The work of engines.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Work {
    /// Number of positions analysed.
    pub(super) analysed: usize,
    /// Number of nodes visited.
    pub(super) nodes: u64,
    /// Time taken.
    pub(super) time: Duration,
}

impl Engines {
    /// Creates engines that forget each search: a result does not depend on the engine that found it.
    pub(super) fn new(options: &GrowArgs, stop: Arc<AtomicBool>) -> Self {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = options.threads.map_or_else(cores, usize::from);
        let (hash_mib, multi_pv) = (options.hash_mib, options.multi_pv);
        let search = SearchOptions { hash_mib, multi_pv, ..SearchOptions::default() };
        let analyst = |_| SearchAnalyst::standard(search.clone(), Memory::Fresh);
        Self { analysts: (0..threads).map(analyst).collect(), stop }
    }

    /// Returns true after Ctrl-C or a failure.
    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
