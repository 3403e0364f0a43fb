//! Lines of a process that nobody has read yet.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use komadai_base::clock::Instant;

use crate::line_reader::RawLine;

/// Maximum number of waiting lines. Beyond that the pipe of the process fills up and the process
/// waits.
const MOST_LINES: usize = 1024;

/// Size of the waiting lines in bytes from which on no more are taken.
const MOST_BYTES: usize = 4 << 20;

/// A queue between the thread that reads the output of a process and its only consumer.
///
/// Lines that were read together arrive together. A process that writes two answers at once is
/// therefore recognised before the next question, whatever the scheduler does.
#[derive(Debug, Clone, Default)]
pub(crate) struct LineQueue(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    lines: VecDeque<(RawLine, Instant)>,
    bytes: usize,
    /// True after the end of the output.
    has_ended: bool,
    /// True if the process does not accept input any more.
    is_deaf: bool,
    /// True if the consumer has gone.
    is_abandoned: bool,
    /// True if new lines take the place of the oldest ones: a process that ponders must not wait
    /// for a consumer that waits for the opponent.
    keeps_latest: bool,
}

/// The result of a wait for a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Taken {
    Line(RawLine, Instant),
    /// No line within the timeout.
    Nothing,
    /// No line, and the process does not accept input any more.
    Deaf,
    /// The end of the output.
    End,
}

impl State {
    fn is_full(&self) -> bool {
        self.lines.len() >= MOST_LINES || self.bytes >= MOST_BYTES
    }
}

impl LineQueue {
    /// Appends lines as soon as there is room. Returns false if the consumer has gone.
    pub(crate) fn push(&self, lines: Vec<RawLine>) -> bool {
        let at = Instant::now();
        let mut state = self.lock();
        while state.is_full() && !state.is_abandoned && !state.keeps_latest {
            state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        for line in lines {
            while state.is_full()
                && state.keeps_latest
                && let Some((oldest, _)) = state.lines.pop_front()
            {
                state.bytes -= size(&oldest);
            }
            state.bytes += size(&line);
            state.lines.push_back((line, at));
        }
        self.0.changed.notify_all();
        !state.is_abandoned
    }

    /// Removes the first line, after waiting for it for at most `timeout`. The end of the input of
    /// the process interrupts the wait only if `minds_deafness` is set.
    pub(crate) fn take(&self, timeout: Duration, minds_deafness: bool) -> Taken {
        let state = self.lock();
        let waits = |state: &mut State| {
            let is_over = state.has_ended || minds_deafness && state.is_deaf;
            state.lines.is_empty() && !is_over
        };
        let waited = self.0.changed.wait_timeout_while(state, timeout, waits);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        match state.lines.pop_front() {
            Some((line, at)) => {
                state.bytes -= size(&line);
                self.0.changed.notify_all();
                Taken::Line(line, at)
            }
            None if state.has_ended => Taken::End,
            None if minds_deafness && state.is_deaf => Taken::Deaf,
            None => Taken::Nothing,
        }
    }

    /// Sets whether new lines take the place of the oldest ones.
    pub(crate) fn keep_latest(&self, keeps_latest: bool) {
        self.change(|state| state.keeps_latest = keeps_latest);
    }

    /// Marks the end of the output.
    pub(crate) fn end(&self) {
        self.change(|state| state.has_ended = true);
    }

    /// Marks that the process does not accept input any more.
    pub(crate) fn close_input(&self) {
        self.change(|state| state.is_deaf = true);
    }

    /// Drops the lines, and all that follow.
    pub(crate) fn abandon(&self) {
        self.change(|state| {
            state.is_abandoned = true;
            state.lines.clear();
            state.bytes = 0;
        });
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.0.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panicked with the lock held has left complete lines, so the data is valid.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn size(line: &RawLine) -> usize {
    let (RawLine::Text(text) | RawLine::Unfinished(text) | RawLine::TooLong(text)) = line;
    size_of::<(RawLine, Instant)>() + text.len()
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    fn line(text: &str) -> RawLine {
        RawLine::Text(text.to_owned())
    }

    fn take(queue: &LineQueue) -> Taken {
        queue.take(Duration::ZERO, false)
    }

    fn text(taken: Taken) -> String {
        match taken {
            Taken::Line(RawLine::Text(text), _) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn lines_keep_their_order_and_the_end_comes_last() {
        let queue = LineQueue::default();
        assert_eq!(take(&queue), Taken::Nothing);
        assert!(queue.push(vec![line("a"), line("b")]));
        queue.end();
        assert_eq!([text(take(&queue)), text(take(&queue))], ["a", "b"]);
        assert_eq!(take(&queue), Taken::End);
        assert_eq!(queue.lock().bytes, 0);
    }

    #[test]
    fn the_end_of_the_input_interrupts_who_minds_it() {
        let queue = LineQueue::default();
        queue.close_input();
        assert_eq!(take(&queue), Taken::Nothing);
        assert_eq!(queue.take(Duration::MAX, true), Taken::Deaf);
        queue.push(vec![line("a")]);
        assert_eq!(text(queue.take(Duration::MAX, true)), "a");
    }

    #[test]
    fn megabytes_wait_for_the_consumer() {
        let queue = LineQueue::default();
        let sender = {
            let queue = queue.clone();
            let megabyte = "x".repeat(1 << 20);
            thread::spawn(move || {
                let pushed = (0..100).take_while(|_| queue.push(vec![line(&megabyte)])).count();
                queue.end();
                pushed
            })
        };
        for _ in 0..50 {
            assert_eq!(text(queue.take(Duration::MAX, false)).len(), 1 << 20);
            assert!(queue.lock().bytes <= MOST_BYTES + (2 << 20));
        }
        // The sender does not wait for a consumer that has gone.
        queue.abandon();
        assert!(sender.join().unwrap() < 100);
    }

    #[test]
    fn the_latest_lines_replace_the_oldest_ones_where_nobody_waits_for_them() {
        let queue = LineQueue::default();
        queue.keep_latest(true);
        for number in 0..3 * MOST_LINES {
            assert!(queue.push(vec![line(&number.to_string())]));
        }
        assert_eq!(text(take(&queue)), (2 * MOST_LINES).to_string());
        // A producer that has begun to wait goes on.
        queue.keep_latest(false);
        queue.push(vec![line("fills it")]);
        let sender = thread::spawn({
            let queue = queue.clone();
            move || queue.push(vec![line("last")])
        });
        queue.keep_latest(true);
        assert!(sender.join().unwrap());
        let lines = std::iter::from_fn(|| match take(&queue) {
            Taken::Line(RawLine::Text(text), _) => Some(text),
            _ => None,
        });
        assert_eq!(lines.last().unwrap(), "last");
        assert_eq!(queue.lock().bytes, 0);
    }
}
