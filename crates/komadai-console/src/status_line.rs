//! A line of text on a terminal for work of unknown length.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use komadai_base::text::printable;

/// A line on standard error that changes while work goes on, and disappears at the end. It is shown
/// only on a terminal, and only if the work takes long.
#[derive(Debug)]
pub struct StatusLine {
    started: Instant,
    shown: Option<ProgressBar>,
}

/// Time before the first text. Short work shows nothing.
const DELAY: Duration = Duration::from_secs(1);

impl StatusLine {
    /// Starts the work.
    pub fn new() -> Self {
        let shown = std::io::stderr().is_terminal().then(ProgressBar::no_length);
        Self { started: Instant::now(), shown: shown.map(|bar| bar.with_style(style())) }
    }

    /// Returns whether standard error is a terminal.
    pub fn is_shown(&self) -> bool {
        self.shown.is_some()
    }

    /// Shows a text; `text` receives the time since the start and is called only where the text is
    /// shown.
    pub fn set(&self, text: impl FnOnce(Duration) -> String) {
        let elapsed = self.started.elapsed();
        if let Some(bar) = self.shown.as_ref().filter(|_| elapsed >= DELAY) {
            bar.set_message(printable(&text(elapsed)).into_owned());
        }
    }
}

impl Default for StatusLine {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        if let Some(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("{wide_msg}").expect("the template is well formed")
}
