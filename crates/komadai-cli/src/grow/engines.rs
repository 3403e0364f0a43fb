//! The engines that judge positions.

use std::ops::AddAssign;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use komadai::engine::{Memory, SearchAnalyst};
use komadai::eval::Classical;
use komadai::search::SearchOptions;

use crate::options::Options;

/// One engine a thread.
pub(crate) struct Crew {
    /// The engines.
    pub analysts: Vec<SearchAnalyst>,
    /// What ends their work.
    pub stop: Arc<AtomicBool>,
}

/// What has been done.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Work {
    /// The number of positions analysed.
    pub analysed: usize,
    /// The nodes visited for that.
    pub nodes: u64,
    /// The time it took.
    pub time: Duration,
}

impl Crew {
    /// Engines that do not remember: what they find does not depend on who of them is asked.
    pub(crate) fn new(options: &Options, stop: Arc<AtomicBool>) -> Self {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = options.threads.map_or_else(cores, usize::from);
        let (hash_mib, multi_pv) = (options.hash_mib, options.multi_pv);
        let search = SearchOptions { hash_mib, multi_pv, ..SearchOptions::default() };
        let analyst = |_| {
            SearchAnalyst::new("Classical", Classical::default(), search.clone(), Memory::Fresh)
        };
        Self { analysts: (0..threads).map(analyst).collect(), stop }
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.analysed += other.analysed;
        self.nodes += other.nodes;
        self.time += other.time;
    }
}
