//! The book that grows, and the engines that judge its positions.

use std::ops::AddAssign;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use komadai::book::{Analyst as _, AnalystId, Book, LoggedBook, LoggedBookError, analyse_all};
use komadai::engine::{Memory, SearchAnalyst};
use komadai::eval::Classical;
use komadai::search::SearchOptions;
use komadai::{Analysis, Budget, Position};

use crate::options::Options;
use crate::progress::Progress;

/// After how many analyses the log is synced to disk.
const SYNC_EVERY: usize = 32;

/// A book, and what makes it grow.
pub(crate) struct Grower<'o> {
    /// The command line.
    pub options: &'o Options,
    book: LoggedBook,
    analysts: Vec<SearchAnalyst<Classical>>,
    stop: Arc<AtomicBool>,
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

impl AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.analysed += other.analysed;
        self.nodes += other.nodes;
        self.time += other.time;
    }
}

/// By whom and when an analysis was made.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    /// By whom.
    pub analyst: AnalystId,
    /// When, in seconds since the beginning of 1970.
    pub when: u64,
}

impl<'o> Grower<'o> {
    /// Starts one engine a thread.
    pub(crate) fn new(options: &'o Options, book: LoggedBook, stop: Arc<AtomicBool>) -> Self {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = options.threads.map_or_else(cores, usize::from);
        let (hash_mib, multi_pv) = (options.hash_mib, options.multi_pv);
        let search = SearchOptions { hash_mib, multi_pv, ..SearchOptions::default() };
        let analyst = |_| {
            SearchAnalyst::new("Classical", Classical::default(), search.clone(), Memory::Fresh)
        };
        Self { options, book, analysts: (0..threads).map(analyst).collect(), stop }
    }

    /// The book.
    pub(crate) fn book(&self) -> &Book {
        self.book.book()
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Writes everything to disk.
    pub(crate) fn finish(&mut self) -> Result<(), LoggedBookError> {
        self.book.sync()
    }

    /// Analyses positions with so many nodes each, and lets `merge` add each result to the book.
    ///
    /// The results do not depend on the number of threads.
    pub(crate) fn analyse(
        &mut self,
        positions: &[Position],
        nodes: u64,
        progress: &mut Progress,
        mut merge: impl FnMut(&mut LoggedBook, usize, &Analysis, &Origin) -> Result<(), LoggedBookError>,
    ) -> anyhow::Result<Work> {
        let started = Instant::now();
        let mut work = Work::default();
        let mut failure: Option<anyhow::Error> = None;
        let budget = Budget::nodes(nodes).with_stop(Arc::clone(&self.stop));
        let identity = self.analysts[0].identity();
        let (book, stop) = (&mut self.book, &self.stop);
        analyse_all(&mut self.analysts, positions, &budget, |index, result| {
            progress.tick();
            let merged = result.map_err(anyhow::Error::from).and_then(|analysis| {
                let origin = Origin { analyst: identity.clone(), when: now() };
                merge(book, index, &analysis, &origin)?;
                work.analysed += 1;
                work.nodes += analysis.nodes;
                if work.analysed % SYNC_EVERY == 0 {
                    book.sync()?;
                }
                Ok(())
            });
            if let Err(error) = merged {
                failure.get_or_insert(error);
                stop.store(true, Ordering::Relaxed);
            }
        });
        self.book.sync()?;
        work.time = started.elapsed();
        failure.map_or(Ok(work), Err)
    }
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}
