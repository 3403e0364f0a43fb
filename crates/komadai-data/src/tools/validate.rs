//! Validation of training data.

use std::path::PathBuf;

use crate::records::PackedSfenValue;

use super::damage::Damage;
use super::error::ToolError;
use super::fault::Fault;
use super::input::Input;
use super::sources::Sources;
use super::watch::Watch;

/// The largest score in files of self-play: checkmate on the board.
const MOST_OF_GENERATOR: i16 = 32_000;
/// The largest score in other files. The negative of -32,768 does not exist.
const MOST: i16 = i16::MAX;

/// The result of a validation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Validation {
    /// The files, in their order.
    pub files: Vec<FileCheck>,
    /// The damage of files and records.
    pub damage: Damage,
}

/// A file that was validated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileCheck {
    /// The file.
    pub path: PathBuf,
    /// Number of its records.
    pub records: u64,
    /// Number of its records that are sound.
    pub sound: u64,
}

/// Checks every record and every file: positions obey the rules, moves are legal, scores and
/// results are in range, and files have the content that their manifests and notes state.
///
/// # Examples
///
/// ```
/// use komadai_data::tools::{OnDamage, Sources, Watch, validate};
///
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("zeros.psv");
/// std::fs::write(&file, [0; 120])?;
/// let found = validate(&Sources::find(&[file], OnDamage::Skip)?, &mut Watch::none())?;
/// assert_eq!((found.files[0].records, found.files[0].sound), (3, 0));
/// assert_eq!(found.damage.total(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns [`ToolError::Stopped`] if the end was requested. Damage is no error.
pub fn validate(sources: &Sources, watch: &mut Watch<'_>) -> Result<Validation, ToolError> {
    let sources = sources.examined(watch)?;
    let check =
        |input: &Input| FileCheck { path: input.path.clone(), records: input.records, sound: 0 };
    let mut files: Vec<FileCheck> = sources.inputs().iter().map(check).collect();
    let damage = sources.read_any("validate", watch, check_record, |taken| {
        files[taken.index].sound += 1;
        Ok(())
    })?;
    Ok(Validation { files, damage })
}

fn check_record(input: &Input, record: &PackedSfenValue) -> Result<(), Fault> {
    record.check()?;
    let most = if input.is_of_generator() { MOST_OF_GENERATOR } else { MOST };
    if record.score.unsigned_abs() > most.unsigned_abs() {
        return Err(Fault::Score { found: record.score, most });
    }
    Ok(())
}
