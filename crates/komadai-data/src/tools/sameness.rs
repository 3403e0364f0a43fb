//! The positions that count as the same.

use komadai_core::{PackedError, PackedSfen, SplitMix64};
use serde::{Deserialize, Serialize};

/// The positions that count as the same. The move number never counts.
///
/// # Examples
///
/// ```
/// use komadai_core::{PackedSfen, Position};
/// use komadai_data::tools::Sameness;
///
/// let position = Position::hirate().after("7g7f".parse()?);
/// let (packed, turned) = (PackedSfen::of(&position)?, PackedSfen::of(&position.flipped())?);
/// assert_ne!(Sameness::Exact.canonical(packed)?, Sameness::Exact.canonical(turned)?);
/// assert_eq!(Sameness::Symmetric.canonical(packed)?, Sameness::Symmetric.canonical(turned)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sameness {
    /// The same pieces on the same squares and in the same hands, and the same side to move.
    #[default]
    Exact,
    /// The same, also after the colours are exchanged and the board is turned, after it is mirrored
    /// left to right, or after both. The value for the side to move is the same in all of them.
    Symmetric,
}

impl Sameness {
    /// Returns the representative of the positions that count as the same: the one with the least
    /// bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are no position and have to be unpacked.
    pub fn canonical(self, packed: PackedSfen) -> Result<PackedSfen, PackedError> {
        if self == Self::Exact {
            return Ok(packed);
        }
        let setup = packed.to_setup()?;
        let (flipped, mirrored) = (setup.flipped(), setup.mirrored());
        [flipped.mirrored(), flipped, mirrored]
            .iter()
            .try_fold(packed, |least, setup| Ok(least.min(PackedSfen::from_setup(setup)?)))
    }
}

/// Returns a hash of a position. Positions of a game differ in few bits, and their hashes in all.
pub(super) fn hash(packed: PackedSfen, seed: u64) -> u64 {
    let words = packed.as_bytes().as_chunks::<8>().0;
    words.iter().fold(SplitMix64::mix(seed), |hash, word| {
        SplitMix64::mix((hash ^ u64::from_le_bytes(*word)).wrapping_add(0x9E37_79B9_7F4A_7C15))
    })
}
