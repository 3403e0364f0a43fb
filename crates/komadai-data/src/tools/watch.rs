//! The progress of a tool, and its end by request.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use super::error::ToolError;

/// The state of a tool at work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The stage, as a word for users.
    pub stage: &'static str,
    /// Number of records of the stage that are done.
    pub done: u64,
    /// Number of records of the stage.
    pub total: u64,
    /// Number of the records done that an earlier process has done.
    pub before: u64,
}

/// The observer of a tool at work: it receives the progress and may request the end.
///
/// # Examples
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use komadai_data::tools::Watch;
///
/// let stop = AtomicBool::new(false);
/// let mut report = |progress: komadai_data::tools::Progress| assert!(progress.done <= progress.total);
/// let watch = Watch::new(&stop, &mut report);
/// assert!(!watch.is_stopped());
/// ```
pub struct Watch<'a> {
    stop: &'a AtomicBool,
    on_progress: Option<&'a mut (dyn FnMut(Progress) + Send + 'a)>,
}

/// The flag of tools that nothing stops.
static NEVER: AtomicBool = AtomicBool::new(false);

impl<'a> Watch<'a> {
    /// Returns an observer whose tool ends soon after `stop` is set.
    pub fn new(
        stop: &'a AtomicBool,
        on_progress: &'a mut (dyn FnMut(Progress) + Send + 'a),
    ) -> Self {
        Self { stop, on_progress: Some(on_progress) }
    }

    /// Returns an observer that neither sees nor stops anything.
    pub fn none() -> Self {
        Self { stop: &NEVER, on_progress: None }
    }

    /// Returns whether the end was requested.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Returns the flag that requests the end.
    pub(super) fn stop_flag(&self) -> &'a AtomicBool {
        self.stop
    }

    /// Reports the progress.
    ///
    /// # Errors
    ///
    /// Returns [`ToolError::Stopped`] if the end was requested.
    pub(super) fn report(
        &mut self,
        stage: &'static str,
        done: u64,
        total: u64,
    ) -> Result<(), ToolError> {
        self.report_since(stage, done, total, 0)
    }

    /// Reports the progress of a stage that an earlier process has begun.
    pub(super) fn report_since(
        &mut self,
        stage: &'static str,
        done: u64,
        total: u64,
        before: u64,
    ) -> Result<(), ToolError> {
        if self.is_stopped() {
            return Err(ToolError::Stopped);
        }
        if let Some(on_progress) = &mut self.on_progress {
            on_progress(Progress { stage, done, total, before });
        }
        Ok(())
    }
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("stop", &self.stop).finish_non_exhaustive()
    }
}
