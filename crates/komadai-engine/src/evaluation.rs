//! The evaluation of a player: the bundled network, a network or linear evaluation from a file, or
//! an evaluation without one.

use std::fs;
use std::io::{self, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use komadai_base::file::open_regular;
use komadai_core::Position;
use komadai_eval::{Classical, Evaluator, Material};
use komadai_nnue::linear::{LinearError, LinearEvaluator};
use komadai_nnue::{Network, NetworkError, Nnue, ReadOptions, StackRule};

use crate::engine_evaluator::EngineEvaluator;

/// The evaluation of the [parts](crate::Parts) of the embedded player.
///
/// The default is the network of `komadai-weights` (`Network::bundled`), or
/// [`Classical`](Self::Classical) without the feature `bundled`. A clone shares the weights. Two
/// evaluations are equal if they share the weights of one network and have the same `FV_SCALE`, or
/// if both are the same one without a network.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_engine::{Evaluation, Parts, SearcherKind};
/// use komadai_nnue::{Architecture, FeatureSet, Network, Nnue};
/// use komadai_search::SearchOptions;
///
/// let small = Architecture::new(FeatureSet::KP, 32, 8, 8).expect("supported widths");
/// let nnue = Nnue::new(Network::random(small, 1));
/// let mut kind = SearcherKind::default();
/// kind.evaluation = Evaluation::Network(nnue);
/// let options = SearchOptions { hash_mib: 1, ..SearchOptions::default() };
/// let searcher = Parts::default().searcher(&kind, options);
/// assert_ne!(kind.evaluation, Evaluation::default());
/// println!("eval = {}", kind.evaluation.value(&Position::hirate()));
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Evaluation {
    /// [`Classical`]: terms that people chose and [`explain`](komadai_eval::Explanation), with learned weights.
    Classical,
    /// [`Material`]: the pieces only, the usual evaluation for comparisons of searches.
    Material,
    /// A network.
    Network(Nnue),
    /// A linear evaluation, as `komadai train compare` writes them.
    Linear(Arc<LinearEvaluator>),
}

/// The place that an evaluation comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EvaluationSource {
    Bundled,
    Classical,
    Material,
    File(PathBuf),
}

/// The settings about a network that its files do not decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EvaluationReading {
    /// The divisor of the output; 0 for that of the files.
    pub(crate) fv_scale: i32,
    /// The rule that chooses among layer stacks; `None` for that of the files.
    pub(crate) stack_rule: Option<StackRule>,
    /// True if the weights stay in their file.
    pub(crate) is_mapped: bool,
}

impl Default for Evaluation {
    #[cfg(feature = "bundled")]
    fn default() -> Self {
        Self::Network(Nnue::new(Network::bundled()))
    }

    #[cfg(not(feature = "bundled"))]
    fn default() -> Self {
        Self::Classical
    }
}

impl PartialEq for Evaluation {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Classical, Self::Classical) | (Self::Material, Self::Material) => true,
            (Self::Network(own), Self::Network(other)) => {
                Arc::ptr_eq(own.network(), other.network()) && own.fv_scale() == other.fv_scale()
            }
            (Self::Linear(own), Self::Linear(other)) => Arc::ptr_eq(own, other),
            _ => false,
        }
    }
}

impl Evaluation {
    /// Returns the static evaluation of a position for the side to move, as the USI command `e`
    /// prints it.
    ///
    /// For a network it is [`Nnue::value`]: the output divided by `FV_SCALE`, in units of which a
    /// pawn has
    /// 90. For the other evaluations it is in centipawns.
    pub fn value(&self, position: &Position) -> i32 {
        match self {
            Self::Classical => Classical::default().evaluate_position(position).raw(),
            Self::Material => Material.evaluate_position(position).raw(),
            Self::Network(nnue) => nnue.value(position, &mut nnue.refresh(position)),
            Self::Linear(linear) => linear.evaluate_position(position).raw(),
        }
    }

    /// The name of the evaluation in the identity of analyses.
    pub fn name(&self) -> &str {
        match self {
            Self::Classical => "classical",
            Self::Material => "material",
            Self::Network(nnue) => nnue.network().description(),
            Self::Linear(_) => "linear",
        }
    }

    /// Returns the evaluator of the searchers.
    pub(crate) fn evaluator(&self) -> EngineEvaluator {
        match self {
            Self::Classical => EngineEvaluator::Classical(Classical::default()),
            Self::Material => EngineEvaluator::Material,
            Self::Network(nnue) => EngineEvaluator::Nnue(nnue.clone()),
            Self::Linear(linear) => EngineEvaluator::Linear(Arc::clone(linear)),
        }
    }
}

/// An error in the file of an evaluation.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluationError {
    /// The file cannot be opened.
    #[error("cannot open the evaluation {}: {source}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file is not a network that can be evaluated, or not all of one.
    #[error("evaluation {}: {source}", path.display())]
    Network {
        /// The file.
        path: PathBuf,
        /// The fault and its place in the file.
        source: NetworkError,
    },
    /// The file is a linear evaluation that cannot be read.
    #[error("evaluation {}: {source}", path.display())]
    Linear {
        /// The file.
        path: PathBuf,
        /// The fault and its place in the file.
        source: LinearError,
    },
}

