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
/// assert_eq!(TrainingFormat::Psv.record_bytes(), 40);
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
}

impl TrainingFormat {
    /// All formats.
    pub(super) const ALL: [Self; 3] = [Self::Psv, Self::Hcpe, Self::AperyRust];

    /// The number of bytes of a record.
    #[must_use]
    pub const fn record_bytes(self) -> usize {
        match self {
            Self::Psv => 40,
            Self::Hcpe => 38,
            Self::AperyRust => 42,
        }
    }
}

/// The name of the format, with the length of its records.
impl fmt::Display for TrainingFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Psv => "PSV",
            Self::Hcpe => "HCPE",
            Self::AperyRust => "HuffmanCodedPositionAndEval of apery_rust",
        };
        write!(f, "{name} (records of {} bytes)", self.record_bytes())
    }
}
