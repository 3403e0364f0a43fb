//! The data and the names of moves that all sections of the page share.

use komadai_core::{Move, Position};
use komadai_kifu::Notation;

use crate::book_page::data::ReportData;

/// The report to be written, and the names of moves.
#[derive(Clone, Copy)]
pub(super) struct Page<'d> {
    pub(super) data: &'d ReportData,
    pub(super) names: Names,
}

/// The notation of moves on the page.
#[derive(Clone, Copy)]
pub(super) struct Names {
    notation: Notation,
}

impl Names {
    pub(super) fn new(notation: Notation) -> Self {
        Self { notation }
    }

    /// One move.
    pub(super) fn of(self, position: &Position, m: Move) -> String {
        self.span(&self.notation.name(position, m))
    }

    /// One move, or a dash.
    pub(super) fn of_some(self, position: &Position, m: Option<Move>) -> String {
        m.map_or_else(|| "–".to_owned(), |m| self.of(position, m))
    }

    /// The moves of a line from `start`.
    pub(super) fn line(self, start: &Position, moves: &[Move]) -> String {
        let names = self.notation.names(start, moves);
        names.iter().map(|name| self.span(name)).collect::<Vec<_>>().join(" ")
    }

    fn span(self, name: &str) -> String {
        let lang = if self.notation.is_japanese() { " lang=\"ja\"" } else { "" };
        format!("<span class=\"m\"{lang}>{name}</span>")
    }
}
