//! Parts of a study, each kept in a file when it is done.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use komadai_console::{Pipeline, Progress, create_folder, interrupted};

use crate::findings::Findings;

/// The parts of a study in a folder. A part that another command or another version has measured is
/// measured again.
#[derive(Debug)]
pub(crate) struct Parts<'a> {
    pub(crate) source: &'static str,
    pub(crate) command: &'a str,
    pub(crate) folder: PathBuf,
    pub(crate) stop: &'a Arc<AtomicBool>,
    pub(crate) threads: usize,
}

impl Parts<'_> {
    /// Reads a part, or measures and writes it.
    pub(crate) fn part(
        &self,
        name: &str,
        measure: impl FnOnce(&mut Findings) -> anyhow::Result<()>,
    ) -> anyhow::Result<Findings> {
        create_folder(&self.folder)?;
        let path = self.folder.join(format!("{name}.tsv"));
        let new = Findings::new(self.source, self.command);
        if path.exists() {
            match Findings::read(&path, self.source) {
                Ok(found) if found.is_of_same_run(&new) => return Ok(found),
                // Of another command, or damaged: this run's takes its place.
                _ => fs::remove_file(&path)?,
            }
        }
        let mut found = new;
        measure(&mut found)?;
        found.write(&path)?;
        Ok(found)
    }

    /// Works on all jobs, shows the progress, and returns the results in the order of the jobs.
    pub(crate) fn each<J: Send, W, R: Send>(
        &self,
        label: &str,
        jobs: Vec<J>,
        worker: impl Fn() -> W + Sync,
        work: impl Fn(&mut W, J) -> R + Sync,
    ) -> anyhow::Result<Vec<R>> {
        let mut results = Vec::with_capacity(jobs.len());
        let mut progress = Progress::new(label, jobs.len(), false);
        let pipeline = Pipeline { threads: self.threads, stop: Arc::clone(self.stop) };
        let jobs = jobs.into_iter().take_while(|_| !self.stop.load(Ordering::Relaxed));
        pipeline.run(
            jobs,
            worker,
            work,
            |batch, _| {
                for result in batch {
                    results.push(result);
                    progress.tick(String::new);
                }
                Ok::<_, anyhow::Error>(())
            },
            || {},
        )?;
        progress.finish();
        if self.stop.load(Ordering::Relaxed) {
            return Err(interrupted(
                "stopped; the same command continues with the part that was cut off",
            ));
        }
        Ok(results)
    }
}
