//! Writing `.ybb` books.

use std::io::{self, Write};

use komadai_core::PackedSfen;

use super::{FLAG_DEPTH, MAGIC};
use crate::lost::Lost;
use crate::record::{BookRecord, RecordMove};

/// Whether the moves of a `.ybb` book have depths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum YbbDepths {
    /// Six bytes a move.
    #[default]
    Write,
    /// Four bytes a move.
    Omit,
}

/// What stands for a value that is not known, where a format wants a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum UnknownValues {
    /// 0, as `makebook` writes; it is not known from an even value any more and counts as lost.
    #[default]
    Zero,
    /// 32,767, as newer versions of ShogiHome write. Programs that do not know the mark take it for
    /// the best value of all.
    Marked,
}

/// Collects a `.ybb` book and writes it.
///
/// Records may come in any order. In memory they take what they take in the file, about 65 bytes a
/// position of five moves. The format has no place for counts, expected answers, comments, marks,
/// results and judgements: what was left out is counted. Depth 0 means that it is not known. Of two records of one position the first
/// is written and the other counted as lost.
///
/// # Examples
///
/// See [`YbbReader`](crate::YbbReader).
#[derive(Debug, Clone, Default)]
pub struct YbbWriter {
    depths: YbbDepths,
    unknown: UnknownValues,
    index: Vec<Draft>,
    moves: Vec<u8>,
    lost: Lost,
}

/// A position whose moves have been encoded.
#[derive(Debug, Clone)]
struct Draft {
    packed: PackedSfen,
    /// Where its moves begin, in the order of coming.
    start: usize,
    ply: u16,
    moves: u16,
}

impl YbbWriter {
    /// Nothing collected yet.
    #[must_use]
    pub fn new(depths: YbbDepths, unknown: UnknownValues) -> Self {
        Self { depths, unknown, ..Self::default() }
    }

    /// Adds a position.
    pub fn push(&mut self, record: &BookRecord) {
        let packed = PackedSfen::from_setup(&record.position.to_setup());
        let (Ok(packed), Ok(moves)) = (packed, u16::try_from(record.moves.len())) else {
            self.lost.positions += 1;
            return;
        };
        let ply = record.ply.unwrap_or(0);
        self.lost.plies += u64::from(ply > u16::MAX.into());
        self.lost.comments += u64::from(!record.comment.is_empty());
        self.lost.results += u64::from(record.results.is_some());
        self.lost.evals += record.evals.len() as u64;
        self.index.push(Draft {
            packed,
            start: self.moves.len(),
            ply: u16::try_from(ply).unwrap_or(u16::MAX),
            moves,
        });
        for listed in &record.moves {
            self.push_move(listed);
        }
    }

    fn push_move(&mut self, listed: &RecordMove) {
        let lost = &mut self.lost;
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
        self.moves.extend(listed.m.to_bits().to_le_bytes());
        self.moves.extend(value.to_le_bytes());
        match self.depths {
            YbbDepths::Write => self.moves.extend(listed.depth.unwrap_or(0).to_le_bytes()),
            YbbDepths::Omit => {
                lost.depths += u64::from(listed.depth.is_some_and(|depth| depth != 0))
            }
        }
    }

    /// Sorts and writes everything, and returns what the format could not hold.
    ///
    /// # Errors
    ///
    /// If `out` fails.
    pub fn finish(mut self, out: &mut impl Write) -> io::Result<Lost> {
        let collected = self.index.len();
        // The sort is stable and the first of equals is kept.
        self.index.sort_by_key(|draft| draft.packed);
        self.index.dedup_by_key(|draft| draft.packed);
        self.lost.positions += (collected - self.index.len()) as u64;
        let (flags, move_bytes) = match self.depths {
            YbbDepths::Write => (FLAG_DEPTH, 6),
            YbbDepths::Omit => (0, 4),
        };
        out.write_all(&MAGIC)?;
        out.write_all(&(self.index.len() as u64).to_le_bytes())?;
        out.write_all(&flags.to_le_bytes())?;
        let mut start = 0;
        for draft in &self.index {
            out.write_all(draft.packed.as_bytes())?;
            out.write_all(&u64::to_le_bytes(start))?;
            out.write_all(&draft.ply.to_le_bytes())?;
            out.write_all(&draft.moves.to_le_bytes())?;
            start += u64::from(draft.moves) * move_bytes as u64;
        }
        for draft in &self.index {
            let end = draft.start + usize::from(draft.moves) * move_bytes;
            out.write_all(&self.moves[draft.start..end])?;
        }
        Ok(self.lost)
    }
}