/// An evaluation with the file that it was read from.
#[derive(Debug, Clone, Default)]
pub(crate) struct LoadedEvaluation {
    pub(crate) evaluation: Evaluation,
    /// `None` for an evaluation that is part of the program.
    file: Option<EvaluationFile>,
}

/// A file and the data that show whether it, or a file beside it, has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct EvaluationFile {
    path: PathBuf,
    stack_rule: Option<StackRule>,
    is_mapped: bool,
    stamp: Stamp,
    /// Those of the files in the same folder that exist.
    beside: [Option<Stamp>; 2],
}

/// Length and modification time of a file.
type Stamp = (u64, Option<SystemTime>);

/// The files in the folder of a network that say more about it.
const BESIDE: [&str; 2] = ["eval_options.txt", "progress.bin"];

impl EvaluationFile {
    fn find(path: PathBuf, reading: EvaluationReading) -> Result<Self, EvaluationError> {
        let EvaluationReading { stack_rule, is_mapped, .. } = reading;
        let stamp = |path: &Path| fs::metadata(path).map(|data| (data.len(), data.modified().ok()));
        let beside = BESIDE.map(|name| stamp(&path.with_file_name(name)).ok());
        match stamp(&path) {
            Ok(stamp) => Ok(Self { path, stack_rule, is_mapped, stamp, beside }),
            Err(source) => Err(EvaluationError::Open { path, source }),
        }
    }

    fn read(&self) -> Result<Evaluation, EvaluationError> {
        let path = || self.path.clone();
        let mut start = Vec::new();
        open_regular(&self.path)
            .and_then(|file| file.take(8).read_to_end(&mut start))
            .map_err(|source| EvaluationError::Open { path: path(), source })?;
        if LinearEvaluator::is_file(&start) {
            let linear = open_regular(&self.path)
                .map_err(LinearError::from)
                .and_then(|file| LinearEvaluator::read(BufReader::new(file)));
            return match linear {
                Ok(linear) => Ok(Evaluation::Linear(Arc::new(linear))),
                Err(source) => Err(EvaluationError::Linear { path: path(), source }),
            };
        }
        let options = ReadOptions { stack_rule: self.stack_rule, ..ReadOptions::default() };
        #[cfg(feature = "mmap")]
        let network = if self.is_mapped {
            Network::map_with(&self.path, &options)
        } else {
            Network::open_with(&self.path, &options)
        };
        #[cfg(not(feature = "mmap"))]
        let network = Network::open_with(&self.path, &options);
        network.map(|network| Evaluation::Network(Nnue::new(network))).map_err(
            |error| match error {
                NetworkError::Io { at: 0, error } => {
                    EvaluationError::Open { path: path(), source: error }
                }
                source => EvaluationError::Network { path: path(), source },
            },
        )
    }
}

impl LoadedEvaluation {
    /// Returns the evaluation of `source`. A file is read if it is another one than that of `self`,
    /// or has changed since.
    pub(crate) fn renewed(
        &self,
        source: EvaluationSource,
        reading: EvaluationReading,
    ) -> Result<Self, EvaluationError> {
        let path = match source {
            EvaluationSource::Bundled => return Ok(Self::default()),
            EvaluationSource::Classical => {
                return Ok(Self { evaluation: Evaluation::Classical, file: None });
            }
            EvaluationSource::Material => {
                return Ok(Self { evaluation: Evaluation::Material, file: None });
            }
            EvaluationSource::File(path) => path,
        };
        // A change while the file is being read is seen the next time.
        let file = EvaluationFile::find(path, reading)?;
        let is_same = self.file.as_ref() == Some(&file);
        let mut evaluation = if is_same { self.evaluation.clone() } else { file.read()? };
        if let Evaluation::Network(nnue) = &mut evaluation {
            *nnue = Nnue::new(Arc::clone(nnue.network()));
            if reading.fv_scale > 0 {
                *nnue = nnue.clone().with_fv_scale(reading.fv_scale);
            }
        }
        Ok(Self { evaluation, file: Some(file) })
    }

    /// Returns lines of text about the evaluation, with what in its file is doubtful; none for the
    /// bundled network.
    pub(crate) fn summary(&self) -> Vec<String> {
        let path = self.file.as_ref().map(|file| file.path.display());
        let nnue = match &self.evaluation {
            Evaluation::Classical => return vec!["evaluation: classical".to_owned()],
            Evaluation::Material => return vec!["evaluation: material only".to_owned()],
            Evaluation::Linear(linear) => {
                let groups = linear.groups();
                return path
                    .iter()
                    .map(|path| format!("evaluation {path}: linear {groups}"))
                    .collect();
            }
            Evaluation::Network(nnue) => nnue,
        };
        let network = nnue.network();
        let Some(path) = path else { return Vec::new() };
        let (architecture, kernels) = (network.architecture(), network.kernels());
        let scale = match architecture.classes() {
            // A compact network is in centipawns.
            Some(_) => String::new(),
            None => format!(", FV_SCALE {} ({})", nnue.fv_scale(), nnue.scale_source()),
        };
        let first = format!("evaluation {path}: {architecture}{scale}, {kernels}");
        let doubts = network.facts().doubts.iter();
        let doubts = doubts.map(|doubt| format!("evaluation {path}: {doubt}"));
        std::iter::once(first).chain(doubts).collect()
    }
}
