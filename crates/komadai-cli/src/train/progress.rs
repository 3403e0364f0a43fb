//! The progress of work on many records: their number, the rate and the time left.

use std::time::{Duration, Instant};

use komadai::data::tools::Progress;
use komadai_console::{StatusLine, grouped, note};

/// Time between two lines of progress where standard error is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(60);

/// The number of items that are done, their rate and the time left, on standard error.
pub(super) struct ProgressLine {
    line: StatusLine,
    /// The items, as in "12 positions".
    items: &'static str,
    stage: &'static str,
    start: Instant,
    /// Number of items that were done at the start.
    before: u64,
    last_line: Instant,
}

impl ProgressLine {
    pub(super) fn new(items: &'static str, before: u64) -> Self {
        let (line, now) = (StatusLine::new(), Instant::now());
        Self { line, items, stage: "", start: now, before, last_line: now }
    }

    /// Reports the progress of a tool.
    pub(super) fn tool(&mut self, progress: Progress) {
        if self.stage != progress.stage {
            (self.start, self.before) = (Instant::now(), progress.before);
        }
        self.report(progress.stage, progress.done, Some(progress.total));
    }

    pub(super) fn report(&mut self, stage: &'static str, done: u64, total: Option<u64>) {
        self.stage = stage;
        self.line.set(|_| self.text(done, total));
        if !self.line.is_shown() && self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            note!("{}", self.text(done, total));
        }
    }

    fn text(&self, done: u64, total: Option<u64>) -> String {
        let new = done.saturating_sub(self.before);
        let rate = new as f64 / self.start.elapsed().as_secs_f64();
        let (stage, items) = (self.stage, self.items);
        let count = match total {
            Some(total) => format!("{} of {}", grouped(done), grouped(total)),
            None => grouped(done),
        };
        let text = format!("{stage}: {count} {items}, {} per second", grouped(rate as u64));
        let Some(total) = total.filter(|_| rate > 0.0) else { return text };
        let left = total.saturating_sub(done) as f64 / rate;
        format!("{text}, {} left", duration(left as u64))
    }
}

/// Returns hours, minutes and seconds as a text.
fn duration(seconds: u64) -> String {
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match (hours, minutes) {
        (0, 0) => format!("{seconds} s"),
        (0, minutes) => format!("{minutes} min"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}
