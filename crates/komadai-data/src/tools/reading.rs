//! The frame of all tools: records are read in order, examined on all processors, and taken in
//! order.

use crate::records::PackedSfenValue;
use rayon::prelude::*;

use super::blocks::{Block, Blocks, Part};
use super::damage::{Damage, OnDamage};
use super::error::ToolError;
use super::fault::{BYTES, Fault};
use super::input::Input;
use super::sources::Sources;
use super::watch::Watch;

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
    /// The bytes of the record in the format of YaneuraOu, with the padding of the file.
    pub bytes: &'a [u8; BYTES],
    /// The record.
    pub record: PackedSfenValue,
    /// The value of the examination.
    pub value: T,
}

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
        self.check_sound(has_sound, damage)
    }

    /// Refuses damage without anything sound.
    pub(super) fn check_sound(&self, has_sound: bool, damage: Damage) -> Result<Damage, ToolError> {
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
        mut take: impl FnMut(SourceRecord<'_, T>) -> Result<(), ToolError>,
    ) -> Result<Damage, ToolError> {
        let examined = |input: &Input, block: &Block| {
            block.examined(|record| Ok((*record, examine(input, record)?)))
        };
        self.read_blocks(stage, watch, examined, |block, at, (record, value)| {
            let (index, own) = (block.input, record.to_bytes());
            let (input, bytes) = (&self.inputs()[index], block.bytes(at).unwrap_or(&own));
            take(SourceRecord { index, input, bytes, record, value })
        })
    }

    /// Reads all blocks: `examine` returns the parts of one, `take` gets each sound part in order,
    /// with the number of its first record in the block.
    pub(super) fn read_blocks<T: Send>(
        &self,
        stage: &'static str,
        watch: &mut Watch<'_>,
        examine: impl Fn(&Input, &Block) -> Vec<Part<T>> + Sync,
        take: impl FnMut(&Block, u64, T) -> Result<(), ToolError>,
    ) -> Result<Damage, ToolError> {
        let (policy, damage) = (self.on_damage(), self.damage().clone());
        let mut reading = Reading { sources: self, policy, damage, ended: None, take };
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
            let values: Vec<Vec<Part<T>>> =
                batch.par_iter().map(|block| examine(&self.inputs()[block.input], block)).collect();
            for (block, values) in batch.iter().zip(values) {
                done += block.records;
                reading.take_block(block, values)?;
            }
            match failure {
                Some(failed) => {
                    let input = &self.inputs()[failed.input];
                    let fault = Fault::Unreadable { reason: failed.error.to_string() };
                    let place = input.place(failed.record);
                    reading.damage.add(policy, input.path(), Some(place), fault)?;
                }
                None if batch.is_empty() => break,
                None => {}
            }
        }
        Ok(reading.damage)
    }
}

struct Reading<'a, F> {
    sources: &'a Sources,
    policy: OnDamage,
    damage: Damage,
    /// The index of the file whose rest cannot be read.
    ended: Option<usize>,
    take: F,
}

impl<F> Reading<'_, F> {
    fn take_block<T>(&mut self, block: &Block, values: Vec<Part<T>>) -> Result<(), ToolError>
    where
        F: FnMut(&Block, u64, T) -> Result<(), ToolError>,
    {
        let input = &self.sources.inputs()[block.input];
        for (at, value) in values {
            if self.ended == Some(block.input) {
                break;
            }
            match value {
                Ok(value) => (self.take)(block, at, value)?,
                Err(fault) => {
                    if fault.ends_file() {
                        self.ended = Some(block.input);
                    }
                    let place = (!fault.is_of_game()).then(|| input.place(block.first + at));
                    self.damage.add(self.policy, input.path(), place, fault)?;
                }
            }
        }
        Ok(())
    }
}
