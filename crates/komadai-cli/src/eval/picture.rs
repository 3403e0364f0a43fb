//! Explanations as pictures: boards whose squares have the colours of their values.

use komadai::core::{Color, Language, Position, Square};
use komadai::eval::{Explanation, Group};
use komadai::kifu::Notation;
use komadai::report::{SvgBoard, SvgPieces};

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
        self.board(position).title(title).square_values(numbers(&values), legend)
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
        let board = self.board(&comparison.second).title(title);
        let board = match comparison.m {
            Some(m) => board.last_move(m),
            None => board,
        };
        board.square_values(numbers(&changes), legend)
    }

    fn board(&self, position: &Position) -> SvgBoard {
        SvgBoard::new(position).pieces(match self.language {
            Language::English => SvgPieces::Letters,
            Language::Japanese => SvgPieces::Kanji,
        })
    }
}

/// Returns the values of all squares in whole centipawns.
fn numbers(values: &[f32; Square::COUNT]) -> impl Iterator<Item = (Square, i32)> {
    Square::ALL.into_iter().map(|square| (square, values[square.index()].round() as i32))
}
