//! The memory of analyses, a working book.

use std::sync::Arc;

use komadai::analysis::AnalysisMemory;
use komadai::analysis::game_analysis::GameAnalyst;
use komadai_console::note;

use super::options::AnalyseArgs;

/// A memory, if there is to be one.
pub(super) struct Memory(Option<Arc<AnalysisMemory>>);

impl Memory {
    /// Opens the memory, and gives it to the analyst.
    pub(super) fn open(
        arguments: &AnalyseArgs,
        analyst: GameAnalyst,
    ) -> anyhow::Result<(Self, GameAnalyst)> {
        let Some(path) = &arguments.memory else { return Ok((Self(None), analyst)) };
        let memory = Arc::new(AnalysisMemory::open(path)?);
        let analyst = analyst.with_memory(&memory);
        Ok((Self(Some(memory)), analyst))
    }

    /// Prints what was taken and added. Returns the number of failures, 0 or 1.
    pub(super) fn finish(&self, arguments: &AnalyseArgs) -> u64 {
        let (Some(memory), Some(path)) = (&self.0, &arguments.memory) else { return 0 };
        let (taken, added) = (memory.taken(), memory.added());
        note!("{}: {taken} analyses taken, {added} added", path.display());
        match memory.take_failure() {
            None => 0,
            Some(error) => {
                note!("warning: later analyses are not in the memory: {error}");
                1
            }
        }
    }
}
