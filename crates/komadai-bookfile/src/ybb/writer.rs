//! Writing `.ybb` books.

use std::io::{self, Write};

use komadai_core::PackedSfen;

use super::{FLAG_DEPTH, MAGIC};
use crate::conversion_loss::ConversionLoss;
use crate::record::{BookRecord, RecordMove};
use crate::sorting::{PartSort, SortOptions};
use crate::spool::Spool;

/// The depths of moves in a `.ybb` book: written or omitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum YbbDepths {
    /// Depths are written: six bytes a move.
    #[default]
    Write,
    /// Depths are omitted: four bytes a move.
    Omit,
}

/// The representation of an unknown value in a format that requires a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum UnknownValues {
    /// 0, as YaneuraOu's `makebook` writes. A reader cannot distinguish it from the value 0, so it
    /// counts as lost.
    #[default]
    Zero,
    /// 32,767, as newer versions of ShogiHome write. Programs without support for that take it for
    /// the best value of all.
    Marked,
}

/// Collects a `.ybb` book and writes it.
///
/// Records may come in any order. They are sorted in bounded memory: the rest is kept in temporary
/// files of the size of the book. The format has no fields for counts, expected answers, comments,
/// marks, results and evaluations of positions; they are counted as lost. Depth 0 stands for an
/// unknown depth. Of two records of one position the first is written and the other counted as
/// lost.
///
/// # Examples
///
/// See [`YbbReader`](crate::ybb::YbbReader).
#[derive(Debug)]
pub struct YbbWriter {
    depths: YbbDepths,
    unknown: UnknownValues,
    options: SortOptions,
    /// The move number and the moves of each position.
    parts: PartSort,
    /// Positions that the format cannot hold.
    refused: u64,
}

/// The size of the move number at the start of a part, in bytes.
const PLY_BYTES: usize = size_of::<u16>();

impl YbbWriter {
    /// Creates an empty writer.
    pub fn new(depths: YbbDepths, unknown: UnknownValues) -> Self {
        let options = SortOptions::default();
        let parts = PartSort::new(options.clone());
        Self { depths, unknown, options, parts, refused: 0 }
    }

    /// Sets the memory and the temporary folder of sorting, for an empty writer.
    #[must_use]
    pub fn sort(self, options: SortOptions) -> Self {
        Self { parts: PartSort::new(options.clone()), options, ..self }
    }

    /// Adds a position.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written.
    pub fn push(&mut self, record: &BookRecord) -> io::Result<()> {
        let packed = PackedSfen::from_setup(&record.position.to_setup());
        let (Ok(packed), true) = (packed, u16::try_from(record.moves.len()).is_ok()) else {
            self.refused += 1;
            return Ok(());
        };
        let ply = record.ply.unwrap_or(0);
        let mut lost = ConversionLoss {
            plies: u64::from(ply > u16::MAX.into()),
            comments: u64::from(!record.comment.is_empty()),
            results: u64::from(record.results.is_some()),
            evals: record.evals.len() as u64,
            ..ConversionLoss::default()
        };
        let mut part = Vec::with_capacity(PLY_BYTES + record.moves.len() * self.move_bytes());
        part.extend(u16::try_from(ply).unwrap_or(u16::MAX).to_le_bytes());
        for listed in &record.moves {
            self.put_move(listed, &mut part, &mut lost);
        }
        self.parts.push(packed.as_bytes(), &lost, &part)
    }

    fn put_move(&self, listed: &RecordMove, part: &mut Vec<u8>, lost: &mut ConversionLoss) {
        lost.ponders += u64::from(listed.ponder.is_some());
        lost.counts += u64::from(listed.count.is_some());
        lost.marks += u64::from(listed.mark.is_some());
        lost.comments += u64::from(!listed.comment.is_empty());
        let value = match (listed.score, self.unknown) {
            (Some(score), _) => i16::try_from(score.raw()).unwrap_or(i16::MAX),
            (None, UnknownValues::Marked) => i16::MAX,
            (None, UnknownValues::Zero) => {
                lost.values += 1;
                0
            }
        };
        part.extend(listed.m.to_bits().to_le_bytes());
        part.extend(value.to_le_bytes());
        match self.depths {
            YbbDepths::Write => part.extend(listed.depth.unwrap_or(0).to_le_bytes()),
            YbbDepths::Omit => {
                lost.depths += u64::from(listed.depth.is_some_and(|depth| depth != 0));
            }
        }
    }

    const fn move_bytes(&self) -> usize {
        match self.depths {
            YbbDepths::Write => 6,
            YbbDepths::Omit => 4,
        }
    }

    /// Sorts and writes everything, and returns the data that the format cannot hold.
    ///
    /// # Errors
    ///
    /// If `out` or a temporary file fails.
    pub fn finish(self, out: &mut impl Write) -> io::Result<ConversionLoss> {
        let move_bytes = self.move_bytes();
        // The header states the number of distinct positions, and the moves follow the whole index:
        // both are only known after the last part, so index and moves wait in spools.
        let folder = self.options.folder();
        let mut index = Spool::new(&folder);
        let mut moves = Spool::new(&folder);
        let mut records = 0_u64;
        let mut start = 0_u64;
        let mut parts = self.parts.finish()?;
        while let Some((packed, part)) = parts.next()? {
            let (ply, listed) = part.split_at_checked(PLY_BYTES).unwrap_or_default();
            index.write_all(packed)?;
            index.write_all(&start.to_le_bytes())?;
            index.write_all(ply)?;
            index.write_all(&((listed.len() / move_bytes) as u16).to_le_bytes())?;
            moves.write_all(listed)?;
            records += 1;
            start += listed.len() as u64;
        }
        let flags = match self.depths {
            YbbDepths::Write => FLAG_DEPTH,
            YbbDepths::Omit => 0,
        };
        out.write_all(&MAGIC)?;
        out.write_all(&records.to_le_bytes())?;
        out.write_all(&flags.to_le_bytes())?;
        io::copy(&mut index.into_reader()?, out)?;
        io::copy(&mut moves.into_reader()?, out)?;
        let mut lost = parts.into_lost();
        lost.positions += self.refused;
        Ok(lost)
    }
}

impl Default for YbbWriter {
    fn default() -> Self {
        Self::new(YbbDepths::default(), UnknownValues::default())
    }
}
