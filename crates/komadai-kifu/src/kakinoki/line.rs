//! The kinds of lines that KIF and KI2 share.

use komadai_core::Color;

use super::words::{SIGNS, digit, is_blank, number_at, trim};

/// A line that is no move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SharedLine<'a> {
    /// Nothing, a frame of the diagram, a heading of columns, or an instruction for a display.
    Nothing,
    /// `# …`: a remark of the program that wrote the file.
    Remark(&'a str),
    /// `* …`: a comment.
    Note(&'a str),
    /// `& …`: a bookmark.
    Bookmark(&'a str),
    /// `手合割：…`.
    Handicap(&'a str),
    /// `キー：…`: any other key with its value.
    Header(&'a str, &'a str),
    /// `|v香v桂 …|一`: a row of the diagram.
    Row(&'a str),
    /// `後手の持駒：…`.
    Hand(Color, &'a str),
    /// `後手番`.
    Side(Color),
    /// `変化：12手`: a variation, with the number of its first move. The number may be missing.
    Variation(Option<u32>),
    /// `まで12手で先手の勝ち`: the end.
    Summary(&'a str),
}

/// Returns the kind of a line, or `None` if it is none of those that KIF and KI2 share.
pub(crate) fn shared_line(line: &str) -> Option<SharedLine<'_>> {
    let text = trim(line);
    let Some(first) = text.chars().next() else { return Some(SharedLine::Nothing) };
    let after = &text[first.len_utf8()..];
    match first {
        // Blanks at the end belong to the text of a comment.
        '*' => return line.split_once('*').map(|(_, note)| SharedLine::Note(note)),
        '#' => return line.split_once('#').map(|(_, remark)| SharedLine::Remark(remark)),
        '&' => return Some(SharedLine::Bookmark(after)),
        '|' => return Some(SharedLine::Row(text)),
        '+' if after.starts_with('-') => return Some(SharedLine::Nothing),
        '０'..='９' if text.contains('８') && !text.contains('手') && is_file_row(text) => {
            return Some(SharedLine::Nothing);
        }
        _ => {}
    }
    if text.starts_with("手数") || matches!(text, "盤面回転" | "盤面反転") {
        // `手数----指手---------消費時間--`, `手数＝31  ▲２四歩  まで`.
        return (!text.contains(['：', ':']))
            .then_some(SharedLine::Nothing)
            .or_else(|| header(text));
    }
    if text.starts_with("まで") {
        return Some(SharedLine::Summary(text));
    }
    let side = match text {
        "先手番" | "下手番" => Some(Color::Black),
        "後手番" | "上手番" => Some(Color::White),
        _ => None,
    };
    if let Some(side) = side {
        return Some(SharedLine::Side(side));
    }
    // A move has a colon only in its time, which stands in brackets.
    let may_be_move = digit(first).is_some() || first == '同' || SIGNS.contains(&first);
    // A blank follows the number of a move.
    let is_move = |text: &str| {
        let found = text.find(|c: char| matches!(c, '：' | ':' | '(' | '（') || is_blank(c));
        found.is_none_or(|at| !text[at..].starts_with(['：', ':']))
    };
    if may_be_move && is_move(text) { None } else { header(text) }
}

/// Checks for the numbers of the files above a diagram.
fn is_file_row(text: &str) -> bool {
    text.chars().all(|c| matches!(c, '１'..='９' | ' ' | '\u{3000}'))
}

fn header(text: &str) -> Option<SharedLine<'_>> {
    let (key, value) = text.split_once(['：', ':'])?;
    let (key, value) = (trim(key), trim(value));
    // A line of JSON is no header.
    if key.starts_with(['{', '[', '"']) {
        return None;
    }
    Some(match key {
        "" => return None,
        "手合割" => SharedLine::Handicap(value),
        "先手の持駒" | "下手の持駒" | "先手の持ち駒" | "下手の持ち駒" => {
            SharedLine::Hand(Color::Black, value)
        }
        "後手の持駒" | "上手の持駒" | "後手の持ち駒" | "上手の持ち駒" => {
            SharedLine::Hand(Color::White, value)
        }
        "変化" => SharedLine::Variation(number_at(value).map(|(number, _)| number)),
        key => SharedLine::Header(key, value),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_line_is_known() {
        use SharedLine::*;
        for (line, expected) in [
            ("", Some(Nothing)),
            ("　 ", Some(Nothing)),
            ("# Kifu", Some(Remark(" Kifu"))),
            ("*変化：3手 ", Some(Note("変化：3手 "))),
            ("&しおり", Some(Bookmark("しおり"))),
            ("  ９ ８ ７ ６ ５ ４ ３ ２ １", Some(Nothing)),
            ("+---------------------------+", Some(Nothing)),
            ("手数----指手---------消費時間--", Some(Nothing)),
            ("手数＝31  ▲２四歩  まで", Some(Nothing)),
            ("手数：11", Some(Header("手数", "11"))),
            ("盤面回転", Some(Nothing)),
            ("手合割：平手　　", Some(Handicap("平手"))),
            ("掲載：http://a.b/c", Some(Header("掲載", "http://a.b/c"))),
            ("棋戦:名人戦", Some(Header("棋戦", "名人戦"))),
            ("後手の持駒：なし", Some(Hand(Color::White, "なし"))),
            ("上手番", Some(Side(Color::White))),
            ("変化：12手", Some(Variation(Some(12)))),
            ("変化：１２手", Some(Variation(Some(12)))),
            ("変化：", Some(Variation(None))),
            ("まで12手で先手の勝ち", Some(Summary("まで12手で先手の勝ち"))),
            ("   1 ７六歩(77)   ( 0:01/00:00:01)", None),
            ("同　銀(31)   ( 0:01/00:00:01)", None),
            ("７番勝負：第３局", Some(Header("７番勝負", "第３局"))),
            ("▲７六歩", None),
            ("無関係", None),
            (r#"{"header":{"先手":"A"}}"#, None),
        ] {
            assert_eq!(shared_line(line), expected, "{line}");
        }
    }
}
