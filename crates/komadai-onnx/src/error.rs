//! Errors of models.

use std::io;

/// The reason why a file is no model that this crate can use, or why a model has failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The file cannot be read.
    #[error("the model cannot be read")]
    Io(#[from] io::Error),
    /// The file is larger than any model that this crate reads.
    #[error("the model has more than {most} bytes")]
    TooLarge {
        /// The largest number of bytes.
        most: u64,
    },
    /// The bytes are no ONNX model: another format, or a part of a file.
    #[error("not an ONNX model: {reason}")]
    NotOnnx {
        /// The fault.
        reason: String,
    },
    /// The model has no input or output with the name.
    #[error("the model has no {tensor}; it has {found:?}")]
    Missing {
        /// The expected input or output.
        tensor: &'static str,
        /// The names of the inputs or outputs of the model.
        found: Vec<String>,
    },
    /// An input or output has another type or shape.
    #[error("{tensor} is {found}, expected {expected}")]
    Mismatch {
        /// The name of the input or output.
        tensor: &'static str,
        /// Its type and shape; `?` stands for a size that is not stated.
        found: String,
        /// The expected type and shapes.
        expected: String,
    },
    /// The model has a part that cannot be computed.
    #[error("the model cannot be run: {reason}")]
    Unsupported {
        /// The part and its fault.
        reason: String,
    },
    /// The run of the model has failed.
    #[error("the run of the model failed: {reason}")]
    Run {
        /// The fault.
        reason: String,
    },
}
