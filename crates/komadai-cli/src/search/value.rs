//! Values in words.

use komadai::core::{Color, Language, Line, Position};
use komadai_console::signed_score;

/// Returns the value of a line for Black in words: `+35`, `≥+66`, `Black mates in 5`.
pub(crate) fn value(line: &Line, position: &Position, language: Language) -> String {
    let is_black = position.side() == Color::Black;
    let (value, bound) =
        if is_black { (line.score, line.bound) } else { (-line.score, !line.bound) };
    if value.to_cp().is_some() {
        return format!("{}{}", bound.sign(), signed_score(Some(value)));
    }
    let winner = if value.raw() > 0 { Color::Black } else { Color::White };
    let plies = value.mate_plies().map(i32::abs);
    match (language, plies) {
        (Language::English, Some(plies)) => format!("{}{winner:?} mates in {plies}", bound.sign()),
        (Language::English, None) => format!("{winner:?} mates"),
        (Language::Japanese, plies) => {
            let side = match winner {
                Color::Black => "先手",
                Color::White => "後手",
            };
            let plies = plies.map_or(String::new(), |plies| format!("（{plies}手詰）"));
            format!("{}{side}勝ち{plies}", bound.sign())
        }
    }
}
