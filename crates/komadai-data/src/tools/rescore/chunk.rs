//! The search of successive positions.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::records::PackedSfenValue;
use komadai_core::Position;
use komadai_eval::Evaluator;
use komadai_search::{AlphaBeta, SearchOptions, Searcher as _};

use super::options::RescoreOptions;
use crate::label::search_label;
use crate::record::BYTES;
use crate::tools::blocks::{Block, Unreadable};
use crate::tools::fault::Fault;

/// The number of positions that are searched with the same tables.
pub(super) const CHUNK_RECORDS: usize = 64;

/// Successive records of a file, or the reason why there are no more.
pub(super) type Source = Result<Block, Unreadable>;

/// The sound records of a block, and the faults of the others.
pub(super) struct Chunk {
    /// The index of the file.
    pub(super) input: usize,
    /// The number of records in the file, the damaged ones included.
    pub(super) length: u64,
    pub(super) records: Vec<(PackedSfenValue, Position)>,
    /// The faults with the numbers of their records, from 1.
    pub(super) faults: Vec<(u64, Fault)>,
}

impl Chunk {
    /// Unpacks the positions of a block.
    pub(super) fn of(source: &Source) -> Self {
        let block = match source {
            Ok(block) => block,
            Err(Unreadable { input, record, error }) => {
                let fault = Fault::Unreadable { reason: error.to_string() };
                let faults = vec![(*record + 1, fault)];
                return Self { input: *input, length: 0, records: Vec::new(), faults };
            }
        };
        let bytes = block.bytes.as_chunks::<BYTES>().0;
        let (mut records, mut faults) = (Vec::new(), Vec::new());
        for (number, bytes) in (block.first + 1..).zip(bytes) {
            let record = PackedSfenValue::from_bytes(bytes);
            match record.and_then(|record| Ok((record, record.unpack()?))) {
                Ok(sound) => records.push(sound),
                Err(fault) => faults.push((number, fault.into())),
            }
        }
        Self { input: block.input, length: bytes.len() as u64, records, faults }
    }
}

/// A chunk that has been searched, without its positions.
pub(super) struct Rescored {
    /// The index of the file.
    pub(super) input: usize,
    /// The number of records in the file, the damaged ones included.
    pub(super) length: u64,
    /// The bytes of the sound records.
    pub(super) bytes: Vec<u8>,
    /// The faults with the numbers of their records, from 1.
    pub(super) faults: Vec<(u64, Fault)>,
}

/// Searches positions again.
pub(super) struct Rescorer<E> {
    search: AlphaBeta<E>,
    nodes: u64,
}

impl<E: Evaluator> Rescorer<E> {
    pub(super) fn new(evaluator: E, options: &RescoreOptions) -> Self {
        let search = SearchOptions { hash_mib: options.hash_mib, ..SearchOptions::default() };
        Self { search: AlphaBeta::new(evaluator, search), nodes: options.nodes }
    }

    /// Returns the records of a block with new scores and best moves; `None` if `stop` is set
    /// before.
    pub(super) fn chunk(&mut self, source: &Source, stop: &AtomicBool) -> Option<Rescored> {
        let mut chunk = Chunk::of(source);
        self.search.new_game();
        for (record, position) in &mut chunk.records {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let (analysis, score) = search_label(&mut self.search, position, self.nodes);
            if let Some(score) = score {
                record.score = score.raw().clamp(-32_000, 32_000) as i16;
            }
            record.best_move = analysis.best_move().or(record.best_move);
        }
        let Chunk { input, length, records, faults } = chunk;
        let bytes = records.iter().flat_map(|(record, _)| record.to_bytes()).collect();
        Some(Rescored { input, length, bytes, faults })
    }
}
