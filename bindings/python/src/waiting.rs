//! Long work beside the interpreter.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

use crate::errors;

/// Time between two looks for Ctrl-C.
const TICK: Duration = Duration::from_millis(50);

/// Stack of a thread that searches: a line may have hundreds of moves.
const STACK: usize = 32 << 20;

/// Runs `work` on a thread of its own without the interpreter's lock, and calls `on_news` on this
/// thread, with the lock, for each message. An exception of `on_news`, or Ctrl-C, sets `stop`, and
/// is raised when the work has ended.
pub fn run<N: Send, T: Send>(
    py: Python<'_>,
    stop: &Arc<AtomicBool>,
    work: impl FnOnce(&mpsc::Sender<N>) -> T + Send,
    mut on_news: impl FnMut(Python<'_>, N) -> PyResult<()>,
) -> PyResult<T> {
    let (sender, news) = mpsc::channel();
    thread::scope(|scope| {
        let worker = thread::Builder::new()
            .name("komadai".to_owned())
            .stack_size(STACK)
            .spawn_scoped(scope, move || work(&sender))
            .map_err(errors::engine)?;
        let mut failed = None;
        // A receiver belongs to one thread; it is lent to the wait without the lock and returned.
        let mut news = news;
        loop {
            let (returned, message) = py.detach(move || {
                let message = news.recv_timeout(TICK);
                (news, message)
            });
            news = returned;
            let result = match message {
                Ok(message) if failed.is_none() => on_news(py, message),
                Ok(_) => Ok(()),
                Err(RecvTimeoutError::Timeout) => py.check_signals(),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if let Err(error) = result {
                stop.store(true, Ordering::Relaxed);
                failed.get_or_insert(error);
            }
        }
        let done = py.detach(|| worker.join());
        match (failed, done) {
            (Some(error), _) => Err(error),
            (None, Ok(done)) => Ok(done),
            (None, Err(_)) => Err(errors::engine("the search has failed: please report it")),
        }
    })
}

/// Runs `work`, which cannot be stopped, on a thread of its own without the interpreter's lock.
/// Ctrl-C does not wait for its end: the thread goes on alone, and its result is dropped.
pub fn run_alone<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, results) = mpsc::channel();
    let work = move || {
        // After Ctrl-C nobody receives it.
        let _ = sender.send(work());
    };
    thread::Builder::new().name("komadai".to_owned()).spawn(work).map_err(errors::engine)?;
    let mut results = results;
    loop {
        let (returned, result) = py.detach(move || {
            let result = results.recv_timeout(TICK);
            (results, result)
        });
        results = returned;
        match result {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(errors::engine("the work has failed: please report it"));
            }
        }
    }
}
