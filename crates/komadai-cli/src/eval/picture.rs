//! Explanations as pictures: boards whose squares have the colours of their values.

use komadai::core::{Color, Language, Move, Position, Square};
use komadai::eval::{Explanation, Group};
use komadai::kifu::Notation;
use komadai::report::{SquareValues, SvgBoard, SvgPieces};

use super::comparison::Comparison;
use super::linear::{Changed, Explained};

/// The language and the notation of a picture.
pub(super) struct Style {
    pub(super) notation: Notation,
    pub(super) language: Language,
}

impl Style {
    /// Returns the picture of an explanation; values are for Black and exclude those of the pieces,
    /// which exceed all others.
    pub(super) fn explanation(&self, position: &Position, explanation: &Explanation) -> SvgBoard {
        let values = explanation.by_square(|term| term.group != Group::Piece);
        self.values(position, explanation.sum(), &values)
    }

    /// Returns the picture of an explanation of a linear evaluation, likewise.
    pub(super) fn linear(&self, explained: &Explained) -> SvgBoard {
        let Explained { position, explanation } = explained;
        self.values(position, explanation.sum(), &explanation.by_square())
    }

    fn values(&self, position: &Position, sum: f32, values: &[f32; Square::COUNT]) -> SvgBoard {
        let sum = sum.round();
        let (title, legend) = match self.language {
            Language::English => (
                format!("{sum:+} for Black"),
                "centipawns; green: good for Black, red: good for White; without piece values",
            ),
            Language::Japanese => (
                format!("先手から見て {sum:+}"),
                "緑：先手に有利　赤：後手に有利（駒の価値を除く）",
            ),
        };
        self.board(position, title, square_values(values, legend.to_owned()))
    }

    /// Returns the picture of the second position of a comparison; values are the changes for the
    /// side to move in the first one.
    pub(super) fn comparison(&self, comparison: &Comparison) -> SvgBoard {
        let Comparison { first, second, m, before, after, difference, .. } = comparison;
        let sums = [before, after].map(Explanation::sum);
        self.changes([first, second], *m, sums, &difference.by_square())
    }

    /// Returns the picture of a change of a linear evaluation, likewise.
    pub(super) fn linear_change(&self, changed: &Changed) -> SvgBoard {
        let explained = [&changed.before, &changed.after];
        let [old, new] = explained.map(|explained| &explained.explanation);
        let positions = explained.map(|explained| &explained.position);
        self.changes(positions, changed.m, [old.sum(), new.sum()], &old.changes_by_square(new))
    }

    fn changes(
        &self,
        [first, second]: [&Position; 2],
        m: Option<Move>,
        sums: [f32; 2],
        changes: &[f32; Square::COUNT],
    ) -> SvgBoard {
        let view = first.side();
        let for_view = |value: f32| if view == Color::Black { value } else { -value };
        let [old, new] = sums.map(|sum| for_view(sum).round());
        let name = m.map(|m| self.notation.name(first, m) + ": ").unwrap_or_default();
        let (title, legend) = match (self.language, view) {
            (Language::English, side) => (
                format!("{name}{old:+} → {new:+} for {side:?}"),
                format!(
                    "change in centipawns; green: good for {side:?}, red: good for {:?}",
                    !side
                ),
            ),
            (Language::Japanese, Color::Black) => (
                format!("{name}先手から見て {old:+} → {new:+}"),
                "評価の変化　緑：先手に有利　赤：後手に有利".to_owned(),
            ),
            (Language::Japanese, Color::White) => (
                format!("{name}後手から見て {old:+} → {new:+}"),
                "評価の変化　緑：後手に有利　赤：先手に有利".to_owned(),
            ),
        };
        let board = self.board(second, title, square_values(&changes.map(for_view), legend));
        SvgBoard { last_move: m, ..board }
    }

    fn board(&self, position: &Position, title: String, values: SquareValues) -> SvgBoard {
        SvgBoard {
            pieces: self.language.choose(SvgPieces::Letters, SvgPieces::Kanji),
            title: Some(title),
            values: Some(values),
            ..SvgBoard::new(position)
        }
    }
}

/// Returns the values of all squares in whole centipawns, with their meaning.
fn square_values(values: &[f32; Square::COUNT], legend: String) -> SquareValues {
    let rounded = |square: Square| (square, values[square.index()].round() as i32);
    SquareValues { values: Square::ALL.into_iter().map(rounded).collect(), legend }
}
