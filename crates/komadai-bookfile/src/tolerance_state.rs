//! Handling of faults by the readers of binary books.

use komadai_base::reading::{Skipped, Tolerance};
use komadai_core::{Move, Position};
use komadai_movegen::check_legality;

use crate::error::BookError;
use crate::fault_place::FaultPlace;
use crate::record::RecordMove;

/// The tolerance of a reader and the faults that it has skipped.
#[derive(Debug)]
pub(crate) struct ToleranceState {
    tolerance: Tolerance,
    pub(crate) skipped: Skipped<BookError>,
}

impl ToleranceState {
    pub(crate) fn new(tolerance: Tolerance) -> Self {
        Self { tolerance, skipped: Skipped::default() }
    }

    pub(crate) fn skipped(&self) -> &Skipped<BookError> {
        &self.skipped
    }

    /// Counts a fault, or returns it if the reader must stop there.
    pub(crate) fn tolerate(&mut self, fault: BookError) -> Result<(), BookError> {
        match self.tolerance {
            Tolerance::Lenient if !fault.is_final() => {
                self.skipped.add(fault);
                Ok(())
            }
            _ => Err(fault),
        }
    }
}

/// The maximum length of a list of moves: no position has more than 593 legal moves, rounded up.
pub(crate) const MAX_MOVES: usize = 600;

/// A record of a binary file and a byte in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RecordPlace {
    /// The number of the record, from 1.
    pub(crate) record: u64,
    /// The offset of the byte in the file.
    pub(crate) at: u64,
}

impl From<RecordPlace> for FaultPlace {
    fn from(RecordPlace { record, at }: RecordPlace) -> Self {
        Self::Record { record, at }
    }
}

impl RecordPlace {
    pub(crate) fn unsorted(self) -> BookError {
        BookError::Unsorted { place: self.into() }
    }

    /// The decoded move, if it is legal in the position and not among the moves `before`. `bits`
    /// are the number in the file, for the error.
    pub(crate) fn accept(
        self,
        position: &Position,
        before: &[RecordMove],
        bits: u32,
        m: Option<Move>,
    ) -> Result<Move, BookError> {
        let place = self.into();
        let m = m.ok_or(BookError::NoMove { place, bits })?;
        check_legality(position, m).map_err(|reason| BookError::IllegalMove {
            place,
            m,
            reason,
        })?;
        if before.iter().any(|other| other.m == m) {
            return Err(BookError::DuplicateMove { place, m });
        }
        Ok(m)
    }
}
