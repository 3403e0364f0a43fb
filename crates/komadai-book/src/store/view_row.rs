//! The view of a position, as it follows from its rows in the log.

use komadai_bookfile::position_key::{PositionKey, turn};
use komadai_bookfile::{BookRecord, RecordMove};
use komadai_movegen::check_legality;
use serde::{Deserialize, Serialize};

use super::codes::{move_of, position_of, side_of};
use super::log_row::{AnalysisRow, LogRow, MoveRow, Seen};
use super::policy::{Candidate, Choice, ViewValue};
use crate::stored_record::StoredRecord;

/// A position and its moves with their current values, in the orientation with Black to move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ViewRow {
    /// The orientation and move number in which the position was first seen.
    pub(crate) seen: Seen,
    /// The moves in the order in which they were added; at least one.
    pub(crate) moves: Vec<ViewMove>,
    /// The moves that were deleted one by one.
    pub(crate) barred: Vec<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ViewMove {
    pub(crate) m: u16,
    pub(crate) ponder: Option<u16>,
    pub(crate) games: u32,
    pub(crate) value: Option<ViewValue>,
}

/// The content of the log for one position, collected row by row.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    seen: Option<Seen>,
    moves: Vec<GatheredMove>,
    /// The deletions in force.
    deleted: Vec<(u64, Option<u16>)>,
}

#[derive(Debug)]
struct GatheredMove {
    m: u16,
    ponder: Option<u16>,
    games: u32,
    candidates: Vec<Candidate>,
}

impl Gathered {
    /// Adds the next row of the log.
    pub(crate) fn add(&mut self, sequence: u64, row: &LogRow) {
        match row {
            LogRow::Analysis(row) => self.add_analysis(sequence, row),
            LogRow::Move(row) => self.add_move(row),
            LogRow::Deleted(row) => self.deleted.push((row.tombstone, row.m)),
            LogRow::Restored(tombstone) => self.deleted.retain(|(id, _)| id != tombstone),
        }
    }

    fn add_analysis(&mut self, sequence: u64, row: &AnalysisRow) {
        self.seen.get_or_insert(row.seen);
        for (at, line) in row.lines.iter().enumerate() {
            let Some(m) = line.first() else { continue };
            // An analysis evaluates a move once. Lines are ordered best first, so the first one
            // with the move has its value.
            if row.lines[..at].iter().any(|earlier| earlier.first() == Some(m)) {
                continue;
            }
            let value = ViewValue {
                score: line.score,
                bound: line.bound,
                depth: row.head.depth,
                nodes: row.head.nodes,
                analyst: row.head.analyst,
                source: row.head.source,
                when: row.head.when,
                sequence,
                evaluations: 1,
            };
            let gathered = self.move_mut(m);
            let answer = line.answer();
            gathered.candidates.push(Candidate { value, answer });
            // The newest known answer stays.
            gathered.ponder = answer.or(gathered.ponder);
        }
    }

    fn add_move(&mut self, row: &MoveRow) {
        self.seen.get_or_insert(row.seen);
        let gathered = self.move_mut(row.m);
        gathered.games = gathered.games.saturating_add(row.games);
        gathered.ponder = row.ponder.or(gathered.ponder);
    }

    fn move_mut(&mut self, m: u16) -> &mut GatheredMove {
        let at = self.moves.iter().position(|known| known.m == m).unwrap_or_else(|| {
            self.moves.push(GatheredMove { m, ponder: None, games: 0, candidates: Vec::new() });
            self.moves.len() - 1
        });
        &mut self.moves[at]
    }

    /// The deletion in force of this move alone, or of all moves (`None`).
    pub(crate) fn tombstone(&self, m: Option<u16>) -> Option<u64> {
        self.deleted.iter().find(|(_, deleted)| *deleted == m).map(|(id, _)| *id)
    }

    /// Returns whether this move, or any move (`None`), exists and is not deleted.
    pub(crate) fn has(&self, m: Option<u16>) -> bool {
        self.moves.iter().any(|known| m.is_none_or(|m| m == known.m) && self.is_kept(known.m))
    }

    fn is_kept(&self, m: u16) -> bool {
        !self.deleted.iter().any(|(_, deleted)| deleted.is_none_or(|deleted| deleted == m))
    }

    /// The view by this choice; `None` if no move is left, because a position without moves is not
    /// in a book.
    pub(crate) fn view(&self, choice: Choice) -> Option<ViewRow> {
        let kept = self.moves.iter().filter(|gathered| self.is_kept(gathered.m));
        let moves: Vec<_> = kept.map(|gathered| gathered.view(choice)).collect();
        if moves.is_empty() {
            return None;
        }
        let barred = self.deleted.iter().filter_map(|(_, m)| *m).collect();
        Some(ViewRow { seen: self.seen?, moves, barred })
    }
}

impl GatheredMove {
    fn view(&self, choice: Choice) -> ViewMove {
        let chosen = choice.choose(&self.candidates);
        ViewMove {
            m: self.m,
            ponder: chosen.and_then(|chosen| chosen.answer).or(self.ponder),
            games: self.games,
            value: chosen.map(|chosen| chosen.value),
        }
    }
}

impl ViewRow {
    /// The record with `side` to move; with `None`, in the orientation in which the position was
    /// first seen.
    pub(crate) fn to_stored(
        &self,
        key: &PositionKey,
        side: Option<komadai_core::Color>,
    ) -> Result<StoredRecord, String> {
        let side = side.map_or_else(|| side_of(self.seen.side), Ok)?;
        let mut record = BookRecord::new(position_of(key, side, self.seen.ply)?);
        let mut values = Vec::with_capacity(self.moves.len());
        let turned = |code: u16| Ok::<_, String>(turn(move_of(code)?, side));
        for listed in &self.moves {
            let m = turned(listed.m)?;
            // Everybody makes the moves of a record without a look at the rules.
            check_legality(&record.position, m)
                .map_err(|reason| format!("{m} is illegal: {reason}"))?;
            let value = listed.value.map(|value| value.to_stored()).transpose()?;
            record.moves.push(RecordMove {
                ponder: listed.ponder.map(turned).transpose()?,
                score: value.map(|value| value.score),
                depth: value.and_then(|value| known_depth(value.depth)),
                count: Some(listed.games),
                ..RecordMove::new(m)
            });
            values.push(value);
        }
        let barred = self.barred.iter().map(|&code| turned(code)).collect::<Result<_, _>>()?;
        Ok(StoredRecord { record, values, barred })
    }
}

fn known_depth(depth: u32) -> Option<u16> {
    if depth == 0 { None } else { Some(depth.try_into().unwrap_or(u16::MAX)) }
}
