//! The language of a page and the names of moves on it.

use komadai_core::Language;
use komadai_kifu::Notation;

/// The language of a page about a book, the notation of its moves, and its footer.
///
/// # Examples
///
/// ```
/// use komadai_core::Language;
/// use komadai_kifu::Notation;
/// use komadai_report::book_page::PageLook;
///
/// let look = PageLook { notation: Notation::Usi, ..PageLook::new(Language::Japanese) };
/// assert_eq!(look.language, Language::Japanese);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageLook {
    /// The language. A Japanese page has kanji on its pieces, an English one letters.
    pub language: Language,
    /// The notation of moves.
    pub notation: Notation,
    /// The command that makes such a page, for its footer.
    pub command: String,
}

impl PageLook {
    /// The look of a language: the notation of Hodges in English.
    pub fn new(language: Language) -> Self {
        let notation = language.choose(Notation::Hodges, Notation::Japanese);
        Self { language, notation, command: "komadai book report BOOK --out PAGE".to_owned() }
    }
}
