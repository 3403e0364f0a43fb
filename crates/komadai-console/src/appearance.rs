//! The language and the notation of an output.

use clap::{Args, ValueEnum};
use komadai::core::Language;
use komadai::kifu::Notation;

/// The arguments that choose the language and the notation of moves; the same for all commands.
///
/// # Examples
///
/// ```
/// use clap::Parser;
/// use komadai::core::Language;
/// use komadai::kifu::Notation;
/// use komadai_console::Appearance;
///
/// #[derive(Parser)]
/// struct Arguments {
///     #[command(flatten)]
///     appearance: Appearance,
/// }
///
/// let Arguments { appearance } = Arguments::parse_from(["program", "--lang", "ja"]);
/// assert_eq!(appearance.language(), Language::Japanese);
/// assert_eq!(appearance.notation(), Notation::Japanese);
/// let Arguments { appearance } = Arguments::parse_from(["program", "--notation", "latin"]);
/// assert_eq!(appearance.notation(), Notation::Hodges);
/// ```
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct Appearance {
    #[command(flatten)]
    language: LanguageArgs,
    /// Notation of moves: usi, japanese (▲７六歩), kif (▲７六歩(77)), hodges (P-7f, also called latin),
    /// hosking (P76) or csa; by default that of the language, hodges or japanese.
    #[arg(long)]
    notation: Option<Notation>,
}

/// The argument that chooses the language of an output without names of moves.
///
/// # Examples
///
/// ```
/// use clap::Parser;
/// use komadai::core::Language;
/// use komadai_console::LanguageArgs;
///
/// #[derive(Parser)]
/// struct Arguments {
///     #[command(flatten)]
///     language: LanguageArgs,
/// }
///
/// let arguments = Arguments::parse_from(["program", "--lang", "ja"]);
/// assert_eq!(arguments.language.language(), Language::Japanese);
/// ```
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct LanguageArgs {
    /// Language; by default that of the locale.
    #[arg(long, value_enum)]
    lang: Option<Lang>,
}

impl LanguageArgs {
    /// Returns the language: that of the argument, or that of the locale, which is English for all
    /// locales but Japanese ones.
    pub fn language(&self) -> Language {
        self.given().unwrap_or_else(of_locale)
    }

    /// Returns the language that the argument names.
    pub fn given(&self) -> Option<Language> {
        match self.lang {
            Some(Lang::En) => Some(Language::English),
            Some(Lang::Ja) => Some(Language::Japanese),
            None => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Lang {
    /// English.
    En,
    /// Japanese.
    Ja,
}

impl Appearance {
    /// Returns the language: that of the arguments, or that of the locale, which is English for all
    /// locales but Japanese ones.
    pub fn language(&self) -> Language {
        self.language.language()
    }

    /// Returns the notation of moves.
    pub fn notation(&self) -> Notation {
        let of_language = || self.language().choose(Notation::Hodges, Notation::Japanese);
        self.notation.unwrap_or_else(of_language)
    }

    /// Returns the notation of moves in JSON: USI, unless the arguments name another, because
    /// programs do not follow the locale.
    pub fn notation_if(&self, is_json: bool) -> Notation {
        if is_json { self.notation.unwrap_or(Notation::Usi) } else { self.notation() }
    }

    /// Returns the notation of moves that the arguments name.
    pub fn named_notation(&self) -> Option<Notation> {
        self.notation
    }

    /// Returns the language that the arguments name.
    pub fn given_language(&self) -> Option<Language> {
        self.language.given()
    }
}

/// Returns the language of the locale.
fn of_locale() -> Language {
    let variables = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter();
    let mut values = variables.filter_map(|name| std::env::var(name).ok());
    match values.find(|value| !value.is_empty()) {
        Some(locale) if locale.starts_with("ja") => Language::Japanese,
        _ => Language::English,
    }
}
