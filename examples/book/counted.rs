//! How far the work is: a counter on a terminal, plain lines elsewhere.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How often plain lines are written.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Passes records on, and tells on standard error how many there have been.
#[derive(Debug)]
pub(crate) struct Counted<I> {
    items: I,
    label: &'static str,
    count: u64,
    bar: Option<ProgressBar>,
    last_line: Instant,
}

/// Counts what passes. Nothing is told of work that takes no time.
pub(crate) fn counted<I: Iterator>(label: &'static str, items: I) -> Counted<I> {
    let bar = std::io::stderr().is_terminal().then(|| {
        let style = ProgressStyle::with_template("{spinner} {msg} {human_pos} positions {per_sec}");
        let style = style.expect("the template is well formed");
        ProgressBar::new_spinner().with_style(style).with_message(label)
    });
    Counted { items, label, count: 0, bar, last_line: Instant::now() }
}

impl<I: Iterator> Iterator for Counted<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        let item = self.items.next();
        if item.is_none() {
            self.bar.iter().for_each(ProgressBar::finish_and_clear);
            return None;
        }
        self.count += 1;
        match &self.bar {
            Some(bar) => bar.inc(1),
            None if self.count.is_multiple_of(1 << 12)
                && self.last_line.elapsed() >= LINE_EVERY =>
            {
                self.last_line = Instant::now();
                eprintln!("{}: {} positions", self.label, self.count);
            }
            None => {}
        }
        item
    }
}
