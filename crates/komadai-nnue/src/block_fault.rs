//! Faults in compressed blocks.

/// A fault in a compressed block.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BlockFault {
    /// The block starts with other bytes.
    #[error("found {found:?}, expected \"COMPRESSED_LEB128\"")]
    Start {
        /// The bytes as text.
        found: String,
    },
    /// The stated length cannot be that of the numbers.
    #[error("found a block of {found} bytes, expected {least} to {most}")]
    Length {
        /// The stated length.
        found: u64,
        /// The length if each number takes one byte.
        least: u64,
        /// The length if each number takes three bytes.
        most: u64,
    },
    /// A number goes on for more than three bytes or beyond the block.
    #[error("found a number without an end, expected at most 3 bytes inside the block")]
    Unending,
    /// A number does not fit 16 bits.
    #[error("found {found}, expected a number of 16 bits")]
    Range {
        /// The number.
        found: i32,
    },
    /// The block goes on after the last number.
    #[error("found {bytes} bytes after the last number, expected the end of the block")]
    Left {
        /// The number of bytes.
        bytes: u64,
    },
}
