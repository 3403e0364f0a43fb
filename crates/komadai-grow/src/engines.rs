//! The embedded engines that analyse positions.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use komadai::analysis::{Memory, SearchAnalyst};
use komadai::search::SearchOptions;

use crate::options::GrowArgs;

/// One engine per thread.
pub(crate) struct Engines {
    /// The engines.
    pub(crate) analysts: Vec<SearchAnalyst>,
    /// The flag that stops them.
    pub(crate) stop: Arc<AtomicBool>,
}

/// The work of engines.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Work {
    /// Number of positions analysed.
    pub(crate) analysed: usize,
    /// Number of nodes visited.
    pub(crate) nodes: u64,
    /// Time taken.
    pub(crate) time: Duration,
}

impl Engines {
    /// Creates engines that forget each search: a result does not depend on the engine that found
    /// it.
    pub(crate) fn new(options: &GrowArgs, stop: Arc<AtomicBool>) -> Self {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = options.threads.map_or_else(cores, usize::from);
        let hash_mib = options.hash_mib;
        let multi_pv = options.multi_pv;
        let search = SearchOptions { hash_mib, multi_pv, ..SearchOptions::default() };
        let analyst = |_| SearchAnalyst::standard(search.clone(), Memory::Fresh);
        Self { analysts: (0..threads).map(analyst).collect(), stop }
    }

    /// Returns true after Ctrl-C or a failure.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
