//! Texts in both languages of a page.

use std::borrow::Cow;

use komadai::core::Language;

/// A text in English and in Japanese.
///
/// # Examples
///
/// ```
/// use komadai::core::Language;
/// use komadai_study::Words;
///
/// let nodes = Words::new("nodes", "ノード数");
/// assert_eq!(nodes.in_language(Language::Japanese), "ノード数");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    english: Cow<'static, str>,
    japanese: Cow<'static, str>,
}

impl Words {
    /// Returns a text from both of its forms.
    pub fn new(
        english: impl Into<Cow<'static, str>>,
        japanese: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { english: english.into(), japanese: japanese.into() }
    }

    /// Returns a text that is the same in both languages: a number, a name, a formula.
    pub(crate) fn same(text: impl Into<Cow<'static, str>>) -> Self {
        let text = text.into();
        Self { english: text.clone(), japanese: text }
    }

    /// Returns the form of a language.
    pub fn in_language(&self, language: Language) -> &str {
        language.choose(&self.english, &self.japanese)
    }
}

/// Short for [`Words::new`], for tables of texts.
pub(crate) fn words(english: &'static str, japanese: &'static str) -> Words {
    Words::new(english, japanese)
}
