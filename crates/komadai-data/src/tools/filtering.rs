//! The copy of the records that fulfil the conditions of a filter.

use std::collections::BTreeMap;

use serde_json::{Value, to_value};

use super::damage::Damage;
use super::error::ToolError;
use super::filter::{DropReason, Filter};
use super::origin::Origin;
use super::output::Output;
use super::sources::Sources;
use super::watch::Watch;

/// Writes the records that fulfil all conditions, in their order.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_data::records::{PackedSfenValue, RecordResult};
/// use komadai_data::tools::{Existing, Filter, OnDamage, Output, Sources, Watch, filter};
///
/// let folder = tempfile::tempdir()?;
/// let path = |name: &str| folder.path().join(name);
/// let record = PackedSfenValue::new(&Position::hirate(), 35, None, RecordResult::Win)?;
/// std::fs::write(path("games.psv"), [record.to_bytes(); 3].concat())?;
/// let sources = Sources::find(&[path("games.psv")], OnDamage::Refuse)?.verified(&mut Watch::none())?;
/// let wanted = Filter { max_score: Some(30), ..Filter::default() };
/// let output = Output::create(&path("even.psv"), Existing::Refuse)?;
/// let (origin, _) = filter(&sources, output, &wanted, &mut Watch::none())?;
/// assert_eq!((origin.records, origin.dropped["score"]), (0, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns [`ToolError::Damaged`] for damage that is not to be skipped, [`ToolError::Io`] if the
/// system refuses, and [`ToolError::Stopped`] if the end was requested. There is no output then.
pub fn filter(
    sources: &Sources,
    mut output: Output,
    filter: &Filter,
    watch: &mut Watch<'_>,
) -> Result<(Origin, Damage), ToolError> {
    sources.refuse(output.path())?;
    let mut dropped = Dropped::default();
    let damage = sources.read(
        "filter",
        watch,
        |_, record| Ok(filter.drops(record)?),
        |taken| {
            match taken.value {
                Some(reason) => dropped.add(reason),
                None => output.write(taken.bytes)?,
            }
            Ok(())
        },
    )?;
    let mut origin = Origin::new("filter", options(filter));
    dropped.note(&mut origin, sources, &damage);
    Ok((output.finish(origin, sources)?, damage))
}

/// Returns options for a note of origin.
pub(super) fn options(options: &impl serde::Serialize) -> Value {
    // Numbers, flags and names always have a value.
    to_value(options).unwrap_or_default()
}

/// The numbers of records that are not written, by reason.
#[derive(Debug, Default)]
pub(super) struct Dropped(BTreeMap<DropReason, u64>);

impl Dropped {
    pub(super) fn add(&mut self, reason: DropReason) {
        self.add_many(reason, 1);
    }

    pub(super) fn add_many(&mut self, reason: DropReason, records: u64) {
        *self.0.entry(reason).or_default() += records;
    }

    /// Returns the numbers by the names of the reasons.
    pub(super) fn counts(&self) -> BTreeMap<String, u64> {
        self.0.iter().map(|(reason, count)| (reason.to_string(), *count)).collect()
    }

    /// Adds the numbers to a note of origin.
    pub(super) fn note(&self, origin: &mut Origin, sources: &Sources, damage: &Damage) {
        origin.read = sources.records();
        origin.damaged = damage.total();
        origin.dropped = self.counts();
    }
}
