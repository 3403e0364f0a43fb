//! A random order of records, also of more than fit into memory.

use crate::records::PackedSfenValue;
use komadai_core::{PackedSfen, SplitMix64};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::buckets::Buckets;
use super::damage::Damage;
use super::error::ToolError;
use super::fault::{BYTES, Fault};
use super::filter::{DropReason, Filter};
use super::filtering::{Dropped, options as options_value};
use super::origin::Origin;
use super::output::Output;
use super::sameness::{Sameness, hash};
use super::sources::Sources;
use super::watch::Watch;

/// The options of [`shuffle`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShuffleOptions {
    /// The seed of the order.
    pub seed: u64,
    /// The conditions of records that are written.
    pub filter: Filter,
    /// The positions that count as the same, so that only their first record is written; `None` for
    /// all records.
    pub deduplicate: Option<Sameness>,
    /// The memory for records in MiB. It has no influence on the order.
    #[serde(skip)]
    pub memory_mib: u64,
}

impl Default for ShuffleOptions {
    /// Returns the seed 1, no conditions, all records and 1,024 MiB.
    fn default() -> Self {
        Self { seed: 1, filter: Filter::default(), deduplicate: None, memory_mib: 1_024 }
    }
}

/// Number of bytes of a record with its key.
pub(super) const ENTRY: usize = 8 + BYTES;
/// Number of bytes of memory for an entry: itself, and its key and place while the order is made.
pub(super) const ENTRY_MEMORY: u64 = ENTRY as u64 + 16;

/// Writes the records in a random order, every order as likely as any other. The order follows from
/// the records and the seed.
///
/// Every record gets a random key. The first pass distributes the records among temporary files
/// beside the output by their keys; the second sorts each file by key in memory and appends it to
/// the output. If duplicates are to be removed, the key is a hash of the position and the seed, so
/// that duplicates meet; they take memory until they are removed, which the limit does not include
/// if one position is a large part of all.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_data::records::{PackedSfenValue, RecordResult};
/// use komadai_data::tools::{Existing, OnDamage, Output, Sameness, ShuffleOptions, Sources, Watch, shuffle};
///
/// let folder = tempfile::tempdir()?;
/// let path = |name: &str| folder.path().join(name);
/// let record = PackedSfenValue::new(&Position::hirate(), 35, None, RecordResult::Win)?;
/// std::fs::write(path("games.psv"), [record.to_bytes(); 3].concat())?;
/// let sources = Sources::find(&[path("games.psv")], OnDamage::Refuse)?.verified(&mut Watch::none())?;
/// let options = ShuffleOptions {
///     deduplicate: Some(Sameness::Exact),
///     ..ShuffleOptions::default()
/// };
/// let output = Output::create(&path("train.psv"), Existing::Refuse)?;
/// let (origin, _) = shuffle(&sources, output, &options, &mut Watch::none())?;
/// assert_eq!((origin.records, origin.dropped["duplicate"]), (1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns [`ToolError::Memory`] if the memory is too small, [`ToolError::Damaged`] for damage that
/// is not to be skipped, [`ToolError::Io`] if the system refuses, as on a full disk, and
/// [`ToolError::Stopped`] if the end was requested. There is no output then, and no temporary file.
pub fn shuffle(
    sources: &Sources,
    mut output: Output,
    options: &ShuffleOptions,
    watch: &mut Watch<'_>,
) -> Result<(Origin, Damage), ToolError> {
    sources.refuse(output.path())?;
    let total = sources.records();
    let mut buckets =
        Buckets::<ENTRY>::create(output.path(), total, ENTRY_MEMORY, options.memory_mib)?;
    let mut dropped = Dropped::default();
    let mut random = SplitMix64::new(SplitMix64::mix(options.seed));
    let examine = |_: &_, record: &PackedSfenValue| examine(options, record);
    let damage = sources.read("distribute", watch, examine, |taken| {
        let key = match taken.value {
            Examined::Dropped(reason) => {
                dropped.add(reason);
                return Ok(());
            }
            Examined::Kept { key: Some(key) } => key,
            Examined::Kept { key: None } => random.next_u64(),
        };
        let mut entry = [0; ENTRY];
        entry[..8].copy_from_slice(&key.to_le_bytes());
        entry[8..].copy_from_slice(taken.bytes);
        buckets.add(key, entry)
    })?;
    let mut done = 0;
    for entries in buckets.into_parts() {
        let entries = entries?;
        write_part(&entries, options.deduplicate, &mut output, &mut dropped)?;
        done += entries.len() as u64;
        watch.report("shuffle", done, total)?;
    }
    let mut origin = Origin::new("shuffle", options_value(options));
    dropped.note(&mut origin, sources, &damage);
    Ok((output.finish(origin, sources)?, damage))
}

enum Examined {
    Dropped(DropReason),
    /// The key is `None` if any will do.
    Kept {
        key: Option<u64>,
    },
}

fn examine(options: &ShuffleOptions, record: &PackedSfenValue) -> Result<Examined, Fault> {
    if let Some(reason) = options.filter.drops(record)? {
        return Ok(Examined::Dropped(reason));
    }
    let Some(sameness) = options.deduplicate else { return Ok(Examined::Kept { key: None }) };
    let key = hash(canonical(sameness, record.position)?, options.seed);
    Ok(Examined::Kept { key: Some(key) })
}

/// Returns the representative of a position.
pub(super) fn canonical(sameness: Sameness, packed: PackedSfen) -> Result<PackedSfen, Fault> {
    sameness.canonical(packed).map_err(|error| Fault::Record(error.into()))
}

/// Writes the entries of a temporary file in the order of their keys.
pub(super) fn write_part(
    entries: &[[u8; ENTRY]],
    deduplicate: Option<Sameness>,
    output: &mut Output,
    dropped: &mut Dropped,
) -> Result<(), ToolError> {
    let key = |entry: &[u8; ENTRY]| u64::from_le_bytes(*entry.first_chunk().expect("it is longer"));
    let mut order: Vec<(u64, usize)> =
        entries.iter().enumerate().map(|(place, entry)| (key(entry), place)).collect();
    // The place decides between equal keys, so that the first duplicate comes first.
    order.par_sort_unstable();
    for same_key in order.chunk_by(|(a, _), (b, _)| a == b) {
        let mut seen: Vec<PackedSfen> = Vec::new();
        for &(_, place) in same_key {
            let record = &entries[place][8..];
            if let Some(sameness) = deduplicate {
                let packed = record.first_chunk().expect("a record has 40 bytes");
                // It has been unpacked in the first pass.
                let packed = PackedSfen::from_bytes(*packed);
                let position = sameness.canonical(packed).unwrap_or(packed);
                if seen.contains(&position) {
                    dropped.add(DropReason::Duplicate);
                    continue;
                }
                seen.push(position);
            }
            output.write(record)?;
        }
    }
    Ok(())
}
