//! The source documents.

use clap::ValueEnum;

use crate::findings::Findings;
use crate::page::Page;
use crate::{frontier, glossary, hybrid, quiescence, shiba};

/// A source document, and the study that repeats its measurements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[non_exhaustive]
pub enum Source {
    /// The frontier of a growing book (やねうらお, 2025).
    Frontier,
    /// A book grown by games (Shiba, 2018).
    Shiba,
    /// A glossary of computer shogi (2009).
    Glossary,
    /// Alpha-beta and tree search together (ym-shogi).
    Hybrid,
    /// The moves of the quiescence search (Takeuchi, Kaneko and Yamaguchi).
    Quiescence,
}

impl Source {
    /// The name in commands and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Frontier => frontier::NAME,
            Self::Shiba => shiba::NAME,
            Self::Glossary => glossary::NAME,
            Self::Hybrid => hybrid::NAME,
            Self::Quiescence => quiescence::NAME,
        }
    }

    /// Returns the page with these numbers. What they lack is not decided.
    pub fn page(self, findings: &Findings) -> Page {
        match self {
            Self::Frontier => frontier::page(findings),
            Self::Shiba => shiba::page(findings),
            Self::Glossary => glossary::page(findings),
            Self::Hybrid => hybrid::page(findings),
            Self::Quiescence => quiescence::page(findings),
        }
    }
}
