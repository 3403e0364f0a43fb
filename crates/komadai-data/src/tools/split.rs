//! The separation of training and validation data.

use komadai_core::SplitMix64;
use serde::{Deserialize, Serialize};

use super::damage::Damage;
use super::error::ToolError;
use super::filtering::{Dropped, options as options_value};
use super::games::{Games, check_order};
use super::origin::Origin;
use super::output::Output;
use super::sources::Sources;
use super::watch::Watch;

/// The options of [`split`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SplitOptions {
    /// One game in this many is for validation.
    pub one_in: u64,
    /// The seed of the choice.
    pub seed: u64,
}

impl Default for SplitOptions {
    /// Returns one game in fifty, and the seed 1.
    fn default() -> Self {
        Self { one_in: 50, seed: 1 }
    }
}

/// Writes whole games into one of two files, at random: no game has positions in both. The records
/// must be in the order of their games, as before [`shuffle`](super::shuffle).
///
/// The data of training and validation come first and second in the result.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_data::records::{PackedSfenValue, RecordResult};
/// use komadai_data::tools::{Existing, OnDamage, Output, Sources, SplitOptions, Watch, split};
///
/// let folder = tempfile::tempdir()?;
/// let path = |name: &str| folder.path().join(name);
/// let record = PackedSfenValue::new(&Position::hirate(), 35, None, RecordResult::Win)?;
/// std::fs::write(path("games.psv"), [record.to_bytes(); 3].concat())?;
/// let sources = Sources::find(&[path("games.psv")], OnDamage::Refuse)?.verified(&mut Watch::none())?;
/// let [train, check] = ["train.psv", "check.psv"].map(|name| Output::create(&path(name), Existing::Refuse));
/// let options = SplitOptions::default();
/// let (origins, _) = split(&sources, [train?, check?], &options, &mut Watch::none())?;
/// assert_eq!(origins[0].records + origins[1].records, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns [`ToolError::NotInGames`] for records in another order, [`ToolError::Damaged`] for
/// damage that is not to be skipped, [`ToolError::Io`] if the system refuses, and
/// [`ToolError::Stopped`] if the end was requested. There is no output then.
pub fn split(
    sources: &Sources,
    outputs: [Output; 2],
    options: &SplitOptions,
    watch: &mut Watch<'_>,
) -> Result<([Origin; 2], Damage), ToolError> {
    let [mut train, mut validation] = outputs;
    sources.refuse(train.path())?;
    sources.refuse(validation.path())?;
    let mut random = SplitMix64::new(SplitMix64::mix(options.seed));
    let (mut games, mut runs, mut is_train) = (Games::default(), 0_u64, true);
    let damage = sources.read(
        "split",
        watch,
        |_, _| Ok(()),
        |taken| {
            if games.begins(taken.index, taken.input.has_whole_games, &taken.record) {
                runs += 1;
                is_train = random.below(options.one_in.max(1)) != 0;
            }
            if is_train { train.write(taken.bytes) } else { validation.write(taken.bytes) }
        },
    )?;
    check_order(train.records() + validation.records(), runs)?;
    let finish = |output: Output, part: &str| {
        let mut origin = Origin::new(&format!("split {part}"), options_value(options));
        Dropped::default().note(&mut origin, sources, &damage);
        output.finish(origin, sources)
    };
    // The smaller file first: a full disk shows before the larger one is complete.
    let validation = finish(validation, "validation")?;
    Ok(([finish(train, "train")?, validation], damage))
}
