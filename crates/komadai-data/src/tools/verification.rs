//! The hashes of the files that a tool reads.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use rayon::prelude::*;

use super::error::ToolError;
use super::fault::{BYTES, Fault};
use super::input::Input;
use super::watch::Watch;
use crate::dataset::reader_sha256;

/// Time between two reports of progress.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// The content of a file, compared with what its manifest or its note states.
pub(super) struct Content {
    /// The SHA-256; `None` if the file is not as stated.
    pub(super) sha256: Option<String>,
    /// The fault, unless it is the length, which is known before.
    pub(super) fault: Option<Fault>,
}

/// Compares the content of each file with what is stated about it.
pub(super) fn contents(inputs: &[Input], watch: &mut Watch<'_>) -> Result<Vec<Content>, ToolError> {
    let hashes = hashes(inputs, watch)?;
    let content = |(input, hash): (&Input, Result<String, Fault>)| match (hash, &input.stated) {
        (Err(fault), _) => Content { sha256: None, fault: Some(fault) },
        (Ok(_), Some(stated)) if input.records != stated.records => {
            Content { sha256: None, fault: None }
        }
        (Ok(found), Some(stated)) if found != stated.sha256 => {
            let fault = Fault::Hash { found, expected: stated.sha256.clone() };
            Content { sha256: None, fault: Some(fault) }
        }
        (Ok(found), _) => Content { sha256: Some(found), fault: None },
    };
    Ok(inputs.iter().zip(hashes).map(content).collect())
}

/// Returns the SHA-256 of the records of each file, computed on all processors.
fn hashes(
    inputs: &[Input],
    watch: &mut Watch<'_>,
) -> Result<Vec<Result<String, Fault>>, ToolError> {
    // Progress is in records of YaneuraOu, though others have another length.
    let total = inputs.iter().map(|input| input.bytes / BYTES as u64).sum();
    let (done, stop) = (AtomicU64::new(0), watch.stop_flag());
    let (sender, finished) = channel();
    std::thread::scope(|scope| {
        let job = || inputs.par_iter().map(|input| hash(input, &done, stop)).collect();
        // The other end waits for it.
        scope.spawn(move || drop(sender.send(job())));
        loop {
            match finished.recv_timeout(REPORT_EVERY) {
                Ok(hashes) => {
                    watch.report("verify", total, total)?;
                    return Ok(hashes);
                }
                Err(RecvTimeoutError::Timeout) => {
                    watch.report("verify", done.load(Ordering::Relaxed) / BYTES as u64, total)?;
                }
                // The job has panicked, and so does the scope.
                Err(RecvTimeoutError::Disconnected) => return Err(ToolError::Stopped),
            }
        }
    })
}

fn hash(input: &Input, done: &AtomicU64, stop: &AtomicBool) -> Result<String, Fault> {
    let unreadable = |error: io::Error| Fault::Unreadable { reason: error.to_string() };
    let file = input.open().map_err(unreadable)?;
    let source = Counted { source: file.take(input.bytes), done, stop };
    reader_sha256(source).map_err(unreadable)
}

/// A source that counts its bytes, and ends when `stop` is set.
struct Counted<'a, R> {
    source: R,
    done: &'a AtomicU64,
    stop: &'a AtomicBool,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            return Ok(0);
        }
        let read = self.source.read(buffer)?;
        self.done.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
