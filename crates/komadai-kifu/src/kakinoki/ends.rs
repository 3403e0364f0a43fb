//! The words for the end of a game.

use komadai_core::Color;

use super::words::{number_at, trim};
use crate::end::EndKind;

/// The words in place of a move; of several words for one end, the first is written.
const WORDS: [(&str, EndKind); 20] = [
    ("投了", EndKind::Resign),
    ("中断", EndKind::Interrupt),
    ("詰み", EndKind::Checkmate),
    ("詰", EndKind::Checkmate),
    ("不詰", EndKind::NoMate),
    ("千日手", EndKind::Repetition),
    ("持将棋", EndKind::Impasse),
    ("引き分け", EndKind::Draw),
    ("引分", EndKind::Draw),
    ("切れ負け", EndKind::TimeUp),
    ("時間切れ", EndKind::TimeUp),
    ("反則負け", EndKind::IllegalLoss),
    ("反則行為", EndKind::IllegalLoss),
    ("反則勝ち", EndKind::IllegalWin),
    ("入玉勝ち", EndKind::EnteringKingWin),
    ("宣言勝ち", EndKind::EnteringKingWin),
    ("入玉宣言", EndKind::EnteringKingWin),
    ("最大手数", EndKind::MaxMoves),
    ("手数制限", EndKind::MaxMoves),
    ("エラー", EndKind::Error),
];

/// Ends that are known by name and mean no more to the library.
const OTHERS: [&str; 3] = ["封じ手", "不戦勝", "不戦敗"];

/// Returns the end for a word in place of a move; `None` if it is not a known one.
pub(crate) fn end_of(word: &str) -> Option<EndKind> {
    let known = WORDS.iter().find(|(known, _)| *known == word).map(|(_, kind)| kind.clone());
    known.or_else(|| OTHERS.contains(&word).then(|| EndKind::Other(word.to_owned())))
}

/// Returns the word in place of a move: the reverse of [`end_of`].
pub(crate) fn word_of(kind: &EndKind) -> &str {
    match kind {
        EndKind::Other(word) => word,
        kind => WORDS.iter().find(|(_, known)| known == kind).map_or("中断", |(word, _)| word),
    }
}

/// Returns the end that a last line states, まで12手で先手の勝ち, with `side` to move after the last move.
///
/// `None` if the line does not begin as such a line.
pub(crate) fn end_of_summary(line: &str, side: Color) -> Option<EndKind> {
    let text = trim(line).strip_prefix("まで")?;
    let text = number_at(trim(text)).map_or(text, |(_, rest)| rest);
    let text = trim(text);
    let text = text.strip_prefix('手').unwrap_or(text);
    let text = text.strip_prefix('で').unwrap_or(text);
    let winner_is_to_move = |winner: Color| winner == side;
    let named = match () {
        () if text.contains("先手") || text.contains("下手") => Some(Color::Black),
        () if text.contains("後手") || text.contains("上手") => Some(Color::White),
        () => None,
    };
    let has = |word: &str| text.contains(word);
    let other = || EndKind::Other(trim(line).to_owned());
    Some(match named {
        Some(color) if has("反則負け") => match winner_is_to_move(!color) {
            false => EndKind::IllegalLoss,
            true => EndKind::IllegalWin,
        },
        Some(color) if has("反則勝ち") || has("反則") => match winner_is_to_move(color) {
            false => EndKind::IllegalLoss,
            true => EndKind::IllegalWin,
        },
        Some(color) if has("入玉") || has("宣言") => match winner_is_to_move(color) {
            true => EndKind::EnteringKingWin,
            false => other(),
        },
        Some(color) if has("勝ち") && winner_is_to_move(color) => other(),
        Some(_) if has("時間切れ") || has("切れ負け") => EndKind::TimeUp,
        Some(_) if has("詰") && has("勝ち") => EndKind::Checkmate,
        Some(_) if has("勝ち") => EndKind::Resign,
        _ if has("不詰") => EndKind::NoMate,
        _ if has("詰") => EndKind::Checkmate,
        _ if has("中断") => EndKind::Interrupt,
        _ if has("千日手") => EndKind::Repetition,
        _ if has("持将棋") => EndKind::Impasse,
        _ if has("引き分け") || has("引分") => EndKind::Draw,
        _ if has("最大手数") => EndKind::MaxMoves,
        _ if text.is_empty() || text.starts_with("まで") => other(),
        _ => end_of(text).unwrap_or_else(|| EndKind::Other(text.to_owned())),
    })
}

/// Returns the last line for a game of `count` moves with `side` to move at its end; `None` for a failure of the
/// program.
pub(crate) fn summary(
    kind: &EndKind,
    count: usize,
    side: Color,
    is_handicap: bool,
) -> Option<String> {
    let name = |color: Color| match (color, is_handicap) {
        (Color::Black, false) => "先手",
        (Color::White, false) => "後手",
        (Color::Black, true) => "下手",
        (Color::White, true) => "上手",
    };
    let (to_move, other) = (name(side), name(!side));
    let text = match kind {
        EndKind::Resign => format!("で{other}の勝ち"),
        EndKind::Checkmate => "で詰み".to_owned(),
        EndKind::NoMate => "で不詰".to_owned(),
        EndKind::TimeUp => format!("で時間切れにより{other}の勝ち"),
        EndKind::IllegalLoss => format!("で{to_move}の反則負け"),
        EndKind::IllegalWin => format!("で{to_move}の反則勝ち"),
        EndKind::EnteringKingWin => format!("で{to_move}の入玉勝ち"),
        EndKind::Repetition => "で千日手".to_owned(),
        EndKind::Impasse => "で持将棋".to_owned(),
        EndKind::Draw => "で引き分け".to_owned(),
        EndKind::MaxMoves => "で最大手数".to_owned(),
        EndKind::Interrupt => "で中断".to_owned(),
        EndKind::Other(line) if line.starts_with("まで") => return Some(line.clone()),
        EndKind::Other(word) => format!("で{word}"),
        EndKind::Error => return None,
    };
    Some(format!("まで{count}手{text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_are_written() {
        for (word, kind) in WORDS {
            assert_eq!(end_of(word), Some(kind.clone()));
            assert_eq!(end_of(word_of(&kind)), Some(kind));
        }
        assert_eq!(end_of("封じ手"), Some(EndKind::Other("封じ手".to_owned())));
        assert_eq!(end_of("７六歩"), None);
    }

    #[test]
    fn summaries_are_read_as_they_are_written() {
        for side in Color::ALL {
            for is_handicap in [false, true] {
                for (_, kind) in WORDS.into_iter().filter(|(_, kind)| *kind != EndKind::Error) {
                    let line = summary(&kind, 12, side, is_handicap).unwrap();
                    assert_eq!(end_of_summary(&line, side), Some(kind), "{line}");
                }
            }
        }
        assert_eq!(end_of_summary("まで49手詰", Color::White), Some(EndKind::Checkmate));
        assert_eq!(
            end_of_summary("まで5手で時間切れにより先手の勝ち", Color::White),
            Some(EndKind::TimeUp)
        );
        assert_eq!(end_of_summary("投了", Color::White), None);
    }
}
