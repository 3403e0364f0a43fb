//! Samples of several sources in one file.

use komadai_core::SplitMix64;
use serde::{Deserialize, Serialize};

use super::buckets::Buckets;
use super::damage::Damage;
use super::error::ToolError;
use super::filter::DropReason;
use super::filtering::{Dropped, options as options_value};
use super::origin::Origin;
use super::output::Output;
use super::shuffle::{ENTRY, ENTRY_MEMORY, write_part};
use super::sources::Sources;
use super::watch::Watch;

/// The options of [`mix`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MixOptions {
    /// The share of each source, in the order in which the paths were given; equal shares if there
    /// are none.
    pub weights: Vec<u32>,
    /// Number of records to write; `None` for as many as the sources have in these shares.
    pub records: Option<u64>,
    /// The seed of the samples and of the order.
    pub seed: u64,
    /// The memory for records in MiB. It has no influence on the order.
    #[serde(skip)]
    pub memory_mib: u64,
}

impl Default for MixOptions {
    /// Returns equal shares of as many records as there are, the seed 1 and 1,024 MiB.
    fn default() -> Self {
        Self { weights: Vec::new(), records: None, seed: 1, memory_mib: 1_024 }
    }
}

/// Writes a sample of each source, all in one random order. The shares of the sources are exact to
/// a record, every record of a source is as likely as any other, and none is written twice. The
/// output follows from the records, the options and the seed.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_data::records::{PackedSfenValue, RecordResult};
/// use komadai_data::tools::{Existing, MixOptions, OnDamage, Output, Sources, Watch, mix};
///
/// let folder = tempfile::tempdir()?;
/// let path = |name: &str| folder.path().join(name);
/// let record = PackedSfenValue::new(&Position::hirate(), 35, None, RecordResult::Win)?;
/// std::fs::write(path("own.psv"), [record.to_bytes(); 30].concat())?;
/// std::fs::write(path("other.psv"), [record.to_bytes(); 30].concat())?;
/// let sources = Sources::find(&[path("own.psv"), path("other.psv")], OnDamage::Refuse)?;
/// let output = Output::create(&path("train.psv"), Existing::Refuse)?;
/// let options = MixOptions { weights: vec![3, 1], ..MixOptions::default() };
/// let (origin, _) = mix(&sources, output, &options, &mut Watch::none())?;
/// assert_eq!(origin.records, 40);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns [`ToolError::TooFew`] if a source has fewer records than its share,
/// [`ToolError::Weights`] if there is not a weight for each source, [`ToolError::Memory`] if the
/// memory is too small, [`ToolError::Damaged`] for damage that is not to be skipped,
/// [`ToolError::Io`] if the system refuses, and [`ToolError::Stopped`] if the end was requested.
/// There is no output then, and no temporary file.
pub fn mix(
    sources: &Sources,
    mut output: Output,
    options: &MixOptions,
    watch: &mut Watch<'_>,
) -> Result<(Origin, Damage), ToolError> {
    sources.refuse(output.path())?;
    let mut shares = shares(sources, options)?;
    let total = shares.iter().map(|share| share.wanted).sum();
    let mut buckets =
        Buckets::<ENTRY>::create(output.path(), total, ENTRY_MEMORY, options.memory_mib)?;
    let mut random = SplitMix64::new(SplitMix64::mix(options.seed));
    let mut dropped = Dropped::default();
    let damage = sources.read(
        "distribute",
        watch,
        |_, _| Ok(()),
        |taken| {
            let share = &mut shares[taken.input.source()];
            let is_wanted = random.below(share.left.max(1)) < share.wanted;
            share.left = share.left.saturating_sub(1);
            if !is_wanted {
                dropped.add(DropReason::NotSelected);
                return Ok(());
            }
            share.wanted -= 1;
            let key = random.next_u64();
            let mut entry = [0; ENTRY];
            entry[..8].copy_from_slice(&key.to_le_bytes());
            entry[8..].copy_from_slice(taken.bytes);
            buckets.add(key, entry)
        },
    )?;
    let mut done = 0;
    for entries in buckets.into_parts() {
        let entries = entries?;
        write_part(&entries, None, &mut output, &mut dropped)?;
        done += entries.len() as u64;
        watch.report("mix", done, total)?;
    }
    let mut origin = Origin::new("mix", options_value(options));
    dropped.note(&mut origin, sources, &damage);
    Ok((output.finish(origin, sources)?, damage))
}

/// The records of a source that have not been read, and those of them that are still wanted.
struct Share {
    left: u64,
    wanted: u64,
}

fn shares(sources: &Sources, options: &MixOptions) -> Result<Vec<Share>, ToolError> {
    let mut records = vec![0_u64; sources.paths().len()];
    for input in sources.inputs() {
        records[input.source()] += input.records();
    }
    let equal = vec![1; records.len()];
    let weights = if options.weights.is_empty() { &equal } else { &options.weights };
    let sum: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
    if weights.len() != records.len() || sum == 0 {
        let (found, expected) = (weights.len(), records.len());
        return Err(ToolError::Weights { found, expected });
    }
    let share = |total: u64, weight: u32| (u128::from(total) * u128::from(weight) / sum) as u64;
    let pairs = || records.iter().zip(weights).filter(|(_, weight)| **weight > 0);
    let total = options.records.unwrap_or_else(|| {
        let most = pairs().map(|(&found, &weight)| u128::from(found) * sum / u128::from(weight));
        most.min().unwrap_or_default() as u64
    });
    let place = |source: usize| sources.paths()[source].clone();
    let share = |(source, (&found, &weight)): (usize, (&u64, &u32))| {
        let wanted = share(total, weight);
        match wanted <= found {
            true => Ok(Share { left: found, wanted }),
            false => Err(ToolError::TooFew { path: place(source), found, wanted }),
        }
    };
    records.iter().zip(weights).enumerate().map(share).collect()
}
