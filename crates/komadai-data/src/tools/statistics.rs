//! Statistics of training data.

mod calibration;
mod duplicates;
mod facts;
mod histogram;
mod report;
mod tally;

pub use self::calibration::{Calibration, CalibrationBin};
pub use self::duplicates::DuplicateEstimate;
use self::facts::Facts;
pub use self::histogram::Histogram;
pub use self::report::{
    GameStatistics, PositionStatistics, ResultCounts, ScoreStatistics, Statistics,
};
use self::tally::Tally;
use super::damage::Damage;
use super::error::ToolError;
use super::sources::Sources;
use super::watch::Watch;

/// Computes the statistics of all records.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_data::records::{PackedSfenValue, RecordResult};
/// use komadai_data::tools::{OnDamage, Sources, Watch, statistics};
///
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("games.psv");
/// let best = Some("7g7f".parse()?);
/// let record = PackedSfenValue::new(&Position::hirate(), 35, best, RecordResult::Win)?;
/// std::fs::write(&file, record.to_bytes())?;
/// let (found, _) = statistics(&Sources::find(&[file], OnDamage::Refuse)?, &mut Watch::none())?;
/// assert_eq!((found.records, found.games.black_wins, found.positions.quiet), (1, 1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns [`ToolError::Damaged`] for damage that is not to be skipped, and [`ToolError::Stopped`]
/// if the end was requested.
pub fn statistics(
    sources: &Sources,
    watch: &mut Watch<'_>,
) -> Result<(Statistics, Damage), ToolError> {
    let mut tally = Tally::default();
    let examine = |_: &_, record: &_| Facts::of(record);
    let damage = sources.read("statistics", watch, examine, |taken| {
        let has_whole_games = taken.input.has_whole_games;
        tally.add(taken.index, has_whole_games, &taken.record, &taken.value);
        Ok(())
    })?;
    Ok((tally.finish(sources.inputs().len() as u64, damage.total()), damage))
}
