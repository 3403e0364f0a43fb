//! Progress of work of known length: a bar on a terminal, plain lines elsewhere.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use komadai_base::text::printable;

use crate::note;

/// Interval between plain lines.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// The progress of one stage, shown on standard error.
#[derive(Debug)]
pub struct Progress {
    label: String,
    total: usize,
    done: usize,
    started: Instant,
    last_line: Instant,
    shown: Shown,
}

#[derive(Debug)]
enum Shown {
    Nothing,
    Bar(ProgressBar),
    Lines,
}

impl Progress {
    /// Starts a stage of `total` items. Shows nothing if `is_quiet`.
    pub fn new(label: &str, total: usize, is_quiet: bool) -> Self {
        let shown = if is_quiet {
            Shown::Nothing
        } else if std::io::stderr().is_terminal() {
            let bar = ProgressBar::new(total as u64).with_style(style());
            Shown::Bar(bar.with_prefix(printable(label).into_owned()))
        } else {
            note!("{label}: 0/{total}");
            Shown::Lines
        };
        let now = Instant::now();
        Self { label: label.to_owned(), total, done: 0, started: now, last_line: now, shown }
    }

    /// Counts one more item. `state` returns a short status text; it is called only where the text
    /// is shown.
    pub fn tick(&mut self, state: impl FnOnce() -> String) {
        self.done += 1;
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => {
                bar.inc(1);
                bar.set_message(printable(&state()).into_owned());
            }
            Shown::Lines if self.last_line.elapsed() >= LINE_EVERY => {
                self.last_line = Instant::now();
                let per_second = self.done as f64 / self.started.elapsed().as_secs_f64();
                let left = self.total.saturating_sub(self.done) as f64 / per_second;
                let Self { label, done, total, .. } = self;
                note!("{label}: {done}/{total}, {per_second:.1}/s, {left:.0} s left, {}", state());
            }
            Shown::Lines => {}
        }
    }

    /// Prints a line without damaging the bar.
    pub fn print(&self, text: &str) {
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => bar.suspend(|| note!("{text}")),
            Shown::Lines => note!("{text}"),
        }
    }

    /// Ends the stage.
    pub fn finish(self) {
        let Self { label, total, done, started, .. } = &self;
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => bar.abandon(),
            Shown::Lines => {
                note!("{label}: {done}/{total} in {:.1} s", started.elapsed().as_secs_f64());
            }
        }
    }
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("{prefix:16} {bar:30} {pos}/{len} {per_sec} {eta} left  {msg}")
        .expect("the template is well formed")
}
