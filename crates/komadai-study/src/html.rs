//! A page in HTML: one file that needs no network and no script.

use std::fmt::{self, Write as _};

use komadai::core::Language;
use komadai_base::text::printable;

use crate::claim::{Judged, Verdict};
use crate::page::{Block, Owner, Page, Table};
use crate::texts;
use crate::words::Words;

impl Page {
    /// Returns the page in HTML.
    pub fn html(&self, language: Language) -> String {
        let mut text = String::new();
        // A string takes any text.
        let _ = self.write_html(&mut text, language);
        text
    }

    fn write_html(&self, out: &mut String, language: Language) -> fmt::Result {
        let plain = |words: &Words| inline(words.in_language(language));
        let title = plain(&self.work.title);
        writeln!(out, "<!doctype html>\n<html lang=\"{}\">", language.choose("en", "ja"))?;
        writeln!(out, "<head>\n<meta charset=\"utf-8\">")?;
        writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
        writeln!(
            out,
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;; \
             style-src &#39;unsafe-inline&#39;\">"
        )?;
        let name = escaped(self.work.title.in_language(language));
        let summary = escaped(&self.summary(language));
        writeln!(out, "<title>{name}</title>")?;
        for (kind, key, content) in [
            ("name", "description", &summary),
            ("property", "og:title", &name),
            ("property", "og:description", &summary),
            ("property", "og:type", &"article".to_owned()),
        ] {
            writeln!(out, "<meta {kind}=\"{key}\" content=\"{content}\">")?;
        }
        writeln!(out, "<style>{}</style>\n</head>", include_str!("style.css"))?;
        writeln!(out, "<body>\n<header>\n<h1>{title}</h1>")?;
        let (source, reference) = (plain(&texts::source()), plain(&self.work.reference));
        writeln!(out, "<p class=\"reference\">{source}{reference}</p>")?;
        writeln!(out, "<p>{}</p>", plain(&self.work.summary))?;
        writeln!(out, "<ul class=\"verdicts\">")?;
        for (verdict, count) in self.verdicts() {
            let (class, words) = (verdict.name(), plain(&verdict.words()));
            writeln!(out, "<li class=\"{class}\">{words} {count}</li>")?;
        }
        writeln!(out, "</ul>\n<p class=\"setting\">{}</p>", plain(&self.setting))?;
        writeln!(out, "<p class=\"legend\">{}</p>\n</header>\n<main>", plain(&texts::legend()))?;
        for section in &self.sections {
            writeln!(out, "<section>\n<h2>{}</h2>", plain(&section.title))?;
            for block in &section.blocks {
                match block {
                    Block::Text(text) => writeln!(out, "<p>{}</p>", plain(text))?,
                    Block::Table(table) => write_table(out, table, language)?,
                    Block::Claims(claims) => {
                        writeln!(out, "<ul class=\"claims\">")?;
                        claims.iter().try_for_each(|claim| write_claim(out, claim, language))?;
                        writeln!(out, "</ul>")?;
                    }
                }
            }
            writeln!(out, "</section>")?;
        }
        let made = texts::made_by().in_language(language).replace("{version}", &self.version);
        let made = inline(&made.replace("{command}", &self.command));
        writeln!(out, "</main>\n<footer><p>{made}</p></footer>\n</body>\n</html>")
    }
}

/// Returns a text without markup, for elements and attributes.
fn escaped(text: &str) -> String {
    let of = |c| match c {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '"' => "&quot;".to_owned(),
        other => other.to_string(),
    };
    printable(text).chars().map(of).collect()
}

/// Returns a text between tags: escaped, with the code and the emphasis of Markdown.
fn inline(text: &str) -> String {
    let parts = text.split('`').enumerate().map(|(index, part)| {
        let part = escaped(part);
        if index % 2 == 1 { format!("<code>{part}</code>") } else { emphasised(&part) }
    });
    parts.collect()
}

/// Replaces `*a*` by an element. A single star stays.
fn emphasised(text: &str) -> String {
    let parts: Vec<&str> = text.split('*').collect();
    if parts.len().is_multiple_of(2) {
        return text.to_owned();
    }
    let part = |(index, part): (usize, &&str)| {
        if index % 2 == 1 { format!("<em>{part}</em>") } else { (*part).to_owned() }
    };
    parts.iter().enumerate().map(part).collect()
}

fn write_table(out: &mut String, table: &Table, language: Language) -> fmt::Result {
    writeln!(out, "<div class=\"scroll\" tabindex=\"0\">\n<table>\n<thead><tr>")?;
    for words in &table.head {
        write!(out, "<th scope=\"col\">{}</th>", inline(words.in_language(language)))?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")?;
    for row in &table.rows {
        write!(out, "<tr>")?;
        for (index, cell) in row.iter().enumerate() {
            let text = inline(cell.text.in_language(language));
            match (index, cell.owner) {
                (0, _) => write!(out, "<th scope=\"row\">{text}</th>")?,
                (_, Owner::Neither) => write!(out, "<td>{text}</td>")?,
                (_, Owner::Ours) => write!(out, "<td class=\"ours\">{text}</td>")?,
                (_, Owner::Theirs) => write!(out, "<td class=\"theirs\">{text}</td>")?,
            }
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody>\n</table>\n</div>")
}

fn write_claim(out: &mut String, judged: &Judged, language: Language) -> fmt::Result {
    let plain = |words: &Words| inline(words.in_language(language));
    let (class, verdict) = (judged.verdict.name(), plain(&judged.verdict.words()));
    let (text, place) = (plain(&judged.claim.text), plain(&judged.claim.place));
    writeln!(
        out,
        "<li class=\"{class}\">\n<p><b class=\"{class}\">{verdict}</b> {text} \
         <span class=\"place\">{place}</span></p>"
    )?;
    let numbers = judged.numbers(language);
    if !numbers.is_empty() {
        writeln!(out, "<ul class=\"numbers\">")?;
        for number in numbers {
            writeln!(out, "<li>{}</li>", inline(&number))?;
        }
        writeln!(out, "</ul>")?;
    }
    if let (Verdict::NotDecidedHere, Some(command)) = (judged.verdict, judged.claim.elsewhere) {
        let text = texts::decided_by().in_language(language).replace("{command}", command);
        writeln!(out, "<p class=\"elsewhere\">{}</p>", inline(&text))?;
    }
    if let Some(remark) = &judged.claim.remark {
        writeln!(out, "<p class=\"remark\">{}</p>", plain(remark))?;
    }
    writeln!(out, "</li>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_code_is_marked() {
        assert_eq!(inline("a < `b & c` *d*"), "a &lt; <code>b &amp; c</code> <em>d</em>");
        assert_eq!(inline("5 * 3 <script>"), "5 * 3 &lt;script&gt;");
    }
}
