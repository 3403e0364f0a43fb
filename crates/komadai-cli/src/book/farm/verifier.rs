//! The verification of results: some of them are searched again on this machine, and compared.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};

use anyhow::bail;
use komadai::Position;
use komadai::book::GrowEvent;
use komadai::book::queue::JobSettings;
use komadai::bookfile::position_key::shared_zobrist_key;
use komadai::core::{Analysis, Analyst, AnalystId, Budget};
use komadai_console::note;

/// Maximum number of results that wait for their verification. Others pass without one.
const MOST_WAITING: usize = 256;

/// A share of results, in millionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Share(u64);

impl Share {
    /// Reads a percentage such as `1%` or `0.25%`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let percent = text.strip_suffix('%').and_then(|number| number.parse::<f64>().ok());
        percent
            .filter(|percent| (0.0..=100.0).contains(percent))
            .map(|percent| Self((percent * 10_000.0).round() as u64))
            .ok_or_else(|| format!("found {text:?}, expected a percentage such as 1%"))
    }

    /// Returns whether a position is one of this share, by its key.
    fn has(self, position: &Position) -> bool {
        shared_zobrist_key(position) % 1_000_000 < self.0
    }
}

/// A thread that searches a share of the results again.
pub(crate) struct Verifier {
    share: Share,
    identity: AnalystId,
    sender: SyncSender<Sample>,
    thread: JoinHandle<Verified>,
    /// The number of results that were not verified, because too many waited.
    passed_over: u64,
    /// The number of results of other analysts.
    of_others: u64,
}

/// A result to be verified.
struct Sample {
    position: Position,
    analysis: Analysis,
    worker: String,
}

/// The outcome of verifications.
#[derive(Debug, Default)]
struct Verified {
    equal: u64,
    different: u64,
}

impl Verifier {
    /// Starts the thread, with an analyst for jobs with these settings.
    pub(crate) fn start(share: Share, analyst: Box<dyn Analyst>, settings: &JobSettings) -> Self {
        let identity = analyst.identity();
        let (sender, results) = sync_channel(MOST_WAITING);
        let settings = settings.clone();
        let thread = thread::spawn(move || verify(analyst, &settings, &results));
        Self { share, identity, sender, thread, passed_over: 0, of_others: 0 }
    }

    /// Takes a result that is to be verified from an event.
    pub(crate) fn on_event(&mut self, event: &GrowEvent<'_>) {
        let GrowEvent::Analysed { position, analysis, analyst, worker, .. } = event else { return };
        if !self.share.has(position) {
            return;
        }
        if **analyst != self.identity {
            self.of_others += 1;
            return;
        }
        let result = Sample {
            position: (*position).clone(),
            analysis: (*analysis).clone(),
            worker: (*worker).to_owned(),
        };
        match self.sender.try_send(result) {
            Ok(()) => {}
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => self.passed_over += 1,
        }
    }

    /// Waits for the searches that are left, and reports.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        let Self { sender, thread, passed_over, of_others, identity, .. } = self;
        drop(sender);
        let Ok(Verified { equal, different }) = thread.join() else {
            bail!("--verify: the thread has failed");
        };
        note!("verified: {equal} results are equal, {different} differ");
        if passed_over > 0 {
            note!("{passed_over} results were not verified, because this machine had no time");
        }
        if of_others > 0 {
            note!("{of_others} results were not verified: they are not of {identity}");
        }
        if different > 0 {
            bail!("--verify: {different} results differ from those of this machine");
        }
        Ok(())
    }
}

fn verify(
    mut analyst: Box<dyn Analyst>,
    settings: &JobSettings,
    results: &Receiver<Sample>,
) -> Verified {
    let mut verified = Verified::default();
    for Sample { position, analysis, worker } in results {
        let mut again = || {
            analyst.set_lines(NonZero::new(settings.multi_pv))?;
            analyst.forget();
            let mut budget = Budget::about(settings.nodes.unwrap_or(1).max(1));
            budget.stop = Some(Arc::new(AtomicBool::new(false)));
            analyst.analyse(&position, &budget)
        };
        match again() {
            Err(error) => note!("warning: --verify: {position}: {error}"),
            Ok(again) if is_same(&again, &analysis) => verified.equal += 1,
            Ok(again) => {
                verified.different += 1;
                note!(
                    "warning: {worker} has another result for {position}:\n  {}\n  {} on this machine",
                    in_words(&analysis),
                    in_words(&again)
                );
            }
        }
    }
    verified
}

/// Returns whether two analyses are equal but for their times.
fn is_same(one: &Analysis, other: &Analysis) -> bool {
    let without_time =
        |analysis: &Analysis| Analysis { time: Default::default(), ..analysis.clone() };
    without_time(one) == without_time(other)
}

fn in_words(analysis: &Analysis) -> String {
    let lines = analysis.lines.iter().map(|line| {
        let score = komadai_console::bounded_score(Some(line.score), line.bound);
        format!("{score} {}", line.pv)
    });
    let lines: Vec<String> = lines.collect();
    format!("depth {}, {} nodes: {}", analysis.depth, analysis.nodes, lines.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_percentages() {
        assert_eq!(Share::parse("1%"), Ok(Share(10_000)));
        assert_eq!(Share::parse("0.25%"), Ok(Share(2_500)));
        assert!(Share::parse("100%").unwrap().has(&Position::hirate()));
        assert!(!Share::parse("0%").unwrap().has(&Position::hirate()));
        for text in ["1", "%", "-1%", "101%", "NaN%", "one%"] {
            assert!(Share::parse(text).is_err(), "{text}");
        }
    }
}
