//! The rows of the log.

use std::time::Duration;

use komadai_bookfile::position_key::{PositionKey, turn};
use komadai_bookfile::{EntryError, check_move};
use komadai_core::{Analysis, AnalystId, Color, Line, Move, Position, Score};
use komadai_movegen::check_legality;
use serde::{Deserialize, Serialize};

use super::codes::{
    bound_code, bound_of, move_of, position_of, side_code, side_of, source_code, source_of,
};
use crate::logged_analysis::LoggedAnalysis;

/// A fact about a position, in the orientation with Black to move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum LogRow {
    /// An analysis.
    Analysis(AnalysisRow),
    /// A move with the number of games in which it was played.
    Move(MoveRow),
    /// The deletion of a move, or of all moves.
    Deleted(DeletedRow),
    /// The undoing of the deletion with this number.
    Restored(u64),
}

/// The orientation and the move number in which a position was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Seen {
    pub(crate) side: u8,
    pub(crate) ply: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AnalysisRow {
    pub(crate) seen: Seen,
    pub(crate) head: AnalysisHead,
    pub(crate) seldepth: u32,
    pub(crate) completed: bool,
    pub(crate) host: String,
    pub(crate) lines: Vec<LineRow>,
}

/// The properties that distinguish the analyses of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AnalysisHead {
    pub(crate) analyst: u16,
    pub(crate) source: u8,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    pub(crate) time_ms: u64,
    pub(crate) when: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LineRow {
    pub(crate) score: i32,
    pub(crate) bound: u8,
    pub(crate) pv: Vec<u16>,
    /// The number of moves from the start of the line that are legal one after the other. Engines
    /// may send lines with illegal moves after these.
    pub(crate) legal: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MoveRow {
    pub(crate) seen: Seen,
    pub(crate) m: u16,
    pub(crate) ponder: Option<u16>,
    pub(crate) games: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DeletedRow {
    /// The number of the deletion.
    pub(crate) tombstone: u64,
    /// `None` for every move of the position.
    pub(crate) m: Option<u16>,
}

impl Seen {
    pub(crate) fn of(position: &Position) -> Self {
        Self { side: side_code(position.side()), ply: position.ply() }
    }
}

impl AnalysisRow {
    /// The row of an analysis by the analyst with this number. Every line must start with a legal
    /// move or have none.
    pub(crate) fn new(logged: &LoggedAnalysis, analyst: u16) -> Result<Self, EntryError> {
        let LoggedAnalysis { position, analysis, source, when, host, .. } = logged;
        let head = AnalysisHead {
            analyst,
            source: source_code(*source),
            depth: analysis.depth,
            nodes: analysis.nodes,
            time_ms: analysis.time.as_millis().try_into().unwrap_or(u64::MAX),
            when: *when,
        };
        let lines = analysis.lines.iter().map(|line| LineRow::new(line, position));
        Ok(Self {
            seen: Seen::of(position),
            head,
            seldepth: analysis.seldepth,
            completed: analysis.completed,
            host: host.clone(),
            lines: lines.collect::<Result<_, _>>()?,
        })
    }

    /// Returns whether this row contains everything that `other` contains.
    ///
    /// This is true for the same analysis, and for one that lost details in a text log, which has a
    /// separate analysis for each line and at most two moves of a variation.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        let contains = |line: &LineRow| {
            self.lines.iter().any(|own| {
                own.score == line.score && own.bound == line.bound && own.pv.starts_with(&line.pv)
            })
        };
        self.head == other.head
            && (other.seldepth == 0 || other.seldepth == self.seldepth)
            && (other.host.is_empty() || other.host == self.host)
            && other.lines.iter().all(contains)
    }

    /// Returns whether a row of the log contains everything that this one contains.
    pub(crate) fn is_in(&self, known: &LogRow) -> bool {
        matches!(known, LogRow::Analysis(known) if known.covers(self))
    }

    /// Returns whether the analysis evaluates no move.
    pub(crate) fn is_empty(&self) -> bool {
        self.lines.iter().all(|line| line.pv.is_empty())
    }

    /// The analysis as it was merged, except for fractions of milliseconds and the depths of single
    /// lines.
    pub(crate) fn to_logged(
        &self,
        key: &PositionKey,
        analyst: AnalystId,
    ) -> Result<LoggedAnalysis, String> {
        let side = side_of(self.seen.side)?;
        let lines = self.lines.iter().map(|line| line.to_line(side));
        let analysis = Analysis {
            depth: self.head.depth,
            seldepth: self.seldepth,
            nodes: self.head.nodes,
            time: Duration::from_millis(self.head.time_ms),
            lines: lines.collect::<Result<_, _>>()?,
            completed: self.completed,
        };
        Ok(LoggedAnalysis {
            position: position_of(key, side, self.seen.ply)?,
            analysis,
            analyst,
            source: source_of(self.head.source)?,
            when: self.head.when,
            host: self.host.clone(),
        })
    }
}

impl LineRow {
    fn new(line: &Line, position: &Position) -> Result<Self, EntryError> {
        if let Some(&first) = line.pv.first() {
            check_move(position, first)?;
        }
        let side = position.side();
        Ok(Self {
            score: line.score.raw(),
            bound: bound_code(line.bound),
            pv: line.pv.iter().map(|&m| turn(m, side).to_bits()).collect(),
            legal: legal_moves(position, &line.pv),
        })
    }

    fn to_line(&self, side: Color) -> Result<Line, String> {
        let pv = self.pv.iter().map(|&code| Ok(turn(move_of(code)?, side)));
        let score = Score::from_raw(self.score);
        let line = Line::exact(score, pv.collect::<Result<_, String>>()?);
        Ok(Line { bound: bound_of(self.bound)?, ..line })
    }

    /// The move that the line evaluates.
    pub(crate) fn first(&self) -> Option<u16> {
        self.pv.first().copied()
    }

    /// The expected answer, if it is legal.
    pub(crate) fn answer(&self) -> Option<u16> {
        if self.legal >= 2 { self.pv.get(1).copied() } else { None }
    }
}

/// The number of moves from the start of a line that are legal one after the other.
fn legal_moves(position: &Position, pv: &[Move]) -> u32 {
    let mut position = position.without_history();
    let mut legal = 0;
    for &m in pv {
        if check_legality(&position, m).is_err() {
            break;
        }
        position.do_move(m);
        legal += 1;
    }
    legal
}
