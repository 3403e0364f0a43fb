//! Workers of a queue without the book.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use komadai_core::{Analyst, Position};

use super::crew::{Crew, EndOfRun};
use super::event::GrowEnd;
use super::options::GrowOptions;
use super::worker::{Member, Work, WorkerEvent};
use crate::queue::{JobSettings, JobSource, QueueError};

/// The time after which the stop flag is looked at.
const POLL: Duration = Duration::from_millis(200);

/// An event of the work on a queue.
#[derive(Debug)]
#[non_exhaustive]
pub enum WorkEvent<'a> {
    /// A job was done.
    Finished,
    /// An analyst found no job.
    Idle,
    /// An analyst failed. The queue decides how often the position is tried.
    Failed {
        /// The position.
        position: &'a Position,
        /// The error of the analyst.
        reason: &'a str,
    },
    /// An analyst gets no more jobs, because it has failed too often in a row.
    Dismissed {
        /// The index of the analyst, from 0.
        analyst: usize,
        /// The last error of the analyst.
        reason: &'a str,
    },
}

/// The behaviour of workers when a queue has no job for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WhenEmpty {
    /// The work ends.
    End,
    /// The workers wait for further jobs.
    Wait,
}

/// The result of work on a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Worked {
    /// The number of jobs done.
    pub finished: usize,
    /// The number of failed analyses.
    pub failures: usize,
    /// The reason why the work ended.
    pub end: GrowEnd,
}

/// Does the jobs of a queue with one thread for each analyst, with heartbeats. Each result is sent to
/// the queue at once. A queue that is not available for some time is tried again.
///
/// `host` is the name of the machine, for the names of the workers and for the log. Setting `stop`
/// interrupts the analyses and gives their jobs back.
///
/// # Errors
///
/// If the queue fails or refuses a request.
///
/// # Examples
///
/// [`FileQueue`](crate::job_file::FileQueue) is such a queue without a server:
///
/// ```no_run
/// use komadai_book::job_file::{FileQueue, JobFile};
/// use komadai_book::{WhenEmpty, WorkEvent, work};
/// use komadai_core::Analyst;
///
/// # fn analysts() -> Vec<Box<dyn Analyst>> { Vec::new() }
/// let mut analysts = analysts();
/// let queue = FileQueue::open(JobFile::read("jobs.txt")?, "out.log")?;
/// let mut on_event = |event: WorkEvent<'_>| println!("{event:?}");
/// let stop = std::sync::Arc::default();
/// work(&queue, &mut analysts, "host", WhenEmpty::End, &stop, &mut on_event)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn work<S: JobSource, A: Analyst>(
    source: &S,
    analysts: &mut [A],
    host: &str,
    when_empty: WhenEmpty,
    stop: &Arc<AtomicBool>,
    on_event: &mut dyn FnMut(WorkEvent<'_>),
) -> Result<Worked, QueueError> {
    let options = GrowOptions { host: host.to_owned(), ..GrowOptions::new(JobSettings::default()) };
    let crew = Crew::new(analysts.len(), usize::MAX);
    let work = Work { queue: source, options: &options, stop, crew: &crew };
    let (sender, events) = mpsc::channel();
    let mut worked = Worked::default();
    thread::scope(|scope| {
        let _end = EndOfRun(&crew);
        for (number, analyst) in analysts.iter_mut().enumerate() {
            let (sender, work) = (sender.clone(), &work);
            scope.spawn(move || work.work(&mut Member::new(number, analyst), &sender));
        }
        drop(sender);
        scope.spawn(|| crew.keep_alive(source));
        if when_empty == WhenEmpty::Wait {
            scope.spawn(|| crew.listen(source));
        }
        loop {
            // Before the events: an idle thread has sent all of them.
            let end = if stop.load(Ordering::Relaxed) {
                Some(GrowEnd::Stopped)
            } else if crew.active() == 0 {
                Some(GrowEnd::NoAnalysts)
            } else {
                (when_empty == WhenEmpty::End && crew.is_idle()).then_some(GrowEnd::Exhausted)
            };
            for event in events.try_iter() {
                worked.note(event, on_event)?;
            }
            if let Some(end) = end {
                worked.end = end;
                return Ok::<(), QueueError>(());
            }
            match events.recv_timeout(POLL) {
                Ok(event) => worked.note(event, on_event)?,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
        }
    })?;
    events.try_iter().try_for_each(|event| worked.note(event, on_event))?;
    analysts.iter_mut().for_each(|analyst| drop(analyst.set_lines(None)));
    Ok(worked)
}

impl Worked {
    fn note(
        &mut self,
        event: WorkerEvent,
        on_event: &mut dyn FnMut(WorkEvent<'_>),
    ) -> Result<(), QueueError> {
        match event {
            WorkerEvent::Idle => on_event(WorkEvent::Idle),
            WorkerEvent::Finished => {
                self.finished += 1;
                on_event(WorkEvent::Finished);
            }
            WorkerEvent::Failed { position, reason } => {
                self.failures += 1;
                on_event(WorkEvent::Failed { position: &position, reason: &reason });
            }
            WorkerEvent::Dismissed { analyst, reason } => {
                on_event(WorkEvent::Dismissed { analyst, reason: &reason });
            }
            WorkerEvent::QueueFailed(error) => return Err(error),
        }
        Ok(())
    }
}
