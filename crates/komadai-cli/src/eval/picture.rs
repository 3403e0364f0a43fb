//! Explanations as pictures: boards whose squares have the colours of their values.

use komadai::core::{Color, Language, Position, Square};
use komadai::eval::{Explanation, Group};
use komadai::kifu::Notation;
use komadai::report::{SquareValues, SvgBoard, SvgPieces};

use super::comparison::Comparison;

/// The language and the notation of a picture.
pub(super) struct Style {
    pub(super) notation: Notation,
    pub(super) language: Language,
}

impl Style {
    /// Returns the picture of an explanation; values are for Black and exclude those of the pieces,
    /// which exceed all others.
    pub(super) fn explanation(&self, position: &Position, explanation: &Explanation) -> SvgBoard {
        let sum = explanation.sum().round();
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
        let values = explanation.by_square(|term| term.group != Group::Piece);
        self.board(position, title, square_values(&values, legend.to_owned()))
    }

    /// Returns the picture of the second position of a comparison; values are the changes for the
    /// side to move in the first one.
    pub(super) fn comparison(&self, comparison: &Comparison) -> SvgBoard {
        let changes = comparison.difference.by_square().map(|value| comparison.for_view(value));
        let [old, new] = [&comparison.before, &comparison.after]
            .map(|explanation| comparison.for_view(explanation.sum()).round());
        let m = comparison.m.map(|m| self.notation.name(&comparison.first, m) + ": ");
        let m = m.unwrap_or_default();
        let (title, legend) = match (self.language, comparison.view()) {
            (Language::English, side) => (
                format!("{m}{old:+} → {new:+} for {side:?}"),
                format!(
                    "change in centipawns; green: good for {side:?}, red: good for {:?}",
                    !side
                ),
            ),
            (Language::Japanese, Color::Black) => (
                format!("{m}先手から見て {old:+} → {new:+}"),
                "評価の変化　緑：先手に有利　赤：後手に有利".to_owned(),
            ),
            (Language::Japanese, Color::White) => (
                format!("{m}後手から見て {old:+} → {new:+}"),
                "評価の変化　緑：後手に有利　赤：先手に有利".to_owned(),
            ),
        };
        let board = self.board(&comparison.second, title, square_values(&changes, legend));
        SvgBoard { last_move: comparison.m, ..board }
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
