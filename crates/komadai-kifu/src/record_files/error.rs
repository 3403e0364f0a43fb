//! The error of reading records from files.

use std::io;

use crate::error::KifuError;

/// The reason why a file of records, or a part of it, cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordFileError {
    /// The file or folder cannot be opened.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The records have a fault.
    #[error(transparent)]
    Kifu(#[from] KifuError),
    /// The archive cannot be read.
    #[error("not a zip archive that can be read: {message}")]
    Archive {
        /// The fault in the words of the reader of archives.
        message: String,
    },
    /// The 7z archive cannot be read.
    #[error("not a 7z archive that can be read: {message}")]
    SevenZip {
        /// The fault.
        message: String,
    },
    /// The file is an archive of a kind that is not read.
    #[error("{kind}: unpack it first; of archives, .zip, .7z and .gz are read")]
    OtherArchive {
        /// The kind, such as `a tar archive`.
        kind: &'static str,
    },
    /// An entry of an archive is encrypted, or compressed in a way that is not read.
    #[error(
        "the entry is {found}, expected one that is stored, deflated, or in .7z of LZMA or LZMA2"
    )]
    Compression {
        /// The kind of the entry.
        found: String,
    },
    /// The entries of an archive are larger than the limit.
    #[error("the entries of the archive have more than {limit} bytes")]
    ArchiveTooLarge {
        /// The limit in bytes.
        limit: u64,
    },
}
