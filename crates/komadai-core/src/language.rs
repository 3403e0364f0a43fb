//! The language of texts for people.

/// The language of names, pages and graphs.
///
/// # Examples
///
/// ```
/// use komadai_core::Language;
///
/// assert_eq!(Language::Japanese.choose("resigns", "投了"), "投了");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    /// English, with pieces and squares as in USI: `+R 2h`.
    #[default]
    English,
    /// Japanese: `龍 ２八`.
    Japanese,
}

impl Language {
    /// Returns the text in this language.
    #[must_use]
    pub fn choose<T>(self, english: T, japanese: T) -> T {
        match self {
            Self::English => english,
            Self::Japanese => japanese,
        }
    }
}
