//! Contributions of the analysts to a store.

use std::collections::BTreeMap;

use komadai_bookfile::position_key::PositionKey;
use komadai_core::{AnalystId, Bound, Score};
use redb::ReadableTable;

use super::codes::bound_code;
use super::error::{StoreError, StoreFault};
use super::log_row::{AnalysisRow, LogRow};
use super::reading::log_rows;
use super::tables::{LOG, LogKey, VIEW, decode};
use super::view_row::ViewRow;
use super::{Store, analysts_in};
use crate::logged_analysis::AnalystIndex;
use crate::refresh::ValuePair;

/// The contribution of one engine to a store.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EngineShare {
    /// The engine.
    pub analyst: AnalystId,
    /// The number of its evaluations of moves.
    pub evaluations: u64,
    /// The number of positions that it has evaluated.
    pub positions: u64,
    /// The number of nodes of its analyses, each analysis counted once.
    pub nodes: u64,
    /// The times of its first and its last analysis, in seconds since the start of 1970 (UTC);
    /// `None` if no time is known.
    pub first_and_last: Option<(u64, u64)>,
    /// The number of moves of the view with a value by this engine.
    pub view_moves: u64,
    /// This number as a share of all moves of the view with a value, 0 to 1; 0 if there are none.
    pub view_share: f64,
}

impl Store {
    /// The contribution of each analyst, in the order of their numbers.
    ///
    /// Takes time proportional to the log.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn sources(&self) -> Result<Vec<EngineShare>, StoreError> {
        self.read(|transaction| {
            let mut tallies: Vec<Tally> =
                analysts_in(transaction)?.into_iter().map(Tally::new).collect();
            let unknown =
                |key: &[u8]| StoreFault::corrupt_row("log", key, "its analyst has no name");
            for row in log_rows(transaction.open_table(LOG)?.range::<&LogKey>(..)?, u64::MAX) {
                if let (key, _, LogRow::Analysis(row)) = row? {
                    let tally = tallies.get_mut(usize::from(row.head.analyst));
                    tally.ok_or_else(|| unknown(key.as_bytes()))?.add(&key, &row);
                }
            }
            let mut valued = 0;
            for row in transaction.open_table(VIEW)?.iter()? {
                let (key, row) = row?;
                let row: ViewRow = decode("view", key.value(), row.value())?;
                for value in row.moves.iter().filter_map(|listed| listed.value) {
                    let tally = tallies.get_mut(usize::from(value.analyst));
                    tally.ok_or_else(|| unknown(key.value()))?.share.view_moves += 1;
                    valued += 1;
                }
            }
            Ok(tallies.into_iter().map(|tally| tally.into_share(valued)).collect())
        })
    }

    /// The index of an analyst in [`StoredValue::analyst`](crate::StoredValue::analyst); `None` if
    /// it has made no evaluation.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    #[expect(clippy::missing_panics_doc, reason = "analysts are numbered with 16 bits")]
    pub fn analyst_index(&self, analyst: &AnalystId) -> Result<Option<AnalystIndex>, StoreError> {
        let known = self.analysts()?.iter().position(|known| known == analyst);
        Ok(known.map(|number| AnalystIndex(number.try_into().expect("numbers have 16 bits"))))
    }

    /// The last exact values of two analysts for the same moves, in centipawns, in the order of the
    /// positions' keys. [`fit_scale`](crate::refresh::fit_scale) compares them.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn value_pairs(
        &self,
        old: &AnalystId,
        new: &AnalystId,
    ) -> Result<Vec<ValuePair>, StoreError> {
        self.read(|transaction| {
            let analysts = analysts_in(transaction)?;
            let number = |id: &AnalystId| analysts.iter().position(|known| known == id);
            let (Some(old), Some(new)) = (number(old), number(new)) else { return Ok(Vec::new()) };
            let mut pairing = Pairing { old, new, ..Pairing::default() };
            for row in log_rows(transaction.open_table(LOG)?.range::<&LogKey>(..)?, u64::MAX) {
                if let (key, _, LogRow::Analysis(row)) = row? {
                    pairing.add(&key, &row);
                }
            }
            pairing.finish_position();
            Ok(pairing.pairs)
        })
    }
}

/// The counts of one analyst.
struct Tally {
    share: EngineShare,
    last_position: Option<PositionKey>,
}

impl Tally {
    fn new(analyst: AnalystId) -> Self {
        let share = EngineShare { analyst, ..EngineShare::default() };
        Self { share, last_position: None }
    }

    fn add(&mut self, key: &PositionKey, row: &AnalysisRow) {
        let share = &mut self.share;
        let evaluations = row.lines.iter().filter(|line| !line.pv.is_empty()).count();
        share.evaluations += evaluations as u64;
        share.nodes = share.nodes.saturating_add(row.head.nodes);
        // The rows of a position are consecutive.
        if self.last_position.replace(*key) != Some(*key) {
            share.positions += 1;
        }
        if row.head.when > 0 {
            let (first, last) = share.first_and_last.unwrap_or((u64::MAX, 0));
            share.first_and_last = Some((first.min(row.head.when), last.max(row.head.when)));
        }
    }

    fn into_share(self, valued: u64) -> EngineShare {
        let view_share = self.share.view_moves as f64 / valued.max(1) as f64;
        EngineShare { view_share, ..self.share }
    }
}

/// Values of the same moves by two analysts.
#[derive(Default)]
struct Pairing {
    old: usize,
    new: usize,
    position: Option<PositionKey>,
    /// The last values of each move of the position: by the old and by the new analyst.
    values: BTreeMap<u16, [Option<i32>; 2]>,
    pairs: Vec<ValuePair>,
}

impl Pairing {
    fn add(&mut self, key: &PositionKey, row: &AnalysisRow) {
        if self.position != Some(*key) {
            self.finish_position();
            self.position = Some(*key);
        }
        // `old` and `new` may be the same analyst.
        let analyst = usize::from(row.head.analyst);
        for (which, wanted) in [self.old, self.new].into_iter().enumerate() {
            if analyst != wanted {
                continue;
            }
            let exact = row.lines.iter().filter(|line| line.bound == bound_code(Bound::Exact));
            for line in exact {
                let value = Score::from_raw(line.score).to_cp();
                if let (Some(m), Some(value)) = (line.first(), value) {
                    self.values.entry(m).or_default()[which] = Some(value);
                }
            }
        }
    }

    fn finish_position(&mut self) {
        for (_, values) in core::mem::take(&mut self.values) {
            if let [Some(old), Some(new)] = values {
                self.pairs.push(ValuePair { old: old.into(), new: new.into() });
            }
        }
    }
}
