//! The words of CSA for the keys of a header.

use crate::header::HeaderKey;

/// The keys after the dollar sign; the names of the players have statements of their own.
const KEYS: [(&str, HeaderKey); 12] = [
    ("EVENT", HeaderKey::Event),
    ("SITE", HeaderKey::Site),
    ("START_TIME", HeaderKey::StartTime),
    ("END_TIME", HeaderKey::EndTime),
    ("OPENING", HeaderKey::Opening),
    ("TIME_LIMIT", HeaderKey::TimeLimit),
    ("TIME", HeaderKey::TimeControl),
    ("TIME+", HeaderKey::BlackTimeControl),
    ("TIME-", HeaderKey::WhiteTimeControl),
    ("MAX_MOVES", HeaderKey::MaxMoves),
    ("JISHOGI", HeaderKey::ImpasseRule),
    ("NOTE", HeaderKey::Note),
];

/// Returns the key of a word, without its dollar sign. The definition of version 3 has `TIMET+` in
/// one place.
pub(crate) fn key_of(word: &str) -> HeaderKey {
    let word = if word == "TIMET+" { "TIME+" } else { word };
    let known = KEYS.iter().find(|(name, _)| *name == word);
    known.map_or_else(|| HeaderKey::Custom(word.to_owned()), |(_, key)| key.clone())
}

/// Returns the word of a key without its dollar sign: the reverse of [`key_of`]. `None` if CSA has
/// no such key.
pub(crate) fn word_of(key: &HeaderKey) -> Option<&str> {
    match key {
        HeaderKey::Custom(word) => Some(word),
        key => KEYS.iter().find(|(_, known)| known == key).map(|&(word, _)| word),
    }
}

/// Checks for a key that only version 3 has.
pub(super) fn is_of_version_3(key: &HeaderKey) -> bool {
    matches!(
        key,
        HeaderKey::TimeControl
            | HeaderKey::BlackTimeControl
            | HeaderKey::WhiteTimeControl
            | HeaderKey::MaxMoves
            | HeaderKey::ImpasseRule
            | HeaderKey::Note
    )
}

/// Checks for a key with a word in the manner of CSA: `TIME_LIMIT`. Words of other formats, such as
/// 先手の囲い, are none.
pub(super) fn is_of_csa(key: &HeaderKey) -> bool {
    let is_letter = |c: u8| c.is_ascii_uppercase() || c.is_ascii_digit() || b"_+-".contains(&c);
    word_of(key).is_some_and(|word| !word.is_empty() && word.bytes().all(is_letter))
}
