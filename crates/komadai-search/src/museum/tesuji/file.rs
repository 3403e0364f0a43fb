//! Files of tesuji tables.
//!
//! ```text
//! komadai-tesuji 1 2 8d3b0c11      name, version, number of sequences, CRC-32 of all that follows
//! # comment
//! PxP SxP@0,0                      a sequence a line, as in `TesujiTable::from_text`
//! PxP GxP@0,0 # 53 16 356
//! ```

use super::{TesujiError, TesujiTable};

const NAME: &str = "komadai-tesuji";
const VERSION: u32 = 1;

/// A file that is not a valid table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TesujiFileError {
    /// The file does not begin with the line that names its format.
    #[error("line 1: found {found:?}, expected `{NAME} {VERSION} SEQUENCES CRC32`")]
    Header {
        /// The beginning of the first line.
        found: String,
    },
    /// The file has another version.
    #[error("line 1: found version {found}, expected {VERSION}")]
    Version {
        /// The version of the file.
        found: u32,
    },
    /// The content is not that for which the first line was written: the file is damaged or cut.
    #[error("from line 2: found the checksum {found:08x}, expected {expected:08x}")]
    Checksum {
        /// The checksum of the content.
        found: u32,
        /// The checksum in the first line.
        expected: u32,
    },
    /// The number of sequences is not that of the first line.
    #[error("found {found} sequences, expected {expected}")]
    Count {
        /// The number of different sequences.
        found: usize,
        /// The number in the first line.
        expected: usize,
    },
    /// A byte is not UTF-8.
    #[error("byte {at}: not UTF-8")]
    Encoding {
        /// The offset of the byte.
        at: usize,
    },
    /// A line is not a sequence.
    #[error(transparent)]
    Line(#[from] TesujiError),
}

impl TesujiTable {
    /// Longest file that is read, in bytes: some thirty thousand sequences.
    pub const MAX_FILE_BYTES: u64 = 1 << 20;

    /// Reads the content of a file.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_search::{TesujiFileError, TesujiTable};
    ///
    /// let file = TesujiTable::file_of("PxP SxP@0,0\n")?;
    /// assert_eq!(TesujiTable::read(file.as_bytes())?.len(), 1);
    /// let cut = &file[..file.len() - 2];
    /// let error = TesujiTable::read(cut.as_bytes()).expect_err("it is cut");
    /// assert!(matches!(error, TesujiFileError::Checksum { .. }));
    /// # Ok::<(), TesujiFileError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are no such file of this version.
    pub fn read(bytes: &[u8]) -> Result<Self, TesujiFileError> {
        let text = str::from_utf8(bytes)
            .map_err(|error| TesujiFileError::Encoding { at: error.valid_up_to() })?;
        let (first, content) = text.split_once('\n').unwrap_or((text, ""));
        let header = Header::read(first.trim_end_matches('\r'))?;
        let found = crc32fast::hash(content.as_bytes());
        if found != header.checksum {
            return Err(TesujiFileError::Checksum { found, expected: header.checksum });
        }
        let table = Self::from_lines(content, 2)?;
        let (found, expected) = (table.len(), header.sequences);
        if found != expected {
            return Err(TesujiFileError::Count { found, expected });
        }
        Ok(table)
    }

    /// Returns the file with these lines, which [`from_text`](Self::from_text) accepts.
    ///
    /// # Errors
    ///
    /// Returns an error if a line is neither empty nor a sequence.
    pub fn file_of(lines: &str) -> Result<String, TesujiFileError> {
        let (count, checksum) = (Self::from_text(lines)?.len(), crc32fast::hash(lines.as_bytes()));
        Ok(format!("{NAME} {VERSION} {count} {checksum:08x}\n{lines}"))
    }
}

/// The first line.
struct Header {
    sequences: usize,
    checksum: u32,
}

impl Header {
    fn read(line: &str) -> Result<Self, TesujiFileError> {
        let wrong = || TesujiFileError::Header { found: line.chars().take(60).collect() };
        let words: Vec<&str> = line.split(' ').collect();
        let [NAME, version, rest @ ..] = &words[..] else { return Err(wrong()) };
        let version = version.parse().map_err(|_| wrong())?;
        if version != VERSION {
            return Err(TesujiFileError::Version { found: version });
        }
        let [sequences, checksum] = rest else { return Err(wrong()) };
        let sequences = sequences.parse().map_err(|_| wrong())?;
        let checksum = u32::from_str_radix(checksum, 16).map_err(|_| wrong())?;
        Ok(Self { sequences, checksum })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::museum::tesuji::descriptor::DescriptorError;

    const LINES: &str = "# taking back\nPxP SxP@0,0\nPxP GxP@0,0 # 53\n";

    fn read(text: &str) -> Result<TesujiTable, TesujiFileError> {
        TesujiTable::read(text.as_bytes())
    }

    /// The file of lines that are not checked.
    fn file(count: usize, lines: &str) -> String {
        format!("{NAME} {VERSION} {count} {:08x}\n{lines}", crc32fast::hash(lines.as_bytes()))
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let written = TesujiTable::file_of(LINES).unwrap();
        assert!(written.starts_with("komadai-tesuji 1 2 "), "{written}");
        assert_eq!(read(&written), Ok(TesujiTable::from_text(LINES).unwrap()));
        let bundled = include_str!("tesuji.txt");
        let written = TesujiTable::file_of(bundled).unwrap();
        assert_eq!(read(&written).as_ref(), Ok(TesujiTable::bundled()));
        assert!((written.len() as u64) < TesujiTable::MAX_FILE_BYTES);
    }

    #[test]
    fn damage_has_its_place() {
        let good = TesujiTable::file_of(LINES).unwrap();
        for end in 0..good.len() {
            assert!(read(&good[..end]).is_err(), "cut at {end}");
        }
        for at in 0..good.len() {
            let mut bytes = good.clone().into_bytes();
            bytes[at] ^= 1;
            // A digit of the checksum may change its case only.
            let error = TesujiTable::read(&bytes);
            assert!(error.is_err(), "byte {at}: {}", String::from_utf8_lossy(&bytes));
        }
        for first in ["", "komadai", "komadai-tesuji", "komadai-tesuji 1 2", "komadai-tesuji 1 x 0"]
        {
            let expected = TesujiFileError::Header { found: first.to_owned() };
            assert_eq!(read(&format!("{first}\n{LINES}")), Err(expected));
        }
        let later = good.replacen(" 1 ", " 2 ", 1);
        assert_eq!(read(&later), Err(TesujiFileError::Version { found: 2 }));
        let many = read(&file(3, LINES));
        assert_eq!(many, Err(TesujiFileError::Count { found: 2, expected: 3 }));
        let error = DescriptorError { found: "Q".to_owned() };
        let line = TesujiFileError::Line(TesujiError::Move { line: 3, error });
        assert_eq!(read(&file(1, "\nP* Q\n")), Err(line));
        let foreign = TesujiTable::read(b"komadai-tesuji 1 \xff");
        assert_eq!(foreign, Err(TesujiFileError::Encoding { at: 17 }));
        assert!(TesujiTable::file_of("P* Q").is_err());
    }
}
