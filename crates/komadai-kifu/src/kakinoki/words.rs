//! Numbers, squares and pieces in Japanese text.

use komadai_core::{PieceKind, Square};

/// Returns the value of a digit, half or full width.
pub(crate) fn digit(c: char) -> Option<u32> {
    match c {
        '0'..='9' => Some(u32::from(c) - u32::from('0')),
        '０'..='９' => Some(u32::from(c) - u32::from('０')),
        _ => None,
    }
}

/// The kanji of the numbers from one to nine.
const KANJI: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Returns the value of a kanji digit from 1 to 9.
pub(crate) fn kanji_digit(c: char) -> Option<u32> {
    KANJI.iter().position(|&kanji| kanji == c).map(|index| index as u32 + 1)
}

/// Returns the number at the start of a text, in digits of any width, with the rest. Numbers of
/// more than nine digits are none.
pub(crate) fn number_at(text: &str) -> Option<(u32, &str)> {
    let mut value = 0_u32;
    let mut count = 0;
    for (at, c) in text.char_indices() {
        let Some(digit) = digit(c) else {
            return (count > 0).then_some((value, &text[at..]));
        };
        count += 1;
        if count > 9 {
            return None;
        }
        value = value * 10 + digit;
    }
    (count > 0).then_some((value, ""))
}

/// Returns the number of pieces at the start of a text, in kanji up to 99 or in digits, with the
/// rest.
pub(crate) fn count_at(text: &str) -> Option<(u32, &str)> {
    if let Some(found) = number_at(text) {
        return Some(found);
    }
    let mut rest = text;
    let mut take = |wanted: fn(char) -> Option<u32>| {
        let c = rest.chars().next()?;
        let value = wanted(c)?;
        rest = &rest[c.len_utf8()..];
        Some(value)
    };
    let first = take(kanji_digit);
    let ten = take(|c| (c == '十').then_some(10));
    let value = match (first, ten) {
        (None, None) => return None,
        (Some(ones), None) => ones,
        (tens, Some(_)) => tens.unwrap_or(1) * 10 + take(kanji_digit).unwrap_or(0),
    };
    Some((value, rest))
}

/// Writes a number from 1 to 99 in kanji.
pub(crate) fn kanji_number(value: u32) -> String {
    let (tens, ones) = (value / 10, value % 10);
    let kanji = |digit: u32| KANJI.get(digit.wrapping_sub(1) as usize).copied();
    let mut text = String::new();
    if tens > 1 {
        text.extend(kanji(tens));
    }
    if tens > 0 {
        text.push('十');
    }
    text.extend(kanji(ones));
    text
}

/// Returns the kind of a piece in one character, with the variants of files. A king may be either
/// of 玉 and 王.
pub(crate) fn kind_of(c: char) -> Option<PieceKind> {
    Some(match c {
        '歩' => PieceKind::Pawn,
        '香' => PieceKind::Lance,
        '桂' => PieceKind::Knight,
        '銀' => PieceKind::Silver,
        '金' => PieceKind::Gold,
        '角' => PieceKind::Bishop,
        '飛' => PieceKind::Rook,
        '玉' | '王' => PieceKind::King,
        'と' => PieceKind::ProPawn,
        '杏' => PieceKind::ProLance,
        '圭' => PieceKind::ProKnight,
        '全' => PieceKind::ProSilver,
        '馬' => PieceKind::Horse,
        '龍' | '竜' => PieceKind::Dragon,
        _ => return None,
    })
}

/// Returns the kind of the piece at the start of a text, with the rest: 成銀 is one piece.
pub(crate) fn kind_at(text: &str) -> Option<(PieceKind, &str)> {
    for (name, kind) in [
        ("成香", PieceKind::ProLance),
        ("成桂", PieceKind::ProKnight),
        ("成銀", PieceKind::ProSilver),
    ] {
        if let Some(rest) = text.strip_prefix(name) {
            return Some((kind, rest));
        }
    }
    let c = text.chars().next()?;
    Some((kind_of(c)?, &text[c.len_utf8()..]))
}

/// Returns the square at the start of a text, with the rest: ７六, 76, ７６ or 7六.
pub(crate) fn square_at(text: &str) -> Option<(Square, &str)> {
    let mut chars = text.chars();
    let file = digit(chars.next()?)?;
    let rank = chars.next().and_then(|c| digit(c).or_else(|| kanji_digit(c)))?;
    Some((square(file, rank)?, chars.as_str()))
}

/// Returns the square of a file and a rank, both from 1 to 9.
pub(crate) fn square(file: u32, rank: u32) -> Option<Square> {
    let is_on_board = (1..=9).contains(&file) && (1..=9).contains(&rank);
    is_on_board.then(|| Square::from_index((file as usize - 1) * 9 + rank as usize - 1))?
}

/// Returns the name of a square, ７六.
pub(crate) fn square_name(square: Square) -> String {
    const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
    [FILES[square.file().index()], KANJI[square.rank().index()]].iter().collect()
}

/// Removes blanks of any width from both ends.
/// The signs before moves of Black and White.
pub(crate) const SIGNS: [char; 6] = ['▲', '△', '▼', '▽', '☗', '☖'];

/// Returns the name of a kind in a move: promoted pieces have 成 before them.
pub(crate) fn kind_name(kind: PieceKind) -> String {
    match kind {
        PieceKind::ProLance | PieceKind::ProKnight | PieceKind::ProSilver => {
            format!("成{}", kind.unpromoted().to_kanji())
        }
        kind => kind.to_kanji().to_string(),
    }
}

pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(is_blank)
}

/// Checks for a blank of any width.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{3000}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_all_kinds_are_read() {
        for (text, value) in [("12手", 12), ("１２手", 12), ("3 ", 3)] {
            assert_eq!(number_at(text).unwrap().0, value, "{text}");
        }
        assert_eq!(number_at("手"), None);
        assert_eq!(number_at("1234567890"), None);
        for (text, value) in [("二", 2), ("十", 10), ("十八　", 18), ("二十一", 21), ("3", 3)]
        {
            assert_eq!(count_at(text).unwrap().0, value, "{text}");
        }
        assert_eq!(count_at("　"), None);
        for value in 1..=99 {
            assert_eq!(count_at(&kanji_number(value)), Some((value, "")));
        }
    }

    #[test]
    fn squares_are_read_in_every_mixture() {
        for text in ["７六歩", "76歩", "７６歩", "7六歩"] {
            assert_eq!(square_at(text), Some((Square::S76, "歩")), "{text}");
        }
        for text in ["0六", "七六", "７", "７十"] {
            assert_eq!(square_at(text), None, "{text}");
        }
    }

    #[test]
    fn promoted_pieces_have_two_names() {
        assert_eq!(kind_at("成銀(55)"), Some((PieceKind::ProSilver, "(55)")));
        assert_eq!(kind_at("全"), Some((PieceKind::ProSilver, "")));
        assert_eq!(kind_at("銀成"), Some((PieceKind::Silver, "成")));
        for kind in PieceKind::ALL {
            assert_eq!(kind_of(kind.to_kanji()), Some(kind), "{kind:?}");
        }
    }
}
