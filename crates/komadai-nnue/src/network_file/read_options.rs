//! Facts that a file does not state.

use crate::error::NetworkError;
use crate::progress_file::ProgressFile;
use crate::stack_rule::StackRule;

/// Facts that the file of a network does not state, and those of other files beside it.
///
/// # Examples
///
/// ```
/// use komadai_nnue::{Network, ReadOptions, StackRule};
///
/// let network = Network::random("layerstack_kp_32_8_8_x3_kingrank9".parse()?, 1);
/// let mut file = Vec::new();
/// network.write(&mut file)?;
/// // Three classes of kings are not usual, so that the rule must be named.
/// assert!(Network::from_bytes(&file).is_err());
/// let options = ReadOptions { stack_rule: Some(StackRule::KingRank9), ..ReadOptions::default() };
/// let again = Network::from_bytes_with(&file, &options)?;
/// assert_eq!(again.architecture(), network.architecture());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReadOptions {
    /// The rule that chooses among the stacks of a LayerStack network. By default it is
    /// [`Progress8KpAbs`](StackRule::Progress8KpAbs) if there is a `progress.bin`, otherwise
    /// [`KingRank9`](StackRule::KingRank9) for nine stacks; the facts have a doubt then.
    pub stack_rule: Option<StackRule>,
    /// The content of `progress.bin`. By default it is read from the folder of the network, if it is
    /// needed.
    pub progress: Option<Vec<u8>>,
}

/// Returns the model in the file `progress.bin`, if there is one.
pub(super) type Progress<'a> = &'a dyn Fn() -> Result<Option<ProgressFile>, NetworkError>;

/// Reads the content of `progress.bin`.
pub(super) fn progress_of(bytes: &[u8]) -> Result<ProgressFile, NetworkError> {
    let found = bytes.len() as u64;
    ProgressFile::from_bytes(bytes).ok_or(NetworkError::ProgressLength { found })
}
