//! Words in both languages.

use core::fmt;
use std::time::Duration;

use komadai_core::Language;
use komadai_kifu::{EndKind, HeaderKey, Outcome};

/// Returns the end of a game in words, not escaped.
pub(super) fn end_words(kind: &EndKind, language: Language) -> &str {
    let (english, japanese) = match kind {
        EndKind::Resign => ("resignation", "投了"),
        EndKind::Checkmate => ("checkmate", "詰み"),
        EndKind::NoMate => ("no mate", "不詰"),
        EndKind::TimeUp => ("time up", "切れ負け"),
        EndKind::IllegalLoss | EndKind::IllegalWin => ("illegal move", "反則"),
        EndKind::PerpetualCheckLoss | EndKind::PerpetualCheckWin => {
            ("perpetual check", "連続王手の千日手")
        }
        EndKind::EnteringKingWin => ("declaration", "入玉宣言"),
        EndKind::Repetition => ("repetition", "千日手"),
        EndKind::Impasse => ("impasse", "持将棋"),
        EndKind::Draw => ("draw", "引き分け"),
        EndKind::MaxMoves => ("move limit", "最大手数"),
        EndKind::Interrupt => ("interrupted", "中断"),
        EndKind::Error => ("error", "エラー"),
        // The file states the winner alone.
        EndKind::Win { reason, .. } if reason == "勝ち" => ("win", "勝ち"),
        EndKind::Other(word) | EndKind::Win { reason: word, .. } => return word,
        _ => ("end", "終局"),
    };
    language.choose(english, japanese)
}

/// Returns the result in words, without its reason, with the names of the sides.
pub(super) fn result_words(
    outcome: Outcome,
    moves: usize,
    sides: [&str; 2],
    language: Language,
) -> String {
    let plural = if moves == 1 { "" } else { "s" };
    match (language, outcome) {
        (Language::English, Outcome::Win(winner)) => {
            format!("{} wins, {moves} move{plural}", sides[winner.index()])
        }
        (Language::English, Outcome::Draw) => format!("Draw, {moves} move{plural}"),
        (Language::English, Outcome::Unknown) => format!("{moves} move{plural}"),
        (Language::Japanese, Outcome::Win(winner)) => {
            format!("{moves}手で{}の勝ち", sides[winner.index()])
        }
        (Language::Japanese, Outcome::Draw) => format!("{moves}手で引き分け"),
        (Language::Japanese, Outcome::Unknown) => format!("{moves}手"),
    }
}

/// Keys that programs and the Japan Shogi Association write, with their names in English.
const CUSTOM_KEYS: [(&str, &str); 12] = [
    ("先手省略名", "Black, short name"),
    ("下手省略名", "Black, short name"),
    ("後手省略名", "White, short name"),
    ("上手省略名", "White, short name"),
    ("先手タイトル", "Black, title"),
    ("後手タイトル", "White, title"),
    ("手合割", "handicap"),
    ("棋戦詳細", "event, details"),
    ("記録係", "recorder"),
    ("立会人", "referee"),
    ("昼食休憩", "lunch break"),
    ("手数", "moves"),
];

/// Returns the name of an entry of the header, not escaped; `None` for those that have a place of
/// their own.
pub(super) fn key_words(key: &HeaderKey, language: Language) -> Option<&str> {
    let (english, japanese) = match key {
        HeaderKey::Black | HeaderKey::White => return None,
        HeaderKey::Event => ("event", "棋戦"),
        HeaderKey::Title => ("title", "表題"),
        HeaderKey::Site => ("place", "場所"),
        HeaderKey::Date => ("date", "対局日"),
        HeaderKey::StartTime => ("start", "開始日時"),
        HeaderKey::EndTime => ("end", "終了日時"),
        HeaderKey::Opening => ("opening", "戦型"),
        HeaderKey::TimeLimit | HeaderKey::TimeControl => ("time", "持ち時間"),
        HeaderKey::BlackTimeControl => ("time of Black", "先手の持ち時間"),
        HeaderKey::WhiteTimeControl => ("time of White", "後手の持ち時間"),
        HeaderKey::Byoyomi => ("byoyomi", "秒読み"),
        HeaderKey::TimeUsed => ("time used", "消費時間"),
        HeaderKey::MaxMoves => ("move limit", "最大手数"),
        HeaderKey::ImpasseRule => ("impasse rule", "持将棋"),
        HeaderKey::Published => ("published", "掲載"),
        HeaderKey::Note => ("remarks", "備考"),
        HeaderKey::ProblemNumber => ("problem", "作品番号"),
        HeaderKey::ProblemName => ("name", "作品名"),
        HeaderKey::Composer => ("composer", "作者"),
        HeaderKey::Source => ("source", "出典"),
        HeaderKey::Custom(word) => {
            let known = CUSTOM_KEYS.iter().find(|(japanese, _)| japanese == word);
            return Some(
                known.map_or(word, |(japanese, english)| language.choose(english, japanese)),
            );
        }
        _ => return None,
    };
    Some(language.choose(english, japanese))
}

/// A time as `m:ss` or `h:mm:ss`.
pub(super) struct Clock(pub(super) Duration);

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        match seconds / 3_600 {
            0 => write!(f, "{}:{:02}", seconds / 60, seconds % 60),
            hours => write!(f, "{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
        }
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::Color;

    use super::*;

    #[test]
    fn results_and_times_are_written() {
        let win = Outcome::Win(Color::White);
        let english = result_words(win, 1, ["Black", "White"], Language::English);
        assert_eq!(english, "White wins, 1 move");
        let japanese = result_words(win, 88, ["下手", "上手"], Language::Japanese);
        assert_eq!(japanese, "88手で上手の勝ち");
        let clock = |seconds| Clock(Duration::from_secs(seconds)).to_string();
        assert_eq!([0, 61, 3_599, 3_661].map(clock).join(" "), "0:00 1:01 59:59 1:01:01");
        assert!(clock(u64::MAX).len() > 8);
    }
}
