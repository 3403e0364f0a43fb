//! The formats of training records.

use std::fmt;

/// The formats of training records that can be told from each other. Recognition is
/// [`detect`](Self::detect).
///
/// # Examples
///
/// ```
/// use komadai_data::records::TrainingFormat;
///
/// assert_eq!(TrainingFormat::Psv.record_bytes(), Some(40));
/// assert_eq!(TrainingFormat::Hcpe3.record_bytes(), None);
/// assert!(TrainingFormat::Hcpe3.has_games());
/// assert_eq!(TrainingFormat::Hcpe.to_string(), "HCPE (records of 38 bytes)");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TrainingFormat {
    /// PSV, the PackedSfenValue of YaneuraOu.
    Psv,
    /// HCPE, the HuffmanCodedPosAndEval of Apery, cshogi and dlshogi.
    Hcpe,
    /// The HuffmanCodedPositionAndEval of apery_rust, which is not HCPE. It is recognised, but not
    /// read.
    AperyRust,
    /// HCPE3 of dlshogi: games with the candidates of every position.
    Hcpe3,
    /// The `.pack` of GenSfen: games with a score for every move.
    Pack,
    /// The sbinpack 2 of rsshogi: games with a score for every move.
    Sbinpack,
}

impl TrainingFormat {
    /// The formats of records of a fixed length.
    pub(super) const FIXED: [Self; 3] = [Self::Psv, Self::Hcpe, Self::AperyRust];

    /// Number of bytes at the start of a file by which its format is recognised.
    pub const START_BYTES: u64 = 1 << 14;

    /// The number of bytes of a record; `None` for a format of games, whose length varies.
    #[must_use]
    pub const fn record_bytes(self) -> Option<usize> {
        match self {
            Self::Psv => Some(40),
            Self::Hcpe => Some(38),
            Self::AperyRust => Some(42),
            Self::Hcpe3 | Self::Pack | Self::Sbinpack => None,
        }
    }

    /// Returns whether a file of the format has whole games, so that positions follow from moves.
    #[must_use]
    pub const fn has_games(self) -> bool {
        self.record_bytes().is_none()
    }
}

/// The name of the format, with the length of its records.
impl fmt::Display for TrainingFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Psv => "PSV",
            Self::Hcpe => "HCPE",
            Self::AperyRust => "HuffmanCodedPositionAndEval of apery_rust",
            Self::Hcpe3 => "HCPE3",
            Self::Pack => ".pack",
            Self::Sbinpack => "sbinpack",
        })?;
        match self.record_bytes() {
            Some(bytes) => write!(f, " (records of {bytes} bytes)"),
            None => f.write_str(" (games)"),
        }
    }
}
