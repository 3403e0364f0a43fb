//! The conditions of a filter.

use std::fmt;

use crate::records::{PackedSfenValue, RecordFault, RecordResult};
use komadai_core::{Position, Score};
use serde::{Deserialize, Serialize};

/// The conditions that a record must fulfil. The default has no condition.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_data::records::{PackedSfenValue, RecordResult};
/// use komadai_data::tools::{DropReason, Filter};
///
/// let filter = Filter { max_score: Some(3_000), is_quiet: true, ..Filter::default() };
/// let best = Some("7g7f".parse()?);
/// let mut record = PackedSfenValue::new(&Position::hirate(), 35, best, RecordResult::Win)?;
/// assert_eq!(filter.drops(&record)?, None);
/// record.score = -3_001;
/// assert_eq!(filter.drops(&record)?, Some(DropReason::Score));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Filter {
    /// The side to move is not in check, and the best move neither captures nor promotes.
    pub is_quiet: bool,
    /// The side to move is not in check.
    pub no_checks: bool,
    /// The largest score, in centipawns, for either side. Mate scores are larger than any other.
    pub max_score: Option<u16>,
    /// The score is no mate.
    pub no_mates: bool,
    /// The least move number.
    pub min_ply: Option<u16>,
    /// The largest move number.
    pub max_ply: Option<u16>,
    /// The game was no draw.
    pub no_draws: bool,
}

/// The condition that a record does not fulfil.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DropReason {
    /// The move number is too small or too large.
    Ply,
    /// The game was a draw.
    Draw,
    /// The score is too large.
    Score,
    /// The score is a mate.
    Mate,
    /// The side to move is in check.
    Check,
    /// The best move captures.
    Capture,
    /// The best move promotes.
    Promotion,
    /// There is no best move, so that the position cannot be called quiet.
    NoMove,
    /// The position has occurred before.
    Duplicate,
    /// No engine has written a score for the move.
    NoScore,
    /// The outcome of the game is unknown.
    NoResult,
    /// The move, or one before it in the game, is illegal.
    Illegal,
    /// A player's rating is too low or unknown.
    Rating,
    /// The game was not played in the period.
    Period,
    /// The player has not played the game.
    Player,
    /// The record is not in the sample.
    NotSelected,
}

/// The reason as a word, which notes of origin contain.
impl fmt::Display for DropReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ply => "ply",
            Self::Draw => "draw",
            Self::Score => "score",
            Self::Mate => "mate",
            Self::Check => "check",
            Self::Capture => "capture",
            Self::Promotion => "promotion",
            Self::NoMove => "no_move",
            Self::Duplicate => "duplicate",
            Self::NoScore => "no_score",
            Self::NoResult => "no_result",
            Self::Illegal => "illegal",
            Self::Rating => "rating",
            Self::Period => "period",
            Self::Player => "player",
            Self::NotSelected => "not_selected",
        })
    }
}

impl Filter {
    /// Returns the first condition that the record does not fulfil; `None` if it fulfils all.
    ///
    /// # Errors
    ///
    /// Returns an error if a condition needs the position, and the position is damaged.
    pub fn drops(&self, record: &PackedSfenValue) -> Result<Option<DropReason>, RecordFault> {
        // The conditions that need no position come first, because they are cheap.
        if let Some(reason) = self.drops_by_numbers(record) {
            return Ok(Some(reason));
        }
        if !self.is_quiet && !self.no_checks {
            return Ok(None);
        }
        Ok(self.drops_by_position(record, &record.unpack()?))
    }

    fn drops_by_numbers(&self, record: &PackedSfenValue) -> Option<DropReason> {
        let size = record.score.unsigned_abs();
        if self.min_ply.is_some_and(|least| record.ply < least)
            || self.max_ply.is_some_and(|most| record.ply > most)
        {
            Some(DropReason::Ply)
        } else if self.no_draws && record.result == RecordResult::Draw {
            Some(DropReason::Draw)
        } else if self.no_mates && u32::from(size) > Score::MAX_CP.unsigned_abs() {
            Some(DropReason::Mate)
        } else if self.max_score.is_some_and(|most| size > most) {
            Some(DropReason::Score)
        } else {
            None
        }
    }

    fn drops_by_position(
        &self,
        record: &PackedSfenValue,
        position: &Position,
    ) -> Option<DropReason> {
        if position.in_check() {
            return Some(DropReason::Check);
        }
        if !self.is_quiet || record.is_quiet(position) {
            return None;
        }
        Some(match record.best_move {
            None => DropReason::NoMove,
            Some(best) if position.piece_on(best.to()).is_some() => DropReason::Capture,
            Some(_) => DropReason::Promotion,
        })
    }
}
