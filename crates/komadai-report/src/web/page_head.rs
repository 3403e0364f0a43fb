//! The head of a page, and its footer.

use core::fmt;

use komadai_core::Language;

use crate::text::Escaped;

/// The beginning of a page up to the start tag of its body. Texts are escaped here.
pub(crate) struct PageHead<'a> {
    pub(crate) language: Language,
    pub(crate) title: &'a str,
    /// A sentence for those who see a link to the page.
    pub(crate) description: &'a str,
    /// The style sheet.
    pub(crate) style: &'a str,
    /// The SHA-256 of the only script in base 64; `None` for a page without scripts.
    pub(crate) script_hash: Option<&'a str>,
}

impl fmt::Display for PageHead<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lang = self.language.choose("en", "ja");
        writeln!(f, "<!doctype html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">")?;
        let viewport = "width=device-width, initial-scale=1";
        writeln!(f, "<meta name=\"viewport\" content=\"{viewport}\">")?;
        // Nothing is loaded from elsewhere, and no other script runs.
        let policy = "default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;";
        write!(f, "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}")?;
        if let Some(hash) = self.script_hash {
            write!(f, "; script-src &#39;sha256-{hash}&#39;")?;
        }
        writeln!(f, "\">\n<title>{}</title>", Escaped(self.title))?;
        for (kind, name, content) in [
            ("name", "description", self.description),
            ("property", "og:title", self.title),
            ("property", "og:description", self.description),
            ("property", "og:type", "article"),
        ] {
            writeln!(f, "<meta {kind}=\"{name}\" content=\"{}\">", Escaped(content))?;
        }
        writeln!(f, "<style>\n{}</style>\n</head>\n<body>", self.style)
    }
}

/// Returns the footer of a page: the version, and the command that makes such a page.
pub(crate) fn footer(language: Language, command: &str) -> String {
    let made = language.choose("Made with komadai", "komadai で作成：");
    let version = env!("CARGO_PKG_VERSION");
    format!("<footer>{made} {version}: <code>{}</code></footer>\n", Escaped(command))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_the_head_are_escaped() {
        let (title, description) = ("<a> & \"b\"", "c > d");
        let head = PageHead {
            language: Language::Japanese,
            title,
            description,
            style: "p{}",
            script_hash: None,
        };
        let without = head.to_string();
        assert!(without.contains("<title>&lt;a&gt; &amp; &quot;b&quot;</title>"));
        assert!(without.contains("<meta property=\"og:description\" content=\"c &gt; d\">"));
        assert!(without.contains("lang=\"ja\"") && !without.contains("script-src"));
        let with = PageHead { script_hash: Some("abc="), ..head }.to_string();
        assert!(with.contains("script-src &#39;sha256-abc=&#39;"));
        assert!(footer(Language::English, "a <b>").contains("<code>a &lt;b&gt;</code>"));
    }
}
