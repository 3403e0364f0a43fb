//! The bytes of a 7z archive that are compressed together.

use std::fs::File;
use std::io::{BufReader, Read};

use lzma_rust2::{Lzma2Reader, LzmaReader};

use crate::record_files::error::RecordFileError;

/// Bytes that are compressed together.
#[derive(Debug, Clone)]
pub(super) struct Folder {
    /// The place of the compressed bytes in the file, and their number.
    pub(super) offset: u64,
    pub(super) packed: u64,
    /// Number of bytes after decompression.
    pub(super) size: u64,
    pub(super) method: Method,
}

/// The compression of a folder.
#[derive(Debug, Clone, Copy)]
pub(super) enum Method {
    Copy,
    Lzma { properties: u8, dictionary: u32 },
    Lzma2 { dictionary: u64 },
}

/// The largest dictionary, 256 MiB: what archives made with the strongest usual setting need.
const MOST_DICTIONARY: u64 = 1 << 28;

/// Returns the decompressed bytes of a folder whose first byte is the next one of the file.
pub(super) fn decoder(
    file: File,
    folder: &Folder,
) -> Result<Box<dyn Read + Send>, RecordFileError> {
    let packed = BufReader::new(file.take(folder.packed));
    let dictionary = |stated: u64| {
        // Nothing is further back than the start.
        let needed = stated.min(folder.size.max(4_096));
        u32::try_from(needed).ok().filter(|_| needed <= MOST_DICTIONARY).ok_or_else(|| {
            RecordFileError::Compression {
                found: format!("compressed with a dictionary of {stated} bytes"),
            }
        })
    };
    Ok(match folder.method {
        Method::Copy => Box::new(packed),
        Method::Lzma { properties, dictionary: stated } => {
            let dictionary = dictionary(u64::from(stated))?;
            let reader =
                LzmaReader::new_with_props(packed, folder.size, properties, dictionary, None);
            Box::new(reader.map_err(|error| damaged(&error.to_string()))?)
        }
        Method::Lzma2 { dictionary: stated } => {
            Box::new(Lzma2Reader::new(packed, dictionary(stated)?, None))
        }
    })
}

/// Returns the error of a damaged archive.
pub(super) fn damaged(message: &str) -> RecordFileError {
    RecordFileError::SevenZip { message: message.to_owned() }
}
