//! Moves on the page.

use komadai_core::{Move, Position};
use komadai_kifu::MoveNotation;

/// How moves are named.
#[derive(Clone, Copy)]
pub(super) struct Names {
    notation: MoveNotation,
}

impl Names {
    pub(super) fn new(notation: MoveNotation) -> Self {
        Self { notation }
    }

    /// One move.
    pub(super) fn of(self, position: &Position, m: Move) -> String {
        let name = self.notation.name(position, m);
        let lang = if self.notation == MoveNotation::Japanese { " lang=\"ja\"" } else { "" };
        format!("<span class=\"m\"{lang}>{name}</span>")
    }

    /// One move, or a dash.
    pub(super) fn of_some(self, position: &Position, m: Option<Move>) -> String {
        m.map_or_else(|| "–".to_owned(), |m| self.of(position, m))
    }

    /// The moves of a line from `start`.
    pub(super) fn line(self, start: &Position, moves: &[Move]) -> String {
        let mut position = start.clone();
        let mut names = Vec::with_capacity(moves.len());
        for &m in moves {
            names.push(self.of(&position, m));
            position.do_move(m);
        }
        names.join(" ")
    }
}
