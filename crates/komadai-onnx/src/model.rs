//! A model of dlshogi, run by the inference engine tract.

use std::fmt;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use komadai_base::file::open_regular;
use komadai_search::monte_carlo::{PolicyRequest, PolicyValue, PolicyValueError};
use tract_onnx::prelude::{
    Framework, InferenceModelExt, IntoTValue, RunnableModel, TValue, Tensor, TractResult,
    TypedFact, TypedModel, TypedOp, tvec,
};

use crate::error::ModelError;
use crate::features::{FEATURES1, SQUARES, write_entering_king_features, write_features};
use crate::half_precision;
use crate::labels::{LABELS, move_label};
use crate::signature::{self, Signature};

/// A deep network with the inputs and outputs of dlshogi, read from an ONNX file.
///
/// | tensor | shape | content |
/// |---|---|---|
/// | `input1` | (N, 62, 9, 9) | pieces and attacks: [`write_features`] |
/// | `input2` | (N, 57, 9, 9) | hands and check: the same |
/// | | or (N, 119, 9, 9) | and entering kings: [`write_entering_king_features`] |
/// | `output_policy` | (N, 2187) | logits by [`move_label`] |
/// | `output_value` | (N, 1) | probability that the side to move wins, after the sigmoid |
///
/// Each is of `float32` or `float16`. *N* is open, or the fixed size of all batches; smaller ones
/// are then filled up with empty boards. Further outputs are ignored.
///
/// A model in half precision is computed in `float32`, because processors are faster at it and the
/// results are at least as exact. Threads share a model; each call runs on the thread that makes it.
///
/// # Examples
///
/// ```no_run
/// use std::sync::Arc;
///
/// use komadai_core::{Budget, Position};
/// use komadai_eval::Material;
/// use komadai_onnx::DlshogiModel;
/// use komadai_search::Searcher;
/// use komadai_search::monte_carlo::{MonteCarlo, MonteCarloOptions};
///
/// let model = DlshogiModel::open("model.onnx")?.with_batch_size(32);
/// let mut searcher = MonteCarlo::new(Material, MonteCarloOptions::modern());
/// searcher.set_policy_value(Some(Arc::new(model)));
/// let analysis = searcher.search(&Position::hirate(), &Budget::nodes(10_000), &mut |_| {});
/// println!("{:?}", analysis.best_move());
/// # Ok::<(), komadai_onnx::ModelError>(())
/// ```
pub struct DlshogiModel {
    plan: RunnableModel<TypedFact, Box<dyn TypedOp>, TypedModel>,
    signature: Signature,
    batch_size: usize,
}

impl fmt::Debug for DlshogiModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DlshogiModel")
            .field("signature", &self.signature)
            .field("batch_size", &self.batch_size)
            .finish_non_exhaustive()
    }
}

/// The policy and the value of each position of a batch.
struct Outputs {
    policy: TValue,
    value: TValue,
}

impl DlshogiModel {
    /// The largest file that is read, in bytes.
    pub const MAX_BYTES: u64 = 1 << 30;

    /// The size of batches that a model without a fixed one prefers at first.
    const BATCH_SIZE: usize = 16;

