//! The search of successive positions.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::records::PackedSfenValue;
use komadai_core::{PackedSfen, Position};
use komadai_eval::Evaluator;
use komadai_search::{AlphaBeta, SearchOptions, Searcher as _, Techniques};

use super::options::RescoreOptions;
use crate::label::search_label;
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
    /// The faults with the numbers of their records, from 0.
    pub(super) faults: Vec<(u64, Fault)>,
}

impl Chunk {
    /// Unpacks the positions of a block.
    pub(super) fn of(source: &Source) -> Self {
        let block = match source {
            Ok(block) => block,
            Err(Unreadable { input, record, error }) => {
                let fault = Fault::Unreadable { reason: error.to_string() };
                let faults = vec![(*record, fault)];
                return Self { input: *input, length: 0, records: Vec::new(), faults };
            }
        };
        let (mut records, mut faults) = (Vec::new(), Vec::new());
        for (at, part) in block.examined(|record| Ok((*record, record.unpack()?))) {
            match part {
                Ok(sound) => records.push(sound),
                Err(fault) => {
                    let is_last = fault.ends_file();
                    faults.push((block.first + at, fault));
                    if is_last {
                        break;
                    }
                }
            }
        }
        Self { input: block.input, length: block.records, records, faults }
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
    /// The faults with the numbers of their records, from 0.
    pub(super) faults: Vec<(u64, Fault)>,
}

/// Returns whether nothing of the file can be read after these faults.
pub(super) fn end_file(faults: &[(u64, Fault)]) -> bool {
    faults.iter().any(|(_, fault)| fault.ends_file())
}

/// Searches positions again.
pub(super) struct Rescorer<E> {
    search: AlphaBeta<E>,
    /// The search for quiet positions, if they are wanted.
    quiescence: Option<AlphaBeta<E>>,
    nodes: u64,
}

impl<E: Evaluator + Clone> Rescorer<E> {
    pub(super) fn new(evaluator: E, options: &RescoreOptions) -> Self {
        let search = SearchOptions { hash_mib: options.hash_mib, ..SearchOptions::default() };
        let quiescence = options.is_quiet.then(|| {
            // Entries of a table would cut lines short.
            let techniques = Techniques::QUIESCENCE;
            let quiet = SearchOptions { techniques, hash_mib: 1, ..SearchOptions::default() };
            AlphaBeta::new(evaluator.clone(), quiet)
        });
        Self { search: AlphaBeta::new(evaluator, search), quiescence, nodes: options.nodes }
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
            if let Some(quiescence) = &mut self.quiescence {
                quieten(quiescence, record, position);
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

/// Replaces a position by the one at the end of the principal variation of its quiescence search. A
/// leaf that does not fit into 256 bits leaves the record as it is.
fn quieten<E: Evaluator>(
    quiescence: &mut AlphaBeta<E>,
    record: &mut PackedSfenValue,
    position: &mut Position,
) {
    let analysis = quiescence.quiescence(position);
    let Some(line) = analysis.lines.first().filter(|line| !line.pv.is_empty()) else { return };
    let (mut leaf, mut result) = (position.clone(), record.result);
    for &m in line.pv.iter() {
        leaf.do_move(m);
        result = result.reversed();
    }
    // The search of the leaf must not see the moves before it as a game.
    let fresh = Position::from_setup(&leaf.to_setup());
    if let (Ok(leaf), Ok(packed)) = (fresh, PackedSfen::of(&leaf)) {
        let ply = record.ply.saturating_add(u16::from(record.ply > 0) * line.pv.len() as u16);
        *record = PackedSfenValue { position: packed, best_move: None, ply, result, ..*record };
        *position = leaf;
    }
}
