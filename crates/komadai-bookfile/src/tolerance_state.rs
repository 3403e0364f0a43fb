//! What a reader of a binary book does about a fault.

use komadai_core::{Move, Position};
use komadai_kifu::{Skipped, Tolerance};
use komadai_movegen::check_legality;

use crate::bin_error::BinBookError;
use crate::record::RecordMove;

/// The tolerance of a reader and what it has passed over because of it.
#[derive(Debug)]
pub(crate) struct ToleranceState {
    tolerance: Tolerance,
    skipped: Skipped<BinBookError>,
}

impl ToleranceState {
    pub(crate) fn new(tolerance: Tolerance) -> Self {
        Self { tolerance, skipped: Skipped::default() }
    }

    pub(crate) fn skipped(&self) -> &Skipped<BinBookError> {
        &self.skipped
    }

    /// Counts a fault, or hands it back if the reader may not go on past it.
    pub(crate) fn tolerate(&mut self, fault: BinBookError) -> Result<(), BinBookError> {
        match self.tolerance {
            Tolerance::Lenient if !fault.is_final() => {
                self.skipped.add(fault);
                Ok(())
            }
            _ => Err(fault),
        }
    }
}

/// The most moves that any position has, rounded up: a list that is longer is none.
pub(crate) const MAX_MOVES: usize = 600;

/// A record of a file and a byte in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RecordPlace {
    /// From 1.
    pub(crate) record: u64,
    pub(crate) at: u64,
}

impl RecordPlace {
    pub(crate) fn unsorted(self) -> BinBookError {
        BinBookError::Unsorted { record: self.record, at: self.at }
    }

    /// The move that `bits` stood for, if it is one of the position and not among those `before`.
    pub(crate) fn accept(
        self,
        position: &Position,
        before: &[RecordMove],
        bits: u32,
        m: Option<Move>,
    ) -> Result<Move, BinBookError> {
        let Self { record, at } = self;
        let m = m.ok_or(BinBookError::NoMove { record, at, bits })?;
        check_legality(position, m).map_err(|reason| BinBookError::IllegalMove {
            record,
            at,
            m,
            reason,
        })?;
        if before.iter().any(|other| other.m == m) {
            return Err(BinBookError::DuplicateMove { record, at, m });
        }
        Ok(m)
    }
}
