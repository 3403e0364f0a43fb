//! How far the work is: a bar on a terminal, plain lines elsewhere.

use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How often plain lines are written.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// The progress of one stage.
#[derive(Debug)]
pub(crate) enum Progress {
    /// Nothing is to be seen.
    Hidden,
    /// A bar.
    Bar(ProgressBar),
    /// Lines.
    Lines {
        /// What is being done.
        label: String,
        /// How much there is to do.
        total: usize,
        /// How much is done.
        done: usize,
        /// When it began.
        started: Instant,
        /// When the last line was written.
        last_line: Instant,
    },
}

impl Progress {
    /// Begins a stage.
    pub(crate) fn new(label: &str, total: usize, is_quiet: bool) -> Self {
        if is_quiet {
            return Self::Hidden;
        }
        if std::io::stderr().is_terminal() {
            let style = "{msg:24} {bar:36} {pos}/{len} {per_sec} {eta} left";
            let style = ProgressStyle::with_template(style).expect("the template is well formed");
            let bar = ProgressBar::new(total as u64).with_style(style);
            return Self::Bar(bar.with_message(label.to_owned()));
        }
        eprintln!("{label}: 0/{total}");
        let now = Instant::now();
        Self::Lines { label: label.to_owned(), total, done: 0, started: now, last_line: now }
    }

    /// One more is done.
    pub(crate) fn tick(&mut self) {
        match self {
            Self::Hidden => {}
            Self::Bar(bar) => bar.inc(1),
            Self::Lines { label, total, done, started, last_line } => {
                *done += 1;
                if last_line.elapsed() >= LINE_EVERY {
                    *last_line = Instant::now();
                    let per_second = *done as f64 / started.elapsed().as_secs_f64();
                    let left = (*total - *done) as f64 / per_second;
                    eprintln!("{label}: {done}/{total}, {per_second:.1}/s, {left:.0} s left");
                }
            }
        }
    }

    /// Ends the stage.
    pub(crate) fn finish(self) {
        match self {
            Self::Hidden => {}
            Self::Bar(bar) => bar.abandon(),
            Self::Lines { label, total, done, started, .. } => {
                eprintln!("{label}: {done}/{total} in {:.1} s", started.elapsed().as_secs_f64());
            }
        }
    }
}
