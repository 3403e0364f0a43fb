//! Positions of training data, with their labels.

use komadai_core::{Position, Score};
use komadai_data::records::{PackedSfenValue, RecordResult};
use komadai_data::tools::{Damage, Sources, ToolError, Watch};
use komadai_eval::Progress;
use serde::Serialize;

/// The positions of training data that a tool looks at.
///
/// # Examples
///
/// ```
/// use komadai_networks::DataOptions;
///
/// let few = DataOptions { positions: 10_000, ..DataOptions::default() };
/// assert!(few.positions < DataOptions::default().positions);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataOptions {
    /// About the largest number of records: of more, those are taken whose hash is small, so that a
    /// position is taken or not in every file alike.
    pub positions: u64,
}

impl Default for DataOptions {
    fn default() -> Self {
        Self { positions: 1_000_000 }
    }
}

/// The numbers of records that were looked at and left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct DataCounts {
    /// Records in the files.
    pub records: u64,
    /// Positions that count.
    pub positions: u64,
    /// Positions in check, which no static evaluation is for.
    pub in_check: u64,
    /// Records beyond the wanted number.
    pub not_chosen: u64,
    /// Damaged records.
    pub damaged: u64,
}

/// The part of the game to which a position belongs, by [`Progress`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// All positions.
    All,
    /// A progress of 0 to 2: the kings are not attacked.
    Opening,
    /// A progress of 3 to 8.
    Middlegame,
    /// A progress of 9 to 15.
    Endgame,
}

impl Phase {
    /// All positions, then the parts.
    pub const ALL: [Self; 4] = [Self::All, Self::Opening, Self::Middlegame, Self::Endgame];

    /// Returns the part to which a position belongs.
    pub fn of(position: &Position) -> Self {
        match Progress::of(position).get() {
            0..=2 => Self::Opening,
            3..=8 => Self::Middlegame,
            _ => Self::Endgame,
        }
    }

    /// Returns whether positions of another part count here.
    pub(crate) fn contains(self, other: Self) -> bool {
        self == Self::All || self == other
    }
}

/// The labels of a position.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Labels {
    /// 1 for a win of the side to move, ½ for a draw, 0 for a loss.
    pub(crate) result: f64,
    /// The stored score in centipawns, unless it is a mate.
    pub(crate) deep: Option<i32>,
    pub(crate) phase: Phase,
}

/// Values of positions with their labels.
#[derive(Debug)]
pub(crate) struct Labelled<T> {
    pub(crate) positions: Vec<(T, Labels)>,
    pub(crate) counts: DataCounts,
    pub(crate) damage: Damage,
}

/// The treatment of a record.
enum Seen<T> {
    NotChosen,
    InCheck,
    Taken(T, Labels),
}

/// Reads positions on all processors.
pub(crate) fn read<T: Send>(
    sources: &Sources,
    options: &DataOptions,
    stage: &'static str,
    watch: &mut Watch<'_>,
    examine: impl Fn(&Position) -> T + Sync,
) -> Result<Labelled<T>, ToolError> {
    let records = sources.records();
    let mut counts = DataCounts { records, ..DataCounts::default() };
    let mut taken = Vec::new();
    let damage = sources.read(
        stage,
        watch,
        |_, record| {
            if !is_chosen(record, options.positions, records) {
                return Ok(Seen::NotChosen);
            }
            let position = record.unpack()?;
            if position.in_check() {
                return Ok(Seen::InCheck);
            }
            let labels = Labels::of(record, &position);
            Ok(Seen::Taken(examine(&position), labels))
        },
        |found| {
            match found.value {
                Seen::NotChosen => counts.not_chosen += 1,
                Seen::InCheck => counts.in_check += 1,
                Seen::Taken(value, labels) => taken.push((value, labels)),
            }
            Ok(())
        },
    )?;
    counts.positions = taken.len() as u64;
    counts.damaged = damage.total();
    if taken.is_empty() {
        let DataCounts { records, in_check, not_chosen, .. } = counts;
        return Err(ToolError::NoPosition { records, in_check, not_chosen });
    }
    Ok(Labelled { positions: taken, counts, damage })
}

/// Reads positions without their labels, none in check, and returns the damage that was skipped.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_data::records::{PackedSfenValue, RecordResult};
/// use komadai_data::tools::{OnDamage, Sources, Watch};
/// use komadai_networks::{DataOptions, read_positions};
///
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("games.psv");
/// let record = PackedSfenValue::new(&Position::hirate(), 35, None, RecordResult::Draw)?;
/// std::fs::write(&file, record.to_bytes())?;
/// let sources = Sources::find(&[file], OnDamage::Refuse)?;
/// let (found, _) = read_positions(&sources, &DataOptions::default(), &mut Watch::none())?;
/// assert_eq!(found, [Position::hirate()]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Those of [`Sources::read`], and [`ToolError::NoPosition`] if all are in check.
pub fn read_positions(
    sources: &Sources,
    options: &DataOptions,
    watch: &mut Watch<'_>,
) -> Result<(Vec<Position>, Damage), ToolError> {
    let found = read(sources, options, "positions", watch, Position::clone)?;
    Ok((found.positions.into_iter().map(|(position, _)| position).collect(), found.damage))
}

/// Returns whether a record is among about `wanted` of `records`.
fn is_chosen(record: &PackedSfenValue, wanted: u64, records: u64) -> bool {
    if wanted >= records {
        return true;
    }
    let words = record.position.as_bytes().as_chunks::<8>().0;
    let hash = words.iter().fold(u64::from(record.ply), |hash, bytes| {
        let mixed = (hash ^ u64::from_le_bytes(*bytes)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ (mixed >> 32)
    });
    // The share of all hashes below the bound is that of the wanted records.
    u128::from(hash) * u128::from(records) < u128::from(wanted) << 64
}

impl Labels {
    fn of(record: &PackedSfenValue, position: &Position) -> Self {
        let result = match record.result {
            RecordResult::Win => 1.0,
            RecordResult::Draw => 0.5,
            RecordResult::Loss => 0.0,
        };
        let deep = i32::from(record.score);
        let deep = (deep.abs() <= Score::MAX_CP).then_some(deep);
        Self { result, deep, phase: Phase::of(position) }
    }

    pub(crate) fn is_decided(&self) -> bool {
        self.result != 0.5
    }
}
