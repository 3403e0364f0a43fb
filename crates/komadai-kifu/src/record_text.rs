//! Records as text of any format.

use crate::csa::CsaWriteError;
use crate::csa::parse_csa;
use crate::error::KifuError;
#[cfg(feature = "jkf")]
use crate::jkf::{JkfWriteError, parse_jkf};
use crate::ki2::{Ki2WriteError, parse_ki2};
use crate::kif::{KifWriteError, parse_kif};
use crate::kifu_format::KifuFormat;
use crate::record::Record;
use crate::tolerance::{Loaded, Tolerance};
use crate::usen::parse_usen;
use crate::usi_games::parse_usi_games;

/// The reason why a record cannot be written in a format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordTextError {
    /// The record cannot be written as CSA.
    #[error(transparent)]
    Csa(#[from] CsaWriteError),
    /// The record cannot be written as KIF.
    #[error(transparent)]
    Kif(#[from] KifWriteError),
    /// The record cannot be written as KI2.
    #[error(transparent)]
    Ki2(#[from] Ki2WriteError),
    /// The record cannot be written as JKF.
    #[cfg(feature = "jkf")]
    #[error(transparent)]
    Jkf(#[from] JkfWriteError),
    /// The format needs a feature of the crate that is off.
    #[error("the format {format:?} needs a feature of komadai-kifu")]
    FeatureOff {
        /// The format.
        format: KifuFormat,
    },
}

impl Record {
    /// Returns the record as text of `format`, which ends with a line end. The functions for single formats have
    /// options.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_kifu::{KifuFormat, Tolerance, parse_records, parse_usi_games};
    ///
    /// let game = parse_usi_games("startpos moves 7g7f", Tolerance::Strict)?.records.remove(0);
    /// for format in [KifuFormat::Csa, KifuFormat::Kif, KifuFormat::Ki2, KifuFormat::Usi] {
    ///     let text = game.to_text(format)?;
    ///     let again = parse_records(text, format, Tolerance::Strict)?.records.remove(0);
    ///     assert_eq!(game.losses(&again), []);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the format has no words for the moves of a constructed record, or its feature is off.
    pub fn to_text(&self, format: KifuFormat) -> Result<String, RecordTextError> {
        Ok(match format {
            KifuFormat::Csa => self.to_csa()?,
            KifuFormat::Kif => self.to_kif()?,
            KifuFormat::Ki2 => self.to_ki2()?,
            KifuFormat::Usi => self.to_usi_line() + "\n",
            KifuFormat::Usen => self.to_usen() + "\n",
            #[cfg(feature = "jkf")]
            KifuFormat::Jkf => self.to_jkf()? + "\n",
            #[cfg(not(feature = "jkf"))]
            KifuFormat::Jkf => return Err(RecordTextError::FeatureOff { format }),
        })
    }
}

/// Reads all games of a text in memory, whose format is known.
///
/// # Errors
///
/// If `tolerance` is strict, the first fault. JKF without its feature is no game in USI, which is the error.
pub fn parse_records(
    text: impl AsRef<[u8]>,
    format: KifuFormat,
    tolerance: Tolerance,
) -> Result<Loaded, KifuError> {
    match format {
        KifuFormat::Csa => parse_csa(text, tolerance),
        KifuFormat::Kif => parse_kif(text, tolerance),
        KifuFormat::Ki2 => parse_ki2(text, tolerance),
        KifuFormat::Usen => parse_usen(text, tolerance),
        #[cfg(feature = "jkf")]
        KifuFormat::Jkf => parse_jkf(text, tolerance),
        _ => parse_usi_games(text, tolerance),
    }
}
