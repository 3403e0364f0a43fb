//! A folder of training data by self-play, in one call.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::thread::available_parallelism;

use komadai_eval::Evaluator;

use crate::dataset::{Dataset, DatasetError, Manifest, Run};
use crate::generate::generate;
use crate::selfplay::SelfPlayOptions;

impl Dataset {
    /// Adds games of an evaluation against itself to a folder, until it has `positions` more; on all
    /// processors, with the usual options. The games depend on the number of runs in the folder.
    ///
    /// [`generate`](crate::generate) has other options, and can be stopped; this waits until all is done.
    ///
    /// # Errors
    ///
    /// Those of [`Dataset::open`] and [`Dataset::add`].
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_data::Dataset;
    /// use komadai_eval::Material;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let manifest = Dataset::generate(folder.path(), &Material, 100)?;
    /// assert!(manifest.positions() >= 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn generate<V: Evaluator>(
        folder: &Path,
        evaluator: &V,
        positions: u64,
    ) -> Result<Manifest, DatasetError> {
        let options = SelfPlayOptions::default();
        let mut data = Self::open(folder, Run::new("games", options.clone(), 1))?;
        let (first, wanted) = (data.game_seed(0), data.positions().saturating_add(positions));
        let threads = available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        let (seed, stop) = (|game| Some(first.wrapping_add(game)), AtomicBool::new(false));
        if positions > 0 {
            generate(evaluator, &options, threads, &seed, &stop, &mut |game| {
                data.add(&game)?;
                let is_enough = data.positions() >= wanted;
                Ok(if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            })?;
        }
        data.finish()
    }
}
