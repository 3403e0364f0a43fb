//! Progress of work of unknown length: a counter on a terminal, plain lines elsewhere.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::note;

/// Interval between plain lines.
const LINE_EVERY: Duration = Duration::from_secs(10);

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
        let bar = std::io::stderr()
            .is_terminal()
            .then(|| ProgressBar::new_spinner().with_style(style()).with_message(label));
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

fn style() -> ProgressStyle {
    ProgressStyle::with_template("{spinner} {msg} {human_pos} positions {per_sec}")
        .expect("the template is well formed")
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
