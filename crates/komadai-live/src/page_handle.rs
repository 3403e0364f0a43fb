//! The page that is served.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use komadai_report::LivePage;

/// Interval at which a paused program looks at its stop flag.
const PAUSE: Duration = Duration::from_millis(100);

/// A handle to the page of a [`LiveServer`](crate::LiveServer). Its clones are the same page; it
/// outlives the server.
#[derive(Debug, Clone)]
pub struct PageHandle(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    page: Mutex<LivePage>,
    /// The number of changes.
    version: AtomicU64,
    started: Instant,
    is_paused: AtomicBool,
    resumed: Condvar,
    wishes: Mutex<Wishes>,
}

/// The lines that readers wish to be searched first.
#[derive(Debug, Default)]
struct Wishes {
    are_taken: bool,
    waiting: Vec<String>,
}

/// The greatest number of wishes that wait for the program.
const MOST_WISHES: usize = 16;

/// The greatest length of a wish in bytes.
const LONGEST_WISH: usize = 4_096;

impl PageHandle {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Shared {
            page: Mutex::default(),
            version: AtomicU64::new(0),
            started: Instant::now(),
            is_paused: AtomicBool::new(false),
            resumed: Condvar::new(),
            wishes: Mutex::default(),
        }))
    }

    /// Changes the page. The elapsed time of its progress is that since the start of the server.
    pub fn update(&self, change: impl FnOnce(&mut LivePage)) {
        change(&mut self.lock());
        self.0.version.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the page as it is now.
    pub fn snapshot(&self) -> LivePage {
        let mut page = self.lock().clone();
        if let Some(progress) = &mut page.progress {
            progress.elapsed = self.0.started.elapsed();
        }
        if self.is_paused() {
            page.status = "paused".to_owned();
        }
        page
    }

    /// Returns a number that changes when the page does: with each update, pause or resume, and
    /// every five seconds because of the elapsed time.
    pub(crate) fn version(&self) -> u64 {
        let seconds = self.0.started.elapsed().as_secs() / 5;
        self.0.version.load(Ordering::Relaxed).wrapping_add(seconds << 32)
    }

    /// Pauses or resumes the work.
    pub(crate) fn set_paused(&self, is_paused: bool) {
        self.0.is_paused.store(is_paused, Ordering::Relaxed);
        self.0.version.fetch_add(1, Ordering::Relaxed);
        self.0.resumed.notify_all();
    }

    /// Returns whether a reader has paused the work.
    pub fn is_paused(&self) -> bool {
        self.0.is_paused.load(Ordering::Relaxed)
    }

    /// Waits while the work is paused and `stop` is not set.
    pub fn wait_while_paused(&self, stop: &AtomicBool) {
        let mut page = self.lock();
        while self.is_paused() && !stop.load(Ordering::Relaxed) {
            let waited = self.0.resumed.wait_timeout(page, PAUSE);
            page = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Lets readers wish, from now on, which line is searched first: the page gets a field for it.
    pub fn accept_wishes(&self) {
        self.wishes().are_taken = true;
    }

    /// Returns the wishes since the last call, oldest first: texts in printable ASCII, such as
    /// `startpos moves 7g7f`. An empty one takes back those before.
    pub fn take_wishes(&self) -> Vec<String> {
        std::mem::take(&mut self.wishes().waiting)
    }

    /// Returns whether the program wants wishes.
    pub(crate) fn accepts_wishes(&self) -> bool {
        self.wishes().are_taken
    }

    /// Keeps a wish for the program. Returns false if it is none, or too many wait.
    pub(crate) fn wish(&self, text: &str) -> bool {
        let is_plain = text.len() <= LONGEST_WISH
            && text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
        let mut wishes = self.wishes();
        let is_kept = is_plain && wishes.are_taken && wishes.waiting.len() < MOST_WISHES;
        if is_kept {
            wishes.waiting.push(text.trim().to_owned());
        }
        is_kept
    }

    fn wishes(&self) -> MutexGuard<'_, Wishes> {
        self.0.wishes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, LivePage> {
        // A page that a panic has left half changed is still one that can be shown.
        self.0.page.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
