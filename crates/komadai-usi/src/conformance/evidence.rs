//! Evidence of what an engine does.

use std::time::Duration;

use komadai_core::Language;

use crate::words::shorten;

/// The words for what a check has found, in two languages.
///
/// # Examples
///
/// ```
/// use komadai_core::Language;
/// use komadai_usi::conformance::Evidence;
///
/// let found = Evidence::new("no answer", "返答なし");
/// assert_eq!(found.text(Language::Japanese), "返答なし");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    english: String,
    japanese: String,
}

impl Evidence {
    /// Returns evidence with these texts.
    pub fn new(english: impl Into<String>, japanese: impl Into<String>) -> Self {
        Self { english: english.into(), japanese: japanese.into() }
    }

    /// The text in a language.
    pub fn text(&self, language: Language) -> &str {
        language.choose(&self.english, &self.japanese)
    }

    /// Returns a line of the engine.
    pub(super) fn line(line: &str) -> Self {
        let line = shorten(line);
        Self { english: line.clone(), japanese: line }
    }

    /// Returns a line of the engine with what is wrong about it.
    pub(super) fn fault(line: &str, english: &str, japanese: &str) -> Self {
        let line = shorten(line);
        Self::new(format!("{line}: {english}"), format!("{line}：{japanese}"))
    }

    /// Returns the same evidence with words of the engine behind it.
    pub(super) fn with(&self, said: &str) -> Self {
        let said = shorten(said);
        Self::new(format!("{}; {said}", self.english), format!("{}；{said}", self.japanese))
    }

    /// Returns that an answer has not come.
    pub(super) fn silence(waited: Duration) -> Self {
        let waited = waited.as_millis();
        Self::new(format!("no answer within {waited} ms"), format!("{waited} ミリ秒以内に返答なし"))
    }

    /// Returns the time that something has taken.
    pub(super) fn took(time: Duration) -> Self {
        let time = time.as_millis();
        Self::new(format!("after {time} ms"), format!("{time} ミリ秒"))
    }

    /// Returns a number of things that were looked at.
    pub(super) fn count(number: u64, english: &str, japanese: &str) -> Self {
        Self::new(format!("{number} {english}"), format!("{japanese} {number}"))
    }
}