    /// Reads a model from a file.
    ///
    /// A model is a program that may take any time and memory: read only files that you trust.
    ///
    /// # Errors
    ///
    /// [`ModelError`] if the file cannot be read, is no ONNX model, has other inputs or outputs, or
    /// has parts that tract does not know.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ModelError> {
        Self::read(open_regular(path)?)
    }

    /// Reads a model from the bytes of a file.
    ///
    /// # Errors
    ///
    /// As for [`open`](Self::open).
    pub fn read(reader: impl Read) -> Result<Self, ModelError> {
        let mut bytes = Vec::new();
        reader.take(Self::MAX_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > Self::MAX_BYTES {
            return Err(ModelError::TooLarge { most: Self::MAX_BYTES });
        }
        if bytes.is_empty() {
            return Err(ModelError::NotOnnx { reason: "the file is empty".to_owned() });
        }
        let onnx = tract_onnx::onnx();
        let mut proto = guarded(|| onnx.proto_model_for_read(&mut &bytes[..]))
            .map_err(|reason| ModelError::NotOnnx { reason })?;
        let signature = signature::check(&proto)?;
        half_precision::widen(&mut proto);
        let plan = guarded(|| {
            onnx.model_for_proto_model(&proto)?
                .with_input_names(signature::INPUT_NAMES)?
                .with_output_names(signature::OUTPUT_NAMES)?
                .into_optimized()?
                .into_runnable()
        });
        let plan = plan.map_err(|reason| ModelError::Unsupported { reason })?;
        let batch_size = signature.batch.unwrap_or(Self::BATCH_SIZE);
        let model = Self { plan, signature, batch_size };
        // A trial finds what the file does not state: the shapes of outputs.
        let zeros = |planes: usize| vec![0.0; signature.batch.unwrap_or(1) * planes * SQUARES];
        model.run(zeros(FEATURES1), zeros(signature.planes2))?;
        Ok(model)
    }

    /// Returns the model with another preferred size of batches than 16, at least 1. A model whose
    /// size is fixed keeps it.
    #[must_use]
    pub fn with_batch_size(mut self, positions: usize) -> Self {
        self.batch_size = self.signature.batch.unwrap_or(positions.max(1));
        self
    }

    /// Evaluates at most as many positions as fit in a batch.
    fn evaluate_batch(&self, requests: &mut [PolicyRequest]) -> Result<(), ModelError> {
        let positions = self.signature.batch.unwrap_or(requests.len());
        let size2 = self.signature.planes2 * SQUARES;
        let mut features1 = vec![0.0; positions * FEATURES1 * SQUARES];
        let mut features2 = vec![0.0; positions * size2];
        let (boards1, _) = features1.as_chunks_mut::<{ FEATURES1 * SQUARES }>();
        let boards2 = features2.chunks_exact_mut(size2);
        for (request, (planes1, planes2)) in requests.iter().zip(boards1.iter_mut().zip(boards2)) {
            let position = request.position();
            if let Some((planes2, entering)) = planes2.split_first_chunk_mut() {
                write_features(position, planes1, planes2);
                if let Ok(entering) = entering.try_into() {
                    write_entering_king_features(position, entering);
                }
            }
        }
        let outputs = self.run(features1, features2)?;
        let failed = |error: &dyn fmt::Display| ModelError::Run { reason: error.to_string() };
        let policy = outputs.policy.as_slice::<f32>().map_err(|error| failed(&error))?;
        let value = outputs.value.as_slice::<f32>().map_err(|error| failed(&error))?;
        let (policy, _) = policy.as_chunks::<LABELS>();
        for (request, (policy, value)) in requests.iter_mut().zip(policy.iter().zip(value)) {
            request.set_value(*value);
            let side = request.position().side();
            for index in 0..request.moves().len() {
                let label = move_label(side, request.moves()[index]);
                request.logits_mut()[index] = policy[label];
            }
        }
        Ok(())
    }

    /// Runs the model and checks the shapes of its outputs.
    fn run(&self, features1: Vec<f32>, features2: Vec<f32>) -> Result<Outputs, ModelError> {
        let positions = features1.len() / (FEATURES1 * SQUARES);
        let run = || {
            let input1 = Tensor::from_shape(&[positions, FEATURES1, 9, 9], &features1)?;
            let planes2 = self.signature.planes2;
            let input2 = Tensor::from_shape(&[positions, planes2, 9, 9], &features2)?;
            self.plan.run(tvec!(input1.into_tvalue(), input2.into_tvalue()))
        };
        let outputs = guarded(run).map_err(|reason| ModelError::Run { reason })?;
        let [policy, value] = <[TValue; 2]>::try_from(outputs.into_vec()).map_err(|found| {
            ModelError::Run { reason: format!("{} outputs, expected 2", found.len()) }
        })?;
        for (tensor, output, width) in
            [("output_policy", &policy, LABELS), ("output_value", &value, 1)]
        {
            if output.shape() != [positions, width] || output.as_slice::<f32>().is_err() {
                let found = format!("{:?} {:?}", output.datum_type(), output.shape());
                let expected = format!("F32 [{positions}, {width}]");
                return Err(ModelError::Mismatch { tensor, found, expected });
            }
        }
        Ok(Outputs { policy, value })
    }
}

impl PolicyValue for DlshogiModel {
    fn batch_size(&self) -> usize {
        self.batch_size
    }

    fn evaluate(&self, requests: &mut [PolicyRequest]) -> Result<(), PolicyValueError> {
        for requests in requests.chunks_mut(self.batch_size) {
            self.evaluate_batch(requests).map_err(|error| PolicyValueError::Failed {
                positions: requests.len(),
                source: Box::new(error),
            })?;
        }
        Ok(())
    }
}

/// Calls tract, whose errors and panics on malformed models become texts.
fn guarded<T>(call: impl FnOnce() -> TractResult<T>) -> Result<T, String> {
    // What the call has changed is dropped after a panic.
    match catch_unwind(AssertUnwindSafe(call)) {
        // With its sources, in one line.
        Ok(result) => result.map_err(|error| format!("{error:#}")),
        Err(_) => Err("tract panicked".to_owned()),
    }
}
