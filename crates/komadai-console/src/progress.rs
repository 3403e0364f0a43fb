//! Progress on standard error: of work of known length ([`Progress`]), of items whose number is not
//! known ([`Counter`]), and of anything else as one line ([`StatusLine`]).

use std::fmt;
use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use komadai_base::text::{grouped, printable};

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
            let bar = ProgressBar::new(total as u64)
                .with_style(style("{prefix:16} {bar:30} {pos}/{len} {rate} {eta} left  {msg}"));
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
        Self {
            started: Instant::now(),
            shown: shown.map(|bar| bar.with_style(style("{wide_msg}"))),
        }
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

/// A counter of positions, shown on standard error.
#[derive(Debug)]
pub struct Counter {
    label: &'static str,
    count: u64,
    bar: Option<ProgressBar>,
    last_line: Instant,
}

impl Counter {
    /// Creates a counter at zero. Work shorter than the interval of lines prints none.
    pub fn new(label: &'static str) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            ProgressBar::new_spinner()
                .with_style(style("{spinner} {msg} {human_pos} positions {rate}"))
                .with_message(label)
        });
        Self { label, count: 0, bar, last_line: Instant::now() }
    }

    /// Counts one more position.
    pub fn tick(&mut self) {
        self.count += 1;
        match &self.bar {
            Some(bar) => bar.inc(1),
            // Reading the clock for every position would cost more than reading most records.
            None if self.count.is_multiple_of(1 << 12)
                && self.last_line.elapsed() >= LINE_EVERY =>
            {
                self.last_line = Instant::now();
                note!("{}: {} positions", self.label, self.count);
            }
            None => {}
        }
    }

    /// Removes the counter from the terminal.
    pub fn finish(&self) {
        self.bar.iter().for_each(ProgressBar::finish_and_clear);
    }
}

/// An iterator that counts the items it passes on.
#[derive(Debug)]
pub struct Counted<I> {
    items: I,
    counter: Counter,
}

/// Returns an iterator that passes on the items of another one and counts them.
pub fn counted<I: Iterator>(label: &'static str, items: I) -> Counted<I> {
    Counted { items, counter: Counter::new(label) }
}

impl<I: Iterator> Iterator for Counted<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        let item = self.items.next();
        match item {
            Some(_) => self.counter.tick(),
            None => self.counter.finish(),
        }
        item
    }
}

/// Returns the style of a bar with one of the templates here.
fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    style.with_key("rate", |state: &ProgressState, out: &mut dyn fmt::Write| {
        // Nobody can be told where this fails.
        let _ = out.write_str(&rate(state.per_sec()));
    })
}

/// Returns a number of items in a second as people read it: `3.6/s`, `30,128/s`.
fn rate(per_second: f64) -> String {
    if per_second < 1_000.0 {
        format!("{per_second:.1}/s")
    } else {
        format!("{}/s", grouped(per_second.round() as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_one_decimal() {
        let rates = [0.04, 3.64, 68.0758, 999.96, 30_127.5].map(rate);
        assert_eq!(rates, ["0.0/s", "3.6/s", "68.1/s", "1000.0/s", "30,128/s"]);
    }
}
