//! The evaluation of a player: the embedded one, or a network from a file.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use komadai_core::Position;
use komadai_eval::{Classical, Evaluator};
use komadai_nnue::{Network, NetworkError, Nnue};

use crate::engine_evaluator::EngineEvaluator;

/// The evaluation of the [standard parts](crate::StandardParts).
///
/// A clone shares the weights. Two evaluations are equal if they share the weights of one network and have
/// the same `FV_SCALE`, or if both are the embedded one.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_engine::{Evaluation, PlayerParts, SearcherKind, StandardParts};
/// use komadai_nnue::{Architecture, FeatureSet, Network, Nnue};
/// use komadai_search::SearchOptions;
///
/// let small = Architecture::new(FeatureSet::KP, 32, 8, 8).expect("supported widths");
/// let nnue = Nnue::new(Network::random(small, 1));
/// let mut kind = SearcherKind::default();
/// kind.evaluation = Evaluation::Network(nnue);
/// let options = SearchOptions::default().with_hash_mib(1);
/// let searcher = StandardParts.searcher_of(&kind, options);
/// assert_ne!(kind.evaluation, Evaluation::Embedded);
/// println!("eval = {}", kind.evaluation.value(&Position::hirate()));
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub enum Evaluation {
    /// [`Classical`], whose weights are part of the program.
    #[default]
    Embedded,
    /// A network.
    Network(Nnue),
}

impl PartialEq for Evaluation {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Embedded, Self::Embedded) => true,
            (Self::Network(own), Self::Network(other)) => {
                Arc::ptr_eq(own.network(), other.network()) && own.fv_scale() == other.fv_scale()
            }
            _ => false,
        }
    }
}

impl Evaluation {
    /// Returns the static evaluation of a position for the side to move, as the USI command `e` prints it.
    ///
    /// For a network it is [`Nnue::value`]: the output divided by `FV_SCALE`, in units of which a pawn has
    /// 90. For the embedded evaluation it is in centipawns.
    #[must_use]
    pub fn value(&self, position: &Position) -> i32 {
        match self {
            Self::Embedded => Classical::default().evaluate_position(position).raw(),
            Self::Network(nnue) => nnue.value(position, &mut nnue.refresh(position)),
        }
    }

    /// Returns the evaluator of the searchers.
    pub(crate) fn evaluator(&self) -> EngineEvaluator {
        match self {
            Self::Embedded => EngineEvaluator::default(),
            Self::Network(nnue) => EngineEvaluator::Nnue(nnue.clone()),
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
}

/// An evaluation with the file that it was read from.
#[derive(Debug, Clone, Default)]
pub(crate) struct LoadedEvaluation {
    evaluation: Evaluation,
    /// `None` for the embedded evaluation.
    file: Option<EvaluationFile>,
}

/// A file and the data that show whether it has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct EvaluationFile {
    path: PathBuf,
    len: u64,
    modified: Option<SystemTime>,
}

impl EvaluationFile {
    fn find(path: PathBuf) -> Result<Self, EvaluationError> {
        match fs::metadata(&path) {
            Ok(data) => Ok(Self { path, len: data.len(), modified: data.modified().ok() }),
            Err(source) => Err(EvaluationError::Open { path, source }),
        }
    }

    fn read(&self) -> Result<Network, EvaluationError> {
        let path = || self.path.clone();
        Network::open(&self.path).map_err(|error| match error {
            NetworkError::Io { at: 0, error } => {
                EvaluationError::Open { path: path(), source: error }
            }
            source => EvaluationError::Network { path: path(), source },
        })
    }
}

impl LoadedEvaluation {
    /// Returns the network of the file, or the embedded evaluation. The file is read if it is another one than
    /// that of `self`, or has changed since.
    pub(crate) fn renewed(
        &self,
        path: Option<PathBuf>,
        fv_scale: i32,
    ) -> Result<Self, EvaluationError> {
        let Some(path) = path else { return Ok(Self::default()) };
        // A change while the file is being read is seen the next time.
        let file = EvaluationFile::find(path)?;
        let network = match &self.evaluation {
            Evaluation::Network(nnue) if self.file.as_ref() == Some(&file) => {
                Arc::clone(nnue.network())
            }
            _ => Arc::new(file.read()?),
        };
        let nnue = Nnue::new(network).with_fv_scale(fv_scale);
        Ok(Self { evaluation: Evaluation::Network(nnue), file: Some(file) })
    }

    pub(crate) fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// Returns a line of text about the network, or `None` for the embedded evaluation.
    pub(crate) fn summary(&self) -> Option<String> {
        let Evaluation::Network(nnue) = &self.evaluation else { return None };
        let (path, network) = (self.file.as_ref()?.path.display(), nnue.network());
        let (architecture, kernels) = (network.architecture(), network.kernels());
        Some(format!("evaluation {path}: {architecture}, FV_SCALE {}, {kernels}", nnue.fv_scale()))
    }
}
