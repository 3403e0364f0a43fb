//! The copy of records with every position once.

use crate::records::PackedSfenValue;
use rayon::prelude::*;
use serde::Serialize;

use super::buckets::Buckets;
use super::damage::Damage;
use super::error::ToolError;
use super::filter::DropReason;
use super::filtering::{Dropped, options};
use super::origin::Origin;
use super::output::Output;
use super::sameness::{Sameness, hash};
use super::shuffle::canonical;
use super::sources::Sources;
use super::watch::Watch;

/// Number of bytes of a position with the number of its record.
const ENTRY: usize = 32 + 8;
/// Number of bytes of memory for an entry: itself, and its place while the order is made.
const ENTRY_MEMORY: u64 = ENTRY as u64 + 8;

/// The options in the note of origin.
#[derive(Serialize)]
struct Options {
    same: Sameness,
}

/// Writes the first record of each position, in the order of the records.
///
/// The score, the move and the result are those of the first record. The mean of scores would be
/// the score of no search, and the mean of results is not representable.
///
/// The first pass distributes the positions among temporary files beside the output by their
/// hashes; the second finds the first record of each position in memory, and the third copies these
/// records. Beside `memory_mib`, a bit of memory is needed for each record.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_data::records::{PackedSfenValue, RecordResult};
/// use komadai_data::tools::{Existing, OnDamage, Output, Sameness, Sources, Watch, deduplicate};
///
/// let folder = tempfile::tempdir()?;
/// let path = |name: &str| folder.path().join(name);
/// let record = PackedSfenValue::new(&Position::hirate(), 35, None, RecordResult::Win)?;
/// std::fs::write(path("games.psv"), [record.to_bytes(); 3].concat())?;
/// let sources = Sources::find(&[path("games.psv")], OnDamage::Refuse)?.verified(&mut Watch::none())?;
/// let output = Output::create(&path("once.psv"), Existing::Refuse)?;
/// let (origin, _) = deduplicate(&sources, output, Sameness::Exact, 64, &mut Watch::none())?;
/// assert_eq!((origin.read, origin.records), (3, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns [`ToolError::Memory`] if the memory is too small, [`ToolError::Damaged`] for damage that
/// is not to be skipped, [`ToolError::Io`] if the system refuses, as on a full disk, and
/// [`ToolError::Stopped`] if the end was requested. There is no output then, and no temporary file.
pub fn deduplicate(
    sources: &Sources,
    mut output: Output,
    sameness: Sameness,
    memory_mib: u64,
    watch: &mut Watch<'_>,
) -> Result<(Origin, Damage), ToolError> {
    sources.refuse(output.path())?;
    let total = sources.records();
    let mut buckets = Buckets::<ENTRY>::create(output.path(), total, ENTRY_MEMORY, memory_mib)?;
    let mut number = 0_u64;
    let examine = |_: &_, record: &PackedSfenValue| canonical(sameness, record.position);
    let damage = sources.read("distribute", watch, examine, |taken| {
        let mut entry = [0; ENTRY];
        entry[..32].copy_from_slice(taken.value.as_bytes());
        entry[32..].copy_from_slice(&number.to_le_bytes());
        number += 1;
        buckets.add(hash(taken.value, 0), entry)
    })?;
    let mut firsts = Bits::new(number);
    let mut done = 0;
    for entries in buckets.into_parts() {
        let entries = entries?;
        mark_firsts(&entries, &mut firsts);
        done += entries.len() as u64;
        watch.report("compare", done, number)?;
    }
    let mut dropped = Dropped::default();
    let mut number = 0;
    sources.read(
        "copy",
        watch,
        |input, record| examine(input, record).map(drop),
        |taken| {
            number += 1;
            match firsts.has(number - 1) {
                true => output.write(taken.bytes)?,
                false => dropped.add(DropReason::Duplicate),
            }
            Ok(())
        },
    )?;
    let mut origin = Origin::new("deduplicate", options(&Options { same: sameness }));
    dropped.note(&mut origin, sources, &damage);
    Ok((output.finish(origin, sources)?, damage))
}

/// Marks the first record of each position.
fn mark_firsts(entries: &[[u8; ENTRY]], firsts: &mut Bits) {
    let mut order: Vec<usize> = (0..entries.len()).collect();
    // Entries are in the order of the records, so that the place decides between equal positions.
    order.par_sort_unstable_by_key(|&place| (&entries[place][..32], place));
    for same in order.chunk_by(|&a, &b| entries[a][..32] == entries[b][..32]) {
        let number = entries[same[0]].last_chunk().expect("it is longer");
        firsts.set(u64::from_le_bytes(*number));
    }
}

/// A bit for each record.
struct Bits(Vec<u64>);

impl Bits {
    fn new(count: u64) -> Self {
        Self(vec![0; count.div_ceil(64) as usize])
    }

    fn set(&mut self, number: u64) {
        self.0[(number / 64) as usize] |= 1 << (number % 64);
    }

    fn has(&self, number: u64) -> bool {
        self.0.get((number / 64) as usize).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }
}
