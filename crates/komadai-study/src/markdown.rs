//! A page in Markdown.

use std::fmt::{self, Write as _};

use komadai::core::Language;
use komadai_base::text::markdown_cell;

use crate::claim::{Judged, Verdict};
use crate::page::{Block, Page, Table};
use crate::texts;
use crate::words::Words;

impl Page {
    /// Returns the page in Markdown.
    pub fn markdown(&self, language: Language) -> String {
        let mut text = String::new();
        // A string takes any text.
        let _ = self.write(&mut text, language);
        text
    }

    fn write(&self, out: &mut String, language: Language) -> fmt::Result {
        let plain = |words: &Words| words.in_language(language).to_owned();
        writeln!(out, "# {}\n", plain(&self.work.title))?;
        writeln!(out, "{}{}\n", plain(&texts::source()), plain(&self.work.reference))?;
        writeln!(out, "{}\n", plain(&self.work.summary))?;
        writeln!(out, "**{}**\n", self.summary(language))?;
        writeln!(out, "{}\n", plain(&self.setting))?;
        writeln!(out, "{}\n", plain(&texts::legend()))?;
        for section in &self.sections {
            writeln!(out, "## {}\n", plain(&section.title))?;
            for block in &section.blocks {
                match block {
                    Block::Text(text) => writeln!(out, "{}\n", plain(text))?,
                    Block::Table(table) => write_table(out, table, language)?,
                    Block::Claims(claims) => {
                        claims.iter().try_for_each(|claim| write_claim(out, claim, language))?;
                        writeln!(out)?;
                    }
                }
            }
        }
        writeln!(out, "---\n")?;
        let (made, command, version) = (texts::made_by(), &self.command, &self.version);
        writeln!(
            out,
            "{}",
            plain(&made).replace("{command}", command).replace("{version}", version)
        )
    }
}

fn write_table(out: &mut String, table: &Table, language: Language) -> fmt::Result {
    let cell = |words: &Words| markdown_cell(words.in_language(language));
    let head: Vec<String> = table.head.iter().map(cell).collect();
    writeln!(out, "| {} |", head.join(" | "))?;
    writeln!(out, "|---|{}", "---:|".repeat(head.len().saturating_sub(1)))?;
    for row in &table.rows {
        let cells: Vec<String> = row.iter().map(|one| cell(&one.text)).collect();
        writeln!(out, "| {} |", cells.join(" | "))?;
    }
    writeln!(out)
}

fn write_claim(out: &mut String, judged: &Judged, language: Language) -> fmt::Result {
    let plain = |words: &Words| words.in_language(language).to_owned();
    let verdict = plain(&judged.verdict.words());
    let (text, place) = (plain(&judged.claim.text), plain(&judged.claim.place));
    match language {
        Language::English => writeln!(out, "- **{verdict}**: {text} ({place}).")?,
        Language::Japanese => writeln!(out, "- **{verdict}**：{text}（{place}）。")?,
    }
    for number in judged.numbers(language) {
        writeln!(out, "  - {number}")?;
    }
    if let (Verdict::NotDecidedHere, Some(command)) = (judged.verdict, judged.claim.elsewhere) {
        writeln!(out, "  - {}", plain(&texts::decided_by()).replace("{command}", command))?;
    }
    match &judged.claim.remark {
        Some(remark) => writeln!(out, "  - {}", plain(remark)),
        None => Ok(()),
    }
}
