//! New scores for positions that an earlier evaluation searched.

use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use komadai::eval::Classical;
use komadai::prelude::*;
use komadai::search::AlphaBeta;
use rayon::prelude::*;

use crate::tune_evaluation::evaluators::evaluation;
use crate::tune_evaluation::generate::quiet_score;
use crate::tune_evaluation::sample::{self, Sample};
use crate::tune_evaluation::versus::searcher;

/// Options of `rescore`.
#[derive(Debug, Args)]
pub(crate) struct Rescore {
    /// File to write the samples to.
    out: PathBuf,
    /// Files with samples, as `generate` writes them.
    #[arg(required = true)]
    samples: Vec<PathBuf>,
    /// Number of nodes per position.
    #[arg(long, default_value_t = 1_500)]
    nodes: u64,
    /// File with the parameters of the evaluation [default: the built-in ones].
    #[arg(long)]
    parameters: Option<PathBuf>,
}

/// Number of samples that one searcher searches with the same table: about two games, whose
/// positions follow each other in the file and help each other.
const ADJACENT: usize = 100;

impl Rescore {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let evaluator = evaluation(self.parameters.as_deref())?;
        let mut samples = Vec::new();
        for path in &self.samples {
            samples.extend(sample::read(path)?);
        }
        let rescored: Vec<Vec<Sample>> = samples
            .par_chunks(ADJACENT)
            .map_init(
                || searcher(&evaluator),
                |searcher, samples| {
                    searcher.new_game();
                    samples.iter().map(|sample| self.sample(searcher, sample)).collect()
                },
            )
            .map(|samples: anyhow::Result<Vec<_>>| Ok(samples?.into_iter().flatten().collect()))
            .collect::<anyhow::Result<_>>()?;
        let bytes: Vec<u8> = rescored.iter().flatten().flat_map(|s| s.to_bytes()).collect();
        fs::write(&self.out, bytes)
            .with_context(|| format!("cannot write {}", self.out.display()))?;
        let kept: usize = rescored.iter().map(Vec::len).sum();
        println!("{kept} positions of {}", samples.len());
        Ok(())
    }

    /// Returns the sample with its new score, or `None` if the new search finds it not quiet.
    fn sample(
        &self,
        searcher: &mut AlphaBeta<Classical>,
        sample: &Sample,
    ) -> anyhow::Result<Option<Sample>> {
        let position = sample.position()?;
        let analysis = searcher.search(&position, &Budget::about(self.nodes), &mut |_| {});
        Ok(quiet_score(&position, &analysis).map(|score| Sample { score, ..*sample }))
    }
}
