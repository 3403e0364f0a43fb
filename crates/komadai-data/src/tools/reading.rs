//! The frame of all tools: records are read in order, examined on all processors, and taken in
//! order.

use crate::records::PackedSfenValue;
use rayon::prelude::*;

use super::blocks::{Block, Blocks};
use super::damage::{Damage, OnDamage};
use super::error::ToolError;
use super::fault::Fault;
use super::input::Input;
use super::sources::Sources;
use super::watch::Watch;
use crate::record::BYTES;

/// Number of records that a thread examines at once.
const BLOCK_RECORDS: usize = 4_096;
/// Number of blocks in memory, 5 MB.
const BATCH_BLOCKS: usize = 32;

/// A sound record with its file, and the value of its examination.
#[derive(Debug, Clone, Copy)]
pub struct SourceRecord<'a, T> {
    /// The index of the file among [`Sources::inputs`].
    pub index: usize,
    /// The file.
    pub input: &'a Input,
    /// The bytes of the record, padding included.
    pub bytes: &'a [u8; BYTES],
    /// The record.
    pub record: PackedSfenValue,
    /// The value of the examination.
    pub value: T,
}

/// The bytes of a record, with its fields and its value, or its fault.
type Examined<T> = Result<(PackedSfenValue, T), Fault>;

impl Sources {
    /// Reads all records: the frame of all tools and trainers. `examine` is called on all
    /// processors, `take` with one record after another in their order. `stage` names the work in
    /// the reports of progress.
    ///
    /// Damaged records are refused or skipped, as the sources state. If damage is skipped, at least
    /// one record must be sound: a file of another kind is no data with much damage. The result has
    /// the damage of the files as well.
    ///
    /// # Errors
    ///
    /// Returns [`ToolError::Damaged`] for damage that is not to be skipped,
    /// [`ToolError::NothingSound`] if nothing else is there, [`ToolError::Stopped`] if the end was
    /// requested, and the errors of `take`.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Position;
    /// use komadai_data::records::{PackedSfenValue, RecordResult};
    /// use komadai_data::tools::{OnDamage, Sources, Watch};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let file = folder.path().join("games.psv");
    /// let record = PackedSfenValue::new(&Position::hirate(), 35, None, RecordResult::Draw)?;
    /// std::fs::write(&file, [record.to_bytes(); 3].concat())?;
    /// let sources = Sources::find(&[file], OnDamage::Refuse)?;
    /// let mut checks = 0;
    /// sources.read(
    ///     "checks",
    ///     &mut Watch::none(),
    ///     |_, record| Ok(record.unpack()?.in_check()),
    ///     |found| {
    ///         checks += u32::from(found.value);
    ///         Ok(())
    ///     },
    /// )?;
    /// assert_eq!(checks, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read<T: Send>(
        &self,
        stage: &'static str,
        watch: &mut Watch<'_>,
        examine: impl Fn(&Input, &PackedSfenValue) -> Result<T, Fault> + Sync,
        mut take: impl FnMut(SourceRecord<'_, T>) -> Result<(), ToolError>,
    ) -> Result<Damage, ToolError> {
        let mut has_sound = false;
        let damage = self.read_any(stage, watch, examine, |taken| {
            has_sound = true;
            take(taken)
        })?;
        match damage.first().first() {
            Some(first) if !has_sound => {
                let (records, first) = (self.records(), Box::new(first.clone()));
                Err(ToolError::NothingSound { records, first })
            }
            _ => Ok(damage),
        }
    }

    /// Reads all records as [`read`](Self::read), even if none is sound.
    pub(super) fn read_any<T: Send>(
        &self,
        stage: &'static str,
        watch: &mut Watch<'_>,
        examine: impl Fn(&Input, &PackedSfenValue) -> Result<T, Fault> + Sync,
        take: impl FnMut(SourceRecord<'_, T>) -> Result<(), ToolError>,
    ) -> Result<Damage, ToolError> {
        let (policy, damage) = (self.on_damage(), self.damage().clone());
        let mut reading = Reading { sources: self, policy, damage, take };
        let mut blocks = Blocks::new(self.inputs(), BLOCK_RECORDS);
        let (mut done, total) = (0, self.records());
        loop {
            watch.report(stage, done, total)?;
            let mut batch = Vec::with_capacity(BATCH_BLOCKS);
            let mut failure = None;
            for block in blocks.by_ref().take(BATCH_BLOCKS) {
                match block {
                    Ok(block) => batch.push(block),
                    Err(unreadable) => {
                        // Reported after the records before it.
                        failure = Some(unreadable);
                        break;
                    }
                }
            }
            let values: Vec<Vec<Examined<T>>> = batch
                .par_iter()
                .map(|block| examined(&self.inputs()[block.input], block, &examine))
                .collect();
            for (block, values) in batch.iter().zip(values) {
                done += values.len() as u64;
                reading.take_block(block, values)?;
            }
            match failure {
                Some(failed) => {
                    let path = self.inputs()[failed.input].path();
                    let fault = Fault::Unreadable { reason: failed.error.to_string() };
                    reading.damage.add(policy, path, Some(failed.record + 1), fault)?;
                }
                None if batch.is_empty() => break,
                None => {}
            }
        }
        Ok(reading.damage)
    }
}

fn examined<T>(
    input: &Input,
    block: &Block,
    examine: &impl Fn(&Input, &PackedSfenValue) -> Result<T, Fault>,
) -> Vec<Examined<T>> {
    let records = block.bytes.as_chunks::<BYTES>().0.iter();
    let examine = |bytes| {
        let record = PackedSfenValue::from_bytes(bytes)?;
        let value = examine(input, &record)?;
        Ok((record, value))
    };
    records.map(examine).collect()
}

struct Reading<'a, F> {
    sources: &'a Sources,
    policy: OnDamage,
    damage: Damage,
    take: F,
}

impl<F> Reading<'_, F> {
    fn take_block<T>(&mut self, block: &Block, values: Vec<Examined<T>>) -> Result<(), ToolError>
    where
        F: FnMut(SourceRecord<'_, T>) -> Result<(), ToolError>,
    {
        let index = block.input;
        let input = &self.sources.inputs()[index];
        let records = block.bytes.as_chunks::<BYTES>().0.iter();
        for ((number, bytes), value) in (block.first..).zip(records).zip(values) {
            match value {
                Ok((record, value)) => {
                    (self.take)(SourceRecord { index, input, bytes, record, value })?;
                }
                Err(fault) => {
                    self.damage.add(self.policy, input.path(), Some(number + 1), fault)?;
                }
            }
        }
        Ok(())
    }
}
