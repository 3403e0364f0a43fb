//! The errors of linear evaluations and their files.

use std::io;

/// An error in the name of a group of features, or in a file of a linear evaluation.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LinearError {
    /// A group of features has another name.
    #[error(
        "found {found:?} as a group of features, expected p, kp, pp, kss or several joined by +"
    )]
    Group {
        /// The name.
        found: String,
    },
    /// The source or the destination failed.
    #[error("cannot read or write a linear evaluation")]
    Io(#[from] io::Error),
    /// The file begins differently.
    #[error("found {found:02x?} at the start, expected \"KMDLIN\" and a version")]
    Magic {
        /// The first bytes.
        found: [u8; 8],
    },
    /// The file is of another version.
    #[error("found version {found}, expected {expected}")]
    Version {
        /// The version.
        found: u16,
        /// The version that can be read.
        expected: u16,
    },
    /// The set of groups does not exist.
    #[error("found {found:#x} as groups of features, expected 0x1 to 0xf")]
    Groups {
        /// The bits.
        found: u32,
    },
    /// The number of weights is not that of the groups.
    #[error("found {found} weights, expected {expected}")]
    Length {
        /// The number in the file.
        found: u64,
        /// The number of the groups.
        expected: u64,
    },
    /// The checksum is another one.
    #[error("found checksum {found:08x}, expected {expected:08x}")]
    Checksum {
        /// The checksum of the bytes.
        found: u32,
        /// The checksum at the end of the file.
        expected: u32,
    },
    /// There are bytes after the end.
    #[error("found bytes after the checksum, expected the end")]
    Trailing,
}
