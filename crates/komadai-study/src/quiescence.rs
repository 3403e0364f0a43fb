//! Repeats the quiescence study of Takeuchi, Kaneko and Yamaguchi: how far is a quiescence search
//! over some classes of moves from one over all moves, and at how many nodes?
//!
//! Source: S. Takeuchi, T. Kaneko and K. Yamaguchi, "Dynamic move generation in quiescence search,
//! using information of game positions" (局面の情報を利用した,静止探索中の動的な手生成), IPSJ.

mod claims;
mod measure;
mod page;
mod paper;
mod picture;
mod quantity;
mod results;
mod working_file;
#[cfg(test)]
mod tests;

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use komadai::search::Quiescence;
use komadai_console::{Pipeline, Progress, create_folder, interrupted};

pub use crate::quiescence::measure::{Depths, MovesInCheck, Reference};
pub(crate) use crate::quiescence::page::{NAME, page};
pub use crate::quiescence::paper::ROWS;

use crate::figure::Figure;
use crate::findings::Findings;
use crate::positions::{CheckPositions, Choice, Positions};
use crate::quiescence::measure::{Measurer, Setting};
use crate::quiescence::results::{Band, Results, Sample};
use crate::quiescence::working_file::WorkingFile;

/// The number of moves before the first position, as in the paper.
const FIRST_MOVE: u32 = 30;

/// The searches of a study and their positions.
#[derive(Debug, Clone)]
pub struct QuiescenceOptions {
    /// The search to which the others are compared.
    pub reference: Reference,
    /// The moves that the searches over classes try in check.
    pub in_check: MovesInCheck,
    /// The place of positions in check.
    pub checks: CheckPositions,
    /// Depths in plies.
    pub depths: Depths,
    /// The methods to compare.
    pub methods: Vec<Quiescence>,
    /// Records of games; the bundled games if there are none.
    pub games: Vec<PathBuf>,
    /// Interval between the positions of a game.
    pub every: NonZero<u32>,
    /// Folder for the results of every position, from which an interrupted study continues.
    pub folder: Option<PathBuf>,
    /// Number of threads.
    pub threads: NonZero<usize>,
}

/// The results of a study.
#[derive(Debug)]
pub struct QuiescenceStudy {
    setting: Setting,
    results: Results,
}

impl QuiescenceOptions {
    /// Searches all positions that the folder does not have yet.
    ///
    /// # Errors
    ///
    /// If a file cannot be used, belongs to another study, or has no position, and if `stop` ended
    /// the study.
    pub fn measure(&self, stop: &Arc<AtomicBool>) -> anyhow::Result<QuiescenceStudy> {
        let setting = Setting {
            reference: self.reference,
            in_check: self.in_check,
            checks: self.checks,
            depths: self.depths.clone(),
            methods: self.methods.clone(),
        };
        let choice = Choice { first: FIRST_MOVE, every: self.every, checks: setting.checks };
        let positions = Positions::read(&self.games, choice)?;
        let results = self.search(&setting, &positions, stop)?;
        Ok(QuiescenceStudy { setting, results })
    }

    fn search(
        &self,
        setting: &Setting,
        positions: &Positions,
        stop: &Arc<AtomicBool>,
    ) -> anyhow::Result<Results> {
        let mut results = Results::new(setting, positions.games());
        let head = format!("{setting}, {}", positions.identity());
        let mut file = match &self.folder {
            Some(folder) => {
                create_folder(folder)?;
                Some(WorkingFile::open(folder, &head, setting, |measured| results.add(&measured))?)
            }
            None => None,
        };
        let done = file.as_ref().map_or(0, WorkingFile::lines);
        let mut progress =
            Progress::new("positions", positions.count() - done.min(positions.count()), false);
        let pipeline = Pipeline { threads: self.threads.get(), stop: Arc::clone(stop) };
        let jobs = positions.iter().skip(done).take_while(|_| !stop.load(Ordering::Relaxed));
        pipeline.run(
            jobs,
            || Measurer::new(setting),
            |measurer, position| measurer.measure(&position),
            |batch, _| {
                for measured in batch {
                    if let Some(file) = &mut file {
                        file.append(&measured)?;
                    }
                    results.add(&measured);
                    progress.tick(String::new);
                }
                Ok::<_, anyhow::Error>(())
            },
            || {},
        )?;
        progress.finish();
        if stop.load(Ordering::Relaxed) {
            return Err(interrupted("stopped; the same command with the same folder continues"));
        }
        Ok(results)
    }
}

impl QuiescenceStudy {
    /// Returns the numbers of the page. `command` is the one that measured them.
    pub fn findings(&self, command: &str) -> Findings {
        page::findings(&self.setting, &self.results, command)
    }

    /// Returns the variance of a method.
    pub(crate) fn variance(&self, name: &str) -> Option<Figure> {
        let depth = self.results.main_depth();
        Sample::new(&self.results)
            .interval(|sums| Some(self.results.method(sums, name, depth, &Band::ALL)?.variance()))
    }

    /// Returns the variance of a method to that of another one.
    pub(crate) fn variance_ratio(&self, name: &'static str, base: &'static str) -> Option<Figure> {
        quantity::variance(name, base).of(&Sample::new(&self.results), self.results.main_depth())
    }

    /// Draws the paper's figures as SVG; returns the names of the files and their content.
    ///
    /// # Errors
    ///
    /// Returns the error of the drawing.
    pub fn figures(&self) -> anyhow::Result<Vec<(String, String)>> {
        picture::figures(&self.setting, &self.results)
    }
}
