//! The state of a run on one line of a terminal.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use komadai::tsume::MateProgress;
use komadai_console::{StatusLine, grouped};

/// The counts of a run and the search that reported last.
#[derive(Debug)]
pub(super) struct Status {
    line: StatusLine,
    /// The size of the input in bytes, if it is known.
    bytes: Option<u64>,
    /// The number of answers of each verdict.
    counts: [AtomicU64; 5],
    search: Mutex<String>,
}

impl Status {
    pub(super) fn new(bytes: Option<u64>) -> Self {
        let line = StatusLine::new();
        Self { line, bytes, counts: Default::default(), search: Mutex::default() }
    }

    /// Counts an answer.
    pub(super) fn count(&self, answer: &Answer) {
        self.counts[answer.verdict as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// Notes the state of a search.
    pub(super) fn note(&self, id: &str, progress: &MateProgress, start: Instant) {
        if self.line.is_shown() {
            let text = search_text(id, progress, start.elapsed());
            *self.search.lock().unwrap_or_else(PoisonError::into_inner) = text;
        }
    }

    /// Shows the state. `read` is the number of bytes of the input that have been read.
    pub(super) fn show(&self, read: u64) {
        self.line.set(|elapsed| {
            let share =
                self.bytes.filter(|&bytes| bytes > 0).map(|bytes| read as f64 / bytes as f64);
            let counts = self.counts.each_ref().map(|count| count.load(Ordering::Relaxed));
            let search = self.search.lock().unwrap_or_else(PoisonError::into_inner);
            format!("{}  {search}", run_text(counts, share, elapsed))
        });
    }
}

/// Returns the counts of a run as text.
fn run_text(counts: [u64; 5], share: Option<f64>, elapsed: Duration) -> String {
    let solved: u64 = counts.iter().sum();
    let speed = solved as f64 / elapsed.as_secs_f64().max(1e-9);
    let mut text = format!("{} problems", grouped(solved));
    if let Some(share) = share {
        text += &format!(" ({:.0} %)", share.min(1.0) * 100.0);
    }
    text += &format!(", {speed:.1}/s");
    if let Some(share) = share.filter(|&share| share > 0.0 && solved > 0) {
        let left = elapsed.as_secs_f64() * (1.0 - share.min(1.0)) / share;
        text += &format!(", {left:.0} s left");
    }
    for (verdict, name) in [(Verdict::Unknown, "unknown"), (Verdict::Refused, "not read")] {
        if counts[verdict as usize] > 0 {
            text += &format!(", {} {name}", grouped(counts[verdict as usize]));
        }
    }
    text
}

/// Returns the state of a search as text.
fn search_text(id: &str, progress: &MateProgress, elapsed: Duration) -> String {
    let MateProgress { nodes, proof_number, disproof_number, found, line, .. } = progress;
    let mib = progress.memory_bytes >> 20;
    let hits = progress.hits as f64 / progress.look_ups.max(1) as f64 * 100.0;
    let found = found.map(|plies| format!(", mate {plies} found")).unwrap_or_default();
    let numbers = match proof_number {
        0 => "collecting the moves".to_owned(),
        _ => format!("proof number {proof_number}, disproof number {disproof_number}"),
    };
    let seconds = elapsed.as_secs();
    let nodes = grouped(*nodes);
    format!(
        "{id}: {nodes} nodes, {seconds} s, {mib} MiB, {hits:.0} % hits, {numbers}{found}  {line}"
    )
}

/// The answer to a problem.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) verdict: Verdict,
    /// The text for the output, or the place and the reason why the problem could not be read.
    pub(super) text: Result<String, String>,
}

/// The outcome of a problem, for counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Mate,
    NoMate,
    Unknown,
    Refused,
    /// The text is the reason why the whole run has to end.
    Failed,
}
