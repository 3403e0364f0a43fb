//! Errors in network files.

use std::io;

use crate::block_fault::BlockFault;

/// A fault in a network file: its place, what was found there, and what was expected.
///
/// Offsets are in bytes from the start of the file.
///
/// # Examples
///
/// ```
/// use komadai_nnue::{Network, NetworkError};
///
/// let error = Network::from_bytes(b"not a network").unwrap_err();
/// assert!(matches!(error, NetworkError::Version { found: 0x2074_6F6E }));
/// assert_eq!(
///     error.to_string(),
///     "byte 0: found version 0x20746F6E, expected 0x7AF32F16, or 0x7AF32F20 or 0x7AF32F21 for \
///      layer stacks: not a network file",
/// );
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// The source failed.
    #[error("byte {at}: cannot read on: {error}")]
    Io {
        /// The first byte that was requested.
        at: u64,
        /// The cause.
        #[source]
        error: io::Error,
    },
    /// The file ends too early.
    #[error("byte {at}: the file ends in {section}, expected {expected} bytes more")]
    Truncated {
        /// The length of the file.
        at: u64,
        /// The part of the file that is not complete.
        section: &'static str,
        /// The number of bytes that are missing in this part.
        expected: u64,
    },
    /// The file goes on after the last weight.
    #[error("byte {at}: found more data, expected the end of a file of {architecture}")]
    TooLong {
        /// The length that the file should have.
        at: u64,
        /// The architecture.
        architecture: String,
    },
    /// The file starts with another number than network files do.
    #[error(
        "byte 0: found version {found:#010X}, expected 0x7AF32F16, or 0x7AF32F20 or 0x7AF32F21 for \
         layer stacks: not a network file"
    )]
    Version {
        /// The first four bytes, little-endian.
        found: u32,
    },
    /// The description is longer than any description.
    #[error("byte 8: found a description of {found} bytes, expected at most {limit}")]
    DescriptionTooLong {
        /// The length that the file states.
        found: u32,
        /// The largest length that is read.
        limit: u32,
    },
    /// The bytes are those of no architecture that can be evaluated.
    #[error(
        "byte 12: found the description {description:?}, the hash {hash:#010X} and {left} bytes \
         after it, expected those of an architecture that `docs/networks.md` lists"
    )]
    UnknownArchitecture {
        /// The description in the file, cut after 200 characters.
        description: String,
        /// The hash of the first layer.
        hash: u32,
        /// The bytes after that hash.
        left: u64,
    },
    /// The description names a kind of network that cannot be evaluated.
    #[error(
        "byte 12: found {found:?} in the description, expected a network of piece features with \
         clipped sums: this kind is not evaluated"
    )]
    OtherKind {
        /// The word in the description.
        found: &'static str,
    },
    /// The layer stacks are those of no architecture that can be evaluated.
    #[error(
        "byte {at}: found {left} bytes of layer stacks, expected a whole number of them with hidden \
         widths of 8 to 128"
    )]
    Stacks {
        /// The first byte of the stacks.
        at: u64,
        /// The bytes that are left.
        left: u64,
    },
    /// Nothing says how one of the layer stacks is chosen.
    #[error(
        "found {stacks} layer stacks, expected progress.bin beside the file, which chooses among \
         them, or a rule"
    )]
    NoStackRule {
        /// The number of stacks.
        stacks: usize,
    },
    /// The file with the model of progress cannot be read.
    #[error("cannot read progress.bin beside the file: {error}")]
    ProgressFile {
        /// The cause.
        #[source]
        error: io::Error,
    },
    /// The file with the model of progress has another length than such files have.
    #[error("found {found} bytes of progress.bin, expected 1003104")]
    ProgressLength {
        /// The length.
        found: u64,
    },
    /// A compressed block is malformed.
    #[error("byte {at}: {fault}")]
    Block {
        /// The place of the fault.
        at: u64,
        /// The fault.
        #[source]
        fault: BlockFault,
    },
    /// The bytes of the file are not those that were written.
    #[error(
        "byte {at}: found checksum {found:#010X}, expected {computed:#010X}: the file is damaged"
    )]
    Checksum {
        /// The place of the checksum.
        at: u64,
        /// The checksum in the file.
        found: u32,
        /// The checksum of the bytes before.
        computed: u32,
    },
    /// A number of a compact network is beyond what can be evaluated.
    #[error("byte {at}: found {found} {what}, expected {expected}")]
    Unsupported {
        /// The place of the number.
        at: u64,
        /// The meaning of the number.
        what: &'static str,
        /// The number.
        found: i64,
        /// The numbers that are possible.
        expected: &'static str,
    },
    /// Sums of the weights could exceed their range.
    #[error("byte {at}: the weights of {section} could overflow a sum, expected smaller ones")]
    Overflow {
        /// The place of the weights.
        at: u64,
        /// The part of the file that the weights belong to.
        section: &'static str,
    },
    /// A hash inside the file is not that of the architecture.
    #[error("byte {at}: found hash {found:#010X} of {section}, expected {expected:#010X}")]
    Hash {
        /// The place of the hash.
        at: u64,
        /// The part of the file that the hash belongs to.
        section: &'static str,
        /// The hash in the file.
        found: u32,
        /// The hash of the architecture.
        expected: u32,
    },
}
