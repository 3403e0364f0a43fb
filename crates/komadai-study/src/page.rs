//! The content of a page, apart from its form.

use komadai::core::Language;

use crate::claim::{Claim, Judged, Verdict};
use crate::figure::{Figure, number_text};
use crate::findings::Findings;
use crate::words::Words;

/// A source document: the heading of its page.
#[derive(Debug, Clone)]
pub(crate) struct Work {
    pub(crate) title: Words,
    /// Author, title in its own language, place and year.
    pub(crate) reference: Words,
    /// Its proposal in a few sentences.
    pub(crate) summary: Words,
}

/// A page about one source: its tables and claims beside ours.
#[derive(Debug, Clone)]
pub struct Page {
    pub(crate) source: String,
    pub(crate) work: Work,
    /// The setting of our measurements.
    pub(crate) setting: Words,
    pub(crate) sections: Vec<Section>,
    pub(crate) command: String,
    pub(crate) version: String,
}

#[derive(Debug, Clone)]
pub(crate) struct Section {
    pub(crate) title: Words,
    pub(crate) blocks: Vec<Block>,
}

#[derive(Debug, Clone)]
pub(crate) enum Block {
    Text(Words),
    Table(Table),
    Claims(Vec<Judged>),
}

#[derive(Debug, Clone)]
pub(crate) struct Table {
    pub(crate) head: Vec<Words>,
    pub(crate) rows: Vec<Vec<Cell>>,
}

/// The owner of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    /// A label.
    Neither,
    Ours,
    Theirs,
}

#[derive(Debug, Clone)]
pub(crate) struct Cell {
    pub(crate) text: Words,
    pub(crate) owner: Owner,
}

/// The mark of a number that does not exist.
const NONE: &str = "–";

impl Cell {
    pub(crate) fn label(text: Words) -> Self {
        Self { text, owner: Owner::Neither }
    }

    /// A number that was measured.
    pub(crate) fn ours(figure: Option<Figure>, decimals: usize) -> Self {
        let text = figure.map_or_else(|| NONE.to_owned(), |figure| figure.text(decimals));
        Self { text: Words::same(text), owner: Owner::Ours }
    }

    /// A number of the source.
    pub(crate) fn theirs(number: impl Into<Option<f64>>, decimals: usize) -> Self {
        let text =
            number.into().map_or_else(|| NONE.to_owned(), |number| number_text(number, decimals));
        Self { text: Words::same(text), owner: Owner::Theirs }
    }

    /// A text of the source.
    pub(crate) fn their_words(text: Words) -> Self {
        Self { text, owner: Owner::Theirs }
    }
}

impl Section {
    pub(crate) fn new(title: Words, blocks: impl Into<Vec<Block>>) -> Self {
        Self { title, blocks: blocks.into() }
    }

    pub(crate) fn of_claims(title: Words, claims: &[Claim], findings: &Findings) -> Self {
        let judged = claims.iter().map(|claim| claim.judge(findings)).collect();
        Self::new(title, [Block::Claims(judged)])
    }
}

impl Page {
    pub(crate) fn new(
        findings: &Findings,
        work: Work,
        setting: Words,
        sections: Vec<Section>,
    ) -> Self {
        let [source, command, version] =
            [findings.source(), findings.command(), findings.version()].map(str::to_owned);
        Self { source, work, setting, sections, command, version }
    }

    /// All claims in their order.
    pub fn claims(&self) -> impl Iterator<Item = &Judged> {
        let blocks = self.sections.iter().flat_map(|section| &section.blocks);
        blocks.flat_map(|block| match block {
            Block::Claims(claims) => claims.as_slice(),
            Block::Text(_) | Block::Table(_) => &[],
        })
    }

    /// Returns the verdicts that occur, with the numbers of their claims.
    pub(crate) fn verdicts(&self) -> Vec<(Verdict, usize)> {
        let count = |verdict| self.claims().filter(|judged| judged.verdict == verdict).count();
        let counts = Verdict::ALL.into_iter().map(|verdict| (verdict, count(verdict)));
        counts.filter(|(_, count)| *count > 0).collect()
    }

    /// Returns the number of claims and the verdicts as a sentence.
    pub fn summary(&self, language: Language) -> String {
        let counts: Vec<String> = self
            .verdicts()
            .into_iter()
            .map(|(verdict, count)| match language {
                Language::English => {
                    format!("{count} {}", verdict.words().in_language(language))
                }
                Language::Japanese => {
                    format!("{} {count}", verdict.words().in_language(language))
                }
            })
            .collect();
        let all = self.claims().count();
        match language {
            Language::English => format!("{all} claims: {}", counts.join(", ")),
            Language::Japanese => format!("主張{all}件：{}", counts.join("、")),
        }
    }
}
