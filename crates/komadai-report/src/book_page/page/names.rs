//! Moves on the page.

use komadai_core::{Move, Position};
use komadai_kifu::Notation;

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
