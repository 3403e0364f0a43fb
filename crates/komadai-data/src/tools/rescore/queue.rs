//! The order of chunks that several threads search.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::chunk::{CHUNK_RECORDS, Chunk, Rescored, Source, end_file};
use super::journal::Journal;
use crate::tools::blocks::Blocks;
use crate::tools::damage::Damage;
use crate::tools::error::ToolError;
use crate::tools::fault::Fault;
use crate::tools::sources::Sources;
use crate::tools::watch::Watch;

/// The blocks that are to be searched, with their numbers.
pub(super) struct Queue<'a> {
    state: Mutex<(u64, Option<Source>, Blocks<'a>)>,
    /// Number of records that the journal has.
    before: u64,
}

impl<'a> Queue<'a> {
    /// Returns the blocks that the journal does not have.
    pub(super) fn resume(
        sources: &'a Sources,
        journal: &mut Journal,
        damage: &mut Damage,
        is_quiet: bool,
    ) -> Result<Self, ToolError> {
        let mut blocks = Blocks::new(sources.inputs(), CHUNK_RECORDS);
        let (mut before, mut first) = (0, None);
        while let Some(source) = blocks.next() {
            let chunk = Chunk::of(&source);
            // A file that cannot be read on may become readable, and is tried again.
            if source.is_err() || !journal.passes(&chunk, is_quiet)? {
                first = Some(source);
                break;
            }
            before += chunk.length;
            add_faults(sources, chunk.input, &chunk.faults, damage)?;
            if end_file(&chunk.faults) {
                blocks.leave(chunk.input);
            }
        }
        journal.truncate()?;
        Ok(Self { state: Mutex::new((0, first, blocks)), before })
    }

    /// Returns the next block and its number.
    pub(super) fn next(&self) -> Option<(u64, Source)> {
        // A thread that panicked ends all.
        let mut state = self.state.lock().ok()?;
        let (number, first, blocks) = &mut *state;
        let source = first.take().or_else(|| blocks.next())?;
        *number += 1;
        Some((*number - 1, source))
    }
}

/// The chunks that have been searched.
pub(super) struct Results<'a, 'w> {
    state: Mutex<State<'a, 'w>>,
    is_over: AtomicBool,
}

struct State<'a, 'w> {
    sources: &'a Sources,
    journal: Journal,
    damage: Damage,
    watch: &'a mut Watch<'w>,
    /// Chunks that wait for those before them.
    waiting: BTreeMap<u64, Rescored>,
    /// The index of the file whose rest cannot be read.
    ended: Option<usize>,
    next: u64,
    done: u64,
    before: u64,
    failure: Option<ToolError>,
}

impl<'a, 'w> Results<'a, 'w> {
    pub(super) fn new(
        sources: &'a Sources,
        journal: Journal,
        damage: Damage,
        watch: &'a mut Watch<'w>,
        queue: &Queue<'_>,
    ) -> Self {
        let (before, waiting) = (queue.before, BTreeMap::new());
        let state = State {
            sources,
            journal,
            damage,
            watch,
            waiting,
            ended: None,
            next: 0,
            done: before,
            before,
            failure: None,
        };
        Self { state: Mutex::new(state), is_over: AtomicBool::new(false) }
    }

    /// Returns whether something has failed.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Adds a chunk, and writes those whose turn it is.
    pub(super) fn add(&self, number: u64, chunk: Rescored) {
        let Ok(mut state) = self.state.lock() else { return };
        state.waiting.insert(number, chunk);
        if let Err(error) = state.write() {
            state.failure.get_or_insert(error);
            self.is_over.store(true, Ordering::Relaxed);
        }
    }

    /// Returns the journal and the damage, or the reason why not all chunks are there.
    pub(super) fn finish(self) -> Result<(Journal, Damage), ToolError> {
        // A panic of a thread has been passed on before.
        let state = self.state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(failure) = state.failure {
            return Err(failure);
        }
        if state.watch.is_stopped() {
            return Err(ToolError::Stopped);
        }
        Ok((state.journal, state.damage))
    }
}

impl State<'_, '_> {
    fn write(&mut self) -> Result<(), ToolError> {
        while let Some(chunk) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.done += chunk.length;
            if self.ended == Some(chunk.input) {
                continue;
            }
            if end_file(&chunk.faults) {
                self.ended = Some(chunk.input);
            }
            add_faults(self.sources, chunk.input, &chunk.faults, &mut self.damage)?;
            self.journal.append(&chunk.bytes)?;
        }
        let total = self.sources.records();
        self.watch.report_since("rescore", self.done, total, self.before)
    }
}

fn add_faults(
    sources: &Sources,
    input: usize,
    faults: &[(u64, Fault)],
    damage: &mut Damage,
) -> Result<(), ToolError> {
    let input = &sources.inputs()[input];
    for (record, fault) in faults {
        let place = (!fault.is_of_game()).then(|| input.place(*record));
        damage.add(sources.on_damage(), input.path(), place, fault.clone())?;
    }
    Ok(())
}
