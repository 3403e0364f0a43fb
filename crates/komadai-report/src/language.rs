//! The language of texts.

/// The language of the texts of a graph or a page.
///
/// # Examples
///
/// ```
/// use komadai_report::{EvaluationGraph, Language};
///
/// let graph = EvaluationGraph::new([]).language(Language::Japanese);
/// assert!(graph.to_string().contains("評価値なし"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Japanese.
    Japanese,
}

impl Language {
    /// Returns the text in this language.
    pub(crate) fn choose<T>(self, english: T, japanese: T) -> T {
        match self {
            Self::English => english,
            Self::Japanese => japanese,
        }
    }
}
