//! The words of KIF for the keys of a header, which KI2 and JKF share.

use crate::csa::{header_key_of, header_word_of};
use crate::header::HeaderKey;

/// The words of KIF for the keys.
const WORDS: [(&str, HeaderKey); 18] = [
    ("先手", HeaderKey::Black),
    ("後手", HeaderKey::White),
    ("棋戦", HeaderKey::Event),
    ("表題", HeaderKey::Title),
    ("場所", HeaderKey::Site),
    ("対局日", HeaderKey::Date),
    ("開始日時", HeaderKey::StartTime),
    ("終了日時", HeaderKey::EndTime),
    ("戦型", HeaderKey::Opening),
    ("持ち時間", HeaderKey::TimeLimit),
    ("秒読み", HeaderKey::Byoyomi),
    ("消費時間", HeaderKey::TimeUsed),
    ("掲載", HeaderKey::Published),
    ("備考", HeaderKey::Note),
    ("作品番号", HeaderKey::ProblemNumber),
    ("作品名", HeaderKey::ProblemName),
    ("作者", HeaderKey::Composer),
    ("出典", HeaderKey::Source),
];

/// Returns the key of a word. Keys that only CSA has stand under their word in CSA: `$TIME`.
pub(crate) fn key_of(word: &str) -> HeaderKey {
    match word {
        "下手" => HeaderKey::Black,
        "上手" => HeaderKey::White,
        _ => match WORDS.iter().find(|(known, _)| *known == word) {
            Some((_, key)) => key.clone(),
            None => match word.strip_prefix('$').map(header_key_of) {
                None | Some(HeaderKey::Custom(_)) => HeaderKey::Custom(word.to_owned()),
                Some(key) => key,
            },
        },
    }
}

/// Returns the word of a key: the reverse of [`key_of`]. In a game with a handicap the players are
/// 下手 and 上手.
pub(crate) fn word_of(key: &HeaderKey, is_handicap: bool) -> String {
    match key {
        HeaderKey::Black if is_handicap => "下手".to_owned(),
        HeaderKey::White if is_handicap => "上手".to_owned(),
        HeaderKey::Custom(word) => word.clone(),
        key => match WORDS.iter().find(|(_, known)| known == key) {
            Some((word, _)) => (*word).to_owned(),
            None => format!("${}", header_word_of(key).unwrap_or_default()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_back_from_their_words() {
        let others = [
            HeaderKey::TimeControl,
            HeaderKey::BlackTimeControl,
            HeaderKey::WhiteTimeControl,
            HeaderKey::MaxMoves,
            HeaderKey::ImpasseRule,
            HeaderKey::Custom("対局ID".to_owned()),
            HeaderKey::Custom("$OTHER".to_owned()),
        ];
        for key in WORDS.into_iter().map(|(_, key)| key).chain(others) {
            for is_handicap in [false, true] {
                assert_eq!(key_of(&word_of(&key, is_handicap)), key);
            }
        }
    }
}
