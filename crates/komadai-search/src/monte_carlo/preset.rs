//! The presets of the tree search, by name.

use core::fmt;
use core::str::FromStr;

use super::options::MonteCarloOptions;

/// A preset of [`MonteCarloOptions`].
///
/// [`Display`](fmt::Display) and [`FromStr`] use the names of the USI option `TreePreset`; reading
/// ignores case.
///
/// # Examples
///
/// ```
/// use komadai_search::monte_carlo::{MonteCarloOptions, TreePreset};
///
/// let preset: TreePreset = "ym2012".parse()?;
/// assert_eq!(preset.to_string(), "Ym2012");
/// assert_eq!(preset.options(), MonteCarloOptions::ym2012());
/// assert_eq!(TreePreset::PlainUct.options(), MonteCarloOptions::plain_uct());
/// let error = "ym2013".parse::<TreePreset>().unwrap_err();
/// assert_eq!(error.to_string(), "found tree preset \"ym2013\", expected Modern, Ym2012 or PlainUct");
/// # Ok::<(), komadai_search::monte_carlo::UnknownTreePreset>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum TreePreset {
    /// [`MonteCarloOptions::modern`].
    #[default]
    Modern,
    /// [`MonteCarloOptions::ym2012`].
    Ym2012,
    /// [`MonteCarloOptions::plain_uct`].
    PlainUct,
}

impl TreePreset {
    /// All presets.
    pub const ALL: [Self; 3] = [Self::Modern, Self::Ym2012, Self::PlainUct];

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Modern => "Modern",
            Self::Ym2012 => "Ym2012",
            Self::PlainUct => "PlainUct",
        }
    }

    /// Returns the settings.
    #[must_use]
    pub fn options(self) -> MonteCarloOptions {
        match self {
            Self::Modern => MonteCarloOptions::modern(),
            Self::Ym2012 => MonteCarloOptions::ym2012(),
            Self::PlainUct => MonteCarloOptions::plain_uct(),
        }
    }
}

impl fmt::Display for TreePreset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An error in the name of a preset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found tree preset {found:?}, expected Modern, Ym2012 or PlainUct")]
pub struct UnknownTreePreset {
    /// The beginning of the text.
    pub found: String,
}

impl FromStr for TreePreset {
    type Err = UnknownTreePreset;

    fn from_str(text: &str) -> Result<Self, UnknownTreePreset> {
        let preset = Self::ALL.into_iter().find(|preset| preset.name().eq_ignore_ascii_case(text));
        preset.ok_or_else(|| UnknownTreePreset { found: text.chars().take(32).collect() })
    }
}
