//! The errors of linear evaluations and their files.

use std::io;

/// An error in the name of a group of features, or in a file of a linear evaluation.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LinearError {
    /// A group of features has another name.
    #[error(
        "found {found:?} as a group of features, expected p, kp, pp, kss, v or several joined by +"
    )]
    Group {
        /// The name.
        found: String,
    },
    /// The source or the destination failed.
    #[error("cannot read or write a linear evaluation")]
    Io(#[from] io::Error),
    /// The file begins differently.
    #[error("byte 0: found {found:02x?}, expected \"KMDLIN\" and a version")]
    Magic {
        /// The first bytes.
        found: [u8; 8],
    },
    /// The file is of another version.
    #[error("byte 6: found version {found}, expected {expected}")]
    Version {
        /// The version.
        found: u16,
        /// The version that can be read.
        expected: u16,
    },
    /// The set of groups does not exist.
    #[error("byte 8: found {found:#x} as groups of features, expected 0x1 to 0x1f")]
    Groups {
        /// The bits.
        found: u32,
    },
    /// The number of weights is not that of the groups.
    #[error("byte 12: found {found} weights, expected {expected}")]
    Length {
        /// The number in the file.
        found: u64,
        /// The number of the groups.
        expected: u64,
    },
    /// The checksum is another one.
    #[error("byte {at}: found checksum {expected:08x}, expected {found:08x} by the bytes before")]
    Checksum {
        /// The place of the checksum.
        at: u64,
        /// The checksum of the bytes.
        found: u32,
        /// The checksum at the end of the file.
        expected: u32,
    },
    /// The file ends early.
    #[error("byte {found}: found the end of the file, expected {expected} bytes")]
    Cut {
        /// The length of the file.
        found: u64,
        /// The length of a whole file, or of its head if that is not complete.
        expected: u64,
    },
    /// There are bytes after the end.
    #[error("byte {at}: found bytes after the checksum, expected the end of the file")]
    Trailing {
        /// The place of the first of them.
        at: u64,
    },
}
